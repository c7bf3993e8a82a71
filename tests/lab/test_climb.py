"""Weights that win: worse ones lose, a climb is the same each time, and luck is not taken for strength."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from cuberails import Board, load
from cuberails.lab.climb import climb, shrunk_mean, slopes
from cuberails.lab.fitting import CONTEST_PLAYERS, Weights, contest_game, table_size
from cuberails.titles import weights
from tests.lab.boards import SHORT
from tests.lab.test_tune import short_games


def test_who_pays_far_too_much_loses_to_the_others() -> None:
    good = weights("wabash")
    spendthrift = {**good, "sales_a_round": good["sales_a_round"] / 20, "developments_a_round": 0.1}
    assert short_games(9, board=SHORT).contest(spendthrift, good, 9) <= 1


def test_a_climb_is_the_same_in_any_number_of_processes() -> None:
    one, two = (climb(short_games(2, jobs), 2) for jobs in (1, 2))
    assert one == two
    assert one.command == "cuberails lab climb wabash --games 2 --rounds 2 --seed 3"
    assert one.weights.keys() == weights("wabash").keys()
    assert 0 <= one.won <= one.contests == 2


def test_a_contest_without_dice_is_not_one_game_again_and_again() -> None:
    good = weights("wabash")
    won = [contest_game(SHORT, 4, "3", good, good, number) for number in range(0, 12, CONTEST_PLAYERS)]
    assert len(set(won)) > 1


def test_slopes_point_to_where_the_winners_weights_are(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games in which the largest `calm` of all wins, whatever the other weights are."""

    def largest_wins(board: Board, simulations: int, seed: str, weights: Sequence[Weights]) -> list[float]:
        winner = max(range(len(weights)), key=lambda seat: weights[seat]["calm"])
        return [float(seat == winner) for seat in range(len(weights))]

    monkeypatch.setattr("cuberails.lab.climb.play_with", largest_wins)
    found = slopes(short_games(200), weights("wabash"), "")
    means, errors = found.mean(axis=0), found.std(axis=0) / 200**0.5
    assert means[0] > 10 * errors[0]
    assert all(abs(means[1:]) < 3 * errors[1:])
    moved = shrunk_mean(found)
    assert moved[0] == pytest.approx(means[0], rel=0.02)
    assert all(abs(moved[1:]) < 0.2 * moved[0])


@pytest.mark.parametrize(
    ("samples", "low", "high"),
    [
        ([0.3, -0.3, 0.3, -0.3], 0.0, 0.0),
        ([0.0, 0.0, 0.0, 0.0], 0.0, 0.0),
        ([0.5, -0.4, 0.4, -0.4], 0.0, 0.0),
        ([0.2, 0.21, 0.19, 0.2], 0.19, 0.2),
        ([-0.2, -0.21, -0.19, -0.2], -0.2, -0.19),
    ],
)
def test_only_what_luck_cannot_do_moves_a_weight(samples: list[float], low: float, high: float) -> None:
    assert low <= shrunk_mean(np.array([samples]).T)[0] <= high


def test_all_numbers_of_players_from_three_on_take_turns() -> None:
    assert [table_size(load("gmo"), number) for number in range(4)] == [3, 4, 5, 3]
    assert [table_size(load("baltimore_ohio"), number) for number in range(5)] == [3, 4, 5, 6, 3]
