"""The caller: takes calls from the outbox and delivers them, again and again until they have arrived or make no sense.

A way that fails is left alone for longer and longer (exponential back-off), with all that waits for it: whoever hangs
costs others nothing. A call that is no longer true when its time comes is withdrawn, and so is one whose person looks
at the table. Each arrives at least once: a process that is killed after it has sent one, and before that is stored,
leaves it to be sent again, with the same id.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import NamedTuple

from sqlalchemy.exc import DatabaseError

from cuberails.server.club import outbox
from cuberails.server.club.calls import INVITED
from cuberails.server.club.messages import Message, invitation, message
from cuberails.server.club.open_tables import OpenTable, not_open, read_open_table
from cuberails.server.club.outbox import LEASE, MAIL, PUSH, Call, Outbox, Way
from cuberails.server.club.waiting import waiting_for
from cuberails.server.connections import Statement, Write
from cuberails.server.store import now
from cuberails.server.tables import Tables
from cuberails.server.writer import WriteFailed

POLL = 1.0
"""Seconds between two looks at the outbox."""

LAST_LOOK = dt.timedelta(seconds=5)
"""Whoever looks at the table within so long before a call is due is not called. Earlier does not count: who has moved
and put the phone away still seems to look for nine seconds (HIDDEN in stream.js, GRACE in presence.py), and may miss
that it is their turn again."""

CONCURRENT = 8
"""So many ways are delivered to at once, and one call at a time to each."""

FOR_FAILED = 4
"""So many of them may be ways that have failed: those that hang leave places for the others."""

FIRST_DELAY = dt.timedelta(seconds=30)
MOST_DELAY = dt.timedelta(hours=6)
GROWTH = 4
"""After a failure a way is left alone for the first delay, after each further one in a row for so many times that."""

MOST_FAILURES = 12
"""After so many failures in a row, about a day and a half, a way is not used any more until its person says so."""

MAIL_PAUSE = dt.timedelta(minutes=5)
"""So long after a mail what happens meanwhile is told together in the next one."""

DAY = dt.timedelta(days=1)

SENT, LATER, REFUSED, GONE = "sent", "later", "refused", "gone"

_log = logging.getLogger(__name__)


class Outcome(NamedTuple):
    """What became of a message: it was SENT; it may be sent LATER; it was REFUSED, as it would be again; the receiver
    is GONE. `trouble` says why, `wait` how many seconds the receiver wants to be left alone."""

    result: str
    trouble: str = ""
    wait: float = 0


Send = Callable[[Way, Sequence[Message]], Awaitable[Outcome]]


class Caller:
    """Delivers the calls of all tables by way of `send`."""

    def __init__(self, tables: Tables, send: Send, clock: Callable[[], dt.datetime] = now) -> None:
        self.outbox = Outbox(tables.store)
        self._tables = tables
        self._send = send
        self._clock = clock
        self._busy: dict[str, asyncio.Task[None]] = {}
        self._tried_again: set[str] = set()
        self._worker: asyncio.Task[None] | None = None

    def start(self) -> None:
        self._worker = asyncio.create_task(self._run())

    async def close(self) -> None:
        tasks = [*self._busy.values(), *([self._worker] if self._worker else [])]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _run(self) -> None:
        while True:
            more = False
            try:
                more = await self.round()
            except (DatabaseError, WriteFailed):
                pass  # others say so, and the calls are still there
            except Exception:
                _log.exception("the outbox cannot be delivered")
            await asyncio.sleep(0 if more else POLL)

    async def settled(self) -> None:
        """Wait until nothing is being delivered."""
        await asyncio.gather(*self._busy.values())

    async def round(self) -> bool:
        """Withdraw the calls of those who look, and begin to deliver those that are due; False if there were none."""
        time = self._clock()
        waiting = await asyncio.to_thread(self.outbox.waiting, time + LAST_LOOK)
        seen = [call for call in waiting if self._is_looking(call)]
        due = [call for call in waiting if call.due <= time and call not in seen and call.way.id not in self._busy]
        early = await self._early(due, time)
        taken = self._admitted(_by_way([call for call in due if call not in early]))
        lease = outbox.new_lease()
        changes = outbox.finishing(seen) if seen else []
        changes += [change for call, then in early.items() for change in outbox.postponing([call], then)]
        if taken:
            changes += outbox.leasing([call for calls in taken for call in calls], lease, time + LEASE)
        if not changes:
            return False
        await self._write(changes)
        leased = await asyncio.to_thread(self.outbox.leased, lease) if taken else []
        for calls in _by_way(leased):
            way = calls[0].way
            self._busy[way.id] = task = asyncio.create_task(self._deliver(way, calls))
            self._tried_again.update([way.id] if way.failures else [])
            task.add_done_callback(partial(self._delivered, way.id))
        return True

    async def _early(self, calls: Sequence[Call], time: dt.datetime) -> dict[Call, dt.datetime]:
        """Those of these calls that come too early, and when they are due: with the others of their day, if their
        person wants that, or after the quiet hours and holidays of that person."""
        digests = {call: _next_digest(call.way, call.due) for call in calls if call.way.digest_hour >= 0}
        others = [call for call in calls if call not in digests]
        resting = await asyncio.to_thread(self.outbox.resting, others, time) if others else {}
        return {call: due for call, due in digests.items() if due > time} | resting

    def _delivered(self, id: str, _: asyncio.Task[None]) -> None:
        del self._busy[id]
        self._tried_again.discard(id)

    def _admitted(self, ways: Sequence[list[Call]]) -> list[list[Call]]:
        """For which of these ways, with their calls, there are places now."""
        failed = [calls for calls in ways if calls[0].way.failures]
        others = [calls for calls in ways if not calls[0].way.failures]
        again = failed[: max(0, FOR_FAILED - len(self._tried_again))]
        return [*others, *again][: max(0, CONCURRENT - len(self._busy))]

    def _is_looking(self, call: Call) -> bool:
        """Whether the person has the table before their eyes, at this process."""
        return self._tables.is_followed_by(call.table, call.way.person)

    async def _deliver(self, way: Way, calls: list[Call]) -> None:
        """Deliver calls by one way, and note what became of them; if that fails, they are due again after the lease."""
        try:
            messages = await asyncio.to_thread(self._messages, calls)
            pointless = [call for call in calls if call not in messages]
            outcome = await self._send(way, list(messages.values())) if messages else None
            changes = outbox.finishing(pointless) if pointless else []
            await self._write(changes + (self._follow(way, list(messages), outcome) if outcome else []))
        except (DatabaseError, WriteFailed):
            pass  # others say so
        except Exception as error:  # its words may hold an address
            _log.error("way %s: a call cannot be delivered: %s", way.id, type(error).__name__)
            await self._write(outbox.failing(way, self._clock() + _delay(way), "it failed here; the host can see why"))

    def _messages(self, calls: list[Call]) -> dict[Call, Message]:
        """What is to be said, of that which still holds."""
        found: dict[Call, Message] = {}
        waiting = len(waiting_for(self._tables.store, calls[0].way.person))
        for call in calls:
            table = self._tables.store.table(call.table)
            if table is not None and self.outbox.still_holds(call, table):
                found[call] = message(call, table, waiting)
            elif table is None and (open_table := self._invited_to(call)):
                found[call] = invitation(call, open_table, waiting)
        return found

    def _invited_to(self, call: Call) -> OpenTable | None:
        """The table that waits for its players, if a call is about that and still holds."""
        found = read_open_table(self._tables.store, call.table) if call.kind == INVITED else None
        if found is None or not_open(found) or found.seats_of(call.way.person):
            return None
        return found if call.way.person in found.invited else None

    def _follow(self, way: Way, calls: list[Call], outcome: Outcome) -> list[Statement]:
        """What is written after calls were sent, or were not."""
        if outcome.result == SENT:
            pause = self._clock() + MAIL_PAUSE if way.kind == MAIL else None
            return [*outbox.finishing(calls), *outbox.noting_sent(calls), *outbox.succeeding(way, pause)]
        if outcome.result == GONE and way.kind == PUSH:
            return outbox.removing([way.id])
        here = way.kind == MAIL and outcome.result == LATER  # the host's own mail server, which is mended some day
        if outcome.result == GONE or (way.failures + 1 >= MOST_FAILURES and not here):
            return outbox.stopping(way, outcome.trouble)
        delay = max(_delay(way), min(MOST_DELAY, dt.timedelta(seconds=outcome.wait)))
        again = self._clock() + delay
        later = _next_digest(way, again) - DAY if way.digest_hour >= 0 else again
        what = outbox.postponing(calls, later) if outcome.result == LATER else outbox.finishing(calls)
        return [*what, *outbox.failing(way, again, outcome.trouble)]

    async def _write(self, statements: list[Statement]) -> None:
        if statements:
            await self._tables.writer.write(Write("", statements))

    # For the people concerned

    async def try_out(self, way: Way, test: Message) -> Outcome:
        """Send a test; a way that was stopped is used again if it arrives."""
        outcome = await self._send(way, [test])
        if outcome.result == SENT:
            await self._write(outbox.succeeding(way))
        elif outcome.result == GONE and way.kind == PUSH:
            await self._write(outbox.removing([way.id]))
        return outcome


def _by_way(calls: list[Call]) -> list[list[Call]]:
    """What is delivered next by each way: the oldest call, or by mail all at once."""
    found: dict[str, list[Call]] = {}
    for call in calls:
        together = found.setdefault(call.way.id, [])
        if not together or call.way.kind == MAIL:
            together.append(call)
    return list(found.values())


def _next_digest(way: Way, time: dt.datetime) -> dt.datetime:
    """When the calls of a day are told together, at this time or after it."""
    today = time.replace(hour=way.digest_hour, minute=0, second=0, microsecond=0)
    return today if today >= time else today + DAY


def _delay(way: Way) -> dt.timedelta:
    """How long a way is left alone that fails once more."""
    return min(MOST_DELAY, FIRST_DELAY * int(GROWTH ** min(way.failures, 10)))
