"""The tree search: its budget, what it keeps, what it looks at, and what it knows about prices."""

from __future__ import annotations

import gc
from random import Random

import pytest

import cuberails
from cuberails.bots import make
from cuberails.bots.players import Thinker
from cuberails.bots.search import FALLS, MANY, PLAYOUTS, Search, Style, _hopeful
from cuberails.core.auction import Auction
from cuberails.core.playout import after, pick
from cuberails.core.state import CHANCE, State
from cuberails.core.title import SetupError
from cuberails.titles import judge


def search(key: str, **style: object) -> Search:
    return Search(judge(key), Style(**{"simulations": 30, **style}), Random(1))  # type: ignore[arg-type]


def some_way_into(key: str, players: int, decisions: int, seed: int = 1) -> State:
    """A position with a choice in it."""
    game, rng = cuberails.new(key, players), Random(seed)
    while decisions > 0 or game.actor == CHANCE:
        game.play(pick(game, rng))
        decisions -= 1
    assert game.actor is not None
    return game


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_thinking_changes_nothing_and_finds_legal_actions(key: str) -> None:
    game = some_way_into(key, 3, 12)
    before, legal = game.copy(), list(game.legal_actions())
    root = search(key).think(game)
    assert set(root.actions) <= set(legal)
    assert game.scores() == before.scores()
    assert game.legal_actions() == legal
    assert sum(root.tried) == root.visits <= 30


@pytest.mark.parametrize("style", [{"paranoid": True}, {"capped": False}, *({"playout": name} for name in PLAYOUTS)])
@pytest.mark.parametrize("key", ["wabash", "credit_mobilier"])
def test_every_style_can_think(key: str, style: dict[str, object]) -> None:
    root = search(key, simulations=6, **style).think(some_way_into(key, 3, 30))
    assert all(0.0 <= root.mean(n, seat) <= 1.0 for n in range(len(root.actions)) for seat in range(3))


def test_a_budget_in_seconds_ends_the_search() -> None:
    root = search("wabash", simulations=1_000_000, seconds=0.1).think(some_way_into("wabash", 3, 12))
    assert 0 < root.visits < 100_000


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_actions_are_compared_after_looking_into_them_alike(key: str) -> None:
    """Looking farther changes what a seat can expect, whatever it does: others will act as well."""
    root = search(key, simulations=100).think(some_way_into(key, 3, 25))
    last = max(root.rounds)
    assert sum(1 for tried in root.tried if tried) == min(len(root.actions), 10)
    for rounds in range(1, last):
        alike = [root.tried[n] for n in range(len(root.actions)) if root.rounds[n] == rounds]
        farther = [root.tried[n] for n in range(len(root.actions)) if root.rounds[n] > rounds]
        assert max(alike, default=0) <= min(farther) + 1
        assert len(farther) <= 10 >> rounds - 1
    best = root.ranked()[0]
    seat = root.state.phase.actor
    assert root.rounds[best] == last
    assert all(root.mean(n, seat) <= root.mean(best, seat) for n, rounds in enumerate(root.rounds) if rounds == last)


@pytest.mark.parametrize(("visits", "hopeful"), [(0, [2, 0, 1]), (24, [2, 0, 1]), (120, [2, 0]), (899, [2])])
def test_what_is_worse_is_dropped_the_sooner_the_worse_it_is(visits: int, hopeful: list[int]) -> None:
    node = search("wabash").think(some_way_into("wabash", 3, 12))
    seat = node.state.phase.actor
    means = [0.38, 0.35, 0.40]
    for n, mean in enumerate(means):
        node.first[n][seat] = mean
        node.tried[n] = visits
        node.totals[n][seat] = mean * visits
    assert _hopeful(node, [0, 1, 2], 1) == hopeful
    assert _hopeful(node, [0, 1, 2], 3) == [2, 0, 1]


@pytest.mark.parametrize(("visits", "mean", "slips"), [(40, 0.39, True), (40, 0.38, False), (10, 0.39, False)])
def test_a_slip_is_hardly_worse_and_was_looked_into_as_far(visits: int, mean: float, slips: bool) -> None:
    node = search("wabash").think(some_way_into("wabash", 3, 12))
    seat = node.state.phase.actor
    for n, (tried, expected) in enumerate([(40, 0.40), (visits, mean)]):
        node.first[n][seat] = expected
        node.tried[n] = tried
        node.totals[n][seat] = expected * tried
    assert Thinker._hardly_worse(node, 1, 0) is slips


def test_a_clear_choice_is_made_before_the_budget_is_spent() -> None:
    game, early = some_way_into("gmo", 3, 12), 0
    for _ in range(20):
        root = search("gmo", simulations=300).think(game)
        early += 0 < root.visits < 300
        game.play(root.actions[root.ranked()[0]])
    assert early >= 1


def test_thinking_leaves_python_s_collector_as_it_was_and_nothing_for_it_to_collect() -> None:
    game = some_way_into("gmo", 3, 12)
    assert gc.isenabled()
    search("gmo").think(game)
    assert gc.isenabled()
    gc.disable()
    try:
        gc.collect()
        search("gmo", simulations=200).think(game)
        assert not gc.isenabled()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_the_tree_is_kept_while_every_action_is_told() -> None:
    game = some_way_into("wabash", 3, 12)
    thinking = search("wabash", simulations=200)
    root = thinking.think(game)
    best = root.ranked()[0]
    game.play(root.actions[best])
    thinking.moved(root.actions[best])
    known = root.child(best).visits
    assert known > 0
    again = thinking.think(game)
    assert again is root.child(best)
    assert again.visits > known


def test_an_action_that_was_not_told_starts_a_new_tree() -> None:
    game = some_way_into("wabash", 3, 12)
    thinking = search("wabash")
    root = thinking.think(game)
    for _ in range(5):
        game.play(pick(game, Random(3)))
    assert thinking.think(game) is not root


def test_in_an_auction_a_few_bids_are_looked_at_none_above_what_it_is_worth() -> None:
    game = cuberails.new("wabash", 3)
    assert isinstance(game.phase, Auction)
    actions = search("wabash").think(game).actions
    amounts = [action.a for action in actions if action.text != "pass"]
    assert 1 <= len(amounts) <= 3
    knows = judge("wabash")
    without = after(game, game.parse("pass"))
    for action in actions:
        assert knows.chances(after(game, action))[0] >= knows.chances(without)[0] - 0.05
    uncapped = search("wabash", capped=False).think(game).actions
    assert max(action.a for action in uncapped if action.text != "pass") == 40


@pytest.mark.parametrize("bids", [(), ("bid 7",), ("bid 7", "bid 9")])
def test_the_highest_bid_looked_at_is_the_last_that_is_better_than_to_pass(bids: tuple[str, ...]) -> None:
    game = cuberails.new("wabash", 3)
    for bid in bids:
        game.play(game.parse(bid))
    thinking = search("wabash", wins=1.0, simulations=1)
    actions = thinking.think(game).actions
    highest = max(action.a for action in actions if action.text != "pass")

    def chance(text: str) -> float:
        return thinking.judge.chances(after(game, game.parse(text)))[game.phase.actor]

    assert chance(f"bid {highest}") > chance("pass") >= chance(f"bid {highest + 1}")


def test_an_auction_is_settled_at_about_what_the_share_is_worth() -> None:
    game, thinking = cuberails.new("wabash", 3), search("wabash", wins=1.0)
    even = 1 / 3  # nobody has anything yet: at the right price it is all the same who gets the share
    fair = max(bid.a for bid in game.legal_actions()[:-1] if thinking.judge.chances(after(game, bid))[0] > even)
    then = thinking._settled(game)
    paid = sorted(40 - cash for cash in then.cash)  # type: ignore[attr-defined]
    assert paid[:2] == [0, 0]
    assert fair <= paid[2] <= 1.25 * fair + 1
    assert isinstance(then.phase, Auction)
    assert then.phase.leader < 0  # the next one has not been touched


def test_whoever_must_open_an_auction_finds_the_bid_that_completes_the_railroad() -> None:
    game = cuberails.new("gmo", 3)  # begins with an auction that has to be opened
    thinking = search("gmo", wins=1.0, simulations=1)
    seat = game.phase.actor
    worth = [thinking.judge.chances(after(game, action))[seat] for action in game.legal_actions()]
    root = thinking.think(game)
    assert root.actions[0] is game.legal_actions()[worth.index(max(worth))]
    assert root.actions[0].a >= 9  # under $9 the charter would be cancelled


@pytest.mark.parametrize("settles", [True, False])
def test_what_opens_an_auction_is_judged_by_how_that_will_end(settles: bool) -> None:
    game, rng = cuberails.new("gmo", 3), Random(1)
    while not game.legal_actions()[0].text.startswith("charter"):
        game.play(pick(game, rng))
    root = search("gmo", simulations=1, settles=settles).think(game)
    charters = [n for n, action in enumerate(root.actions) if action.text.startswith("charter")]
    judged = {tuple(root.first[n]) for n in charters}
    assert len(charters) > 3
    assert len(judged) > 3 if settles else len(judged) == 1


def test_actions_are_compared_by_the_same_luck() -> None:
    game = some_way_into("credit_mobilier", 3, 9)
    root = search("credit_mobilier", simulations=300).think(game)
    rolls = [node for node in root.children if node and node.state.actor == CHANCE and node.falls]
    assert len(rolls) > 1
    assert len({next(iter(node.outcomes)) for node in rolls}) == 1
    assert all(len(node.falls) <= FALLS * (node.visits + 1) ** 0.5 + 1 for node in rolls)
    assert max(node.visits for node in rolls) > max(len(node.falls) for node in rolls)  # some were looked into again


def test_of_very_many_actions_those_known_to_be_bad_are_left_out_but_never_at_the_root() -> None:
    game = some_way_into("southern_rails", 3, 6)
    assert len(game.legal_actions()) > MANY
    thinking = search("southern_rails", simulations=60)
    root = thinking.think(game)
    assert len(root.actions) == len(game.legal_actions())
    best = root.ranked()[0]
    game.play(root.actions[best])
    thinking.moved(root.actions[best])
    child = root.child(best)
    assert len(game.legal_actions()) > MANY
    known = dict(zip(child.actions, child.tried))
    assert 0 < len(known) <= len(game.legal_actions())
    again = thinking.think(game)
    assert set(again.actions) == set(game.legal_actions())
    assert again.visits >= child.visits > 0
    assert all(again.tried[n] >= known.get(action, 0) for n, action in enumerate(again.actions))
    left_out = [node for node in root.children if node and node.opened and not node.whole]
    assert left_out
    assert all(len(node.actions) < len(node.state.legal_actions()) for node in left_out)


def test_nobody_pays_a_fortune_for_nothing() -> None:
    """With the whole purse as the only bid left, a bot passes unless the share is worth it."""
    game = cuberails.new("wabash", 3)
    game.play(game.parse("bid 38"))
    assert make("medium", 1).choose(game).text == "pass"


def test_a_style_can_be_spelled_out() -> None:
    bot = make("search:simulations=7:paranoid=1:wins=0.25:playout=capped", 1)
    assert isinstance(bot, Thinker)
    assert bot.style == Style(simulations=7, paranoid=True, wins=0.25, playout="capped")


@pytest.mark.parametrize(
    ("name", "complaint"),
    [
        ("search:depth=3", "a search has no 'depth'; it has simulations"),
        ("search:simulations=many", "'many' is no value for simulations"),
        ("search:simulations=0", "'0' is no value for simulations; it must be more than 0"),
        ("search:seconds=-1", "'-1' is no value for seconds; it must be more than 0"),
        ("search:finalists=0", "'0' is no value for finalists; it must be more than 0"),
        ("search:playout=wild", "no playout 'wild'; there are none, random, capped, greedy"),
    ],
)
def test_a_style_that_makes_no_sense_is_refused(name: str, complaint: str) -> None:
    with pytest.raises(SetupError, match=complaint):
        make(name, 1)
