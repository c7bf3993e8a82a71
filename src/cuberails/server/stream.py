"""A table as server-sent events: one with each change, and the progress of bots that think between them."""

from __future__ import annotations

import asyncio
import json
import zlib
from collections.abc import AsyncIterator
from contextlib import suppress

from fastapi.concurrency import run_in_threadpool

from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.view import Update, update

BEAT = 20.0
"""Seconds between the signs of life of a silent stream."""

LOOK = 0.5
"""Seconds between two looks at the progress of a bot."""

HEADERS = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}


def first_seq(table: Table, since: int, last_event_id: str) -> int:
    """The number of the log up to which a viewer knows the table; -1, the start, if that is no number of this log."""
    if last_event_id.isdecimal() and len(last_event_id) < 10:
        since = int(last_event_id)
    return since if 0 <= since <= table.seq else -1


class Packer:
    """Compresses events for those who accept it: an event resembles those before, so it shrinks to a quarter."""

    def __init__(self, wanted: bool) -> None:
        self.headers = {"Content-Encoding": "gzip"} if wanted else {}
        self._zip = zlib.compressobj(6, wbits=16 + 14, memLevel=7) if wanted else None

    def __call__(self, text: str) -> bytes:
        """A text in such a form that it can be read at once, before the next comes."""
        if self._zip is None:
            return text.encode()
        return self._zip.compress(text.encode()) + self._zip.flush(zlib.Z_SYNC_FLUSH)


async def events(tables: Tables, id: str, own: list[int], seen: int, packed: Packer) -> AsyncIterator[bytes]:
    """An event now and with each change; between them, the progress of a bot that thinks."""
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the server ends
            loop.call_soon_threadsafe(woken.set)

    try:
        table = await run_in_threadpool(tables.watch, id, wake)
        yield packed("retry: 1000\n\n")
        sent = -1
        while True:
            woken.clear()
            if sent != table.seq:
                news = await run_in_threadpool(update_for, table, own, seen)
                sent = seen = news["seq"]
                yield packed(event_text(news))
            async for text in _meanwhile(tables, table, own, woken):
                yield packed(text)
    finally:
        tables.unwatch(id, wake)


async def _meanwhile(tables: Tables, table: Table, own: list[int], woken: asyncio.Event) -> AsyncIterator[str]:
    """Until somebody is woken: the progress of a bot, and a comment now and then, to keep the connection open.

    Progress has no id: it is no part of the log, and nobody needs it later.
    """
    sent, silent = 0.0, 0.0
    while not woken.is_set():
        pause = BEAT if tables.driver.progress(table, own) is None else LOOK
        with suppress(TimeoutError):
            await asyncio.wait_for(woken.wait(), pause)
            return
        done = tables.driver.progress(table, own)
        silent += pause
        if done is not None and round(done, 2) != sent:
            sent, silent = round(done, 2), 0.0
            yield f"event: progress\ndata: {sent}\n\n"
        elif silent >= BEAT:
            silent = 0.0
            yield ": still here\n\n"


def event_text(news: Update) -> str:
    """An update as a server-sent event."""
    return f"id: {news['seq']}\ndata: {json.dumps(news, ensure_ascii=False, separators=(',', ':'))}\n\n"


def update_for(table: Table, own: list[int], seen: int) -> Update:
    """What is new for a viewer with these seats."""
    with table.lock:
        return update(table, table.played_by_people(own), seen)
