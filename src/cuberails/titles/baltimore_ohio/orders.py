"""The stages of Baltimore & Ohio for which a seat can give orders ahead: the market, and turns of its railroads."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.order import RUN, Order, Orders
from cuberails.core.state import State
from cuberails.titles.baltimore_ohio.rules import BusinessTurn, MarketTurn, Profit, Service
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio

RESULTS = {"pay": "pays its profit", "retain": "keeps its profit"}


class BaltimoreOhioOrders(Orders):
    """Orders for a Market Round [B3], and to run a railroad without buying or building anything [B9.2]."""

    def stage(self, position: State) -> str:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        phase = state.phase
        if isinstance(phase, MarketTurn):
            return f"market round {state.round.sets}"
        if isinstance(phase, (BusinessTurn, Service, Profit)):
            return _turn(state, phase.railroad)
        return ""

    def choices(self, position: State, seat: int) -> list[Action]:
        """What a market turn would begin with; in Business Rounds only a president is asked."""
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        if not isinstance(state.phase, MarketTurn):
            return []
        return MarketTurn(seat, state.round.order.index(seat), 0, 0, -1, 0).legal(state)

    def errands(self, position: State, seat: int) -> list[Order]:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        presiding = [rr for rr in state.line if state.president[rr] == seat]
        return [_run(state, rr, result) for rr in presiding for result in RESULTS]


def _turn(state: BaltimoreOhio, rr: int) -> str:
    return f"the turn of {state.board.railroads[rr]}"


def _run(state: BaltimoreOhio, rr: int, result: str) -> Order:
    """Nothing is bought or built, the best cities are served, and the profit is paid or kept."""
    words = f"{state.board.railroads[rr]} buys and builds nothing, serves its best cities, and {RESULTS[result]}"
    return Order(RUN, _turn(state, rr), ["done", "serve best", result], 0, words)
