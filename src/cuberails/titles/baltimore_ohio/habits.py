"""Habits of players in Baltimore & Ohio: how railroads are started, what shares are sold for, and how long it takes."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Dividend, Event
from cuberails.core.habits import LENGTH, OPENINGS, PRICES, UNUSED, WASTE, Amounts, Frequency, Habit, Habits, Tally
from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.board import BUY, BUY_ORPHANS, PURCHASE, SELL, BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.events import Earned, Equipped, Receivership, RoundBegun, Started
from cuberails.titles.baltimore_ohio.rules import BusinessTurn
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

MARKET = "Market"


class BaltimoreOhioHabits(Habits):
    """Watches a game of Baltimore & Ohio."""

    def __init__(self, first: State) -> None:
        self.market = Market()
        self.starts = Starts()
        self.sets_at: dict[int, int] = {}  # Market Rounds by technology level

    def endings(self, board: Board) -> list[str]:
        assert isinstance(board, BaltimoreOhioBoard)
        return [
            f"technology level {board.end_tech} is reached (B16.1)",
            f"a railroad is valued at ${board.values[board.end_box]} (B16.1)",
            "no railroad is running and nobody can start one (B2.3)",
        ]

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        assert isinstance(before, BaltimoreOhio)
        assert isinstance(after, BaltimoreOhio)
        if action.kind in (SELL, BUY, BUY_ORPHANS):
            self.market.see_trade(before, action)
        if isinstance(before.phase, BusinessTurn):
            self.starts.see_turn(before, before.board.railroads[before.phase.railroad])
        for event in events:
            if isinstance(event, RoundBegun):
                self.see_round(event, after)
            elif isinstance(event, Dividend):
                self.market.paid[event.railroad] = self.market.paid.get(event.railroad, 0) + event.per_share
            else:
                self.starts.see(event)

    def see_round(self, event: RoundBegun, state: BaltimoreOhio) -> None:
        if event.kind == MARKET:
            self.sets_at[state.tech] = self.sets_at.get(state.tech, 0) + 1
            self.market.end_set()
        else:
            self.starts.first_round = False

    def found(self, last: State) -> list[Habit]:
        assert isinstance(last, BaltimoreOhio)
        self.market.end_set()
        before_end = self.sets_at.get(last.board.end_tech - 1, 0)
        found: list[Habit] = [
            Amounts(LENGTH, "Market Rounds", seen=[sum(self.sets_at.values())]),
            Amounts(LENGTH, "Market Rounds at the last technology level before the end", seen=[before_end]),
        ]
        return found + self.starts.found() + self.market.found()


class Starts:
    """Railroads that were started, and whether they could do anything then.

    `without` are those that have had no Business turn since, `able` those of them that could buy a card then;
    `unequipped` are those that have bought no card since.
    """

    def __init__(self) -> None:
        self.first_round = True
        self.opening: list[str] = []
        self.without: list[str] = []
        self.able: list[str] = []
        self.unequipped: list[str] = []
        self.count = 0
        self.receiverships = 0
        self.never_equipped = 0
        self.values = Amounts(PRICES, "value at which a railroad is started", "$")
        self.shares = Amounts(PRICES, "shares taken by who starts a railroad")
        self.cannot_pay = Frequency(UNUSED, "railroads started that could pay for no card in their first Business turn")
        self.no_card = Frequency(UNUSED, "railroads started that had no card after it")

    def see_turn(self, state: BaltimoreOhio, railroad: str) -> None:
        """A railroad does business. Where it could buy a card, somebody decides and it is seen here."""
        if railroad in self.without and any(action.kind == PURCHASE for action in state.legal_actions()):
            self.able.append(railroad)

    def see(self, event: Event) -> None:
        if isinstance(event, Started):
            self.see_start(event)
        elif isinstance(event, Equipped):
            self.see_card(event.railroad)
        elif isinstance(event, Earned) and event.railroad in self.without:
            self.see_no_card(event.railroad)
        elif isinstance(event, Receivership):
            self.see_receivership(event.railroad)

    def see_start(self, event: Started) -> None:
        self.count += 1
        self.values.add(event.value)
        self.shares.add(event.shares)
        self.without.append(event.railroad)
        self.able = [name for name in self.able if name != event.railroad]
        self.unequipped.append(event.railroad)
        if self.first_round:
            self.opening.append(f"{event.railroad} at {event.value} by {event.shares}")

    def see_card(self, railroad: str) -> None:
        if railroad in self.without:
            self.without.remove(railroad)
            self.cannot_pay.count(False)
            self.no_card.count(False)
        if railroad in self.unequipped:
            self.unequipped.remove(railroad)

    def see_no_card(self, railroad: str) -> None:
        """Its first Business turn has ended without a card."""
        self.without.remove(railroad)
        self.cannot_pay.count(railroad not in self.able)
        self.no_card.count(True)

    def see_receivership(self, railroad: str) -> None:
        """Its story is over; if it is started again, that is another."""
        self.receiverships += 1
        if railroad in self.unequipped:
            self.unequipped.remove(railroad)
            self.never_equipped += 1

    def found(self) -> list[Habit]:
        never = self.never_equipped + len(self.unequipped)
        opening = Tally(OPENINGS, "railroads started in the first Market Round", seen=[", ".join(self.opening)])
        return [
            opening,
            self.values,
            self.shares,
            self.cannot_pay,
            self.no_card,
            Frequency(UNUSED, "railroads started that never had a card", never, self.count),
            Frequency(UNUSED, "railroads started that went into receivership", self.receiverships, self.count),
        ]


class Market:
    """Sales, and what a share that was sold would have paid; a set is a Market Round and the business after it."""

    def __init__(self) -> None:
        self.paid: dict[str, int] = {}  # a share in this set, by railroad
        self.sales: list[tuple[str, int, int]] = []  # in this set: railroad, value, number of shares
        self.bought: list[tuple[int, int]] = []  # in this set: seat, railroad
        self.sold: list[tuple[int, int]] = []
        self.sold_before: list[tuple[int, int]] = []
        self.cheap = Frequency(WASTE, "sales for less than a share paid later in the same set")
        self.cheap_single = Frequency(WASTE, "… of these that sell a single share, of all that do")
        self.turned_round = Frequency(WASTE, "sales of what the seat bought in the same Market Round")
        self.taken_back = Frequency(WASTE, "purchases of what the seat sold in the Market Round before")

    def see_trade(self, state: BaltimoreOhio, action: Action) -> None:
        who = (state.phase.actor, action.a)
        if action.kind == SELL:
            self.sales.append((state.board.railroads[action.a], state.value(action.a), action.b))
            self.turned_round.count(who in self.bought)
            self.sold.append(who)
        else:
            self.taken_back.count(who in self.sold_before)
            self.bought.append(who)

    def end_set(self) -> None:
        for railroad, value, number in self.sales:
            cheap = value < self.paid.get(railroad, 0)
            self.cheap.count(cheap)
            if number == 1:
                self.cheap_single.count(cheap)
        self.sold_before = self.sold
        self.sales, self.bought, self.sold, self.paid = [], [], [], {}

    def found(self) -> list[Habit]:
        return [self.cheap, self.cheap_single, self.turned_round, self.taken_back]
