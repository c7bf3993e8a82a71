"""Honest chances: figures of what was told and what came of it, on made-up games whose answers are known."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from rich.console import Console

from cuberails.bots.analysis import Budget
from cuberails.cli import main
from cuberails.cli.calibrate import print_calibration
from cuberails.core.judge import sharpened
from cuberails.core.state import CHANCE
from cuberails.lab import Match, calibrate
from cuberails.lab.calibrate import (
    SHARPEST,
    Forecast,
    bins,
    calibration,
    fitted_sharpness,
    forecasts_in,
    forecasts_in_games,
    score,
)
from cuberails.lab.simulate import play_one, play_recorded
from tests.lab.boards import TINY, WABASH

RANDOMS = Match(WABASH, 3, ("random",), seed=4)


def forecast(chances: list[float], winner: int, part: float = 0.0, game: int = 0) -> Forecast:
    return Forecast(game, part, chances, [float(seat == winner) for seat in range(len(chances))])


def games_of(sharpness: float, count: int = 1500) -> list[list[Forecast]]:
    """Games whose true chances are known, where others were told: the true ones raised to 1 / sharpness."""
    rng, found = Random(1), list[list[Forecast]]()
    for n in range(count):
        true = sharpened([rng.random() + 0.05 for _ in range(3)], 1.5)
        winner = rng.choices(range(3), true)[0]
        found.append([forecast(sharpened(true, 1.0 / sharpness), winner, rng.random(), n)])
    return found


def test_the_brier_score_is_the_mean_squared_difference() -> None:
    right, wrong, even = forecast([1.0, 0.0], 0), forecast([1.0, 0.0], 1), forecast([0.5, 0.5], 1)
    assert score([right]).brier == 0.0
    assert score([wrong]).brier == 1.0
    assert score([even]).brier == score([right]).naive == 0.25
    assert score([right, wrong]).brier == 0.5
    assert score([right]).skill == 1.0
    assert score([even]).skill == 0.0
    assert score([wrong]).skill == -3.0


def test_bins_hold_equally_many_seats_the_lowest_chances_first() -> None:
    found = bins([forecast([0.1, 0.9], 1), forecast([0.2, 0.8], 0), forecast([0.3, 0.7], 1)], count=3)
    assert [each.count for each in found] == [2, 2, 2]
    assert [each.predicted for each in found] == pytest.approx([0.15, 0.5, 0.85])
    assert [each.won for each in found] == [0.5, 0.5, 0.5]


def test_a_shared_win_counts_as_a_part() -> None:
    (only,) = bins([Forecast(0, 0.0, [0.5, 0.5], [0.5, 0.5])], count=1)
    assert (only.predicted, only.won) == (0.5, 0.5)


@pytest.mark.parametrize("sharpness", [0.6, 1.0, 1.6])
def test_the_sharpness_that_chances_lack_is_found_again(sharpness: float) -> None:
    """Below 1 they were too sure, above too cautious; and with it they are right."""
    games = games_of(sharpness)
    found = calibration(RANDOMS, games)
    assert found.sharpness == pytest.approx(sharpness, abs=3 * found.error)
    assert found.fitted == found.present * found.sharpness  # chances that were told with a power get another one
    assert 0.0 < found.error < 0.1
    mended = [[replace(each, chances=sharpened(each.chances, sharpness)) for each in game] for game in games]
    everything = [each for game in mended for each in game]
    assert fitted_sharpness(mended)[0] == pytest.approx(1.0, abs=3 * found.error)
    assert all(each.predicted == pytest.approx(each.won, abs=0.08) for each in bins(everything))


def test_where_nothing_was_told_apart_no_sharpness_fits_better() -> None:
    assert fitted_sharpness([[forecast([0.5, 0.5], 0)]]) == (1.0, 0.0)


def test_too_few_games_are_said_to_be_too_few(capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever was told the most always won: no power of the chances would be too much."""
    found = calibration(RANDOMS, [[forecast([0.6, 0.3, 0.1], 0, 0.5, game)] for game in range(3)])
    assert found.sharpness == pytest.approx(SHARPEST)
    print_calibration(Console(), found)
    assert "these games are too few to tell" in capsys.readouterr().out


def test_one_game_does_not_tell_whether_chances_are_too_sure(capsys: pytest.CaptureFixture[str]) -> None:
    """All its moments have one result, and its sharpness fits it without any error."""
    moments = [forecast([0.6, 0.4], 0), forecast([0.7, 0.3], 0), forecast([0.3, 0.7], 0)]
    found = calibration(RANDOMS, [moments])
    assert found.error == pytest.approx(0.0, abs=1e-6)
    print_calibration(Console(), found)
    assert "these games are too few to tell" in capsys.readouterr().out


def test_sharpened_chances_stay_in_order_and_are_together_1() -> None:
    assert sharpened([0.2, 0.3, 0.5], 1.0) == pytest.approx([0.2, 0.3, 0.5])
    low, middle, high = sharpened([0.2, 0.3, 0.5], 0.5)
    assert low + middle + high == pytest.approx(1.0)
    assert 0.2 < low < middle < high < 0.5
    assert sharpened([0.0, 1.0], 0.5) == [0.0, 1.0]


def test_moments_belong_to_the_third_of_the_game_in_which_they_are() -> None:
    found = calibration(
        RANDOMS, [[forecast([1.0, 0.0], 0, part, game) for part in (0.0, 0.3, 0.4, 0.99)] for game in (0, 1)]
    )
    assert [third.moments for third in found.thirds] == [4, 2, 2]
    assert found.score.moments == 8


@pytest.fixture
def tiny_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibrate, "BUDGETS", {"quick": Budget("quick", 0, 4, 4)})


@pytest.mark.usefixtures("tiny_budget")
def test_what_is_told_comes_from_the_position_and_what_was_won_from_the_end() -> None:
    match = Match(TINY, 3, ("random",), seed=2)
    game = play_recorded(match, 0)
    result = play_one(match, 0)
    assert (game.state.scores(), game.state.winners()) == (list(result.scores), list(result.winners))
    found = forecasts_in(game, 3, 2, 0)
    assert [int(3 * each.part) for each in found] == [0, 1, 2]
    for each in found:
        assert sum(each.chances) == pytest.approx(1.0)
        assert each.won == game.state.win_shares()
    assert forecasts_in(game, 3, 2, 0) == found
    assert next(forecasts_in_games(match, 1, 3)) == found
    assert all(step.seat != CHANCE for step in game.steps)


@pytest.mark.usefixtures("tiny_budget")
def test_the_command_prints_reliability_and_scores(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["lab", "calibrate", "wabash", "--games", "1", "--moments", "2", "--bots", "random"]
    assert main(command) == 0
    printed = capsys.readouterr().out
    for expected in (
        "1 game of 3 players (random)",
        "predicted",
        "Brier",
        "last third",
        "sharpness",
        "wabash/judge.toml",
        "would fit",
    ):
        assert expected in printed
    assert main([*command, "--json"]) == 0
    assert '"sharpness"' in capsys.readouterr().out
