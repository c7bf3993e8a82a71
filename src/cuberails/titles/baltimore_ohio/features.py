"""What a learner sees of a position of Baltimore & Ohio."""

from __future__ import annotations

from typing import Final

from cuberails.core.board import Board
from cuberails.core.features import Features, best_of_others, mean_of_others
from cuberails.core.state import NOBODY, State
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.business import outcome
from cuberails.titles.baltimore_ohio.judge import Geography, cards_missing, geography_of, turns_in_this_set
from cuberails.titles.baltimore_ohio.rules import PURCHASING, BusinessTurn, MarketTurn, Profit, Service
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

CARDS_A_SET: Final = 3.0
"""About how many cards are bought in a set, to tell how many sets are left."""
POOR: Final = 100.0
"""Money is never told in parts of less than this."""
STEPS: Final = 8
"""How many cards and cities a plan for a treasury can have."""

OF_A_RAILROAD: Final = ["value", "profit", "treasury"]
OF_THE_TABLE: Final = [
    *("three players", "four players", "five players", "six players"),
    *("tech", "cards missing", "cards to the next tech", "sets left", "sets played", "last set", "end in reach"),
    *("price of the card", "cards in reach", "boxes to the last value", "running", "receivership", "orphans"),
    *("wealth", "cash of all", "dividends of all", "coal left", "market", "first business", "passes"),
    *("sold in this turn", "scraps or purchases", "builds", "profit to decide", "still to act"),
]
OF_A_SEAT: Final = [
    *("score", "score beside the others", "score beside the best", "score beside the left", "lead near the end"),
    *("lead in the last set", "cash", "cash beside the others", "cash beside the richest", "place in the order"),
    *("dividends", "dividends beside the others", "dividends beside the best", "dividends of this set"),
    *("dividends of this set beside the others", "dividends of this set beside the best"),
    *("dividends at the next tech", "dividends at the next tech beside the best"),
    *("dividends at two techs more", "dividends at two techs more beside the best"),
    *("dividends in reach", "dividends in reach beside the others", "dividends in reach beside the best"),
    *("rise in value", "rise in value beside the others", "rise in value beside the best"),
    *("dividends to come", "dividends to come beside the others", "dividends to come beside the best"),
    *("forecast", "forecast beside the others", "forecast beside the best", "forecast beside the left"),
    *("treasuries", "treasuries beside the others", "treasuries presided over"),
    *("treasuries presided over beside the best", "treasury of its richest", "buys a card", "buys the last card"),
    *("presidencies", "presidencies beside the others", "shares", "shares beside the others"),
    *(
        "part of its presidencies",
        "shares without profit",
        "presides without profit",
        "presidencies at risk",
        "orphaned shares",
        "cubes",
    ),
    *("room", "railroads sold", "railroads to act", "decides", "shares that act"),
]


class BaltimoreOhioFeatures(Features):
    """The features of Baltimore & Ohio on a board. The `prospects` found last serve while a railroad stays the same."""

    def __init__(self, board: Board) -> None:
        assert isinstance(board, BaltimoreOhioBoard)
        shared = [f"{name} {what}" for name in board.railroads for what in OF_A_RAILROAD]
        own = [f"{name} shares" for name in board.railroads]
        super().__init__(shared + OF_THE_TABLE, OF_A_SEAT + own)
        self.geography: Final = geography_of(board)
        self.prospects: Final[list[Prospects | None]] = [None] * board.count

    def rows(self, position: State) -> list[list[float]]:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        full = state.full()
        found: list[Prospects] = []
        for rr in state.line:
            shut = full | state.board.barred[state.fulfilled][rr]
            prospects = self.prospects[rr]
            if prospects is None or not prospects.fits(state, rr, shut):
                prospects = Prospects(state, rr, shut, self.geography)
                self.prospects[rr] = prospects
            found.append(prospects)
        table = Table(state, found)
        shared = table.railroads()
        table.add_table(shared)
        table.add_round(shared)
        return [table.seen_from(shared, seat) for seat in range(state.players)]


class Prospects:
    """What a railroad nets: `now`, at the `next` tech and `later`, at one more, and with what its treasury can add.

    `card` is the net income after buying the next card, and `reach` the best after cards and cities, one after the
    other, while the treasury lasts; both are no less than now.
    """

    def __init__(self, state: BaltimoreOhio, rr: int, shut: int, geography: Geography) -> None:
        board = state.board
        first = rr * board.levels
        self.shut: Final = shut
        self.track: Final = state.track[rr]
        self.equipment: Final = state.equipment[first : first + board.levels]
        self.treasury: Final = state.treasury[rr]
        self.deck: Final = state.deck
        self.coal: Final = state.coal[rr]
        self.timber: Final = state.timber == rr
        self.cubes: Final = state.cubes[rr]
        self.cards: Final = sum(self.equipment)
        self.capacity: Final = state.capacity(rr)
        self.cities: Final = (self.track & board.cities).bit_count()
        tech = state.tech
        last = board.end_tech
        self.now: Final = geography.net(state, rr, self.track, self.cards, self.capacity, tech)
        self.next: Final = geography.net(state, rr, self.track, self.cards, self.capacity, min(tech + 1, last))
        self.later: Final = geography.net(state, rr, self.track, self.cards, self.capacity, min(tech + 2, last))
        self.card: int = self.now
        self.reach: int = self.now
        self.plan(state, rr, geography)

    def fits(self, state: BaltimoreOhio, rr: int, shut: int) -> bool:
        """Whether the railroad is the same in this position, as far as this depends on it."""
        first, levels = rr * state.board.levels, state.board.levels
        return (
            self.track == state.track[rr]
            and self.treasury == state.treasury[rr]
            and self.deck == state.deck
            and self.equipment == state.equipment[first : first + levels]
            and self.shut == shut
            and self.coal == state.coal[rr]
            and self.timber == (state.timber == rr)
            and self.cubes == state.cubes[rr]
        )

    def plan(self, state: BaltimoreOhio, rr: int, geography: Geography) -> None:
        """Cards when all capacity is used, else the nearest city, while the treasury lasts."""
        board, track, tech = state.board, self.track, state.tech
        cards, capacity, cities = self.cards, self.capacity, self.cities
        money, cubes, deck = self.treasury, self.cubes, self.deck
        sites = geography.sites(track)
        next_site = 0
        for _ in range(STEPS):
            if capacity > cities and next_site < len(sites):
                site = sites[next_site]
                next_site += 1
                if self.shut & board.grid.bit[site.city] or site.cost > money or site.hops > cubes:
                    continue
                money -= site.cost
                cubes -= site.hops
                cities += 1
                track |= board.grid.bit[site.city]
            elif deck < len(board.card_cost) and board.card_cost[deck] <= money:
                money -= board.card_cost[deck]
                tech = board.card_tech[deck]
                capacity += tech
                cards += 1
                deck += 1
            else:
                return
            net = geography.net(state, rr, track, cards, capacity, tech)
            if net > self.reach:
                self.reach = net
            if deck == self.deck + 1 and track == self.track and net > self.card:
                self.card = net


class Shares:
    """What the shares of each seat come to: their worth, and the dividends of the two turns of a set.

    `value`, `soon` and `rise` of a share go by the railroad's place in the line: what it is worth, gets in the rest of
    this set, and gains there in value.
    """

    def __init__(
        self, state: BaltimoreOhio, prospects: list[Prospects], value: list[float], soon: list[float], rise: list[float]
    ) -> None:
        players = state.players
        self.count: Final = [0.0] * players
        self.worth: Final = [0.0] * players
        self.dividends: Final = [0.0] * players
        self.next: Final = [0.0] * players
        self.later: Final = [0.0] * players
        self.reach: Final = [0.0] * players
        self.this_set: Final = [0.0] * players
        self.rises: Final = [0.0] * players
        self.money: Final = [0.0] * players
        self.idle: Final = [0.0] * players
        self.orphaned: Final = [0.0] * players
        for at, rr in enumerate(state.line):
            for seat in range(players):
                held = state.shares[seat * state.board.count + rr]
                if held:
                    self.count[seat] += held
                    self.worth[seat] += held * value[at]
                    self.this_set[seat] += held * soon[at]
                    self.rises[seat] += held * rise[at]
                    if state.orphans[rr]:
                        self.orphaned[seat] += held
                    self.add(seat, held, held / state.board.shares, prospects[at])

    def add(self, seat: int, held: int, part: float, prospects: Prospects) -> None:
        """A seat holds this part of a railroad."""
        self.money[seat] += part * prospects.treasury
        turns = part + part
        if prospects.now > 0:
            self.dividends[seat] += turns * prospects.now
        if prospects.next > 0:
            self.next[seat] += turns * prospects.next
        if prospects.later > 0:
            self.later[seat] += turns * prospects.later
        if prospects.reach > 0:
            self.reach[seat] += turns * prospects.reach
        else:
            self.idle[seat] += held


class Presidencies:
    """What each seat presides over, and what it can do with that."""

    def __init__(self, state: BaltimoreOhio, prospects: list[Prospects], acting: int) -> None:
        players = state.players
        self.count: Final = [0.0] * players
        self.idle: Final = [0.0] * players
        self.at_risk: Final = [0.0] * players
        self.part: Final = [0.0] * players
        self.treasuries: Final = [0.0] * players
        self.richest: Final = [0] * players
        self.cubes: Final = [0.0] * players
        self.room: Final = [0.0] * players
        self.to_act: Final = [0.0] * players
        for at, rr in enumerate(state.line):
            seat = state.president[rr]
            self.add(seat, prospects[at])
            self.add_shares(state, rr, seat)
            if rr == acting or rr in state.queue:
                self.to_act[seat] += 1.0

    def add(self, seat: int, prospects: Prospects) -> None:
        self.count[seat] += 1.0
        if prospects.reach <= 0:
            self.idle[seat] += 1.0
        self.treasuries[seat] += prospects.treasury
        if prospects.treasury > self.richest[seat]:
            self.richest[seat] = prospects.treasury
        self.cubes[seat] += prospects.cubes
        self.room[seat] += prospects.capacity - prospects.cities

    def add_shares(self, state: BaltimoreOhio, rr: int, seat: int) -> None:
        """What the president holds, and whether another has as many shares or one less."""
        count, shares = state.board.count, state.shares
        place = seat * count + rr
        self.part[seat] += shares[place] / state.board.shares
        for other in range(rr, len(shares), count):
            if other != place and shares[other] and shares[place] - shares[other] <= 1:
                self.at_risk[seat] += 1.0
                return


class Table:
    """A position in which a profit to be decided on is paid. Lists go by seat, or by railroad where it is said.

    Money is told in parts of the `wealth`, the mean score of the seats, as far as it is compared between them.
    """

    def __init__(self, state: BaltimoreOhio, prospects: list[Prospects]) -> None:
        phase = state.phase
        self.state: Final = state
        self.prospects: Final = prospects
        self.acting: int = -1  # the railroad that acts
        self.step: int = -1
        self.built: int = 0
        self.paying: int = -1  # the railroad that pays
        self.paid: int = 0
        self.box: list[int] = state.box
        self.net: list[int] = state.net
        self.cash: Final = [float(cash) for cash in state.cash]
        if isinstance(phase, BusinessTurn):
            self.acting, self.step, self.built = phase.railroad, phase.step, phase.built
        elif isinstance(phase, Service):
            self.acting, self.step = phase.railroad, PURCHASING + 1
        elif isinstance(phase, Profit):
            self.pay(phase)
        self.missing: Final = cards_missing(state)
        self.over: Final = phase.actor == NOBODY
        self.highest: Final = self.box[state.line[0]] if state.line else 0
        self.last: Final = self.over or self.missing <= 0 or self.highest >= state.board.end_box
        self.sets: Final = 0.0 if self.last else max(1.0, self.missing / CARDS_A_SET)
        # by place in the line
        self.value: Final = [float(state.board.values[self.box[rr]]) for rr in state.line]
        self.soon: Final[list[float]] = []  # dividends of a share in this set
        self.rise: Final[list[float]] = []
        for at, rr in enumerate(state.line):
            self.look_ahead(rr, prospects[at], self.value[at])
        self.shares: Final = Shares(state, prospects, self.value, self.soon, self.rise)
        self.offices: Final = Presidencies(state, prospects, self.acting)
        shares = self.shares
        self.score: Final = [cash + worth for cash, worth in zip(self.cash, shares.worth)]
        self.wealth: Final = max(POOR, sum(self.score) / state.players)
        self.to_come: Final = [
            this_set + (dividends + reach) / 2.0 * self.sets
            for this_set, dividends, reach in zip(shares.this_set, shares.dividends, shares.reach)
        ]
        self.forecast: Final = [
            score + to_come + rises for score, to_come, rises in zip(self.score, self.to_come, shares.rises)
        ]

    def pay(self, profit: Profit) -> None:
        """The profit is paid, and the value follows."""
        rr = profit.railroad
        paid = outcome(self.state, rr, profit.net, True)
        for seat, cash in enumerate(paid.cash):
            self.cash[seat] += cash
        self.box, self.net = self.box[:], self.net[:]
        self.box[rr] = paid.box
        self.net[rr] = profit.net
        self.paying, self.paid = rr, profit.net

    def look_ahead(self, rr: int, prospects: Prospects, value: float) -> None:
        """What a share gets in the turns that are left of this set, and how its value changes there."""
        state, board = self.state, self.state.board
        turns = 0.0 if self.over else turns_in_this_set(state, rr)
        if rr == self.paying:
            turns -= 1.0
        box = self.box[rr]
        if state.round.business == 0 and state.orphans[rr]:
            box -= 1
        if turns <= 0.0:
            self.soon.append(0.0)
            self.rise.append(0.0)
            return
        net = prospects.card if rr != self.acting or self.step <= PURCHASING else prospects.now
        if net <= 0:
            box -= int(turns) * board.unprofitable
        elif net > self.net[rr]:
            box += 1
        elif net < self.net[rr]:
            box -= 1
        box = 0 if box < 0 else board.top if box > board.top else box
        total = net + (turns - 1.0) * prospects.card
        self.soon.append(total / board.shares if total > 0.0 else 0.0)
        self.rise.append(board.values[box] - value)

    def cards_for(self, money: int) -> int:
        """How many cards one treasury buys."""
        prices, card = self.state.board.card_cost, self.state.deck
        while card < len(prices) and prices[card] <= money:
            money -= prices[card]
            card += 1
        return card - self.state.deck

    def cards_in_reach(self) -> int:
        """How many cards all treasuries together buy, if each in its turn buys all it can."""
        prices, card = self.state.board.card_cost, self.state.deck
        for prospects in self.prospects:
            money = prospects.treasury
            while card < len(prices) and prices[card] <= money:
                money -= prices[card]
                card += 1
        return card - self.state.deck

    def railroads(self) -> list[float]:
        """The features of all railroads."""
        state = self.state
        row = [0.0] * (state.board.count * len(OF_A_RAILROAD))
        for at, rr in enumerate(state.line):
            prospects, first = self.prospects[at], rr * len(OF_A_RAILROAD)
            row[first] = (self.box[rr] + 1) / (state.board.top + 1)
            row[first + 1] = prospects.now / 200.0
            row[first + 2] = up_to(prospects.treasury / 400.0, 2.0)
        return row

    def add_table(self, row: list[float]) -> None:
        """The features of the table as a whole."""
        state, board, players = self.state, self.state.board, self.state.players
        row += [1.0 if players == number else 0.0 for number in range(3, 7)]
        row.append(state.tech / board.end_tech)
        row.append(self.missing / 25.0)
        same, deck = 0, state.deck
        while deck < len(board.card_tech) and board.card_tech[deck] == state.tech:
            same += 1
            deck += 1
        row.append(same / 5.0)
        row.append(self.sets / 8.0)
        row.append(up_to(state.round.sets / 10.0, 2.0))
        row.append(1.0 if self.last else 0.0)
        in_reach = self.cards_in_reach()
        row.append(1.0 if in_reach >= self.missing else 0.0)
        row.append(board.card_cost[state.deck] / 500.0 if state.deck < len(board.card_cost) else 0.0)
        row.append(in_reach / 8.0)
        row.append((board.end_box - self.highest) / 25.0)
        row.append(len(state.line) / 10.0)
        started = 0
        for track in state.track:
            if track:
                started += 1
        row.append((started - len(state.line)) / 5.0)
        row.append(sum(state.orphans) / 10.0)
        row.append(up_to(self.wealth / 2000.0, 2.0))
        row.append(sum(self.cash) / (self.wealth * players))
        row.append(sum(self.shares.dividends) / (self.wealth * players) * 2.0)
        row.append(state.coal_left.bit_count() / 5.0)

    def add_round(self, row: list[float]) -> None:
        """The features of the round and the turn under way."""
        state, phase = self.state, self.state.phase
        row.append(1.0 if state.round.business == 0 else 0.0)
        row.append(1.0 if state.round.business == 1 else 0.0)
        if isinstance(phase, MarketTurn):
            row.append(phase.passes / state.players)
            row.append(phase.selling.bit_count() / 3.0)
        else:
            row += [0.0, 0.0]
        row.append(1.0 if 0 <= self.step <= PURCHASING else 0.0)
        row.append(self.built / 3.0)
        row.append(self.paid / 200.0)
        row.append(len(state.queue) / 10.0)

    def seen_from(self, shared: list[float], seat: int) -> list[float]:
        """The whole row of a seat."""
        row = shared[:]
        self.add_score(row, seat)
        self.add_dividends(row, seat)
        self.add_forecast(row, seat)
        self.add_power(row, seat)
        self.add_place(row, seat)
        state = self.state
        first = seat * state.board.count
        for rr in range(state.board.count):
            row.append(state.shares[first + rr] / 8.0)
        return row

    def add_score(self, row: list[float], seat: int) -> None:
        """The features of a seat's score and cash."""
        score, cash, wealth, state = self.score, self.cash, self.wealth, self.state
        lead = (score[seat] - best_of_others(score, seat)) / wealth
        row.append(up_to(score[seat] / 3000.0, 2.0))
        row.append((score[seat] - mean_of_others(score, seat)) / wealth * 2.0)
        row.append(lead * 2.0)
        row.append((score[seat] - score[(seat + 1) % state.players]) / wealth * 2.0)
        row.append(lead * 4.0 / (1.0 + self.sets))
        row.append(lead * 4.0 if self.sets == 0.0 else 0.0)
        row.append(cash[seat] / wealth)
        row.append((cash[seat] - mean_of_others(cash, seat)) / wealth)
        row.append((cash[seat] - best_of_others(cash, seat)) / wealth)
        order = state.round.order
        row.append(order.index(seat) / state.players if order else 0.5)

    def add_dividends(self, row: list[float], seat: int) -> None:
        """The features of what a seat's shares pay in a set, and how their value changes."""
        shares, scale = self.shares, 2.0 / self.wealth
        self.add_compared(row, shares.dividends, seat, scale)
        self.add_compared(row, shares.this_set, seat, scale)
        row.append(shares.next[seat] * scale)
        row.append((shares.next[seat] - best_of_others(shares.next, seat)) * scale)
        row.append(shares.later[seat] * scale)
        row.append((shares.later[seat] - best_of_others(shares.later, seat)) * scale)
        self.add_compared(row, shares.reach, seat, scale)
        self.add_compared(row, shares.rises, seat, scale * 3.0)

    def add_compared(self, row: list[float], values: list[float], seat: int, scale: float) -> None:
        """A number of the seat, and how it stands beside the mean and the best of the others."""
        row.append(values[seat] * scale)
        row.append((values[seat] - mean_of_others(values, seat)) * scale)
        row.append((values[seat] - best_of_others(values, seat)) * scale)

    def add_forecast(self, row: list[float], seat: int) -> None:
        """The features of what a seat may have in the end, beside what all have then."""
        forecast = self.forecast
        scale = 1.0 / max(1.0, sum(forecast) / self.state.players)
        self.add_compared(row, self.to_come, seat, scale)
        self.add_compared(row, forecast, seat, scale)
        row.append((forecast[seat] - forecast[(seat + 1) % self.state.players]) * scale)

    def add_power(self, row: list[float], seat: int) -> None:
        """The features of treasuries, presidencies and shares."""
        shares, offices = self.shares, self.offices
        richest, treasuries = offices.richest[seat], offices.treasuries
        row.append(shares.money[seat] / self.wealth * 2.0)
        row.append((shares.money[seat] - mean_of_others(shares.money, seat)) / self.wealth * 2.0)
        row.append(up_to(treasuries[seat] / 600.0, 2.0))
        row.append(up_to((treasuries[seat] - best_of_others(treasuries, seat)) / 600.0, 2.0))
        row.append(up_to(richest / 500.0, 2.0))
        cards = self.cards_for(richest)
        row.append(cards / 4.0)
        row.append(1.0 if 0 < self.missing <= cards else 0.0)
        row.append(offices.count[seat] / 4.0)
        row.append((offices.count[seat] - mean_of_others(offices.count, seat)) / 3.0)
        row.append(shares.count[seat] / 25.0)
        row.append((shares.count[seat] - mean_of_others(shares.count, seat)) / 15.0)
        row.append(offices.part[seat] / offices.count[seat] if offices.count[seat] else 0.0)
        row.append(shares.idle[seat] / 5.0)
        row.append(offices.idle[seat] / 2.0)
        row.append(offices.at_risk[seat] / 3.0)
        row.append(shares.orphaned[seat] / 10.0)
        row.append(offices.cubes[seat] / 30.0)
        row.append(offices.room[seat] / 15.0)

    def add_place(self, row: list[float], seat: int) -> None:
        """The features of a seat's part in the round."""
        state = self.state
        market = state.round.business == 0
        row.append(state.round.sold[seat].bit_count() / 4.0 if market else 0.0)
        row.append(self.offices.to_act[seat] / 4.0)
        row.append(1.0 if state.phase.actor == seat else 0.0)
        row.append(state.shares[seat * state.board.count + self.acting] / 10.0 if self.acting >= 0 else 0.0)


def up_to(value: float, most: float) -> float:
    """A number that may grow without end, kept between -most and most."""
    if value > most:
        return most
    return value if value > -most else -most
