"""The time as the server reads it. Tests give it another clock, so that nobody waits."""

from __future__ import annotations

import asyncio
import datetime as dt
import time

Timestamp = float
"""Seconds since 1970 (UTC)."""


class Clock:
    """The clock of the machine."""

    def now(self) -> Timestamp:
        """To the microsecond, as the database keeps it: what is read again is what was noted."""
        return time.time_ns() // 1000 / 1_000_000

    async def sleep(self, seconds: float) -> None:
        """Returns when this clock has moved on by so many seconds."""
        await asyncio.sleep(seconds)


def stored_time(at: Timestamp) -> dt.datetime:
    """A time as the database has it: UTC, without saying so."""
    return dt.datetime.fromtimestamp(at, dt.UTC).replace(tzinfo=None)


def timestamp(stored: dt.datetime) -> Timestamp:
    return stored.replace(tzinfo=dt.UTC).timestamp()
