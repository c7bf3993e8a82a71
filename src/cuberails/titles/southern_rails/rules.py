"""Southern Rails: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Ended
from cuberails.core.state import Over, Phase, Refusal
from cuberails.core.wording import either
from cuberails.titles.southern_rails.board import PLACE, TAKE, SouthernRailsBoard
from cuberails.titles.southern_rails.events import (
    Awarded,
    Placed,
    Reordered,
    Scoring,
    Skipped,
    Took,
    Totals,
    Withheld,
)
from cuberails.titles.southern_rails.state import SouthernRails

# The rounds in which shares are taken
FIRST: Final = 0
SECOND: Final = 1
LATER: Final = 2

RULES: Final = ("S2.1", "S2.2", "S7.2")
"""What governs a draft, by its occasion."""


# S1 Setting up


def set_up(board: Board, players: int, options: dict[str, str], rules_version: int) -> SouthernRails:
    """A new game, with the first shares laid out [S1, S2.1]."""
    assert isinstance(board, SouthernRailsBoard)
    state = SouthernRails()
    state.board = board
    state.set_up(players, options, rules_version)
    state.order = list(range(players))
    state.shares = [0] * (players * board.count)
    state.stock = board.shares[:]
    state.cubes = board.cubes[:]
    state.track = [0] * board.count
    state.reach = [0] * board.count
    state.crowd = [0] * board.count
    state.full = 0
    state.revenue = [0] * board.count
    state.cities = [0] * (board.count * board.tier_count)
    state.points = [0] * players
    state.earned = [0] * players
    state.scorings = 0
    state.placements = [None] * board.count
    lay_out(state, FIRST)
    state.settle()
    return state


# S2 The first shares, and every draft


def lay_out(state: SouthernRails, occasion: int) -> None:
    """One share of each railroad lies ready; the first of the round takes one [S2.1, S2.2, S7.2]."""
    first = state.order[-1] if occasion == SECOND else state.order[0]
    state.phase = Draft(first, occasion, (1 << state.board.count) - 1)


@mypyc_attr(free_list_len=1)
class Draft(Phase[SouthernRails]):
    """Each seat takes one share; `laid` is the set of railroads whose share still lies ready [S2, S7.2]."""

    def __init__(self, actor: int, occasion: int, laid: int) -> None:
        self.actor = actor
        self.occasion: Final = occasion
        self.laid: Final = laid
        self.rule = RULES[occasion]

    def prompt(self, state: SouthernRails) -> str:
        if self.occasion == FIRST:
            return "Take your first share"
        if self.occasion == SECOND:
            return "Take your second share, of another railroad"
        return "Take a share of any railroad"

    def legal(self, state: SouthernRails) -> list[Action]:
        return state.board.take_any[self.allowed(state)]

    def allowed(self, state: SouthernRails) -> int:
        """In the second round a seat takes another railroad than in the first [S2.3]."""
        laid = self.laid
        if self.occasion == SECOND:
            own = state.shares.index(1, self.actor * state.board.count) - self.actor * state.board.count
            laid &= ~(1 << own)
        return laid

    def take(self, state: SouthernRails, action: Action) -> None:
        rr = action.a
        take_share(state, self.actor, rr)
        if state.listening:
            state.tell(Took(self.actor, state.board.railroads[rr]))
        self.ask_next(state, self.laid & ~(1 << rr))

    def ask_next(self, state: SouthernRails, laid: int) -> None:
        """The next seat takes a share, backwards in the second round; then the next round of the game begins."""
        step = -1 if self.occasion == SECOND else 1
        place = state.order.index(self.actor) + step
        if 0 <= place < state.players:
            state.phase = Draft(state.order[place], self.occasion, laid)
        elif self.occasion == FIRST:
            lay_out(state, SECOND)
        else:
            next_turn(state, 0)

    def refuse(self, state: SouthernRails, action: Action) -> Refusal | None:
        if action.kind != TAKE:
            return Refusal(self.rule, "shares are being taken: take one first")
        name = state.board.railroads[action.a]
        if not self.laid >> action.a & 1:
            return Refusal(self.rule, f"the share of {name} that was laid out for this round is taken")
        if self.occasion == SECOND and state.shares[self.actor * state.board.count + action.a]:
            return Refusal("S2.3", f"your first share is of {name}; the second must be of another railroad")
        return None


def take_share(state: SouthernRails, seat: int, rr: int) -> None:
    shares, stock = state.shares[:], state.stock[:]
    shares[seat * state.board.count + rr] += 1
    stock[rr] -= 1
    state.shares, state.stock = shares, stock


# S3 The turn


def next_turn(state: SouthernRails, place: int) -> None:
    """The next seat that can place a cube is on turn, from this place of the order on [S3.1, S3.3, S3.4]."""
    for step in range(state.players):
        seat = state.order[(place + step) % state.players]
        if not state.must_skip(seat):
            state.phase = Turn(seat)
            return
        if state.listening:
            state.tell(Skipped(seat))
    nobody_can_place(state)


@mypyc_attr(free_list_len=1)
class Turn(Phase[SouthernRails]):
    """The seat on turn places one cube [S3.1]."""

    rule = "S3.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, state: SouthernRails) -> str:
        board = state.board
        first = self.actor * board.count
        able = [
            f"{name} ({state.cubes[rr]} left)"
            for rr, name in enumerate(board.railroads)
            if state.shares[first + rr] and state.can_place(rr)
        ]
        return f"Place a cube: {either(able)}"

    def legal(self, state: SouthernRails) -> list[Action]:
        return state.choices(self.actor)

    def take(self, state: SouthernRails, action: Action) -> None:
        """The cube that completes ten brings a scoring round, and the rest of the order is dropped [S6.1]."""
        rr = action.a
        place(state, self.actor, rr, action.b)
        if state.built(rr) == state.board.scoring_cube:
            tenth_cube(state, rr)
        else:
            next_turn(state, state.order.index(self.actor) + 1)

    def refuse(self, state: SouthernRails, action: Action) -> Refusal | None:
        if action.kind != PLACE:
            return Refusal("S7.2", "shares are taken after a scoring round; now place a cube")
        name = state.board.railroads[action.a]
        if not state.shares[self.actor * state.board.count + action.a]:
            return Refusal("S3.2", f"only a shareholder of {name} may place its cubes")
        if state.cubes[action.a] == 0:
            return Refusal("S3.2", f"{name} has no cube left")
        return self.refuse_hex(state, action.a, action.b)

    def refuse_hex(self, state: SouthernRails, rr: int, n: int) -> Refusal | None:
        board = state.board
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if state.track[rr] & bit:
            return Refusal("S4.3", f"{name} has a cube in {label} already")
        if state.track[rr] and not state.reach[rr] & bit:
            return Refusal("S4.2", f"{label} is not next to a cube of {name}")
        if state.cubes_in(n) == board.room[n]:
            cubes = "cube" if board.room[n] == 1 else "cubes"
            return Refusal("S4.4", f"{label} has room for {board.room[n]} {cubes} and is full")
        return None


# S4 Building track, S5 The progress board


def place(state: SouthernRails, seat: int, rr: int, n: int) -> None:
    """A cube is laid, and the progress board follows [S4, S5]."""
    board = state.board
    bit = board.grid.bit[n]
    there = state.cubes_in(n)
    track, reach, crowd, cubes = state.track[:], state.reach[:], state.crowd[:], state.cubes[:]
    track[rr] |= bit
    reach[rr] |= board.grid.near[n]
    crowd[there] |= bit
    cubes[rr] -= 1
    state.track, state.reach, state.crowd, state.cubes = track, reach, crowd, cubes
    forget(state, rr, n, there + 1 == board.room[n])
    before = state.revenue[rr]
    if board.revenue[n] or board.tier[n] >= 0:
        connect(state, rr, n)
    if state.listening:
        kind = board.kind[n] if board.names[n] else ""
        state.tell(Placed(seat, board.railroads[rr], board.label(n), kind, before, state.revenue[rr]))


def forget(state: SouthernRails, rr: int, n: int, filled: bool) -> None:
    """What is remembered of placements holds no more: for this railroad, and for others if the hex is now full."""
    placements = state.placements[:]
    placements[rr] = None
    if filled:
        bit = state.board.grid.bit[n]
        state.full |= bit
        for other, reach in enumerate(state.reach):
            if reach & bit or not reach:
                placements[other] = None
    state.placements = placements


def connect(state: SouthernRails, rr: int, n: int) -> None:
    """A city adds to the revenue and, if it is of a colour that scores, to the count of that colour [S5.1, S5.2]."""
    board = state.board
    revenue = state.revenue[:]
    revenue[rr] += board.revenue[n]
    state.revenue = revenue
    tier = board.tier[n]
    if tier >= 0:
        cities = state.cities[:]
        cities[rr * board.tier_count + tier] += 1
        state.cities = cities


# S6 Scoring


def tenth_cube(state: SouthernRails, rr: int) -> None:
    """A scoring round at once; then the game ends or continues with new shares [S6.1, S8.1]."""
    board = state.board
    score(state, f"{board.railroads[rr]} has {board.scoring_cube} cubes on the map")
    if state.scorings == board.rounds:
        end(state, "S8.1", f"scoring round {state.scorings} was the last")
        return
    reorder(state)
    lay_out(state, LATER)


def score(state: SouthernRails, why: str) -> None:
    """The leader of each category gives points to its shareholders [S6.2, S6.8]."""
    state.scorings += 1
    if state.listening:
        state.tell(Scoring(state.scorings, why))
    earned = [0] * state.players
    for category in range(len(state.board.points)):
        rr = state.leader(category)
        if rr >= 0:
            award(state, category, rr, earned)
        elif state.listening:
            state.tell(Withheld(state.board.categories[category], _why_withheld(state, category)))
    state.earned = earned
    state.points = [points + more for points, more in zip(state.points, earned)]
    if state.listening:
        state.tell(Totals(earned, state.points))


def award(state: SouthernRails, category: int, rr: int, earned: list[int]) -> None:
    """Each share of the railroad earns the points of the category [S6.2]."""
    board = state.board
    per_share = board.points[category]
    points = [per_share * held for held in state.shares[rr :: board.count]]
    for seat, more in enumerate(points):
        earned[seat] += more
    if state.listening:
        figure = state.standing(category)[rr]
        state.tell(Awarded(board.categories[category], board.railroads[rr], figure, per_share, points))


def _why_withheld(state: SouthernRails, category: int) -> str:
    board = state.board
    standing = state.standing(category)
    best = min(standing) if category == board.by_shares else max(standing)
    if category == board.by_track and best < board.track_least:
        return f"no railroad has {board.track_least} cubes on the map"
    tied = [name for name, figure in zip(board.railroads, standing) if figure == best]
    return f"{', '.join(tied[:-1])} and {tied[-1]} tie at {best}"


# S7 After a scoring round


def reorder(state: SouthernRails) -> None:
    """Who earned least comes first; of equal seats, who came first before [S7.1]."""
    earned = state.earned
    state.order = sorted(state.order, key=earned.__getitem__)
    if state.listening:
        state.tell(Reordered(state.order))


# S8 The end


def nobody_can_place(state: SouthernRails) -> None:
    """Every seat was skipped in a row: one last scoring round, whatever its number [S8.2]."""
    score(state, "nobody can place a cube")
    end(state, "S8.2", "nobody can place a cube")


def end(state: SouthernRails, rule: str, reason: str) -> None:
    state.phase = Over(rule)
    if state.listening:
        state.tell(Ended(rule, reason))
