"""Write the transcripts of tests/records anew: `python -m tests.records.make [TITLE]`. Only on purpose!

The recipes of a title are in tests/titles/TITLE/records.py. Each is a whole game between seeded bots, or between
players with a bent that leads to a rare way to end.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

import cuberails
from cuberails.bots import make
from cuberails.core.action import Action
from cuberails.core.event import Ended
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE, State

HERE = Path(__file__).parent
NAMES = ["Ann", "Bob", "Cleo", "Dan", "Eve", "Finn"]
Player = Callable[[State, Random], Action]


def play(key: str, players: int, seed: int, choose: Sequence[Player], **options: str) -> Game:
    """A whole game in which these players sit in turn."""
    game = Game(cuberails.load(key).board, NAMES[:players], options)
    rng = Random(seed)
    while (actor := game.state.actor) is not None:
        player = pick if actor == CHANCE else choose[actor % len(choose)]
        game.apply(player(game.state, rng))
    return game


def ending(game: Game) -> str:
    """Why the game ended."""
    return next(event.reason for event in game.events(game.count - 1)[0] if isinstance(event, Ended))


def bot(name: str) -> Player:
    return lambda state, rng: make(name, rng.random().hex()).choose(state)


def bent(**weights: float) -> Player:
    """Chooses at random, kinds of action with a weight of their own; a whole text can be named with _ for blanks."""

    def choose(state: State, rng: Random) -> Action:
        legal = state.legal_actions()
        words = [weights.get(action.text.replace(" ", "_"), weights.get(action.word, 1.0)) for action in legal]
        counts: dict[str, int] = {}
        for action in legal:
            counts[action.word] = counts.get(action.word, 0) + 1
        odds = [weight / counts[action.word] for action, weight in zip(legal, words, strict=True)]
        return rng.choices(legal, odds)[0]

    return choose


def search(key: str, players: int, choose: Sequence[Player], reason: str, seeds: int = 300, **options: str) -> Game:
    """The first game that ends this way."""
    for seed in range(seeds):
        game = play(key, players, seed, choose, **options)
        if ending(game) == reason:
            return game
    raise SystemExit(f"{key}: no game of {players} ended because {reason} in {seeds} tries")


def write(key: str, name: str, game: Game) -> None:
    (HERE / key).mkdir(exist_ok=True)
    (HERE / key / f"{name}.txt").write_text(game.to_text(), "utf-8")
    print(f"{key}/{name}: {len(game.steps)} actions, {ending(game)}")


if __name__ == "__main__":
    for title in sys.argv[1:] or cuberails.TITLES:
        importlib.import_module(f"tests.titles.{title}.records").write_all()
