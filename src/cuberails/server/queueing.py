"""The queue of questions to bots: by priority (people who wait come first), and in fair turns between persons."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

PEOPLE, WATCHED, UNWATCHED, ADVICE, STUDY = range(5)
"""How urgent a question is: people play and watch; only bots play but somebody watches; nobody watches; a hint; what
a position is worth."""

PATIENCE = 20.0
"""A question that has waited for this number of seconds is one degree more urgent, so that none starves (aging)."""

MOST_PERSONS = 10_000
"""Of how many persons the time of their last turn is kept."""

Item = TypeVar("Item")


@dataclass(frozen=True)
class Asker:
    """For whom a bot thinks. The urgency is asked for when a place is free: somebody may have come, or gone."""

    person: str = ""
    urgency: Callable[[], int] = lambda: PEOPLE


@dataclass(frozen=True, eq=False)
class _Waiting(Generic[Item]):
    item: Item
    asker: Asker
    since: float


class FairQueue(Generic[Item]):
    """Gives out the most urgent item; among equals, that of the person whose last turn is longest ago (round robin)."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._waiting: list[_Waiting[Item]] = []
        self._turns: OrderedDict[str, int] = OrderedDict()
        self._turn = 0

    def __len__(self) -> int:
        return len(self._waiting)

    def put(self, item: Item, asker: Asker, since: float | None = None) -> None:
        """Add an item; one that is put back has waited `since` it was put in first."""
        self._waiting.append(_Waiting(item, asker, self._clock() if since is None else since))

    def discard(self, item: Item) -> bool:
        """Take an item out that nobody wants any more; False if it does not wait here."""
        before = len(self._waiting)
        self._waiting = [waiting for waiting in self._waiting if waiting.item is not item]
        return len(self._waiting) < before

    def is_held_up(self, asker: Asker, since: float) -> bool:
        """Whether people wait for something here that is more urgent than what was asked at that time."""
        now = self._clock()
        degree = _degree(asker, since, now)
        degrees = [_degree(waiting.asker, waiting.since, now) for waiting in self._waiting]
        return any(each < degree and each != UNWATCHED for each in degrees)

    def take(self) -> Item:
        """The next item; there must be one."""
        now = self._clock()
        chosen = min(self._waiting, key=lambda waiting: self._rank(waiting, now))
        self._waiting.remove(chosen)
        self._note_turn(chosen.asker.person)
        return chosen.item

    def _rank(self, waiting: _Waiting[Item], now: float) -> tuple[float, int, float]:
        urgency = _degree(waiting.asker, waiting.since, now)
        return urgency, self._turns.get(waiting.asker.person, 0), waiting.since

    def _note_turn(self, person: str) -> None:
        self._turn += 1
        self._turns[person] = self._turn
        self._turns.move_to_end(person)
        if len(self._turns) > MOST_PERSONS:
            self._turns.popitem(last=False)


def _degree(asker: Asker, since: float, now: float) -> float:
    """How urgent something is that has waited since then: the lower, the more urgent."""
    return max(PEOPLE, asker.urgency() - (now - since) // PATIENCE)
