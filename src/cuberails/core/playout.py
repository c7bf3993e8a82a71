"""Trying out and seeded random play: whoever drives a game samples; the state itself never draws."""

from __future__ import annotations

from random import Random

from cuberails.core.action import Action
from cuberails.core.state import CHANCE, State


def after(game: State, action: Action) -> State:
    """The position after an action; the game itself stays as it is."""
    changed = game.copy()
    changed.play(action)
    return changed


def sample(game: State, rng: Random) -> Action:
    """An outcome where CHANCE decides."""
    return game.phase.outcome(game, rng.random())


def pick(game: State, rng: Random) -> Action:
    """A legal action at random: each alike, dice by their probabilities."""
    if game.phase.actor == CHANCE:
        return sample(game, rng)
    legal = game.legal_actions()
    return legal[int(rng.random() * len(legal))]


def playout(game: State, rng: Random) -> int:
    """Play at random to the end, or until the game is too long; return the number of decisions."""
    decisions = 0
    random = rng.random
    legal = game.legal_actions()
    while legal and not game.too_long:
        if game.phase.actor == CHANCE:
            game.play(sample(game, rng))
        else:
            game.play(legal[int(random() * len(legal))])
        decisions += 1
        legal = game.legal_actions()
    return decisions
