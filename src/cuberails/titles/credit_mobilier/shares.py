"""What the shares of Credit Mobilier pay by the rules, whose numbers stand in brackets."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.share import Correction, Figure, Lot, Payment, Share, Shares, added
from cuberails.core.state import State
from cuberails.titles.credit_mobilier.board import BUY, CreditMobilierBoard
from cuberails.titles.credit_mobilier.events import PaidOut
from cuberails.titles.credit_mobilier.rules import buy
from cuberails.titles.credit_mobilier.state import CreditMobilier


class CreditMobilierShares(Shares):
    """The shares of the companies; they count nothing at the end but to break ties [C8.3]."""

    def __init__(self, board: Board) -> None:
        super().__init__(correction=Correction(growth=1.13, width=0.5))

    def shares(self, position: State) -> list[Share]:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        board = state.board
        return [
            Share(board.names[c], state.shares[c :: board.companies], state.for_sale(c), _figures(state, c))
            for c in range(board.companies)
        ]

    def payments(self, position: State, event: Event) -> list[Payment]:
        """On the average: where the treasury gets empty, some shares get $1 more than others [C7.4]."""
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        if not isinstance(event, PaidOut):
            return []
        held = state.held[state.board.names.index(event.company)]
        return [Payment(event.company, sum(event.paid) / held, event.paid)]

    def unchanged(self, position: State, name: str, payments: float) -> float:
        """All that is in the treasury would be paid out."""
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        c = state.board.names.index(name)
        return state.treasury[c] / state.held[c] if state.held[c] and payments else 0.0

    def credit(self, position: State, seat: int, amount: int) -> None:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        state.cash = added(state.cash, seat, amount)

    def lot(self, state: State, action: Action) -> Lot | None:
        """One certificate of a company that the dice allow [C6.1]."""
        board = state.board
        assert isinstance(board, CreditMobilierBoard)
        if action.kind != BUY or action.b != 1:
            return None
        return Lot(board.names[action.a], "certificate", 1, board.price)

    def give(self, position: State, action: Action, seat: int) -> None:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        buy(state, seat, action.a, action.b)

    def purse(self, position: State, seat: int) -> int:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        return state.cash[seat]


def _figures(state: CreditMobilier, c: int) -> list[Figure]:
    """A round pays $1 a share as far as the treasury goes [C7.3, C7.4]."""
    money, held = state.treasury[c], state.held[c]
    figures = [Figure("treasury", f"${money}"), Figure("shares held", f"{held}")]
    if held:
        figures.append(Figure("next round pays", _per_share(min(money, held), held)))
        figures.append(Figure("if all were paid out", _per_share(money, held)))
    return [*figures, Figure("with one more share held", _per_share(money, held + 1))]


def _per_share(money: int, held: int) -> str:
    return f"${money // held} a share" if money % held == 0 else f"${money / held:.2f} a share"
