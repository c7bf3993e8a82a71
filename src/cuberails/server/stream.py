"""A table as server-sent events: one with each change, and the progress of bots that think between them."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import suppress
from dataclasses import dataclass

import msgspec

from cuberails.server.club.order_store import StandingOrder
from cuberails.server.club.orders import orders_view
from cuberails.server.table import DELETED, Table
from cuberails.server.tables import Tables
from cuberails.server.view import Update, chat_view, clocks_view, presence, update

BEAT = 20.0
"""Seconds between the signs of life of a silent stream."""

LOOK = 0.5
"""Seconds between two looks at the progress of a bot."""

REMOVED = b"event: removed\ndata: {}\n\n"
"""What somebody hears last who has no seat there any more, or was signed out."""

Events = AsyncGenerator[bytes, None]

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

    def __call__(self, text: bytes) -> bytes:
        """A text in such a form that it can be read at once, before the next comes."""
        if self._zip is None:
            return text
        return self._zip.compress(text) + self._zip.flush(zlib.Z_SYNC_FLUSH)


@dataclass
class Viewer:
    """Who follows a table: with which seats, up to which number they know the log, and whether they only look in.

    `chat` is the last line of the chat that they know; None if they want to hear nothing of the people there.
    """

    own: list[int]
    seen: int = -1
    chat: int | None = None
    glance: bool = False


async def events(tables: Tables, id: str, viewer: Viewer, packed: Packer) -> Events:
    """An event now and with each change; between them, the progress of a bot that thinks."""
    woken = asyncio.Event()
    table = await tables.watch(id, woken.set)
    if not viewer.glance:
        table.presence.arrive(viewer.own)
    try:
        yield packed(b"retry: 1000\n\n")
        async for text in _followed(tables, table, viewer, woken):
            yield packed(text)
    finally:
        table.watchers.discard(woken.set)
        if not viewer.glance:
            table.presence.leave(viewer.own)


async def _followed(tables: Tables, table: Table, viewer: Viewer, woken: asyncio.Event) -> AsyncIterator[bytes]:
    sent, people, clocks, began = -1, _People(table, viewer), _Clocks(table), table.seq
    while not tables.ended and not table.stale:
        woken.clear()
        if any(table.vacated.get(seat, 0) > began for seat in viewer.own):
            yield REMOVED
            return
        if sent != table.seq:
            event = event_for(table, viewer.own, viewer.seen)
            sent = viewer.seen = table.seq
            yield event
        news = people.news() + clocks.news()
        if news:
            yield news
        async for text in _meanwhile(tables, table, viewer.own, woken):
            yield text
    if table.generation == DELETED:
        yield b"event: deleted\ndata: {}\n\n"


class _People:
    """What a viewer knows of the people at a table: who is there, what they have said, and what oneself has ordered."""

    def __init__(self, table: Table, viewer: Viewer) -> None:
        self._table = table
        self._own = viewer.own
        self._chat = viewer.chat
        self._present = b""
        self._orders: list[StandingOrder] | None = None if viewer.own else []

    def news(self) -> bytes:
        """What is new about them, as events without an id: who was away asks again from the last line known."""
        if self._chat is None:
            return b""
        return self._presence() + self._lines(self._chat) + self._ordered()

    def _presence(self) -> bytes:
        table, key = self._table, ("presence", self._table.presence.version, len(self._table.claims))
        before, self._present = self._present, table.rendered(key, lambda: _event("presence", presence(table)))
        return b"" if self._present == before else self._present

    def _lines(self, after: int) -> bytes:
        table, self._chat = self._table, max(after, self._table.chat.last)
        if self._chat == after:
            return b""
        lines: bytes = table.rendered(
            ("chat", after, self._chat), lambda: _event("chat", [chat_view(line) for line in table.chat.after(after)])
        )
        return lines

    def _ordered(self) -> bytes:
        """The standing orders of the viewer's own seats: at first, and whenever they change. That others have given
        an order is nobody's business."""
        mine = [each for each in self._table.orders if each.seat in self._own]
        if self._orders == mine:
            return b""
        self._orders = mine
        return _event("orders", orders_view(self._table, self._own))


class _Clocks:
    """What a viewer knows of the clocks. They tick by themselves: only what is new about them is sent."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._known: Update | None = None

    def news(self) -> bytes:
        fresh = clocks_view(self._table)
        known, self._known = self._known, fresh
        if fresh is None or (known and {**known, "now": 0} == {**fresh, "now": 0}):
            return b""
        return _event("clocks", fresh)


def _event(kind: str, data: object) -> bytes:
    return b"event: %b\ndata: %b\n\n" % (kind.encode(), msgspec.json.encode(data))


async def _meanwhile(tables: Tables, table: Table, own: list[int], woken: asyncio.Event) -> AsyncIterator[bytes]:
    """Until somebody is woken: the progress of a bot, and a comment now and then, to keep the connection open.

    Progress has no id: it is no part of the log, and nobody needs it later.
    """
    sent, silent = 0.0, 0.0
    while not woken.is_set():
        pause = BEAT if tables.driver.progress(table, own) is None else LOOK
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):
                await woken.wait()
            return
        done = tables.driver.progress(table, own)
        silent += pause
        if done is not None and round(done, 2) != sent:
            sent, silent = round(done, 2), 0.0
            yield f"event: progress\ndata: {sent}\n\n".encode()
        elif silent >= BEAT:
            silent = 0.0
            yield b": still here\n\n"


def event_for(table: Table, own: list[int], seen: int) -> bytes:
    """What is new for a viewer with these seats, as a server-sent event; the same for all who have seen as much."""

    def encoded() -> bytes:
        return b"id: %d\ndata: %b\n\n" % (table.seq, msgspec.json.encode(update(table, own, seen)))

    event: bytes = table.rendered(("event", seen, tuple(own)), encoded)
    return event
