"""The tree search: its budget, what it keeps, what it looks at, and what it knows about prices."""

from __future__ import annotations

import gc
from random import Random

import pytest

import cuberails
from cuberails.bots import make
from cuberails.bots.players import SearchBot
from cuberails.bots.search import (
    CHANCE_WIDENING,
    MANY_ACTIONS,
    MOST_ROOT_ACTIONS,
    ROLLOUTS,
    Search,
    SearchConfig,
    _not_eliminated,
)
from cuberails.core.auction import Auction
from cuberails.core.playout import after, pick
from cuberails.core.state import CHANCE, State
from cuberails.core.title import SetupError
from cuberails.titles import judge


def search(key: str, **settings: object) -> Search:
    return Search(judge(key), SearchConfig(**{"simulations": 30, **settings}), Random(1))  # type: ignore[arg-type]


def some_way_into(key: str, players: int, decisions: int, seed: int = 1) -> State:
    """A position with a choice in it."""
    state, rng = cuberails.new(key, players), Random(seed)
    while decisions > 0 or state.actor == CHANCE:
        state.play(pick(state, rng))
        decisions -= 1
    assert state.actor is not None
    return state


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_thinking_changes_nothing_and_finds_legal_actions(key: str) -> None:
    state = some_way_into(key, 3, 12)
    before, legal = state.copy(), list(state.legal_actions())
    root = search(key).think(state)
    assert set(root.actions) <= set(legal)
    assert state.scores() == before.scores()
    assert state.legal_actions() == legal
    assert sum(root.action_visits) == root.visits <= 30


@pytest.mark.parametrize(
    "settings", [{"paranoid": True}, {"cap_bids": False}, *({"rollout": name} for name in ROLLOUTS)]
)
@pytest.mark.parametrize("key", ["wabash", "credit_mobilier"])
def test_every_setting_can_search(key: str, settings: dict[str, object]) -> None:
    root = search(key, simulations=6, **settings).think(some_way_into(key, 3, 30))
    assert all(0.0 <= root.mean(n, seat) <= 1.0 for n in range(len(root.actions)) for seat in range(3))


def test_a_budget_in_seconds_ends_the_search() -> None:
    root = search("wabash", simulations=1_000_000, seconds=0.1).think(some_way_into("wabash", 3, 12))
    assert 0 < root.visits < 100_000


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_actions_are_compared_with_equally_many_visits(key: str) -> None:
    """A deeper search changes what a seat can expect, whatever it does: others will act as well."""
    root = search(key, simulations=100).think(some_way_into(key, 3, 25))
    last = max(root.rounds)
    assert sum(1 for tried in root.action_visits if tried) == min(len(root.actions), 10)
    for rounds in range(1, last):
        alike = [root.action_visits[n] for n in range(len(root.actions)) if root.rounds[n] == rounds]
        deeper = [root.action_visits[n] for n in range(len(root.actions)) if root.rounds[n] > rounds]
        assert max(alike, default=0) <= min(deeper) + 1
        assert len(deeper) <= 10 >> rounds - 1
    best = root.ranked()[0]
    seat = root.state.phase.actor
    assert root.rounds[best] == last
    assert all(root.mean(n, seat) <= root.mean(best, seat) for n, rounds in enumerate(root.rounds) if rounds == last)


def test_a_large_budget_goes_deeper_into_no_more_actions() -> None:
    root = search("southern_rails", simulations=30 * 30).think(some_way_into("southern_rails", 3, 40))
    assert len(root.actions) > MOST_ROOT_ACTIONS
    assert sum(1 for tried in root.action_visits if tried) == MOST_ROOT_ACTIONS


@pytest.mark.parametrize("key", ["wabash", "baltimore_ohio"])
def test_what_begins_a_turn_is_judged_by_how_that_will_end(key: str) -> None:
    state, begun = some_way_into(key, 3, 25), 0
    for _ in range(12):
        thinking, seat = search(key, simulations=1), state.phase.actor
        root = thinking.think(state)
        for first, there in zip(root.estimates, root.after):
            if there.phase.actor == seat and not isinstance(there.phase, Auction):
                ended = thinking._turn_completed(there, seat)
                assert ended.phase.actor != seat
                assert first == thinking._reward(ended)
                begun += 1
        state.play(root.actions[0])
        while state.phase.actor == CHANCE:
            state.play(pick(state, Random(1)))
    assert begun > 20


@pytest.mark.parametrize(
    ("visits", "spread", "kept"),
    [(0, 0.0, [2, 0, 1]), (8, 0.0, [2, 0, 1]), (16, 0.0, [2, 0]), (120, 0.0, [2]), (120, 0.1, [2, 0]), (899, 0.1, [2])],
)
def test_what_is_worse_is_dropped_the_sooner_the_surer_that_is(visits: int, spread: float, kept: list[int]) -> None:
    node = search("wabash").think(some_way_into("wabash", 3, 12))
    seat = node.state.phase.actor
    means = [0.38, 0.35, 0.40]
    for n, mean in enumerate(means):
        node.estimates[n][seat] = mean
        node.action_visits[n] = visits
        node.totals[n][seat] = mean * visits
        node.squares[n] = (mean**2 + spread**2) * visits
    assert _not_eliminated(node, [0, 1, 2], 1) == kept
    assert _not_eliminated(node, [0, 1, 2], 3) == [2, 0, 1]


def test_a_clear_choice_is_made_before_the_budget_is_spent() -> None:
    state, early = some_way_into("gmo", 3, 12), 0
    for _ in range(20):
        root = search("gmo", simulations=300).think(state)
        early += 0 < root.visits < 300
        state.play(root.actions[root.ranked()[0]])
    assert early >= 1


def test_thinking_leaves_python_s_collector_as_it_was_and_nothing_for_it_to_collect() -> None:
    state = some_way_into("gmo", 3, 12)
    assert gc.isenabled()
    search("gmo").think(state)
    assert gc.isenabled()
    gc.disable()
    try:
        gc.collect()
        search("gmo", simulations=200).think(state)
        assert not gc.isenabled()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_tree_is_reused_while_every_action_is_observed() -> None:
    state = some_way_into("wabash", 3, 1)  # an auction
    thinking = search("wabash", simulations=200)
    root = thinking.think(state)
    best = root.ranked()[0]
    state.play(root.actions[best])
    thinking.advance(root.actions[best])
    kept = root.child(best)
    known = dict(zip(kept.actions, kept.children))
    assert kept.visits > 0
    again = thinking.think(state)
    assert again.visits > kept.visits
    taken_over = [child is known[action] for action, child in zip(again.actions, again.children) if known.get(action)]
    assert taken_over
    assert all(taken_over)


def test_an_action_that_begins_a_turn_is_searched_from_where_the_turn_ends() -> None:
    """Otherwise it would be blamed for all the ways in which the turn could be spoiled."""
    state, ends = some_way_into("wabash", 3, 40), []
    while not any(action.text.startswith("expand") for action in state.legal_actions()):
        state.play(pick(state, Random(1)))
    thinking = search("wabash", simulations=60)
    root = thinking.think(state)
    for action, reached, ahead, child in zip(root.actions, root.after, root.starts, root.children):
        assert child is None or child.state is ahead
        if reached.actor == state.actor and not isinstance(reached.phase, Auction):
            assert ahead.actor != state.actor or isinstance(ahead.phase, Auction)
            ends.append(action)
        else:
            assert ahead is reached
    assert ends
    thinking.advance(ends[0])
    assert thinking.root is None


def test_an_action_that_was_not_observed_starts_a_new_tree() -> None:
    state = some_way_into("wabash", 3, 12)
    thinking = search("wabash")
    root = thinking.think(state)
    for _ in range(5):
        state.play(pick(state, Random(3)))
    assert thinking.think(state) is not root


def test_in_an_auction_a_few_bids_are_tried_none_above_what_it_is_worth() -> None:
    state = cuberails.new("wabash", 3)
    assert isinstance(state.phase, Auction)
    actions = search("wabash").think(state).actions
    amounts = [action.a for action in actions if action.text != "pass"]
    assert 1 <= len(amounts) <= 3
    wabash_judge = judge("wabash")
    without = after(state, state.parse("pass"))
    for action in actions:
        assert wabash_judge.chances(after(state, action))[0] >= wabash_judge.chances(without)[0] - 0.05
    uncapped = search("wabash", cap_bids=False).think(state).actions
    assert max(action.a for action in uncapped if action.text != "pass") == 40


@pytest.mark.parametrize("bids", [(), ("bid 7",), ("bid 7", "bid 9")])
def test_the_highest_bid_tried_is_the_last_that_is_better_than_to_pass(bids: tuple[str, ...]) -> None:
    state = cuberails.new("wabash", 3)
    for bid in bids:
        state.play(state.parse(bid))
    thinking = search("wabash", win_weight=1.0, simulations=1)
    actions = thinking.think(state).actions
    highest = max(action.a for action in actions if action.text != "pass")

    def chance(text: str) -> float:
        return thinking.judge.chances(after(state, state.parse(text)))[state.phase.actor]

    assert chance(f"bid {highest}") > chance("pass") >= chance(f"bid {highest + 1}")


def test_an_auction_is_settled_at_about_what_the_share_is_worth() -> None:
    state, thinking = cuberails.new("wabash", 3), search("wabash", win_weight=1.0)
    even = 1 / 3  # nobody has anything yet: at the right price it is all the same who gets the share
    fair = max(bid.a for bid in state.legal_actions()[:-1] if thinking.judge.chances(after(state, bid))[0] > even)
    then = thinking._settled(state)
    paid = sorted(40 - cash for cash in then.cash)  # type: ignore[attr-defined]
    assert paid[:2] == [0, 0]
    assert fair <= paid[2] <= 1.25 * fair + 1
    assert isinstance(then.phase, Auction)
    assert then.phase.leader < 0  # the next one has not been touched


def test_whoever_must_open_an_auction_finds_the_bid_that_completes_the_railroad() -> None:
    state = cuberails.new("gmo", 3)  # begins with an auction that has to be opened
    thinking = search("gmo", win_weight=1.0, simulations=1)
    seat = state.phase.actor
    worth = [thinking.judge.chances(after(state, action))[seat] for action in state.legal_actions()]
    root = thinking.think(state)
    assert root.actions[0] is state.legal_actions()[worth.index(max(worth))]
    assert root.actions[0].a >= 9  # under $9 the charter would be cancelled


@pytest.mark.parametrize("settles", [True, False])
def test_what_opens_an_auction_is_judged_by_how_that_will_end(settles: bool) -> None:
    state, rng = cuberails.new("gmo", 3), Random(1)
    while not state.legal_actions()[0].text.startswith("charter"):
        state.play(pick(state, rng))
    root = search("gmo", simulations=1, settle_auctions=settles).think(state)
    charters = [n for n, action in enumerate(root.actions) if action.text.startswith("charter")]
    judged = {tuple(root.estimates[n]) for n in charters}
    assert len(charters) > 3
    assert len(judged) > 3 if settles else len(judged) == 1


def test_actions_are_compared_by_common_random_numbers() -> None:
    state = some_way_into("credit_mobilier", 3, 9)
    root = search("credit_mobilier", simulations=300).think(state)
    rolls = [node for node in root.children if node and node.state.actor == CHANCE and node.draws]
    assert len(rolls) > 1
    assert len({next(iter(node.outcomes)) for node in rolls}) == 1
    assert all(len(node.draws) <= CHANCE_WIDENING * (node.visits + 1) ** 0.5 + 1 for node in rolls)
    assert max(node.visits for node in rolls) > max(len(node.draws) for node in rolls)  # some were drawn again


def test_of_actions_that_come_to_the_same_position_one_is_searched() -> None:
    """GM&O: with $8 nobody completes a charter [G4.8], so to put one up is to pass, and only to pass is searched."""
    state, rng = cuberails.new("gmo", 3), Random(1)
    while not {"charter", "expand", "pass"} <= {action.word for action in state.legal_actions()}:
        state.play(pick(state, rng))
    state.cash = [8, 8, 8]  # type: ignore[attr-defined]
    words = [action.word for action in search("gmo").think(state).actions]
    assert words.count("pass") == 1
    assert "expand" in words
    assert "charter" not in words
    assert "charter" in [action.word for action in search("gmo", distinct=False).think(state).actions]


def test_the_same_track_in_another_order_is_searched_once() -> None:
    state, rng = cuberails.new("wabash", 3), Random(2)
    while not any(action.word == "build" for action in state.legal_actions()):
        state.play(pick(state, rng))
    root = search("wabash").think(state)
    tracks = [tuple(there.track) for there in root.judged]  # type: ignore[attr-defined]
    assert 1 < len(tracks) == len(set(tracks)) <= len(state.legal_actions())


def test_of_very_many_actions_those_known_to_be_bad_are_left_out_but_never_at_the_root() -> None:
    state = some_way_into("southern_rails", 3, 6)
    assert len(state.legal_actions()) > MANY_ACTIONS
    thinking = search("southern_rails", simulations=60)
    root = thinking.think(state)
    assert len(root.actions) == len(state.legal_actions())
    best = root.ranked()[0]
    state.play(root.actions[best])
    thinking.advance(root.actions[best])
    child = root.child(best)
    assert len(state.legal_actions()) > MANY_ACTIONS
    known = dict(zip(child.actions, child.action_visits))
    assert 0 < len(known) <= len(state.legal_actions())
    again = thinking.think(state)
    assert set(again.actions) == set(state.legal_actions())
    assert again.visits >= child.visits > 0
    assert all(again.action_visits[n] >= known.get(action, 0) for n, action in enumerate(again.actions))
    below = [node for node in root.children if node and node.expanded]
    assert any(len(node.actions) < len(node.state.legal_actions()) for node in below)


def test_nobody_pays_a_fortune_for_nothing() -> None:
    """With the whole purse as the only bid left, a bot passes unless the share is worth it."""
    state = cuberails.new("wabash", 3)
    state.play(state.parse("bid 38"))
    assert make("medium", 1).choose(state).text == "pass"


def test_settings_can_be_spelled_out() -> None:
    bot = make("search:simulations=7:paranoid=1:win_weight=0.25:rollout=capped", 1)
    assert isinstance(bot, SearchBot)
    assert bot.config == SearchConfig(simulations=7, paranoid=True, win_weight=0.25, rollout="capped")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("search:depth=3", "a search has no 'depth'; it has simulations"),
        ("search:simulations=many", "'many' is no value for simulations"),
        ("search:simulations=0", "'0' is no value for simulations; it must be more than 0"),
        ("search:seconds=-1", "'-1' is no value for seconds; it must be more than 0"),
        ("search:finalists=0", "'0' is no value for finalists; it must be more than 0"),
        ("search:rollout=wild", "no rollout 'wild'; there are none, random, capped, greedy"),
    ],
)
def test_settings_that_make_no_sense_are_refused(name: str, complaint: str) -> None:
    with pytest.raises(SetupError, match=complaint):
        make(name, 1)
