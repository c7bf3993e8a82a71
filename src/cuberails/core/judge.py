"""Judging a position: what a title's `judge.py` tells bots, with weights that self-play has fitted."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
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

    def odds(self, state: State, values: list[float]) -> list[float]:
        """The same for a position that is known to be worth this much to each seat."""
        if state.phase.actor == NOBODY:
            return state.win_shares()
        to_come = 0.0
        for value, score in zip(values, state.scores()):
            to_come += abs(value - score)
        scale = self.calm + self.doubt * to_come / len(values)
        best = max(values)
        weights = [exp((value - best) / scale) for value in values]
        total = sum(weights)
        return [weight / total for weight in weights]
