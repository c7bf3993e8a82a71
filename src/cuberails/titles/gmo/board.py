"""The board of Gulf, Mobile & Ohio as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Actions
from cuberails.core.boardfile import BoardFile, Section, letters_of
from cuberails.core.hexboard import HexBoard
from cuberails.core.title import Title

CHARTER: Final = 0
COMMON: Final = 1
EXPAND: Final = 2
PASS: Final = 3
BID: Final = 4
COLOR: Final = 5
BUILD: Final = 6
DONE: Final = 7
WORDS: Final = ["charter", "common", "expand", "pass", "bid", "color", "build", "done"]
LARGEST_BID: Final = 999

TERRAIN: Final = {"o": "rural", "C": "city", "S": "start city", "^": "mountain"}
SOURCES: Final = ["rulebook", "publisher", "reconstructed"]
AT_ONCE: Final = "at once"
BY_A_CUBE: Final = "by a cube"


class GmoBoard(HexBoard):
    """Gulf, Mobile & Ohio on a board. Railroads, colours and hexes are numbers; sets of them are bit masks.

    In a set of railroads or colours number n is bit 1 << n; sets of hexes are those of `grid`.
    """

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self._read_map(file)
        self._read_colors(file)
        self._read_points(file)
        self._read_cities(file)
        self._read_railroads(file)
        self._read_numbers(file)
        file.end()
        self._make_actions()

    def _read_map(self, file: Section) -> None:
        for id, cell in zip(self.grid.ids, self.grid.cells, strict=True):
            if cell.word not in TERRAIN:
                file.fail("map", f"{id} is {cell.word!r}; it needs one of {' '.join(TERRAIN)} ~ .")
            self.terrain.append(TERRAIN[cell.word])
        self.rural = self.all_of("rural")
        self.mountains = self.all_of("mountain")
        self.start_cities = self.all_of("start city")
        self.cities = self.all_of("city") | self.start_cities

    def _read_colors(self, file: Section) -> None:
        tables = file.tables("colors")
        self.colors = file.words("colors")
        self.letters = letters_of(tables)
        self.cubes = [table.whole("cubes", 1) for table in tables]

    def _read_points(self, file: Section) -> None:
        points = file.table("points")
        self.city_points = points.whole("city")
        self.color_points = points.whole("color")
        self.charter_points = points.whole("charter")

    def _read_cities(self, file: Section) -> None:
        grid = self.grid
        self.states = [""] * grid.size
        self.name_sure = [""] * grid.size
        self.points = [0] * grid.size
        for n, city in self.read_cities(file, self.cities):
            self._read_city(city, n)

    def _read_city(self, city: Section, n: int) -> None:
        self.states[n] = city.text("state")
        self.name_sure[n] = city.one_of("sure", SOURCES)
        self.points[n] = city.whole("points") if city.has("points") else self.city_points

    def _read_railroads(self, file: Section) -> None:
        tables = file.tables("railroads")
        self.railroads = file.words("railroads")
        self.count = len(tables)
        self.full_names = [table.line("name") for table in tables]
        self.sure = [table.one_of("sure", SOURCES) for table in tables]
        self.bonus = [table.whole("bonus") if table.has("bonus") else 0 for table in tables]
        self.initial = 0
        self.homes: list[list[int]] = []
        self.opened_by = [0] * self.grid.size
        for rr, table in enumerate(tables):
            self._read_homes(table, rr)
        self._check_start_cities(file)

    def _read_homes(self, table: Section, rr: int) -> None:
        """Where a railroad may start, and whether it waits for a cube there."""
        grid = self.grid
        ids = table.texts("homes")
        for id in ids:
            if id not in grid.index or not self.cities & grid.bit[grid.index[id]]:
                table.fail("homes", f"{id} is no city (C or S) of the map")
        if not ids:
            table.fail("homes", "is empty; it needs at least one city")
        self.homes.append([grid.index[id] for id in ids])
        if table.one_of("opens", [AT_ONCE, BY_A_CUBE]) == AT_ONCE:
            self.initial |= 1 << rr
        else:
            for n in self.homes[rr]:
                self.opened_by[n] |= 1 << rr

    def _check_start_cities(self, file: Section) -> None:
        """The map shows the homes of exactly those railroads that open at once."""
        homes = self.grid.mask([n for rr in range(self.count) if self.initial >> rr & 1 for n in self.homes[rr]])
        for n in self.grid.hexes(homes ^ self.start_cities):
            id = self.grid.ids[n]
            if self.start_cities & self.grid.bit[n]:
                file.fail("map", f'{id} is S, but no railroad that opens "{AT_ONCE}" has its home there; it needs C')
            file.fail("map", f'{id} is C, but a railroad that opens "{AT_ONCE}" has its home there; it needs S')

    def _read_numbers(self, file: Section) -> None:
        parts = file.table("components")
        self.money = parts.wholes("money", self.title.most_players - self.title.least_players + 1)
        self.cube_cost = parts.whole("cube_cost", 1)
        self.sales_to_dividend = parts.whole("sales_to_dividend", 1)
        self.dividend_alone = parts.whole("dividend_alone")
        self.dividend_shared = parts.whole("dividend_shared")
        self.first = self.railroads.index(parts.one_of("first_charter", self.railroads))
        if not self.initial >> self.first & 1:
            parts.fail("first_charter", f'{self.railroads[self.first]} must open "{AT_ONCE}"')

    def _make_actions(self) -> None:
        railroads = self.railroads
        self.actions = actions = Actions(self, WORDS)
        self.charter = actions.add_all(CHARTER, [f"charter {name}" for name in railroads])
        self.common = actions.add_all(COMMON, [f"common {name}" for name in railroads])
        self.expand = actions.add_all(EXPAND, [f"expand {name}" for name in railroads])
        self.give_up = actions.add(PASS, "pass")
        self.bid = actions.add_all(BID, [f"bid {n}" for n in range(LARGEST_BID + 1)])
        self.color = actions.add_all(COLOR, [f"color {name}" for name in self.colors])
        self.build = actions.add_all(BUILD, [f"build {id}" for id in self.grid.ids])
        self.done = actions.add(DONE, "done")
