"""When the time of a person does not run: quiet hours and holidays, in the person's own time zone.

A *stop* is a stretch of time in which a clock stands still. All of this is arithmetic on them: nothing here reads a
clock or the database.
"""

from __future__ import annotations

import datetime as dt
import json
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from zoneinfo import ZoneInfo

from cuberails.server.clock import Timestamp

Stop = tuple[Timestamp, Timestamp]
"""From when until when a clock stands still."""

DAY = 86_400
MINUTES_A_DAY = 24 * 60

MOST_QUIET = 12 * 60
"""The longest quiet hours, in minutes a day: time must run in half of it at least, or others would wait for ever."""

MOST_HOLIDAYS = 60
"""So many days of holidays can be taken within a year of today, before and after it together."""

_WINDOW = 60 * DAY
"""How far ahead stops are looked for at once."""


# Stops


def merged(stops: Iterable[Stop]) -> list[Stop]:
    """The same stretches in order, without overlaps and empty ones."""
    found: list[Stop] = []
    for start, end in sorted(stops):
        if found and start <= found[-1][1]:
            found[-1] = found[-1][0], max(found[-1][1], end)
        elif start < end:
            found.append((start, end))
    return found


def clipped(stops: Iterable[Stop], start: Timestamp, end: Timestamp) -> list[Stop]:
    """What of these stretches lies between two moments."""
    return [(max(a, start), min(b, end)) for a, b in stops if max(a, start) < min(b, end)]


def running_time(start: Timestamp, end: Timestamp, stops: Iterable[Stop]) -> float:
    """Seconds between two moments without those in the stops."""
    return max(0.0, end - start - sum(b - a for a, b in merged(clipped(stops, start, end))))


def deadline(start: Timestamp, left: float, stops_between: Callable[[Timestamp, Timestamp], list[Stop]]) -> Timestamp:
    """When so many seconds are over that begin to run at `start`."""
    while True:
        for begin, end in stops_between(start, start + _WINDOW):
            if left <= begin - start:
                return start + left
            left -= max(0.0, begin - start)
            start = end
        if left <= _WINDOW:
            return start + left
        left -= _WINDOW
        start += _WINDOW


# What a person sets


@dataclass(frozen=True)
class Rest:
    """The quiet hours of each day, as minutes since midnight (none if both are the same), and holidays, first and last
    day; in a time zone by its name in the IANA database."""

    zone: str = "UTC"
    quiet_from: int = 0
    quiet_to: int = 0
    holidays: tuple[tuple[dt.date, dt.date], ...] = ()

    @property
    def quiet_minutes(self) -> int:
        return (self.quiet_to - self.quiet_from) % MINUTES_A_DAY

    def stops(self, start: Timestamp, end: Timestamp) -> list[Stop]:
        """When time does not run between two moments."""
        zone = known_zone(self.zone)
        found = [(_moment(zone, a, 0), _moment(zone, b + dt.timedelta(1), 0)) for a, b in self.holidays]
        if self.quiet_minutes:
            late = 1 if self.quiet_to <= self.quiet_from else 0  # they end on the day after
            for day in _days(zone, start, end):
                until = _moment(zone, day + dt.timedelta(late), self.quiet_to)
                found.append((_moment(zone, day, self.quiet_from), until))
        return merged(clipped(found, start, end))

    def days_off(self, first: dt.date, last: dt.date) -> set[dt.date]:
        """The holidays between two days."""
        return {day for a, b in self.holidays for day in _every_day(max(a, first), min(b, last))}

    def text(self) -> str:
        """As it is stored."""
        days = [[a.isoformat(), b.isoformat()] for a, b in self.holidays]
        return json.dumps({"zone": self.zone, "quiet": [self.quiet_from, self.quiet_to], "holidays": days})


def read_rest(text: str) -> Rest:
    """What `Rest.text` has written."""
    found = json.loads(text)
    days = [(dt.date.fromisoformat(a), dt.date.fromisoformat(b)) for a, b in found["holidays"]]
    start, end = found["quiet"]
    return Rest(found["zone"], start, end, tuple(days))


def known_zone(name: str) -> dt.tzinfo:
    """A time zone by its name; UTC where it is not known any more."""
    try:
        return ZoneInfo(name)
    except (LookupError, OSError, ValueError):
        return dt.UTC


def _moment(zone: dt.tzinfo, day: dt.date, minutes: int) -> Timestamp:
    """When a clock on the wall there shows this; the first time, if the end of summer time shows it twice."""
    wall = dt.datetime.combine(day, dt.time(minutes // 60, minutes % 60), zone)
    return wall.timestamp()


def _days(zone: dt.tzinfo, start: Timestamp, end: Timestamp) -> list[dt.date]:
    """The days there that two moments and what lies between are of, and the day before: its night may last."""
    first = dt.datetime.fromtimestamp(start, zone).date() - dt.timedelta(1)
    return _every_day(first, dt.datetime.fromtimestamp(end, zone).date())


def _every_day(first: dt.date, last: dt.date) -> list[dt.date]:
    return [first + dt.timedelta(n) for n in range((last - first).days + 1)]


# What a person has set over time


Rests = Sequence[tuple[Timestamp, Rest]]
"""What a person set, and since when each holds: a change never concerns the time before it."""


def stops_of(rests: Rests, start: Timestamp, end: Timestamp) -> list[Stop]:
    """When a person's time does not run between two moments, by what was set at each of them."""
    found: list[Stop] = []
    for n, (since, rest) in enumerate(rests):
        until = rests[n + 1][0] if n + 1 < len(rests) else end
        if max(since, start) < min(until, end):
            found += rest.stops(max(since, start), min(until, end))
    return merged(found)


def rests_until(rests: Rests, now: Timestamp) -> Timestamp | None:
    """When the quiet hours or holidays end in which a person is now; None if it is neither."""
    return next((end for start, end in stops_of(rests, now, now + _WINDOW) if start <= now), None)


def at_present(rests: Rests, now: Timestamp) -> Rest:
    """What holds now; nothing is set if nothing was."""
    n = bisect_right([since for since, _ in rests], now)
    return rests[n - 1][1] if n else Rest()


def most_quiet(rests: Rests, fresh: Rest, now: Timestamp) -> float:
    """The most seconds of quiet hours within any 24 hours around now, if somebody sets `fresh` now: who changes them
    again and again could have them all day."""
    every = [(since, replace(rest, holidays=())) for since, rest in [*rests, (now, fresh)]]
    stops = stops_of(every, now - DAY, now + DAY)
    starts = {min(now, max(now - DAY, start)) for a, b in stops for start in (a, b - DAY)}
    return max((sum(b - a for a, b in clipped(stops, start, start + DAY)) for start in starts), default=0.0)


def holidays_taken(rests: Rests, fresh: Rest, now: Timestamp) -> int:
    """How many days off somebody has within a year of now, before and after it, who sets `fresh` now."""
    every = [*rests, (now, fresh)]
    found: set[dt.date] = set()
    for (since, rest), (until, _) in zip(every, [*every[1:], (now + 365 * DAY, fresh)]):
        zone = known_zone(rest.zone)
        first, last = (dt.datetime.fromtimestamp(max(at, now - 365 * DAY), zone).date() for at in (since, until))
        found |= rest.days_off(first, last)
    return len(found)
