"""What a position of Credit Mobilier is worth to each seat: an estimate of its cash at the end."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Final

from cuberails.core.judge import Judge
from cuberails.core.state import NOBODY, State
from cuberails.titles.credit_mobilier.state import CreditMobilier

EARLY_SPAN: Final = 0.15
"""While this part of all shares is sold, the time of buying turns into that of earning."""


class CreditMobilierJudge(Judge):
    """What positions of Credit Mobilier are worth.

    About `turns_a_step` pass for each step that the goods of the colours nearest to the coast have to go. Of what a
    treasury will ever pay, about two thirds are paid within `patience` turns. To those who hold the shares now, a
    dollar in the treasury is worth `sure`, one that the company has yet to earn `hoped`: others may still buy in.
    About `next_sale` shares are sold before the next dividend, and then `sales_a_turn` of each company.

    While more than `open_part` of the board's shares are unsold it is too early to tell the companies apart: a share
    of any of them promises `any_share`, and a dollar in its treasury only `open_sure`.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        super().__init__(weights)
        self.turns_a_step: Final = weights["turns_a_step"]
        self.patience: Final = weights["patience"]
        self.sure: Final = weights["sure"]
        self.hoped: Final = weights["hoped"]
        self.next_sale: Final = weights["next_sale"]
        self.sales_a_turn: Final = weights["sales_a_turn"]
        self.open_part: Final = weights["open_part"]
        self.any_share: Final = weights["any_share"]
        self.open_sure: Final = weights["open_sure"]
        self._freight = Freight([], [], [], [], 0)

    def worth(self, position: State) -> list[float]:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        values = [float(cash) for cash in state.cash]
        if state.phase.actor == NOBODY:
            return values
        count = state.board.companies
        outlook = self.look_ahead(state)
        for c in range(count):
            share = self.share_value(state, c, outlook)
            for seat in range(state.players):
                values[seat] += share * state.shares[seat * count + c]
        return values

    def terms(self, position: State, seat: int) -> dict[str, float]:
        assert isinstance(position, CreditMobilier)
        state: CreditMobilier = position
        terms = {"cash": float(state.cash[seat])}
        if state.phase.actor == NOBODY:
            return terms
        count, names = state.board.companies, state.board.names
        outlook = self.look_ahead(state)
        for c in range(count):
            held = state.shares[seat * count + c]
            if held:
                terms[f"{names[c]} shares"] = self.share_value(state, c, outlook) * held
        return terms

    def share_value(self, state: CreditMobilier, c: int, outlook: Outlook) -> float:
        """The dividends of one share until the end. Every share that others buy makes them smaller."""
        held, left = float(state.held[c]), float(state.for_sale(c))
        if held == 0.0:
            return 0.0
        soon = min(self.next_sale, left)
        later = min(self.sales_a_turn * outlook.turns, left)
        early = outlook.early
        sure = self.sure + early * (self.open_sure - self.sure)
        hoped = (1.0 - early) * self.hoped * outlook.income[c] / (held + later) + early * self.any_share
        return (sure * state.treasury[c] / (held + soon) + hoped) * (1.0 - exp(-outlook.turns / self.patience))

    def look_ahead(self, state: CreditMobilier) -> Outlook:
        """The outlook of a position. Most actions that are compared move no goods: the last freight is known again."""
        board = state.board
        if self._freight.goods is not state.goods:
            self._freight = survey(state)
        freight = self._freight
        income = freight.income[:]
        add_line_income(state, income, freight.pawns)
        income[board.builder] += board.track_pays * state.track.count(-1)
        return Outlook(income, self.turns_a_step * freight.steps, self.how_early(state))

    def how_early(self, state: CreditMobilier) -> float:
        """From 0 to 1: how many shares are unsold; at 1, one share is as good as another."""
        total = state.board.shares * state.board.companies
        unsold = (total - sum(state.held)) / total
        return min(1.0, max(0.0, (unsold - self.open_part) / EARLY_SPAN))


class Outlook:
    """What goods and track promise: the income still to come for each company, and about how many turns are left.

    `early` says, from 0 to 1, how much this is a time of buying.
    """

    def __init__(self, income: list[float], turns: float, early: float) -> None:
        self.income: Final = income
        self.turns: Final = turns
        self.early: Final = early


class Freight:
    """What follows from `goods` alone, a list that never changes: where it is the same, so is all this.

    What carrying them to the coast pays each company, the steps of each colour to there, how many stand in each column,
    and the steps until the end.
    """

    def __init__(
        self, goods: list[int], income: list[float], of_color: list[int], pawns: list[int], steps: int
    ) -> None:
        self.goods: Final = goods
        self.of_color: Final = of_color
        self.income: Final = income
        self.pawns: Final = pawns
        self.steps: Final = steps


def survey(state: CreditMobilier) -> Freight:
    """The freight of a position."""
    board = state.board
    size, columns = board.size, board.columns
    income = [0.0] * board.companies
    steps = [0] * board.railways
    pawns = [0] * columns
    for c in range(board.railways):
        mask = state.stands[c]
        while mask:
            n = size - mask.bit_length()
            mask ^= board.bit[n]
            here = state.goods[c * size + n]
            steps[c] += here * (n % columns + 1)
            pawns[n % columns] += here
        income[c] += board.goods_pay * steps[c]
    return Freight(state.goods, income, steps, pawns, steps_to_end(steps, board.end_colors))


def add_line_income(state: CreditMobilier, income: list[float], pawns: list[int]) -> None:
    """All goods of a column and further east will go west from it, in any of its rows alike."""
    board, track, slot_at = state.board, state.track, state.board.slot_at
    columns, rows = board.columns, board.rows
    passing = 0
    for column in range(columns - 1, -1, -1):
        passing += pawns[column]
        share = board.line_pays * passing / rows
        for n in range(column, board.size, columns):
            slot = slot_at[n * 3]
            if slot >= 0 and track[slot] >= 0:
                income[track[slot]] += share


def steps_to_end(steps: list[int], colors: int) -> int:
    """The steps until all but `colors` colours have arrived, if the nearest do first."""
    return sum(sorted(steps)[: len(steps) - colors])
