"""What a learner sees of Baltimore & Ohio."""

from __future__ import annotations

from random import Random

import pytest

from cuberails.core.playout import pick
from cuberails.titles import features
from cuberails.titles.baltimore_ohio.features import BaltimoreOhioFeatures
from tests.titles.baltimore_ohio.position import do, fresh, opened, position

# At tech 2 Baltimore earns 30 and Harrisburg 10, and a card costs 20
LINE = "B&O value 66 shares 4 2 0 treasury {treasury} equipment 2 net {net} track G20"


def line(treasury: int = 0, net: int = 20, facts: str = "business 1") -> str:
    return f"players 3 \n cash 100 200 300 \n deck 8 \n {facts} \n {LINE.format(treasury=treasury, net=net)}"


def test_scores_are_seen_beside_the_others() -> None:
    state = position(line())
    assert state.scores() == [364, 332, 300]
    wealth = 332  # the mean
    seen = features(state, 0)
    assert seen["score"] * 3000 == pytest.approx(364)
    assert seen["score beside the others"] == pytest.approx((364 - 316) / wealth * 2)
    assert seen["score beside the best"] == pytest.approx((364 - 332) / wealth * 2)
    assert features(state, 2)["score beside the left"] == pytest.approx((300 - 364) / wealth * 2)
    assert (seen["presidencies"] * 4, seen["B&O shares"] * 8) == (1.0, 4.0)


def test_shares_get_a_tenth_of_the_net_income_in_each_turn_of_a_set() -> None:
    state = position(line())
    seen = features(state, 0)
    assert seen["B&O profit"] * 200 == pytest.approx(20)
    assert seen["dividends"] == pytest.approx(2 * 4 * 2 / 332 * 2)
    assert seen["dividends of this set"] == seen["dividends"]
    assert seen["rise in value"] == 0.0  # the net income is as it was


def test_a_profit_to_be_decided_on_counts_as_paid() -> None:
    state = do(position(line(net=10)), "done")
    assert state.legal_actions()[0].word == "pay"
    paid = do(state.copy(), "pay")
    for seat in range(3):
        before, after = features(state, seat), features(paid, seat)
        assert before["score"] == after["score"] == pytest.approx(paid.scores()[seat] / 3000)
        assert before["cash"] == after["cash"]
    assert features(state, 0)["decides"] == 1.0


def test_who_can_buy_the_last_card_is_seen() -> None:
    poor, rich = line(499).replace("deck 8", "deck 25"), line(500).replace("deck 8", "deck 25")
    assert features(position(poor), 0)["buys the last card"] == 0.0
    assert features(position(rich), 0)["buys the last card"] == 1.0
    assert features(position(rich), 1)["buys the last card"] == 0.0
    bought = do(position(rich), "purchase")
    assert features(bought, 0)["last set"] == 1.0
    assert features(bought, 0)["sets left"] == 0.0


def test_a_treasury_has_profit_in_reach() -> None:
    state = do(opened(), "start B&O 3 at 66")
    assert features(state, 0)["B&O profit"] == 0.0
    assert features(state, 0)["dividends in reach"] > 0.0  # with a card to serve Baltimore
    assert features(state, 0)["shares without profit"] == 0.0
    state = do(opened(), "start B&O 1 at 66")  # too little for a card
    assert features(state, 0)["shares without profit"] * 5 == pytest.approx(1)
    assert features(state, 0)["rise in value"] < 0.0


def test_what_is_taken_over_from_the_position_before_is_what_would_be_found_anew() -> None:
    state, rng = fresh(3), Random("taken over")
    used = BaltimoreOhioFeatures(state.board)
    for _ in range(300):
        state.play(pick(state, rng))
        assert used.rows(state) == BaltimoreOhioFeatures(state.board).rows(state)
        if state.actor is None:
            return
