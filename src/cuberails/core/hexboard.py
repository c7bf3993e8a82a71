"""Boards whose map is made of hexes: what the titles with such a map read alike."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from cuberails.core import mypyc_attr
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardFile, Section
from cuberails.core.hexes import LAYOUTS, Grid

if TYPE_CHECKING:
    from cuberails.core.title import Title

WATER: Final = "~"
BEYOND: Final = "."


@mypyc_attr(allow_interpreted_subclasses=True)
class HexBoard(Board):
    """A board with a hex map. `terrain` and `names` (of cities; "" elsewhere) are by hex, and the title fills them."""

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self.layout: Final = file.one_of("layout", list(LAYOUTS))
        cells = file.map("map", self.layout)
        self.water: Final = [cell for cell in cells if cell.word == WATER]
        self.grid: Final = Grid(self.layout, [cell for cell in cells if cell.word not in (WATER, BEYOND)])
        if self.grid.size == 0:
            file.fail("map", "has no hexes; it needs at least one")
        self.terrain: list[str] = []
        self.names: list[str] = [""] * self.grid.size
        self.doubts: Final = self._read_doubts(file)

    def _read_doubts(self, file: Section) -> dict[str, str]:
        """What is doubtful about a hex, by its id; a board that is sure of everything leaves the table out."""
        if not file.has("doubtful"):
            return {}
        table = file.table("doubtful")
        for id in table.names():
            if id not in self.grid.index:
                table.fail(id, "is no hex of the map")
        return {id: table.text(id) for id in table.names()}

    def read_costs(self, file: Section, kinds: dict[str, str], free: str = "") -> list[int]:
        """Terrain and cost of each hex of a map whose words are a letter for its kind and a cost, `free` ones without.

        Returns the costs. The terrain is that of `kinds` by letter.
        """
        costs: list[int] = []
        for id, cell in zip(self.grid.ids, self.grid.cells, strict=True):
            letter, price = cell.word[0], cell.word[1:]
            if letter not in kinds or (price.isdecimal() == (letter == free)) or len(price) > 3:
                without = f", {free} without" if free else ""
                file.fail("map", f"{id} is {cell.word!r}; it needs one of {' '.join(kinds)} and a cost{without}")
            self.terrain.append(kinds[letter])
            costs.append(int(price or 0))
        return costs

    def affordable(self, costs: list[int]) -> list[int]:
        """By an amount of money, up to the highest cost: the hexes that cost no more, as a mask."""
        size = range(self.grid.size)
        return [self.grid.mask([n for n in size if costs[n] <= money]) for money in range(max(costs) + 1)]

    def read_cities(self, file: Section, cities: int) -> list[tuple[int, Section]]:
        """The hexes of `[cities]` and their tables: one for each city in this mask, and none else. They get names."""
        found: list[tuple[int, Section]] = []
        table, grid = file.table("cities"), self.grid
        for id in table.names():
            if id not in grid.index:
                table.fail(id, "is no hex of the map")
            n = grid.index[id]
            if not cities & grid.bit[n]:
                table.fail(id, f"is {self.terrain[n]} on the map; only cities are named")
            self.names[n] = table.table(id).line("name")
            found.append((n, table.table(id)))
        for n in grid.hexes(cities):
            if not self.names[n]:
                table.fail(grid.ids[n], f"is missing; the map has a {self.terrain[n]} there")
        return found

    def all_of(self, terrain: str) -> int:
        """The hexes with this terrain, as a mask."""
        return self.grid.mask([n for n, kind in enumerate(self.terrain) if kind == terrain])

    def hex_of(self, section: Section, name: str) -> int:
        """The hex that an entry names by its id."""
        id = section.text(name)
        if id not in self.grid.index:
            section.fail(name, f"{id!r} is no hex of the map; it needs one like {self.grid.ids[0]}")
        return self.grid.index[id]

    def label(self, n: int) -> str:
        """A hex for people: "K4 Pittsburgh"."""
        return f"{self.grid.ids[n]} {self.names[n]}" if self.names[n] else self.grid.ids[n]
