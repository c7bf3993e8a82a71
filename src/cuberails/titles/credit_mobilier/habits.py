"""Habits of players in Credit Mobilier: what is bought and paid out early, and pawns that go back and forth."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.habits import AIMS, LENGTH, WASTE, Amounts, Frequency, Habit, Habits
from cuberails.core.state import State
from cuberails.titles.credit_mobilier.board import BUY, WAYS, WEST, CreditMobilierBoard
from cuberails.titles.credit_mobilier.events import Moved, PaidOut
from cuberails.titles.credit_mobilier.state import CreditMobilier

EARLY: Final = 10
"""So many rounds of turns are early; most games take some forty."""


class CreditMobilierHabits(Habits):
    """Watches a game of Credit Mobilier."""

    def __init__(self, first: State) -> None:
        assert isinstance(first, CreditMobilier)
        names, builder = first.board.names, first.board.builder
        in_time = f"in the first {EARLY} rounds"
        self.early_purple = Frequency(AIMS, f"shares bought {in_time} that are of the {names[builder]}")
        self.early_pay_outs = 0
        self.early_paid = 0
        self.first_pay_out = Amounts(AIMS, "round of the first pay-out")
        self.paid = [0] * first.board.companies
        self.aside = Frequency(WASTE, "steps of pawns that go north or south and earn nothing")
        self.back = Frequency(WASTE, "… of these that take back an earlier one")
        self.steps: list[tuple[str, str, str]] = []  # north or south, not taken back: colour, start, end

    def endings(self, board: Board) -> list[str]:
        assert isinstance(board, CreditMobilierBoard)
        return [f"goods of at most {board.end_colors} colors are left outside the Pacific Coast (C8.1)"]

    def never_build(self, board: Board) -> list[str]:
        """The Credit Mobilier [C3.3]."""
        assert isinstance(board, CreditMobilierBoard)
        return [board.names[board.builder]]

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        assert isinstance(before, CreditMobilier)
        board, number = before.board, self.round_of(before)
        if action.kind == BUY and number <= EARLY:
            self.early_purple.count(action.a == board.builder, action.b)
        for event in events:
            if isinstance(event, PaidOut):
                self.see_pay_out(event, board.names.index(event.company), number)
            elif isinstance(event, Moved):
                self.see_step(event)

    def round_of(self, state: CreditMobilier) -> int:
        """How often everybody has been on turn, this turn included."""
        return (state.turns + state.players - 1) // state.players

    def see_pay_out(self, event: PaidOut, company: int, number: int) -> None:
        money = sum(event.paid)
        self.paid[company] += money
        if not self.first_pay_out.seen:
            self.first_pay_out.add(number)
        if number <= EARLY:
            self.early_pay_outs += 1
            self.early_paid += money

    def see_step(self, event: Moved) -> None:
        """A step is taken back if a pawn of the colour goes the same way in the other direction."""
        aside = event.way != WAYS[WEST]
        self.aside.count(aside)
        if not aside:
            return
        there = (event.color, event.end, event.start)
        back = there in self.steps
        self.back.count(back)
        if back:
            self.steps.remove(there)
        else:
            self.steps.append((event.color, event.start, event.end))

    def found(self, last: State) -> list[Habit]:
        assert isinstance(last, CreditMobilier)
        board = last.board
        in_time = f"in the first {EARLY} rounds"
        found: list[Habit] = [
            Amounts(LENGTH, "rounds of turns", seen=[self.round_of(last)]),
            self.early_purple,
            self.first_pay_out,
            Amounts(AIMS, f"pay-outs {in_time}", seen=[self.early_pay_outs]),
            Amounts(AIMS, f"paid out {in_time}", "$", [self.early_paid]),
        ]
        for company, name in enumerate(board.names[: board.companies]):
            found.append(Amounts(AIMS, f"shares of {name} held at the end", seen=[last.held[company]]))
            found.append(Amounts(AIMS, f"paid out by {name}", "$", [self.paid[company]]))
        return [*found, self.aside, self.back]
