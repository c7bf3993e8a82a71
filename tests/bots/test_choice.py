"""What a bot takes of what it has searched: nobody slips into nothing, and games begin unlike."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.bots import make
from cuberails.bots.choice import Choice
from cuberails.bots.players import SearchBot
from cuberails.bots.search import Node, SearchConfig
from cuberails.core.auction import Auction
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE, State
from tests.bots.test_search import search, some_way_into


def regrets(root: Node, given: dict[str, float]) -> Node:
    """The root as if it had found its first action best, these worse by so much, and all others by a lot."""
    seat = root.state.phase.actor
    for n, action in enumerate(root.actions):
        mean = 0.5 - given.get(action.text, 0.0 if n == 0 else 0.1)
        root.action_visits[n] = 10
        root.rounds[n] = 1
        root.totals[n][seat], root.estimates[n][seat] = mean * 10, mean
    return root


def judged(state: State, best: str, near: dict[str, float] | None = None) -> Choice:
    """The choice where this action was found best, these hardly worse, and without any all the others."""
    root = search(state.title.key, simulations=1).think(state)
    first = next(n for n, action in enumerate(root.actions) if action.text == best)
    alike = near if near is not None else {action.text: 0.001 for action in root.actions}
    choice = Choice(regrets(root, {root.actions[0].text: 0.1, **alike, best: 0.0}))
    assert choice.ranked[0] == first
    return choice


def texts(choice: Choice, numbers: list[int]) -> set[str]:
    return {choice.root.actions[n].text for n in numbers}


def slips_from(state: State, best: str, near: dict[str, float] | None = None) -> set[str]:
    choice = judged(state, best, near)
    return texts(choice, choice.slips())


def wabash_turn() -> State:
    """A turn in which all three decisions can be made."""
    state, rng = cuberails.new("wabash", 3), Random(2)
    while True:
        found = {action.word for action in state.legal_actions() if not action.text.endswith("nothing")}
        if {"capitalize", "develop", "expand"} <= found:
            return state
        state.play(pick(state, rng))


def test_nobody_slips_into_a_decision_for_nothing() -> None:
    state = wabash_turn()
    expand = next(action.text for action in state.legal_actions() if action.word == "expand")
    slips = slips_from(state, expand)
    assert slips
    assert not {text for text in slips if text.endswith("nothing")}
    choice = judged(state, expand)
    assert not {text for text in texts(choice, choice.as_good()) if text.endswith("nothing")}


def test_a_slip_is_of_a_kind_that_leads_and_hardly_worse() -> None:
    state = wabash_turn()
    first, second, *_ = [action.text for action in state.legal_actions() if action.word == "capitalize"]
    near = {second: 0.019, "develop nothing": 0.0}
    assert slips_from(state, first, near) == {second}
    assert slips_from(state, first, {second: 0.021}) == set()


def test_nobody_slips_into_a_pass_or_a_charter_that_nobody_can_complete() -> None:
    """GM&O: to pass changes nothing but the turn; a charter that is cancelled is a pass as well."""
    state, rng = cuberails.new("gmo", 3), Random(1)
    while not {"charter", "expand", "pass"} <= {action.word for action in state.legal_actions()}:
        state.play(pick(state, rng))
    for seat in range(3):
        state.cash[seat] = 8  # type: ignore[attr-defined] # under $9 every charter is cancelled [G4.8]
    expand = next(action.text for action in state.legal_actions() if action.word == "expand")
    slips = slips_from(state, expand)
    assert not {text for text in slips if text.startswith(("charter", "pass"))}


def test_where_passing_is_best_nobody_slips_into_a_sale() -> None:
    state = cuberails.new("baltimore_ohio", 3)
    while not {"pass", "sell"} <= {action.word for action in state.legal_actions()}:
        buy = [action for action in state.legal_actions() if action.word == "start"]
        state.play(buy[-1] if buy else state.legal_actions()[-1])
        while state.actor == CHANCE:
            state.play(pick(state, Random(1)))
    assert slips_from(state, "pass") == set()


def test_giving_up_in_an_auction_is_no_slip_but_a_bid_can_be_one() -> None:
    state = cuberails.new("wabash", 3)
    root = search("wabash", simulations=1).think(state)
    bids = [action.text for action in root.actions if action.text != "pass"]
    slips = slips_from(state, bids[0])
    assert slips == set(bids[1:])


def test_goods_that_earn_nothing_are_moved_by_nobody_by_a_slip() -> None:
    """Credit Mobilier: a step north or south earns nothing [C5.6], so it changes less than one to the west."""
    state, rng = cuberails.new("credit_mobilier", 3), Random(3)
    while True:
        steps = {action.text.rpartition(" ")[2] for action in state.legal_actions() if action.word == "move"}
        if state.actor != CHANCE and "west" in steps and steps & {"north", "south"}:
            break
        state.play(pick(state, rng))
    west = next(action.text for action in state.legal_actions() if action.text.endswith("west"))
    choice = judged(state, west)
    idle = {text for text in texts(choice, choice.slips()) if text.endswith(("north", "south"))}
    for text in idle:  # only one that goes on to the west in the same turn
        n = next(n for n, action in enumerate(choice.root.actions) if action.text == text)
        assert choice.root.judged[n].treasury != state.treasury  # type: ignore[attr-defined]


def test_of_equally_good_actions_the_one_that_does_something_is_taken() -> None:
    state = wabash_turn()
    expand = next(action.text for action in state.legal_actions() if action.word == "expand")
    choice = judged(state, "expand nothing", {expand: 0.0005})
    assert choice.root.actions[choice.best].text == expand
    clear = judged(state, "expand nothing", {expand: 0.005})
    assert clear.root.actions[clear.best].text == "expand nothing"


def test_nobody_slips_in_the_middle_of_a_turn_and_half_as_often_in_auctions(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slip later would spoil what the turn was begun for; in an auction one is asked again and again."""
    slipped: list[bool] = []

    def slips(choice: Choice) -> list[int]:
        slipped.append(True)
        return []

    monkeypatch.setattr(Choice, "slips", slips)
    state, last = cuberails.new("wabash", 3), None
    bots = [SearchBot(seat, SearchConfig(simulations=4, exact_end=False), slip_rate=1.0) for seat in range(3)]
    seen: dict[str, list[bool]] = {"begins": [], "continues": [], "bids": []}
    for _ in range(160):
        actor = state.actor
        if actor is None:
            break
        slipped.clear()
        action = bots[actor].choose(state)
        where = "bids" if isinstance(state.phase, Auction) else "continues" if actor == last else "begins"
        seen[where].append(bool(slipped))
        state.play(action)
        for bot in bots:
            bot.observe(action)
        last = actor
    assert all(seen["begins"])
    assert not any(seen["continues"])
    assert min(len(each) for each in seen.values()) > 10
    assert 0.25 < sum(seen["bids"]) / len(seen["bids"]) < 0.75


def opening(key: str, seed: int) -> tuple[str, ...]:
    """The first six decisions of a game between three bots."""
    state, dice = cuberails.new(key, 3), Random(0)
    taken: list[str] = []
    bots = [make("search:simulations=16", f"{seed} {seat}") for seat in range(3)]
    while len(taken) < 6:
        actor = state.actor
        assert actor is not None
        action = pick(state, dice) if actor == CHANCE else bots[actor].choose(state)
        if actor != CHANCE:
            taken.append(action.text)
        state.play(action)
        for bot in bots:
            bot.observe(action)
    return tuple(taken)


@pytest.mark.parametrize("key", ["baltimore_ohio", "wabash"])
def test_games_begin_unlike(key: str) -> None:
    assert len({opening(key, seed) for seed in range(5)}) >= 3


def test_in_the_opening_only_what_seems_as_good_is_drawn() -> None:
    root = search("wabash").think(some_way_into("wabash", 3, 12))
    choice = Choice(root)
    seat = root.state.phase.actor
    for n in choice.as_good():
        assert n == choice.best or root.rounds[n] >= max(root.rounds) - 1
        assert root.regret(n, choice.best, seat) < 0.08
