"""The menu: everything legal can be chosen, in more ways than one, and nothing else."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.terminal.menu import NotUnderstood, NumberedMenu
from cuberails.titles import scene
from tests.terminal.scripted import HOT_SEAT, game_of

RECORDS = Path(__file__).parent.parent / "records"
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


def test_shares_of_a_railroad_are_offered_as_a_range_with_a_number() -> None:
    game = Game(cuberails.load("baltimore_ohio").board, ["Ann", "Bob", "Cy"])
    for text in ("order 0 1 2", "start PA 3 at 66"):
        game.apply(game.state.parse(text))
    menu = menu_of(game)
    shares = next(choice for choice in menu.rows["buy"] if choice.label == "PA 1–7")
    assert menu.rows["start"][0].label == "B&O 1–9 at 55"
    assert str(menu.find(f"{shares.number} 4")) == str(menu.find("b pa 4")) == "buy PA 4"
    assert "start B&O 1 at 55" in menu.texts()


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("{range}", "needs an amount after it: {range} 1 is buy PA 1, up to {range} 7"),
        ("{range} 8", "8 is none of its amounts: {range} 1 is buy PA 1, up to {range} 7"),
        ("{range} 0", "0 is none of its amounts"),
        ("1 3", "Number 1 is pass and takes no amount"),
        ("99 1", "no number 99"),
    ],
)
def test_a_range_says_which_amounts_it_takes(typed: str, printed: str) -> None:
    game = Game(cuberails.load("baltimore_ohio").board, ["Ann", "Bob", "Cy"])
    for text in ("order 0 1 2", "start PA 3 at 66"):
        game.apply(game.state.parse(text))
    menu = menu_of(game)
    number = menu.rows["buy"][0].number
    with pytest.raises(NotUnderstood, match=printed.format(range=number)):
        menu.find(typed.format(range=number))


def test_beside_other_choices_a_number_is_never_an_amount() -> None:
    game = recorded("baltimore_ohio", "3-players-greedy.txt", 22)
    menu = menu_of(game)
    assert {"build", "scrap"} <= set(menu.rows)
    assert not menu.amounts
    assert [menu.find(str(choice.number)) for choice in menu.choices if not choice.amounts] == [
        choice.action for choice in menu.choices if not choice.amounts
    ]


def recorded(key: str, name: str, count: int) -> Game:
    """A recorded game after this many actions."""
    game = cuberails.read((RECORDS / key / name).read_text("utf-8"))
    while len(game.steps) > count:
        game.undo()
    return game


def test_after_the_end_there_is_nothing_to_choose() -> None:
    title, rng = cuberails.load("southern_rails"), Random(1)
    game = Game(title.board, ["Ann", "Bob", "Cy"])
    while game.state.actor is not None:
        game.apply(pick(game.state, rng))
    with pytest.raises(NotUnderstood, match="nothing to choose"):
        menu_of(game).find("1")


def by_number(menu: NumberedMenu) -> list[str]:
    """Every number that can be typed, with every amount of a range."""
    if menu.amounts:
        return [str(amount) for amount in menu.amounts]
    return [
        f"{choice.number} {amount}" if choice.amounts else str(choice.number)
        for choice in menu.choices
        for amount in choice.amounts or [0]
    ]


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_legal_action_of_every_title_can_be_chosen(key: str) -> None:
    title, rng = cuberails.load(key), Random(9)
    game = Game(title.board, [f"Player {n}" for n in range(3)])
    while game.state.actor is not None and len(game.steps) < 60:
        if game.state.actor != CHANCE:
            menu = menu_of(game)
            offered = [*menu.amounts.values(), *(action for choice in menu.choices for action in choice.actions)]
            assert sorted(offered) == sorted(game.state.legal_actions())
            assert [menu.find(typed) for typed in by_number(menu)] == (list(menu.amounts.values()) or offered)
            assert all(menu.find(action.text) is action for action in offered)
        game.apply(pick(game.state, rng))
