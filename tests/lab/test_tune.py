"""Fitting a judge: the winners are foretold better, the same way each time, and the file can be read again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from cuberails.lab import Fit, tune
from cuberails.lab.tune import Lesson, fit, lessons, loss
from cuberails.titles import judge_with, read_weights, weights

Item = TypeVar("Item")


def no_bar(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    return items


@pytest.fixture(scope="module")
def learned() -> list[Lesson]:
    games = lessons("wabash", weights("wabash"), 1, range(8), 1)
    return [lesson for state in games for lesson in state]


def test_lessons_come_from_whole_games_of_all_player_counts(learned: list[Lesson]) -> None:
    assert {lesson.position.players for lesson in learned} == {3, 4, 5, 6}
    assert all(sum(lesson.won) == pytest.approx(1) for lesson in learned)
    assert len(learned) > 100


def test_fitting_mends_weights_that_are_far_off(learned: list[Lesson]) -> None:
    bad = {**weights("wabash"), "calm": 40.0, "sales_a_round": 0.5}
    fitted = fit("wabash", bad, learned)
    assert loss(judge_with("wabash", fitted), learned) < loss(judge_with("wabash", bad), learned) - 0.05


def test_the_same_seed_gives_the_same_weights_in_any_number_of_processes() -> None:
    one, two = (tune("wabash", 4, 1, 3, jobs, no_bar) for jobs in (1, 2))
    assert one == two
    assert 0 <= one.won <= one.contests == 4
    assert one.command == "cuberails lab tune wabash --games 4 --rounds 1 --seed 3"


def test_the_file_says_where_the_weights_come_from_and_can_be_read() -> None:
    found = Fit("wabash", "cuberails lab tune wabash", 8, {"calm": 2.25, "doubt": 0.12345}, 1.1, 0.9, 27.5, 60)
    text = found.to_toml()
    assert 'command = "cuberails lab tune wabash"' in text
    assert "loss = 0.9000" in text
    assert "won = 27.5\ncontests = 60" in text
    assert read_weights("judge.toml", text) == {"calm": 2.25, "doubt": 0.1235}
