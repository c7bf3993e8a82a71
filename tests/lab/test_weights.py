"""Fitting a judge: the winners are predicted better, the same way each time, and the file can be read again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from cuberails import Board
from cuberails.lab.executor import Local
from cuberails.lab.weights import (
    CONTEST_PLAYERS,
    Fitted,
    Fitting,
    Lesson,
    contest_game,
    fit,
    fit_weights,
    lessons,
    loss,
    minimized,
)
from cuberails.titles import judge_with, read_weights, weights
from tests.lab.boards import SHORT, TINY, WABASH

Item = TypeVar("Item")


def no_bar(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    return items


def short_games(games: int, jobs: int = 1, board: Board = TINY) -> Fitting:
    return Fitting(board, games, 3, Local(jobs), no_bar, simulations=4)


@pytest.fixture(scope="module")
def learned() -> list[Lesson]:
    by_game = lessons(short_games(8), weights("wabash"), range(8))
    return [lesson for of_game in by_game for lesson in of_game]


def test_lessons_come_from_whole_games_of_all_player_counts(learned: list[Lesson]) -> None:
    assert {lesson.position.players for lesson in learned} == {2, 3, 4}
    assert all(sum(lesson.won) == pytest.approx(1) for lesson in learned)
    assert all(lesson.position.board is TINY for lesson in learned)
    assert len(learned) > 40


def test_fitting_mends_weights_that_are_far_off(learned: list[Lesson]) -> None:
    bad = {**weights("wabash"), "calm": 40.0, "sales_a_round": 0.5}
    fitted = fit("wabash", bad, learned)
    assert loss(judge_with("wabash", fitted), learned) < loss(judge_with("wabash", bad), learned) - 0.05


def test_the_least_loss_is_found_and_a_weight_without_evidence_stays() -> None:
    found = minimized({"a": 1.0, "b": 5.0}, lambda values: (values["a"] - 2.0) ** 2)
    assert found == pytest.approx({"a": 2.0, "b": 5.0}, rel=0.02)


def test_the_same_seed_gives_the_same_weights_in_any_number_of_processes() -> None:
    one, two = (fit_weights(short_games(4, jobs), 1) for jobs in (1, 2))
    assert one == two
    assert 0 <= one.won <= one.contests == 4
    assert one.command == "cuberails lab learn wabash --hand --generations 1 --games 4 --seed 3"


def test_the_file_says_where_the_weights_come_from_and_can_be_read() -> None:
    found = Fitted(WABASH, "cuberails lab learn wabash", {"calm": 2.25, "doubt": 0.12345}, 27.5, 60, (1.1, 0.9))
    text = found.to_toml()
    assert 'command = "cuberails lab learn wabash"' in text
    assert "loss_before = 1.1000\nloss = 0.9000" in text
    assert "won = 27.5\ncontests = 60" in text
    assert "board" not in text
    assert read_weights("judge.toml", text) == {"calm": 2.25, "doubt": 0.1235}


def test_the_file_names_a_board_that_is_not_built_in() -> None:
    assert 'board = "tiny"' in Fitted(TINY, "", {}, 0.0, 4, (1.0, 1.0)).to_toml()


def test_who_pays_far_too_much_loses_to_the_others() -> None:
    good = weights("wabash")
    spendthrift = {**good, "sales_a_round": good["sales_a_round"] / 20, "developments_a_round": 0.1}
    assert short_games(9, board=SHORT).contest(spendthrift, good, 9) <= 1


def test_a_contest_without_dice_is_not_one_game_again_and_again() -> None:
    good = weights("wabash")
    won = [contest_game(SHORT, 4, "3", good, good, number) for number in range(0, 12, CONTEST_PLAYERS)]
    assert len(set(won)) > 1
