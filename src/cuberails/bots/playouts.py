"""What shares will pay until the end, by quick play-outs of a position.

In a play-out every seat takes what brings it the largest share of all scores in the eyes of the hand-made judge, at
once or at the end of the turn, give or take a little noise, so that no two are alike. With the win as its only aim a
seat that cannot win any more would do anything, and ruin railroads that people would look after. The dice and the noise
of the play-out with a number are drawn from the same seed wherever it begins (common random numbers): what differs
between two positions is not luck.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, floor, log
from random import Random
from statistics import fmean
from typing import Final

from cuberails.bots.search import Candidate, Search, SearchConfig, collector_paused
from cuberails.core.action import Action
from cuberails.core.auction import Auction
from cuberails.core.playout import sample
from cuberails.core.share import Correction
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.titles import judge, shares_of

RANGE: Final = 0.8
"""The part of all outcomes that the range holds."""
BARS: Final = 8
"""At most so many bars show how the outcomes are spread."""
ROUNDING: Final = 1e-9
"""Sums that differ by no more are the same."""
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


@dataclass(frozen=True)
class PlayOut:
    """What one share of each name paid from the position to the end, and in how many payments."""

    paid: dict[str, float]
    payments: dict[str, int]


def play_out(state: State, seed: str) -> PlayOut:
    """A play-out of a position to the end of the game."""
    shares, state = shares_of(state.board), state.copy()
    dice, noise = Random(f"dice {seed}"), Random(f"noise {seed}")
    search = Search(judge(state.title.key), SearchConfig(win_weight=0.0), noise)
    paid: dict[str, float] = {}
    payments: dict[str, int] = {}
    last = NOBODY
    with collector_paused():
        while state.legal_actions() and not state.too_long:
            actor = state.phase.actor
            if actor == CHANCE:
                action = sample(state, dice)
            else:
                begins = shares.correction.whole_turns and actor != last and not isinstance(state.phase, Auction)
                action = _best(search.candidates(state, begins), actor, shares.correction.noise, noise)
            last = actor
            for payment in shares.paid_by(state, state.apply(action)):
                paid[payment.name] = paid.get(payment.name, 0.0) + payment.per_share
                payments[payment.name] = payments.get(payment.name, 0) + 1
    for share in shares.shares(state):
        paid[share.name] = paid.get(share.name, 0.0) + shares.value(state, share.name)
    return PlayOut(paid, payments)


def _best(found: list[Candidate], seat: int, scale: float, noise: Random) -> Action:
    """What promises most to a seat, give or take the noise."""
    return max(found, key=lambda each: each.reward[seat] - scale * log(-log(noise.random() or 0.5))).action


def expected(state: State, name: str, plays: Sequence[PlayOut]) -> Expectation:
    """What one share of this name pays from a position to the end, by these play-outs of it."""
    outcomes = [play.paid.get(name, 0.0) for play in plays]
    return expectation(outcomes, unchanged(state, name, plays), shares_of(state.board).correction)


def unchanged(state: State, name: str, plays: Sequence[PlayOut]) -> float:
    """What one share would pay in as many payments if everything stayed as it is in the position."""
    shares = shares_of(state.board)
    return fmean(shares.unchanged(state, name, play.payments.get(name, 0)) for play in plays)


def expectation(outcomes: Sequence[float], steady: float, correction: Correction) -> Expectation:
    """What is to be expected by these outcomes of play-outs, where a share would pay `steady` if nothing changed.

    Play-outs change too much or too little, and differ too little from one another: that is corrected, but nothing is
    where all of them agree, or where nothing can change any more.
    """
    mean, plays = fmean(outcomes), len(outcomes)
    growth = correction.growth if max(outcomes) > min(outcomes) else 1.0
    middle = max(0.0, steady + growth * (mean - steady))
    spread = sorted(max(0.0, middle + correction.width * (each - mean)) for each in outcomes)
    low, high = quantile(spread, (1.0 - RANGE) / 2.0), quantile(spread, (1.0 + RANGE) / 2.0)
    return Expectation(middle, floor(low + ROUNDING), ceil(high - ROUNDING), bars(spread), plays)


def quantile(ordered: Sequence[float], part: float) -> float:
    """The number below which so large a part is to be expected, between two of these where need be."""
    place = min(max(part * (len(ordered) + 1) - 1.0, 0.0), len(ordered) - 1.0)
    n = min(int(place), len(ordered) - 2) if len(ordered) > 1 else 0
    upper = ordered[min(n + 1, len(ordered) - 1)]
    return ordered[n] + (place - n) * (upper - ordered[n])


def bars(ordered: list[float]) -> list[tuple[int, int, float]]:
    """How these numbers are spread: bars of equal width from a round number on, the upper edge not included."""
    ordered = [each + ROUNDING for each in ordered]
    first, last = floor(ordered[0]), floor(ordered[-1])
    width = next(step for step in STEPS if last // step - first // step < BARS)
    edges = range(first // width * width, last + 1, width)
    return [(edge, edge + width, sum(edge <= each < edge + width for each in ordered) / len(ordered)) for edge in edges]
