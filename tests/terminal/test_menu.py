"""The menu: everything legal can be chosen, in more ways than one, and nothing else."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.core.action import Action
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.terminal.menu import NotUnderstood, NumberedMenu
from cuberails.titles import scene
from tests.terminal.scripted import HOT_SEAT, game_of

BEFORE_BUILDING = ("bid 30", "pass", "pass", *("pass", "pass", "pass") * 3, "expand PA")


def menu_of(game: Game) -> NumberedMenu:
    return NumberedMenu(game.state, scene(game.state, game.seats))


@pytest.mark.parametrize("typed", ["build Q6", "BUILD  q6", "b q6", "q6", "2"])
def test_many_ways_to_say_the_same(typed: str) -> None:
    game = game_of(HOT_SEAT, *BEFORE_BUILDING)
    assert str(menu_of(game).find(typed)) == "build Q6"


@pytest.mark.parametrize("typed", ["bid 12", "12", "$12", "bid $12", "b 12", "012"])
def test_in_an_auction_a_number_is_a_bid(typed: str) -> None:
    assert str(menu_of(game_of(HOT_SEAT)).find(typed)) == "bid 12"
    assert str(menu_of(game_of(HOT_SEAT)).find("p")) == "pass"


def test_amounts_are_shown_as_a_range() -> None:
    menu = menu_of(game_of(HOT_SEAT))
    assert menu.range == "bid 7–40"
    assert [choice.action.text for choice in menu.choices] == ["pass"]


def test_choices_tell_what_they_cost_and_bring() -> None:
    menu = menu_of(game_of(HOT_SEAT, *BEFORE_BUILDING, "build Q6", "build P6"))
    briefs = {choice.action.text: choice.brief for choice in menu.choices}
    assert briefs["build P5"] == "$1"
    turns = ("build Q5", "build P5", "done", "develop nothing", "develop nothing", "expand PA", "build O5")
    menu = menu_of(game_of(HOT_SEAT, *BEFORE_BUILDING, *turns))
    named = {choice.label: choice.brief for choice in menu.choices}
    assert named["O4 Harrisburg"] == "$2, +1"


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("99", "no number 99; the choices are 1 to 5"),
        ("0", "no number 0"),
        ("9" * 5000, "no number 999999999"),
        ("build K4", "W4.3: K4 Pittsburgh is not next to track of PA"),
        ("done", "W4.2"),
        ("-1", "is not an action"),
        ("bild Q6", "did you mean build Q6"),
        ("\x00\x1b[31m", "is not an action"),
    ],
)
def test_what_is_not_understood_is_explained(typed: str, printed: str) -> None:
    with pytest.raises(NotUnderstood, match=printed):
        menu_of(game_of(HOT_SEAT, *BEFORE_BUILDING)).find(typed)


def test_a_word_with_two_meanings_is_not_guessed() -> None:
    game = game_of(HOT_SEAT, *BEFORE_BUILDING[:-1])
    with pytest.raises(NotUnderstood, match="capitalize PA or expand PA"):
        menu_of(game).find("pa")


def spanned(menu: NumberedMenu) -> list[Action]:
    """Every action that the ranges stand for: `1–3 at 60` after `start PA` are three."""
    found = []
    for head, spans in menu.spans.items():
        for span in spans:
            amounts, _, tail = span.partition(" ")
            least, _, most = amounts.partition("–")
            found += [menu.find(f"{head} {n} {tail}".strip()) for n in range(int(least), int(most or least) + 1)]
    return found


def test_shares_of_a_railroad_are_offered_as_a_range() -> None:
    game = Game(cuberails.load("baltimore_ohio").board, ["Ann", "Bob", "Cy"])
    for text in ("order 0 1 2", "start PA 3 at 66"):
        game.apply(game.state.parse(text))
    menu = menu_of(game)
    assert menu.spans["buy PA"] == ["1–7"]
    assert menu.spans["start B&O"][0] == "1–9 at 55"
    assert str(menu.find("b pa 4")) == "buy PA 4"
    assert "start B&O 1 at 55" in menu.texts()


def test_after_the_end_there_is_nothing_to_choose() -> None:
    title, rng = cuberails.load("southern_rails"), Random(1)
    game = Game(title.board, ["Ann", "Bob", "Cy"])
    while game.state.actor is not None:
        game.apply(pick(game.state, rng))
    with pytest.raises(NotUnderstood, match="nothing to choose"):
        menu_of(game).find("1")


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_legal_action_of_every_title_can_be_chosen(key: str) -> None:
    title, rng = cuberails.load(key), Random(9)
    game = Game(title.board, [f"Player {n}" for n in range(3)])
    while game.state.actor is not None and len(game.steps) < 60:
        if game.state.actor != CHANCE:
            menu = menu_of(game)
            by_number = [menu.find(str(n)) for n in menu.amounts or [c.number for c in menu.choices]]
            numbered = list(menu.amounts.values()) or [choice.action for choice in menu.choices]
            offered = [*menu.amounts.values(), *(choice.action for choice in menu.choices), *spanned(menu)]
            assert sorted(offered) == sorted(game.state.legal_actions())
            assert by_number == numbered
            assert all(menu.find(action.text) is action for action in offered)
        game.apply(pick(game.state, rng))
