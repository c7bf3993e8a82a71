"""People who were banned by whoever runs the server: they can look on, and no longer take part.

Every request that could change anything passes here, before anything is made of it.
"""

from __future__ import annotations

import asyncio
import datetime as dt
from dataclasses import dataclass

from sqlalchemy import or_, select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError
from starlette.types import ASGIApp, Receive, Scope, Send

from cuberails.server.club.outbox import removing_signed_out
from cuberails.server.connections import Changes, Statement
from cuberails.server.guard import plain_answer
from cuberails.server.models import BanRow
from cuberails.server.people import person_in
from cuberails.server.store import now, time_text
from cuberails.server.tables import Tables

ORDER = "order"
"""What a write is called that concerns order in the house, so that running servers hear of it."""

_ALWAYS = ("/api/account/sign-out", "/api/account/delete")
"""What somebody who was banned can do all the same, besides having no more mail."""

_LIFT = "DELETE FROM bans WHERE person = ?"
_BAN = "INSERT INTO bans (person, name, at, reason, until) VALUES (?, ?, ?, ?, ?)"
_END_SESSIONS = "DELETE FROM sessions WHERE person = ?"


@dataclass(frozen=True)
class Ban:
    """Somebody who cannot take part: for good, or `until` some time."""

    person: str
    name: str
    at: dt.datetime
    reason: str = ""
    until: dt.datetime | None = None

    @property
    def holds(self) -> bool:
        return self.until is None or now() < self.until

    @property
    def sentence(self) -> str:
        """What the person is told."""
        end = f" until {self.until:%Y-%m-%d %H:%M} UTC" if self.until else ""
        why = f" (“{self.reason}”)" if self.reason else ""
        return f"You were banned from this server{end}{why}: you can look on, and no longer take part."


def banning(ban: Ban) -> list[Statement]:
    """Somebody is banned, in place of any ban before, and signed out everywhere."""
    row = (ban.person, ban.name, time_text(ban.at), ban.reason, ban.until and time_text(ban.until))
    return [*lifting(ban.person), (_BAN, [row]), (_END_SESSIONS, [(ban.person,)]), *removing_signed_out()]


def lifting(person: str) -> list[Statement]:
    """Somebody may take part again."""
    return [(_LIFT, [(person,)])]


def bans(engine: Engine) -> dict[str, Ban]:
    """Who is banned now, the latest first; to be called in a thread."""
    query = select(BanRow.person, BanRow.name, BanRow.at, BanRow.reason, BanRow.until)
    holding = query.where(or_(BanRow.until.is_(None), BanRow.until > now()))
    with engine.connect() as connection:
        rows = connection.execute(holding.order_by(BanRow.at.desc(), BanRow.person)).all()
    return {row.person: Ban(*row) for row in rows}


class Bans:
    """Who was banned, as this process knows it: it hears when another one, or a command, has changed that."""

    def __init__(self, tables: Tables) -> None:
        self._engine = tables.store.engine
        self._trouble = tables.store.trouble
        self._banned: dict[str, Ban] = {}
        self._reading: asyncio.Task[None] | None = None
        self._changes = 0
        tables.on_change.append(self._on_change)

    def of(self, person: str) -> Ban | None:
        """The ban of a person, if there is one that holds."""
        found = self._banned.get(person)
        return found if found and found.holds else None

    def load(self) -> None:
        """Read who is banned now; to be called in a thread."""
        self._banned = bans(self._engine)

    def _on_change(self, changes: Changes) -> None:
        if changes is None or any(change.table == ORDER for change in changes):
            self._changes += 1
            if self._reading is None or self._reading.done():
                self._reading = asyncio.get_running_loop().create_task(self._renew())

    async def _renew(self) -> None:
        """Read again, and once more if something has changed meanwhile."""
        known = -1
        while known != self._changes:
            known = self._changes
            try:
                await asyncio.to_thread(self.load)
            except DatabaseError as error:  # when it can be read again, it is opened anew, and this too
                self._trouble.say("who was banned cannot be read", error)


class Order:
    """Refuses whatever could change something to those who were banned."""

    def __init__(self, app: ASGIApp, bans: Bans, tables: Tables) -> None:
        self.app = app
        self._bans = bans
        self._tables = tables

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        ban = self._bans.of(person_in(self._tables.identities, scope)) if self._changes_something(scope) else None
        if ban is not None:
            await plain_answer(scope, 403, "banned", ban.sentence)(scope, receive, send)
            return
        await self.app(scope, receive, send)

    def _changes_something(self, scope: Scope) -> bool:
        return scope["type"] == "http" and scope["method"] not in ("GET", "HEAD") and not _is_allowed(scope["path"])


def _is_allowed(path: str) -> bool:
    return path in _ALWAYS or path.startswith("/unsubscribe/")
