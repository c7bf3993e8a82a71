"""What a position of Credit Mobilier is worth to each seat: an estimate of its cash at the end."""

from __future__ import annotations

from math import exp
from typing import Final

from cuberails.core.state import CHANCE, State
from cuberails.titles.credit_mobilier.rules import CreditMobilier

TURNS_A_STEP: Final = 2.6
"""About so many turns pass for each step that the goods of the colours nearest to the coast have to go."""
PATIENCE: Final = 10.0
"""Of what a treasury will ever pay, about two thirds are paid within so many turns."""
SURE: Final = 0.6
"""A dollar in a treasury is worth so much to those who hold the shares now: others may still buy in."""
HOPED: Final = 0.3
"""The same for a dollar that a company has yet to earn."""
NEXT_SALE: Final = 1.0
"""About so many shares are sold before the next dividend."""
SALES_A_TURN: Final = 0.05
"""About so many shares of each company are sold in a turn."""


def worth(state: State) -> list[float]:
    """For each seat the cash it is likely to end with: its cash, and the dividends of its shares."""
    assert isinstance(state, CreditMobilier)
    game: CreditMobilier = state
    values = [float(cash) for cash in game.cash]
    if game.phase.actor < CHANCE:
        return values
    count = game.board.companies
    outlook = look_ahead(game)
    for c in range(count):
        share = share_value(game, c, outlook)
        for seat in range(game.players):
            values[seat] += share * game.shares[seat * count + c]
    return values


def share_value(game: CreditMobilier, c: int, outlook: Outlook) -> float:
    """The dividends of one share until the end. Every share that others buy makes them smaller."""
    unsold = float(game.unsold[c])
    held = game.board.shares - unsold
    if held == 0.0:
        return 0.0
    soon = min(NEXT_SALE, unsold)
    later = min(SALES_A_TURN * outlook.turns, unsold)
    dividends = SURE * game.treasury[c] / (held + soon) + HOPED * outlook.income[c] / (held + later)
    return dividends * (1.0 - exp(-outlook.turns / PATIENCE))


class Outlook:
    """What goods and track promise: the income still to come for each company, and about how many turns are left.

    It follows from `goods` and `track` alone, which are lists that never change: where they are the same, it is.
    """

    def __init__(self, goods: list[int], track: list[int], income: list[float], turns: float) -> None:
        self.goods: Final = goods
        self.track: Final = track
        self.income: Final = income
        self.turns: Final = turns


class _Last:
    """The outlook found last: most actions that are compared change neither goods nor track."""

    def __init__(self) -> None:
        self.outlook = Outlook([], [], [], 0.0)


_last: Final = _Last()


def look_ahead(game: CreditMobilier) -> Outlook:
    """The outlook of a position, remembered or new."""
    last = _last.outlook
    if last.goods is game.goods and last.track is game.track:
        return last
    outlook = _look_ahead(game)
    _last.outlook = outlook
    return outlook


def _look_ahead(game: CreditMobilier) -> Outlook:
    board = game.board
    size, columns = board.size, board.columns
    income = [0.0] * board.companies
    steps = [0] * board.railways
    pawns = [0] * columns
    for c in range(board.railways):
        mask = game.stands[c]
        while mask:
            n = size - mask.bit_length()
            mask ^= board.bit[n]
            here = game.goods[c * size + n]
            steps[c] += here * (n % columns + 1)
            pawns[n % columns] += here
        income[c] += board.goods_pay * steps[c]
    add_line_income(game, income, pawns)
    income[board.builder] += board.track_pays * game.track.count(-1)
    return Outlook(game.goods, game.track, income, TURNS_A_STEP * steps_to_end(steps, board.end_colors))


def add_line_income(game: CreditMobilier, income: list[float], pawns: list[int]) -> None:
    """All goods of a column and further east will go west from it, in any of its rows alike."""
    board, track, slot_at = game.board, game.track, game.board.slot_at
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
    """The steps until all but so many colours have arrived, if the nearest do first."""
    return sum(sorted(steps)[: len(steps) - colors])
