"""The stages of Gulf, Mobile & Ohio for which a seat can give orders ahead: its auctions, and turns to pass."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.order import Orders
from cuberails.core.state import State
from cuberails.titles.gmo.rules import ShareAuction, Turn
from cuberails.titles.gmo.state import Gmo


class GmoOrders(Orders):
    """Orders for auctions of charters and common shares [G3], and to pass turns [G2]."""

    def stage(self, position: State) -> str:
        assert isinstance(position, Gmo)
        state: Gmo = position
        phase = state.phase
        if isinstance(phase, ShareAuction):
            return f"the auction of {phase.lot(state)}"
        return "your turns" if isinstance(phase, Turn) else ""

    def choices(self, position: State, seat: int) -> list[Action]:
        """Of turns it can only be said ahead that they are passed: what another turn leaves possible nobody knows."""
        assert isinstance(position, Gmo)
        state: Gmo = position
        return [state.board.give_up] if isinstance(state.phase, Turn) else super().choices(state, seat)
