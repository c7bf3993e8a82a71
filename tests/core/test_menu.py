"""The menu: legal actions in groups, with prices and gains; and the preview of one of them."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.core.menu import Amounts, Choice, Group, Places, amount_of, menu
from cuberails.core.playout import pick
from cuberails.core.preview import differences, preview
from cuberails.core.scene import Scene
from cuberails.core.state import State
from cuberails.titles import scene

TO_BUILDING = ("bid 30", "pass", "pass", *("pass", "pass", "pass") * 3, "expand PA")


def wabash(*actions: str) -> State:
    state = cuberails.new("wabash", players=3)
    for action in actions:
        state.apply(action)
    return state


def groups(state: State) -> dict[str, Group]:
    return {group.word: group for group in menu(state, scene(state))}


def briefs(state: State) -> dict[str, str]:
    return {choice.action.text: choice.brief for group in groups(state).values() for choice in group.choices}


def places_of(shown: Scene) -> dict[str, str]:
    found = {text: tile.key for tile in shown.map.tiles for text in tile.targets}
    return found | {text: link.key for link in shown.map.links for text in link.targets}


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_legal_action_is_in_the_menu_once_and_at_its_place(key: str) -> None:
    title, rng = cuberails.load(key), Random(4)
    state = title.new(title.least_players, {})
    while state.actor is not None:
        shown = scene(state)
        places = places_of(shown)
        choices = [choice for group in menu(state, shown) for choice in group.choices]
        assert sorted(choice.action for choice in choices) == sorted(state.legal_actions())
        assert all(choice.place == places.get(choice.action.text, "") for choice in choices)
        state.play(pick(state, rng))


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_an_entry_says_which_actions_it_stands_for(key: str) -> None:
    title, rng = cuberails.load(key), Random(5)
    state = title.new(title.most_players, {})
    for _ in range(150):
        for entry in [entry for group in menu(state, scene(state)) for entry in group.entries]:
            texts = [choice.action.text for choice in entry.choices]
            if isinstance(entry, Amounts):
                amounts = range(entry.first, entry.last + 1, entry.step)
                assert texts == [f"{entry.head} {n} {entry.tail}".strip() for n in amounts]
            elif isinstance(entry, Places):
                assert texts == [f"{entry.head} {id}" for id in entry.ids]
                assert [choice.place for choice in entry.choices] == [entry.prefix + id for id in entry.ids]
        if state.actor is not None:
            state.play(pick(state, rng))


def test_bids_are_one_range_and_the_pass_stands_alone() -> None:
    found = groups(wabash())
    (bids,) = found["bid"].entries
    assert isinstance(bids, Amounts)
    assert (bids.head, bids.first, bids.last, bids.step, bids.tail) == ("bid", 7, 40, 1, "")
    (give_up,) = found["pass"].entries
    assert isinstance(give_up, Choice)
    assert give_up.label == ""


def test_an_amount_can_have_words_around_it() -> None:
    state = cuberails.new("baltimore_ohio", players=3)
    state.apply("order 0 1 2")
    start = next(entry for entry in groups(state)["start"].entries if isinstance(entry, Amounts))
    assert (start.head.split(" ")[0], start.first) == ("start", 1)
    assert start.tail.startswith("at ")
    assert amount_of(start.choices[0].action) is None
    assert amount_of(cuberails.load("wabash").board.actions.parse("bid 12")) == 12


def test_choices_say_what_they_cost_and_bring() -> None:
    assert briefs(wabash(*TO_BUILDING, "build Q6", "build P6"))["build P5"] == "$1"
    turns = ("build Q5", "build P5", "done", "develop nothing", "develop nothing", "expand PA", "build O5")
    state = wabash(*TO_BUILDING, *turns)
    assert briefs(state)["build O4"] == "$2, +1"
    assert [c.place_name for c in groups(state)["build"].choices if c.action.text == "build O4"] == ["Harrisburg"]


def test_a_menu_changes_nothing() -> None:
    state = wabash(*TO_BUILDING)
    before = (state.scores(), [action.text for action in state.legal_actions()], state.prompt)
    menu(state, scene(state))
    assert (state.scores(), [action.text for action in state.legal_actions()], state.prompt) == before


# Previews


def test_a_bid_is_shown_as_the_sale_that_it_would_be() -> None:
    state = wabash()
    lines = preview(state, state.parse("bid 9"), ["Ann", "Bob", "Cy"])
    assert lines[0] == "Ann takes a share of PA for $9"
    assert "Ann: Cash $40 → $31, Dividend $0 → $7" in lines
    assert not any("bids" in line or "passes" in line for line in lines)
    assert state.prompt == "Bid $7 or more for PA, or pass"


def test_only_the_auction_of_that_bid_is_played_out() -> None:
    """The next lot is up at once in the initial auctions of Wabash; nobody passes on that [W2.1]."""
    state = wabash("bid 9", "pass")
    lines = preview(state, state.parse("bid 10"), ["Ann", "Bob", "Cy"])
    assert [line for line in lines if "takes a share" in line] == ["Cy takes a share of PA for $10"]


def test_a_charter_is_previewed_up_to_its_next_decision() -> None:
    state = cuberails.new("gmo", players=3)
    assert preview(state, state.parse("bid 3"), ["Ann", "Bob", "Cy"])[0] == "Ann takes the SC charter for $3"


def test_a_build_ends_with_its_gain_for_each_dollar() -> None:
    state = wabash(*TO_BUILDING)
    names = ["Ann", "Bob", "Cy"]
    tile = next(tile for tile in scene(state, names).map.tiles if tile.targets)
    assert preview(state, state.parse(tile.targets[0]), names)[-1] == tile.gain == "no income for $1"


def test_differences_name_the_figures_that_change() -> None:
    state = cuberails.new("wabash", players=2)
    before = scene(state, ["Anna", "Ben"])
    state.apply("bid 9")
    state.apply("pass")
    lines = differences(before, scene(state, ["Anna", "Ben"]))
    assert "Anna: Cash $60 → $51, Dividend $0 → $7" in lines
    assert any(line.startswith("PA: Treasury $0 → $9") for line in lines)
