"""Habits: what a game shows of the style of those who played it, as named figures.

Someone who watches a game sees every action with what it brought about, and tells at the end what there was to see.
What every title has is watched by `lab`; what only one has, by its own room `habits.py`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Event
from cuberails.core.state import State
from cuberails.core.value import Value

# What habits are about
ENDINGS: Final = "Endings"
LENGTH: Final = "Length and scores"
IDLE_MONEY: Final = "Idle money"
UNUSED: Final = "Unused railroads"
OPENINGS: Final = "Openings"
PRICES: Final = "Prices"
WASTE: Final = "Doing nothing and taking back"
AIMS: Final = "Aims and gains"


@dataclass
class Habit(Value):
    """One figure; `topic` says what it is about, `what` says in words what was counted."""

    topic: str
    what: str

    def merge(self, other: Habit) -> None:
        """Take in the same habit of a further game."""
        raise NotImplementedError


@dataclass
class Frequency(Habit):
    """How often something happened, of so many times that it could have."""

    times: int = 0
    of: int = 0

    def count(self, happened: bool, times: int = 1) -> None:
        self.of += times
        if happened:
            self.times += times

    def merge(self, other: Habit) -> None:
        assert isinstance(other, Frequency)
        self.times += other.times
        self.of += other.of


@dataclass
class Amounts(Habit):
    """Numbers that were seen: prices, money left over; `unit` stands before each."""

    unit: str = ""
    seen: list[int] = field(default_factory=list)

    def add(self, amount: int) -> None:
        self.seen.append(amount)

    def merge(self, other: Habit) -> None:
        assert isinstance(other, Amounts)
        self.seen += other.seen


@dataclass
class Tally(Habit):
    """Which things happened, by their names, in how many games; `possible` are all that can, if that is known."""

    possible: list[str] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    games: int = 1

    def add(self, name: str) -> None:
        self.seen.append(name)

    def merge(self, other: Habit) -> None:
        assert isinstance(other, Tally)
        self.seen += other.seen
        self.games += other.games


@mypyc_attr(allow_interpreted_subclasses=True)
class Habits:
    """Watches one game. A title's own room is a subclass; one object sees one game."""

    def __init__(self, first: State) -> None:
        """The game begins in this position."""

    def endings(self, board: Board) -> list[str]:
        """Every reason for which a game can end on this board, as `Ended.why` words it; none if nobody has said."""
        return []

    def never_build(self, board: Board) -> list[str]:
        """The railroads and companies that build no track by the rules, as scenes name them."""
        return []

    def see(self, before: State, action: Action, events: Sequence[Event], after: State) -> None:
        """An action was carried out; forced steps after it are among the events, without saying that they were."""

    def found(self, last: State) -> list[Habit]:
        """The game has come to this position and is over: what there was to see, in an order that suits a reader."""
        return []
