"""Learning by self-play: gradients, targets, the same run in any number of processes, stopped and resumed."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import numpy as np
import pytest

from cuberails.core.learned import Learned
from cuberails.core.title import SetupError
from cuberails.lab.executor import Local
from cuberails.lab.league import MEMBERS, Lesson, Play, Trial, table_size
from cuberails.lab.learn import Learning, Plan, Run, with_targets
from cuberails.lab.network import Batch, Network, softmax
from cuberails.titles import features_of, load, read_learned
from tests.lab.boards import TINY

Item = TypeVar("Item")
NAMES = features_of(TINY).names
SHORT_PLAN = Plan(generations=3, games=1, trials=1, hidden=(4,), seed=3)


def no_bar(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    return items


def learning(folder: Path, plan: Plan = SHORT_PLAN, jobs: int = 1) -> Learning:
    return Learning(TINY, plan, folder, Local(jobs), no_bar)


def batch(rng: np.random.Generator, positions: int = 5, seats: int = 3, size: int = 4) -> Batch:
    return Batch(
        rng.standard_normal((positions, seats, size)).astype(np.float32),
        np.zeros((positions, seats, 2), np.float32),
        softmax(rng.standard_normal((positions, seats)).astype(np.float32)),
        rng.standard_normal((positions, seats)).astype(np.float32),
    )


def test_back_propagation_is_the_slope_of_the_loss() -> None:
    """A step along a single weight changes the loss as its gradient says, which Adam keeps the mean of."""
    rng = np.random.default_rng(1)
    lesson = batch(rng)
    network = Network.new(4, (6, 5), rng)
    network.weights[-1] += rng.standard_normal(network.weights[-1].shape).astype(np.float32)
    network.learn(lesson, 0.0)
    for layer in range(3):
        slope = network.means[2 * layer][0, 0] / 0.1  # after one step the mean is a tenth of the gradient
        losses = []
        for step in (-0.01, 0.01):
            network.weights[layer][0, 0] += step
            losses.append(network.learn(lesson, 0.0))
            network.weights[layer][0, 0] -= step
        assert (losses[1] - losses[0]) / 0.02 == pytest.approx(slope, abs=0.02)
        network.means, network.squares, network.steps = [], [], 0
        network.learn(lesson, 0.0)


def test_a_network_learns_what_decides() -> None:
    rng = np.random.default_rng(2)
    network = Network.new(4, (8,), rng)
    lesson = batch(rng, 400)
    lesson.win = softmax((4.0 * np.abs(lesson.rows[..., 1])).astype(np.float32))
    lesson.score = 0.5 * lesson.rows[..., 2]
    first = network.learn(lesson, 0.01)
    for _ in range(300):
        last = network.learn(lesson, 0.01)
    assert last < first - 0.8


def test_returns_go_back_from_the_end_to_the_last_action_that_nobody_wanted() -> None:
    run = Run(SHORT_PLAN, Network.new(2, (3,), np.random.default_rng(0)), score_unit=10.0)
    won, scores = np.array([1.0, 0.0], np.float32), np.array([12.0, 8.0], np.float32)
    rows = np.zeros((4, 2, 2), np.float16)
    lesson = Lesson(rows, np.zeros((4, 2, 2), np.float32), np.array([False, True, False, False]), won, scores)
    targets = with_targets(run, lesson, 0.5)
    # A network that says nothing yet gives each seat one half; every step back is half the way there.
    expected = [0.5, 0.5, 0.75, 1.0]
    assert targets.win[:, 0] == pytest.approx(expected)
    assert targets.score[:, 1] == pytest.approx([0.0, 0.0, 0.4, 0.8])


def test_lessons_are_whole_games_with_the_opponents_of_the_league() -> None:
    pupil = learning(Path()).pupil(Network.new(len(NAMES), (4,), np.random.default_rng(0)), 60.0)
    play = Play(TINY, 3, pupil, (), 0.01, 0.5)
    lesson = play.lesson(1)
    positions, seats, size = lesson.rows.shape
    assert seats == table_size(TINY.title, 1) == 4
    assert size == len(play.pupil.names)
    assert lesson.hand.shape == (positions, seats, 2)
    assert lesson.wandered.any()
    assert lesson.won.sum() == pytest.approx(1.0)
    assert np.array_equal(play.lesson(1).rows, lesson.rows)


def test_the_same_seed_learns_the_same_in_any_number_of_processes(tmp_path: Path) -> None:
    plan = replace(SHORT_PLAN, generations=2)
    one, two = ([*learning(tmp_path / str(jobs), plan, jobs).generations()] for jobs in (1, 2))
    assert one == two
    assert (tmp_path / "1" / "learned.json").read_text() == (tmp_path / "2" / "learned.json").read_text()


def test_a_run_that_was_stopped_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    whole = [*learning(tmp_path / "whole").generations()]
    stopped = learning(tmp_path / "stopped").generations()
    next(stopped)  # and no further
    with pytest.raises(SetupError, match="another run uses"):
        next(learning(tmp_path / "stopped").generations())
    del stopped
    again = [*learning(tmp_path / "stopped").generations()]
    assert again == whole
    for name in ("learned.json", "curve.json"):
        assert (tmp_path / "stopped" / name).read_text() == (tmp_path / "whole" / name).read_text()


def test_what_was_learned_can_be_read_and_says_how(tmp_path: Path) -> None:
    reports = [*learning(tmp_path, replace(SHORT_PLAN, hand_part=0.0)).generations()]
    assert [report.generation for report in reports] == [1, 2, 3]
    assert any(report.kept for report in reports)
    known = read_learned("learned.json", (tmp_path / "learned.json").read_text())
    assert known.hand_part == 0.0
    command = "cuberails lab learn wabash --generations 3 --games 1 --trials 1 --hidden 4 --alone --seed 3"
    assert known.about["command"] == command
    assert len(json.loads((tmp_path / "curve.json").read_text())) == 3


def test_another_run_in_the_folder_is_not_overwritten(tmp_path: Path) -> None:
    [*learning(tmp_path, replace(SHORT_PLAN, generations=1)).generations()]
    with pytest.raises(SetupError, match="holds another run"):
        [*learning(tmp_path, replace(SHORT_PLAN, seed=4)).generations()]


def test_a_damaged_run_is_refused(tmp_path: Path) -> None:
    (tmp_path / "run.pickle").write_bytes(b"cut off")
    with pytest.raises(SetupError, match=r"run\.pickle is no run of `cuberails lab learn`"):
        next(learning(tmp_path).generations())


def test_all_members_of_the_league_play(tmp_path: Path) -> None:
    [*learning(tmp_path, replace(SHORT_PLAN, generations=1)).generations()]
    known = read_learned("learned.json", (tmp_path / "learned.json").read_text())
    members: list[str | Learned] = [*MEMBERS, known]
    for member in members:
        assert 0.0 <= Trial(TINY, 3, known, member).game(0) <= 1.0


def test_all_numbers_of_players_are_learned() -> None:
    assert [table_size(load("wabash"), number) for number in range(10)] == [3, 4, 3, 4, 2, 4, 3, 4, 3, 3]
    assert {table_size(load("wabash"), number) for number in range(25)} == {2, 3, 4, 5, 6}
