"""Bots choose legal actions, the same ones from the same seed, and greedy is worth more than chance."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.bots import LEVELS, make
from cuberails.bots.players import leaning
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.core.title import SetupError
from cuberails.titles import judge_for


def play(board: cuberails.Board, names: list[str], seed: int, most: int = 100_000) -> Game:
    """A game between bots, whole or so many actions of it; every choice goes through the gate."""
    game = Game(board, names)
    bots = [make(name, f"{seed} {seat}") for seat, name in enumerate(names)]
    dice = Random(seed)
    while (actor := game.state.actor) is not None and not game.state.too_long and len(game.steps) < most:
        action = pick(game.state, dice) if actor == CHANCE else bots[actor].choose(game.state)
        game.apply(action)
        for bot in bots:
            bot.observe(action)
    return game


@pytest.mark.parametrize("key", cuberails.TITLES)
@pytest.mark.parametrize("level", ["random", "greedy", "search:simulations=8"])
def test_the_same_seed_plays_the_same_game(key: str, level: str) -> None:
    board, names = cuberails.load(key).board, [level] * 3
    first = play(board, names, 1, most=40).to_text()
    assert first == play(board, names, 1, most=40).to_text()
    assert any(first != play(board, names, seed, most=40).to_text() for seed in (2, 3, 4, 5))


@pytest.mark.parametrize("key", cuberails.TITLES)
@pytest.mark.parametrize("level", ["medium", "hard", "expert"])
def test_every_level_plays(key: str, level: str) -> None:
    """Some moves of each, from the start."""
    title = cuberails.load(key)
    assert len(play(title.board, [level] * title.most_players, 1, most=4).steps) == 4


def test_every_level_has_a_character() -> None:
    assert list(LEVELS) == ["random", "greedy", "easy", "medium", "hard", "expert"]
    assert len({level.character for level in LEVELS.values()}) == len(LEVELS)


def short_board(key: str) -> cuberails.Board:
    """The built-in board; that of Baltimore & Ohio ends at a lower value, since random players take hours."""
    board = cuberails.load(key).board
    lower = board.text.replace("\nvaluation = 375\n", "\nvaluation = 74\n")
    assert (lower == board.text) == (key != "baltimore_ohio")
    return cuberails.read_board("short.toml", lower)


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_greedy_beats_two_random_players(key: str) -> None:
    """Every seat in turn; with an even share, a third, to win all six would be one chance in 700."""
    board, won, games = short_board(key), 0.0, 6
    for number in range(games):
        names = ["random"] * 3
        names[number % 3] = "greedy"
        winners = play(board, names, number).state.winners()
        won += (number % 3 in winners) / len(winners)
    assert won == games


def test_unknown_bots_are_refused() -> None:
    with pytest.raises(SetupError, match="there is no bot 'genius'; the bots are random, greedy"):
        make("genius", 1)


def test_a_bot_can_have_an_inclination() -> None:
    board = cuberails.load("wabash").board
    state = board.new(3)
    state.apply("bid 12")
    plain, thrifty = judge_for(board), leaning(judge_for(board), board, "cash*2.5")
    assert thrifty.chances(state)[0] < plain.chances(state)[0]
    assert sum(thrifty.chances(state)) == pytest.approx(1.0)
    assert make("search:simulations=8:lean=near_chicago*0.5", 1).choose(state) in state.legal_actions()
    with pytest.raises(SetupError, match=r"'coal\*1' is no inclination; write a feature and a number"):
        make("search:simulations=8:lean=coal*1", 1).choose(state)
