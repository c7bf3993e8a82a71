"""What a learner sees of a position of Southern Rails."""

from __future__ import annotations

from typing import Final

from cuberails.core.board import Board
from cuberails.core.features import Features, best_first, best_of_others, mean_of_others
from cuberails.core.state import NOBODY, State
from cuberails.titles.southern_rails.board import SouthernRailsBoard
from cuberails.titles.southern_rails.judge import SouthernRailsJudge, shares_to_come
from cuberails.titles.southern_rails.rules import FIRST, SECOND, Draft
from cuberails.titles.southern_rails.state import SouthernRails

OF_A_CATEGORY: Final = ["scores", "lead", "hoped lead"]
OF_A_RAILROAD: Final = [
    *("points a share", "points a share hoped", "cubes", "to the scoring cube", "revenue near", "shares", "laid out"),
]
OF_THE_TABLE: Final = [
    *("three players", "four players", "five players", "scoring rounds", "last round", "over"),
    *("first shares", "second shares", "later shares", "to the scoring cube", "scoring is near", "railroads to score"),
    *("cubes left", "points for all now"),
]
OF_A_SEAT: Final = [
    *("points", "points beside the others", "points beside the best", "points beside the left"),
    *("points beside the best, by the end", "points now", "points now beside the others", "points now beside the best"),
    *("points now beside the best, when near", "points after scoring beside the best", "in the last round"),
    *("points next", "points next beside the others", "points next beside the best"),
    *("points later", "points later beside the others", "all points beside the others", "all points beside the best"),
    *("shares to come", "shares in this draft", "railroads held", "alone", "to its scoring cube"),
    *("could score", "first to score", "place in the order", "turns until its own", "decides"),
]
OF_A_SEAT_IN_A_CATEGORY: Final = ["points now beside the others", "points hoped beside the others", "own lead"]
OF_A_HOLDING: Final = ["held", "held beside the others"]

ASSUMED: Final = {
    "calm": 1.0,
    "doubt": 0.0,
    "hope_1": 0.6,
    "hope_2": 0.3,
    "hope_3": 0.1,
    "cubes_a_city": 1.5,
    "first_hopes": 2.0,
    "certainty_1": 0.0,
    "certainty_2": 0.0,
    "certainty_3": 0.0,
    "certainty_4": 0.0,
    "near": 0.5,
    "far": 2.0,
    "revenue_step": 2.0,
    "track_step": 4.0,
    "shares_step": 1.0,
    "awarded": 1.0,
    "track_hope": 1.0,
}
"""Round numbers for what the judge works out here: how likely cities are reached, and leads kept."""


class SouthernRailsFeatures(Features):
    """The features of Southern Rails on a board.

    All railroads are alike by the rules, so they stand in the order of what their shares promise, the best first.
    """

    def __init__(self, board: Board) -> None:
        assert isinstance(board, SouthernRailsBoard)
        self.judge: Final = SouthernRailsJudge(ASSUMED)
        self.steps: Final = [2.0] * board.tier_count + [5.0, 4.0, 2.0]
        names, ranks = board.categories, range(1, board.count + 1)
        shared = [f"{name}: {what}" for name in names for what in OF_A_CATEGORY]
        shared += [f"railroad {rank}: {what}" for rank in ranks for what in OF_A_RAILROAD]
        own = [f"{name}: {what}" for name in names for what in OF_A_SEAT_IN_A_CATEGORY]
        own += [f"railroad {rank}: {what}" for rank in ranks for what in OF_A_HOLDING]
        super().__init__(shared + OF_THE_TABLE, OF_A_SEAT + own)

    def rows(self, position: State) -> list[list[float]]:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        standings = Standings(state, self.judge, self.steps)
        shared = standings.categories()
        standings.add_railroads(shared)
        standings.add_table(shared)
        table = Table(state, standings)
        return [table.seen_from(shared, seat) for seat in range(state.players)]


class Standings:
    """What a share of each railroad scores: in a scoring round `now`, likely in the `next` one, and in `later` ones.

    `leader` is the railroad that scores in a category now or -1; `ranked` are the railroads by what they promise.
    """

    def __init__(self, state: SouthernRails, judge: SouthernRailsJudge, steps: list[float]) -> None:
        board = state.board
        count = board.count
        self.state: Final = state
        self.board: Final = board
        self.steps: Final = steps
        self.owned: Final = [total - left for total, left in zip(board.shares, state.stock)]
        self.built: Final = [total - left for total, left in zip(board.cubes, state.cubes)]
        self.over: Final = state.phase.actor == NOBODY
        self.rounds: Final = 0 if self.over else board.rounds - state.scorings
        self.figures: Final[list[list[int]]] = []
        self.leader: Final[list[int]] = []
        self.best: Final[list[int]] = []
        self.lead: Final[list[float]] = []
        self.now: Final = [0] * count
        for category in range(len(board.points)):
            self.add_category(category)
        self.prospects: Final = judge.prospects(state)
        self.near: Final[list[list[float]]] = []
        self.hoped: Final[list[float]] = []
        self.next: Final = [0.0] * count
        self.later: Final = [0.0] * count
        self.look_ahead(judge)
        self.total: Final = [next + later for next, later in zip(self.next, self.later)]
        self.ranked: Final = best_first(self.total)
        self.missing: Final = self.to_scoring_cube()
        self.nearest: Final = self.nearest_scoring_cube()

    def add_category(self, category: int) -> None:
        """Who leads it, by how much, and what a share of the leader scores."""
        board = self.board
        figures = self.figures_of(category)
        best, second, leader = figures[0], -1000, 0
        for rr in range(1, board.count):
            figure = figures[rr]
            if figure > best:
                best, second, leader = figure, best, rr
            elif figure > second:
                second = figure
        self.figures.append(figures)
        self.best.append(best)
        self.lead.append((best - second) / self.steps[category])
        if best == second or (category == board.by_track and best < board.track_least):
            leader = -1
        self.leader.append(leader)
        if leader >= 0:
            self.now[leader] += board.points[category]

    def figures_of(self, category: int) -> list[int]:
        """What is compared in a category, the more the better."""
        board = self.board
        if category == board.by_track:
            return self.built
        if category == board.by_shares:
            return [-owned for owned in self.owned]
        return self.state.standing(category)

    def look_ahead(self, judge: SouthernRailsJudge) -> None:
        """What the judge makes of the cities within reach: nothing more once the game is over."""
        board = self.board
        for category, figures in enumerate(self.prospects):
            odds = judge.odds_of(figures, judge.step_of(board, category))
            near, far = odds.near, odds.far
            points = 0.0 if self.over else float(board.points[category])
            more = points * (self.rounds - 1)
            hoped = 0.0
            for rr in range(board.count):
                hoped += near[rr] * self.owned[rr]
                self.next[rr] += points * near[rr]
                self.later[rr] += more * far[rr]
            self.near.append(near)
            self.hoped.append(hoped)

    def to_scoring_cube(self) -> list[int]:
        """For each railroad the cubes to its scoring round; 0 if that has been, or if nobody can bring it about."""
        cube = self.board.scoring_cube
        return [cube - built if built < cube and owned else 0 for built, owned in zip(self.built, self.owned)]

    def nearest_scoring_cube(self) -> int:
        """The fewest cubes to any scoring round."""
        nearest = self.board.scoring_cube + 1
        for missing in self.missing:
            if 0 < missing < nearest:
                nearest = missing
        return nearest

    def categories(self) -> list[float]:
        """The features of all categories."""
        row: list[float] = []
        for category, figures in enumerate(self.prospects):
            leader = self.leader[category]
            row.append(1.0 if leader >= 0 and self.owned[leader] else 0.0)
            row.append(self.lead[category])
            row.append(lead_of(figures) / self.steps[category])
        return row

    def add_railroads(self, row: list[float]) -> None:
        """The features of all railroads, the best first."""
        state, board = self.state, self.board
        phase = state.phase
        laid = phase.laid if isinstance(phase, Draft) else 0
        hopes = self.prospects[board.by_revenue]
        for rr in self.ranked:
            row += [
                self.now[rr] / 4.0,
                self.next[rr] / 4.0,
                self.built[rr] / board.cubes[rr],
                self.missing[rr] / board.scoring_cube,
                (hopes[rr] - state.revenue[rr]) / 10.0,
                self.owned[rr] / 5.0,
                1.0 if laid >> rr & 1 else 0.0,
            ]

    def add_table(self, row: list[float]) -> None:
        """The features of the table as a whole."""
        state, board, phase = self.state, self.board, self.state.phase
        row.append(1.0 if state.players == 3 else 0.0)
        row.append(1.0 if state.players == 4 else 0.0)
        row.append(1.0 if state.players >= 5 else 0.0)
        row.append(state.scorings / board.rounds)
        row.append(1.0 if self.rounds == 1 else 0.0)
        row.append(1.0 if self.over else 0.0)
        occasion = phase.occasion if isinstance(phase, Draft) else -1
        row.append(1.0 if occasion == FIRST else 0.0)
        row.append(1.0 if occasion == SECOND else 0.0)
        row.append(1.0 if occasion > SECOND else 0.0)
        row.append(self.nearest / board.scoring_cube)
        row.append(1.0 / self.nearest)
        row.append((board.count - self.missing.count(0)) / board.count)
        row.append(sum(state.cubes) / sum(board.cubes))
        points = 0
        for a_share, owned in zip(self.now, self.owned):
            points += a_share * owned
        row.append(points / 20.0)


class Holdings:
    """The shares of a seat: what they score in a scoring round `now`, likely in the `next` one, and in `later` ones."""

    def __init__(self, standings: Standings, seat: int) -> None:
        count = standings.board.count
        self.held: Final = standings.state.shares[seat * count : (seat + 1) * count]
        self.mine: Final = [rr for rr, held in enumerate(self.held) if held]
        self.nearest: int = standings.board.scoring_cube + 1
        self.count: int = 0
        self.alone: int = 0
        self.now: float = 0.0
        self.next: float = 0.0
        self.later: float = 0.0
        for rr in self.mine:
            self.add(standings, rr, self.held[rr])

    def add(self, standings: Standings, rr: int, held: int) -> None:
        """Count the shares of a railroad."""
        self.count += held
        self.now += held * standings.now[rr]
        self.next += held * standings.next[rr]
        self.later += held * standings.later[rr]
        if held == standings.owned[rr]:
            self.alone += 1
        if 0 < standings.missing[rr] < self.nearest:
            self.nearest = standings.missing[rr]


class Table:
    """How the seats stand beside each other."""

    def __init__(self, state: SouthernRails, standings: Standings) -> None:
        self.state: Final = state
        self.standings: Final = standings
        self.board: Final = state.board
        self.holdings: Final = [Holdings(standings, seat) for seat in range(state.players)]
        self.points: Final = [float(points) for points in state.points]
        self.now: Final = [holdings.now for holdings in self.holdings]
        self.next: Final = [holdings.next for holdings in self.holdings]
        self.later: Final = [holdings.later for holdings in self.holdings]
        self.after: Final = [points + now for points, now in zip(self.points, self.now)]
        self.all: Final = [self.expected(seat) for seat in range(state.players)]
        self.first: Final = self.first_to_score()

    def expected(self, seat: int) -> float:
        """The points that a seat is likely to have in the end."""
        if self.standings.over:
            return self.points[seat]
        to_come = shares_to_come(self.state, seat, self.standings.total)
        return self.points[seat] + self.next[seat] + self.later[seat] + to_come

    def first_to_score(self) -> int:
        """The first seat on turn that can place a scoring cube, or -1."""
        state = self.state
        if self.standings.nearest != 1 or self.standings.over:
            return -1
        place = 0 if isinstance(state.phase, Draft) else state.order.index(state.phase.actor)
        for step in range(state.players):
            seat = state.order[(place + step) % state.players]
            if self.holdings[seat].nearest == 1:
                return seat
        return -1

    def seen_from(self, shared: list[float], seat: int) -> list[float]:
        """The whole row of a seat."""
        row, holdings = shared[:], self.holdings[seat]
        self.add_points(row, seat)
        self.add_prospects(row, seat)
        self.add_shares(row, holdings)
        self.add_order(row, seat)
        beside = self.beside_the_others(holdings.held)
        self.add_categories(row, holdings, beside)
        for rr in self.standings.ranked:
            row.append(holdings.held[rr] / 3.0)
            row.append(beside[rr] / 3.0)
        return row

    def add_points(self, row: list[float], seat: int) -> None:
        """The points that a seat has, and what a scoring round would add now."""
        points, now, standings = self.points, self.now, self.standings
        left = (seat + 1) % self.state.players
        best = points[seat] - best_of_others(points, seat)
        best_now = now[seat] - best_of_others(now, seat)
        after = (self.after[seat] - best_of_others(self.after, seat)) / 8.0
        row.append(points[seat] / 15.0)
        row.append((points[seat] - mean_of_others(points, seat)) / 8.0)
        row.append(best / 8.0)
        row.append((points[seat] - points[left]) / 8.0)
        row.append(best / (4.0 * (standings.rounds + 1)))
        row.append(now[seat] / 5.0)
        row.append((now[seat] - mean_of_others(now, seat)) / 5.0)
        row.append(best_now / 5.0)
        row.append(best_now / (3.0 * standings.nearest))
        row.append(after)
        row.append(after if standings.rounds == 1 else 0.0)

    def add_prospects(self, row: list[float], seat: int) -> None:
        """What the shares of a seat promise in the next scoring round, in later ones, and in all."""
        next, later, total = self.next, self.later, self.all
        row.append(next[seat] / 5.0)
        row.append((next[seat] - mean_of_others(next, seat)) / 3.0)
        row.append((next[seat] - best_of_others(next, seat)) / 3.0)
        row.append(later[seat] / 10.0)
        row.append((later[seat] - mean_of_others(later, seat)) / 5.0)
        row.append((total[seat] - mean_of_others(total, seat)) / 8.0)
        row.append((total[seat] - best_of_others(total, seat)) / 8.0)

    def add_shares(self, row: list[float], holdings: Holdings) -> None:
        """What a seat holds, and where it can bring about a scoring round."""
        state, board = self.state, self.board
        due = 1 if isinstance(state.phase, Draft) and state.phase.occasion == FIRST else state.scorings + 2
        row.append((board.rounds + 1 - holdings.count) / (board.rounds + 1))
        row.append(1.0 if holdings.count < due and not self.standings.over else 0.0)
        row.append(len(holdings.mine) / 4.0)
        row.append(holdings.alone / 3.0)
        row.append(holdings.nearest / board.scoring_cube)
        row.append(1.0 if holdings.nearest == 1 else 0.0)

    def add_order(self, row: list[float], seat: int) -> None:
        """When a seat is on turn."""
        state, phase = self.state, self.state.phase
        place = state.order.index(seat)
        steps = 0
        if not self.standings.over:
            steps = place - state.order.index(phase.actor)
            if isinstance(phase, Draft) and phase.occasion == SECOND:
                steps = -steps
        row.append(1.0 if seat == self.first else 0.0)
        row.append(place / (state.players - 1))
        row.append(steps % state.players / state.players)
        row.append(1.0 if phase.actor == seat else 0.0)

    def beside_the_others(self, held: list[int]) -> list[float]:
        """By railroad: the shares that a seat holds, less the mean of what the others hold."""
        others = self.state.players - 1
        return [own - (owned - own) / others for own, owned in zip(held, self.standings.owned)]

    def add_categories(self, row: list[float], holdings: Holdings, beside: list[float]) -> None:
        """How a seat stands in each category."""
        standings = self.standings
        held, mine = holdings.held, holdings.mine
        others = self.state.players - 1.0
        for category, points in enumerate(self.board.points):
            leader, figures, near = standings.leader[category], standings.figures[category], standings.near[category]
            best, hoped = -1000, 0.0
            for rr in mine:
                hoped += near[rr] * held[rr]
                if figures[rr] > best:
                    best = figures[rr]
            behind = (best - standings.best[category]) / standings.steps[category] if mine else 0.0
            row.append(points * beside[leader] / 3.0 if leader >= 0 else 0.0)
            row.append(points * (hoped - (standings.hoped[category] - hoped) / others) / 2.0)
            row.append(behind if behind < 0.0 or not mine else standings.lead[category])


def lead_of(figures: list[float]) -> float:
    """By how much the highest of these is more than the next."""
    best, second = -1000.0, -1000.0
    for figure in figures:
        if figure > best:
            best, second = figure, best
        elif figure > second:
            second = figure
    return best - second
