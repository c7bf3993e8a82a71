"""A position of Wabash Cannonball: what the rules ask about it and do to it, citing rules.md by number."""

from __future__ import annotations

from cuberails.core.event import Dividend
from cuberails.core.state import State
from cuberails.titles.wabash.board import WabashBoard
from cuberails.titles.wabash.events import IncomeRaised


class Wabash(State[WabashBoard]):
    """A position of Wabash Cannonball. Railroads, hexes and seats are numbers; sets of hexes are bit masks.

    `turn` is the seat on turn. `shares` holds seat times railroads plus railroad; `cubes` those left to build;
    `track` the hexes of a railroad, `reach` all hexes next to them; `crowd[k]` the hexes with more than k railroads;
    `markers` the decisions taken since the last general dividend; `developed` the hexes that cannot be developed
    again; `supply` the development cubes left. `buildable` remembers answers of `can_build`, -1 where not known.

    Copies share the lists: a step replaces a list and never changes it. (Only `buildable` is filled in place:
    what one copy finds out is true for all that share it.)
    """

    remembered = ("buildable",)

    turn: int
    cash: list[int]
    treasury: list[int]
    income: list[int]
    cubes: list[int]
    unsold: list[int]
    shares: list[int]
    track: list[int]
    reach: list[int]
    crowd: list[int]
    buildable: list[int]
    industry: list[int]
    markers: list[int]
    developed: int
    supply: int

    def copy(self) -> Wabash:
        old: Wabash = self
        new = Wabash()
        new.copy_common(old)
        new.turn = old.turn
        new.cash = old.cash
        new.treasury = old.treasury
        new.income = old.income
        new.cubes = old.cubes
        new.unsold = old.unsold
        new.shares = old.shares
        new.track = old.track
        new.reach = old.reach
        new.crowd = old.crowd
        new.buildable = old.buildable
        new.industry = old.industry
        new.markers = old.markers
        new.developed = old.developed
        new.supply = old.supply
        return new

    def scores(self) -> list[int]:
        """Cash decides [W11.3]."""
        return self.cash[:]

    # What the rules ask about a position

    def sold(self, rr: int) -> int:
        return self.board.shares[rr] - self.unsold[rr]

    def opened(self, rr: int) -> bool:
        """Every railroad but the Wabash is open from the start [W9.1]."""
        return self.track[rr] != 0

    def railroads_in(self, n: int) -> int:
        """How many railroads have track in a hex."""
        bit = self.board.grid.bit[n]
        count = 0
        for mask in self.crowd:
            if not mask & bit:
                return count
            count += 1
        return count

    def build_cost(self, n: int) -> int:
        """The base cost, times the railroads there and the one to come [W4.5]."""
        return self.board.cost[n] * (self.railroads_in(n) + 1)

    def hex_income(self, n: int) -> int:
        """What a hex earns now for each railroad in it [W5]."""
        board = self.board
        industry = board.industry_of[n]
        if industry >= 0:
            return board.tracks[industry][self.industry[industry]]
        return board.high[n] if self.developed & board.grid.bit[n] else board.low[n]

    def minimum_bid(self, rr: int) -> int:
        """The dividend as if one more share were sold, rounded up [W2.2, W7.2]."""
        return -(-self.income[rr] // (self.sold(rr) + 1))

    def can_build(self, rr: int) -> int:
        """The hexes into which a railroad may build now [W4.3-W4.8]."""
        hexes = self.buildable[rr]
        if hexes < 0:
            hexes = self._find_buildable(rr)
            self.buildable[rr] = hexes
        return hexes

    def _find_buildable(self, rr: int) -> int:
        if self.cubes[rr] == 0:
            return 0
        board = self.board
        money = self.treasury[rr]
        most = len(board.afford) - 1
        near = self.reach[rr] & ~(self.track[rr] | board.closed)
        hexes = 0
        railroads = 1  # in the hex, counting the newcomer
        for crowded in self.crowd:
            share = money // railroads
            hexes |= near & ~crowded & board.afford[share if share < most else most]
            near &= crowded & ~board.single
            if not near:
                break
            railroads += 1
        return hexes

    def can_develop(self) -> int:
        """The hexes that may be developed now [W6]."""
        board = self.board
        hexes = self.crowd[0] & board.developable & ~self.developed
        if self.supply == 0:
            hexes &= board.industrial_bits
        if self.options["detroit"] == "automatic":
            hexes &= ~board.detroit_bit
        return hexes

    # What the rules do to a position

    def occupy(self, rr: int, n: int) -> None:
        """A cube of the railroad stands in the hex."""
        grid = self.board.grid
        bit = grid.bit[n]
        track, reach, crowd = self.track[:], self.reach[:], self.crowd[:]
        track[rr] |= bit
        reach[rr] |= grid.near[n]
        crowd[self.railroads_in(n)] |= bit
        self.track, self.reach, self.crowd = track, reach, crowd
        self.buildable = self.board.not_known[:]

    def raise_income(self, n: int, by: int, why: str) -> None:
        """Every railroad in the hex earns more."""
        bit = self.board.grid.bit[n]
        income = self.income[:]
        for rr, track in enumerate(self.track):
            if track & bit:
                income[rr] += by
                if self.listening:
                    self.tell(IncomeRaised(self.board.railroads[rr], why, income[rr] - by, income[rr]))
        self.income = income

    def fund(self, rr: int, money: int) -> None:
        """Money into a treasury, or out of it if less than 0."""
        treasury, buildable = self.treasury[:], self.buildable[:]
        treasury[rr] += money
        buildable[rr] = -1
        self.treasury, self.buildable = treasury, buildable

    def pay(self, kind: str, rr: int, per_share: int) -> None:
        """The bank pays the shareholders of a railroad."""
        paid = [per_share * held for held in self.shares[rr :: self.board.count]]
        self.cash = [cash + more for cash, more in zip(self.cash, paid)]
        if self.listening:
            self.tell(Dividend(kind, self.board.railroads[rr], per_share, paid))
