"""Bots and dice in the terminal: the actors that are not people."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from random import Random, SystemRandom

from cuberails.bots import Bot, OnProgress, make
from cuberails.core.action import Action
from cuberails.core.game import Game
from cuberails.core.playout import sample
from cuberails.core.state import CHANCE
from cuberails.terminal.seats import bot_of

Thinking = Callable[[str], AbstractContextManager[OnProgress]]
"""Shows who is thinking, by name, and the progress."""


class Opponents:
    """The bots of a game, one a seat from its beginning to its end, and its dice.

    With a seed they repeat themselves, however often the game is resumed or taken back. For that a bot must not carry
    its search over a decision of a person; without a seed it does.
    """

    def __init__(self, seats: Sequence[str], seed: int | None) -> None:
        self._levels = [bot_of(name) for name in seats]
        self._seed = seed
        self._bot_seed = SystemRandom().getrandbits(64) if seed is None else seed
        self._bots: dict[int, Bot] = {}
        self._seen: list[Action] = []

    @property
    def alone(self) -> bool:
        """Whether no person sits at the table."""
        return None not in self._levels

    def is_person(self, actor: int) -> bool:
        return actor != CHANCE and self._levels[actor] is None

    def last_person(self, game: Game) -> int:
        """The seat of the person who decided last; CHANCE if none has."""
        return next((step.seat for step in reversed(game.steps) if self.is_person(step.seat)), CHANCE)

    def play(self, game: Game, thinking: Thinking, after_each: Callable[[], object]) -> bool:
        """Play up to the next decision of a person or the end. False if a game of bots alone has become too long."""
        if self._seed is not None:
            self._bots.clear()
        self._catch_up(game)
        while (actor := game.state.actor) is not None and not self.is_person(actor):
            if game.state.too_long and self.alone:
                return False
            game.apply(self._choose(game, actor, thinking))
            self._catch_up(game)
            after_each()
        return True

    def _catch_up(self, game: Game) -> None:
        """Let the bots see what happened since they were asked last; after an undo none of that is true any more."""
        played, known = [step.action for step in game.steps], len(self._seen)
        if played[:known] != self._seen:
            self._bots.clear()
        for action in played[known:]:
            for bot in self._bots.values():
                bot.observe(action)
        self._seen = played

    def _choose(self, game: Game, actor: int, thinking: Thinking) -> Action:
        """Seeded by the number of the action, so that undo changes nothing."""
        number = len(game.steps)
        if actor == CHANCE:
            return sample(game.state, SystemRandom() if self._seed is None else Random(f"chance {self._seed} {number}"))
        bot = self._bot(actor)
        bot.reseed(f"{self._bot_seed} {number}")
        with thinking(game.seats[actor]) as on_progress:
            return bot.choose(game.state, on_progress)

    def _bot(self, seat: int) -> Bot:
        """The bot of a seat: made once, and again with the same character after an undo."""
        if seat not in self._bots:
            self._bots[seat] = make(str(self._levels[seat]), f"{self._bot_seed} {seat}")
        return self._bots[seat]
