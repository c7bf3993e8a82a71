"""Looks after the clocks of all tables: says that the server is alive, and seats bots where time is up.

One task in each process. Of several that find the same clock over only one can write that: (table, seq) is unique.
"""

from __future__ import annotations

import asyncio
import math
from contextlib import suppress

from cuberails.server.club.rest import Stop
from cuberails.server.club.time_store import alive, beating, due
from cuberails.server.club.timing import AHEAD, BEAT, LOST
from cuberails.server.refusal import Refused
from cuberails.server.store import LATE, NO, TIMEOUT
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.writer import WriteFailed

LEAST_OUTAGE = 0.5
"""A server that starts anew was away from its last sign of life on, if that is longer ago than so many seconds."""

AGAIN = 1.0
"""Seconds until it is tried again what has failed."""


class Timekeeper:
    """Signs of life every few seconds, a look at the deadlines in the database as often, and bots where time is up."""

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._store = tables.store
        self._timing = tables.store.timing
        self._heard_until = 0.0  # the outages up to then are known
        self._beat_at = -math.inf

    async def run(self) -> None:
        """From the start of the server to its end."""
        self._timing.confirmed = 0.0  # until the first sign of life no time runs
        while True:
            await self.look()
            await self._pause()

    async def look(self) -> None:
        """Do what is to be done now."""
        try:
            if self._timing.clock.now() >= self._beat_at + BEAT:
                await self._beat()
                await self._find_deadlines()
            for id in self._timing.take_due():
                await self._look_at(id)
        except WriteFailed:  # the writer has said why
            await asyncio.sleep(AGAIN)
        except Exception as error:  # whatever it is, clocks are looked after for as long as the server runs
            self._store.trouble.say("the clocks cannot be looked after", error)
            await asyncio.sleep(AGAIN)

    async def _pause(self) -> None:
        now = self._timing.clock.now()
        wait = max(0.0, min(self._beat_at + BEAT, self._timing.next_deadline()) - now)
        self._timing.sooner.clear()
        tasks = [
            asyncio.create_task(self._timing.clock.sleep(wait)),
            asyncio.create_task(self._timing.sooner.wait()),
        ]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in tasks:
                task.cancel()

    # Signs of life

    async def _beat(self) -> None:
        """Say that the server is alive, and since when it was not, if it was away."""
        now = self._timing.clock.now()
        seen, found = await asyncio.to_thread(alive, self._store.engine, self._heard_until)
        gap = LEAST_OUTAGE if self._timing.confirmed == 0.0 else LOST
        outage: Stop | None = (seen, now) if seen is not None and now - seen > gap else None
        await self._tables.writer.write(beating(now, outage))
        fresh = [*found, outage] if outage is not None else found
        self._timing.outages += fresh
        self._heard_until = max([self._heard_until, *(end for _, end in fresh)])
        self._timing.confirmed = self._beat_at = now
        if fresh:
            self._tables.wake_all()

    # Deadlines

    async def _find_deadlines(self) -> None:
        """Hold those in memory that are near: of tables that nobody visits, and of other processes."""
        now = self._timing.clock.now()
        for id, deadline in await asyncio.to_thread(due, self._store.engine, now + AHEAD):
            self._timing.add(id, deadline)

    async def _look_at(self, id: str) -> None:
        """Seat a bot at a table if time is up there; if something has moved the deadline, say so in the database."""
        with suppress(Refused):  # it cannot be read, or another process was quicker
            table = await self._tables.find(id)
            if not await time_out(table):
                await table.renew_deadline()
            await self._tables.driver.drive(table)


async def time_out(table: Table) -> bool:
    """A bot takes the seat whose time is up, if that is so; or a bot plays on that has waited for an answer."""
    async with table.lock:
        if not table.time.is_over:
            return False
        if table.history.pending_undo is not None and table.time.running < 0:
            await table.note(NO, LATE, table.history.pending_undo.seat, "")
            return True
        seat = table.time.running
        await table.note(TIMEOUT, table.time_control.level, seat, "")
        return True
