"""Bots choose legal actions, the same ones from the same seed, and greedy is worth more than chance."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.bots import LEVELS, make
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.core.title import SetupError


def play(key: str, names: list[str], seed: int, most: int = 100_000) -> Game:
    """A game between bots, whole or so many actions of it; every choice goes through the gate."""
    game = Game(cuberails.load(key).board, names)
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
    names = [level] * 3
    first = play(key, names, 1, most=40).to_text()
    assert first == play(key, names, 1, most=40).to_text()
    assert any(first != play(key, names, seed, most=40).to_text() for seed in (2, 3, 4, 5))


@pytest.mark.parametrize("key", cuberails.TITLES)
@pytest.mark.parametrize("level", ["medium", "hard", "expert"])
def test_every_level_plays(key: str, level: str) -> None:
    """Some moves of each, from the start."""
    players = cuberails.load(key).most_players
    assert len(play(key, [level] * players, 1, most=4).steps) == 4


def test_every_level_has_a_character() -> None:
    assert list(LEVELS) == ["random", "greedy", "easy", "medium", "hard", "expert"]
    assert len({level.character for level in LEVELS.values()}) == len(LEVELS)


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_greedy_beats_two_random_players(key: str) -> None:
    """Every seat in turn; the even share would be a third."""
    won, games = 0.0, 15
    for number in range(games):
        names = ["random"] * 3
        names[number % 3] = "greedy"
        winners = play(key, names, number).state.winners()
        won += (number % 3 in winners) / len(winners)
    assert won >= 0.8 * games


def test_unknown_bots_are_refused() -> None:
    with pytest.raises(SetupError, match="there is no bot 'genius'; the bots are random, greedy"):
        make("genius", 1)
