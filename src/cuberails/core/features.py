"""What a learner sees of a position: named numbers of fixed size, the same for every number of players."""

from __future__ import annotations

from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.state import State


@mypyc_attr(allow_interpreted_subclasses=True)
class Features:
    """The features of positions on one board; each title has its own, in its room `features.py`.

    A row of features is a position seen from a seat: first the `shared` features, which are alike for all seats, then
    what is the seat's own and how the others stand beside it, in the order from its left or pooled. All are about
    -1 … 1, and only what a player can know is among them. The leader of an auction counts as having bought.
    """

    def __init__(self, shared: list[str], own: list[str]) -> None:
        self.names: Final = shared + own
        self.shared: Final = len(shared)

    def rows(self, state: State) -> list[list[float]]:
        """A row for each seat, with a number for each of the `names`."""
        raise NotImplementedError


def best_of_others(values: list[float], seat: int) -> float:
    """The highest of these numbers, one for each seat, but the seat's own."""
    best, found = 0.0, False
    for other, value in enumerate(values):
        if other != seat and (value > best or not found):
            best, found = value, True
    return best


def mean_of_others(values: list[float], seat: int) -> float:
    """The mean of these numbers, one for each seat, but the seat's own."""
    return (sum(values) - values[seat]) / (len(values) - 1)


def best_first(values: list[float]) -> list[int]:
    """The places of these numbers in their list, that of the highest first; equal ones keep their order."""
    found: list[int] = []
    for place, value in enumerate(values):
        at = len(found)
        while at and values[found[at - 1]] < value:
            at -= 1
        found.insert(at, place)
    return found
