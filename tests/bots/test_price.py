"""Fair prices in auctions whose answers are known, and what hints and bots make of them."""

from __future__ import annotations

import re
from dataclasses import replace
from math import inf
from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.bots import advice, advise, make, price
from cuberails.bots.players import EXPERT
from cuberails.bots.price import NEVER, SIMULATIONS, fair_bid, fair_price, offers
from cuberails.bots.search import Node, Search
from cuberails.bots.worth import FEW_PLAYS, Work
from cuberails.core.auction import Auction
from cuberails.core.playout import pick
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.titles import judge_for
from cuberails.titles.wabash.state import Wabash
from tests.titles.wabash.position import do, position


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints take as long as they need, also on a busy machine, but search little where the end is far."""
    monkeypatch.setattr(advice, "EXPERT", replace(EXPERT, seconds=inf, simulations=30))
    monkeypatch.setattr(advice, "PRICE_SECONDS", inf)


def last_auction(text: str = "cash 10 12 \n NYC shares 1 1 track L0 I2 K4") -> Wabash:
    """The third capitalization of Wabash, and the last of the game: then two markers stand at their end [W10.1].

    With a third share sold, NYC pays $6 for each, since its income is 17. No development cube is left [W11.1].
    """
    return do(position(f"players 2 \n turn 1 \n supply 0 \n markers 2 4 1 \n {text}"), "capitalize NYC")


def after_first_bid() -> State:
    """The first auction of a game of three."""
    state = cuberails.new("wabash", 3)
    state.apply("bid 8")
    return state


def test_the_last_share_of_a_game_is_worth_what_it_pays_to_whom() -> None:
    state = do(last_auction(), "bid 8")
    found = fair_price(state)
    # Ann, $2 behind, ties by letting Bob pay $8 for $6. With the share she would at $4: she gets $6 more, Bob none.
    assert found.limits == [4, 8]
    assert found.most == [10, 12]
    assert (found.winner, found.low, found.high) == (1, 8, 8)
    assert fair_price(state, SIMULATIONS).limits == found.limits


def test_a_hint_does_not_lose_by_a_bid_what_a_pass_would_tie() -> None:
    (idea,) = advise(do(last_auction(), "bid 8"))  # every bid loses
    assert (idea.action, idea.chances[0]) == ("pass", 0.5)
    assert idea.why == "searched to the end: you share the win; with bid 9 you lose by $5"


def test_a_bid_that_a_lower_one_dominates_is_not_advised() -> None:
    """Bob leads by $2 and wins by as much without the share; each dollar over $6 is lost, and from $9 on the lead."""
    ideas = advise(last_auction())
    assert [idea.action for idea in ideas] == ["bid 6", "pass", "bid 7"]
    assert all(idea.chances[1] == 1.0 for idea in ideas)
    assert ideas[2].why == "searched to the end: you win by $1; with bid 6 you win by $2"


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
    found = fair_price(state)
    assert found.winner == 0
    assert (found.low, found.high) == (6, 6)  # the least bid


@pytest.mark.parametrize(("key", "players"), [("wabash", 3), ("gmo", 4)])
def test_no_hint_bids_above_the_fair_price(key: str, players: int) -> None:
    state, rng = cuberails.new(key, players), Random(f"{key} {players}")
    for _ in range(12):
        state.play(pick(state, rng))
    while not isinstance(state.phase, Auction) or len(state.legal_actions()) < 3:
        state.play(pick(state, rng))
    found, least = fair_price(state, SIMULATIONS), state.legal_actions()[0]
    for idea in advise(state):
        word, _, amount = idea.action.partition(" ")
        assert word == "pass" or idea.action == least.text or int(amount) <= found.limits[state.phase.actor]


def test_hints_and_worth_tell_the_same_price() -> None:
    state = after_first_bid()
    (found,) = Work(FEW_PLAYS, inf, "a table", None).prices(state, ["you", "Bob", "Cleo"])
    assert advise(state, "a table")[0].why.endswith(f"; it is worth up to ${found.limits[1]} to you")


def test_a_price_comes_in_time_though_rougher() -> None:
    state = cuberails.new("wabash", 3)
    assert fair_price(state, 10_000, seconds=0.0) == fair_price(state)
    (found,) = Work(FEW_PLAYS, 0.0, 0, None).prices(state, ["you", "Bob", "Cleo"])
    assert found.limits == fair_price(state).limits


def test_limits_are_within_what_a_seat_has_and_none_for_who_passed() -> None:
    state = cuberails.new("wabash", 4)
    for text in ("bid 8", "pass", "bid 9"):
        state.apply(text)
    found = fair_price(state)
    assert found.limits[1] == found.most[1] == NEVER
    assert all(limit <= most <= 30 for limit, most in zip(found.limits, found.most, strict=True))
    assert found.winner in (0, 2, 3)
    assert found.low >= 9


def test_whoever_has_bid_too_much_is_told_so() -> None:
    state = after_first_bid()
    state.apply("bid 29")
    for seat, who in ((0, "seat 2 has"), (1, "you have")):
        (found,) = cuberails.worth(state, 1, seat=seat).prices
        assert (found.winner, found.low, found.high) == (1, 29, 29)
        assert found.words.endswith(f"; {who} bid $29, which is more than that")


def test_a_draft_pick_that_wins_by_a_point_is_found_by_search() -> None:
    """Southern Rails: at once black seems best, but after the next scoring round red decides; the hint says so too."""
    record = Path(__file__).parent.parent / "records" / "southern_rails" / "3-players-greedy.txt"
    state = cuberails.read(record.read_text("utf-8")).at(39)
    chances = {offer.lot.name: offer.chance or 0 for offer in offers(state, SIMULATIONS, "a table")}
    assert max(chances, key=chances.__getitem__) == "red"
    assert advise(state, "a table")[0].action == "take red"


def test_when_the_seconds_are_over_offers_are_judged_at_once() -> None:
    state, parts = cuberails.new("southern_rails", 3), list[float]()
    found = offers(state, 10_000, 0, parts.append, seconds=0.0)
    assert [(offer.limits, offer.chance) for offer in found] == [(each.limits, each.chance) for each in offers(state)]
    assert parts == []


def test_the_last_picks_of_a_full_table_are_searched() -> None:
    """Southern Rails with five: others may own both railroads that are left, so nobody else is given one to search."""
    state = cuberails.new("southern_rails", 5)
    for _ in range(4):
        state.play(state.legal_actions()[0])
    found, quick = offers(state, 1), offers(state)
    assert len(found) == 2
    for one, other in zip(found, quick, strict=True):
        assert one.limits[:4] == other.limits[:4]
        assert one.chance != other.chance


def test_the_chances_of_picks_are_searched_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine, where the limits would take too long."""
    state, searches = cuberails.new("southern_rails", 3), list[State]()
    state.play(state.legal_actions()[0])

    def soon_over(chances: price.Chances, until: float) -> price.Chances:
        def asked(there: State) -> list[float]:
            searches.append(there)
            if len(searches) > len(state.legal_actions()):
                raise price.TimeUp
            return chances(there)

        return asked

    monkeypatch.setattr(price, "in_time", soon_over)
    found, quick = offers(state, 1), offers(state)
    assert [offer.limits for offer in found] == [offer.limits for offer in quick]
    assert all(one.chance != other.chance for one, other in zip(found, quick, strict=True))


def test_what_can_be_had_in_the_next_turn_too_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Baltimore & Ohio: whoever passes can start a railroad later, at the same price."""

    def think(self: Search, state: State) -> Node:
        raise AssertionError("searched")

    monkeypatch.setattr(price, "Search", type("Never", (Search,), {"think": think}))
    state = cuberails.new("baltimore_ohio", 3)
    state.play(pick(state, Random(1)))  # who begins
    found = offers(state, SIMULATIONS)
    assert {offer.lot.kind for offer in found} == {"start"}
    assert all(offer.chance is None for offer in found)


def test_what_is_worth_less_than_the_least_bid_is_told_as_that() -> None:
    record = Path(__file__).parent.parent / "records" / "wabash" / "3-players-greedy.txt"
    (found,) = cuberails.worth(cuberails.read(record.read_text("utf-8")).at(135), 1, seat=0).prices
    assert found.winner is None
    assert (found.low, found.high) == (3, 3)  # NYC has an income of 8 and two shares sold [W2.2]
    assert re.fullmatch(r"you: up to \$[0-2], .*; nobody would bid \$3", found.words)


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


@pytest.mark.parametrize("seconds", [1e-9, 1e9])
def test_a_bot_that_bids_by_price_keeps_to_its_seconds(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """When they are over, no position is searched any more, and none is completed: each is judged as it stands."""
    searched: list[State] = []

    def estimate(self: Search, state: State) -> list[float]:
        searched.append(state)
        return self.judge.chances(state)

    monkeypatch.setattr(price, "Search", type("Counted", (Search,), {"estimate": estimate}))
    state = after_first_bid()
    action = fair_bid(state, judge_for(state.board), 0, 1, seconds)
    assert action in state.legal_actions()
    assert bool(searched) == (seconds > 1)
