"""Bots in the terminal: one a seat for the whole game, that never acts on what was taken back."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from cuberails.bots import Bot, OnProgress, players
from cuberails.core.action import Action
from cuberails.core.game import Game
from cuberails.core.state import State
from cuberails.terminal.opponents import Opponents
from tests.terminal.scripted import WABASH, WITH_BOTS

made: list[Witness]


class Witness(Bot):
    """A bot that passes, and remembers what it saw of the game."""

    name = "random"

    def __init__(self, seed: int | str) -> None:
        super().__init__(seed)
        self.seed = seed
        self.seen: list[str] = []
        made.append(self)

    def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
        return state.legal_actions()[-1]

    def observe(self, action: Action) -> None:
        self.seen.append(action.text)


@pytest.fixture(autouse=True)
def witnesses(monkeypatch: pytest.MonkeyPatch) -> None:
    global made
    made = []
    level = players.Level("sees all", lambda _, seed: Witness(seed))
    monkeypatch.setitem(players.LEVELS, "random", level)


@contextmanager
def silence(_: str) -> Iterator[OnProgress]:
    yield lambda part: None


def turn(opponents: Opponents, game: Game, action: str) -> None:
    game.apply(action)
    opponents.play(game, silence, lambda: None)


def test_a_bot_stays_for_the_whole_game_and_sees_all_of_it() -> None:
    game, opponents = Game(WABASH, WITH_BOTS), Opponents(WITH_BOTS, None)
    for action in ("bid 9", "bid 9", "pass"):
        turn(opponents, game, action)
    assert len(made) == 2
    played = [step.action.text for step in game.steps]
    first = len(played) - len(made[0].seen)
    assert first <= 2
    assert made[0].seen == played[first:]


def test_what_was_taken_back_is_forgotten_and_the_character_stays() -> None:
    game, opponents = Game(WABASH, WITH_BOTS), Opponents(WITH_BOTS, None)
    turn(opponents, game, "bid 9")
    while game.undo():
        pass
    turn(opponents, game, "bid 12")
    assert len(made) == 4
    assert "bid 9" not in made[2].seen
    assert [bot.seed for bot in made[:2]] == [bot.seed for bot in made[2:]]
