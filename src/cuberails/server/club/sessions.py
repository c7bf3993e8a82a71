"""Sessions: the devices where somebody is signed in. Each shows a random token, which is stored as its digest.

Who asks has to be known at once, on the way to every request: tokens that were seen are remembered here, others are
looked up in a thread. What another process ends, this one hears of by the database's notification; besides, nobody is
believed for long without looking again.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import partial

from sqlalchemy import select
from sqlalchemy.exc import DatabaseError
from starlette.datastructures import MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cuberails.server.club.accounts import ACCOUNTS, FORGOTTEN, Accounts
from cuberails.server.club.bans import ORDER
from cuberails.server.club.outbox import removing_signed_out
from cuberails.server.connections import Changes, Statement
from cuberails.server.guard import plain_answer
from cuberails.server.hot import BUSY, log_trouble
from cuberails.server.identity import SESSION, VALID_DAYS, hashed
from cuberails.server.models import AccountRow, SessionRow
from cuberails.server.people import SESSION_COOKIE, SIGNED_IN, SIGNED_OUT, session_in
from cuberails.server.store import now, time_text
from cuberails.server.tables import Tables
from cuberails.server.writer import WriteFailed

BELIEVED = 60.0
"""Seconds until a session is looked up again, should the news of its end be lost."""

MOST_KNOWN = 50_000
"""How many sessions are remembered; the least recently used are looked up again."""

SEEN_EVERY = dt.timedelta(hours=12)
"""How exactly it is noted when a device was used last, and how often its cookie is renewed."""

_CONCERNED = (ACCOUNTS, FORGOTTEN, ORDER)
"""What writes are called after which a session may have ended."""

_ADD = "INSERT INTO sessions (digest, person, device, created, seen) VALUES (?, ?, ?, ?, ?)"
_SEEN = "UPDATE sessions SET seen = ? WHERE digest = ?"
_END = "DELETE FROM sessions WHERE digest = ? AND person = ?"
_REMOVE_EXPIRED = "DELETE FROM sessions WHERE seen < ?"
_END_OTHERS = "DELETE FROM sessions WHERE person = ? AND digest <> ?"


@dataclass(frozen=True)
class Session:
    """A device where somebody is signed in."""

    digest: str
    person: str
    device: str
    created: dt.datetime
    seen: dt.datetime


class Sessions:
    """The sessions of a server."""

    def __init__(self, accounts: Accounts, tables: Tables, clock: Callable[[], float] = time.monotonic) -> None:
        self._accounts = accounts
        self._clock = clock
        self._known: OrderedDict[str, tuple[float, Session]] = OrderedDict()
        self._changes = 0
        self._changed = asyncio.Event()
        tables.on_change.append(self._on_change)

    def known(self, token: str) -> Session | None:
        """The session of a token that was seen lately."""
        found = self._known.get(hashed(token))
        return found[1] if found and self._clock() - found[0] < BELIEVED else None

    async def find(self, token: str) -> Session | None:
        """The session of a token; None if there is none, or it has ended."""
        return self.known(token) or await self._look_up(hashed(token))

    async def _look_up(self, digest: str) -> Session | None:
        changes, asked = self._changes, self._clock()
        found = await asyncio.to_thread(self._stored, digest)
        if changes != self._changes:  # perhaps it was ended after it was read
            return await self._look_up(digest)
        self._known.pop(digest, None)
        if found is not None:
            self._known[digest] = asked, found
        if len(self._known) > MOST_KNOWN:
            self._known.popitem(last=False)
        return found

    def _stored(self, digest: str) -> Session | None:
        query = _SESSIONS.where(SessionRow.digest == digest, SessionRow.seen > _expiry())
        with self._accounts.store.engine.connect() as connection:
            row = connection.execute(query).one_or_none()
        return Session(*row) if row else None

    def of(self, person: str) -> list[Session]:
        """The devices where somebody is signed in, the last used first; to be called in a thread."""
        query = _SESSIONS.where(SessionRow.person == person, SessionRow.seen > _expiry())
        query = query.order_by(SessionRow.seen.desc(), SessionRow.digest)
        with self._accounts.store.engine.connect() as connection:
            return [Session(*row) for row in connection.execute(query)]

    def _on_change(self, changes: Changes) -> None:
        """Another process wrote: what is remembered may have ended."""
        if changes is None or any(change.table.partition(":")[0] in _CONCERNED for change in changes):
            self.forget()

    def forget(self) -> None:
        """Look everybody up again."""
        self._changes += 1
        self._known.clear()
        self._changed.set()
        self._changed = asyncio.Event()

    async def ended(self, token: str) -> None:
        """Returns when the session of a token has ended."""
        while True:
            changed = self._changed
            with suppress(DatabaseError):  # when it can be read again, everybody is looked up anew
                if await self.find(token) is None:
                    return
            await changed.wait()

    async def end(self, person: str, digest: str) -> None:
        """Sign one of somebody's devices out; it is not called any more."""
        await self._accounts.write([(_END, [(digest, person)]), *removing_signed_out()], announced=True)
        self.forget()

    async def end_others(self, person: str, digest: str) -> None:
        """Sign all of somebody's devices out but one."""
        await self._accounts.write([(_END_OTHERS, [(person, digest)]), *removing_signed_out()], announced=True)
        self.forget()

    async def note_use(self, session: Session) -> None:
        await self._accounts.write([(_SEEN, [(time_text(now()), session.digest)])])
        self._known.pop(session.digest, None)


_SESSIONS = select(SessionRow.digest, SessionRow.person, SessionRow.device, SessionRow.created, SessionRow.seen).join(
    AccountRow, AccountRow.person == SessionRow.person
)
"""Sessions, except those of an account that was deleted at the same moment."""


def beginning(person: str, agent: str) -> tuple[str, Statement]:
    """The token of a new session, and what stores it. `agent` is what the browser calls itself."""
    token, time = SESSION + secrets.token_urlsafe(32), time_text(now())
    return token, (_ADD, [(hashed(token), person, device_name(agent), time, time)])


def removing_expired() -> list[Statement]:
    """What removes the sessions that let nobody in any more."""
    return [(_REMOVE_EXPIRED, [(time_text(_expiry()),)]), *removing_signed_out()]


def _expiry() -> dt.datetime:
    """Devices that were used last before this are signed out."""
    return now() - dt.timedelta(days=VALID_DAYS)


_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrome": "Chrome",
    "Safari": "Safari",
}
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS X": "Mac",
    "Linux": "Linux",
}


def device_name(agent: str) -> str:
    """A device in words that its owner knows it by: "Firefox on Linux"."""
    browser = next((name for sign, name in _BROWSERS.items() if f"{sign}/" in agent), "")
    system = next((name for sign, name in _SYSTEMS.items() if sign in agent), "")
    return " on ".join(filter(None, (browser, system))) or "A program"


def set_session_cookie(response: Response, token: str) -> Response:
    """Have this browser stay signed in. Guard makes the cookie a safer one over https."""
    age = VALID_DAYS * 86400
    response.set_cookie(SESSION_COOKIE, token, max_age=age, httponly=True, samesite="lax", path="/")
    return response


def drop_session_cookie(response: Response) -> Response:
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="lax", path="/")
    return response


class Recognition:
    """Says of each request which account makes it, in the scope, before anything is made of it."""

    def __init__(self, app: ASGIApp, sessions: Sessions, tables: Tables) -> None:
        self.app = app
        self._sessions = sessions
        self._tables = tables

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        token = session_in(scope) if scope["type"] == "http" else ""
        if token:
            try:
                session = await self._sessions.find(token)
                if session is not None:
                    scope[SIGNED_IN] = session.person
                    if now() - session.seen > SEEN_EVERY and await self._noted(session):
                        send = _renewing(send, token)
            except DatabaseError as error:
                log_trouble(self._tables, error)
                await plain_answer(scope, BUSY.status_code, BUSY.code, BUSY.detail)(scope, receive, send)
                return
        if scope.get(SIGNED_IN) and scope["path"].endswith("/events"):
            followed = _UntilSignedOut(receive, send, partial(self._sessions.ended, token))
            await self.app(scope, followed.receive, followed.send)
            await followed.end()
        else:
            await self.app(scope, receive, send)

    async def _noted(self, session: Session) -> bool:
        """Note that a session is used; if nothing can be written now, people can still look."""
        try:
            await self._sessions.note_use(session)
        except WriteFailed:
            return False
        return True


class _UntilSignedOut:
    """A stream that ends when its browser is signed out, by whatever device: it hears that the browser has gone."""

    def __init__(self, receive: Receive, send: Send, ended: Callable[[], Awaitable[None]]) -> None:
        self._receive = receive
        self._send = send
        self._ended = ended
        self._signed_out = False
        self._open = False

    async def receive(self) -> Message:
        heard, ended = asyncio.ensure_future(self._receive()), asyncio.ensure_future(self._ended())
        try:
            await asyncio.wait((heard, ended), return_when=asyncio.FIRST_COMPLETED)
            if heard.done():
                return heard.result()
            self._signed_out = True
            return {"type": "http.disconnect", SIGNED_OUT: True}
        finally:
            heard.cancel()
            ended.cancel()

    async def send(self, message: Message) -> None:
        self._open = message.get("more_body", message["type"] == "http.response.start")
        await self._send(message)

    async def end(self) -> None:
        """Complete what was left off because the browser seemed to have gone."""
        if self._signed_out and self._open:
            await self._send({"type": "http.response.body", "body": b"", "more_body": False})


def _renewing(send: Send, token: str) -> Send:
    """An answer that lets the browser stay signed in for another while."""

    async def renewed(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            if SESSION_COOKIE not in headers.get("set-cookie", ""):
                headers.append("set-cookie", set_session_cookie(Response(), token).headers["set-cookie"])
        await send(message)

    return renewed
