"""What the shares of Baltimore & Ohio pay and are worth by the rules, whose numbers stand in brackets."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Dividend, Event
from cuberails.core.share import Correction, Figure, Lot, Payment, Share, Shares, added
from cuberails.core.state import State
from cuberails.core.wording import either
from cuberails.titles.baltimore_ohio.board import BUY, BUY_ORPHANS, START
from cuberails.titles.baltimore_ohio.business import gross_income, upkeep
from cuberails.titles.baltimore_ohio.market import FROM_HELD, FROM_ORPHANS, buy, start
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio


class BaltimoreOhioShares(Shares):
    """The shares of the railroads: they pay dividends, and at the end they count their value [B16.2]."""

    def __init__(self, board: Board) -> None:
        super().__init__(correction=Correction(growth=0.92), gives="bring")

    def shares(self, position: State) -> list[Share]:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        return [
            Share(name, state.holdings(rr), state.held[rr] + state.orphans[rr], _figures(state, rr))
            for rr, name in enumerate(state.board.railroads)
        ]

    def payments(self, position: State, event: Event) -> list[Payment]:
        if not isinstance(event, Dividend):
            return []
        return [Payment(event.railroad, float(event.per_share), event.paid)]

    def value(self, position: State, name: str) -> float:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        rr = state.board.railroads.index(name)
        return float(state.value(rr)) if state.running(rr) else 0.0

    def unchanged(self, position: State, name: str, payments: float) -> float:
        """A railroad that runs would pay a tenth of its net income each time, and keep its value."""
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        rr = state.board.railroads.index(name)
        if not state.running(rr):
            return 0.0
        net = net_income(state, rr, state.tech)
        return payments * max(0, net // state.board.shares) + state.value(rr)

    def credit(self, position: State, seat: int, amount: int) -> None:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        state.cash = added(state.cash, seat, amount)

    def lot(self, position: State, action: Action) -> Lot | None:
        """A share in the market, or a railroad's start with so many shares [B6.2, B7.3]."""
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        board = state.board
        if action.kind in (BUY, BUY_ORPHANS) and action.b == 1:
            return Lot(board.railroads[action.a], "market", 1, state.value(action.a))
        if action.kind == START:
            return Lot(board.railroads[action.a], "start", action.b, board.values[action.c])
        return None

    def give(self, position: State, action: Action, seat: int) -> None:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        if action.kind == START:
            start(state, seat, action.a, action.b, action.c)
        else:
            buy(state, seat, action.a, action.b, FROM_HELD if action.kind == BUY else FROM_ORPHANS)

    def purse(self, position: State, seat: int) -> int:
        assert isinstance(position, BaltimoreOhio)
        state: BaltimoreOhio = position
        return state.cash[seat]


def net_income(state: BaltimoreOhio, rr: int, tech: int) -> int:
    """What a railroad would earn with its track and equipment at a tech, less maintenance [B13]."""
    there = state.copy()
    there.tech = tech
    return gross_income(there, rr) - upkeep(there, rr)


def _figures(state: BaltimoreOhio, rr: int) -> list[Figure]:
    board = state.board
    if not state.running(rr):
        why = "in receivership" if state.in_receivership(rr) else "not started"
        starts = [f"${board.values[box]}" for box in board.initial[state.tech]]
        return [Figure("value", why), *([Figure("can start at", either(starts))] if starts else [])]
    figures = [Figure("value", f"${state.value(rr)}"), _dividend(state, rr, state.tech)]
    if state.tech < board.levels:
        figures.append(_dividend(state, rr, state.tech + 1))
    return [*figures, Figure("last net income", f"${state.net[rr]}"), Figure("treasury", f"${state.treasury[rr]}")]


def _dividend(state: BaltimoreOhio, rr: int, tech: int) -> Figure:
    """Each share gets a tenth of the net income [B15.2]; without a profit there is none [B13.7]."""
    net = net_income(state, rr, tech)
    text = f"${net // state.board.shares} (net ${net})" if net > 0 else f"$0 (net {'−' if net < 0 else ''}${-net})"
    return Figure(f"dividend at tech {tech}", text)
