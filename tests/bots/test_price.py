"""Fair prices in auctions whose answers are known, and what hints and bots make of them."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from random import Random

import pytest

import cuberails
from cuberails.bots import advice, advise, make
from cuberails.bots.players import EXPERT
from cuberails.bots.price import NEVER, fair_price
from cuberails.core.auction import Auction
from cuberails.core.playout import pick
from cuberails.core.title import SetupError
from cuberails.titles.wabash.state import Wabash
from tests.titles.wabash.position import do, position


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints take as long as they need, also on a busy machine, but search little where the end is far."""
    monkeypatch.setattr(advice, "EXPERT", replace(EXPERT, seconds=inf, simulations=30))


def last_auction(text: str = "cash 10 12 \n NYC shares 1 1 track L0 I2 K4") -> Wabash:
    """The third capitalization of Wabash, and the last of the game: then two markers stand at their end [W10.1].

    With a third share sold, NYC pays $6 for each, since its income is 17. No development cube is left [W11.1].
    """
    return do(position(f"players 2 \n turn 1 \n supply 0 \n markers 2 4 1 \n {text}"), "capitalize NYC")


def test_the_last_share_of_a_game_is_worth_what_it_pays_to_whom() -> None:
    state = do(last_auction(), "bid 8")
    price = fair_price(state)
    # Ann, $2 behind, ties by letting Bob pay $8 for $6. With the share she would at $4: she gets $6 more, Bob none.
    assert price.limits == [4, 8]
    assert (price.winner, price.low, price.high) == (1, 8, 8)
    assert fair_price(state, 8).limits == price.limits


def test_a_hint_does_not_lose_by_a_bid_what_a_pass_would_tie() -> None:
    best, *others = advise(do(last_auction(), "bid 8"))
    assert (best.action, best.chances[0]) == ("pass", 0.5)
    assert best.why == "searched to the end: you share the win; with bid 9 you lose by $5"
    assert all(idea.chances[0] == 0.0 for idea in others)


def test_who_is_behind_lets_the_other_overpay_until_nothing_is_left_to_gain() -> None:
    state = do(last_auction("cash 10 30 \n NYC shares 1 1 track L0 I2 K4"), "bid 8")
    assert fair_price(state).limits[1] == 25  # for $26 Ann would share the win: $10 + $6, and Bob $30 - $26 + $12


def test_a_share_that_pays_nothing_is_not_worth_a_dollar_in_the_last_auction() -> None:
    state = do(position("players 2 \n turn 1 \n supply 0 \n markers 2 4 1 \n cash 9 9 \n Wabash"), "capitalize Wabash")
    pays = 1  # its income
    limits = fair_price(state).limits
    assert limits == [pays, pays]


def test_the_only_bidder_pays_no_more_than_must_be() -> None:
    state = last_auction("cash 20 0 \n NYC shares 1 1 track L0 I2 K4")
    price = fair_price(state)
    assert price.winner == 0
    assert (price.low, price.high) == (6, 6)  # the least bid


@pytest.mark.parametrize(("key", "players"), [("wabash", 3), ("gmo", 4)])
def test_no_hint_bids_above_the_fair_price(key: str, players: int) -> None:
    state, rng = cuberails.new(key, players), Random(f"{key} {players}")
    for _ in range(12):
        state.play(pick(state, rng))
    while not isinstance(state.phase, Auction) or len(state.legal_actions()) < 3:
        state.play(pick(state, rng))
    price, least = fair_price(state), state.legal_actions()[0]
    for idea in advise(state):
        word, _, amount = idea.action.partition(" ")
        assert word == "pass" or idea.action == least.text or int(amount) <= price.limits[state.phase.actor]


def test_limits_are_within_what_a_seat_has_and_none_for_who_passed() -> None:
    state = cuberails.new("wabash", 4)
    for text in ("bid 8", "pass", "bid 9"):
        state.apply(text)
    price = fair_price(state)
    assert price.limits[1] == NEVER
    assert all(limit <= 30 for limit in price.limits)
    assert price.winner in (0, 2, 3)
    assert price.low >= 9


def test_where_nothing_is_sold_there_is_no_price() -> None:
    with pytest.raises(SetupError, match="there is no auction under way"):
        fair_price(cuberails.new("southern_rails", 3))


def test_a_bot_that_bids_by_price_goes_no_further() -> None:
    state = last_auction()
    bids = [make("search:simulations=32:fair_bids=1", seat) for seat in range(2)]
    while isinstance(state.phase, Auction):
        limit, action = fair_price(state).limits[state.phase.actor], bids[state.phase.actor].choose(state)
        assert action.text == "pass" or action is state.legal_actions()[0]
        assert action.a <= limit
        state.play(action)
    assert state.winners() == [1]
