"""What a position of Baltimore & Ohio is worth to each seat: an estimate of its score at the end.

Each railroad is taken through a quick plan: what its equipment and track earn, and what its treasury could add by
buying cards and reaching the nearest cities. A share is worth its dividends until then and its value at the end.
"""

from __future__ import annotations

from typing import Final

from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.business import outcome
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, Profit, Service

CARDS_A_SET: Final = 3.2
LEAST_SETS: Final = 0.35
"""Even when only one card is missing, somebody has to buy it."""
STALLED_SETS: Final = 2.5
"""How much longer it takes while no railroad has any money for it."""
USUAL_SETS: Final = 8
PATIENCE: Final = 6.0
"""So many sets later nobody counts on future dividends any more."""
EAGERNESS: Final = 100.0
"""From then on, what each card that is missing costs, times the sets beyond the usual."""
SALE_COST: Final = 25.0
"""What each railroad sold in a Market Round costs beside the drop: others answer, and it cannot be bought again."""
FAR: Final = 3
"""Cities farther away than this many hexes are nobody's plan."""
STEPS: Final = 16
PAYOUT: Final = 0.85
"""The part of future profits that reaches the shareholders."""
IDLE_DOLLAR: Final = 0.05
"""What a dollar without a plan adds to the net income: later cards and cities."""
USEFUL_IDLE: Final = 600
SAVED_PART: Final = 0.8
"""How much of a card's gain counts in advance while its price is being saved."""
NET_A_BOX: Final = 22.0
"""How much more net income makes for one more box of value."""
RISES_A_TURN: Final = 0.75
DECLINE: Final = 0.5
"""What is left of a share in a railroad that cannot become profitable: its president must give shares back."""
IMPATIENCE: Final = 1.0
"""How much net income a plan must add for each turn that it takes longer."""
LOOK_AHEAD: Final = 2
"""Equipment is judged by what it nets at the present tech and at this many to come."""
MOST_KEPT: Final = 50_000


def worth(state: State) -> list[float]:
    """For each seat the score it is likely to end with. A profit not yet decided on counts as paid."""
    assert isinstance(state, BaltimoreOhio)
    game: BaltimoreOhio = state
    if game.phase.actor < -1:
        return [float(score) for score in game.scores()]
    values = [float(cash) for cash in game.cash]
    knowledge = know(game.board)
    later, full = 2.0 * sets_after_this(game), game.full()
    for rr in game.line:
        share = knowledge.share(game, rr, turns_in_this_set(game, rr) + later, full)
        for seat, held in enumerate(game.holdings(rr)):
            values[seat] += held * share
    phase = game.phase
    if isinstance(phase, Profit):
        for seat, cash in enumerate(outcome(game, phase.railroad, phase.net, True).cash):
            values[seat] += cash
    if game.business == 0:
        for seat, sold in enumerate(game.sold):
            values[seat] -= SALE_COST * sold.bit_count()
    if game.sets > USUAL_SETS:
        hasten(game, values)
    return values


def hasten(game: BaltimoreOhio, values: list[float]) -> None:
    """In a long game whoever controls the railroads would like to see it end: each missing card costs something."""
    missing = cards_missing(game)
    if missing <= 0:
        return
    saved = min(1.0, max(game.treasury) / game.board.card_cost[game.deck])
    for rr in game.line:
        values[game.president[rr]] -= EAGERNESS * (game.sets - USUAL_SETS) * (missing - saved) / len(game.line)


def cards_missing(game: BaltimoreOhio) -> int:
    """How many cards must still be bought until the last tech begins."""
    return game.board.card_tech.index(game.board.end_tech) + 1 - game.deck


def sets_after_this(game: BaltimoreOhio) -> float:
    """About how many sets will follow the present one."""
    missing = cards_missing(game)
    if missing <= 0:
        return 0.0
    present = 1.0 - game.business / 3.0
    left = missing / CARDS_A_SET - present
    least = LEAST_SETS
    if left < STALLED_SETS and game.line:
        richest, price = max(game.treasury), game.board.card_cost[game.deck]
        if richest < price:
            least += STALLED_SETS * (1.0 - (richest / price) ** 6)
    patience = 1.0 - max(0, game.sets - USUAL_SETS) / PATIENCE
    return max(left, least) * max(0.0, patience)


def turns_in_this_set(game: BaltimoreOhio, rr: int) -> float:
    """The Business turns that a railroad still has in this set, the present one included."""
    if game.business == 0:
        return 2.0
    phase = game.phase
    acting = isinstance(phase, (BusinessTurn, Service, Profit)) and phase.railroad == rr
    return 2.0 - game.business + (1.0 if acting or rr in game.queue else 0.0)


def share_value(game: BaltimoreOhio, rr: int, plan: Plan, turns: float) -> float:
    """The dividends of one share until the end, and what it will then be worth."""
    board, now, gain = game.board, plan.now, plan.target - plan.now
    if turns <= 0.0:
        return float(game.value(rr))
    box = game.box[rr] - 1.0 if game.orphans[rr] and game.business == 0 else float(game.box[rr])
    # The gain comes step by step while the plan is carried out
    part = turns / (2.0 * plan.delay) if turns < plan.delay else 1.0 - plan.delay / (2.0 * turns)
    mean = now + gain * part
    if mean <= 0.0:
        return DECLINE * value_at(board, box - board.unprofitable * min(turns, 4.0))
    reached = now + gain * min(1.0, turns / plan.delay)
    rises = max(-2.0, min(RISES_A_TURN * turns, (reached - game.net[rr]) / NET_A_BOX))
    return PAYOUT * turns * mean / board.shares + value_at(board, box + rises)


def value_at(board: BaltimoreOhioBoard, box: float) -> float:
    """The value of a box, and in proportion between two of them."""
    if box <= 0.0:
        return float(board.values[0])
    if box >= board.top:
        return float(board.values[board.top])
    low = int(box)
    return board.values[low] + (box - low) * (board.values[low + 1] - board.values[low])


class Plan:
    """What a railroad earns a turn `now`, what it could earn, and in how many turns."""

    def __init__(self, now: float, target: float, delay: float) -> None:
        self.now: Final = now
        self.target: Final = target
        self.delay: Final = delay


class Site:
    """A city within reach: how many hexes away, and what building there costs."""

    def __init__(self, city: int, hops: int, cost: int) -> None:
        self.city: Final = city
        self.hops: Final = hops
        self.cost: Final = cost


class Knowledge:
    """What can be worked out of a board once: ways to its cities, and answers found before."""

    def __init__(self, board: BaltimoreOhioBoard) -> None:
        self.board: Final = board
        grid = board.grid
        self.cities: Final = grid.hexes(board.cities)
        self.rings: Final[list[list[int]]] = []
        self.costs: Final[list[list[int]]] = []
        for city in self.cities:
            self.rings.append(_rings(board, city))
            self.costs.append(_costs(board, city))
        self._sites: Final[dict[int, list[Site]]] = {}
        self._plans: Final[dict[tuple[int, int, int, int, int, int, int, int], Plan]] = {}
        self._shares: Final[
            dict[tuple[int, int, int, tuple[int, ...], tuple[int, int, int, int, int, bool], float], float]
        ] = {}
        self._incomes: Final[dict[tuple[int, int, int], int]] = {}

    def sites(self, track: int) -> list[Site]:
        """The cities near this track, the nearest first."""
        found = self._sites.get(track)
        if found is None:
            if len(self._sites) > MOST_KEPT:
                self._sites.clear()
            found = self._find_sites(track)
            self._sites[track] = found
        return found

    def _find_sites(self, track: int) -> list[Site]:
        bit, size = self.board.grid.bit, self.board.grid.size
        near: list[list[Site]] = [[] for _ in range(FAR)]
        for k, city in enumerate(self.cities):
            if track & bit[city]:
                continue
            for hops, ring in enumerate(self.rings[k]):
                close = track & ring
                if close:
                    cost = 1000
                    while close:
                        n = size - close.bit_length()
                        close ^= bit[n]
                        if self.costs[k][n] < cost:
                            cost = self.costs[k][n]
                    near[hops].append(Site(city, hops + 1, cost))
                    break
        return [site for ring_sites in near for site in ring_sites]

    def income(self, track: int, capacity: int, tech: int) -> int:
        """What the best cities of this track earn with capacity for so many."""
        key = (track, capacity, tech)
        total = self._incomes.get(key)
        if total is None:
            if len(self._incomes) > MOST_KEPT:
                self._incomes.clear()
            incomes, bit = self.board.income[tech], self.board.grid.bit
            best = [incomes[n] for n in self.board.ranked[tech] if track & bit[n]]
            total = sum(best[:capacity])
            self._incomes[key] = total
        return total

    def share(self, game: BaltimoreOhio, rr: int, turns: float, full: int) -> float:
        """What a share of a railroad is worth, if the railroad has so many turns to come."""
        first = rr * game.board.levels
        shut = full | game.board.barred[game.fulfilled][rr]
        counters = game.coal[rr] * 2 + (game.timber == rr)
        pressed = game.business == 0 and game.orphans[rr] > 0
        equipment = tuple(game.equipment[first : first + game.board.levels])
        standing = (game.box[rr], game.net[rr], game.treasury[rr], game.deck, counters, pressed)
        key = (rr, game.track[rr], shut, equipment, standing, turns)
        value = self._shares.get(key)
        if value is None:
            if len(self._shares) > MOST_KEPT:
                self._shares.clear()
            value = share_value(game, rr, self.plan(game, rr, shut), turns)
            self._shares[key] = value
        return value

    def plan(self, game: BaltimoreOhio, rr: int, shut: int) -> Plan:
        """The prospects of a railroad for which these cities are shut."""
        counters = game.coal[rr] * 2 + (game.timber == rr)
        cards, capacity = sum(game.cards(rr)), game.capacity(rr)
        key = (rr, game.track[rr], shut, game.treasury[rr], cards, capacity, game.deck, counters)
        plan = self._plans.get(key)
        if plan is None:
            if len(self._plans) > MOST_KEPT:
                self._plans.clear()
            plan = self._make_plan(game, rr, cards, capacity, shut)
            self._plans[key] = plan
        return plan

    def _make_plan(self, game: BaltimoreOhio, rr: int, cards: int, capacity: int, shut: int) -> Plan:
        """Card after card and city after city while the treasury lasts, stopped where it pays best."""
        board, track, tech = self.board, game.track[rr], game.tech
        now = float(self.net(game, rr, track, cards, capacity, tech))
        money, deck, cubes = game.treasury[rr], game.deck, game.cubes[rr]
        sites = [site for site in self.sites(track) if not shut & board.grid.bit[site.city]]
        owned = (track & board.cities).bit_count()
        delay, next_site = 1.0, 0
        best = Plan(now, self._outlook(game, rr, track, cards, capacity, tech, deck, money), delay)
        for _ in range(STEPS):
            if capacity > owned and next_site < len(sites):
                site = sites[next_site]
                next_site += 1
                if site.cost > money or site.hops > cubes:
                    continue
                money -= site.cost
                cubes -= site.hops
                delay += site.hops / board.builds[tech]
                owned += 1
                track |= board.grid.bit[site.city]
            elif capacity <= owned and deck < len(board.card_cost) and board.card_cost[deck] <= money:
                money -= board.card_cost[deck]
                tech = board.card_tech[deck]
                capacity += tech
                cards += 1
                deck += 1
            else:
                break
            target = self._outlook(game, rr, track, cards, capacity, tech, deck, money)
            if target - best.target > IMPATIENCE * (delay - best.delay):
                best = Plan(now, target, delay)
        return best

    def _outlook(
        self, game: BaltimoreOhio, rr: int, track: int, cards: int, capacity: int, tech: int, deck: int, money: int
    ) -> float:
        """The net income at this tech and the next ones, and what the money that is left may still add."""
        board = self.board
        planned = self.net(game, rr, track, cards, capacity, tech)
        last = board.end_tech - 1 if tech < board.end_tech else tech
        total = planned
        for ahead in range(1, LOOK_AHEAD + 1):
            total += self.net(game, rr, track, cards, capacity, min(tech + ahead, last))
        target = total / (LOOK_AHEAD + 1.0)
        if planned <= 0:
            return target
        more = IDLE_DOLLAR * min(money, USEFUL_IDLE) if game.cubes[rr] else 0.0
        if deck < len(board.card_cost) and money < board.card_cost[deck]:
            card = board.card_tech[deck]
            gain = self.net(game, rr, track, cards + 1, capacity + card, card) - planned
            more = max(more, SAVED_PART * gain * money / board.card_cost[deck])
        return target + more

    def net(self, game: BaltimoreOhio, rr: int, track: int, cards: int, capacity: int, tech: int) -> int:
        """The net income of a railroad if it had this track and equipment at this tech."""
        board = self.board
        if not cards:
            return 0
        timber = board.timber_pays[tech] if game.timber == rr else 0
        counters = game.coal[rr] * board.coal_pays + timber
        return self.income(track, capacity, tech) + counters - cards * board.maintenance[tech]


def _rings(board: BaltimoreOhioBoard, city: int) -> list[int]:
    """The hexes one, two, three hexes away from a city."""
    grid = board.grid
    seen = grid.bit[city]
    rings: list[int] = []
    for _ in range(FAR):
        ring = grid.spread(seen) & ~seen
        rings.append(ring)
        seen |= ring
    return rings


def _costs(board: BaltimoreOhioBoard, city: int) -> list[int]:
    """What it costs to build from each hex to a city, the city included and the hex not."""
    grid = board.grid
    costs = [1000] * grid.size
    costs[city] = 0
    edge = [city]
    while edge:
        wider: list[int] = []
        for n in edge:
            through = costs[n] + board.cost[n]
            for other in grid.neighbours[n]:
                if through < costs[other]:
                    costs[other] = through
                    wider.append(other)
        edge = wider
    return costs


_known: Final[dict[int, Knowledge]] = {}


def know(board: BaltimoreOhioBoard) -> Knowledge:
    """What is known of a board, found once."""
    knowledge = _known.get(id(board))
    if knowledge is None:
        knowledge = Knowledge(board)
        _known[id(board)] = knowledge
    return knowledge
