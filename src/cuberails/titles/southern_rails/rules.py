"""Southern Rails: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action
from cuberails.core.event import Ended
from cuberails.core.state import Over, Phase, Refusal, State
from cuberails.core.title import Title
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

# The rounds in which shares are taken
FIRST: Final = 0
SECOND: Final = 1
LATER: Final = 2

RULES: Final = ("S2.1", "S2.2", "S7.2")
"""What governs a draft, by its occasion."""


class SouthernRails(State):
    """A position of Southern Rails. Railroads, hexes and seats are numbers; sets of hexes are bit masks.

    `order` holds the seats in turn order. `shares` holds seat times railroads plus railroad, `stock` the shares
    nobody owns; `cubes` those left to place; `track` the hexes of a railroad, `reach` all hexes next to them; `full`
    the hexes without room. `revenue` and `cities` (railroad times tiers plus tier) are the progress board.
    `points` are the scores of completed scoring rounds, `earned` what the last of them gave, `scorings` their number.
    `placements` remembers answers of `can_place`, None where not known.

    Copies share the lists: a step replaces a list and never changes it. (Only `placements` is filled in place:
    what one copy finds out is true for all that share it.)
    """

    board: SouthernRailsBoard
    order: list[int]
    shares: list[int]
    stock: list[int]
    cubes: list[int]
    track: list[int]
    reach: list[int]
    full: int
    revenue: list[int]
    cities: list[int]
    points: list[int]
    earned: list[int]
    scorings: int
    placements: list[list[Action] | None]

    @property
    def title(self) -> Title:
        return self.board

    def copy(self) -> SouthernRails:
        old: SouthernRails = self
        new = SouthernRails()
        new.board = old.board
        new.players = old.players
        new.options = old.options
        new.heard = None
        new.phase = old.phase
        new._legal = old._legal
        new.order = old.order
        new.shares = old.shares
        new.stock = old.stock
        new.cubes = old.cubes
        new.track = old.track
        new.reach = old.reach
        new.full = old.full
        new.revenue = old.revenue
        new.cities = old.cities
        new.points = old.points
        new.earned = old.earned
        new.scorings = old.scorings
        new.placements = old.placements
        return new

    def scores(self) -> list[int]:
        """The points of completed scoring rounds decide [S8.3]."""
        return self.points[:]

    # What the rules ask about a position

    def built(self, rr: int) -> int:
        """The cubes of a railroad on the map."""
        return self.board.cubes[rr] - self.cubes[rr]

    def cubes_in(self, n: int) -> int:
        """How many cubes stand in a hex."""
        bit = self.board.grid.bit[n]
        count = 0
        for mask in self.track:
            if mask & bit:
                count += 1
        return count

    def can_place(self, rr: int) -> list[Action]:
        """The placements of a railroad's next cube [S3.2, S4.1-S4.4]. Nobody may change this list."""
        known = self.placements[rr]
        if known is None:
            known = self._find_placements(rr)
            self.placements[rr] = known
        return known

    def _find_placements(self, rr: int) -> list[Action]:
        if self.cubes[rr] == 0:
            return []
        grid, place = self.board.grid, self.board.place[rr]
        if not self.track[rr]:
            return self._find_first_placements(rr)
        size, bit = grid.size, grid.bit
        mask = self.reach[rr] & ~(self.track[rr] | self.full)
        found: list[Action] = []
        while mask:
            n = size - mask.bit_length()
            found.append(place[n])
            mask ^= bit[n]
        return found

    def _find_first_placements(self, rr: int) -> list[Action]:
        """Anywhere but in the few hexes without room [S4.1]."""
        found = self.board.place[rr][:]
        for n in reversed(self.board.grid.hexes(self.full)):
            del found[n]
        return found

    def choices(self, seat: int) -> list[Action]:
        """Every cube that a seat may place now [S3.2]."""
        count = self.board.count
        first = seat * count
        legal: list[Action] = []
        for rr in range(count):
            if self.shares[first + rr]:
                legal = legal + self.can_place(rr)
        return legal

    def must_skip(self, seat: int) -> bool:
        """Whether a seat has no legal cube [S3.3]."""
        count = self.board.count
        first = seat * count
        for rr in range(count):
            if self.shares[first + rr] and self.can_place(rr):
                return False
        return True

    def owned(self, rr: int) -> int:
        """The shares of a railroad in players' hands."""
        return self.board.shares[rr] - self.stock[rr]

    def standing(self, category: int) -> list[int]:
        """The figure of each railroad in a scoring category [S6.3-S6.6]."""
        board = self.board
        if category < board.tier_count:
            return self.cities[category :: board.tier_count]
        if category == board.by_revenue:
            return self.revenue
        if category == board.by_track:
            return [self.built(rr) for rr in range(board.count)]
        return [self.owned(rr) for rr in range(board.count)]

    def leader(self, category: int) -> int:
        """The railroad that alone leads a category, or -1 [S6.3-S6.7]."""
        board, standing = self.board, self.standing(category)
        best = min(standing) if category == board.by_shares else max(standing)
        if standing.count(best) > 1 or (category == board.by_track and best < board.track_least):
            return -1
        return standing.index(best)


# S1 Setting up


class SouthernRailsTitle(SouthernRailsBoard):
    """Southern Rails, ready to be set up."""

    def set_up(self, players: int, options: dict[str, str]) -> SouthernRails:
        """A new game, with the first shares laid out [S1, S2.1]."""
        game = SouthernRails()
        game.board = self
        game.players = players
        game.options = options
        game.heard = None
        game.order = list(range(players))
        game.shares = [0] * (players * self.count)
        game.stock = self.shares[:]
        game.cubes = self.cubes[:]
        game.track = [0] * self.count
        game.reach = [0] * self.count
        game.full = 0
        game.revenue = [0] * self.count
        game.cities = [0] * (self.count * self.tier_count)
        game.points = [0] * players
        game.earned = [0] * players
        game.scorings = 0
        game.placements = [None] * self.count
        lay_out(game, FIRST)
        game.settle()
        return game


# S2 The first shares, and every draft


def lay_out(game: SouthernRails, occasion: int) -> None:
    """One share of each railroad lies ready; the first of the round takes one [S2.1, S2.2, S7.2]."""
    first = game.order[-1] if occasion == SECOND else game.order[0]
    game.phase = Draft(first, occasion, (1 << game.board.count) - 1)


class Draft(Phase[SouthernRails]):
    """Each seat takes one share; `laid` is the set of railroads whose share still lies ready [S2, S7.2]."""

    def __init__(self, actor: int, occasion: int, laid: int) -> None:
        self.actor = actor
        self.occasion: Final = occasion
        self.laid: Final = laid
        self.rule = RULES[occasion]

    def prompt(self, game: SouthernRails) -> str:
        if self.occasion == FIRST:
            return "Take your first share"
        if self.occasion == SECOND:
            return "Take your second share, of another railroad"
        return "Take a share of any railroad"

    def legal(self, game: SouthernRails) -> list[Action]:
        return game.board.take_any[self.allowed(game)]

    def allowed(self, game: SouthernRails) -> int:
        """In the second round a seat takes another railroad than in the first [S2.3]."""
        laid = self.laid
        if self.occasion == SECOND:
            own = game.shares.index(1, self.actor * game.board.count) - self.actor * game.board.count
            laid &= ~(1 << own)
        return laid

    def take(self, game: SouthernRails, action: Action) -> None:
        rr = action.a
        shares, stock = game.shares[:], game.stock[:]
        shares[self.actor * game.board.count + rr] += 1
        stock[rr] -= 1
        game.shares, game.stock = shares, stock
        if game.heard is not None:
            game.heard.append(Took(self.actor, game.board.railroads[rr]))
        self.go_on(game, self.laid & ~(1 << rr))

    def go_on(self, game: SouthernRails, laid: int) -> None:
        """The next seat takes a share, backwards in the second round; then the next round of the game begins."""
        step = -1 if self.occasion == SECOND else 1
        place = game.order.index(self.actor) + step
        if 0 <= place < game.players:
            game.phase = Draft(game.order[place], self.occasion, laid)
        elif self.occasion == FIRST:
            lay_out(game, SECOND)
        else:
            next_turn(game, 0)

    def refuse(self, game: SouthernRails, action: Action) -> Refusal:
        rule = "S2.1" if self.occasion == FIRST else "S2.2" if self.occasion == SECOND else "S7.2"
        if action.kind != TAKE:
            return Refusal(rule, "shares are being taken: take one first")
        name = game.board.railroads[action.a]
        if not self.laid >> action.a & 1:
            return Refusal(rule, f"the share of {name} that was laid out for this round is taken")
        return Refusal("S2.3", f"your first share is of {name}; the second must be of another railroad")


# S3 The turn


def next_turn(game: SouthernRails, place: int) -> None:
    """The next seat that can place a cube is on turn, from this place of the order on [S3.1, S3.3, S3.4]."""
    for step in range(game.players):
        seat = game.order[(place + step) % game.players]
        if not game.must_skip(seat):
            game.phase = Turn(seat)
            return
        if game.heard is not None:
            game.heard.append(Skipped(seat))
    nobody_can_place(game)


class Turn(Phase[SouthernRails]):
    """The seat on turn places one cube [S3.1]."""

    rule = "S3.1"

    def __init__(self, actor: int) -> None:
        self.actor = actor

    def prompt(self, game: SouthernRails) -> str:
        board = game.board
        first = self.actor * board.count
        able = [
            f"{name} ({game.cubes[rr]} left)"
            for rr, name in enumerate(board.railroads)
            if game.shares[first + rr] and game.can_place(rr)
        ]
        return "Place a cube: " + (", ".join(able[:-1]) + " or " + able[-1] if len(able) > 1 else able[0])

    def legal(self, game: SouthernRails) -> list[Action]:
        return game.choices(self.actor)

    def take(self, game: SouthernRails, action: Action) -> None:
        """The cube that completes ten brings a scoring round, and the rest of the order is dropped [S6.1]."""
        rr = action.a
        place(game, self.actor, rr, action.b)
        if game.built(rr) == game.board.scoring_cube:
            tenth_cube(game, rr)
        else:
            next_turn(game, game.order.index(self.actor) + 1)

    def refuse(self, game: SouthernRails, action: Action) -> Refusal:
        if action.kind != PLACE:
            return Refusal("S7.2", "shares are taken after a scoring round; now place a cube")
        name = game.board.railroads[action.a]
        if not game.shares[self.actor * game.board.count + action.a]:
            return Refusal("S3.2", f"only a shareholder of {name} may place its cubes")
        if game.cubes[action.a] == 0:
            return Refusal("S3.2", f"{name} has no cube left")
        return self.refuse_hex(game, action.a, action.b)

    def refuse_hex(self, game: SouthernRails, rr: int, n: int) -> Refusal:
        board = game.board
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if game.track[rr] & bit:
            return Refusal("S4.3", f"{name} has a cube in {label} already")
        if game.track[rr] and not game.reach[rr] & bit:
            return Refusal("S4.2", f"{label} is not next to a cube of {name}")
        cubes = "cube" if board.room[n] == 1 else "cubes"
        return Refusal("S4.4", f"{label} has room for {board.room[n]} {cubes} and is full")


# S4 Building track, S5 The progress board


def place(game: SouthernRails, seat: int, rr: int, n: int) -> None:
    """A cube is laid, and the progress board follows [S4, S5]."""
    board = game.board
    bit = board.grid.bit[n]
    track, reach, cubes = game.track[:], game.reach[:], game.cubes[:]
    track[rr] |= bit
    reach[rr] |= board.grid.near[n]
    cubes[rr] -= 1
    game.track, game.reach, game.cubes = track, reach, cubes
    forget(game, rr, n)
    before = game.revenue[rr]
    if board.revenue[n]:
        connect(game, rr, n)
    if game.heard is not None:
        kind = board.kind[n] if board.names[n] else ""
        told = Placed(seat, board.railroads[rr], board.label(n), kind, before, game.revenue[rr])
        game.heard.append(told)


def forget(game: SouthernRails, rr: int, n: int) -> None:
    """What is remembered of placements holds no more: for this railroad, and for others if the hex is now full."""
    bit = game.board.grid.bit[n]
    placements = game.placements[:]
    placements[rr] = None
    if game.cubes_in(n) == game.board.room[n]:
        game.full |= bit
        for other, reach in enumerate(game.reach):
            if reach & bit or not reach:
                placements[other] = None
    game.placements = placements


def connect(game: SouthernRails, rr: int, n: int) -> None:
    """A city adds to the revenue and, if it is of a colour that scores, to the count of that colour [S5.1, S5.2]."""
    board = game.board
    revenue = game.revenue[:]
    revenue[rr] += board.revenue[n]
    game.revenue = revenue
    tier = board.tier[n]
    if tier >= 0:
        cities = game.cities[:]
        cities[rr * board.tier_count + tier] += 1
        game.cities = cities


# S6 Scoring


def tenth_cube(game: SouthernRails, rr: int) -> None:
    """A scoring round at once; then the game ends or goes on with new shares [S6.1, S8.1]."""
    board = game.board
    score(game, f"{board.railroads[rr]} has {board.scoring_cube} cubes on the map")
    if game.scorings == board.rounds:
        end(game, "S8.1", f"scoring round {game.scorings} was the last")
        return
    reorder(game)
    lay_out(game, LATER)


def score(game: SouthernRails, why: str) -> None:
    """The leader of each category gives points to its shareholders [S6.2, S6.8]."""
    game.scorings += 1
    if game.heard is not None:
        game.heard.append(Scoring(game.scorings, why))
    earned = [0] * game.players
    for category in range(len(game.board.points)):
        rr = game.leader(category)
        if rr >= 0:
            award(game, category, rr, earned)
        elif game.heard is not None:
            game.heard.append(Withheld(game.board.categories[category], _why_withheld(game, category)))
    game.earned = earned
    game.points = [points + more for points, more in zip(game.points, earned)]
    if game.heard is not None:
        game.heard.append(Totals(earned, game.points))


def award(game: SouthernRails, category: int, rr: int, earned: list[int]) -> None:
    """Each share of the railroad earns the points of the category [S6.2]."""
    board = game.board
    per_share = board.points[category]
    points = [per_share * held for held in game.shares[rr :: board.count]]
    for seat, more in enumerate(points):
        earned[seat] += more
    if game.heard is not None:
        figure = game.standing(category)[rr]
        game.heard.append(Awarded(board.categories[category], board.railroads[rr], figure, per_share, points))


def _why_withheld(game: SouthernRails, category: int) -> str:
    board = game.board
    standing = game.standing(category)
    best = min(standing) if category == board.by_shares else max(standing)
    if category == board.by_track and best < board.track_least:
        return f"no railroad has {board.track_least} cubes on the map"
    tied = [name for name, figure in zip(board.railroads, standing) if figure == best]
    return f"{', '.join(tied[:-1])} and {tied[-1]} tie at {best}"


# S7 After a scoring round


def reorder(game: SouthernRails) -> None:
    """Who earned least comes first; of equal seats, who came first before [S7.1]."""
    earned = game.earned
    game.order = sorted(game.order, key=earned.__getitem__)
    if game.heard is not None:
        game.heard.append(Reordered(game.order))


# S8 The end


def nobody_can_place(game: SouthernRails) -> None:
    """Every seat was skipped in a row: one last scoring round, whatever its number [S8.2]."""
    score(game, "nobody can place a cube")
    end(game, "S8.2", "nobody can place a cube")


def end(game: SouthernRails, rule: str, reason: str) -> None:
    game.phase = Over(rule)
    if game.heard is not None:
        game.heard.append(Ended(rule, reason))
