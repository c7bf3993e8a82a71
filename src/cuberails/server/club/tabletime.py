"""The time of one table: its clocks with what stops them, and how much of it an entry takes."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from copy import copy

from cuberails.core.state import CHANCE
from cuberails.server.clock import Timestamp, timestamp
from cuberails.server.club.clocks import CORRESPONDENCE, SeatClocks
from cuberails.server.club.rest import Rests, Stop, deadline, merged, running_time, stops_of
from cuberails.server.club.timing import Timing
from cuberails.server.store import ACT, ASK, NAME, REDO, SEAT, TIMEOUT, UNDO, YES, Entry

Claims = Callable[[], Mapping[tuple[int, str], dt.datetime | None]]
"""Asked again each time: a guest can become somebody with an account."""


class TableTime:
    """The clocks of a table by its log, and what is beside the log: who has come, who rests, when the server was away.

    `rests` are the quiet hours and holidays of who plays a seat. Time begins to run when every seat has its player.
    """

    def __init__(self, clocks: SeatClocks, claims: Claims, timing: Timing) -> None:
        self.clocks = clocks
        self.timing = timing
        self.rests: dict[int, Rests] = {}
        self._claims = claims
        self._course: list[tuple[int, ...]] = []

    def __bool__(self) -> bool:
        """Whether time matters at this table."""
        return bool(self.clocks.control.kind)

    # What runs

    @property
    def running(self) -> int:
        """The seat whose clock runs, be it stopped for a while or not; -1 if none does."""
        return self.clocks.runs if self._start is not None else -1

    @property
    def since(self) -> Timestamp:
        """Since when what is left has been running."""
        return max(self.clocks.since, self._start or 0.0)

    @property
    def _start(self) -> Timestamp | None:
        """When time began to run; None if somebody has not come yet."""
        if self.clocks.began:
            return 0.0
        came: dict[int, Timestamp] = {}
        for (seat, _), at in self._claims().items():
            came[seat] = min(came.get(seat, float("inf")), timestamp(at) if at else 0.0)
        waited = [came.get(seat) for seat, bot in enumerate(self.clocks.bots) if not bot]
        return None if None in waited else max((at for at in waited if at), default=0.0)

    @property
    def began(self) -> bool:
        """Whether everybody has come, so that time can run."""
        return self._start is not None

    def stops(self, start: Timestamp, end: Timestamp) -> list[Stop]:
        """When the clock that runs stands still between two moments."""
        found = list(self.timing.outages)
        if self.clocks.asked_at is not None:
            found.append((self.clocks.since, self.clocks.since + self.clocks.wait_left))
        if self.clocks.control.kind == CORRESPONDENCE:
            found += stops_of(self.rests.get(self.clocks.runs, ()), start, end)
        return [stop for stop in merged(found) if stop[1] > start and stop[0] < end]

    @property
    def deadline(self) -> Timestamp | None:
        """When the clock that runs is over; where a bot is to decide, when it is no longer waited for an answer."""
        if self.running < 0:
            waits = self.clocks.bot_waits
            return deadline(self.clocks.since, self.clocks.wait_left, lambda *_: self.timing.outages) if waits else None
        return deadline(self.since, self.clocks.left[self.running], self.stops)

    @property
    def is_over(self) -> bool:
        """Whether the time of the seat to decide is up, or that of an answer for which a bot waits."""
        end = self.deadline
        return end is not None and end <= self.timing.now()

    # Entries

    def stamp(self, entries: Sequence[Entry]) -> None:
        """Say of new entries when they are made, and how much the first took of the clock that runs."""
        now = self.timing.clock.now()
        at = max(now, self.clocks.since) if self else now
        for entry in entries:
            entry.at = at
        if self.running >= 0:
            end = max(self.since, min(at, self.timing.now()))
            entries[0].spent = running_time(self.since, end, self.stops(self.since, end))

    def deadline_after(self, entries: Sequence[Entry], actor: int) -> Timestamp | None:
        """When the clock is over that runs after these entries, if `actor` decides then."""
        return self.after(entries, actor).deadline if self else None

    def after(self, entries: Sequence[Entry], actor: int) -> TableTime:
        """The time of this table after these entries, if `actor` decides then."""
        found = copy(self)
        found.clocks, found._course = self.clocks.copy(), []
        for n, entry in enumerate(entries, 1):
            found.follow(entry, actor if n == len(entries) else CHANCE)
        return found

    def follow(self, entry: Entry, actor: int) -> None:
        """Take over an entry, after which `actor` decides."""
        if not self:
            return
        clocks, at, spent = self.clocks, entry.at, entry.spent
        if entry.kind == ACT:
            clocks.acted(entry.seat, actor, at, spent, entry.ordered)
        elif entry.kind in (UNDO, REDO):
            clocks.went(entry.seat, actor, at, spent)
        elif entry.kind in (SEAT, TIMEOUT):
            clocks.seated(entry.seat, bool(entry.text), at, spent, in_time=entry.kind == SEAT)
        elif entry.kind == ASK:
            clocks.asked(at, spent)
        else:
            clocks.noted(at, spent, answered=entry.kind not in (NAME, YES))
        self._course.append(tuple(int(left) for left in clocks.left))

    def left_after(self, seq: int) -> list[int]:
        """What each seat had left after an entry of the log; at the start, for numbers below 1."""
        return list(self._course[seq - 1]) if seq > 0 else [self.clocks.control.bank] * len(self.clocks.bots)
