"""The board of Wabash Cannonball as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action, Actions
from cuberails.core.boardfile import BoardFile, Section, letters_of
from cuberails.core.hexboard import HexBoard
from cuberails.core.title import Title

BID: Final = 0
PASS: Final = 1
CAPITALIZE: Final = 2
DEVELOP: Final = 3
EXPAND: Final = 4
BUILD: Final = 5
DONE: Final = 6
WORDS: Final = ["bid", "pass", "capitalize", "develop", "expand", "build", "done"]
LARGEST_BID: Final = 999
MOST_RAILROADS: Final = 12
"""What a turn offers is listed for every set of railroads, so that more of them would fill the memory."""
MOST_INCOME: Final = 99
"""Of a hex."""

TERRAIN: Final = {
    "F": "farm",
    "T": "timber",
    "M": "mine",
    "C": "city",
    "I": "industrial city",
    "S": "start city",
    "X": "Chicago",
}


class WabashBoard(HexBoard):
    """Wabash Cannonball on a board. Railroads and hexes are numbers; sets of hexes are bit masks."""

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self._read_map(file)
        self._read_railroads(file)
        self._read_cities(file)
        self._read_numbers(file)
        file.end()
        self._make_actions()

    def _read_map(self, file: Section) -> None:
        self.cost = self.read_costs(file, TERRAIN, "S")
        self.afford = self.affordable(self.cost)
        self.single = self.all_of("timber") | self.all_of("mine")
        self.timber = self.all_of("timber")
        self.closed = self.all_of("start city")
        chicago = self.grid.hexes(self.all_of("Chicago"))
        if len(chicago) != 1:
            file.fail("map", f"has {len(chicago)} hexes X; it needs exactly one Chicago")
        self.chicago = chicago[0]
        self.chicago_rings = self.grid.rings(self.chicago, self.grid.size)

    def _read_railroads(self, file: Section) -> None:
        tables = file.tables("railroads")
        self.railroads = file.words("railroads", ("nothing",))
        self.count = len(tables)
        if not 2 <= self.count <= MOST_RAILROADS:
            file.fail("railroads", f"has {self.count}; it needs 2 to {MOST_RAILROADS}")
        self.not_known = [-1] * self.count
        parts = file.table("components")
        latecomer = parts.one_of("opens_last", self.railroads)
        self.latecomer = self.railroads.index(latecomer)
        self.letters = letters_of(tables)
        self.colors = [table.line("color") for table in tables]
        self.shares = [table.whole("shares", 1) for table in tables]
        self.cubes = [table.whole("cubes", 3) for table in tables]
        self.start = [self.hex_of(table, "start") for table in tables]
        self.start_income = [
            0 if name == latecomer else table.whole("income", 1, LARGEST_BID)
            for name, table in zip(self.railroads, tables, strict=True)
        ]
        for rr, table in enumerate(tables):
            if rr != self.latecomer and self.terrain[self.start[rr]] != "start city":
                table.fail("start", f"{self.grid.ids[self.start[rr]]} must be a start city (S) on the map")
            if self.start[rr] in self.start[:rr]:
                other = self.railroads[self.start.index(self.start[rr])]
                table.fail("start", f"{self.grid.ids[self.start[rr]]} is where {other} starts; it needs its own city")
        if self.terrain[self.start[self.latecomer]] != "city":
            tables[self.latecomer].fail("start", "must be a city (C) on the map")

    def _read_cities(self, file: Section) -> None:
        grid = self.grid
        mine, deep_mine = self._rising(file.table("components"), "mine_income", 2)
        self.low = [mine if kind == "mine" else 0 for kind in self.terrain]
        self.high = [deep_mine if kind == "mine" else 0 for kind in self.terrain]
        self.name_sure = [""] * grid.size
        self.industry_of = [-1] * grid.size
        self.tracks: list[list[int]] = []
        self.industrial: list[int] = []
        country = self.single | self.all_of("farm")
        for n, city in self.read_cities(file, grid.all & ~country):
            self._read_city(city, n)

    def _read_city(self, city: Section, n: int) -> None:
        kind = self.terrain[n]
        self.name_sure[n] = city.text("name_sure")
        if kind == "city":
            self.low[n], self.high[n] = self._rising(city, "income", 2)
        elif kind == "Chicago":
            self.low[n] = city.wholes("income", 1, 0, MOST_INCOME)[0]
        elif kind == "industrial city":
            self.industry_of[n] = len(self.tracks)
            self.industrial.append(n)
            self.tracks.append(self._rising(city, "track"))
            if len(self.tracks[-1]) < 2:
                city.fail("track", "has one step; an industrial city needs at least 2")

    def _rising(self, table: Section, name: str, count: int = 0) -> list[int]:
        """Incomes of a hex: development never makes them smaller."""
        steps = table.wholes(name, count, 0, MOST_INCOME)
        if steps != sorted(steps):
            table.fail(name, f"found {steps}; it needs numbers that never fall")
        return steps

    def _read_numbers(self, file: Section) -> None:
        parts = file.table("components")
        self.money = parts.whole("money", 1)
        self.development_cubes = parts.whole("development_cubes", 1)
        self.timber_pays = parts.whole("timber_pays")
        self.initial: list[int] = []
        for name in parts.texts("initial_auctions"):
            if name not in self.railroads or self.railroads.index(name) == self.latecomer:
                others = ", ".join(self.railroads[: self.latecomer] + self.railroads[self.latecomer + 1 :])
                parts.fail(
                    "initial_auctions", f"{name!r} is not one of the railroads that start with the game: {others}"
                )
            if self.railroads.index(name) in self.initial:
                parts.fail("initial_auctions", f"{name!r} stands there twice; each railroad has one initial auction")
            self.initial.append(self.railroads.index(name))
        if not self.initial:
            parts.fail("initial_auctions", "is empty; it needs at least one railroad")
        grows = self.hex_of(parts, "grows_by_itself")
        if self.industry_of[grows] < 0:
            parts.fail("grows_by_itself", "must be an industrial city (I) on the map")
        self.detroit = self.industry_of[grows]
        decisions = file.table("decisions")
        self.limits = [decisions.whole(name, 1) for name in ("capitalize", "develop", "expand")]
        self.builds = decisions.whole("builds", 1)
        end = file.table("end")
        self.end_built = end.whole("railroads_built_out", 1)
        self.end_sold = end.whole("railroads_sold_out", 1)
        self.end_cubes = end.whole("development_cubes_left")
        grid = self.grid
        self.detroit_bit = grid.bit[self.industrial[self.detroit]]
        self.industrial_bits = grid.mask(self.industrial)
        self.developable = self.single | self.all_of("city") | self.industrial_bits

    def _make_actions(self) -> None:
        railroads, ids = self.railroads, self.grid.ids
        self.actions = actions = Actions(self, WORDS)
        self.bid = actions.add_all(BID, [f"bid {n}" for n in range(LARGEST_BID + 1)])
        self.give_up = actions.add(PASS, "pass")
        self.capitalize = actions.add_all(CAPITALIZE, [f"capitalize {name}" for name in railroads])
        self.capitalize.append(actions.add(CAPITALIZE, "capitalize nothing"))
        self.develop = actions.add_all(DEVELOP, [f"develop {id}" for id in ids])
        self.develop_nothing = actions.add(DEVELOP, "develop nothing")
        self.expand = actions.add_all(EXPAND, [f"expand {name}" for name in railroads])
        self.expand.append(actions.add(EXPAND, "expand nothing"))
        self.build = actions.add_all(BUILD, [f"build {id}" for id in ids])
        self.done = actions.add(DONE, "done")
        # What a turn offers for each set of railroads, made once
        sets = range(1 << self.count)
        self.capitalize_any = [self._pick(self.capitalize, chosen) for chosen in sets]
        self.expand_any = [self._pick(self.expand, chosen) for chosen in sets]

    def _pick(self, actions: list[Action], chosen: int) -> list[Action]:
        return [action for action in actions if action.a < 0 or chosen >> action.a & 1]
