"""A position of Southern Rails: what the rules ask about it and do to it, citing rules.md by number."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import SouthernRailsBoard


class SouthernRails(State[SouthernRailsBoard]):
    """A position of Southern Rails. Railroads, hexes and seats are numbers; sets of hexes are bit masks.

    `order` holds the seats in turn order. `shares` holds seat times railroads plus railroad, `stock` the shares
    nobody owns; `cubes` those left to place; `track` the hexes of a railroad, `reach` all hexes next to them;
    `crowd[k]` the hexes with more than k cubes, `full` those without room. `revenue` and `cities` (railroad times tiers
    plus tier) are the progress board. `points` are the scores of completed scoring rounds, `earned` what the last of
    them gave, `scorings` their number. `placements` remembers answers of `can_place`, None where not known.

    Copies share the lists: a step replaces a list and never changes it. (Only `placements` is filled in place:
    what one copy finds out is true for all that share it.)
    """

    remembered = ("placements",)

    order: list[int]
    shares: list[int]
    stock: list[int]
    cubes: list[int]
    track: list[int]
    reach: list[int]
    crowd: list[int]
    full: int
    revenue: list[int]
    cities: list[int]
    points: list[int]
    earned: list[int]
    scorings: int
    placements: list[list[Action] | None]

    def copy(self) -> SouthernRails:
        old: SouthernRails = self
        new = SouthernRails()
        new.copy_common(old)
        new.order = old.order
        new.shares = old.shares
        new.stock = old.stock
        new.cubes = old.cubes
        new.track = old.track
        new.reach = old.reach
        new.crowd = old.crowd
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
        for mask in self.crowd:
            if not mask & bit:
                return count
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
                legal += self.can_place(rr)
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
        fewest = category == board.by_shares
        best, leader = standing[0], 0
        for rr in range(1, board.count):
            figure = standing[rr]
            if figure == best:
                leader = -1
            elif (figure < best) == fewest:
                best, leader = figure, rr
        return -1 if category == board.by_track and best < board.track_least else leader
