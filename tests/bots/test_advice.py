"""Hints: three ideas with everybody's chances and a reason."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.bots import advise
from cuberails.bots.advice import _what_it_brings
from cuberails.bots.price import SIMULATIONS, fair_price
from cuberails.bots.search import Search, SearchConfig
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.core.title import SetupError
from cuberails.titles import judge


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
        rival = re.match(r"compared with ([a-z]+( \S+)*?) (?=you|the others)|at once the same as ([^;]+)", idea.why)
        assert rival is not None
        if len(ideas) > 1:
            assert (rival[1] or rival[3]) == (ideas[0] if idea is not ideas[0] else ideas[1]).action
    chances = [idea.chances[state.phase.actor] for idea in ideas]
    assert chances == sorted(chances, reverse=True)
    assert progress == sorted(progress)


def test_a_reason_tells_what_is_gained_and_given_up_for_it() -> None:
    """Wabash: who bids more has less, and the share, or not; and the first idea tells how far to go."""
    state = cuberails.new("wabash", 3)
    limit = fair_price(state, SIMULATIONS, seed=0).limits[0]
    for n, idea in enumerate(advise(state)):
        assert re.fullmatch(
            r"compared with (bid \d+|pass) (you (have|can expect about) \$[\d.]+ (more|less)( from [\w&]+ shares)?"
            r"|the others can expect about \$[\d.]+ (more|less))(( and|, but) (you|the others) .*)?"
            r"(; it is (better|worse) when others have answered)?"
            + ("" if n else rf"; it is worth up to \${limit} to you"),
            idea.why,
        )


def test_a_reason_can_be_checked_on_the_table() -> None:
    """Credit Mobilier: a share costs a dollar [C6.1], so who buys one more has a dollar less."""
    game = cuberails.read((Path(__file__).parents[1] / "records/credit_mobilier/3-players-greedy.txt").read_text())
    for count in range(len(game.steps)):
        state = game.at(count)
        if state.actor != CHANCE and {"buy red 1", "buy red 2"} <= {action.text for action in state.legal_actions()}:
            break
    root = Search(judge("credit_mobilier"), SearchConfig(simulations=4), Random(1)).think(state)
    one, two = ([action.text for action in root.actions].index(text) for text in ("buy red 1", "buy red 2"))
    assert "you have $1 more" in _what_it_brings(root, one, two, judge("credit_mobilier"))
    assert "you have $1 less" in _what_it_brings(root, two, one, judge("credit_mobilier"))


def test_what_has_no_rival_says_so() -> None:
    state = cuberails.new("wabash", 3)
    state.play(state.parse("bid 30"))
    (idea,) = advise(state)
    assert idea.action == "pass"
    assert re.fullmatch(r"nothing else is worth a look; it is worth up to \$\d+ to you", idea.why)


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
