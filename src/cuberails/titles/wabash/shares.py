"""What the shares of Wabash Cannonball pay by the rules, whose numbers stand in brackets."""

from __future__ import annotations

from cuberails.core.board import Board
from cuberails.core.event import Dividend, Event
from cuberails.core.share import Correction, Figure, Payment, Share, Shares, added
from cuberails.core.state import State
from cuberails.titles.wabash.state import Wabash


class WabashShares(Shares):
    """The shares of the railroads; they count nothing at the end [W11.3]."""

    def __init__(self, board: Board) -> None:
        super().__init__(correction=Correction(growth=0.88, width=0.75, whole_turns=True))

    def shares(self, position: State) -> list[Share]:
        assert isinstance(position, Wabash)
        state: Wabash = position
        board = state.board
        return [
            Share(name, state.shares[rr :: board.count], state.unsold[rr], _figures(state, rr))
            for rr, name in enumerate(board.railroads)
        ]

    def payments(self, position: State, event: Event) -> list[Payment]:
        if not isinstance(event, Dividend):
            return []
        return [Payment(event.railroad, float(event.per_share), event.paid)]

    def unchanged(self, position: State, name: str, payments: float) -> float:
        assert isinstance(position, Wabash)
        state: Wabash = position
        rr = state.board.railroads.index(name)
        sold = state.sold(rr)
        return payments * -(-state.income[rr] // sold) if sold else 0.0

    def credit(self, position: State, seat: int, amount: int) -> None:
        assert isinstance(position, Wabash)
        state: Wabash = position
        state.cash = added(state.cash, seat, amount)


def _figures(state: Wabash, rr: int) -> list[Figure]:
    sold, all_sold = state.sold(rr), state.board.shares[rr]
    found = [Figure("income", f"{state.income[rr]}"), Figure("pays now", _dividend(state, rr, sold))]
    if sold < all_sold:
        found.append(Figure("with one more sold", _dividend(state, rr, sold + 1)))
    if sold + 1 < all_sold:
        found.append(Figure(f"with all {all_sold} sold", _dividend(state, rr, all_sold)))
    return [*found, Figure("treasury", f"${state.treasury[rr]}")]


def _dividend(state: Wabash, rr: int, sold: int) -> str:
    """What a share gets by a general dividend with so many sold: rounded up [W10.2]."""
    return f"${-(-state.income[rr] // sold)}" if sold else "$0"
