"""What shares will pay until the end, by quick play-outs of a position.

In a play-out every seat takes what looks best at once to the hand-made judge, give or take a little noise, so that
no two are alike. The dice and the noise of the play-out with a number are drawn from the same seed wherever it begins
(common random numbers): what differs between two positions is not luck.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, floor, log
from random import Random
from typing import Final

from cuberails.bots.search import Candidate, Search, SearchConfig, collector_paused
from cuberails.core.action import Action
from cuberails.core.playout import sample
from cuberails.core.state import CHANCE, State
from cuberails.titles import judge, shares_of

NOISE: Final = 0.003
"""The scale of the Gumbel noise on what an action promises, which is a chance to win."""
RANGE: Final = 0.8
"""The part of all outcomes that the range holds."""
BARS: Final = 8
"""At most so many bars show how the outcomes are spread."""
STEPS: Final = [step * 10**power for power in range(8) for step in (1, 2, 5)]
"""How wide bars can be."""


@dataclass(frozen=True)
class Expectation:
    """What one share pays from now to the end, at the end also what it counts then.

    By so many `plays`: the mean, the range from `low` to `high` that holds four in five, and how they are spread: for
    each bar from where to below where it goes and its share of all.
    """

    mean: float
    low: int
    high: int
    bars: list[tuple[int, int, float]]
    plays: int


def play_out(state: State, seed: str) -> dict[str, float]:
    """What one share of each name pays in a play-out to the end of the game."""
    shares, state = shares_of(state.board), state.copy()
    dice, noise = Random(f"dice {seed}"), Random(f"noise {seed}")
    search = Search(judge(state.title.key), SearchConfig(win_weight=1.0), noise)
    paid: dict[str, float] = {}
    with collector_paused():
        while state.legal_actions() and not state.too_long:
            if state.phase.actor == CHANCE:
                action = sample(state, dice)
            else:
                action = _best(search.candidates(state), state, noise)
            for payment in shares.paid_by(state, state.apply(action)):
                paid[payment.name] = paid.get(payment.name, 0.0) + payment.per_share
    for share in shares.shares(state):
        paid[share.name] = paid.get(share.name, 0.0) + shares.value(state, share.name)
    return paid


def _best(found: list[Candidate], state: State, noise: Random) -> Action:
    """What promises most to the seat to decide, give or take the noise."""
    seat = state.phase.actor
    return max(found, key=lambda each: each.reward[seat] - NOISE * log(-log(noise.random() or 0.5))).action


def expectation(outcomes: list[float]) -> Expectation:
    """What is to be expected, by what came out of some plays."""
    ordered, plays = sorted(outcomes), len(outcomes)
    tail = (1.0 - RANGE) / 2.0
    low, high = ordered[int(tail * plays)], ordered[plays - 1 - int(tail * plays)]
    return Expectation(sum(ordered) / plays, floor(low), ceil(high), bars(ordered), plays)


def bars(ordered: list[float]) -> list[tuple[int, int, float]]:
    """How these numbers are spread: bars of equal width from a round number on, the upper edge not included."""
    first, last = floor(ordered[0]), floor(ordered[-1])
    width = next(step for step in STEPS if last // step - first // step < BARS)
    edges = range(first // width * width, last + 1, width)
    return [(edge, edge + width, sum(edge <= each < edge + width for each in ordered) / len(ordered)) for edge in edges]
