"""Baltimore & Ohio: the rules, in the order of rules.md, whose numbers stand in brackets."""

from __future__ import annotations

from bisect import bisect_right
from typing import Final

from cuberails.core.action import Action
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
from cuberails.titles.baltimore_ohio.event import Earned, Order
from cuberails.titles.baltimore_ohio.game import BaltimoreOhio
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

# The steps of a Business turn
SCRAPPING: Final = 0
PURCHASING: Final = 1
BUILDING: Final = 2


# B1 Setting up


class BaltimoreOhioTitle(BaltimoreOhioBoard):
    """Baltimore & Ohio, ready to be set up."""

    def set_up(self, players: int, options: dict[str, str]) -> BaltimoreOhio:
        """A new game, before the player-order cards are dealt [B1]."""
        game = BaltimoreOhio()
        game.board = self
        game.players = players
        game.options = options
        game.heard = None
        game.order = []
        game.cash = [self.money[players - self.least_players]] * players
        game.shares = [0] * (players * self.count)
        game.held = [self.shares] * self.count
        game.orphans = [0] * self.count
        game.treasury = [0] * self.count
        game.president = [-1] * self.count
        game.box = [-1] * self.count
        game.line = []
        game.net = [0] * self.count
        game.equipment = [0] * (self.count * self.levels)
        game.cubes = [cubes - 1 for cubes in self.cubes]
        game.track = [0] * self.count
        game.reach = [0] * self.count
        game.crowd = [0] * self.count
        game.coal = [0] * self.count
        game.coal_left = self.coal
        game.timber = -1
        game.timber_hex = self.grid.index[options["timber_hex"]]
        game.city_limit = [0, int(options["tech1_city_limit"]), *self.city_limit[2:]]
        game.deck = 0
        game.tech = 1
        game.fulfilled = 0
        game.sold = [0] * players
        game.sets = 0
        game.business = 0
        game.queue = []
        game.phase = Deal()
        game.settle()
        return game


class Deal(Phase[BaltimoreOhio]):
    """Chance deals the player-order cards, every order alike [B1.5]."""

    rule = "B1.5"

    def __init__(self) -> None:
        self.actor = CHANCE

    def prompt(self, game: BaltimoreOhio) -> str:
        return "Deal the player-order cards"

    def legal(self, game: BaltimoreOhio) -> list[Action]:
        return game.board.orders[game.players]

    def weights(self, game: BaltimoreOhio) -> list[int]:
        return [1] * len(game.board.orders[game.players])

    def take(self, game: BaltimoreOhio, action: Action) -> None:
        game.order = list(game.board.seatings[game.players][action.a])
        if game.heard is not None:
            game.heard.append(Order("Player order", game.order))
        begin_market(game)

    def refuse(self, game: BaltimoreOhio, action: Action) -> Refusal:
        if action.kind == ORDER:
            return Refusal("B1.5", f"an order names each of the {game.players} seats once")
        return Refusal("B1.5", "the player-order cards are dealt first")


# B2 The sequence of play


def begin_market(game: BaltimoreOhio) -> None:
    """The Market Round begins with card 1 [B3.1]."""
    game.sets += 1
    game.business = 0
    game.sold = [0] * game.players
    if game.heard is not None:
        game.heard.append(Note(f"Market Round {game.sets} begins"))
    game.phase = MarketTurn(game.order[0], 0, 0, 0, -1, 0)


def end_market(game: BaltimoreOhio) -> None:
    """Orphans press the value [B3.4]; then the railroads do business, if there are any [B2.3]."""
    for rr in game.line[:]:
        if game.orphans[rr]:
            game.revalue(rr, -1, "orphan shares")
    if game.line:
        begin_business(game, 1)
        return
    deal_new_order(game)
    if max(game.cash) < cheapest_start(game):
        end(game, "B2.3", "no railroad is running and nobody can start one")
    else:
        begin_market(game)


def begin_business(game: BaltimoreOhio, number: int) -> None:
    """Railroad order is fixed when the round begins [B9.1]."""
    game.business = number
    game.queue = game.line
    if game.heard is not None:
        game.heard.append(Note(f"Business Round {number} begins"))
    next_railroad(game)


def next_railroad(game: BaltimoreOhio) -> None:
    """The next in the queue acts; after the last of the second round the set is over [B2.1]."""
    if game.queue:
        rr = game.queue[0]
        game.queue = game.queue[1:]
        game.phase = BusinessTurn(game.president[rr], rr, SCRAPPING, 0)
    elif game.business == 1:
        begin_business(game, 2)
    else:
        deal_new_order(game)
        test_end(game)


def deal_new_order(game: BaltimoreOhio) -> None:
    """The least cash gets card 1; who is tied keeps the order [B2.2]."""
    cash = game.cash
    game.order = [seat for _, seat in sorted((cash[seat] * len(cash) + n, seat) for n, seat in enumerate(game.order))]
    if game.heard is not None:
        game.heard.append(Order("New player order", game.order))


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

    def prompt(self, game: BaltimoreOhio) -> str:
        cash = f"${game.cash[self.actor]} in hand"
        if self.buying >= 0:
            source = "held shares" if self.sources == FROM_ORPHANS else "orphans"
            return f"Buy {source} of {game.board.railroads[self.buying]} too, or done; {cash}"
        if self.selling:
            return f"Sell another railroad, buy into one, or done; {cash}"
        return f"Sell shares, buy into one railroad, or pass; {cash}"

    def legal(self, game: BaltimoreOhio) -> list[Action]:
        if self.buying >= 0:
            legal = [game.board.done]
            self.add_purchases(game, legal, self.buying, self.sources)
            return legal
        legal = [game.board.done if self.selling else game.board.give_up]
        self.add_sales(game, legal)
        barred, cash = game.sold[self.actor], game.cash[self.actor]
        box, values = game.box, game.board.values
        for rr in game.line:
            if cash >= values[box[rr]] and not barred >> rr & 1:
                self.add_purchases(game, legal, rr, 0)
        self.add_starts(game, legal)
        if not self.selling:
            self.add_buybacks(game, legal)
        return legal

    def add_sales(self, game: BaltimoreOhio, legal: list[Action]) -> None:
        """Each railroad once in a turn, and never its last share [B5.1, B5.2]."""
        board, held, orphans, selling = game.board, game.held, game.orphans, self.selling
        first = self.actor * board.count
        for rr, own in enumerate(game.shares[first : first + board.count]):
            if own and not selling >> rr & 1:
                most = board.shares - held[rr] - orphans[rr] - 1
                legal += board.sell[rr][: own if own < most else most]

    def add_purchases(self, game: BaltimoreOhio, legal: list[Action], rr: int, used: int) -> None:
        """Held shares and orphans, from each source once [B6.2]."""
        board, held, orphans = game.board, game.held[rr], game.orphans[rr]
        most = game.cash[self.actor] // board.values[game.box[rr]]
        if held and not used & FROM_HELD:
            legal += board.buy[rr][: held if held < most else most]
        if orphans and not used & FROM_ORPHANS:
            legal += board.buy_orphans[rr][: orphans if orphans < most else most]

    def add_starts(self, game: BaltimoreOhio, legal: list[Action]) -> None:
        """The railroads that are not running, at each permitted valuation [B7.1, B7.2, B7.5]."""
        board, tech = game.board, game.tech
        cash = game.cash[self.actor]
        most = bisect_right(board.start_prices[tech], cash)
        fixed = game.options["restart"] != "initial"
        if most == 0 and not fixed:
            return
        starts = board.starts[tech]
        for rr in board.available[tech]:
            if game.box[rr] >= 0:
                continue
            if fixed and game.track[rr]:
                legal += board.restarts[rr][: bisect_right(board.restart_prices, cash)]
            else:
                legal += starts[rr][:most]

    def add_buybacks(self, game: BaltimoreOhio, legal: list[Action]) -> None:
        """What a railroad of the seat can pay for its orphans [B6.4]."""
        for rr, orphans in enumerate(game.orphans):
            if orphans and game.president[rr] == self.actor:
                most = game.treasury[rr] // game.value(rr)
                legal += game.board.buyback[rr][: orphans if orphans < most else most]

    def take(self, game: BaltimoreOhio, action: Action) -> None:
        kind, rr = action.kind, action.a
        if kind == PASS:
            self.give_up(game)
        elif kind == DONE:
            if game.heard is not None:
                game.heard.append(Chosen(self.actor, "is done"))
            self.finish(game)
        elif kind == SELL:
            sell(game, self.actor, rr, action.b)
            game.phase = MarketTurn(self.actor, self.place, self.passes, self.selling | 1 << rr, -1, 0)
        elif kind == START:
            start(game, self.actor, rr, action.b, action.c)
            self.finish(game)
        elif kind == BUYBACK:
            buy_back(game, self.actor, rr, action.b)
            self.finish(game)
        else:
            self.purchase(game, rr, action.b, FROM_HELD if kind == BUY else FROM_ORPHANS)

    def purchase(self, game: BaltimoreOhio, rr: int, number: int, source: int) -> None:
        buy(game, self.actor, rr, number, source)
        sources = self.sources | source
        if sources == FROM_HELD | FROM_ORPHANS:
            self.finish(game)
        else:
            game.phase = MarketTurn(self.actor, self.place, self.passes, self.selling, rr, sources)

    def give_up(self, game: BaltimoreOhio) -> None:
        """When everybody has passed in a row the round is over [B3.3]."""
        if game.heard is not None:
            game.heard.append(Chosen(self.actor, "passes"))
        if self.passes + 1 == game.players:
            end_market(game)
        else:
            self.next_turn(game, self.passes + 1)

    def finish(self, game: BaltimoreOhio) -> None:
        """A turn in which anything was done is not a pass [B3.2]."""
        self.next_turn(game, 0)

    def next_turn(self, game: BaltimoreOhio, passes: int) -> None:
        place = self.place + 1 if self.place + 1 < game.players else 0
        game.phase = MarketTurn(game.order[place], place, passes, 0, -1, 0)

    def refuse(self, game: BaltimoreOhio, action: Action) -> Refusal:
        kind = action.kind
        if kind == ORDER:
            return Refusal("B1.5", "the player-order cards are dealt already")
        if kind == PASS:
            return Refusal("B3.2", "after selling or buying a turn is no pass: say done")
        if kind == DONE:
            return Refusal("B3.2", "nothing was done yet: pass")
        if kind == SELL:
            return self.refuse_sale(game, action.a, action.b)
        if kind in (BUY, BUY_ORPHANS):
            return self.refuse_purchase(game, action)
        if kind == START:
            return self.refuse_start(game, action)
        if kind == BUYBACK:
            return self.refuse_buyback(game, action.a, action.b)
        return Refusal("B3.1", "this is the Market Round: sell, buy or pass")

    def refuse_sale(self, game: BaltimoreOhio, rr: int, number: int) -> Refusal:
        name = game.board.railroads[rr]
        if self.buying >= 0:
            return Refusal("B5.1", "shares are sold before shares are bought")
        if self.selling >> rr & 1:
            return Refusal("B5.1", f"{name} was sold in this turn already; all its shares are sold at once")
        own = game.shares[self.actor * game.board.count + rr]
        if number > own:
            return Refusal("B5.1", f"you have {own or 'no'} shares of {name}")
        return Refusal("B5.2", f"at least one share of {name} must stay with a player")

    def refuse_purchase(self, game: BaltimoreOhio, action: Action) -> Refusal:
        rr, number = action.a, action.b
        name = game.board.railroads[rr]
        source = FROM_HELD if action.kind == BUY else FROM_ORPHANS
        if not game.running(rr):
            return Refusal("B7.1", f"{name} is not running; it has to be started")
        if self.buying >= 0 and self.buying != rr:
            return Refusal("B6.1", f"this turn buys shares of {game.board.railroads[self.buying]} only")
        if game.sold[self.actor] >> rr & 1:
            return Refusal("B5.5", f"you have sold {name} in this Market Round")
        if self.sources & source:
            return Refusal("B6.2", "from each source shares are bought once in a turn")
        there = game.held[rr] if action.kind == BUY else game.orphans[rr]
        if number > there:
            where = "held shares" if action.kind == BUY else "orphans"
            return Refusal("B6.3", f"{name} has {there or 'no'} {where}")
        return Refusal("B6.3", f"{_costs(number, game.value(rr))} and you have ${game.cash[self.actor]}")

    def refuse_start(self, game: BaltimoreOhio, action: Action) -> Refusal:
        board, rr = game.board, action.a
        name, value = board.railroads[rr], board.values[action.c]
        if game.running(rr):
            return Refusal("B7.1", f"{name} is running already")
        if self.buying >= 0:
            return Refusal("B6.1", f"this turn buys shares of {board.railroads[self.buying]} only")
        if board.from_tech[rr] > game.tech:
            return Refusal("B7.1", f"{name} is available from tech {board.from_tech[rr]} on")
        allowed = start_boxes(game, rr)
        if action.c not in allowed:
            values = " or ".join(f"${board.values[box]}" for box in allowed)
            rule = "B7.5" if game.in_receivership(rr) else "B7.2"
            return Refusal(rule, f"{name} starts at {values} now")
        return Refusal("B6.3", f"{_costs(action.b, value)} and you have ${game.cash[self.actor]}")

    def refuse_buyback(self, game: BaltimoreOhio, rr: int, number: int) -> Refusal:
        name = game.board.railroads[rr]
        if self.selling or self.buying >= 0:
            return Refusal("B6.4", "a buyback is a whole turn; something else was done already")
        if not game.running(rr):
            return Refusal("B6.4", f"{name} is not running")
        if game.president[rr] != self.actor:
            return Refusal("B6.4", f"only the president of {name} decides on a buyback")
        if number > game.orphans[rr]:
            return Refusal("B6.4", f"{name} has {game.orphans[rr] or 'no'} orphans")
        return Refusal("B6.4", f"{_costs(number, game.value(rr))} and {name} has ${game.treasury[rr]}")


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

    def prompt(self, game: BaltimoreOhio) -> str:
        name, money = game.board.railroads[self.railroad], game.treasury[self.railroad]
        left = game.board.builds[game.tech] - self.built
        steps = ["scrap", "buy equipment"][self.step :]
        steps.append(f"build up to {left}{' more' if self.built else ''}")
        return f"Run {name}: {', '.join(steps)}, or done; treasury ${money}"

    def legal(self, game: BaltimoreOhio) -> list[Action]:
        board, rr = game.board, self.railroad
        legal = [board.done]
        if self.step == SCRAPPING:
            legal += [board.scrap[tech] for tech, cards in enumerate(game.cards(rr)) if cards]
        if self.step <= PURCHASING and can_purchase(game, rr):
            legal.append(board.purchase)
        if self.built == 0:
            self.add_counters(game, legal)
        if self.built < board.builds[game.tech]:
            build, grid = board.build, board.grid
            mask = game.can_build(rr)
            while mask:
                n = grid.size - mask.bit_length()
                legal.append(build[n])
                mask ^= grid.bit[n]
        return legal

    def add_counters(self, game: BaltimoreOhio, legal: list[Action]) -> None:
        """Coal and timber where the railroad has track and nobody took them [B12.1]."""
        board, track = game.board, game.track[self.railroad]
        if track & game.coal_left:
            legal += [board.take_coal[n] for n in board.grid.hexes(track & game.coal_left)]
        if game.timber < 0 and track & board.grid.bit[game.timber_hex]:
            legal.append(board.take_timber)

    def take(self, game: BaltimoreOhio, action: Action) -> None:
        """Taking a later step closes the earlier ones [B9.2]."""
        kind, rr = action.kind, self.railroad
        if kind == SCRAP:
            scrap(game, rr, action.a)
            game.phase = BusinessTurn(self.actor, rr, SCRAPPING, 0)
        elif kind == PURCHASE:
            purchase(game, rr)
            game.phase = BusinessTurn(self.actor, rr, PURCHASING, 0)
        elif kind == BUILD:
            build(game, rr, action.a)
            game.phase = BusinessTurn(self.actor, rr, BUILDING, self.built + 1)
        else:
            if kind == TAKE_COAL:
                take_coal(game, rr, action.a)
            elif kind == TAKE_TIMBER:
                take_timber(game, rr)
            elif game.heard is not None:
                game.heard.append(Chosen(self.actor, f"ends the steps of {game.board.railroads[rr]}"))
            begin_service(game, self.actor, rr)

    def refuse(self, game: BaltimoreOhio, action: Action) -> Refusal:
        kind, name = action.kind, game.board.railroads[self.railroad]
        if kind == SCRAP:
            return self.refuse_scrap(game, action.a)
        if kind == PURCHASE:
            return self.refuse_equipment(game)
        if kind == BUILD:
            return self.refuse_build(game, action.a)
        if kind in (TAKE_COAL, TAKE_TIMBER):
            return self.refuse_counter(game, action)
        if kind == SERVE:
            return Refusal("B9.2", f"{name} serves its cities after its other steps: say done first")
        return _not_in_business(name, kind)

    def refuse_scrap(self, game: BaltimoreOhio, tech: int) -> Refusal:
        if self.step > SCRAPPING:
            return Refusal("B9.2", "equipment is scrapped before new equipment is bought and track is built")
        return Refusal("B10.1", f"{game.board.railroads[self.railroad]} has no equipment of tech {tech}")

    def refuse_equipment(self, game: BaltimoreOhio) -> Refusal:
        name = game.board.railroads[self.railroad]
        if self.step > PURCHASING:
            return Refusal("B9.2", "equipment is bought before track is built")
        if game.deck == len(game.board.card_cost):
            return Refusal("B10.2", "the equipment deck is empty")
        cost = game.board.card_cost[game.deck]
        return Refusal(
            "B10.2", f"equipment #{game.deck + 1} costs ${cost} and {name} has ${game.treasury[self.railroad]}"
        )

    def refuse_counter(self, game: BaltimoreOhio, action: Action) -> Refusal:
        board = game.board
        n = action.a if action.kind == TAKE_COAL else game.timber_hex
        if self.built:
            return Refusal("B12.1", "a counter takes the whole build, and track was built in this turn")
        if not game.track[self.railroad] & board.grid.bit[n]:
            return Refusal("B12.1", f"{board.railroads[self.railroad]} has no track in {board.label(n)}")
        return Refusal("B12.1", f"the counter of {board.label(n)} is gone")

    def refuse_build(self, game: BaltimoreOhio, n: int) -> Refusal:
        board, rr = game.board, self.railroad
        bit, name, label = board.grid.bit[n], board.railroads[rr], board.label(n)
        if game.track[rr] & bit:
            return Refusal("B11.2", f"{name} has track in {label} already")
        if not game.reach[rr] & bit:
            return self.refuse_distant(game, n)
        if game.cubes[rr] == 0:
            return Refusal("B11.5", f"{name} has no cube left")
        if board.barred[game.fulfilled][rr] & bit:
            return _refuse_state(game, rr, n)
        if game.full() & bit:
            limit = game.city_limit[game.tech]
            return Refusal("B11.6", f"{label} takes {limit} railroads at tech {game.tech}")
        return Refusal("B11.4", f"{label} costs ${board.cost[n]} and {name} has ${game.treasury[rr]}")

    def refuse_distant(self, game: BaltimoreOhio, n: int) -> Refusal:
        board, name = game.board, game.board.railroads[self.railroad]
        if board.heavy[n] & game.track[self.railroad]:
            return Refusal("B11.3", f"a heavy line lies between {board.label(n)} and the track of {name}")
        return Refusal("B11.2", f"{board.label(n)} is not next to track of {name}")


def _refuse_state(game: BaltimoreOhio, rr: int, n: int) -> Refusal:
    """Which state's rule keeps a railroad out of a city [B11.7, B11.8]."""
    board = game.board
    label, bit = board.label(n), board.grid.bit[n]
    own = board.state_railroad.index(rr) if rr in board.state_railroad else -1
    if own >= 0 and not game.fulfilled >> own & 1:
        rule = "B11.8" if board.state_closed[own] else "B11.7"
        missing = _missing(game, own)
        return Refusal(rule, f"{board.railroads[rr]} builds into no other city before {missing}, so not into {label}")
    state = next(k for k, closed in enumerate(board.state_closed) if closed & bit and not game.fulfilled >> k & 1)
    owner = board.railroads[board.state_railroad[state]]
    return Refusal("B11.8", f"{label} is closed until {owner} has built into {_missing(game, state)}")


def _missing(game: BaltimoreOhio, state: int) -> str:
    """The cities that a state's railroad has not reached yet."""
    board = game.board
    hexes = board.grid.hexes(board.state_must[state] & ~game.track[board.state_railroad[state]])
    return " and ".join(board.names[n] for n in hexes)


def _not_in_business(name: str, kind: int) -> Refusal:
    """Actions of other points in the game."""
    if kind == ORDER:
        return Refusal("B1.5", "the player-order cards are dealt already")
    if kind in (SELL, BUY, BUY_ORPHANS, START, BUYBACK, PASS):
        return Refusal("B3.1", f"shares are traded in the Market Round; {name} is doing business")
    return Refusal("B9.2", f"{name} has not come to that step, or is past it")


# B13 Income


def begin_service(game: BaltimoreOhio, president: int, rr: int) -> None:
    """With capacity for some of its cities only, the president chooses [B13.2]."""
    cities = game.track[rr] & game.board.cities
    number, capacity = cities.bit_count(), game.capacity(rr)
    if capacity >= number:
        close_accounts(game, president, rr, number, income_of(game, cities))
    elif capacity == 0:
        close_accounts(game, president, rr, 0, 0)
    else:
        game.phase = Service(president, rr, cities, capacity, 0)


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

    def untouched(self, game: BaltimoreOhio) -> bool:
        """Whether no city was chosen yet."""
        return self.left == game.capacity(self.railroad)

    def prompt(self, game: BaltimoreOhio) -> str:
        best = " (the best, or one by one)" if self.untouched(game) else ""
        return f"Choose {self.left} cities for {game.board.railroads[self.railroad]} to serve{best}"

    def legal(self, game: BaltimoreOhio) -> list[Action]:
        board = game.board
        open_cities = board.grid.hexes(self.cities)
        legal = [board.serve[n] for n in open_cities[: len(open_cities) - self.left + 1]]
        if self.untouched(game):
            legal.append(board.serve_best)
        return legal

    def take(self, game: BaltimoreOhio, action: Action) -> None:
        rr, capacity = self.railroad, game.capacity(self.railroad)
        if action.a < 0:
            if game.heard is not None:
                game.heard.append(Chosen(self.actor, f"lets {game.board.railroads[rr]} serve its best cities"))
            close_accounts(game, self.actor, rr, capacity, best_income(game, rr, capacity))
            return
        income = self.income + game.board.income[game.tech][action.a]
        if game.heard is not None:
            game.heard.append(Note(f"{game.board.railroads[rr]} serves {game.board.label(action.a)}"))
        if self.left == 1:
            close_accounts(game, self.actor, rr, capacity, income)
        else:
            # In a mask the later hexes are the lower bits
            later = self.cities & (game.board.grid.bit[action.a] - 1)
            game.phase = Service(self.actor, rr, later, self.left - 1, income)

    def refuse(self, game: BaltimoreOhio, action: Action) -> Refusal:
        board, name = game.board, game.board.railroads[self.railroad]
        if action.kind != SERVE:
            return _not_in_business(name, action.kind)
        if action.a < 0:
            return Refusal("B13.3", "a city was chosen already: choose the others one by one")
        bit, label = board.grid.bit[action.a], board.label(action.a)
        if not game.track[self.railroad] & bit:
            return Refusal("B13.2", f"{name} has no track in {label}")
        if not self.cities & bit:
            return Refusal("B13.3", f"cities are chosen in the order of the board, and {label} is not later")
        return Refusal("B13.2", f"{self.left} cities must be served, and too few come after {label}")


def close_accounts(game: BaltimoreOhio, president: int, rr: int, cities: int, service: int) -> None:
    """Gross income less maintenance; what is left decides [B13.5-B13.7]."""
    board, tech = game.board, game.tech
    cards = sum(game.cards(rr))
    coal = game.coal[rr] * board.coal_pays if cards else 0
    timber = board.timber_pays[tech] if cards and game.timber == rr else 0
    upkeep = maintenance(game, cards, tech)
    net = service + coal + timber - upkeep
    if game.heard is not None:
        sources = [f"{cities} {'city' if cities == 1 else 'cities'} ${service}"] if cities else []
        sources += [f"coal ${coal}"] if coal else []
        sources += [f"timber ${timber}"] if timber else []
        game.heard.append(Earned(board.railroads[rr], sources, upkeep, net, game.net[rr]))
    if net > 0:
        game.phase = Profit(president, rr, net)
    else:
        fail_to_profit(game, president, rr)


def finish_turn(game: BaltimoreOhio, rr: int, net: int) -> None:
    """The counter goes under the others in its box, and the net income is recorded [B9.3]."""
    game.put(rr, game.box[rr])
    game.record(rr, net)
    next_railroad(game)


# B14 Unprofitable railroads


def fail_to_profit(game: BaltimoreOhio, president: int, rr: int) -> None:
    """Two boxes left, and the president gives a share back [B14.1-B14.3]."""
    name = game.board.railroads[rr]
    game.revalue(rr, -game.board.unprofitable, "unprofitable")
    game.hold(rr, 1)
    if game.heard is not None:
        game.heard.append(Chosen(president, f"returns a share of {name}"))
    game.give(president, rr, -1)
    if game.owned(rr):
        finish_turn(game, rr, 0)
    else:
        enter_receivership(game, rr)
        next_railroad(game)


# B15 Profitable railroads


class Profit(Phase[BaltimoreOhio]):
    """The president pays a dividend or lets the railroad keep the profit [B15.1]."""

    rule = "B15.1"

    def __init__(self, actor: int, railroad: int, net: int) -> None:
        self.actor = actor
        self.railroad: Final = railroad
        self.net: Final = net

    def prompt(self, game: BaltimoreOhio) -> str:
        name, last = game.board.railroads[self.railroad], game.net[self.railroad]
        return f"{name} has a net income of ${self.net} (last ${last}): pay dividends or retain it"

    def legal(self, game: BaltimoreOhio) -> list[Action]:
        return game.board.pay_or_retain

    def take(self, game: BaltimoreOhio, action: Action) -> None:
        rr, paid = self.railroad, action.kind == PAY
        result = outcome(game, rr, self.net, paid)
        game.cash = [cash + more for cash, more in zip(game.cash, result.cash)]
        game.fund(rr, result.treasury)
        if game.heard is not None:
            name = game.board.railroads[rr]
            if paid:
                game.heard.append(Dividend("Dividend", name, self.net // game.board.shares, result.cash))
            if result.treasury:
                why = "dividend of its held shares" if paid else "profit retained"
                game.heard.append(Received(name, result.treasury, why))
        why = "higher net income" if result.box > game.box[rr] else "lower net income"
        game.revalue(rr, result.box - game.box[rr], why)
        finish_turn(game, rr, self.net)

    def refuse(self, game: BaltimoreOhio, action: Action) -> Refusal:
        name = game.board.railroads[self.railroad]
        if action.kind in (ORDER, SELL, BUY, BUY_ORPHANS, START, BUYBACK, PASS):
            return _not_in_business(name, action.kind)
        return Refusal("B15.1", f"{name} is profitable: pay or retain")


# B16 The end


def test_end(game: BaltimoreOhio) -> None:
    """Only after the second Business Round, when the cards for the tie-break are dealt [B16.1]."""
    board = game.board
    if game.tech >= board.end_tech:
        end(game, "B16.1", f"technology level {game.tech} is reached")
    elif game.line and game.box[game.line[0]] >= board.end_box:
        end(game, "B16.1", f"a railroad is valued at ${board.values[board.end_box]}")
    else:
        begin_market(game)


def end(game: BaltimoreOhio, rule: str, reason: str) -> None:
    game.phase = Over(rule)
    if game.heard is not None:
        game.heard.append(Ended(rule, reason))
