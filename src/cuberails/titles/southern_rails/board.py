"""The board of Southern Rails as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action, Actions
from cuberails.core.boardfile import BoardFile, Section
from cuberails.core.hexboard import HexBoard
from cuberails.core.title import Title

TAKE: Final = 0
PLACE: Final = 1
WORDS: Final = ["take", "place"]

BEYOND: Final = ("~", ".")
RURAL: Final = "rural"


class SouthernRailsBoard(HexBoard):
    """Southern Rails on a board. Railroads, hexes and seats are numbers; sets of hexes are bit masks.

    `kinds` are the kinds of hexes. Those whose cities score are the `tiers`: `tier[n]` is the tier of hex n, -1
    where it has none. Of the scoring categories the tiers come first, then revenue, track and shares.
    """

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self._read_scoring(file.table("scoring"))
        self._read_railroads(file)
        self._read_kinds(file)
        self._read_map(file)
        self._read_cities(file.table("cities"))
        self._read_seats(file.table("seats"))
        file.end()
        self._name_categories()
        self._make_actions()

    def _read_scoring(self, table: Section) -> None:
        self.scoring_cube = table.whole("cube", 1)
        self.rounds = table.whole("rounds", 1)
        self.track_least = table.whole("track_least")
        self.points = [table.whole(name) for name in ("revenue", "track", "shares")]

    def _read_railroads(self, file: Section) -> None:
        """Enough of everything that a draft never stalls: a share of each railroad in every round of it."""
        tables = file.tables("railroads")
        self.railroads = file.table("railroads").names()
        self.count = len(tables)
        if self.count <= self.title.most_players:
            file.fail(
                "railroads",
                f"has {self.count}; {self.title.most_players} players need {self.title.most_players + 1} or more",
            )
        self.letters: list[str] = []
        self.shares: list[int] = []
        self.cubes: list[int] = []
        for table in tables:
            letter = table.text("letter")
            if letter in self.letters:
                table.fail("letter", f"found {letter!r} again; each railroad needs its own")
            self.letters.append(letter)
            self.shares.append(table.whole("shares", self.rounds + 1))
            self.cubes.append(table.whole("cubes", self.scoring_cube))

    def _read_kinds(self, file: Section) -> None:
        tables = file.tables("kinds")
        self.kinds = file.table("kinds").names()
        if RURAL not in self.kinds:
            file.fail("kinds", f"has no {RURAL!r}; hexes without a city need it")
        self.kind_letters = [table.text("letter") for table in tables]
        self.kind_room = [table.whole("cubes", 1) for table in tables]
        self.kind_revenue = [table.whole("revenue") for table in tables]
        self.tiers = [name for name, table in zip(self.kinds, tables, strict=True) if table.has("points")]
        self.tier_count = len(self.tiers)
        self.points = [table.whole("points") for table in tables if table.has("points")] + self.points
        for n, table in enumerate(tables):
            if self.kind_letters[n] in BEYOND or self.kind_letters[n] in self.kind_letters[:n]:
                table.fail("letter", f"found {self.kind_letters[n]!r} again; each kind needs its own")

    def _read_map(self, file: Section) -> None:
        self.kind: list[str] = []
        self.room: list[int] = []
        self.revenue: list[int] = []
        self.tier: list[int] = []
        for id, cell in zip(self.grid.ids, self.grid.cells, strict=True):
            if cell.word not in self.kind_letters:
                file.fail("map", f"{id} is {cell.word!r}; it needs one of {' '.join(self.kind_letters)} ~ .")
            which = self.kind_letters.index(cell.word)
            name = self.kinds[which]
            self.kind.append(name)
            self.terrain.append(name if name == RURAL else f"{name} city")
            self.room.append(self.kind_room[which])
            self.revenue.append(self.kind_revenue[which])
            self.tier.append(self.tiers.index(name) if name in self.tiers else -1)

    def _read_cities(self, cities: Section) -> None:
        grid = self.grid
        self.sources = [""] * grid.size
        for id in cities.names():
            if id not in grid.index:
                cities.fail(id, "is no hex of the map")
            n, city = grid.index[id], cities.table(id)
            if self.kind[n] == RURAL:
                cities.fail(id, "is rural on the map; only cities are named")
            self.names[n] = city.text("name")
            self.sources[n] = city.text("from")
        for n, kind in enumerate(self.kind):
            if kind != RURAL and not self.names[n]:
                cities.fail(grid.ids[n], f"is missing; the map has a {kind} city there")

    def _read_seats(self, table: Section) -> None:
        self.seat_colors = table.texts("colors")
        if len(self.seat_colors) != self.title.most_players:
            table.fail(
                "colors", f"has {len(self.seat_colors)}; it needs one for each of {self.title.most_players} seats"
            )

    def _name_categories(self) -> None:
        """The scoring categories, as players call them."""
        self.categories = [f"most {tier} cities" for tier in self.tiers]
        self.by_revenue, self.by_track, self.by_shares = range(self.tier_count, self.tier_count + 3)
        self.categories += ["highest revenue", "most track", "fewest shares"]

    def _make_actions(self) -> None:
        self.actions = actions = Actions(self, WORDS)
        self.take = actions.add_all(TAKE, [f"take {name}" for name in self.railroads])
        self.place = [
            [actions.add(PLACE, f"place {name} {id}", rr, n) for n, id in enumerate(self.grid.ids)]
            for rr, name in enumerate(self.railroads)
        ]
        # What a draft offers for each set of railroads, made once
        self.take_any = [self._pick(chosen) for chosen in range(1 << self.count)]

    def _pick(self, chosen: int) -> list[Action]:
        return [action for action in self.take if chosen >> action.a & 1]
