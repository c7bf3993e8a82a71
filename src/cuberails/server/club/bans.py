"""People who were banned by whoever runs the server: they can look on, and no longer take part.

Every request that could change anything passes here, before anything is made of it.
"""

from __future__ import annotations

import asyncio

from sqlalchemy import select
from starlette.types import ASGIApp, Receive, Scope, Send

from cuberails.server.club.accounts import ACCOUNTS
from cuberails.server.connections import Changes, Statement, Write
from cuberails.server.guard import plain_answer
from cuberails.server.models import BanRow
from cuberails.server.people import person_in
from cuberails.server.store import now, time_text
from cuberails.server.tables import Tables

BANS = "bans"
"""What a write is called that bans somebody, so that running servers hear of it."""

SENTENCE = "You were banned from this server: you can look on, and no longer take part."

_ALWAYS = ("/api/account/sign-out", "/api/account/delete")
"""What somebody who was banned can do all the same."""

_LIFT = "DELETE FROM bans WHERE person = ?"
_BAN = "INSERT INTO bans (person, name, at) VALUES (?, ?, ?)"
_END_SESSIONS = "DELETE FROM sessions WHERE person = ?"


def banning(person: str, name: str) -> list[Write]:
    """Somebody is banned, and signed out everywhere."""
    ban: list[Statement] = [(_LIFT, [(person,)]), (_BAN, [(person, name, time_text(now()))])]
    return [Write(BANS, ban, told=True), Write(ACCOUNTS, [(_END_SESSIONS, [(person,)])], told=True)]


def lifting(person: str) -> list[Write]:
    """Somebody may take part again."""
    return [Write(BANS, [(_LIFT, [(person,)])], told=True)]


class Bans:
    """Who was banned, as this process knows it: it hears when another one, or a command, has changed that."""

    def __init__(self, tables: Tables) -> None:
        self._engine = tables.store.engine
        self._banned: frozenset[str] = frozenset()
        self._reading: asyncio.Task[None] | None = None
        self._changes = 0
        tables.on_change.append(self._on_change)

    def __contains__(self, person: str) -> bool:
        return person in self._banned

    def load(self) -> None:
        """Read who is banned now; to be called in a thread."""
        with self._engine.connect() as connection:
            self._banned = frozenset(connection.scalars(select(BanRow.person)))

    def _on_change(self, changes: Changes) -> None:
        if changes is None or any(change.table == BANS for change in changes):
            self._changes += 1
            if self._reading is None or self._reading.done():
                self._reading = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        """Read again, and once more if something has changed meanwhile."""
        known = -1
        while known != self._changes:
            known = self._changes
            await asyncio.to_thread(self.load)


class Order:
    """Refuses whatever could change something to those who were banned."""

    def __init__(self, app: ASGIApp, bans: Bans, tables: Tables) -> None:
        self.app = app
        self._bans = bans
        self._tables = tables

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._changes_something(scope) and self._is_banned(scope):
            await plain_answer(scope, 403, "banned", SENTENCE)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _changes_something(self, scope: Scope) -> bool:
        return scope["method"] not in ("GET", "HEAD") and scope["path"] not in _ALWAYS

    def _is_banned(self, scope: Scope) -> bool:
        return person_in(self._tables.identities, scope) in self._bans
