"""A position of Slate Lines: what the rules ask about it and do to it, citing rules.md by number."""

from __future__ import annotations

from cuberails.core.event import Dividend
from cuberails.core.state import State
from slate_lines.board import SlateBoard


class Slate(State[SlateBoard]):
    """A position of Slate Lines. Tramways, hexes and seats are numbers; sets of hexes are bit masks.

    `turn` is the seat on turn, `turns` how many turns the season has had, `season` counts from 1. `shares` holds seat
    times tramways plus tramway. `track` holds the hexes of each tramway, `slate` what each hex earns as a quarry, 0
    before that is known.

    Copies share the lists: a step replaces a list and never changes it.
    """

    turn: int
    turns: int
    season: int
    cash: list[int]
    treasury: list[int]
    income: list[int]
    cubes: list[int]
    unsold: list[int]
    shares: list[int]
    track: list[int]
    slate: list[int]

    def copy(self) -> Slate:
        new = Slate()
        new.copy_common(self)
        new.turn = self.turn
        new.turns = self.turns
        new.season = self.season
        new.cash = self.cash
        new.treasury = self.treasury
        new.income = self.income
        new.cubes = self.cubes
        new.unsold = self.unsold
        new.shares = self.shares
        new.track = self.track
        new.slate = self.slate
        return new

    def scores(self) -> list[int]:
        """Cash decides [T6.2]."""
        return self.cash[:]

    # What the rules ask about a position

    def sold(self, tramway: int) -> int:
        return self.board.shares - self.unsold[tramway]

    def holds(self, seat: int, tramway: int) -> int:
        """How many shares of the tramway a seat holds."""
        return self.shares[seat * self.board.count + tramway]

    def others_in(self, tramway: int, n: int) -> list[int]:
        """The other tramways in a hex."""
        bit = self.board.grid.bit[n]
        return [other for other, track in enumerate(self.track) if other != tramway and track & bit]

    def build_cost(self, tramway: int, n: int) -> int:
        """The printed cost, and $1 for each other tramway in the hex [T4.3]."""
        return self.board.cost[n] + len(self.others_in(tramway, n))

    def buildable(self, tramway: int) -> list[int]:
        """The hexes in which a tramway can build now [T4.1-T4.5]."""
        if not self.cubes[tramway]:
            return []
        board, money, own = self.board, self.treasury[tramway], self.track[tramway]
        taken = 0
        for track in self.track:
            taken |= track
        hexes = board.grid.spread(own) & ~(own | board.closed | board.quarries & taken)
        return [n for n in board.grid.hexes(hexes) if self.build_cost(tramway, n) <= money]

    def dividend(self, tramway: int, sold: int) -> int:
        """What each share gets [T5.3]. This is where the two versions of the rules differ."""
        income = self.income[tramway]
        return income // sold if self.rules_version == 1 else -(-income // sold)

    # What the rules do to a position

    def occupy(self, tramway: int, n: int) -> None:
        """A cube of the tramway stands in the hex."""
        track, cubes = self.track[:], self.cubes[:]
        track[tramway] |= self.board.grid.bit[n]
        cubes[tramway] -= 1
        self.track, self.cubes = track, cubes

    def find_slate(self, tramway: int, n: int, amount: int) -> None:
        """The quarry of the tramway earns this much from now on [T4.5]."""
        slate = self.slate[:]
        slate[n] = amount
        self.slate = slate
        self.raise_income(tramway, amount)

    def raise_income(self, tramway: int, by: int) -> None:
        income = self.income[:]
        income[tramway] += by
        self.income = income

    def pay_dividend(self, tramway: int) -> None:
        """The bank pays the shareholders of a tramway, if there are any [T5.3]."""
        sold = self.sold(tramway)
        if not sold:
            return
        per_share = self.dividend(tramway, sold)
        paid = [per_share * self.holds(seat, tramway) for seat in range(self.players)]
        self.cash = [cash + more for cash, more in zip(self.cash, paid, strict=True)]
        if self.listening:
            self.tell(Dividend("Dividend", self.board.tramways[tramway], per_share, paid))
