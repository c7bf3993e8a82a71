"""The queue of questions to bots: by priority (people who wait come first), and in fair turns between persons."""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

PEOPLE, WATCHED, UNWATCHED, ADVICE = range(4)
"""How urgent a question is: people play and watch; only bots play but somebody watches; nobody watches; a hint."""

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

    def put(self, item: Item, asker: Asker) -> None:
        self._waiting.append(_Waiting(item, asker, self._clock()))

    def take(self) -> Item:
        """The next item; there must be one."""
        now = self._clock()
        chosen = min(self._waiting, key=lambda waiting: self._rank(waiting, now))
        self._waiting.remove(chosen)
        self._note_turn(chosen.asker.person)
        return chosen.item

    def _rank(self, waiting: _Waiting[Item], now: float) -> tuple[float, int, float]:
        degrees = (now - waiting.since) // PATIENCE
        urgency = max(PEOPLE, waiting.asker.urgency() - degrees)
        return urgency, self._turns.get(waiting.asker.person, 0), waiting.since

    def _note_turn(self, person: str) -> None:
        self._turn += 1
        self._turns[person] = self._turn
        self._turns.move_to_end(person)
        if len(self._turns) > MOST_PERSONS:
            self._turns.popitem(last=False)
