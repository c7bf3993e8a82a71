"""Bots think elsewhere; whatever happens to them, their seats go on."""

from __future__ import annotations

import os
import signal
from collections import OrderedDict
from collections.abc import Iterator
from concurrent.futures import Future
from dataclasses import replace
from threading import Event

import pytest

from cuberails.bots import Bot, OnProgress
from cuberails.core.action import Action
from cuberails.core.state import State
from cuberails.server import thinking
from cuberails.server.queueing import PEOPLE, STUDY, UNWATCHED, Asker
from cuberails.server.thinking import Question, Thinkers, choose
from cuberails.titles import load
from tests.server.house import SLOW, until

ASKER = Asker("Ann")


def question(players: int, actions: list[int], level: str, game_id: str) -> Question:
    """A question about Wabash Cannonball on its own board."""
    return Question("wabash", load("wabash").board.text, 1, players, {}, actions, level, game_id)


class Asked:
    """Somebody who waits for the choice of a bot."""

    def __init__(self, thinkers: Thinkers, level: str = "random", asker: Asker = ASKER) -> None:
        self.choice = ""
        self._answered = Event()
        self.question = question(3, [], level, "seed")
        thinkers.ask(self.question, self._hear, asker)

    @property
    def answered(self) -> bool:
        return self._answered.is_set()

    def _hear(self, text: str) -> None:
        self.choice = text
        self._answered.set()

    def wait(self) -> str:
        assert self._answered.wait(60)
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
    assert all(legal(asked.wait()) for asked in questions)
    until(lambda: thinkers._pool is not pool)


def test_for_a_bot_that_always_fails_anything_legal_is_chosen(thinkers: Thinkers) -> None:
    assert legal(Asked(thinkers, "no such bot").wait())


def test_a_bot_gives_advice_or_fails(thinkers: Thinkers) -> None:
    best, *others = thinkers.advise(question(3, [], "expert", "game"), ASKER).result(60)
    assert all(legal(idea.action) and idea.why and len(idea.chances) == 3 for idea in (best, *others))
    assert len(others) == 2
    assert thinkers.advise(replace(question(3, [], "expert", "game"), title="no such title"), ASKER).exception(60)


def wait_for_more(thinkers: Thinkers, question: Question, than: float = 0.0) -> float:
    """How far a bot is, as soon as it is further than that."""
    until(lambda: (thinkers.progress(question) or 0.0) > than)
    return thinkers.progress(question) or 0.0


def test_a_bot_tells_how_far_it_is_until_it_has_chosen(thinkers: Thinkers) -> None:
    asked, waiting = Asked(thinkers, SLOW), Asked(thinkers, SLOW)
    first = wait_for_more(thinkers, asked.question)
    assert first < wait_for_more(thinkers, asked.question, first) <= 1
    assert thinkers.progress(waiting.question) == 0.0  # one process thinks about one thing
    assert legal(asked.wait())
    assert thinkers.progress(asked.question) is None
    assert wait_for_more(thinkers, waiting.question) <= 1
    assert legal(waiting.wait())
    until(lambda: len(thinkers._slots.free) == thinking.SLOTS)


def test_a_bot_whose_process_was_killed_begins_anew(thinkers: Thinkers) -> None:
    asked = Asked(thinkers, SLOW)
    wait_for_more(thinkers, asked.question)
    assert thinkers._pool is not None
    (process,) = thinkers._pool._processes.values()
    os.kill(process.pid or 0, signal.SIGKILL)
    until(lambda: thinkers.progress(asked.question) == 0.0)
    assert legal(asked.wait())


def test_advice_tells_how_far_it_is(thinkers: Thinkers) -> None:
    asked = question(3, [], "expert", "game")
    advice = thinkers.advise(asked, ASKER)
    assert 0 < wait_for_more(thinkers, asked) <= 1
    assert advice.result(60)
    assert thinkers.progress(asked) is None


def test_bots_beyond_number_think_without_telling_how_far_they_are() -> None:
    thinkers = Thinkers(1)
    thinkers._slots.free.clear()
    asked = Asked(thinkers)
    assert thinkers.progress(asked.question) is None
    assert legal(asked.wait())
    thinkers.close()


class Listener(Bot):
    """A bot that remembers what it observed."""

    def __init__(self) -> None:
        super().__init__("")
        self.observed: list[str] = []

    def observe(self, action: Action) -> None:
        self.observed.append(action.text)

    def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
        return state.legal_actions()[0]


def test_a_bot_goes_on_thinking_where_it_was_unless_the_game_went_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[Listener] = []

    def new(*_: object) -> Listener:
        made.append(Listener())
        return made[-1]

    monkeypatch.setattr(thinking, "make", new)
    monkeypatch.setattr(thinking, "_kept_bots", OrderedDict())
    state = load("wabash").new(2, {})

    def ask(*texts: str) -> Listener:
        choose(question(2, [state.parse(text).id for text in texts], "hard", "game"))
        ((bot, _),) = [known for (_, _, seat), known in thinking._kept_bots.items() if seat == 0]
        assert isinstance(bot, Listener)
        return bot

    first = ask()
    assert ask("bid 9", "bid 10") is first
    assert first.observed == ["bid 9", "bid 10"]
    assert ask("bid 9", "bid 11") is not first  # it was taken back
    assert ask("bid 9", "bid 11") is not made[1]  # and asked again, as after a failure


def test_a_worker_forgets_the_bots_that_were_asked_long_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinking, "_kept_bots", OrderedDict())
    for n in range(thinking.MOST_KEPT_BOTS + 3):
        choose(question(2, [], "random", f"game {n}"))
    assert len(thinking._kept_bots) == thinking.MOST_KEPT_BOTS
    assert ("game 0", "random", 0) not in thinking._kept_bots


def test_without_any_processes_the_seat_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError("no processes left")

    thinkers = Thinkers(1)
    monkeypatch.setattr("concurrent.futures.ProcessPoolExecutor.submit", fail)
    assert legal(Asked(thinkers).wait())
    thinkers.close()


ENDLESS = "search:simulations=100000000:seconds=50:finalists=9"
"""A bot that thinks as long as it is left alone."""


def begun(thinkers: Thinkers, yields: bool = False, asker: Asker = ASKER) -> tuple[Question, Future[str]]:
    """Endless work that a process has begun."""
    asked = question(3, [], ENDLESS, "game")
    answer = thinkers._submit(choose, asked, asker, yields)
    wait_for_more(thinkers, asked)
    return asked, answer


def test_whoever_cancels_an_answer_frees_the_process(thinkers: Thinkers) -> None:
    asked, answer = begun(thinkers)
    assert answer.cancel()
    assert legal(Asked(thinkers).wait())
    assert thinkers.progress(asked) is None


def test_what_is_cancelled_before_it_begins_is_never_begun(thinkers: Thinkers) -> None:
    _, first = begun(thinkers)
    waiting = question(3, [], ENDLESS, "another game")
    second = thinkers._submit(choose, waiting, ASKER)
    assert second.cancel()
    assert (thinkers.progress(waiting), thinkers.queue_length) == (None, 1)
    first.cancel()
    assert legal(Asked(thinkers).wait())


def test_work_that_yields_makes_way_for_a_bot_that_people_wait_for_and_is_begun_again(thinkers: Thinkers) -> None:
    asked, answer = begun(thinkers, True, Asker("Ann", lambda: STUDY))
    unseen = Asked(thinkers, "random", Asker("Bob", lambda: UNWATCHED))
    assert legal(Asked(thinkers, "random", Asker("Cy", lambda: PEOPLE)).wait())
    assert not answer.done()
    assert legal(unseen.wait())  # where one had to make way, whoever comes first is next
    assert wait_for_more(thinkers, asked) > 0
    assert answer.cancel()
    until(lambda: len(thinkers._slots.free) == thinking.SLOTS)


def test_no_work_makes_way_for_bots_that_nobody_watches(thinkers: Thinkers) -> None:
    asked, answer = begun(thinkers, True, Asker("Ann", lambda: STUDY))
    unseen = Asked(thinkers, "random", Asker("Bob", lambda: UNWATCHED))
    before = thinkers.progress(asked) or 0.0
    assert wait_for_more(thinkers, asked, before) > before
    assert not unseen.answered
    answer.cancel()
    assert legal(unseen.wait())


def test_a_person_with_many_slow_bots_does_not_keep_others_waiting(thinkers: Thinkers) -> None:
    """One person opened 20 tables of slow bots and left; another's bot is next as soon as a process is free."""
    gone, here = Asker("Ann", lambda: UNWATCHED), Asker("Bob", lambda: PEOPLE)
    slow = [Asked(thinkers, SLOW, gone) for _ in range(20)]
    wait_for_more(thinkers, slow[0].question)
    assert legal(Asked(thinkers, "medium", here).wait())
    assert sum(asked.answered for asked in slow) == 1


def test_the_end_of_the_server_cancels_what_waits() -> None:
    thinkers = Thinkers(1)
    Asked(thinkers, SLOW)
    hint = thinkers.advise(question(3, [], "expert", "game"), ASKER)
    thinkers.close()
    assert hint.cancelled()
