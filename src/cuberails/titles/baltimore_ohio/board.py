"""The board of Baltimore & Ohio as tables: what never changes while it is played, and every action there is."""

from __future__ import annotations

from itertools import permutations
from typing import Final

from cuberails.core.action import Action, Actions
from cuberails.core.boardfile import BoardFile, Section, letters_of
from cuberails.core.hexboard import HexBoard
from cuberails.core.title import Title

ORDER: Final = 0
SELL: Final = 1
BUY: Final = 2
BUY_ORPHANS: Final = 3
START: Final = 4
BUYBACK: Final = 5
PASS: Final = 6
DONE: Final = 7
SCRAP: Final = 8
PURCHASE: Final = 9
BUILD: Final = 10
TAKE_COAL: Final = 11
TAKE_TIMBER: Final = 12
SERVE: Final = 13
PAY: Final = 14
RETAIN: Final = 15
WORDS: Final = [
    "order",
    "sell",
    "buy",
    "buy",
    "start",
    "buyback",
    "pass",
    "done",
    "scrap",
    "purchase",
    "build",
    "take",
    "take",
    "serve",
    "pay",
    "retain",
]

MOST_STATES: Final = 8
"""What is closed is listed for every set of states."""

TERRAIN: Final = {"L": "land", "M": "mountain", "K": "coal", "C": "city", "X": "Chicago"}


class BaltimoreOhioBoard(HexBoard):
    """Baltimore & Ohio on a board. Railroads and hexes are numbers; sets of hexes are bit masks.

    Tables by technology level begin with an entry that is not used, so that the level itself is the index.
    """

    def __init__(self, title: Title, file: BoardFile) -> None:
        super().__init__(title, file)
        self._read_map(file)
        self._read_components(file)
        self._read_valuation(file)
        self._read_tech(file.tables("tech"))
        self._read_railroads(file.tables("railroads"))
        self.railroads = file.words("railroads")
        self._read_states(file.tables("states") if file.has("states") else [])
        self._read_cities(file)
        self._read_end(file.table("end"))
        self._read_options(file.table("options"))
        file.end()
        self._make_actions()

    # The map

    def _read_map(self, file: Section) -> None:
        self.cost = self.read_costs(file, TERRAIN)
        self.coal = self.all_of("coal")
        self.unlimited = self.all_of("Chicago")
        self.limited = self.all_of("city")
        self.cities = self.limited | self.unlimited
        self.afford = self.affordable(self.cost)
        self._draw_heavy_lines(file)

    def _draw_heavy_lines(self, file: Section) -> None:
        """Hexes on both sides of a heavy line are not next to each other."""
        grid = self.grid
        self.heavy = [0] * grid.size
        self.heavy_lines: list[tuple[int, int]] = []
        for line in file.texts("heavy_lines"):
            ids = line.split()
            if len(ids) != 2 or ids[0] not in grid.index or ids[1] not in grid.index:
                file.fail("heavy_lines", f"found {line!r}; it needs two hexes of the map, like 'E12 F13'")
            one, other = grid.index[ids[0]], grid.index[ids[1]]
            if other not in grid.neighbours[one]:
                file.fail("heavy_lines", f"{line!r}: these hexes are not next to each other")
            grid.cut(ids[0], ids[1])
            self.heavy[one] |= grid.bit[other]
            self.heavy[other] |= grid.bit[one]
            self.heavy_lines.append((one, other))

    def _hexes(self, table: Section, name: str) -> int:
        """A list of cities of the map, as a mask."""
        mask = 0
        for id in table.texts(name):
            if id not in self.grid.index or not self.cities & self.grid.bit[self.grid.index[id]]:
                table.fail(name, f"{id!r} is no city of the map")
            mask |= self.grid.bit[self.grid.index[id]]
        return mask

    # Components

    def _read_components(self, file: Section) -> None:
        parts = file.table("components")
        self.money = parts.wholes("money", self.title.most_players - self.title.least_players + 1)
        self.shares = parts.whole("shares", 1)
        self.coal_pays = parts.whole("coal_pays")
        self._divisible(parts, "coal_pays", [self.coal_pays])
        self.longest = parts.whole("longest_simulation", 1)
        parts.end()

    def _divisible(self, table: Section, name: str, amounts: list[int]) -> None:
        """What a railroad earns or pays must be divisible among its shares."""
        for amount in amounts:
            if amount % self.shares:
                table.fail(name, f"{amount} cannot be divided by the {self.shares} shares of a railroad")

    def _read_valuation(self, file: Section) -> None:
        table = file.table("valuation")
        self.values = table.wholes("track", 0, 1)
        if self.values != sorted(set(self.values)):
            table.fail("track", "the boxes must rise from left to right")
        self.top = len(self.values) - 1
        self.unprofitable = table.whole("unprofitable", 1)
        table.end()

    def _boxes(self, table: Section, name: str, values: list[int]) -> list[int]:
        """The boxes of the valuation track with these values."""
        for value in values:
            if value not in self.values:
                table.fail(name, f"{value} is no box of valuation.track")
        return [self.values.index(value) for value in values]

    def _read_tech(self, levels: list[Section]) -> None:
        self.levels = len(levels)
        self.builds = [0]
        self.city_limit = [0]
        self.maintenance = [0]
        self.timber_pays = [0]
        self.scrap_value = [0]
        self.initial: list[list[int]] = [[]]
        self.card_cost: list[int] = []
        self.card_tech: list[int] = []
        for tech, table in enumerate(levels, 1):
            if table.entry != f"tech.{tech}":
                table.fail("builds", f"the levels must be called 1, 2, 3 …; this is the place of tech.{tech}")
            self._read_level(table, tech)

    def _read_level(self, table: Section, tech: int) -> None:
        self.builds.append(table.whole("builds", 1))
        self.city_limit.append(table.whole("city_limit", 1))
        self.maintenance.append(table.whole("maintenance"))
        self.timber_pays.append(table.whole("timber"))
        self._divisible(table, "maintenance", self.maintenance)
        self._divisible(table, "timber", self.timber_pays)
        self.scrap_value.append(table.whole("scrap"))
        # The game ends at the last level, so that nobody starts a railroad there
        initial = table.wholes("initial") if tech < self.levels else []
        self.initial.append(self._boxes(table, "initial", initial))
        prices = table.wholes("equipment")
        self.card_cost += prices
        self.card_tech += [tech] * len(prices)
        table.end()

    def _read_railroads(self, tables: list[Section]) -> None:
        self.count = len(tables)
        self.names_long = [table.line("name") for table in tables]
        self.letters = letters_of(tables)
        self.colors = [table.line("color") for table in tables]
        self.cubes = [table.whole("cubes", 2) for table in tables]
        self.from_tech = [table.whole("from_tech", 1) for table in tables]
        self.start_hex = [self.hex_of(table, "start") for table in tables]
        for rr, table in enumerate(tables):
            if not self.cities & self.grid.bit[self.start_hex[rr]]:
                table.fail("start", f"{self.grid.ids[self.start_hex[rr]]} must be a city (C or X) on the map")
            if self.from_tech[rr] >= self.levels:
                table.fail("from_tech", f"must be lower than {self.levels}, where the game ends")
            table.end()
        if min(self.from_tech) > 1:
            tables[0].fail("from_tech", "no railroad can be started at the beginning; at least one needs 1")
        self.available = [
            [rr for rr, from_tech in enumerate(self.from_tech) if from_tech <= tech] for tech in range(self.levels + 1)
        ]

    def _read_states(self, tables: list[Section]) -> None:
        """Railroads that must first serve their own state, and what that bars for each set of fulfilled duties."""
        self.state_names = [table.line("name") for table in tables]
        if len(tables) > MOST_STATES:
            tables[-1].fail("name", f"is one too many; there can be {MOST_STATES} states")
        self.state_railroad = [self.railroads.index(table.one_of("railroad", self.railroads)) for table in tables]
        self.state_must = [self._hexes(table, "must") for table in tables]
        self.state_closed = [self._hexes(table, "closed") for table in tables]
        for must, table in zip(self.state_must, tables, strict=True):
            if not must:
                table.fail("must", "is empty; it needs at least one city")
            table.end()
        self.barred: list[list[int]] = [
            [self._barred(fulfilled, rr) for rr in range(self.count)] for fulfilled in range(1 << len(tables))
        ]

    def _barred(self, fulfilled: int, rr: int) -> int:
        mask = 0
        for duty, owner in enumerate(self.state_railroad):
            if not fulfilled >> duty & 1:
                mask |= self.cities & ~self.state_must[duty] if owner == rr else self.state_closed[duty]
        return mask

    def _read_cities(self, file: Section) -> None:
        grid = self.grid
        self.income: list[list[int]] = [[0] * grid.size for _ in range(self.levels + 1)]
        for n, city in self.read_cities(file, self.cities):
            self._read_city(city, n)
        self.ranked = [sorted(grid.hexes(self.cities), key=lambda n: -row[n]) for row in self.income]

    def _read_city(self, city: Section, n: int) -> None:
        incomes = city.wholes("income", self.levels)
        self._divisible(city, "income", incomes)
        for tech, income in enumerate(incomes, 1):
            self.income[tech][n] = income
        city.end()

    def _read_end(self, end: Section) -> None:
        self.end_box = self._boxes(end, "valuation", [end.whole("valuation")])[0]
        self.end_tech = end.whole("tech", 2)
        if self.end_tech != self.levels:
            end.fail("tech", f"must be {self.levels}, the last level: no railroad can be started there")
        end.end()

    def _read_options(self, table: Section) -> None:
        timber = table.texts("timber_hex")
        for id in timber:
            if id not in self.grid.index:
                table.fail("timber_hex", f"{id!r} is no hex of the map")
        self.timber_hexes = self.grid.mask([self.grid.index[id] for id in timber])
        limits = table.wholes("tech1_city_limit")
        if limits[0] != self.city_limit[1]:
            table.fail("tech1_city_limit", f"must begin with tech.1.city_limit, {self.city_limit[1]}")
        self.city_limits = {str(limit): [0, limit, *self.city_limit[2:]] for limit in limits}
        self.restart_box = self._boxes(table, "restart_at", [table.whole("restart_at")])[0]
        table.end()
        self.options = {
            "timber_hex": tuple(timber),
            "tech1_city_limit": tuple(self.city_limits),
            "restart": ("initial", str(self.values[self.restart_box])),
            "sale_drop": ("turn", "round"),
            "losses": ("forgiven", "paid"),
        }

    # Actions

    def _make_actions(self) -> None:
        ids = self.grid.ids
        self.actions = actions = Actions(self, WORDS)
        self.orders: list[list[Action]] = []
        for players in range(self.title.most_players + 1):
            every = permutations(range(players)) if players >= self.title.least_players else iter(())
            texts = ["order " + " ".join(str(seat) for seat in seats) for seats in every]
            self.orders.append([actions.add(ORDER, text, n, players) for n, text in enumerate(texts)])
        self.seatings = [list(permutations(range(players))) for players in range(self.title.most_players + 1)]
        self.sell = self._shares(SELL, "sell {} {}")
        self.buy = self._shares(BUY, "buy {} {}")
        self.buy_orphans = self._shares(BUY_ORPHANS, "buy {} {} orphans")
        self.buyback = self._shares(BUYBACK, "buyback {} {}")
        self._make_starts()
        self.give_up = actions.add(PASS, "pass")
        self.done = actions.add(DONE, "done")
        self.scrap = [actions.add(SCRAP, f"scrap {tech}", tech) for tech in range(1, self.levels + 1)]
        self.purchase = actions.add(PURCHASE, "purchase")
        self.build = actions.add_all(BUILD, [f"build {id}" for id in ids])
        self.take_coal = {n: actions.add(TAKE_COAL, f"take coal {ids[n]}", n) for n in self.grid.hexes(self.coal)}
        self.take_timber = actions.add(TAKE_TIMBER, "take timber")
        self.serve_best = actions.add(SERVE, "serve best")
        self.serve = {n: actions.add(SERVE, f"serve {ids[n]}", n) for n in self.grid.hexes(self.cities)}
        self.pay_or_retain = [actions.add(PAY, "pay"), actions.add(RETAIN, "retain")]

    def _shares(self, kind: int, text: str) -> list[list[list[Action]]]:
        """For each railroad and number the actions of 1, 2, 3 … shares up to that number, made once for all lists."""
        table: list[list[list[Action]]] = []
        for rr, name in enumerate(self.railroads):
            made = [self.actions.add(kind, text.format(name, n), rr, n) for n in range(1, self.shares + 1)]
            table.append([made[:most] for most in range(self.shares + 1)])
        return table

    def _make_starts(self) -> None:
        """Every start, and for each level and railroad those of that level by rising price.

        So what a seat can afford is the beginning of a list, as long for every railroad as `start_prices` tells.
        """
        boxes = sorted({box for level in self.initial for box in level} | {self.restart_box})
        by_box: list[dict[int, list[Action]]] = []
        for rr, name in enumerate(self.railroads):
            made: dict[int, list[Action]] = {}
            for box in boxes:
                texts = [f"start {name} {n} at {self.values[box]}" for n in range(1, self.shares + 1)]
                made[box] = [self.actions.add(START, text, rr, n, box) for n, text in enumerate(texts, 1)]
            by_box.append(made)
        self.starts = [[self._by_price(made, level) for made in by_box] for level in self.initial]
        self.start_prices = [[self._start_price(action) for action in level[0]] for level in self.starts]
        self.restarts = [self._by_price(made, [self.restart_box]) for made in by_box]
        self.restart_prices = [self._start_price(action) for action in self.restarts[0]]
        self.least_start = [min(prices[:1] + self.restart_prices[:1]) for prices in self.start_prices]

    def _by_price(self, made: dict[int, list[Action]], boxes: list[int]) -> list[Action]:
        return sorted((action for box in boxes for action in made[box]), key=self._start_price)

    def _start_price(self, action: Action) -> int:
        return action.b * self.values[action.c]
