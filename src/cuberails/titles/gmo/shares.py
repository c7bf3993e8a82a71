"""What the shares of Gulf, Mobile & Ohio pay by the rules, whose numbers stand in brackets."""

from __future__ import annotations

from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.share import Correction, Figure, Payment, Share, Shares, added
from cuberails.core.state import NOBODY, State
from cuberails.titles.gmo.events import Dividends
from cuberails.titles.gmo.rules import charter_pays
from cuberails.titles.gmo.state import Gmo


class GmoShares(Shares):
    """The charters and the common shares that are sold or available. They pay money; points decide [G10.3]."""

    def __init__(self, board: Board) -> None:
        super().__init__(correction=Correction(growth=0.95, width=0.75, whole_turns=True, noise=0.001))

    def shares(self, position: State) -> list[Share]:
        assert isinstance(position, Gmo)
        state: Gmo = position
        found: list[Share] = []
        for rr in range(state.board.count):
            if state.opened >> rr & 1:
                found.append(_charter(state, rr))
            if state.chartered >> rr & 1:
                found.append(_common(state, rr))
        return found

    def payments(self, position: State, event: Event) -> list[Payment]:
        """The shares that are sold have paid; nothing is sold between the dividend and the end of the action [G5.4]."""
        assert isinstance(position, Gmo)
        state: Gmo = position
        if not isinstance(event, Dividends):
            return []
        found: list[Payment] = []
        for rr, president in enumerate(state.president):
            if president >= 0:
                found.append(_payment(state, charter_name(state, rr), charter_pays(state, rr), president))
                if state.holder[rr] >= 0:
                    pays = state.board.dividend_shared
                    found.append(_payment(state, common_name(state, rr), pays, state.holder[rr]))
        return found

    def unchanged(self, position: State, name: str, payments: float) -> float:
        assert isinstance(position, Gmo)
        state: Gmo = position
        for rr in range(state.board.count):
            if name == charter_name(state, rr):
                return payments * charter_pays(state, rr)
        return payments * state.board.dividend_shared

    def credit(self, position: State, seat: int, amount: int) -> None:
        assert isinstance(position, Gmo)
        state: Gmo = position
        state.points = added(state.points, seat, amount)


def charter_name(state: Gmo, rr: int) -> str:
    return f"{state.board.railroads[rr]} charter"


def common_name(state: Gmo, rr: int) -> str:
    return f"{state.board.railroads[rr]} common share"


def _charter(state: Gmo, rr: int) -> Share:
    owner = state.president[rr]
    figures = [Figure("pays once sold" if owner < 0 else "pays now", f"${charter_pays(state, rr)}")]
    if charter_pays(state, rr) != state.board.dividend_shared:
        figures.append(Figure("once its common share is put up", f"${state.board.dividend_shared}"))
    figures.append(_next_payment(state))
    return Share(charter_name(state, rr), _held_by(state, owner), 1 if owner < 0 else 0, figures)


def _common(state: Gmo, rr: int) -> Share:
    owner = state.holder[rr]
    figures = [Figure("pays now" if owner >= 0 else "pays once sold", f"${state.board.dividend_shared}")]
    figures.append(_next_payment(state))
    return Share(common_name(state, rr), _held_by(state, owner), 1 if owner < 0 else 0, figures)


def _next_payment(state: Gmo) -> Figure:
    """Dividends are paid when so many more common shares have been sold [G5.4]."""
    if state.phase.actor == NOBODY:
        return Figure("next dividend", "none: the game is over")
    sales = state.board.sales_to_dividend - state.marker
    return Figure("next dividend", f"after {sales} common share{'' if sales == 1 else 's'} sold")


def _payment(state: Gmo, name: str, pays: int, owner: int) -> Payment:
    return Payment(name, float(pays), added([0] * state.players, owner, pays))


def _held_by(state: Gmo, owner: int) -> list[int]:
    return [1 if seat == owner else 0 for seat in range(state.players)]
