"""The board of Slate Lines as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Actions
from cuberails.core.boardfile import BoardFile, Section, letters_of
from cuberails.core.hexboard import HexBoard
from cuberails.core.title import Title

BID: Final = 0
PASS: Final = 1
OFFER: Final = 2
EXTEND: Final = 3
BUILD: Final = 4
DONE: Final = 5
SEAM: Final = 6
WORDS: Final = ["bid", "pass", "offer", "extend", "build", "done", "seam"]
LARGEST_BID: Final = 999

TERRAIN: Final = {"M": "meadow", "B": "bog", "V": "village", "T": "town", "Q": "quarry", "H": "harbour"}


class SlateBoard(HexBoard):
    """A board of Slate Lines. Tramways and hexes are numbers; sets of hexes are bit masks."""

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self._read_map(file)
        self._read_tramways(file)
        self._read_places(file)
        self._read_numbers(file)
        file.end()
        self._make_actions()

    def _read_map(self, file: Section) -> None:
        self.cost = self.read_costs(file, TERRAIN, "H")
        self.quarries = self.all_of("quarry")
        self.closed = self.all_of("harbour")

    def _read_tramways(self, file: Section) -> None:
        tables = file.tables("tramways")
        self.tramways = file.words("tramways")
        self.count = len(tables)
        self.letters = letters_of(tables)
        self.colors = [table.line("color") for table in tables]
        self.start = [self.hex_of(table, "start") for table in tables]
        self.start_income = [table.whole("income") for table in tables]
        for table, start in zip(tables, self.start, strict=True):
            if self.terrain[start] != "harbour":
                table.fail("start", f"{self.grid.ids[start]} must be a harbour (H) on the map")

    def _read_places(self, file: Section) -> None:
        self.printed = [0] * self.grid.size
        settled = self.all_of("village") | self.all_of("town")
        for n, place in self.read_cities(file, settled | self.quarries | self.closed):
            if settled & self.grid.bit[n]:
                self.printed[n] = place.whole("income", 1)

    def _read_numbers(self, file: Section) -> None:
        components, pace, quarries = file.table("components"), file.table("pace"), file.table("quarries")
        self.money = components.whole("money", 1)
        self.shares = components.whole("shares", 1)
        self.cubes = components.whole("cubes", 2)
        self.least_bid = components.whole("least_bid", 1)
        self.seasons = pace.whole("seasons", 1)
        self.turns = pace.whole("turns", 1)
        self.builds = pace.whole("builds", 1)
        self.faces = quarries.wholes("faces")
        self.even = quarries.whole("even")

    def _make_actions(self) -> None:
        ids, slate = self.grid.ids, sorted(set(self.faces))
        self.actions = actions = Actions(self, WORDS)
        self.bid = actions.add_all(BID, [f"bid {n}" for n in range(LARGEST_BID + 1)])
        self.give_up = actions.add(PASS, "pass")
        self.offer = actions.add_all(OFFER, [f"offer {name}" for name in self.tramways])
        self.extend = actions.add_all(EXTEND, [f"extend {name}" for name in self.tramways])
        self.build = actions.add_all(BUILD, [f"build {id}" for id in ids])
        self.done = actions.add(DONE, "done")
        self.seam = [actions.add(SEAM, f"seam {n}", n) for n in slate]
        self.seam_weights = [self.faces.count(n) for n in slate]
