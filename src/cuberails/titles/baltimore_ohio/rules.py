"""Baltimore & Ohio: the rules, in the order of rules.md, whose numbers stand in brackets.

Here are the sequence of play and the points of decision. What trades may and do is in market.py (B5 to B7), what the
steps of a Business turn may and do in business.py (B9 to B15), what belongs to both (B4, B8, B11.5) in state.py.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Chosen, Dividend, Ended, Received
from cuberails.core.state import CHANCE, Over, Phase, Refusal
from cuberails.titles.baltimore_ohio.board import (
    BUILD,
    BUY,
    BUY_ORPHANS,
    BUYBACK,
    DONE,
    ORDER,
    PASS,
    PAY,
    PURCHASE,
    RETAIN,
    SCRAP,
    SELL,
    SERVE,
    START,
    TAKE_COAL,
    TAKE_TIMBER,
    BaltimoreOhioBoard,
)
from cuberails.titles.baltimore_ohio.business import (
    best_income,
    build,
    can_purchase,
    charge_loss,
    coal_income,
    enter_receivership,
    income_of,
    maintenance,
    outcome,
    possible_steps,
    purchase,
    refuse_build,
    refuse_counter,
    refuse_equipment,
    refuse_other,
    refuse_scrap,
    scrap,
    take_coal,
    take_timber,
    timber_hex,
    timber_income,
)
from cuberails.titles.baltimore_ohio.events import Earned, Order, RoundBegun, Served, ShareReturned
from cuberails.titles.baltimore_ohio.market import (
    FROM_HELD,
    FROM_ORPHANS,
    buy,
    buy_back,
    cheapest_start,
    possible_deals,
    refuse_buyback,
    refuse_purchase,
    refuse_sale,
    refuse_start,
    sell,
    start,
)
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio, Round

# The steps of a Business turn
SCRAPPING: Final = 0
PURCHASING: Final = 1
BUILDING: Final = 2


# B1 Setting up


def set_up(board: Board, players: int, options: dict[str, str], rules_version: int) -> BaltimoreOhio:
    """A new game, before the player-order cards are dealt [B1]."""
    assert isinstance(board, BaltimoreOhioBoard)
    state = BaltimoreOhio()
    state.board = board
    state.set_up(players, options, rules_version)
    state.cash = [board.money[players - board.title.least_players]] * players
    state.shares = [0] * (players * board.count)
    state.held = [board.shares] * board.count
    state.orphans = [0] * board.count
    state.treasury = [0] * board.count
    state.president = [-1] * board.count
    state.box = [-1] * board.count
    state.line = []
    state.net = [0] * board.count
    state.equipment = [0] * (board.count * board.levels)
    state.cubes = [cubes - 1 for cubes in board.cubes]
    state.track = [0] * board.count
    state.reach = [0] * board.count
    state.crowd = [0] * board.count
    state.coal = [0] * board.count
    state.coal_left = board.coal
    state.timber = -1
    state.deck = 0
    state.tech = 1
    state.fulfilled = 0
    state.round = Round(0, 0, [], [0] * players)
    state.queue = []
    state.phase = Deal()
    state.settle()
    return state


class Deal(Phase[BaltimoreOhio]):
    """Chance deals the player-order cards, every order alike [B1.5]."""

    rule = "B1.5"

    def __init__(self) -> None:
        self.actor = CHANCE

    def prompt(self, state: BaltimoreOhio) -> str:
        return "Deal the player-order cards"

    def legal(self, state: BaltimoreOhio) -> list[Action]:
        return state.board.orders[state.players]

    def weights(self, state: BaltimoreOhio) -> list[int]:
        return [1] * len(state.board.orders[state.players])

    def take(self, state: BaltimoreOhio, action: Action) -> None:
        order = list(state.board.seatings[state.players][action.a])
        state.round = Round(0, 0, order, state.round.sold)
        if state.listening:
            state.tell(Order("Player order", order))
        begin_market(state)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal | None:
        if action.kind != ORDER:
            return Refusal("B1.5", "the player-order cards are dealt first")
        if action.b != state.players:
            return Refusal("B1.5", f"an order names each of the {state.players} seats once")
        return None


# B2 The sequence of play


def begin_market(state: BaltimoreOhio) -> None:
    """The Market Round begins with card 1 [B3.1]."""
    order = state.round.order
    state.round = Round(state.round.sets + 1, 0, order, [0] * state.players)
    if state.listening:
        state.tell(RoundBegun("Market", state.round.sets))
    state.phase = MarketTurn(order[0], 0, 0, 0, -1, 0)


def end_market(state: BaltimoreOhio) -> None:
    """Orphans press the value [B3.4]; then the railroads do business, if there are any [B2.3]."""
    for rr in state.line[:]:
        if state.orphans[rr]:
            state.revalue(rr, -1, "orphan shares")
    if state.line:
        begin_business(state, 1)
        return
    deal_new_order(state)
    if max(state.cash) < cheapest_start(state):
        end(state, "B2.3", "no railroad is running and nobody can start one")
    else:
        begin_market(state)


def begin_business(state: BaltimoreOhio, number: int) -> None:
    """Railroad order is fixed when the round begins [B9.1]."""
    now = state.round
    state.round = Round(now.sets, number, now.order, now.sold)
    state.queue = state.line
    if state.listening:
        state.tell(RoundBegun("Business", number))
    next_railroad(state)


def next_railroad(state: BaltimoreOhio) -> None:
    """The next in the queue acts; after the last of the second round the set is over [B2.1]."""
    if state.queue:
        rr = state.queue[0]
        state.queue = state.queue[1:]
        state.phase = BusinessTurn(state.president[rr], rr, SCRAPPING, 0)
    elif state.round.business == 1:
        begin_business(state, 2)
    else:
        deal_new_order(state)
        test_end(state)


def deal_new_order(state: BaltimoreOhio) -> None:
    """The least cash gets card 1; who is tied keeps the order [B2.2]."""
    cash, now = state.cash, state.round
    order = [seat for _, seat in sorted((cash[seat] * len(cash) + n, seat) for n, seat in enumerate(now.order))]
    state.round = Round(now.sets, now.business, order, now.sold)
    if state.listening:
        state.tell(Order("New player order", order))


# B3 The Market Round


@mypyc_attr(free_list_len=1)
class MarketTurn(Phase[BaltimoreOhio]):
    """A seat sells, then buys, or a railroad buys back, or the seat passes [B3.1].

    `place` is the seat's place in player order, `passes` those in a row before this turn. `selling` is the set of
    railroads sold in this turn, `buying` the railroad bought or -1, and `sources` where its shares came from.
    """

    rule = "B3.1"

    def __init__(self, actor: int, place: int, passes: int, selling: int, buying: int, sources: int) -> None:
        self.actor = actor
        self.place: Final = place
        self.passes: Final = passes
        self.selling: Final = selling
        self.buying: Final = buying
        self.sources: Final = sources

    def prompt(self, state: BaltimoreOhio) -> str:
        """What is possible now."""
        cash = f"${state.cash[self.actor]} in hand"
        if self.buying >= 0:
            source = "held shares" if self.sources == FROM_ORPHANS else "orphans"
            return f"Buy {source} of {state.board.railroads[self.buying]} too, or done; {cash}"
        return f"{possible_deals(self.legal(state), self.selling != 0)}; {cash}"

    def legal(self, state: BaltimoreOhio) -> list[Action]:
        board, tech = state.board, state.tech
        if self.buying >= 0:
            legal = [board.done]
            self.add_purchases(state, legal, [self.buying])
            return legal
        legal = [board.done if self.selling else board.give_up]
        presiding = self.add_sales(state, legal)
        self.add_purchases(state, legal, state.line)
        if len(state.line) < len(board.available[tech]) and state.cash[self.actor] >= board.least_start[tech]:
            self.add_starts(state, legal)
        if presiding and not self.selling:
            self.add_buybacks(state, legal, presiding)
        return legal

    def add_sales(self, state: BaltimoreOhio, legal: list[Action]) -> int:
        """Each railroad once in a turn, and never its last share [B5.1, B5.2].

        Returns the set of railroads with orphans over which the seat presides, which one sees on the way: a president
        has shares.
        """
        board, orphans, seat, selling = state.board, state.orphans, self.actor, self.selling
        first, presiding = seat * board.count, 0
        for rr, own in enumerate(state.shares[first : first + board.count]):
            if own:
                if not selling >> rr & 1:
                    most = board.shares - state.held[rr] - orphans[rr] - 1
                    legal += board.sell[rr][own if own < most else most]
                if orphans[rr] and state.president[rr] == seat:
                    presiding |= 1 << rr
        return presiding

    def add_buybacks(self, state: BaltimoreOhio, legal: list[Action], presiding: int) -> None:
        """What these railroads can pay for their orphans [B6.4]."""
        while presiding:
            rr = (presiding & -presiding).bit_length() - 1
            most, orphans = state.treasury[rr] // state.value(rr), state.orphans[rr]
            legal += state.board.buyback[rr][orphans if orphans < most else most]
            presiding &= presiding - 1  # without the lowest

    def add_purchases(self, state: BaltimoreOhio, legal: list[Action], line: list[int]) -> None:
        """Held shares and orphans of these railroads, from each source once, unless the seat sold any [B5.5, B6.2]."""
        board, box, cash, used = state.board, state.box, state.cash[self.actor], self.sources
        barred = state.round.sold[self.actor]
        values = board.values
        for rr in line:
            value = values[box[rr]]
            if cash >= value and not barred >> rr & 1:
                most, held, orphans = cash // value, state.held[rr], state.orphans[rr]
                if held and not used & FROM_HELD:
                    legal += board.buy[rr][held if held < most else most]
                if orphans and not used & FROM_ORPHANS:
                    legal += board.buy_orphans[rr][orphans if orphans < most else most]

    def add_starts(self, state: BaltimoreOhio, legal: list[Action]) -> None:
        """The railroads that are not running, at each permitted valuation [B7.1, B7.2, B7.5]."""
        board, tech = state.board, state.tech
        cash = state.cash[self.actor]
        most = bisect_right(board.start_prices[tech], cash)
        fixed = state.options["restart"] != "initial"
        for rr in board.available[tech]:
            if state.box[rr] >= 0:
                continue
            if fixed and state.track[rr]:
                legal += board.restarts[rr][: bisect_right(board.restart_prices, cash)]
            else:
                legal += board.starts[tech][rr][:most]

    def take(self, state: BaltimoreOhio, action: Action) -> None:
        kind, rr = action.kind, action.a
        if kind == PASS:
            self.give_up(state)
        elif kind == DONE:
            if state.listening:
                last = self.buying if self.buying >= 0 else self.selling.bit_length() - 1
                state.tell(Chosen(self.actor, "is done", state.board.railroads[last]))
            self.finish(state)
        elif kind == SELL:
            sell(state, self.actor, rr, action.b)
            state.phase = MarketTurn(self.actor, self.place, self.passes, self.selling | 1 << rr, -1, 0)
        elif kind == START:
            start(state, self.actor, rr, action.b, action.c)
            self.finish(state)
        elif kind == BUYBACK:
            buy_back(state, self.actor, rr, action.b)
            self.finish(state)
        else:
            self.purchase(state, rr, action.b, FROM_HELD if kind == BUY else FROM_ORPHANS)

    def purchase(self, state: BaltimoreOhio, rr: int, number: int, source: int) -> None:
        buy(state, self.actor, rr, number, source)
        sources = self.sources | source
        if sources == FROM_HELD | FROM_ORPHANS:
            self.finish(state)
        else:
            state.phase = MarketTurn(self.actor, self.place, self.passes, self.selling, rr, sources)

    def give_up(self, state: BaltimoreOhio) -> None:
        """When everybody has passed in a row the round is over [B3.3]."""
        if state.listening:
            state.tell(Chosen(self.actor, "passes"))
        if self.passes + 1 == state.players:
            end_market(state)
        else:
            self.next_turn(state, self.passes + 1)

    def finish(self, state: BaltimoreOhio) -> None:
        """A turn in which anything was done is not a pass [B3.2]."""
        self.next_turn(state, 0)

    def next_turn(self, state: BaltimoreOhio, passes: int) -> None:
        place = self.place + 1 if self.place + 1 < state.players else 0
        state.phase = MarketTurn(state.round.order[place], place, passes, 0, -1, 0)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal | None:
        kind, rr, number = action.kind, action.a, action.b
        if kind == ORDER:
            return Refusal("B1.5", "the player-order cards are dealt already")
        if kind in (PASS, DONE):
            return self.refuse_end(kind)
        if kind == SELL:
            return self.refuse_late_sale(state, rr) or refuse_sale(state, self.actor, rr, number)
        if kind in (BUY, BUY_ORPHANS):
            source = FROM_HELD if kind == BUY else FROM_ORPHANS
            return self.refuse_another(state, rr, source) or refuse_purchase(state, self.actor, rr, number, source)
        if kind == START:
            return self.refuse_another(state, rr, 0) or refuse_start(state, self.actor, rr, number, action.c)
        if kind == BUYBACK:
            return self.refuse_late_buyback() or refuse_buyback(state, self.actor, rr, number)
        return Refusal("B3.1", "this is the Market Round: sell, buy or pass")

    def refuse_end(self, kind: int) -> Refusal | None:
        """A turn is a pass exactly if nothing was done in it [B3.2]."""
        acted = self.selling != 0 or self.buying >= 0
        if kind == PASS and acted:
            return Refusal("B3.2", "after selling or buying a turn is no pass: say done")
        if kind == DONE and not acted:
            return Refusal("B3.2", "nothing was done yet: pass")
        return None

    def refuse_late_sale(self, state: BaltimoreOhio, rr: int) -> Refusal | None:
        """Sales come first, and each railroad once [B5.1]."""
        if self.buying >= 0:
            return Refusal("B5.1", "shares are sold before shares are bought")
        if self.selling >> rr & 1:
            name = state.board.railroads[rr]
            return Refusal("B5.1", f"{name} was sold in this turn already; all its shares are sold at once")
        return None

    def refuse_another(self, state: BaltimoreOhio, rr: int, source: int) -> Refusal | None:
        """A turn buys into one railroad, from each source once; it starts one only if it buys no other [B6.1, B6.2]."""
        if self.buying >= 0 and (self.buying != rr or not source):
            return Refusal("B6.1", f"this turn buys shares of {state.board.railroads[self.buying]} only")
        if self.sources & source:
            return Refusal("B6.2", "from each source shares are bought once in a turn")
        return None

    def refuse_late_buyback(self) -> Refusal | None:
        if self.selling or self.buying >= 0:
            return Refusal("B6.4", "a buyback is a whole turn; something else was done already")
        return None


# B9 The Business Round


@mypyc_attr(free_list_len=1)
class BusinessTurn(Phase[BaltimoreOhio]):
    """The president takes the railroad through its steps; `step` is the latest taken, `built` the hexes [B9.2]."""

    rule = "B9.2"

    def __init__(self, actor: int, railroad: int, step: int, built: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.step: Final = step
        self.built: Final = built

    def prompt(self, state: BaltimoreOhio) -> str:
        """The steps that are possible now."""
        name, money = state.board.railroads[self.railroad], state.treasury[self.railroad]
        return f"Run {name}: {possible_steps(state, self.legal(state), self.railroad, self.built)}; treasury ${money}"

    def legal(self, state: BaltimoreOhio) -> list[Action]:
        board, rr = state.board, self.railroad
        legal = [board.done]
        if self.step == SCRAPPING:
            legal += [board.scrap[tech] for tech, cards in enumerate(state.cards(rr)) if cards]
        if self.step <= PURCHASING and can_purchase(state, rr):
            legal.append(board.purchase)
        if self.built == 0:
            self.add_counters(state, legal)
        if self.built < board.builds[state.tech]:
            build, grid = board.build, board.grid
            mask = state.can_build(rr)
            while mask:
                n = grid.size - mask.bit_length()
                legal.append(build[n])
                mask ^= grid.bit[n]
        return legal

    def add_counters(self, state: BaltimoreOhio, legal: list[Action]) -> None:
        """Coal and timber where the railroad has track and nobody took them [B12.1]."""
        board, track = state.board, state.track[self.railroad]
        if track & state.coal_left:
            legal += [board.take_coal[n] for n in board.grid.hexes(track & state.coal_left)]
        # Where it might lie is asked first: that costs less than to look the option up
        if state.timber < 0 and track & board.timber_hexes and track & board.grid.bit[timber_hex(state)]:
            legal.append(board.take_timber)

    def take(self, state: BaltimoreOhio, action: Action) -> None:
        """Taking a later step closes the earlier ones [B9.2]."""
        kind, rr = action.kind, self.railroad
        if kind == SCRAP:
            scrap(state, rr, action.a)
            state.phase = BusinessTurn(self.actor, rr, SCRAPPING, 0)
        elif kind == PURCHASE:
            purchase(state, rr)
            state.phase = BusinessTurn(self.actor, rr, PURCHASING, 0)
        elif kind == BUILD:
            build(state, rr, action.a)
            state.phase = BusinessTurn(self.actor, rr, BUILDING, self.built + 1)
        else:
            if kind == TAKE_COAL:
                take_coal(state, rr, action.a)
            elif kind == TAKE_TIMBER:
                take_timber(state, rr)
            elif state.listening:
                name = state.board.railroads[rr]
                state.tell(Chosen(self.actor, f"ends the steps of {name}", name))
            begin_service(state, self.actor, rr)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal | None:
        kind, rr = action.kind, self.railroad
        if kind == DONE:
            return None
        if kind == SCRAP:
            return self.refuse_late(kind) or refuse_scrap(state, rr, action.a)
        if kind == PURCHASE:
            return self.refuse_late(kind) or refuse_equipment(state, rr)
        if kind == BUILD:
            return self.refuse_more(state) or refuse_build(state, rr, action.a)
        if kind == TAKE_COAL:
            there = state.coal_left & state.board.grid.bit[action.a] != 0
            return self.refuse_late(kind) or refuse_counter(state, rr, action.a, there)
        if kind == TAKE_TIMBER:
            return self.refuse_late(kind) or refuse_counter(state, rr, timber_hex(state), state.timber < 0)
        return refuse_other(state.board.railroads[rr], kind)

    def refuse_late(self, kind: int) -> Refusal | None:
        """A later step closes the earlier ones, and a counter is taken in place of building [B9.2, B12.1]."""
        if kind == SCRAP and self.step > SCRAPPING:
            return Refusal("B9.2", "equipment is scrapped before new equipment is bought and track is built")
        if kind == PURCHASE and self.step > PURCHASING:
            return Refusal("B9.2", "equipment is bought before track is built")
        if kind in (TAKE_COAL, TAKE_TIMBER) and self.built:
            return Refusal("B12.1", "a counter takes the whole build, and track was built in this turn")
        return None

    def refuse_more(self, state: BaltimoreOhio) -> Refusal | None:
        """The tech limits what is built in a turn [B11.1]."""
        if self.built >= state.board.builds[state.tech]:
            hexes = "1 hex" if self.built == 1 else f"{self.built} hexes"
            name = state.board.railroads[self.railroad]
            return Refusal("B11.1", f"{name} has built {hexes} in this turn, as many as tech {state.tech} allows")
        return None


# B13 Income


def begin_service(state: BaltimoreOhio, president: int, rr: int) -> None:
    """With capacity for some of its cities only, the president chooses [B13.2]."""
    cities = state.track[rr] & state.board.cities
    number, capacity = cities.bit_count(), state.capacity(rr)
    if capacity >= number:
        close_accounts(state, president, rr, number, income_of(state, cities))
    elif capacity == 0:
        close_accounts(state, president, rr, 0, 0)
    else:
        state.phase = Service(president, rr, cities, capacity, 0)


class Service(Phase[BaltimoreOhio]):
    """The president chooses the cities: the best, or one by one in the order of the board [B13.3].

    `cities` are those that may still be chosen, `left` how many must be, `income` what the others brought.
    """

    rule = "B13.3"

    def __init__(self, actor: int, railroad: int, cities: int, left: int, income: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.cities: Final = cities
        self.left: Final = left
        self.income: Final = income

    def untouched(self, state: BaltimoreOhio) -> bool:
        """Whether no city was chosen yet."""
        return self.left == state.capacity(self.railroad)

    def prompt(self, state: BaltimoreOhio) -> str:
        best = " (the best, or one by one)" if self.untouched(state) else ""
        cities = "one city" if self.left == 1 else f"{self.left} cities"
        return f"Choose {cities} for {state.board.railroads[self.railroad]} to serve{best}"

    def legal(self, state: BaltimoreOhio) -> list[Action]:
        board = state.board
        open_cities = board.grid.hexes(self.cities)
        legal = [board.serve[n] for n in open_cities[: len(open_cities) - self.left + 1]]
        if self.untouched(state):
            legal.append(board.serve_best)
        return legal

    def take(self, state: BaltimoreOhio, action: Action) -> None:
        rr, capacity = self.railroad, state.capacity(self.railroad)
        if action.a < 0:
            if state.listening:
                name = state.board.railroads[rr]
                state.tell(Chosen(self.actor, f"lets {name} serve its best cities", name))
            close_accounts(state, self.actor, rr, capacity, best_income(state, rr, capacity))
            return
        income = self.income + state.board.income[state.tech][action.a]
        if state.listening:
            state.tell(Served(state.board.railroads[rr], state.board.label(action.a)))
        if self.left == 1:
            close_accounts(state, self.actor, rr, capacity, income)
        else:
            state.phase = Service(self.actor, rr, self.later(state, action.a), self.left - 1, income)

    def later(self, state: BaltimoreOhio, n: int) -> int:
        """The cities that may be chosen after this one: in a mask the later hexes are the lower bits."""
        return self.cities & (state.board.grid.bit[n] - 1)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal | None:
        if action.kind != SERVE:
            return refuse_other(state.board.railroads[self.railroad], action.kind)
        if action.a >= 0:
            return self.refuse_city(state, action.a)
        if not self.untouched(state):
            return Refusal("B13.3", "a city was chosen already: choose the others one by one")
        return None

    def refuse_city(self, state: BaltimoreOhio, n: int) -> Refusal | None:
        board = state.board
        bit, label = board.grid.bit[n], board.label(n)
        if not state.track[self.railroad] & bit:
            return Refusal("B13.2", f"{board.railroads[self.railroad]} has no track in {label}")
        if not self.cities & bit:
            return Refusal("B13.3", f"cities are chosen in the order of the board, and {label} is not later")
        if self.later(state, n).bit_count() < self.left - 1:
            return Refusal("B13.2", f"{self.left} cities must be served, and too few come after {label}")
        return None


def close_accounts(state: BaltimoreOhio, president: int, rr: int, cities: int, service: int) -> None:
    """Gross income less maintenance; what is left decides [B13.5-B13.7]."""
    board, tech = state.board, state.tech
    cards = sum(state.cards(rr))
    coal, timber = (coal_income(state, rr), timber_income(state, rr)) if cards else (0, 0)
    upkeep = maintenance(state, cards, tech)
    net = service + coal + timber - upkeep
    if state.listening:
        sources = [f"{cities} {'city' if cities == 1 else 'cities'} ${service}"] if cities else []
        sources += [f"coal ${coal}"] if coal else []
        sources += [f"timber ${timber}"] if timber else []
        state.tell(Earned(board.railroads[rr], sources, upkeep, net, state.net[rr]))
    if net > 0:
        state.phase = Profit(president, rr, net)
    else:
        fail_to_profit(state, president, rr, -net)


def finish_turn(state: BaltimoreOhio, rr: int, net: int) -> None:
    """The counter goes under the others in its box, and the net income is recorded [B9.3]."""
    state.put(rr, state.box[rr])
    state.record(rr, net)
    next_railroad(state)


# B14 Unprofitable railroads


def fail_to_profit(state: BaltimoreOhio, president: int, rr: int, loss: int) -> None:
    """The loss, if it is one, two boxes left, and the president gives a share back [B14.1-B14.3]."""
    charge_loss(state, rr, loss)
    state.revalue(rr, -state.board.unprofitable, "unprofitable")
    state.take_in(rr, 1, 0)
    if state.listening:
        state.tell(ShareReturned(president, state.board.railroads[rr]))
    state.give(president, rr, -1)
    if state.owned(rr):
        finish_turn(state, rr, 0)
    else:
        enter_receivership(state, rr)
        next_railroad(state)


# B15 Profitable railroads


class Profit(Phase[BaltimoreOhio]):
    """The president pays a dividend or lets the railroad keep the profit [B15.1]."""

    rule = "B15.1"

    def __init__(self, actor: int, railroad: int, net: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.net: Final = net

    def prompt(self, state: BaltimoreOhio) -> str:
        name, last = state.board.railroads[self.railroad], state.net[self.railroad]
        return f"{name} has a net income of ${self.net} (last ${last}): pay dividends or retain it"

    def legal(self, state: BaltimoreOhio) -> list[Action]:
        return state.board.pay_or_retain

    def take(self, state: BaltimoreOhio, action: Action) -> None:
        rr, paid = self.railroad, action.kind == PAY
        result = outcome(state, rr, self.net, paid)
        state.cash = [cash + more for cash, more in zip(state.cash, result.cash)]
        state.fund(rr, result.treasury)
        if state.listening:
            name = state.board.railroads[rr]
            if paid:
                state.tell(Dividend("Dividend", name, self.net // state.board.shares, result.cash))
            if result.treasury:
                why = "dividend of its held shares" if paid else "profit retained"
                state.tell(Received(name, result.treasury, why))
        why = "higher net income" if result.box > state.box[rr] else "lower net income"
        state.revalue(rr, result.box - state.box[rr], why)
        finish_turn(state, rr, self.net)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal | None:
        name = state.board.railroads[self.railroad]
        if action.kind in (PAY, RETAIN):
            return None
        if action.kind in (ORDER, SELL, BUY, BUY_ORPHANS, START, BUYBACK, PASS):
            return refuse_other(name, action.kind)
        return Refusal("B15.1", f"{name} is profitable: pay or retain")


# B16 The end


def test_end(state: BaltimoreOhio) -> None:
    """Only after the second Business Round, when the cards for the tie-break are dealt [B16.1]."""
    board = state.board
    if state.tech >= board.end_tech:
        end(state, "B16.1", f"technology level {state.tech} is reached")
    elif state.line and state.box[state.line[0]] >= board.end_box:
        end(state, "B16.1", f"a railroad is valued at ${board.values[board.end_box]}")
    else:
        begin_market(state)


def end(state: BaltimoreOhio, rule: str, reason: str) -> None:
    state.phase = Over(rule)
    if state.listening:
        state.tell(Ended(rule, reason))
