"""Judges for analyses that say nothing by themselves: a test answers for them, and so decides how far they are."""

from __future__ import annotations

from concurrent.futures import Future
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from typing import Any

from cuberails.bots.decision import Decision, verdict_on
from cuberails.server.queueing import Asker
from cuberails.server.thinking import Judging, Question, Thinkers
from tests.server.house import until


class Judges(Thinkers):
    """What they were asked, in turn, and how many of that a test has answered."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[tuple[Question, Judging, Future[Decision]]] = []
        self.answered = 0

    def judge(self, question: Question, work: Judging, asker: Asker) -> Future[Decision]:
        self.asked.append((question, work, Future()))
        return self.asked[-1][2]

    def answer(self, count: int) -> None:
        """Judge so many decisions that were asked for or will be."""
        for _ in range(count):
            self.answer_with()

    def answer_with(self, **changes: Any) -> None:
        """Judge the next decision, with something that is otherwise than usual."""
        question, work, future = self._next()
        future.set_result(replace(judged(question, work), **changes))

    def fail(self, error: Exception | None = None) -> None:
        self._next()[2].set_exception(error or BrokenProcessPool("killed"))

    def _next(self) -> tuple[Question, Judging, Future[Decision]]:
        until(lambda: len(self.asked) > self.answered)
        self.answered += 1
        return self.asked[self.answered - 1]


def judged(question: Question, work: Judging) -> Decision:
    """A decision of no meaning: of five the fourth loses a quarter, the fifth takes the chance of another seat."""
    state, at = question.position(), len(question.actions)
    seat, played = state.phase.actor, state.board.actions.all[work.action]
    others = [action for action in state.legal_actions() if action is not played]
    loss, best = (0.25, others[0]) if at % 5 == 3 and others else (0.0, played)
    before, after = _chances(state.players, seat, 0.5), _chances(state.players, seat, 0.5 - loss)
    if at % 5 == 4 and others:
        best, after[seat - 1], after[seat - 2] = others[0], 0.0, before[seat - 1] + after[seat - 2]
    verdict = verdict_on(loss, 0.5, best is played)
    words = f"{work.names[seat]}: {played.text}; the chance fell by {100 * loss:.0f} %"
    line = [best.text, "pass"]
    what = (seat, played.text, best.text, before, after, loss, "test", verdict, line, list[str](), words, "")
    return Decision(at, *what, exact=True)  # so that nothing is doubted


def _chances(players: int, seat: int, own: float) -> list[float]:
    return [own if n == seat else (1 - own) / (players - 1) for n in range(players)]
