"""What one process knows of time: when the server was away, and which clocks are over soon."""

from __future__ import annotations

import asyncio
import math
from heapq import heappop, heappush

from cuberails.server.clock import Clock, Timestamp
from cuberails.server.club.rest import Stop

BEAT = 5.0
"""Seconds between two signs of life that the server writes."""

LOST = 15.0
"""After so many seconds without one the server was away, from the last sign until the next."""

AHEAD = 30.0
"""Deadlines that are nearer than so many seconds are held in memory; later ones wait in the database."""


class Timing:
    """The clock, the stretches of time when the server was away, and the deadlines that are near.

    No time runs beyond what signs of life confirm: a machine that slept for a night wakes with the clocks where they
    stood. Where nobody gives signs of life, as in tests of single tables, time just runs.
    """

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.outages: list[Stop] = []
        self.confirmed = math.inf
        """When the last sign of life was written."""
        self.sooner = asyncio.Event()
        """Set when a deadline was added."""
        self._near: list[tuple[Timestamp, str]] = []  # a heap

    def now(self) -> Timestamp:
        """The time for clocks at tables."""
        return min(self.clock.now(), self.confirmed + LOST)

    def add(self, table: str, deadline: Timestamp | None) -> None:
        """A clock is over at that time, unless something happens before."""
        if deadline is not None and deadline <= self.clock.now() + AHEAD:
            heappush(self._near, (deadline, table))
            self.sooner.set()

    def next_deadline(self) -> Timestamp:
        return self._near[0][0] if self._near else math.inf

    def take_due(self) -> list[str]:
        """The tables where a clock may be over now."""
        found: set[str] = set()
        while self._near and self._near[0][0] <= self.now():
            found.add(heappop(self._near)[1])
        return sorted(found)
