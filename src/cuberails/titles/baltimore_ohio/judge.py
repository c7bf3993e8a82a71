"""What a position of Baltimore & Ohio is worth to each seat: an estimate of its score at the end.

Each railroad is taken through a quick plan: what its equipment and track earn, and what its treasury could add by
buying cards and reaching the nearest cities. A share is worth its dividends until then and its value at the end.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, TypeAlias

from cuberails.core.judge import Judge
from cuberails.core.state import NOBODY, State
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.business import outcome
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, Profit, Service
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

FAR: Final = 3
"""Cities more than this many hexes away are in no plan."""
STEPS: Final = 16
"""How many cards and cities a plan can have."""
LOOK_AHEAD: Final = 2
"""Equipment is judged by what it nets at the present tech and at this many to come."""
USUAL_SETS: Final = 12.0
"""Games should not last longer: after this number of sets hope of dividends fades, and a missing card costs."""
PATIENCE: Final = 6.0
"""Within this number of further sets the hope is gone."""
EAGERNESS: Final = 100.0
"""What each missing card costs for every further set, less what one has saved for it."""
MOST_KEPT: Final = 50_000
"""How many answers of each kind are kept."""

PlanKey: TypeAlias = tuple[int, int, int, int, int, int, int, int]
ShareKey: TypeAlias = tuple[int, int, int, tuple[int, ...], tuple[int, int, int, int, int, bool], float]


class BaltimoreOhioJudge(Judge):
    """What positions of Baltimore & Ohio are worth.

    How long it lasts: `cards_a_set` are bought, and it takes at least `least_sets` until somebody buys the last card.

    What railroads earn: the part `payout` of profits reaches the shareholders. The part `gained` of what a plan adds
    to the net income comes true, and each cube not yet built adds `room` in every turn. A dollar without a plan adds
    `idle_dollar`, up to `useful_idle`; a card being saved for counts `saved_part` of its gain. A plan must add
    `impatience` for each turn that it takes longer.

    What shares become: `net_a_box` more net income makes one more box of value, at most `rises_a_turn`. The part
    `decline` is left of a share in a railroad that cannot become profitable: its president must give shares back. Each
    railroad sold in a Market Round costs `sale_cost` beside the drop: others answer, and it cannot be bought again.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__(weights)
        self.cards_a_set: Final = weights["cards_a_set"]
        self.least_sets: Final = weights["least_sets"]
        self.sale_cost: Final = weights["sale_cost"]
        self.payout: Final = weights["payout"]
        self.gained: Final = weights["gained"]
        self.room: Final = weights["room"]
        self.idle_dollar: Final = weights["idle_dollar"]
        self.useful_idle: Final = weights["useful_idle"]
        self.saved_part: Final = weights["saved_part"]
        self.net_a_box: Final = weights["net_a_box"]
        self.rises_a_turn: Final = weights["rises_a_turn"]
        self.decline: Final = weights["decline"]
        self.impatience: Final = weights["impatience"]
        self._board: BaltimoreOhioBoard | None = None  # what plans and shares are known of
        self._plans: Final[dict[PlanKey, Plan]] = {}
        self._shares: Final[dict[ShareKey, float]] = {}

    def worth(self, position: State) -> list[float]:
        """For each seat the score it is likely to end with. A profit not yet decided on counts as paid."""
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        if state.phase.actor == NOBODY:
            return [float(score) for score in state.scores()]
        values = [float(cash) for cash in state.cash]
        later, full = 2.0 * self.sets_after_this(state), state.full()
        for rr in state.line:
            share = self.share(state, rr, turns_in_this_set(state, rr) + later, full)
            for seat, held in enumerate(state.holdings(rr)):
                values[seat] += held * share
        phase = state.phase
        if isinstance(phase, Profit):
            for seat, cash in enumerate(outcome(state, phase.railroad, phase.net, True).cash):
                values[seat] += cash
        if state.round.business == 0:
            for seat, sold in enumerate(state.round.sold):
                values[seat] -= self.sale_cost * sold.bit_count()
        if state.round.sets > USUAL_SETS:
            for seat, haste in enumerate(self.haste(state)):
                values[seat] -= haste
        return values

    def terms(self, position: State, seat: int) -> dict[str, float]:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        if state.phase.actor == NOBODY:
            return {"cash and shares": float(state.scores()[seat])}
        terms = {"cash": float(state.cash[seat])}
        later, full = 2.0 * self.sets_after_this(state), state.full()
        for rr in state.line:
            held = state.holdings(rr)[seat]
            if held:
                share = self.share(state, rr, turns_in_this_set(state, rr) + later, full)
                terms[f"{state.board.railroads[rr]} shares"] = held * share
        phase = state.phase
        if isinstance(phase, Profit):
            terms["profit to be paid"] = float(outcome(state, phase.railroad, phase.net, True).cash[seat])
        if state.round.business == 0 and state.round.sold[seat]:
            terms["railroads sold"] = -self.sale_cost * state.round.sold[seat].bit_count()
        if state.round.sets > USUAL_SETS:
            terms["time lost"] = -self.haste(state)[seat]
        return terms

    def haste(self, state: BaltimoreOhio) -> list[float]:
        """What a long game costs each seat: the missing cards, less what its richest railroad has saved for one."""
        missing = cards_missing(state)
        if missing <= 0:
            return [0.0] * state.players
        saved = [0.0] * state.players
        price = state.board.card_cost[state.deck]
        for rr in state.line:
            part = min(1.0, state.treasury[rr] / price)
            if part > saved[state.president[rr]]:
                saved[state.president[rr]] = part
        a_card = EAGERNESS * (state.round.sets - USUAL_SETS)
        return [a_card * (missing - part) for part in saved]

    def sets_after_this(self, state: BaltimoreOhio) -> float:
        """About how many sets will follow the present one."""
        missing = cards_missing(state)
        if missing <= 0:
            return 0.0
        present = 1.0 - state.round.business / 3.0
        left = max(self.least_sets, missing / self.cards_a_set - present)
        hope = 1.0 - max(0.0, state.round.sets - USUAL_SETS) / PATIENCE
        return left * max(0.0, hope)

    def share(self, state: BaltimoreOhio, rr: int, turns: float, full: int) -> float:
        """What a share of a railroad is worth, if the railroad has `turns` to come."""
        first = rr * state.board.levels
        shut = full | state.board.barred[state.fulfilled][rr]
        counters = state.coal[rr] * 2 + (state.timber == rr)
        pressed = state.round.business == 0 and state.orphans[rr] > 0
        equipment = tuple(state.equipment[first : first + state.board.levels])
        standing = (state.box[rr], state.net[rr], state.treasury[rr], state.deck, counters, pressed)
        if state.board is not self._board:
            self._forget(state.board)
        key = (rr, state.track[rr], shut, equipment, standing, turns)
        value = self._shares.get(key)
        if value is None:
            if len(self._shares) > MOST_KEPT:
                self._shares.clear()
            value = self.share_value(state, rr, self.plan(state, rr, shut), turns)
            self._shares[key] = value
        return value

    def _forget(self, board: BaltimoreOhioBoard) -> None:
        """Another board begins: what is known of the last one is of no use there."""
        self._board = board
        self._plans.clear()
        self._shares.clear()

    def plan(self, state: BaltimoreOhio, rr: int, shut: int) -> Plan:
        """The prospects of a railroad for which these cities are shut."""
        counters = state.coal[rr] * 2 + (state.timber == rr)
        cards, capacity = sum(state.cards(rr)), state.capacity(rr)
        if state.board is not self._board:
            self._forget(state.board)
        key = (rr, state.track[rr], shut, state.treasury[rr], cards, capacity, state.deck, counters)
        plan = self._plans.get(key)
        if plan is None:
            if len(self._plans) > MOST_KEPT:
                self._plans.clear()
            plan = self._make_plan(state, rr, cards, capacity, shut)
            self._plans[key] = plan
        return plan

    def _make_plan(self, state: BaltimoreOhio, rr: int, cards: int, capacity: int, shut: int) -> Plan:
        """Card after card and city after city while the treasury lasts, stopped where it pays best."""
        board, track, tech = state.board, state.track[rr], state.tech
        geography = geography_of(board)
        now = float(geography.net(state, rr, track, cards, capacity, tech))
        money, deck, cubes = state.treasury[rr], state.deck, state.cubes[rr]
        sites = [site for site in geography.sites(track) if not shut & board.grid.bit[site.city]]
        owned = (track & board.cities).bit_count()
        delay, next_site = 1.0, 0
        best = Plan(now, self._outlook(state, rr, track, cards, capacity, tech, deck, money), delay)
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
            target = self._outlook(state, rr, track, cards, capacity, tech, deck, money)
            if target - best.target > self.impatience * (delay - best.delay):
                best = Plan(now, target, delay)
        return best

    def _outlook(
        self, state: BaltimoreOhio, rr: int, track: int, cards: int, capacity: int, tech: int, deck: int, money: int
    ) -> float:
        """The net income at this tech and the next ones, and what the money that is left may still add."""
        board = state.board
        geography = geography_of(board)
        planned = geography.net(state, rr, track, cards, capacity, tech)
        last = board.end_tech - 1 if tech < board.end_tech else tech
        total = planned
        for ahead in range(1, LOOK_AHEAD + 1):
            total += geography.net(state, rr, track, cards, capacity, min(tech + ahead, last))
        target = total / (LOOK_AHEAD + 1.0)
        if planned <= 0:
            return target
        more = self.idle_dollar * min(float(money), self.useful_idle) if state.cubes[rr] else 0.0
        if deck < len(board.card_cost) and money < board.card_cost[deck]:
            card = board.card_tech[deck]
            gain = geography.net(state, rr, track, cards + 1, capacity + card, card) - planned
            more = max(more, self.saved_part * gain * money / board.card_cost[deck])
        return target + more

    def share_value(self, state: BaltimoreOhio, rr: int, plan: Plan, turns: float) -> float:
        """The dividends of one share until the end, and what it will then be worth."""
        board, now, gain = state.board, plan.now, self.gained * (plan.target - plan.now)
        if turns <= 0.0:
            return float(state.value(rr))
        box = state.box[rr] - 1.0 if state.orphans[rr] and state.round.business == 0 else float(state.box[rr])
        # The gain comes step by step while the plan is carried out
        part = turns / (2.0 * plan.delay) if turns < plan.delay else 1.0 - plan.delay / (2.0 * turns)
        mean = now + gain * part
        if mean <= 0.0:
            return self.decline * value_at(board, box - board.unprofitable * min(turns, 4.0))
        growth = self.room * state.cubes[rr] * turns
        reached = now + gain * min(1.0, turns / plan.delay) + growth
        rises = max(-2.0, min(self.rises_a_turn * turns, (reached - state.net[rr]) / self.net_a_box))
        return self.payout * turns * (mean + growth / 2.0) / board.shares + value_at(board, box + rises)


def cards_missing(state: BaltimoreOhio) -> int:
    """How many cards must still be bought until the last tech begins."""
    return state.board.card_tech.index(state.board.end_tech) + 1 - state.deck


def turns_in_this_set(state: BaltimoreOhio, rr: int) -> float:
    """The Business turns that a railroad still has in this set, the present one included."""
    if state.round.business == 0:
        return 2.0
    phase = state.phase
    acting = isinstance(phase, (BusinessTurn, Service, Profit)) and phase.railroad == rr
    return 2.0 - state.round.business + (1.0 if acting or rr in state.queue else 0.0)


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


class Geography:
    """What can be worked out of a board, the same for all weights: ways to its cities, and answers found before."""

    def __init__(self, board: BaltimoreOhioBoard) -> None:
        self.board: Final = board
        grid = board.grid
        self.cities: Final = grid.hexes(board.cities)
        self.rings: Final[list[list[int]]] = []
        self.costs: Final[list[list[int]]] = []
        for city in self.cities:
            self.rings.append(grid.rings(city, FAR))
            self.costs.append(_costs(board, city))
        self._sites: Final[dict[int, list[Site]]] = {}
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
        """What the best cities of this track earn, as many as the capacity allows."""
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

    def net(self, state: BaltimoreOhio, rr: int, track: int, cards: int, capacity: int, tech: int) -> int:
        """The net income of a railroad if it had this track and equipment at this tech."""
        board = self.board
        if not cards:
            return 0
        timber = board.timber_pays[tech] if state.timber == rr else 0
        counters = state.coal[rr] * board.coal_pays + timber
        return self.income(track, capacity, tech) + counters - cards * board.maintenance[tech]


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


def geography_of(board: BaltimoreOhioBoard) -> Geography:
    """What was worked out of a board, which is kept with it."""
    geography = board.derived.get("geography")
    if not isinstance(geography, Geography):
        geography = Geography(board)
        board.derived["geography"] = geography
    return geography
