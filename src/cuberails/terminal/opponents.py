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
    """The bots of a game and its dice. With a seed they repeat themselves."""

    def __init__(self, seats: Sequence[str], seed: int | None) -> None:
        self._bots = [bot_of(name) for name in seats]
        self._seed = seed
        self._bot_seed = SystemRandom().getrandbits(64) if seed is None else seed

    @property
    def alone(self) -> bool:
        """Whether no person sits at the table."""
        return None not in self._bots

    def is_person(self, actor: int) -> bool:
        return actor != CHANCE and self._bots[actor] is None

    def last_person(self, game: Game) -> int:
        """The seat of the person who decided last; CHANCE if none has."""
        return next((step.seat for step in reversed(game.steps) if self.is_person(step.seat)), CHANCE)

    def play(self, game: Game, thinking: Thinking, after_each: Callable[[], object]) -> bool:
        """Play up to the next decision of a person or the end. False if a game of bots alone has become too long.

        Until then bots remember what they had in mind.
        """
        minds: dict[int, Bot] = {}
        while (actor := game.state.actor) is not None and not self.is_person(actor):
            if game.state.too_long and self.alone:
                return False
            action = self._choose(game, actor, minds, thinking)
            game.apply(action)
            for bot in minds.values():
                bot.observe(action)
            after_each()
        return True

    def _choose(self, game: Game, actor: int, minds: dict[int, Bot], thinking: Thinking) -> Action:
        """Seeded by the number of the action, for a bot of the first that it chooses: undo changes nothing."""
        number = len(game.steps)
        if actor == CHANCE:
            return sample(game.state, SystemRandom() if self._seed is None else Random(f"chance {self._seed} {number}"))
        if actor not in minds:
            minds[actor] = make(str(self._bots[actor]), f"{self._bot_seed} {number}")
        with thinking(game.seats[actor]) as on_progress:
            return minds[actor].choose(game.state, on_progress)
