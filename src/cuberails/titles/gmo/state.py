"""A position of Gulf, Mobile & Ohio: what the rules ask about it and do to it, citing rules.md by number."""

from __future__ import annotations

from cuberails.core.hexes import Grid
from cuberails.core.state import State
from cuberails.titles.gmo.board import GmoBoard


class Gmo(State[GmoBoard]):
    """A position of Gulf, Mobile & Ohio. Railroads, colours, hexes and seats are numbers; sets are bit masks.

    `turn` is the seat on turn, `passes` how many have passed in a row, `marker` where the sale marker stands.
    By seat: `cash`, `points`. By colour: `supply`, and `laid`, the hexes with a cube of it. By railroad:
    `president` and `holder` own its charter and its common share, -1 while nobody does; `color`, -1 before it has
    one; `track` are its hexes, `reach` all hexes next to them, `barred` those in or next to which another railroad
    has cubes of its colour; `met` are the colours it is connected to. `full` are the hexes that take no cube at all:
    mountains, and rural hexes with a cube. Sets of railroads: `opened` have or had an available charter, `chartered`
    have sold it, `shared` have sold their common share too.

    Copies share the lists: a step replaces a list and never changes it.
    """

    turn: int
    passes: int
    marker: int
    cash: list[int]
    points: list[int]
    supply: list[int]
    laid: list[int]
    president: list[int]
    holder: list[int]
    color: list[int]
    track: list[int]
    reach: list[int]
    barred: list[int]
    met: list[int]
    full: int
    opened: int
    chartered: int
    shared: int

    def copy(self) -> Gmo:
        old: Gmo = self
        new = Gmo()
        new.copy_common(old)
        new.turn = old.turn
        new.passes = old.passes
        new.marker = old.marker
        new.cash = old.cash
        new.points = old.points
        new.supply = old.supply
        new.laid = old.laid
        new.president = old.president
        new.holder = old.holder
        new.color = old.color
        new.track = old.track
        new.reach = old.reach
        new.barred = old.barred
        new.met = old.met
        new.full = old.full
        new.opened = old.opened
        new.chartered = old.chartered
        new.shared = old.shared
        return new

    def scores(self) -> list[int]:
        """Points decide [G10.3]."""
        return self.points[:]

    # What the rules ask about a position

    def can_build(self, rr: int) -> int:
        """The hexes into which a railroad may build, if it has a cube and its price [G7.2-G7.6]."""
        return self.reach[rr] & ~(self.track[rr] | self.barred[rr] | self.full)

    def affords(self, color: int, money: int) -> int:
        """How many cubes of a colour this money buys [G7.1, G7.7]."""
        cubes = money // self.board.cube_cost
        return cubes if cubes < self.supply[color] else self.supply[color]

    def top_colors(self) -> list[int]:
        """The colours with the most cubes in the supply [G4.3]."""
        most = max(self.supply)
        return [color for color, cubes in enumerate(self.supply) if cubes == most]

    def shadow(self, color: int) -> int:
        """The hexes in or next to which a cube of the colour stands: closed to a new railroad of it [G7.5]."""
        hexes = 0
        for rr, other in enumerate(self.color):
            if other == color:
                hexes |= self.track[rr] | self.reach[rr]
        return hexes

    def has_cube(self, n: int) -> bool:
        bit = self.board.grid.bit[n]
        for hexes in self.laid:
            if hexes & bit:
                return True
        return False

    def may_open(self, rr: int, n: int) -> bool:
        """Only the first railroads start in a city without a cube [G4.5]."""
        return bool(self.board.initial >> rr & 1) or self.has_cube(n)

    def starts(self, rr: int, shadow: int, cubes: int) -> int:
        """The homes outside the shadow from which this number of cubes can join two cities [G4.5, G4.6]."""
        grid = self.board.grid
        homes = 0
        for n in self.board.homes[rr]:
            bit = grid.bit[n]
            if not shadow & bit and self.may_open(rr, n):
                shut = shadow | self.full | bit
                if steps_to_city(grid, self.board.cities, grid.near[n] & ~shut, shut, cubes - 1):
                    homes |= bit
        return homes

    def reaches_city(self, rr: int, n: int, cubes: int) -> bool:
        """Whether a railroad with a cube in this hex too could reach a city with `cubes` more [G4.6]."""
        grid = self.board.grid
        shut = self.track[rr] | self.barred[rr] | self.full | grid.bit[n]
        near = (self.reach[rr] | grid.near[n]) & ~shut
        return steps_to_city(grid, self.board.cities, near, shut, cubes) != 0

    def charters(self) -> int:
        """The railroads whose charter is available [G4.1]."""
        return self.opened & ~self.chartered

    def commons(self) -> int:
        """The railroads whose common share is available [G5.1]."""
        return self.chartered & ~self.shared

    # What the rules do to a position

    def pay(self, seat: int, money: int) -> None:
        """A seat pays money, or receives it if less than 0."""
        cash = self.cash[:]
        cash[seat] -= money
        self.cash = cash

    def take_cube(self, color: int, cubes: int) -> None:
        """Cubes leave the supply, or return if less than 0."""
        supply = self.supply[:]
        supply[color] -= cubes
        self.supply = supply

    def occupy(self, rr: int, n: int) -> None:
        """A cube of the railroad stands in the hex."""
        board, color = self.board, self.color[rr]
        bit, near = board.grid.bit[n], board.grid.near[n]
        track, reach, laid = self.track[:], self.reach[:], self.laid[:]
        alone = track[rr] == laid[color]  # all cubes of the colour so far are this railroad's
        track[rr] |= bit
        reach[rr] |= near
        laid[color] |= bit
        self.track, self.reach, self.laid = track, reach, laid
        if bit & board.rural:
            self.full |= bit
        if not alone:
            self.bar_others(rr, bit | near)

    def bar_others(self, rr: int, hexes: int) -> None:
        """Into these hexes no other railroad of the same colour builds any more [G7.5]."""
        color, barred = self.color[rr], self.barred[:]
        for other, its_color in enumerate(self.color):
            if its_color == color and other != rr:
                barred[other] |= hexes
        self.barred = barred

    def colors_in(self, n: int) -> int:
        """The colours of the cubes in a hex."""
        bit = self.board.grid.bit[n]
        colors = 0
        for color, hexes in enumerate(self.laid):
            if hexes & bit:
                colors |= 1 << color
        return colors

    def connect(self, rr: int, n: int) -> None:
        """The railroad is connected to those that were in the city before it, and they to it if both are [G8.4]."""
        bit, own = self.board.grid.bit[n], 1 << self.color[rr]
        both = self.options["connection"] == "both"
        met = self.met[:]
        for other, track in enumerate(self.track):
            if track & bit and other != rr:
                met[rr] |= 1 << self.color[other]
                if both:
                    met[other] |= own
        self.met = met


def steps_to_city(grid: Grid, cities: int, near: int, shut: int, cubes: int) -> int:
    """Of the hexes `near` a railroad, those after which it can still reach a city with `cubes` cubes in all [G4.6].

    `shut` are the hexes that it cannot build in, with its own. Other railroads do not move meanwhile, so a second city
    is in reach exactly if a shortest way over hexes that are not shut is short enough.
    """
    if cubes <= 0:
        return 0
    rings = [near]
    seen = shut | near
    ring = near
    while not ring & cities:
        if len(rings) == cubes:
            return 0
        ring = grid.spread(ring) & ~seen
        seen |= ring
        if not ring:
            return 0
        rings.append(ring)
    if len(rings) < cubes:
        return near
    # No cube to spare: only a step along a shortest way will do. Walk back from the cities.
    way = ring & cities
    for k in range(len(rings) - 2, -1, -1):
        way = grid.spread(way) & rings[k]
    return way
