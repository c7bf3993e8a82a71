"""Habits of players in Wabash Cannonball: Chicago, expansions for nothing, prices of shares."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.habits import AIMS, LENGTH, PRICES, WASTE, Amounts, Frequency, Habit, Habits
from cuberails.core.state import State
from cuberails.titles.wabash.board import CAPITALIZE, DEVELOP, EXPAND, WabashBoard
from cuberails.titles.wabash.events import MarkersReturned, Sold
from cuberails.titles.wabash.state import Wabash


class WabashHabits(Habits):
    """Watches a game of Wabash Cannonball."""

    def __init__(self, first: State) -> None:
        assert isinstance(first, Wabash)
        names = first.board.railroads
        self.dividends = 1
        self.first_prices = {name: Amounts(PRICES, f"paid for the first share of {name}", "$") for name in names}
        self.later_prices = {name: Amounts(PRICES, f"paid for a later share of {name}", "$") for name in names}
        self.nothing = {
            CAPITALIZE: Frequency(WASTE, "capitalizations of nothing though a share was for sale"),
            DEVELOP: Frequency(WASTE, "developments of nothing though a hex could be developed"),
            EXPAND: Frequency(WASTE, "expansions of nothing though a railroad of theirs could build"),
        }
        self.by_owner = Frequency(WASTE, "… of these by the only owner of such a railroad")
        self.unused = Amounts(WASTE, "… and the most in the treasury of one then", "$")

    def endings(self, board: Board) -> list[str]:
        assert isinstance(board, WabashBoard)
        detroit = board.names[board.industrial[board.detroit]]
        reasons = [
            f"{board.end_built} or more railroads have built all their track",
            f"{board.end_sold} or more railroads have sold all their shares",
            f"{board.end_cubes} or fewer development cubes are left",
            f"{detroit} was fully developed",
        ]
        return [f"{reason} (W11.1)" for reason in reasons]

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        assert isinstance(before, Wabash)
        if action.kind in self.nothing:
            self.see_decision(before, action)
        for event in events:
            if isinstance(event, Sold):
                first = self.first_prices[event.lot]
                (self.later_prices[event.lot] if first.seen else first).add(event.price)
            elif isinstance(event, MarkersReturned):
                self.dividends += 1

    def see_decision(self, state: Wabash, action: Action) -> None:
        """A decision is wasted if it does nothing and could have done something [W3.3]."""
        able = [other.a for other in state.legal_actions() if other.kind == action.kind and other.a >= 0]
        if not able:
            return
        nothing = action.a < 0
        self.nothing[action.kind].count(nothing)
        if nothing and action.kind == EXPAND:
            first = state.phase.actor * state.board.count
            self.by_owner.count(any(state.shares[first + rr] == state.sold(rr) for rr in able))
            self.unused.add(max([state.treasury[rr] for rr in able]))

    def found(self, last: State) -> list[Habit]:
        assert isinstance(last, Wabash)
        board = last.board
        bit = board.grid.bit[board.chicago]
        chicago = board.names[board.chicago]
        reached = [rr for rr, track in enumerate(last.track) if track & bit and rr != board.latecomer]
        found: list[Habit] = [
            Amounts(LENGTH, "general dividends", seen=[self.dividends]),
            Frequency(AIMS, f"games in which a railroad reached {chicago}", int(reached != []), 1),
            Amounts(AIMS, f"railroads that reached {chicago}", seen=[len(reached)]),
            *self.first_prices.values(),
            *self.later_prices.values(),
            *self.nothing.values(),
            self.by_owner,
            self.unused,
        ]
        return found
