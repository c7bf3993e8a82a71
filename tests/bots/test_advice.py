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
    state, rng = cuberails.new(key, 3), Random(5)
    for _ in range(20):
        state.play(pick(state, rng))
    while state.actor == CHANCE or len(state.legal_actions()) < 3:
        state.play(pick(state, rng))
    progress: list[float] = []
    ideas = advise(state, 1, progress.append)
    assert 1 <= len(ideas) <= 3
    assert {idea.action for idea in ideas} <= {action.text for action in state.legal_actions()}
    assert len({idea.action for idea in ideas}) == len(ideas)
    for idea in ideas:
        assert sum(idea.chances) == pytest.approx(1)
        rival = ideas[0] if idea is not ideas[0] else ideas[1]
        assert idea.why.startswith((f"against {rival.action}: your ", "at once as good for you as"))
    chances = [idea.chances[state.phase.actor] for idea in ideas]
    assert chances == sorted(chances, reverse=True)
    assert progress == sorted(progress)


def test_a_reason_tells_what_is_gained_and_given_up_for_it() -> None:
    state = cuberails.new("wabash", 3)
    paid = {}
    for idea in advise(state):
        action, _, reasons = idea.why.partition(": your ")
        paid[idea.action] = (action.removeprefix("against "), reasons)
    bid, other = next((bid, other) for bid, (other, _) in paid.items() if {bid[:3], other[:3]} == {"bid"})
    more = int(bid[4:]) - int(other[4:])
    assert f"cash {'+' if more < 0 else '−'}{abs(more)}" in paid[bid][1]


def test_what_has_no_rival_says_so() -> None:
    state = cuberails.new("wabash", 3)
    state.play(state.parse("bid 30"))
    assert [(idea.action, idea.why) for idea in advise(state)] == [("pass", "nothing else is worth a look")]


def test_there_is_nothing_to_advise_after_the_end_or_before_dice() -> None:
    state = cuberails.new("credit_mobilier", 3)
    assert state.actor == CHANCE
    with pytest.raises(SetupError, match="dice decide"):
        advise(state)
    state, rng = cuberails.new("southern_rails", 3), Random(1)
    while state.actor is not None:
        state.play(pick(state, rng))
    with pytest.raises(SetupError, match="the game is over"):
        advise(state)
