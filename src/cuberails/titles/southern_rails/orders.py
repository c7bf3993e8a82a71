"""The stages of Southern Rails for which a seat can give orders ahead: its drafts."""

from __future__ import annotations

from cuberails.core.action import Action
from cuberails.core.order import Orders
from cuberails.core.state import State
from cuberails.titles.southern_rails.rules import FIRST, SECOND, Draft
from cuberails.titles.southern_rails.state import SouthernRails


class SouthernRailsOrders(Orders):
    """Orders for the shares that lie ready [S2, S7.2]."""

    def stage(self, position: State) -> str:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        phase = state.phase
        if not isinstance(phase, Draft):
            return ""
        if phase.occasion in (FIRST, SECOND):
            return f"the draft of {'first' if phase.occasion == FIRST else 'second'} shares"
        return f"the draft after scoring round {state.scorings}"

    def choices(self, position: State, seat: int) -> list[Action]:
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        phase = state.phase
        return Draft(seat, phase.occasion, phase.laid).legal(state) if isinstance(phase, Draft) else []

    def takes_part(self, position: State, seat: int) -> bool:
        """Each seat is asked once: those that have not taken a share yet."""
        assert isinstance(position, SouthernRails)
        state: SouthernRails = position
        phase = state.phase
        if not isinstance(phase, Draft):
            return False
        order = state.order[::-1] if phase.occasion == SECOND else state.order
        return order.index(seat) >= order.index(phase.actor)
