"""Judging a position: what a title's `judge.py` tells bots, with weights that self-play has fitted."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp, pow
from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.state import NOBODY, State


@mypyc_attr(allow_interpreted_subclasses=True)
class Judge:
    """What positions of a title are worth to each seat. Each title has its own, with weights from its `judge.toml`.

    `calm` and `doubt` say how much a lead tells about who will win: little while much is still to come.
    """

    def __init__(self, weights: Mapping[str, float]) -> None:
        self.calm: Final = weights["calm"]
        self.doubt: Final = weights["doubt"]

    def worth(self, state: State) -> list[float]:
        """For each seat the score it is likely to end with. An auction under way counts as won by the leader."""
        raise NotImplementedError

    def terms(self, state: State, seat: int) -> dict[str, float]:
        """What makes up the worth of a position for a seat, by names that a player understands."""
        raise NotImplementedError

    def chances(self, state: State) -> list[float]:
        """For each seat how likely it is to win."""
        return self.odds(state, self.worth(state))

    def assess(self, state: State) -> tuple[list[float], list[float]]:
        """The worth of a position and the chances in it, at once."""
        values = self.worth(state)
        return values, self.odds(state, values)

    def odds(self, state: State, values: list[float]) -> list[float]:
        """The chances in a position that is known to be worth this much to each seat."""
        if state.phase.actor == NOBODY:
            return state.win_shares()
        scale = self.spread(state, values)
        best = max(values)
        return softmax([(value - best) / scale for value in values])

    def spread(self, state: State, values: list[float]) -> float:
        """How many points a seat must be ahead of another to be e times as likely to win."""
        to_come = 0.0
        for value, score in zip(values, state.scores()):
            to_come += abs(value - score)
        return self.calm + self.doubt * to_come / len(values)


def sharpened(chances: list[float], sharpness: float) -> list[float]:
    """Chances raised to a power, and together 1 again: 1 leaves them as they are, less draws them together."""
    powers = [pow(chance, sharpness) for chance in chances]
    total = sum(powers)
    return [power / total for power in powers]


def softmax(logits: list[float]) -> list[float]:
    """Chances that are together 1, by how much speaks for each."""
    best = max(logits)
    weights = [exp(logit - best) for logit in logits]
    total = sum(weights)
    return [weight / total for weight in weights]
