"""The board of Southern Rails as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from typing import Final

from cuberails.core.action import Action, Actions
from cuberails.core.boardfile import BoardFile, Section, letters_of
from cuberails.core.hexboard import HexBoard
from cuberails.core.title import Title

TAKE: Final = 0
PLACE: Final = 1
WORDS: Final = ["take", "place"]

BEYOND: Final = ("~", ".")
RURAL: Final = "rural"
MOST_RAILROADS: Final = 12
"""What a draft offers is listed for every set of railroads, so that more of them would fill the memory."""
MOST_CUBES: Final = 99
"""Of a railroad."""
MOST_REVENUE: Final = 99
"""Of a hex."""


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
        self._read_sources(file)
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
        self.railroads = file.words("railroads")
        self.count, players = len(tables), self.title.most_players
        if not players < self.count <= MOST_RAILROADS:
            file.fail(
                "railroads", f"has {self.count}; {players} players need {players + 1} or more, up to {MOST_RAILROADS}"
            )
        self.letters = letters_of(tables)
        self.shares = [table.whole("shares", self.rounds + 1) for table in tables]
        self.cubes = [table.whole("cubes", self.scoring_cube, MOST_CUBES) for table in tables]

    def _read_kinds(self, file: Section) -> None:
        tables = file.tables("kinds")
        self.kinds = file.table("kinds").names()
        if RURAL not in self.kinds:
            file.fail("kinds", f"has no {RURAL!r}; hexes without a city need it")
        self.kind_letters = [table.text("letter") for table in tables]
        self.kind_room = [table.whole("cubes", 1, self.count) for table in tables]
        self.kind_revenue = [table.whole("revenue", 0, MOST_REVENUE) for table in tables]
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

    def _read_sources(self, file: Section) -> None:
        """Where the name and the kind of each city come from."""
        self.sources = [""] * self.grid.size
        for n, city in self.read_cities(file, self.grid.all & ~self.all_of(RURAL)):
            self.sources[n] = city.text("from")

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
