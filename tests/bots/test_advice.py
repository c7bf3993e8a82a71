"""Hints: three ideas with everybody's chances and a reason."""

from __future__ import annotations

from random import Random

import pytest

import cuberails
from cuberails.bots import advise
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.core.title import SetupError


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_the_best_three_with_chances_and_reasons(key: str) -> None:
    game, rng = cuberails.new(key, 3), Random(5)
    for _ in range(20):
        game.play(pick(game, rng))
    while game.actor == CHANCE or len(game.legal_actions()) < 3:
        game.play(pick(game, rng))
    heard: list[float] = []
    ideas = advise(game, 1, heard.append)
    assert 1 <= len(ideas) <= 3
    assert {idea.action for idea in ideas} <= {action.text for action in game.legal_actions()}
    assert len({idea.action for idea in ideas}) == len(ideas)
    for idea in ideas:
        assert sum(idea.chances) == pytest.approx(1)
        assert idea.why.startswith(("your ", "it keeps"))
    chances = [idea.chances[game.phase.actor] for idea in ideas]
    assert chances == sorted(chances, reverse=True)
    assert heard == sorted(heard)


def test_there_is_nothing_to_advise_after_the_end_or_before_dice() -> None:
    game = cuberails.new("credit_mobilier", 3)
    assert game.actor == CHANCE
    with pytest.raises(SetupError, match="dice decide"):
        advise(game)
    game, rng = cuberails.new("southern_rails", 3), Random(1)
    while game.actor is not None:
        game.play(pick(game, rng))
    with pytest.raises(SetupError, match="the game is over"):
        advise(game)
