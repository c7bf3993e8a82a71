"""Habits of players in Gulf, Mobile & Ohio: money nobody needs at the end, and what charters cost and bring."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.habits import IDLE_MONEY, PRICES, UNUSED, WASTE, Amounts, Frequency, Habit, Habits
from cuberails.core.state import State
from cuberails.titles.gmo.board import CHARTER, COMMON, EXPAND, PASS, GmoBoard
from cuberails.titles.gmo.events import Bought, Cancelled, Laid
from cuberails.titles.gmo.rules import Turn
from cuberails.titles.gmo.state import Gmo


class Sale:
    """A share that was sold, and what was built with its price."""

    def __init__(self, railroad: str, kind: int, price: int) -> None:
        self.railroad = railroad
        self.kind = kind
        self.price = price
        self.spent = 0
        self.points = 0
        self.cancelled = False


class GmoHabits(Habits):
    """Watches a game of Gulf, Mobile & Ohio."""

    def __init__(self, first: State) -> None:
        self.kind = CHARTER  # of what is for sale: a game begins with a charter
        self.sales: list[Sale] = []
        self.building = False
        self.passed = Frequency(WASTE, "turns passed")
        self.passed_able = Frequency(WASTE, "turns passed though a railroad of theirs could be expanded")

    def endings(self, board: Board) -> list[str]:
        assert isinstance(board, GmoBoard)
        return [
            f"cubes of all {len(board.colors)} colours are on the map (G10.1)",
            "all players passed one after the other (G10.2)",
        ]

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        if isinstance(before.phase, Turn):
            self.building = False
            self.see_turn(before, action)
        for event in events:
            if isinstance(event, Bought):
                self.sales.append(Sale(event.railroad, self.kind, event.price))
                self.building = True
            elif isinstance(event, Cancelled):
                self.sales[-1].cancelled = True
            elif isinstance(event, Laid) and self.building:
                self.sales[-1].spent += event.cost
                self.sales[-1].points += sum([points for _, points in event.scored])

    def see_turn(self, state: State, action: Action) -> None:
        if action.kind in (CHARTER, COMMON):
            self.kind = action.kind
        passed = action.kind == PASS
        self.passed.count(passed)
        if any(other.kind == EXPAND for other in state.legal_actions()):
            self.passed_able.count(passed)

    def found(self, last: State) -> list[Habit]:
        assert isinstance(last, Gmo)
        charters = [sale for sale in self.sales if sale.kind == CHARTER]
        completed = [sale for sale in charters if not sale.cancelled]
        commons = [sale for sale in self.sales if sale.kind == COMMON]
        found: list[Habit] = [
            Amounts(IDLE_MONEY, "cash of a seat at the end, which counts nothing", "$", last.cash[:]),
            Amounts(IDLE_MONEY, "part of a charter's price that built nothing", "$", _unspent(completed)),
            Amounts(IDLE_MONEY, "part of a common share's price that built nothing", "$", _unspent(commons)),
            Frequency(UNUSED, "charters that could not be completed", len(charters) - len(completed), len(charters)),
            Frequency(WASTE, "common shares that built nothing", _idle(commons), len(commons)),
            self.passed,
            self.passed_able,
        ]
        found += _prices("the first charter", completed[:1]) + _prices("a charter in between", completed[1:-1])
        found += _prices("the last charter", completed[-1:]) + _prices("a common share", commons)
        for rr, name in enumerate(last.board.railroads):
            if last.board.initial >> rr & 1:
                prices = [sale.price for sale in completed if sale.railroad == name]
                found.append(Amounts(PRICES, f"paid for the charter of {name}", "$", prices))
        return found


def _unspent(sales: list[Sale]) -> list[int]:
    return [sale.price - sale.spent for sale in sales]


def _idle(sales: list[Sale]) -> int:
    return len([sale for sale in sales if not sale.spent])


def _prices(what: str, sales: list[Sale]) -> list[Habit]:
    """What these cost, and the points that were built with it."""
    prices = [sale.price for sale in sales]
    points = [sale.points for sale in sales]
    return [Amounts(PRICES, f"paid for {what}", "$", prices), Amounts(PRICES, f"points built with {what}", "", points)]
