"""Weights that win: worse ones lose, a climb is the same each time, and luck is not taken for strength."""

from __future__ import annotations

import pytest

from cuberails.lab import Climb, Ring, climb
from cuberails.titles import read_weights, weights
from tests.lab.test_tune import no_bar


def quick_ring(games: int, jobs: int = 1) -> Ring:
    return Ring("wabash", games, 3, jobs, no_bar, simulations=4)


def test_who_pays_far_too_much_loses_to_the_others() -> None:
    good = weights("wabash")
    spendthrift = {**good, "sales_a_round": good["sales_a_round"] / 20, "developments_a_round": 0.1}
    assert quick_ring(9).contest(spendthrift, good, "") <= 1


def test_a_climb_is_the_same_in_any_number_of_processes() -> None:
    one, two = (climb(quick_ring(3, jobs), 1) for jobs in (1, 2))
    assert one == two
    assert one.command == "cuberails lab climb wabash --games 3 --rounds 1 --seed 3"
    assert len(one.weights) <= one.tried <= 2 * len(one.weights)
    moved = [name for name, value in one.weights.items() if value != weights("wabash")[name]]
    assert len(moved) == one.kept


@pytest.mark.parametrize(("won", "better"), [(20, False), (23, False), (24, True), (60, True), (0, False)])
def test_more_than_luck_is_wanted(won: float, better: bool) -> None:
    assert quick_ring(60).is_better(won) == better


def test_the_file_says_where_the_weights_come_from_and_can_be_read() -> None:
    text = Climb("gmo", "cuberails lab climb gmo", 20, 3, {"calm": 2.25}, 41.5, 60).to_toml()
    assert 'command = "cuberails lab climb gmo"' in text
    assert "changes_tried = 20\nchanges_kept = 3\nwon = 41.5\ngames = 60" in text
    assert read_weights("judge.toml", text) == {"calm": 2.25}
