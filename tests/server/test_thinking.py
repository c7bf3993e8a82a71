"""Bots think elsewhere; whatever happens to them, their seats go on."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from threading import Event

import pytest

from cuberails.server.thinking import STRONGEST, Question, Thinkers
from tests.server.house import until


class Asked:
    """Somebody who waits for the choice of a bot."""

    def __init__(self, thinkers: Thinkers, level: str = "random") -> None:
        self.choice = ""
        self._told = Event()
        thinkers.ask(Question("wabash", 3, {}, [], level, "seed"), self._hear)

    def _hear(self, text: str) -> None:
        self.choice = text
        self._told.set()

    def wait(self) -> str:
        assert self._told.wait(60)
        return self.choice


@pytest.fixture(scope="module")
def thinkers() -> Iterator[Thinkers]:
    thinkers = Thinkers(1)
    yield thinkers
    thinkers.close()


def legal(text: str) -> bool:
    return text == "pass" or text.startswith("bid ")


def test_the_same_question_has_the_same_answer(thinkers: Thinkers) -> None:
    assert legal(Asked(thinkers).wait())
    assert Asked(thinkers).wait() == Asked(thinkers).wait()


def test_a_killed_process_is_replaced_and_asked_again(thinkers: Thinkers) -> None:
    Asked(thinkers).wait()
    pool = thinkers._pool
    assert pool is not None
    (process,) = pool._processes.values()
    os.kill(process.pid or 0, signal.SIGKILL)
    questions = [Asked(thinkers) for _ in range(3)]
    assert all(legal(question.wait()) for question in questions)
    until(lambda: thinkers._pool is not pool)


def test_for_a_bot_that_always_fails_anything_legal_is_chosen(thinkers: Thinkers) -> None:
    assert legal(Asked(thinkers, "no such bot").wait())


def test_a_bot_gives_advice_or_fails(thinkers: Thinkers) -> None:
    (idea,) = thinkers.advise(Question("wabash", 3, {}, [], STRONGEST, "seed")).result(60)
    assert legal(idea.action)
    assert thinkers.advise(Question("wabash", 3, {}, [], "no such bot", "seed")).exception(60)


def test_without_any_processes_the_seat_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no processes left")

    thinkers = Thinkers(1)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor.submit", fail)
    assert legal(Asked(thinkers).wait())
    thinkers.close()
