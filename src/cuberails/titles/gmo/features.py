"""What a learner sees of a position of Gulf, Mobile & Ohio."""

from __future__ import annotations

from typing import Final

from cuberails.core.board import Board
from cuberails.core.features import Features, best_of_others, mean_of_others
from cuberails.core.state import NOBODY, State
from cuberails.titles.gmo.board import CHARTER, GmoBoard
from cuberails.titles.gmo.judge import MOST_CUBES_AHEAD, charter_table, home_table, promised, track_table
from cuberails.titles.gmo.rules import Building, CharterBuild, ColorChoice, Expansion, ShareAuction
from cuberails.titles.gmo.state import Gmo

FARTHEST: Final = 4
"""How many steps from its home a second city is looked for, to tell what a charter is good for."""
CUBES_A_CHARTER: Final = 5.0
"""About how many cubes leave the supply for each new railroad: one on the charter, four on the map."""
DIVIDENDS_A_CHARTER: Final = 0.25
"""About how many dividends are paid for each new railroad: two common shares a dividend, and not all are sold."""

OF_A_COLOR: Final = ["supply", "below the most", "on the map"]
OF_THE_TABLE: Final = [
    *("three players", "four players", "five players", "passes", "one pass left", "all supply"),
    *("colours missing", "charters to the end", "new colour next", "last colour next", "ends now"),
    *("sales to the dividend", "next sale pays", "charters", "commons", "charters not sold", "all income", "all cash"),
    *("all income to come", "charters that can be built", "charter for three cubes", "charter for four cubes"),
    *("charter for five cubes", "second charter", "common with one cube", "common with two cubes"),
]
OF_THE_ACTION: Final = [
    *("charter auction", "common auction", "no bid yet", "bid", "lot at this bid", "lot for three cubes"),
    *("lot for five cubes", "lot at most", "colour choice", "charter build", "common build", "expansion"),
    *("money to build with", "points being built", "next cube", "next two cubes"),
]
OF_A_SEAT: Final = [
    *("points", "points beside the others", "points beside the best", "points beside the left"),
    *("lead near the end", "lead near the last pass", "points scored", "part of the points"),
    *("cash", "cash beside the others", "cash beside the richest", "cash beside the left", "useful cash"),
    *("useful cash beside the best", "outbids all", "income", "income beside the others", "income beside the best"),
    *("income beside the left", "income to come", "income to come beside the others"),
    *("income to come beside the best", "next dividend", "money by the end", "money by the end beside the best"),
    *("charters held", "commons held", "charters alone", "charter for its cash"),
    *("charter for its cash beside the best", "expansion with one cube", "expansion with two cubes"),
    *(
        "expansions in all",
        "expansion beside the best",
        "expansion beside the others",
        "lot for its cash",
        "lot beside the best",
    ),
    *("decides", "on turn", "turns until its own", "leads the auction", "may bid", "is building", "forecast"),
    *("forecast beside the others", "forecast beside the best"),
]


class GmoFeatures(Features):
    """The features of Gulf, Mobile & Ohio on a board. The `outlook` found last serves all positions with its map."""

    def __init__(self, board: Board) -> None:
        assert isinstance(board, GmoBoard)
        shared = [f"{color} {what}" for color in board.colors for what in OF_A_COLOR]
        super().__init__(shared + OF_THE_TABLE + OF_THE_ACTION, OF_A_SEAT)
        self.homes: Final = Homes(board)
        self.outlook: Outlook | None = None

    def rows(self, position: State) -> list[list[float]]:
        assert isinstance(position, Gmo)
        state: Gmo = position
        outlook = self.outlook
        if outlook is None or not outlook.fits(state):
            outlook = Outlook(state, self.homes, outlook)
            self.outlook = outlook
        table = Table(state, outlook)
        shared = table.colors()
        table.add_table(shared)
        table.add_action(shared)
        return [table.seen_from(shared, seat) for seat in range(state.players)]


class Homes:
    """For each railroad which cities are near its homes, with their steps, and the `area` that decides about them."""

    def __init__(self, board: GmoBoard) -> None:
        grid = board.grid
        self.near: Final = {n: near_cities(board, n) for homes in board.homes for n in homes}
        self.area: Final[list[int]] = []
        for homes in board.homes:
            cities = grid.mask(homes)
            for home in homes:
                cities |= grid.mask([n for n, _ in self.near[home]])
            self.area.append(cities | grid.spread(cities))


def near_cities(board: GmoBoard, home: int) -> list[tuple[int, int]]:
    """The cities that a railroad could join to its home on an empty map, with how many steps away they are."""
    grid, found = board.grid, list[tuple[int, int]]()
    ring = seen = grid.bit[home]
    for steps in range(1, FARTHEST + 1):
        ring = grid.spread(ring) & ~(seen | board.mountains)
        seen |= ring
        found += [(n, steps) for n in grid.hexes(ring & board.cities)]
    return found


class Outlook:
    """What can be built on a map: points for charters by the number of cubes, and for further track.

    `charters` are the points of the best charter by the number of cubes, `second` those of the next best for four;
    `one` and `two` the points that one and two more cubes score for each railroad. What an `old` outlook found is
    taken over where no hex of the `region` that it depends on has `changed`: few have from one cube to the next.
    """

    def __init__(self, state: Gmo, homes: Homes, old: Outlook | None) -> None:
        count = state.board.count
        self.laid: Final = state.laid[:]
        self.supply: Final = state.supply[:]
        self.track: Final = state.track[:]
        self.barred: Final = state.barred[:]
        self.met: Final = state.met[:]
        self.full: Final = state.full
        self.opened: Final = state.opened
        self.chartered: Final = state.chartered
        self.top: Final = state.top_colors()
        self.changed: Final = self.changed_since(old) if old is not None else -1
        self.colors: Final[dict[int, int]] = {}
        self.tables: Final[list[list[int]]] = [[]] * count
        self.charters: Final = [0] * (FARTHEST + 2)
        self.second: int = 0
        self.possible: int = 0
        self.one: Final = [0] * count
        self.two: Final = [0] * count
        self.region: Final = [0] * count
        self.plan_charters(state, homes, old)
        for rr in range(count):
            if state.track[rr] and state.supply[state.color[rr]] and not self.take_over(rr, state.color[rr], old):
                self.plan_track(state, rr)

    def changed_since(self, old: Outlook) -> int:
        """The hexes that have changed."""
        changed = self.full ^ old.full
        for now, before in zip(self.laid, old.laid):
            changed |= now ^ before
        return changed

    def fits(self, state: Gmo) -> bool:
        """Whether the same can be built in this position."""
        return (
            self.track == state.track
            and self.supply == state.supply
            and self.laid == state.laid
            and self.opened == state.opened
            and self.chartered == state.chartered
            and self.met == state.met
        )

    def take_over(self, rr: int, color: int, old: Outlook | None) -> bool:
        """Whether the further track of a railroad is as it was."""
        if (
            old is None
            or self.changed & old.region[rr]
            or not old.region[rr]
            or self.track[rr] != old.track[rr]
            or self.barred[rr] != old.barred[rr]
            or self.met[rr] != old.met[rr]
            or (self.supply[color] > 1) != (old.supply[color] > 1)
        ):
            return False
        self.one[rr], self.two[rr], self.region[rr] = old.one[rr], old.two[rr], old.region[rr]
        return True

    def colors_in(self, state: Gmo, n: int) -> int:
        """The colours of the cubes in a city."""
        colors = self.colors.get(n, -1)
        if colors < 0:
            colors = state.colors_in(n)
            self.colors[n] = colors
        return colors

    def plan_charters(self, state: Gmo, homes: Homes, old: Outlook | None) -> None:
        """What each available charter scores in the best colour, from its best home to one more city."""
        available = state.charters()
        same = old is not None and old.top == self.top
        shadows: list[int] = []
        for rr in range(state.board.count):
            if not available >> rr & 1:
                continue
            if old is not None and same and old.tables[rr] and not self.changed & homes.area[rr]:
                table = old.tables[rr]
            else:
                if not shadows:
                    shadows = [state.shadow(color) for color in self.top]
                table = self.plan_charter(state, rr, homes, shadows)
            self.tables[rr] = table
            self.add_charter(table)

    def plan_charter(self, state: Gmo, rr: int, homes: Homes, shadows: list[int]) -> list[int]:
        """The points of a charter by the number of cubes, in a colour of one of these shadows."""
        table = [0] * (FARTHEST + 2)
        for n in state.board.homes[rr]:
            if state.may_open(rr, n):
                for shadow in shadows:
                    self.plan_home(state, rr, n, shadow, homes.near[n], table)
        for cubes in range(1, len(table)):  # more cubes never score less
            if table[cubes - 1] > table[cubes]:
                table[cubes] = table[cubes - 1]
        return table

    def plan_home(
        self, state: Gmo, rr: int, home: int, shadow: int, near: list[tuple[int, int]], table: list[int]
    ) -> None:
        """Enter into a table what a railroad scores from this home."""
        board, bit = state.board, state.board.grid.bit
        if shadow & bit[home]:
            return
        there = self.colors_in(state, home)
        first = board.charter_points + board.bonus[rr] + board.points[home] + board.color_points * ones(there)
        for n, steps in near:
            if not shadow & bit[n]:
                new = self.colors_in(state, n) & ~there
                points = first + board.points[n] + board.color_points * ones(new)
                if points > table[steps + 1]:
                    table[steps + 1] = points

    def add_charter(self, table: list[int]) -> None:
        """The best charters are kept."""
        if table[-1]:
            self.possible += 1
        if table[4] > self.charters[4]:
            self.second = self.charters[4]
        elif table[4] > self.second:
            self.second = table[4]
        for cubes, points in enumerate(table):
            if points > self.charters[cubes]:
                self.charters[cubes] = points

    def plan_track(self, state: Gmo, rr: int) -> None:
        """The best city next to the track of a railroad, and the best one with a hex between."""
        board, grid = state.board, state.board.grid
        cities, met = board.cities, state.met[rr]
        ring = state.can_build(rr)
        one = self.best_city(state, grid.hexes(ring & cities), met)
        self.one[rr] = self.two[rr] = one
        around = grid.spread(ring)
        self.region[rr] = around | state.reach[rr]
        if state.supply[state.color[rr]] > 1 and around:
            beyond = around & cities & ~(ring | state.track[rr] | state.barred[rr])
            two = self.best_city(state, grid.hexes(beyond), met)
            if two > one:
                self.two[rr] = two

    def best_city(self, state: Gmo, hexes: list[int], met: int) -> int:
        """The most points that one of these cities scores for a railroad that has met these colours."""
        board, best = state.board, 0
        for n in hexes:
            points = board.points[n] + board.color_points * ones(self.colors_in(state, n) & ~met)
            if points > best:
                best = points
        return best

    def charter(self, cubes: int) -> int:
        """The points of the best charter for this many cubes."""
        return self.charters[cubes if cubes < len(self.charters) else -1]


def ones(colors: int) -> int:
    """How many colours are in a set."""
    return colors.bit_count()


class Table:
    """A position in which the auction or the build under way is over: `points`, `cash` and shares by seat are after it.

    `lot` is the table of points by cubes for the share in the auction or the track being built. An expansion is
    not over, as its president need not spend more.
    """

    def __init__(self, state: Gmo, outlook: Outlook) -> None:
        players = state.players
        self.state: Final = state
        self.outlook: Final = outlook
        self.points: Final = [float(points) for points in state.points]
        self.cash: Final = [float(cash) for cash in state.cash]
        self.supply: list[int] = state.supply
        self.on_map: Final = [hexes != 0 for hexes in state.laid]
        self.missing: int = state.laid.count(0)
        self.charters: Final = [0] * players
        self.commons: Final = [0] * players
        self.alone: Final = [0] * players
        self.one: Final = [0.0] * players
        self.two: Final = [0.0] * players
        self.expansions: Final = [0.0] * players
        self.common_one: int = 0
        self.common_two: int = 0
        self.count_shares()
        self.sales: int = state.marker
        self.passes: int = state.passes
        self.ends: float = 1.0 if state.phase.actor == NOBODY else 0.0
        self.lot: list[int] = []
        self.gain: int = 0
        self.finish_action()
        self.limit_expansions()
        self.income: Final = [self.income_of(seat) for seat in range(players)]
        self.before: float = 0.0
        self.left: Final = self.charters_left()
        self.likely: Final = (1.0 - self.passes / players) * (1.0 - self.ends)
        self.lot_for: Final = [float(promised(self.lot, self.cubes(cash))) for cash in state.cash]
        self.charter_for: Final = [float(outlook.charter(self.cubes(int(cash)))) for cash in self.cash]
        self.useful: Final = [cash * self.likely for cash in self.cash]
        self.to_come: Final = [income * self.left * self.likely for income in self.income]
        self.by_the_end: Final = [
            cash + to_come * DIVIDENDS_A_CHARTER for cash, to_come in zip(self.useful, self.to_come)
        ]
        a_point = float(state.board.cube_cost)  # early and late, a cube scores about one
        self.forecast: Final = [points + money / a_point for points, money in zip(self.points, self.by_the_end)]

    def cubes(self, money: int) -> int:
        """How many cubes this money buys."""
        return money // self.state.board.cube_cost

    def count_shares(self) -> None:
        """What each seat holds, and what one or two more cubes would score for it or for a common share."""
        state, outlook = self.state, self.outlook
        for rr, president in enumerate(state.president):
            if president < 0:
                continue
            one, two = outlook.one[rr], outlook.two[rr]
            self.charters[president] += 1
            self.expansions[president] += two
            if one > self.one[president]:
                self.one[president] = float(one)
            if two > self.two[president]:
                self.two[president] = float(two)
            holder = state.holder[rr]
            if holder >= 0:
                self.commons[holder] += 1
                continue
            self.alone[president] += 1
            if one > self.common_one:
                self.common_one = one
            if two > self.common_two:
                self.common_two = two

    def limit_expansions(self) -> None:
        """Nobody expands for more than its cash."""
        for seat, cash in enumerate(self.cash):
            cubes = self.cubes(int(cash))
            if cubes < 2:
                self.two[seat] = self.one[seat]
            if cubes < 1:
                self.one[seat] = self.two[seat] = 0.0

    def finish_action(self) -> None:
        """The leader of an auction buys and builds, a builder spends what is paid already."""
        phase = self.state.phase
        if isinstance(phase, ShareAuction):
            self.sell(phase)
        elif isinstance(phase, ColorChoice):
            self.choose_color(phase)
        elif isinstance(phase, Building):
            self.build(phase)

    def choose_color(self, choice: ColorChoice) -> None:
        """The charter is sold and paid already; it is returned if this money cannot complete it."""
        seat = choice.actor
        self.lot = charter_table(self.state, choice.railroad)
        if not self.found(seat, choice.price):
            self.cash[seat] += choice.price
            self.charters[seat] -= 1
            self.alone[seat] -= 1

    def sell(self, auction: ShareAuction) -> None:
        """The leader takes the share, unless it is a charter that this money cannot complete."""
        state, seat, rr = self.state, auction.leader, auction.railroad
        price = auction.highest
        if auction.kind == CHARTER:
            self.lot = charter_table(state, rr)
            if seat < 0:
                self.passes = 0
            elif self.found(seat, price):
                self.cash[seat] -= price
                self.charters[seat] += 1
                self.alone[seat] += 1
            return
        self.lot = track_table(state, rr, MOST_CUBES_AHEAD)
        self.passes = 0
        self.alone[state.president[rr]] -= 1  # its charter was turned over when the common share was put up
        if seat >= 0:
            self.gain = promised(self.lot, self.cubes(price))
            self.points[seat] += self.gain
            self.cash[seat] -= price
            self.commons[seat] += 1
            self.sold_common()

    def found(self, seat: int, price: int) -> bool:
        """The seat completes a new railroad with this money, if it can, and perhaps the game with it."""
        state = self.state
        self.gain = promised(self.lot, self.cubes(price))
        if self.gain <= 0:
            self.passes += 1
            return False
        self.passes = 0
        self.points[seat] += self.gain
        top = state.top_colors()
        new = [color for color in top if not state.laid[color]]
        if new and self.missing == 1:
            self.ends = 1.0 / len(top)
        elif new:
            self.missing -= 1
            self.on_map[new[0]] = True
        self.use_up(new[0] if new else top[0], 1 + self.cubes(price))
        return True

    def use_up(self, color: int, cubes: int) -> None:
        """Cubes of a colour leave the supply."""
        self.supply = self.supply[:]
        left = self.supply[color] - cubes
        self.supply[color] = left if left > 0 else 0

    def build(self, phase: Building) -> None:
        """Who builds with money that is paid already scores all that it promises."""
        state, seat, rr = self.state, phase.actor, phase.railroad
        self.passes = 0
        cubes = phase.cubes(state)
        self.lot = track_table(state, rr, cubes) if state.track[rr] else home_table(state, rr)
        if isinstance(phase, Expansion):
            return
        self.gain = promised(self.lot, cubes)
        self.points[seat] += self.gain
        color = state.color[rr]
        self.use_up(color, cubes)
        if isinstance(phase, CharterBuild):
            if not self.on_map[color]:
                self.missing -= 1
                self.on_map[color] = True
            if not self.missing:
                self.ends = 1.0
        else:
            self.sold_common()

    def sold_common(self) -> None:
        """The marker moves, and dividends are paid when it arrives."""
        board = self.state.board
        self.sales += 1
        if self.sales == board.sales_to_dividend:
            self.sales = 0
            for seat in range(self.state.players):
                self.cash[seat] += self.income_of(seat)

    def income_of(self, seat: int) -> float:
        """What a seat gets at a dividend."""
        board = self.state.board
        more = board.dividend_alone - board.dividend_shared
        return float(board.dividend_shared * (self.charters[seat] + self.commons[seat]) + more * self.alone[seat])

    def charters_left(self) -> float:
        """About how many railroads will be founded until the last colour is on the map."""
        last = -1
        for color, cubes in enumerate(self.supply):
            if not self.on_map[color] and (last < 0 or cubes < last):
                last = cubes
        if self.ends == 1.0 or last < 0:
            return 0.0
        for cubes in self.supply:
            if cubes > last:
                self.before += cubes - last
        return 1.0 + self.before / CUBES_A_CHARTER

    def colors(self) -> list[float]:
        """The features of all colours."""
        row: list[float] = []
        most = max(self.supply)
        for color, cubes in enumerate(self.supply):
            row.append(cubes / 20.0)
            row.append((most - cubes) / 20.0)
            row.append(1.0 if self.on_map[color] else 0.0)
        return row

    def add_table(self, row: list[float]) -> None:
        """The features of the table as a whole."""
        state, board, outlook = self.state, self.state.board, self.outlook
        players = state.players
        row.append(1.0 if players == 3 else 0.0)
        row.append(1.0 if players == 4 else 0.0)
        row.append(1.0 if players == 5 else 0.0)
        row.append(self.passes / players)
        row.append(1.0 if self.passes == players - 1 else 0.0)
        row.append(sum(self.supply) / 100.0)
        row.append(self.missing / 6.0)
        row.append(self.left / 10.0)
        most = max(self.supply)
        new = 0
        for color, cubes in enumerate(self.supply):
            if cubes == most and not self.on_map[color]:
                new += 1
        row.append(1.0 if new else 0.0)
        row.append(1.0 if new and self.missing == 1 else 0.0)
        row.append(self.ends)
        row.append((board.sales_to_dividend - self.sales) / board.sales_to_dividend)
        row.append(1.0 if self.sales == board.sales_to_dividend - 1 else 0.0)
        row.append(ones(state.charters()) / 10.0)
        row.append(ones(state.commons()) / 10.0)
        row.append((board.count - ones(state.chartered)) / 20.0)
        income = sum(self.income)
        row.append(income / 50.0)
        row.append(sum(self.cash) / 100.0)
        row.append(income * self.left / 300.0)
        row.append(outlook.possible / 10.0)
        row.append(outlook.charters[3] / 10.0)
        row.append(outlook.charters[4] / 10.0)
        row.append(outlook.charters[5] / 10.0)
        row.append(outlook.second / 10.0)
        row.append(self.common_one / 5.0)
        row.append(self.common_two / 5.0)

    def add_action(self, row: list[float]) -> None:
        """The features of the auction or the build under way."""
        state, phase, lot = self.state, self.state.phase, self.lot
        auction = isinstance(phase, ShareAuction)
        if isinstance(phase, ShareAuction):
            row.append(1.0 if phase.kind == CHARTER else 0.0)
            row.append(0.0 if phase.kind == CHARTER else 1.0)
            row.append(1.0 if phase.leader < 0 else 0.0)
            row.append(phase.least / 30.0)
            row.append(self.gain / 10.0)
            row.append(promised(lot, 3) / 10.0)
            row.append(promised(lot, 5) / 10.0)
            row.append(lot[-1] / 20.0 if lot else 0.0)
        else:
            row += [0.0] * 8
        row.append(1.0 if isinstance(phase, ColorChoice) else 0.0)
        if not isinstance(phase, Building):
            row += [0.0] * 4
            row.append(0.0 if auction else self.gain / 10.0)
            row += [0.0] * 2
            return
        expansion, charter = isinstance(phase, Expansion), isinstance(phase, CharterBuild)
        row.append(1.0 if charter else 0.0)
        row.append(0.0 if charter or expansion else 1.0)
        row.append(1.0 if expansion else 0.0)
        row.append(phase.money(state) / 30.0)
        row.append(self.gain / 10.0)
        row.append(promised(lot, 1) / 5.0)
        row.append(promised(lot, 2) / 5.0)

    def seen_from(self, shared: list[float], seat: int) -> list[float]:
        """The whole row of a seat."""
        row = shared[:]
        self.add_points(row, seat)
        self.add_money(row, seat)
        self.add_plans(row, seat)
        self.add_place(row, seat)
        return row

    def add_points(self, row: list[float], seat: int) -> None:
        points = self.points
        own, best, all_points = points[seat], best_of_others(points, seat), sum(points)
        row.append(own / 40.0)
        row.append((own - mean_of_others(points, seat)) / 15.0)
        row.append((own - best) / 15.0)
        row.append((own - points[(seat + 1) % self.state.players]) / 15.0)
        row.append((own - best) / (2.0 + self.left) / 5.0)
        row.append((own - best) * self.passes / self.state.players / 10.0)
        row.append(self.state.points[seat] / 40.0)
        row.append(own / all_points if all_points else 1.0 / self.state.players)

    def add_money(self, row: list[float], seat: int) -> None:
        """The features of a seat's cash and income."""
        cash, income, left = self.cash, self.income, (seat + 1) % self.state.players
        own, richest = cash[seat], best_of_others(cash, seat)
        row.append(own / 40.0)
        row.append((own - mean_of_others(cash, seat)) / 20.0)
        row.append((own - richest) / 20.0)
        row.append((own - cash[left]) / 20.0)
        row.append(self.useful[seat] / 40.0)
        row.append((self.useful[seat] - best_of_others(self.useful, seat)) / 20.0)
        row.append(1.0 if own > richest else 0.0)
        row.append(income[seat] / 20.0)
        row.append((income[seat] - mean_of_others(income, seat)) / 15.0)
        row.append((income[seat] - best_of_others(income, seat)) / 15.0)
        row.append((income[seat] - income[left]) / 15.0)
        to_come = self.to_come
        row.append(to_come[seat] / 100.0)
        row.append((to_come[seat] - mean_of_others(to_come, seat)) / 80.0)
        row.append((to_come[seat] - best_of_others(to_come, seat)) / 80.0)
        row.append(income[seat] * self.sales / self.state.board.sales_to_dividend / 20.0)
        by_the_end = self.by_the_end
        row.append(by_the_end[seat] / 60.0)
        row.append((by_the_end[seat] - best_of_others(by_the_end, seat)) / 30.0)

    def add_plans(self, row: list[float], seat: int) -> None:
        """The features of a seat's shares and of what its money can buy."""
        row.append(self.charters[seat] / 5.0)
        row.append(self.commons[seat] / 5.0)
        row.append(self.alone[seat] / 5.0)
        charter_for, lot_for, two = self.charter_for, self.lot_for, self.two
        row.append(charter_for[seat] / 10.0)
        row.append((charter_for[seat] - best_of_others(charter_for, seat)) / 10.0)
        row.append(self.one[seat] / 5.0)
        row.append(two[seat] / 5.0)
        row.append(self.expansions[seat] / 10.0)
        row.append((two[seat] - best_of_others(two, seat)) / 5.0)
        row.append((two[seat] - mean_of_others(two, seat)) / 5.0)
        row.append(lot_for[seat] / 15.0)
        row.append((lot_for[seat] - best_of_others(lot_for, seat)) / 10.0)

    def add_place(self, row: list[float], seat: int) -> None:
        """The features of a seat's part in the action under way, and what it comes to in all."""
        state, phase = self.state, self.state.phase
        decides = phase.actor == seat
        row.append(1.0 if decides else 0.0)
        row.append(1.0 if state.turn == seat else 0.0)
        row.append((seat - state.turn) % state.players / state.players)
        if isinstance(phase, ShareAuction):
            row.append(1.0 if phase.leader == seat else 0.0)
            row.append(1.0 if phase.inside >> seat & 1 and not decides else 0.0)
        else:
            row += [0.0, 0.0]
        row.append(1.0 if decides and isinstance(phase, Building) else 0.0)
        forecast = self.forecast
        row.append(forecast[seat] / 60.0)
        row.append((forecast[seat] - mean_of_others(forecast, seat)) / 20.0)
        row.append((forecast[seat] - best_of_others(forecast, seat)) / 20.0)
