"""Weights that win: worse ones lose, a climb is the same each time, and luck is not taken for strength."""

from __future__ import annotations

from statistics import mean

from cuberails.lab import Climb, Ring, climb
from cuberails.lab.climb import DUEL, _contest, beyond_luck, table_size
from cuberails.titles import read_weights, weights
from tests.lab.test_tune import no_bar


def quick_ring(games: int, jobs: int = 1) -> Ring:
    return Ring("wabash", games, 3, jobs, no_bar, simulations=4)


def test_who_pays_far_too_much_loses_to_the_others() -> None:
    good = weights("wabash")
    spendthrift = {**good, "sales_a_round": good["sales_a_round"] / 20, "developments_a_round": 0.1}
    assert quick_ring(9).contest(spendthrift, good, "") <= 1


def test_a_climb_is_the_same_in_any_number_of_processes() -> None:
    one, two = (climb(quick_ring(4, jobs), 2) for jobs in (1, 2))
    assert one == two
    assert one.command == "cuberails lab climb wabash --games 4 --rounds 2 --seed 3"
    assert one.weights.keys() == weights("wabash").keys()
    assert 0 <= one.won <= one.games == 4


def test_a_contest_without_dice_is_not_one_game_again_and_again() -> None:
    good = weights("wabash")
    won = [_contest("wabash", 4, "3", good, good, number) for number in range(0, 24, DUEL)]
    assert len(set(won)) > 1


def test_winners_lean_to_where_better_weights_are() -> None:
    spendthrift = {**weights("wabash"), "sales_a_round": weights("wabash")["sales_a_round"] / 20}
    found = quick_ring(20).leanings(spendthrift, "")
    assert mean(lean["sales_a_round"] for lean in found) > 0.02


def test_only_what_luck_cannot_do_moves_a_weight() -> None:
    assert beyond_luck([0.3, -0.3, 0.3, -0.3]) == 0.0
    assert beyond_luck([0.5, -0.4, 0.4, -0.4]) == 0.0
    assert 0.19 < beyond_luck([0.2, 0.21, 0.19, 0.2]) < 0.2
    assert -0.2 < beyond_luck([-0.2, -0.21, -0.19, -0.2]) < -0.19


def test_all_numbers_of_players_from_three_on_take_turns() -> None:
    assert [table_size("gmo", number) for number in range(4)] == [3, 4, 5, 3]
    assert [table_size("baltimore_ohio", number) for number in range(5)] == [3, 4, 5, 6, 3]


def test_the_file_says_where_the_weights_come_from_and_can_be_read() -> None:
    text = Climb("gmo", "cuberails lab climb gmo", {"calm": 2.25}, 41.5, 60).to_toml()
    assert 'command = "cuberails lab climb gmo"' in text
    assert "won = 41.5\ngames = 60" in text
    assert read_weights("judge.toml", text) == {"calm": 2.25}
