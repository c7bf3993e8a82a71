"""What a position of Gulf, Mobile & Ohio is worth to each seat: an estimate of its points at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cuberails.core.judge import Judge
from cuberails.core.state import NOBODY, State
from cuberails.titles.gmo.board import CHARTER, GmoBoard
from cuberails.titles.gmo.rules import Building, CharterBuild, ColorChoice, Expansion, ShareAuction
from cuberails.titles.gmo.state import Gmo

MOST_CUBES_AHEAD: Final = 10
"""How many cubes a builder plans ahead."""
FADING: Final = 2
"""With passes in a row it is less likely that anything comes, by this power of the part that has not passed."""


class GmoJudge(Judge):
    """What positions of Gulf, Mobile & Ohio are worth.

    The supply loses `cubes_a_charter` for each railroad founded, with what is built later. `dividends_a_charter` are
    paid for each railroad still to come, and as many as for `last_charters` more while the last one is waited for. Of
    what a charter pays more while its common share is unsold, the part `lasting` will still be paid.

    Late in the game money earns `points_a_dollar` when it is spent on track, and `growth` of that more for each
    railroad still to be founded: early charters pay for later ones. While each seat founds one railroad it can put
    `spending` dollars to use; money beyond that keeps only the part `idle_money` of its worth.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__(weights)
        self.cubes_a_charter: Final = weights["cubes_a_charter"]
        self.points_a_dollar: Final = weights["points_a_dollar"]
        self.growth: Final = weights["growth"]
        self.spending: Final = weights["spending"]
        self.idle_money: Final = weights["idle_money"]
        self.dividends_a_charter: Final = weights["dividends_a_charter"]
        self.last_charters: Final = weights["last_charters"]
        self.lasting: Final = weights["lasting"]

    def worth(self, position: State) -> list[float]:
        assert isinstance(position, Gmo)
        state: Gmo = position
        if state.phase.actor == NOBODY:
            return [float(scored) for scored in state.points]
        outlook = self.look_ahead(state)
        points = outlook.points
        if outlook.left > 0:
            dividends = outlook.dividends()
            for seat in range(state.players):
                to_come = dividends * outlook.lasting_income(seat) + outlook.money(outlook.cash[seat])
                points[seat] += outlook.likely * to_come
        return points

    def terms(self, position: State, seat: int) -> dict[str, float]:
        assert isinstance(position, Gmo)
        state: Gmo = position
        scored = float(state.points[seat])
        terms = {"points": scored}
        if state.phase.actor == NOBODY:
            return terms
        outlook = self.look_ahead(state)
        if outlook.points[seat] != scored:
            terms["track about to be built"] = outlook.points[seat] - scored
        if outlook.left > 0:
            likely = outlook.likely
            terms["dividends to come"] = likely * outlook.dividends() * outlook.lasting_income(seat)
            terms["money still to be spent"] = likely * outlook.money(outlook.cash[seat])
        return terms

    def look_ahead(self, state: Gmo) -> Outlook:
        """The outlook when the action under way has ended. An auction counts as won by the leader."""
        outlook, phase, passes = Outlook(self, state), state.phase, state.passes
        if isinstance(phase, ShareAuction):
            passes = 0 if outlook.sell(phase) else passes + 1
        elif isinstance(phase, ColorChoice):
            passes = 0 if outlook.found(phase.railroad, phase.actor, phase.price) else passes + 1
        elif isinstance(phase, Building):
            outlook.build(phase)
            passes = 0
        outlook.likely = (1.0 - passes / state.players) ** FADING
        return outlook

    def rate(self, left: float) -> float:
        """What a dollar earns while `left` railroads are still to be founded."""
        return self.points_a_dollar * (1.0 + self.growth * left)

    def charters_left(self, state: Gmo) -> float:
        """About how many railroads will be founded before the last colour is on the map."""
        missing = [cubes for color, cubes in enumerate(state.supply) if not state.laid[color]]
        if not missing:
            return 0.0
        last = min(missing)
        before = 0
        for cubes in state.supply:
            if cubes > last:
                before += cubes - last
        return 1.0 + before / self.cubes_a_charter


class Outlook:
    """What each seat will have after the action under way: points with those for the track now built, and cash.

    `shares` counts what pays each seat at a dividend, `alone` the charters among them that pay more, since their common
    share is unsold; `left` railroads are still to be founded, if, as is `likely` or not, the game lasts until then.
    """

    def __init__(self, judge: GmoJudge, state: Gmo) -> None:
        self.judge: Final = judge
        self.state: Final = state
        self.points: Final = [float(scored) for scored in state.points]
        self.cash: Final = state.cash[:]
        self.shares: Final = [0] * state.players
        self.alone: Final = [0] * state.players
        self.more: Final = state.board.dividend_alone - state.board.dividend_shared
        self.left: float = judge.charters_left(state)
        self.likely: float = 1.0
        self.sales: int = state.marker
        for rr, president in enumerate(state.president):
            if president >= 0:
                self.shares[president] += 1
                if state.holder[rr] < 0:
                    self.alone[president] += 1
                else:
                    self.shares[state.holder[rr]] += 1

    def sell(self, auction: ShareAuction) -> bool:
        """The leader takes the share at the highest bid, unless it is a charter that this money cannot complete."""
        seat, price, rr = auction.leader, auction.highest, auction.railroad
        if seat < 0:
            return True  # it will be opened
        if auction.kind == CHARTER and not self.found(rr, seat, price):
            return False
        self.cash[seat] -= price
        if auction.kind == CHARTER:
            return True
        board, state = self.state.board, self.state
        self.points[seat] += promised(track_table(state, rr, MOST_CUBES_AHEAD), price // board.cube_cost)
        self.alone[state.president[rr]] -= 1
        self.shares[seat] += 1
        self.sales += 1
        if self.sales == board.sales_to_dividend:
            self.sales = 0
            for each in range(state.players):
                self.cash[each] += self.income(each)
        return True

    def found(self, rr: int, seat: int, price: int) -> bool:
        """The seat completes the railroad with this money, if it can."""
        state = self.state
        gain = promised(charter_table(state, rr), price // state.board.cube_cost)
        if gain <= 0:
            return False
        self.points[seat] += gain
        if not state.chartered >> rr & 1:
            self.shares[seat] += 1
            self.alone[seat] += 1
        self.left -= 1
        return True

    def build(self, phase: Building) -> None:
        """The seat continues to build as well as the money allows."""
        state, seat, rr = self.state, phase.actor, phase.railroad
        cubes = phase.cubes(state)
        if isinstance(phase, CharterBuild):
            self.left -= 1
            table = track_table(state, rr, cubes) if state.track[rr] else home_table(state, rr)
            self.points[seat] += promised(table, cubes)
        elif isinstance(phase, Expansion):
            self.points[seat] += self.best_expansion(seat, track_table(state, rr, cubes))
        else:
            self.points[seat] += promised(track_table(state, rr, cubes), cubes)

    def best_expansion(self, seat: int, table: list[int]) -> float:
        """The points of further track beyond what its price is worth otherwise."""
        cash, cost = self.cash[seat], self.state.board.cube_cost
        have = self.money(cash)
        best = 0.0
        for cubes, points in enumerate(table):
            gain = points + self.money(cash - cubes * cost) - have
            if gain > best:
                best = gain
        return best

    def money(self, cash: int) -> float:
        """The points that money will earn, as long as there is time to spend it."""
        judge = self.judge
        useful = judge.spending * self.left / self.state.players
        spent = float(cash) if cash <= useful else useful + judge.idle_money * (cash - useful)
        return spent * judge.rate(self.left)

    def income(self, seat: int) -> int:
        """What a seat gets at a dividend now."""
        return self.state.board.dividend_shared * self.shares[seat] + self.more * self.alone[seat]

    def lasting_income(self, seat: int) -> float:
        """What a seat gets at the dividends to come, on the average."""
        return self.income(seat) - (1.0 - self.judge.lasting) * self.more * self.alone[seat]

    def dividends(self) -> float:
        """The points that a dollar of income will earn, dividend by dividend."""
        judge = self.judge
        charters = self.left + judge.last_charters
        dividends = judge.dividends_a_charter * charters + self.sales / (2 * self.state.board.sales_to_dividend)
        return judge.rate(self.left / 2) * dividends


# What track is worth: points by the number of cubes that are paid for


def promised(table: list[int], cubes: int) -> int:
    """The points of a table for this many cubes."""
    if not table or cubes <= 0:
        return 0
    return table[cubes if cubes < len(table) else -1]


MOST_TABLES: Final = 20_000
"""How many tables of each kind are kept with a board."""


class Tables:
    """Tables of one kind found before, by all that they depend on.

    A search asks for the same track again and again, laid in another order or at another bid.
    """

    def __init__(self) -> None:
        self.found: Final[dict[tuple[int, ...], list[int]]] = {}

    def keep(self, key: tuple[int, ...], table: list[int]) -> None:
        if len(self.found) >= MOST_TABLES:
            self.found.clear()
        self.found[key] = table


def tables_of(board: GmoBoard, kind: str) -> Tables:
    """The tables of one kind, which are kept with their board."""
    tables = board.derived.get(kind)
    if not isinstance(tables, Tables):
        tables = Tables()
        board.derived[kind] = tables
    return tables


def charter_table(state: Gmo, rr: int) -> list[int]:
    """A new railroad in the best colour it may have, from its best home."""
    tables, key = tables_of(state.board, "charters"), (rr, *state.supply, *state.laid)
    table = tables.found.get(key)
    if table is None:
        table = []
        for color in state.top_colors():
            cubes = min(MOST_CUBES_AHEAD, state.supply[color] - 1)
            table = better(table, best_home(state, rr, state.shadow(color), cubes))
        tables.keep(key, table)
    return table


def track_table(state: Gmo, rr: int, cubes: int) -> list[int]:
    """Further track of a railroad, with at most `cubes` cubes."""
    most = min(cubes, state.supply[state.color[rr]], MOST_CUBES_AHEAD)
    tables = tables_of(state.board, "tracks")
    key = (rr, most, state.track[rr], state.barred[rr], state.met[rr], *state.laid)
    table = tables.found.get(key)
    if table is None:
        table = plan(state, state.track[rr], state.barred[rr] | state.full, state.met[rr], [0], most)
        tables.keep(key, table)
    return table


def home_table(state: Gmo, rr: int) -> list[int]:
    """A new railroad that has its colour but no cube on the map yet."""
    color = state.color[rr]
    return best_home(state, rr, state.barred[rr], min(MOST_CUBES_AHEAD, state.supply[color]))


def best_home(state: Gmo, rr: int, shadow: int, cubes: int) -> list[int]:
    """The better of its homes; a railroad that cannot join two cities with a number of cubes gets nothing for it."""
    board, grid = state.board, state.board.grid
    best: list[int] = []
    for n in board.homes[rr]:
        if shadow & grid.bit[n] or not state.may_open(rr, n):
            continue
        colors = state.colors_in(n)
        first = board.charter_points + board.bonus[rr] + board.points[n] + board.color_points * colors.bit_count()
        for most in range(2, cubes + 1):  # little money is best spent on a near city, more perhaps on a far one
            table = plan(state, grid.bit[n], shadow | state.full, colors, [0, first], most)
            best = better(best, [points if points > first else 0 for points in table])
    return best


def better(one: list[int], other: list[int]) -> list[int]:
    """The higher of two tables, cube by cube."""
    if len(one) < len(other):
        one, other = other, one
    return [max(points, promised(other, cubes)) for cubes, points in enumerate(one)]


def plan(state: Gmo, track: int, closed: int, met: int, table: list[int], cubes: int) -> list[int]:
    """Lay track to the city with the most points a cube, again and again; add the points after each cube to a table."""
    while len(table) <= cubes:
        target = Target(state, track, closed, met, cubes - len(table) + 1)
        if not target.steps:
            break
        table += [table[-1]] * (target.steps - 1) + [table[-1] + target.points]
        met |= state.colors_in(target.city)
        track |= target.way(state)
    return table


class Target:
    """The city that gives a railroad the most points a cube; `steps` is 0 if none can be reached."""

    def __init__(self, state: Gmo, track: int, closed: int, met: int, cubes: int) -> None:
        self.city = self.steps = self.points = 0
        self.rings = [track]
        board, grid = state.board, state.board.grid
        most = most_in_a_city(state, met)
        seen = closed | track
        for steps in range(1, cubes + 1):
            ring = grid.spread(self.rings[-1]) & ~seen
            if not ring or self.points * steps >= most * self.steps > 0:
                return  # the end of the land, or what lies beyond can be no better
            seen |= ring
            self.rings.append(ring)
            for n in grid.hexes(ring & board.cities):
                points = board.points[n] + board.color_points * (state.colors_in(n) & ~met).bit_count()
                if points * self.steps > self.points * steps or not self.steps:
                    self.city, self.steps, self.points = n, steps, points

    def way(self, state: Gmo) -> int:
        """The hexes of a shortest way there."""
        grid, n = state.board.grid, self.city
        hexes = grid.bit[n]
        for k in range(self.steps - 1, 0, -1):
            n = grid.size - (grid.near[n] & self.rings[k]).bit_length()
            hexes |= grid.bit[n]
        return hexes


def most_in_a_city(state: Gmo, met: int) -> int:
    """No city can score more for a railroad that has met these colours."""
    most = max(state.board.points)
    for color, hexes in enumerate(state.laid):
        if hexes and not met >> color & 1:
            most += state.board.color_points
    return most
