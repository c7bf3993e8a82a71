"""What a learner sees of Gulf, Mobile & Ohio."""

from __future__ import annotations

from random import Random

import pytest

from cuberails.core.playout import pick
from cuberails.titles import features
from cuberails.titles.gmo.features import GmoFeatures
from tests.titles.gmo.position import do, fresh, position
from tests.titles.gmo.test_rules import FIVE_COLOURS
from tests.titles.gmo.test_track_rules import WEST_POINT

LAST_COLOUR = FIVE_COLOURS + "\n gone green 5 \n gone yellow 4 \n gone red 3 \n gone blue 2"


def test_the_leader_of_a_charter_auction_has_bought_and_built() -> None:
    state = position(WEST_POINT)
    before = features(state, 0)
    do(state, "charter WP", "bid 15")
    seen = features(state, 0)
    assert [before["cash"] * 40, seen["cash"] * 40] == pytest.approx([16, 1])
    assert seen["leads the auction"] == 1.0
    assert seen["lot at this bid"] >= 0.7  # the 7 points of G8.6
    assert seen["points"] - before["points"] == pytest.approx(seen["lot at this bid"] * 10 / 40)
    assert (seen["charters held"] - before["charters held"]) * 5 == pytest.approx(1)


def test_money_is_of_no_use_once_the_charter_of_the_last_colour_is_bought() -> None:
    state = position(LAST_COLOUR)
    seen = features(state, 0)
    assert (seen["last colour next"], seen["ends now"], seen["useful cash"]) == (1.0, 0.0, 0.5)
    do(state, "charter CEN", "bid 3")  # too little to complete it: as good as a pass
    assert features(state, 0)["ends now"] == 0.0
    assert features(state, 0)["passes"] == pytest.approx(1 / 3)
    do(state, "bid 12")
    assert features(state, 0)["ends now"] == 1.0
    assert [features(state, seat)["useful cash"] for seat in range(3)] == [0.0, 0.0, 0.0]


def test_the_second_common_share_pays_the_dividends() -> None:
    state = position("players 3 \n cash 9 9 9 \n marker 1 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 J12 I12")
    assert features(state, 0)["next sale pays"] == 1.0
    assert [features(state, seat)["income"] * 20 for seat in range(3)] == [5, 5, 0]
    do(state, "common SC", "bid 0", "bid 3")
    assert [features(state, seat)["income"] * 20 for seat in range(3)] == [3, 8, 0]
    assert [features(state, seat)["cash"] * 40 for seat in range(3)] == pytest.approx([12, 14, 9])
    assert features(state, 1)["points"] * 40 == pytest.approx(2)  # Savannah and red, with one cube


def test_further_track_is_limited_by_cash() -> None:
    state = position("players 3 \n cash 9 2 9 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 J12 I12")
    assert features(state, 0)["expansion with one cube"] * 5 == pytest.approx(2)
    assert features(state, 1)["expansion with two cubes"] == 0.0
    assert features(state, 1)["expansions in all"] > 0.0


def test_what_is_taken_over_from_the_position_before_is_what_would_be_found_anew() -> None:
    state, rng = fresh(4), Random("taken over")
    used = GmoFeatures(state.board)
    while state.actor is not None:
        state.play(pick(state, rng))
        assert used.rows(state) == GmoFeatures(state.board).rows(state)
