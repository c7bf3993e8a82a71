"""Executors: the same results in the same order on any number of workers, whatever happens to the workers."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from cuberails.core.title import SetupError
from cuberails.lab import Local, Match, WorkerLost, play_one
from cuberails.lab.executor import TRIES
from tests.lab.boards import TINY

RANDOMS = partial(play_one, Match(TINY, 3, ("random",), seed=7))


def square(number: int) -> int:
    return number * number


def worker_of(number: int) -> int:
    return os.getpid()


def die_at(times: int, folder: Path, doomed: int, number: int) -> int:
    """A game in which a process is killed, this many times."""
    killed = folder / "killed"
    before = killed.read_text() if killed.exists() else ""
    if number == doomed and len(before) < times:
        killed.write_text(before + "x")
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuse(number: int) -> int:
    raise SetupError(f"game {number} is not for us")


@pytest.mark.parametrize("jobs", [1, 2, 3])
def test_the_same_games_on_any_number_of_workers(jobs: int) -> None:
    with Local(jobs) as executor:
        assert list(executor.map(RANDOMS, range(3, 50))) == [RANDOMS(number) for number in range(3, 50)]


def test_a_killed_worker_loses_nothing(tmp_path: Path) -> None:
    with Local(2) as executor:
        assert list(executor.map(partial(die_at, 1, tmp_path, 13), range(100))) == list(range(100))
    assert (tmp_path / "killed").read_text() == "x"


def test_a_worker_killed_while_it_waits_is_replaced() -> None:
    with Local(2) as executor:
        before = set(executor.map(worker_of, range(40)))
        for process in before:
            os.kill(process, signal.SIGKILL)
        after = set(executor.map(worker_of, range(40)))
        assert os.getpid() not in before | after
        assert not before & after


def test_a_game_that_kills_every_worker_is_given_up(tmp_path: Path) -> None:
    with Local(2) as executor, pytest.raises(WorkerLost, match=f"game 13 could not be played: {TRIES} workers"):
        list(executor.map(partial(die_at, 99, tmp_path, 13), range(30)))
    assert (tmp_path / "killed").read_text() == "x" * TRIES


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_a_game_raises_is_raised_here_and_the_executor_plays_on(jobs: int) -> None:
    with Local(jobs) as executor:
        with pytest.raises(SetupError, match="is not for us"):
            list(executor.map(refuse, range(9)))
        assert list(executor.map(square, range(4))) == [0, 1, 4, 9]


def test_workers_are_kept_from_one_series_to_the_next_even_if_the_first_was_left() -> None:
    with Local(2) as executor:
        left = executor.map(square, range(1000))
        assert next(left) == 0
        left.close()  # type: ignore[attr-defined]
        assert len({*executor.map(worker_of, range(40)), *executor.map(worker_of, range(40))}) <= 2
