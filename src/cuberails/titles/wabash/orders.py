"""The stages of Wabash Cannonball for which a seat can give orders ahead: its auctions."""

from __future__ import annotations

from cuberails.core.order import Orders
from cuberails.core.state import State
from cuberails.titles.wabash.rules import ShareAuction
from cuberails.titles.wabash.state import Wabash


class WabashOrders(Orders):
    """Orders for auctions of shares [W2, W7, W9]."""

    def stage(self, position: State) -> str:
        assert isinstance(position, Wabash)
        state: Wabash = position
        phase = state.phase
        return f"the auction of {state.board.railroads[phase.railroad]}" if isinstance(phase, ShareAuction) else ""
