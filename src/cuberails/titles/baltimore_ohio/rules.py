"""Baltimore & Ohio: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Chosen, Dividend, Ended, Note, Received
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
    enter_receivership,
    income_of,
    maintenance,
    outcome,
    purchase,
    scrap,
    take_coal,
    take_timber,
)
from cuberails.titles.baltimore_ohio.events import Earned, Order
from cuberails.titles.baltimore_ohio.market import (
    FROM_HELD,
    FROM_ORPHANS,
    buy,
    buy_back,
    cheapest_start,
    sell,
    start,
    start_boxes,
)
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

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
    state.order = []
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
    state.timber_hex = board.grid.index[options["timber_hex"]]
    state.city_limit = [0, int(options["tech1_city_limit"]), *board.city_limit[2:]]
    state.deck = 0
    state.tech = 1
    state.fulfilled = 0
    state.sold = [0] * players
    state.sets = 0
    state.business = 0
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
        state.order = list(state.board.seatings[state.players][action.a])
        if state.listening:
            state.tell(Order("Player order", state.order))
        begin_market(state)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal:
        if action.kind == ORDER:
            return Refusal("B1.5", f"an order names each of the {state.players} seats once")
        return Refusal("B1.5", "the player-order cards are dealt first")


# B2 The sequence of play


def begin_market(state: BaltimoreOhio) -> None:
    """The Market Round begins with card 1 [B3.1]."""
    state.sets += 1
    state.business = 0
    state.sold = [0] * state.players
    if state.listening:
        state.tell(Note(f"Market Round {state.sets} begins"))
    state.phase = MarketTurn(state.order[0], 0, 0, 0, -1, 0)


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
    state.business = number
    state.queue = state.line
    if state.listening:
        state.tell(Note(f"Business Round {number} begins"))
    next_railroad(state)


def next_railroad(state: BaltimoreOhio) -> None:
    """The next in the queue acts; after the last of the second round the set is over [B2.1]."""
    if state.queue:
        rr = state.queue[0]
        state.queue = state.queue[1:]
        state.phase = BusinessTurn(state.president[rr], rr, SCRAPPING, 0)
    elif state.business == 1:
        begin_business(state, 2)
    else:
        deal_new_order(state)
        test_end(state)


def deal_new_order(state: BaltimoreOhio) -> None:
    """The least cash gets card 1; who is tied keeps the order [B2.2]."""
    cash = state.cash
    state.order = [seat for _, seat in sorted((cash[seat] * len(cash) + n, seat) for n, seat in enumerate(state.order))]
    if state.listening:
        state.tell(Order("New player order", state.order))


# B3 The Market Round


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
        cash = f"${state.cash[self.actor]} in hand"
        if self.buying >= 0:
            source = "held shares" if self.sources == FROM_ORPHANS else "orphans"
            return f"Buy {source} of {state.board.railroads[self.buying]} too, or done; {cash}"
        if self.selling:
            return f"Sell another railroad, buy into one, or done; {cash}"
        return f"Sell shares, buy into one railroad, or pass; {cash}"

    def legal(self, state: BaltimoreOhio) -> list[Action]:
        if self.buying >= 0:
            legal = [state.board.done]
            self.add_purchases(state, legal, self.buying, self.sources)
            return legal
        legal = [state.board.done if self.selling else state.board.give_up]
        self.add_sales(state, legal)
        barred, cash = state.sold[self.actor], state.cash[self.actor]
        box, values = state.box, state.board.values
        for rr in state.line:
            if cash >= values[box[rr]] and not barred >> rr & 1:
                self.add_purchases(state, legal, rr, 0)
        self.add_starts(state, legal)
        if not self.selling:
            self.add_buybacks(state, legal)
        return legal

    def add_sales(self, state: BaltimoreOhio, legal: list[Action]) -> None:
        """Each railroad once in a turn, and never its last share [B5.1, B5.2]."""
        board, held, orphans, selling = state.board, state.held, state.orphans, self.selling
        first = self.actor * board.count
        for rr, own in enumerate(state.shares[first : first + board.count]):
            if own and not selling >> rr & 1:
                most = board.shares - held[rr] - orphans[rr] - 1
                legal += board.sell[rr][: own if own < most else most]

    def add_purchases(self, state: BaltimoreOhio, legal: list[Action], rr: int, used: int) -> None:
        """Held shares and orphans, from each source once [B6.2]."""
        board, held, orphans = state.board, state.held[rr], state.orphans[rr]
        most = state.cash[self.actor] // board.values[state.box[rr]]
        if held and not used & FROM_HELD:
            legal += board.buy[rr][: held if held < most else most]
        if orphans and not used & FROM_ORPHANS:
            legal += board.buy_orphans[rr][: orphans if orphans < most else most]

    def add_starts(self, state: BaltimoreOhio, legal: list[Action]) -> None:
        """The railroads that are not running, at each permitted valuation [B7.1, B7.2, B7.5]."""
        board, tech = state.board, state.tech
        cash = state.cash[self.actor]
        most = bisect_right(board.start_prices[tech], cash)
        fixed = state.options["restart"] != "initial"
        if most == 0 and not fixed:
            return
        starts = board.starts[tech]
        for rr in board.available[tech]:
            if state.box[rr] >= 0:
                continue
            if fixed and state.track[rr]:
                legal += board.restarts[rr][: bisect_right(board.restart_prices, cash)]
            else:
                legal += starts[rr][:most]

    def add_buybacks(self, state: BaltimoreOhio, legal: list[Action]) -> None:
        """What a railroad of the seat can pay for its orphans [B6.4]."""
        for rr, orphans in enumerate(state.orphans):
            if orphans and state.president[rr] == self.actor:
                most = state.treasury[rr] // state.value(rr)
                legal += state.board.buyback[rr][: orphans if orphans < most else most]

    def take(self, state: BaltimoreOhio, action: Action) -> None:
        kind, rr = action.kind, action.a
        if kind == PASS:
            self.give_up(state)
        elif kind == DONE:
            if state.listening:
                state.tell(Chosen(self.actor, "is done"))
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
        state.phase = MarketTurn(state.order[place], place, passes, 0, -1, 0)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal:
        kind = action.kind
        if kind == ORDER:
            return Refusal("B1.5", "the player-order cards are dealt already")
        if kind == PASS:
            return Refusal("B3.2", "after selling or buying a turn is no pass: say done")
        if kind == DONE:
            return Refusal("B3.2", "nothing was done yet: pass")
        if kind == SELL:
            return self.refuse_sale(state, action.a, action.b)
        if kind in (BUY, BUY_ORPHANS):
            return self.refuse_purchase(state, action)
        if kind == START:
            return self.refuse_start(state, action)
        if kind == BUYBACK:
            return self.refuse_buyback(state, action.a, action.b)
        return Refusal("B3.1", "this is the Market Round: sell, buy or pass")

    def refuse_sale(self, state: BaltimoreOhio, rr: int, number: int) -> Refusal:
        name = state.board.railroads[rr]
        if self.buying >= 0:
            return Refusal("B5.1", "shares are sold before shares are bought")
        if self.selling >> rr & 1:
            return Refusal("B5.1", f"{name} was sold in this turn already; all its shares are sold at once")
        own = state.shares[self.actor * state.board.count + rr]
        if number > own:
            return Refusal("B5.1", f"you have {own or 'no'} shares of {name}")
        return Refusal("B5.2", f"at least one share of {name} must stay with a player")

    def refuse_purchase(self, state: BaltimoreOhio, action: Action) -> Refusal:
        rr, number = action.a, action.b
        name = state.board.railroads[rr]
        source = FROM_HELD if action.kind == BUY else FROM_ORPHANS
        if not state.running(rr):
            return Refusal("B7.1", f"{name} is not running; it has to be started")
        if self.buying >= 0 and self.buying != rr:
            return Refusal("B6.1", f"this turn buys shares of {state.board.railroads[self.buying]} only")
        if state.sold[self.actor] >> rr & 1:
            return Refusal("B5.5", f"you have sold {name} in this Market Round")
        if self.sources & source:
            return Refusal("B6.2", "from each source shares are bought once in a turn")
        there = state.held[rr] if action.kind == BUY else state.orphans[rr]
        if number > there:
            where = "held shares" if action.kind == BUY else "orphans"
            return Refusal("B6.3", f"{name} has {there or 'no'} {where}")
        return Refusal("B6.3", f"{_costs(number, state.value(rr))} and you have ${state.cash[self.actor]}")

    def refuse_start(self, state: BaltimoreOhio, action: Action) -> Refusal:
        board, rr = state.board, action.a
        name, value = board.railroads[rr], board.values[action.c]
        if state.running(rr):
            return Refusal("B7.1", f"{name} is running already")
        if self.buying >= 0:
            return Refusal("B6.1", f"this turn buys shares of {board.railroads[self.buying]} only")
        if board.from_tech[rr] > state.tech:
            return Refusal("B7.1", f"{name} is available from tech {board.from_tech[rr]} on")
        allowed = start_boxes(state, rr)
        if action.c not in allowed:
            values = " or ".join(f"${board.values[box]}" for box in allowed)
            rule = "B7.5" if state.in_receivership(rr) else "B7.2"
            return Refusal(rule, f"{name} starts at {values} now")
        return Refusal("B6.3", f"{_costs(action.b, value)} and you have ${state.cash[self.actor]}")

    def refuse_buyback(self, state: BaltimoreOhio, rr: int, number: int) -> Refusal:
        name = state.board.railroads[rr]
        if self.selling or self.buying >= 0:
            return Refusal("B6.4", "a buyback is a whole turn; something else was done already")
        if not state.running(rr):
            return Refusal("B6.4", f"{name} is not running")
        if state.president[rr] != self.actor:
            return Refusal("B6.4", f"only the president of {name} decides on a buyback")
        if number > state.orphans[rr]:
            return Refusal("B6.4", f"{name} has {state.orphans[rr] or 'no'} orphans")
        return Refusal("B6.4", f"{_costs(number, state.value(rr))} and {name} has ${state.treasury[rr]}")


def _costs(number: int, value: int) -> str:
    many = f"1 share costs ${value}"
    return many if number == 1 else f"{number} shares cost ${number * value}"


# B9 The Business Round


class BusinessTurn(Phase[BaltimoreOhio]):
    """The president takes the railroad through its steps; `step` is the latest taken, `built` the hexes [B9.2]."""

    rule = "B9.2"

    def __init__(self, actor: int, railroad: int, step: int, built: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.step: Final = step
        self.built: Final = built

    def prompt(self, state: BaltimoreOhio) -> str:
        name, money = state.board.railroads[self.railroad], state.treasury[self.railroad]
        left = state.board.builds[state.tech] - self.built
        steps = ["scrap", "buy equipment"][self.step :]
        steps.append(f"build up to {left}{' more' if self.built else ''}")
        return f"Run {name}: {', '.join(steps)}, or done; treasury ${money}"

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
        if state.timber < 0 and track & board.grid.bit[state.timber_hex]:
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
                state.tell(Chosen(self.actor, f"ends the steps of {state.board.railroads[rr]}"))
            begin_service(state, self.actor, rr)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal:
        kind, name = action.kind, state.board.railroads[self.railroad]
        if kind == SCRAP:
            return self.refuse_scrap(state, action.a)
        if kind == PURCHASE:
            return self.refuse_equipment(state)
        if kind == BUILD:
            return self.refuse_build(state, action.a)
        if kind in (TAKE_COAL, TAKE_TIMBER):
            return self.refuse_counter(state, action)
        if kind == SERVE:
            return Refusal("B9.2", f"{name} serves its cities after its other steps: say done first")
        return _not_in_business(name, kind)

    def refuse_scrap(self, state: BaltimoreOhio, tech: int) -> Refusal:
        if self.step > SCRAPPING:
            return Refusal("B9.2", "equipment is scrapped before new equipment is bought and track is built")
        return Refusal("B10.1", f"{state.board.railroads[self.railroad]} has no equipment of tech {tech}")

    def refuse_equipment(self, state: BaltimoreOhio) -> Refusal:
        name = state.board.railroads[self.railroad]
        if self.step > PURCHASING:
            return Refusal("B9.2", "equipment is bought before track is built")
        if state.deck == len(state.board.card_cost):
            return Refusal("B10.2", "the equipment deck is empty")
        cost = state.board.card_cost[state.deck]
        return Refusal(
            "B10.2", f"equipment #{state.deck + 1} costs ${cost} and {name} has ${state.treasury[self.railroad]}"
        )

    def refuse_counter(self, state: BaltimoreOhio, action: Action) -> Refusal:
        board = state.board
        n = action.a if action.kind == TAKE_COAL else state.timber_hex
        if self.built:
            return Refusal("B12.1", "a counter takes the whole build, and track was built in this turn")
        if not state.track[self.railroad] & board.grid.bit[n]:
            return Refusal("B12.1", f"{board.railroads[self.railroad]} has no track in {board.label(n)}")
        return Refusal("B12.1", f"the counter of {board.label(n)} is gone")

    def refuse_build(self, state: BaltimoreOhio, n: int) -> Refusal:
        board, rr = state.board, self.railroad
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if state.track[rr] & bit:
            return Refusal("B11.2", f"{name} has track in {label} already")
        if not state.reach[rr] & bit:
            return self.refuse_distant(state, n)
        if state.cubes[rr] == 0:
            return Refusal("B11.5", f"{name} has no cube left")
        if board.barred[state.fulfilled][rr] & bit:
            return _refuse_state(state, rr, n)
        if state.full() & bit:
            limit = state.city_limit[state.tech]
            return Refusal("B11.6", f"{label} takes {limit} railroads at tech {state.tech}")
        return Refusal("B11.4", f"{label} costs ${board.cost[n]} and {name} has ${state.treasury[rr]}")

    def refuse_distant(self, state: BaltimoreOhio, n: int) -> Refusal:
        board, name = state.board, state.board.railroads[self.railroad]
        if board.heavy[n] & state.track[self.railroad]:
            return Refusal("B11.3", f"a heavy line lies between {board.label(n)} and the track of {name}")
        return Refusal("B11.2", f"{board.label(n)} is not next to track of {name}")


def _refuse_state(state: BaltimoreOhio, rr: int, n: int) -> Refusal:
    """Which state's rule keeps a railroad out of a city [B11.7, B11.8]."""
    board = state.board
    label, bit = board.label(n), board.grid.bit[n]
    own = board.state_railroad.index(rr) if rr in board.state_railroad else -1
    if own >= 0 and not state.fulfilled >> own & 1:
        rule = "B11.8" if board.state_closed[own] else "B11.7"
        missing = _missing(state, own)
        return Refusal(rule, f"{board.railroads[rr]} builds into no other city before {missing}, so not into {label}")
    duty = next(k for k, closed in enumerate(board.state_closed) if closed & bit and not state.fulfilled >> k & 1)
    owner = board.railroads[board.state_railroad[duty]]
    return Refusal("B11.8", f"{label} is closed until {owner} has built into {_missing(state, duty)}")


def _missing(state: BaltimoreOhio, duty: int) -> str:
    """The cities that a state's railroad has not reached yet."""
    board = state.board
    hexes = board.grid.hexes(board.state_must[duty] & ~state.track[board.state_railroad[duty]])
    return " and ".join(board.names[n] for n in hexes)


def _not_in_business(name: str, kind: int) -> Refusal:
    """Actions of other points in the game."""
    if kind == ORDER:
        return Refusal("B1.5", "the player-order cards are dealt already")
    if kind in (SELL, BUY, BUY_ORPHANS, START, BUYBACK, PASS):
        return Refusal("B3.1", f"shares are traded in the Market Round; {name} is doing business")
    return Refusal("B9.2", f"{name} has not come to that step, or is past it")


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
        return f"Choose {self.left} cities for {state.board.railroads[self.railroad]} to serve{best}"

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
                state.tell(Chosen(self.actor, f"lets {state.board.railroads[rr]} serve its best cities"))
            close_accounts(state, self.actor, rr, capacity, best_income(state, rr, capacity))
            return
        income = self.income + state.board.income[state.tech][action.a]
        if state.listening:
            state.tell(Note(f"{state.board.railroads[rr]} serves {state.board.label(action.a)}"))
        if self.left == 1:
            close_accounts(state, self.actor, rr, capacity, income)
        else:
            # In a mask the later hexes are the lower bits
            later = self.cities & (state.board.grid.bit[action.a] - 1)
            state.phase = Service(self.actor, rr, later, self.left - 1, income)

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal:
        board, name = state.board, state.board.railroads[self.railroad]
        if action.kind != SERVE:
            return _not_in_business(name, action.kind)
        if action.a < 0:
            return Refusal("B13.3", "a city was chosen already: choose the others one by one")
        bit, label = board.grid.bit[action.a], board.label(action.a)
        if not state.track[self.railroad] & bit:
            return Refusal("B13.2", f"{name} has no track in {label}")
        if not self.cities & bit:
            return Refusal("B13.3", f"cities are chosen in the order of the board, and {label} is not later")
        return Refusal("B13.2", f"{self.left} cities must be served, and too few come after {label}")


def close_accounts(state: BaltimoreOhio, president: int, rr: int, cities: int, service: int) -> None:
    """Gross income less maintenance; what is left decides [B13.5-B13.7]."""
    board, tech = state.board, state.tech
    cards = sum(state.cards(rr))
    coal = state.coal[rr] * board.coal_pays if cards else 0
    timber = board.timber_pays[tech] if cards and state.timber == rr else 0
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
        fail_to_profit(state, president, rr)


def finish_turn(state: BaltimoreOhio, rr: int, net: int) -> None:
    """The counter goes under the others in its box, and the net income is recorded [B9.3]."""
    state.put(rr, state.box[rr])
    state.record(rr, net)
    next_railroad(state)


# B14 Unprofitable railroads


def fail_to_profit(state: BaltimoreOhio, president: int, rr: int) -> None:
    """Two boxes left, and the president gives a share back [B14.1-B14.3]."""
    name = state.board.railroads[rr]
    state.revalue(rr, -state.board.unprofitable, "unprofitable")
    state.hold(rr, 1)
    if state.listening:
        state.tell(Chosen(president, f"returns a share of {name}"))
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

    def refuse(self, state: BaltimoreOhio, action: Action) -> Refusal:
        name = state.board.railroads[self.railroad]
        if action.kind in (ORDER, SELL, BUY, BUY_ORPHANS, START, BUYBACK, PASS):
            return _not_in_business(name, action.kind)
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
