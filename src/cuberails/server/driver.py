"""Bots, dice and standing orders at the tables decide where it is up to them, and the strongest bot gives hints."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from contextlib import suppress

from sqlalchemy.exc import DatabaseError

from cuberails.bots import STRONGEST, Idea
from cuberails.server.acceptance import play, roll
from cuberails.server.club.orders import carry_out
from cuberails.server.connections import Locks
from cuberails.server.lessons import next_action
from cuberails.server.queueing import ADVICE, PEOPLE, UNWATCHED, WATCHED, Asker
from cuberails.server.refusal import Refused
from cuberails.server.table import Pondering, Table
from cuberails.server.thinking import Thinkers
from cuberails.server.writer import WriteFailed

RETRY_AFTER = 2.0
"""Seconds until a bot's action is tried again that could not be written."""

RETRY_UNSEEN = 30.0
"""Seconds until it is looked after bots of another process at a table that nobody follows."""

_log = logging.getLogger(__name__)


class Driver:
    """Asks bots whenever it is up to them. `pace` is the pause in seconds between the actions of bots
    at a table where nobody else plays."""

    def __init__(self, thinkers: Thinkers, pace: float, locks: Locks) -> None:
        self.thinkers = thinkers
        self._locks = locks
        self._pace = pace
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    def close(self) -> None:
        self._closed = True
        for task in self._tasks:
            task.cancel()
        self.thinkers.close()
        self._locks.close()

    async def drive(self, table: Table) -> None:
        """Have dice and bots decide while it is up to them."""
        _drop_advice(table)
        if table.stale:
            return
        with suppress(Refused):  # another process may have rolled
            await roll(table)
        if table.orders:
            self._start(self._carry_out_orders(table))
        work = table.bot_work
        if not table.thinking or table.history.still_at(work.asked_at) or (table.endless and not table.watchers):
            return
        seq = work.asked_at = table.seq
        if not await self._locks.take(table.id):  # the bots of another process think, which may end before they do
            self._start(self._retry(RETRY_AFTER if table.watchers else RETRY_UNSEEN, table, seq))
            return
        scripted = next_action(table.lesson, table.game.steps, table.state)
        if scripted is not None:
            self._start(self._play(table, seq, scripted.text))
            return
        question = table.question(table.seats[table.actor].bot)
        work.pondering = Pondering(seq, question)
        then = self._on_loop(lambda text: self._start(self._play(table, seq, text)))
        self.thinkers.ask(question, then, _asker(table))
        table.notify()

    def _on_loop(self, then: Callable[[str], None]) -> Callable[[str], None]:
        """What another thread can call to have something done on the event loop."""
        loop = asyncio.get_running_loop()

        def tell(text: str) -> None:
            if not self._closed:
                loop.call_soon_threadsafe(then, text)

        return tell

    def _start(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _play(self, table: Table, seq: int, text: str) -> None:
        """Play what a bot has chosen. If it fails (say, the disk is full), the bot is asked again.

        Where people play, their pages show the actions one by one, at the pace of each; where bots play alone, the game
        would be over before anybody could watch it.
        """
        await asyncio.sleep(self._pace if all(seat.bot for seat in table.seats) else 0)
        try:
            await _play_bot(table, seq, text)
            await self._locks.give_back(table.id)
            await self.drive(table)
        except WriteFailed:  # the writer has said why
            await self._retry(RETRY_AFTER, table, seq)
        except Exception:
            _log.exception("table %s: a bot's action could not be written; trying again", table.id)
            await self._retry(RETRY_AFTER, table, seq)

    async def _carry_out_orders(self, table: Table) -> None:
        """Do what seats have ordered ahead. If the database fails (say, the disk is full), it is tried again."""
        try:
            if await carry_out(table):
                await self.drive(table)
        except (WriteFailed, DatabaseError) as error:
            if isinstance(error, DatabaseError):  # of what cannot be written the writer has said why
                table.store.trouble.say("standing orders cannot be read", error)
            await asyncio.sleep(RETRY_AFTER)
            await self.drive(table)

    async def _retry(self, seconds: float, table: Table, seq: int) -> None:
        """Ask a bot again after a while, unless that has happened since."""
        await asyncio.sleep(seconds)
        if table.bot_work.asked_at == seq:
            table.bot_work.asked_at = -1
            await self.drive(table)

    def advice(self, table: Table) -> Future[list[Idea]]:
        """What the strongest bot would do for the seat to decide; it thinks about a position once."""
        seq, ideas = table.bot_work.advice or (-1, Future())
        if seq != table.seq or (ideas.done() and ideas.exception()):
            question = table.question(STRONGEST)
            ideas = self.thinkers.advise(question, Asker(table.host, lambda: ADVICE))
            table.bot_work.advice = table.seq, ideas
            table.bot_work.pondering = Pondering(table.seq, question, table.actor)
            table.notify()
        return ideas

    def progress(self, table: Table, own: list[int]) -> float | None:
        """How far a bot is that thinks, from 0 to 1; None if none does. A hint's progress is for its seat only."""
        asked = table.bot_work.pondering
        if asked is None or not table.history.still_at(asked.seq) or (asked.seat is not None and asked.seat not in own):
            return None
        return self.thinkers.progress(asked.question)


async def _play_bot(table: Table, seq: int, text: str) -> None:
    """Play what a bot has chosen at a sequence number; if the table has moved on since, it is discarded."""
    async with table.lock:
        if table.history.still_at(seq) and table.thinking:
            with suppress(Refused):  # another process was quicker
                await play(table, table.state.parse(text))


def _drop_advice(table: Table) -> None:
    """End the thinking about a hint for a position that the table has left."""
    seq, ideas = table.bot_work.advice or (table.seq, None)
    if ideas is not None and not table.history.still_at(seq):
        ideas.cancel()


def _asker(table: Table) -> Asker:
    """For whom the bots of a table think: whoever opened it answers for all that they do there."""

    def urgency() -> int:
        if not table.watchers:
            return UNWATCHED
        return WATCHED if all(seat.bot for seat in table.seats) else PEOPLE

    return Asker(table.host, urgency)
