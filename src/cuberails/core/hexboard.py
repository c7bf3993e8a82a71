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

    def all_of(self, terrain: str) -> int:
        """The hexes with this terrain, as a mask."""
        return self.grid.mask([n for n, kind in enumerate(self.terrain) if kind == terrain])

    def hex_of(self, section: Section, name: str) -> int:
        """The hex that an entry names by its id."""
        return self.grid.index[section.one_of(name, self.grid.ids)]

    def label(self, n: int) -> str:
        """A hex for people: "K4 Pittsburgh"."""
        return f"{self.grid.ids[n]} {self.names[n]}" if self.names[n] else self.grid.ids[n]
