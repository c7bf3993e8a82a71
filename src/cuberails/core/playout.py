"""Seeded random play. Chance is sampled here, by the caller's generator; a state never draws by itself."""

from __future__ import annotations

from random import Random

from cuberails.core.action import Action
from cuberails.core.state import CHANCE, State


def after(state: State, action: Action) -> State:
    """The position after an action; the given one does not change."""
    changed = state.copy()
    changed.play(action)
    return changed


def sample(state: State, rng: Random) -> Action:
    """An outcome where CHANCE decides."""
    return state.phase.outcome(state, rng.random())


def pick(state: State, rng: Random) -> Action:
    """A legal action at random: each alike, dice by their probabilities."""
    if state.phase.actor == CHANCE:
        return sample(state, rng)
    legal = state.legal_actions()
    return legal[int(rng.random() * len(legal))]


def playout(state: State, rng: Random) -> int:
    """Play at random to the end, or until the game is too long; return the number of decisions."""
    decisions = 0
    random = rng.random
    legal = state.legal_actions()
    while legal and not state.too_long:
        if state.phase.actor == CHANCE:
            state.play(sample(state, rng))
        else:
            state.play(legal[int(random() * len(legal))])
        decisions += 1
        legal = state.legal_actions()
    return decisions
