"""The hot path: to act, to see a table and to follow it, as a thin layer in front of FastAPI.

FastAPI declares the same three routes, so that they are described with all the others, and calls the same functions.
What is no plain request of these kinds is left to it: it knows how to say what is wrong.
"""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Awaitable, Callable, Iterable
from contextlib import suppress

import msgspec
from pydantic import ValidationError
from sqlalchemy.exc import DatabaseError
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cuberails.server import acceptance, stream
from cuberails.server.limits import ACTING, Limits
from cuberails.server.people import SIGNED_OUT, claim_seat_by_key, own_seats, person_in
from cuberails.server.refusal import Refused
from cuberails.server.requests import ActRequest
from cuberails.server.stream import REMOVED, Viewer
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.view import Update, table_view
from cuberails.server.writer import WriteFailed

_PATH = re.compile(r"/api/tables/([^/]+)(/act|/events|)")
_SINCE = re.compile(rb"(?:since=(\d{1,9}))?(?:&chat=(\d{1,9}))?(&glance=1)?")
_LEAST_PACKED = 800
"""Bytes from which on an answer is worth compressing."""

Header = tuple[bytes, bytes]
Headers = dict[bytes, bytes]


# What is done, by whomever it is called


async def act(tables: Tables, id: str, request: ActRequest, who: str) -> Update:
    """Carry out an action, and see the table after it."""
    return await change(tables, id, who, lambda table, own: acceptance.act(table, own, request, who))


async def change(tables: Tables, id: str, who: str, make: Callable[[Table, list[int]], Awaitable[None]]) -> Update:
    """Have somebody change a table, and see the table after it."""
    table = await tables.visit(id)
    await claim_seat_by_key(table, who)
    own = await own_seats(table, who)
    await make(table, own)
    await tables.driver.drive(table)
    return table_view(table, own)


async def see(tables: Tables, id: str, who: str) -> Update:
    """A table as somebody sees it."""
    table = await tables.visit(id)
    return table_view(table, await own_seats(table, who))


async def sit_down(tables: Tables, id: str, who: str) -> tuple[Table, list[int]]:
    """A table for somebody who will follow it, and the seats there that are theirs."""
    table = await tables.find(id)
    await claim_seat_by_key(table, who)
    return table, await own_seats(table, who)


async def refusal_view(tables: Tables, id: str | None, who: str, status: int, code: str, sentence: str) -> Update:
    """What is answered to a request that changes nothing: why, and the fresh table if it was about one."""
    fresh = None
    if id is not None and status != 429:  # whoever asks too much gets little
        try:
            table = await tables.find(id)
            fresh = table_view(table, await own_seats(table, who))
        except Refused:
            pass  # there is no such table
    return {"error": code, "message": sentence.encode("utf-8", "replace").decode(), "table": fresh}


# The layer


class HotPath:
    """Answers the requests that come most often, and hands all others on to `app`."""

    def __init__(self, app: ASGIApp, tables: Tables, limits: Limits) -> None:
        self.app = app
        self._tables = tables
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _PATH.fullmatch(scope["path"]) if scope["type"] == "http" else None
        kind = (scope["method"], found[2]) if found else None
        since = _SINCE.fullmatch(scope["query_string"]) if kind == _EVENTS else None
        if found is None or kind not in _KINDS or (kind == _EVENTS and since is None):
            await self.app(scope, receive, send)
            return
        headers: Headers = dict(scope["headers"])
        who = person_in(self._tables.identities, scope)
        try:
            if since is not None:
                viewer = Viewer([], int(since[1] or -1), int(since[2]) if since[2] else None, bool(since[3]))
                await self._follow(found[1], who, viewer, headers, receive, send)
            elif kind == _SEE:
                await _answer(send, headers, await see(self._tables, found[1], who))
            else:
                await self._act(found[1], who, headers, scope, receive, send)
        except Refused as error:
            await self._refuse(send, headers, found[1], who, error)
        except (WriteFailed, DatabaseError) as error:
            log_trouble(self._tables, error)
            await self._refuse(send, headers, None, who, BUSY)

    async def _act(self, id: str, who: str, headers: Headers, scope: Scope, receive: Receive, send: Send) -> None:
        body = await _body(receive)
        try:
            request = ActRequest.model_validate_json(body)
        except ValidationError:
            await self.app(scope, _again(body, receive), send)
            return
        self._limits.take(ACTING, who, scope["client"][0] if scope["client"] else "")
        await _answer(send, headers, await act(self._tables, id, request, who))

    async def _follow(self, id: str, who: str, viewer: Viewer, headers: Headers, receive: Receive, send: Send) -> None:
        table, viewer.own = await sit_down(self._tables, id, who)
        last = headers.get(b"last-event-id", b"").decode("latin-1")
        viewer.seen = stream.first_seq(table, viewer.seen, last)
        packer = stream.Packer(_accepts_gzip(headers))
        events = stream.events(self._tables, id, viewer, packer)
        ours = {b"content-type": b"text/event-stream; charset=utf-8"}
        ours |= {name.encode(): value.encode() for name, value in (stream.HEADERS | packer.headers).items()}
        await send({"type": "http.response.start", "status": 200, "headers": list(ours.items())})
        sending = asyncio.create_task(_send_all(events, send))
        leaving = asyncio.create_task(_gone(receive))
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
            signed_out = leaving.done() and leaving.result()
        finally:
            leaving.cancel()
            sending.cancel()
        with suppress(asyncio.CancelledError):
            await sending
        if signed_out:
            await _send(send, packer(REMOVED))
            await _send(send, b"", more=False)

    async def _refuse(self, send: Send, headers: Headers, id: str | None, who: str, error: Refused) -> None:
        view = await refusal_view(self._tables, id, who, error.status_code, error.code, error.detail)
        more = [(name.lower().encode(), value.encode()) for name, value in (error.headers or {}).items()]
        await _answer(send, headers, view, error.status_code, more)


_SEE, _EVENTS, _ACT = ("GET", ""), ("GET", "/events"), ("POST", "/act")
_KINDS = (_SEE, _EVENTS, _ACT)

BUSY = Refused(503, "busy", "The server is busy and nothing was changed; try again.")


def log_trouble(tables: Tables, error: Exception) -> None:
    """Say what is wrong with the database; the writer says itself what it could not write."""
    if isinstance(error, DatabaseError):
        tables.store.trouble.say("the database cannot be read", error)


async def _answer(send: Send, asked: Headers, view: Update, status: int = 200, more: Iterable[Header] = ()) -> None:
    """Send a view as JSON, compressed if that is worth it."""
    body = msgspec.json.encode(view)
    headers = [(b"content-type", b"application/json"), *more]
    if len(body) >= _LEAST_PACKED and _accepts_gzip(asked):
        body = _gzip(body)
        headers += [(b"content-encoding", b"gzip"), (b"vary", b"Accept-Encoding")]
    headers.append((b"content-length", b"%d" % len(body)))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def _accepts_gzip(headers: Headers) -> bool:
    return b"gzip" in headers.get(b"accept-encoding", b"")


def _gzip(body: bytes) -> bytes:
    packer = zlib.compressobj(1, wbits=31)
    return packer.compress(body) + packer.flush()


async def _body(receive: Receive) -> bytes:
    """The body of a request; Guard limits its size."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
    return body


def _again(body: bytes, receive: Receive) -> Receive:
    """A body that was read, for somebody who reads it once more."""
    messages: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return messages.pop() if messages else await receive()

    return again


async def _send_all(events: stream.Events, send: Send) -> None:
    async for event in events:
        await _send(send, event)
    await _send(send, b"", more=False)


async def _send(send: Send, body: bytes, more: bool = True) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": more})


async def _gone(receive: Receive) -> bool:
    """Returns when whoever asked has gone; whether their browser is still there, and was signed out."""
    while (message := await receive())["type"] != "http.disconnect":
        pass
    return bool(message.get(SIGNED_OUT))
