"""What a position of Wabash Cannonball is worth to each seat: an estimate of its cash at the end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from cuberails.core.judge import Judge
from cuberails.core.state import NOBODY, State
from cuberails.titles.wabash.rules import ShareAuction
from cuberails.titles.wabash.state import Wabash


class WabashJudge(Judge):
    """What positions of Wabash Cannonball are worth.

    `sales_a_round` and `developments_a_round` say how fast the game moves. A dollar in a treasury adds
    `income_per_dollar`, up to `useful_treasury`, on the average until the end. Dividends are thinned out by
    `dilution` of a further share a round. `chicago_hope` is the chance of a railroad next to Chicago to get there.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__(weights)
        self.sales_a_round: Final = weights["sales_a_round"]
        self.developments_a_round: Final = weights["developments_a_round"]
        self.income_per_dollar: Final = weights["income_per_dollar"]
        self.useful_treasury: Final = weights["useful_treasury"]
        self.dilution: Final = weights["dilution"]
        self.chicago_hope: Final = weights["chicago_hope"]

    def worth(self, position: State) -> list[float]:
        assert isinstance(position, Wabash)
        state: Wabash = position
        values = [float(cash) for cash in state.cash]
        if state.phase.actor == NOBODY:
            return values
        count, shares = state.board.count, self.share_values(state)
        for rr, share in enumerate(shares):
            for seat in range(state.players):
                values[seat] += share * state.shares[seat * count + rr]
        phase = state.phase
        if isinstance(phase, ShareAuction) and phase.leader >= 0:
            values[phase.leader] += shares[phase.railroad] - phase.highest
        return values

    def terms(self, position: State, seat: int) -> dict[str, float]:
        assert isinstance(position, Wabash)
        state: Wabash = position
        terms = {"cash": float(state.cash[seat])}
        if state.phase.actor == NOBODY:
            return terms
        phase, count, names = state.phase, state.board.count, state.board.railroads
        for rr, share in enumerate(self.share_values(state)):
            held = state.shares[seat * count + rr]
            if isinstance(phase, ShareAuction) and phase.railroad == rr and phase.leader == seat:
                held += 1
                terms["cash"] -= phase.highest
            if held:
                terms[f"{names[rr]} shares"] = share * held
        return terms

    def share_values(self, state: Wabash) -> list[float]:
        """What one share of each railroad will pay until the end."""
        rounds, phase = self.rounds_left(state), state.phase
        values: list[float] = []
        for rr in range(state.board.count):
            more, money = 0, state.treasury[rr]
            if isinstance(phase, ShareAuction) and phase.railroad == rr:
                more = 1
                money += phase.highest if phase.leader >= 0 else self.likely_price(state, rr, rounds)
            values.append(self.share_value(state, rr, more, money, rounds))
        return values

    def likely_price(self, state: Wabash, rr: int, rounds: float) -> int:
        """What a share that nobody has bid for yet will fetch: about what it is worth, as far as cash allows."""
        value = self.share_value(state, rr, 1, state.treasury[rr], rounds)
        cash = sorted(state.cash)
        return min(int(value), cash[-2])

    def share_value(self, state: Wabash, rr: int, more: int, money: int, rounds: float) -> float:
        """The dividends of one share until the end, if `more` shares are sold and the treasury holds `money`."""
        sold = state.sold(rr) + more
        if sold == 0:
            return 0.0
        spend = min(float(money), self.useful_treasury, 3.0 * state.cubes[rr])
        income = state.income[rr] + self.income_per_dollar * spend
        unsold = state.board.shares[rr] - sold
        thinned = sold + self.dilution * min(float(unsold), rounds)
        return (income * rounds + self.chicago_bonus(state, rr, income)) / thinned

    def chicago_bonus(self, state: Wabash, rr: int, income: float) -> float:
        """The Chicago dividend to come, the likelier the nearer the railroad is."""
        board = state.board
        away = board.chicago_rings
        if not state.track[rr] or state.track[rr] & board.grid.bit[board.chicago]:
            return 0.0
        for step, ring in enumerate(away):
            if state.track[rr] & ring:
                return income * self.chicago_hope * (1.0 - step / len(away))
        return 0.0

    def rounds_left(self, state: Wabash) -> float:
        """About how many general dividends are still to come; the one of this round always is."""
        board = state.board
        unsold = sorted(state.unsold)
        by_shares = sum(unsold[: board.end_sold]) / self.sales_a_round
        by_cubes = (state.supply - board.end_cubes) / self.developments_a_round
        by_detroit = float(len(board.tracks[board.detroit]) - 1 - state.industry[board.detroit])
        return 1.0 + max(0.0, min(by_shares, by_cubes, by_detroit))
