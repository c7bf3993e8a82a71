"""What the judge of Gulf, Mobile & Ohio knows: the points that money reaches, and when money is worth nothing."""

from __future__ import annotations

import pytest

from cuberails.bots import make
from cuberails.titles import judge, judge_with, weights, worth
from cuberails.titles.gmo.judge import charter_table, promised, track_table
from tests.titles.gmo.position import do, fresh, position, rr, sell
from tests.titles.gmo.test_rules import FIVE_COLOURS
from tests.titles.gmo.test_track_rules import WEST_POINT


def test_at_the_end_only_points_count() -> None:
    state = position("players 3 \n points 7 9 9 \n cash 99 0 5 \n passes 2")
    do(state, "pass")
    assert worth(state) == [7.0, 9.0, 9.0]


def test_a_charter_promises_the_points_that_its_money_reaches() -> None:
    table = charter_table(fresh(3), rr("SC"))
    assert table[:4] == [0, 0, 0, 3]  # under $9 nothing; then the charter and two cities
    assert table == sorted(table)
    assert promised(charter_table(fresh(3), rr("VC")), 3) == 4  # with its bonus


def test_the_west_point_is_worth_its_7_points_or_more() -> None:
    assert promised(charter_table(position(WEST_POINT), rr("WP")), 5) >= 7


def test_a_charter_that_would_be_cancelled_is_as_good_as_a_pass() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    assert promised(charter_table(state, rr("CEN")), 9) == 0  # green next to Savannah
    passed = state.copy()
    do(passed, "pass")
    do(state, "charter CEN", "bid 12")
    assert worth(state) == worth(passed)


def test_further_track_promises_cities_and_new_colours() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 J12 I12")
    assert track_table(state, rr("SC"), 1) == [0, 2]  # Savannah and red
    assert track_table(state, rr("SC"), 3) == [0, 2, 2, 3]  # and another city


def test_money_is_worth_nothing_once_the_last_charter_is_sold() -> None:
    state = position(FIVE_COLOURS + "\n gone green 5 \n gone yellow 4 \n gone red 3 \n gone blue 2")
    sell(state, "charter CEN", 12)
    rich = state.copy()
    rich.cash = [99, 99, 99]
    assert worth(rich) == worth(state)


@pytest.mark.parametrize("players", [3, 4, 5])
def test_greedy_players_charter_many_railroads_and_end_by_six_colours(players: int) -> None:
    for number in range(3):
        state = fresh(players)
        bots = [make("greedy", f"{number} {seat}") for seat in range(players)]
        while (actor := state.actor) is not None:
            state.play(bots[actor].choose(state))
        assert state.why_not("pass") == "G10.1: the game is over"
        assert 10 <= state.chartered.bit_count() <= 20


def test_passes_in_a_row_make_money_and_shares_worth_less() -> None:
    few = position("players 3 \n cash 20 20 20")
    many = few.copy()
    many.passes = 2
    assert all(less < more for less, more in zip(worth(many), worth(few), strict=True))


def test_what_a_charter_pays_more_alone_counts_for_little_as_it_will_not_last() -> None:
    alone, shared = (
        judge("gmo").terms(position(f"players 3 \n SC green {owners} I15 I14 H13"), 0)["dividends to come"]
        for owners in ("0", "0+1")
    )
    assert shared < alone < 5 / 3 * shared  # it pays $5 now instead of $3


def test_shares_promise_dividends_while_the_last_railroad_is_waited_for_unless_all_pass() -> None:
    state = position(FIVE_COLOURS)
    passed = state.copy()
    passed.passes = 2
    patient, hasty = judge("gmo"), judge_with("gmo", {**weights("gmo"), "last_charters": 0.0})
    promised_to_come = patient.terms(state, 0)["dividends to come"]
    assert hasty.terms(state, 0)["dividends to come"] < promised_to_come
    assert patient.terms(passed, 0)["dividends to come"] < promised_to_come / 4
