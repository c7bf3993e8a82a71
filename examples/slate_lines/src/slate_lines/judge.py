"""What a position of Slate Lines is worth to each seat: an estimate of its cash at the end."""

from __future__ import annotations

from collections.abc import Mapping

from cuberails.core.judge import Judge
from cuberails.core.state import NOBODY, State
from slate_lines.rules import Prospecting, ShareAuction
from slate_lines.state import Slate


class SlateJudge(Judge):
    """What positions of Slate Lines are worth.

    A dollar in a treasury adds `income_per_dollar` on the average until the end. About `dilution` further shares of a
    tramway are sold in a season.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__(weights)
        self.income_per_dollar = weights["income_per_dollar"]
        self.dilution = weights["dilution"]

    def worth(self, state: State) -> list[float]:
        return [sum(self.terms(state, seat).values()) for seat in range(state.players)]

    def terms(self, position: State, seat: int) -> dict[str, float]:
        assert isinstance(position, Slate)
        state: Slate = position
        terms = {"cash": float(state.cash[seat])}
        if state.phase.actor == NOBODY:
            return terms
        for tramway, name in enumerate(state.board.tramways):
            held, price = state.holds(seat, tramway), winning_bid(state, seat, tramway)
            if price:
                held += 1
                terms["cash"] -= price
            if held:
                terms[f"{name} shares"] = held * self.share_value(state, tramway)
        return terms

    def share_value(self, state: Slate, tramway: int) -> float:
        """The dividends of one share until the end, a share that is being auctioned counted as sold."""
        phase, board = state.phase, state.board
        sold, money = state.sold(tramway), state.treasury[tramway]
        if isinstance(phase, ShareAuction) and phase.tramway == tramway and phase.leader >= 0:
            sold += 1
            money += phase.highest
        seasons = board.seasons - state.season + 1 - state.turns / (board.turns * state.players)
        dividends = board.seasons - state.season + 1
        hoped = sum(board.faces) / len(board.faces) if is_prospecting(state, tramway) else 0.0
        useful = min(money, 3 * state.cubes[tramway])
        income = state.income[tramway] + hoped + self.income_per_dollar * useful * seasons
        return dividends * income / min(float(board.shares), sold + self.dilution * seasons)


def winning_bid(state: Slate, seat: int, tramway: int) -> int:
    """The highest bid of the auction that is under way, if it is this seat's and for this tramway; else 0."""
    phase = state.phase
    if isinstance(phase, ShareAuction) and phase.tramway == tramway and phase.leader == seat:
        return phase.highest
    return 0


def is_prospecting(state: Slate, tramway: int) -> bool:
    """Whether the die is about to decide what a quarry of the tramway earns."""
    phase = state.phase
    return isinstance(phase, Prospecting) and phase.tramway == tramway
