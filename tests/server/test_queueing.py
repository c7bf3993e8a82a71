"""The queue of questions to bots: fair between persons, and first those for whom somebody waits."""

from __future__ import annotations

from functools import partial

import pytest

from cuberails.server.queueing import ADVICE, PATIENCE, PEOPLE, STUDY, UNWATCHED, WATCHED, Asker, FairQueue


class Clock:
    """A clock that a test turns."""

    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def queue(clock: Clock) -> FairQueue[str]:
    return FairQueue(clock)


def order(queue: FairQueue[str]) -> list[str]:
    return [queue.take() for _ in range(len(queue))]


def test_persons_take_turns_however_much_one_of_them_asks(queue: FairQueue[str]) -> None:
    for n in range(4):
        queue.put(f"Ann {n}", Asker("Ann"))
    queue.put("Bob 0", Asker("Bob"))
    queue.put("Bob 1", Asker("Bob"))
    queue.put("Cy 0", Asker("Cy"))
    assert order(queue) == ["Ann 0", "Bob 0", "Cy 0", "Ann 1", "Bob 1", "Ann 2", "Ann 3"]


def test_people_come_before_watched_bots_before_unwatched_and_hints_come_last(queue: FairQueue[str]) -> None:
    for name, urgency in (("hint", ADVICE), ("alone", UNWATCHED), ("shown", WATCHED), ("played", PEOPLE)):
        queue.put(name, Asker(name, partial(int, urgency)))
    assert order(queue) == ["played", "shown", "alone", "hint"]


def test_who_comes_to_a_table_makes_it_urgent(queue: FairQueue[str]) -> None:
    watched = False
    queue.put("first", Asker("Ann", lambda: UNWATCHED))
    queue.put("second", Asker("Bob", lambda: PEOPLE if watched else UNWATCHED))
    watched = True
    assert order(queue) == ["second", "first"]


def test_everybodys_turn_comes(queue: FairQueue[str], clock: Clock) -> None:
    queue.put("hint", Asker("Ann", lambda: ADVICE))
    clock.time += 3 * PATIENCE
    queue.put("bot", Asker("Bob", lambda: PEOPLE))
    assert order(queue) == ["hint", "bot"]


def test_people_hold_up_what_they_need_not_wait_for(queue: FairQueue[str], clock: Clock) -> None:
    worth = Asker("Ann", lambda: STUDY)
    queue.put("alone", Asker("Bob", lambda: UNWATCHED))
    assert not queue.is_held_up(worth, 0.0)
    for urgency in (ADVICE, WATCHED, PEOPLE):
        queue.put("waited for", Asker("Cy", partial(int, urgency)))
        assert queue.is_held_up(worth, 0.0)
        assert not queue.is_held_up(Asker("Di"), 0.0)
        queue.discard("waited for")
    clock.time = 4 * PATIENCE
    queue.put("played", Asker("Cy"))
    assert not queue.is_held_up(worth, 0.0)  # it has waited long enough


def test_what_is_put_back_has_waited_since_it_was_put_in_first(queue: FairQueue[str], clock: Clock) -> None:
    clock.time = 10.0
    queue.put("first", Asker("Ann"))
    queue.put("again", Asker("Bob"), 5.0)
    assert order(queue) == ["again", "first"]


def test_what_nobody_wants_any_more_waits_no_longer(queue: FairQueue[str]) -> None:
    queue.put("one", Asker("Ann"))
    queue.put("other", Asker("Ann"))
    assert queue.discard("one")
    assert not queue.discard("one")
    assert order(queue) == ["other"]
