"""Weights that choose: actions are played out with the same luck, and the judge learns to tell them apart."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

import pytest

from cuberails.lab import weigh
from cuberails.lab.tune import descend
from cuberails.lab.weigh import ACTIONS, POSITIONS, Trial, explained, trials
from cuberails.titles import judge_with, weights

Item = TypeVar("Item")


def no_bar(items: Iterable[Item], what: str, total: int) -> Iterable[Item]:
    return items


@pytest.fixture(scope="module")
def tried() -> list[Trial]:
    games = list(trials("credit_mobilier", weights("credit_mobilier"), 2, 1, range(3), 1))
    assert all(len(state) == POSITIONS for state in games)
    return [trial for state in games for trial in state]


def test_a_trial_compares_actions_of_one_position(tried: list[Trial]) -> None:
    assert {position.players for trial in tried for position in trial.positions} == {3, 4, 5}
    for trial in tried:
        assert 2 <= len(trial.positions) == len(trial.gains) <= ACTIONS
        assert sum(trial.gains) == pytest.approx(0)
    assert any(max(trial.gains) > 1 for trial in tried)


def test_a_judge_explains_nothing_if_actions_are_all_the_same_to_it() -> None:
    state = next(trials("gmo", weights("gmo"), 1, 1, range(1), 1))[0].positions[0]
    alike = [Trial(0, [state, state], [-1.0, 1.0])]
    assert explained(judge_with("gmo", weights("gmo")), alike) == 0


def test_what_came_of_actions_mends_weights_that_are_far_off(tried: list[Trial]) -> None:
    bad = {**weights("credit_mobilier"), "sure": 5.0, "any_share": 20.0}
    mended = descend(bad, lambda values: 1 - explained(judge_with("credit_mobilier", values), tried))
    before, after = (explained(judge_with("credit_mobilier", values), tried) for values in (bad, mended))
    assert before < 0 < after


def test_the_same_seed_gives_the_same_weights_in_any_number_of_processes() -> None:
    one, two = (weigh("gmo", 4, 1, 3, jobs, no_bar) for jobs in (1, 2))
    assert one == two
    assert 0 <= one.won <= one.contests == 4
    assert one.command == "cuberails lab weigh gmo --games 4 --playouts 1 --seed 3"
    assert f"explained = {one.after:.4f}" in one.to_toml()
