"""What has to be done at tables for order in the house, by the server that runs: there the tables live.

A chore is stored until it is done. So somebody who leaves is forgotten even if the server is killed meanwhile, and the
command needs no server that runs.
"""

from __future__ import annotations

import asyncio
import logging
from contextlib import suppress
from typing import NamedTuple

from sqlalchemy import select
from sqlalchemy.engine import Engine
from sqlalchemy.exc import DatabaseError

from cuberails.server.club import moderation
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.bans import ORDER
from cuberails.server.club.leaving import leave, rename_seats, stand_in
from cuberails.server.club.lobby import Lobby
from cuberails.server.connections import Changes, Write
from cuberails.server.models import ChoreRow
from cuberails.server.store import deleting
from cuberails.server.tables import Tables
from cuberails.server.writer import WriteFailed

LOOK = 60.0
"""Seconds between two looks at what is to be done, should the news of it be lost."""

DELETED = "deleted"
"""What a write is called, with the id, that deletes a table."""

_DONE = "DELETE FROM chores WHERE id = ?"

_log = logging.getLogger(__name__)


class Chore(NamedTuple):
    """Something to do, about a person or a table."""

    id: str
    kind: str
    whom: str
    text: str


class Chores:
    """Does what is to be done; of several processes one at a time."""

    def __init__(self, tables: Tables, lobby: Lobby, accounts: Accounts) -> None:
        self._tables = tables
        self._lobby = lobby
        self._accounts = accounts
        self._lock = asyncio.Lock()
        self._locks = tables.store.locks()
        self._wanted = asyncio.Event()
        tables.on_change.append(self._on_change)

    async def keep_doing(self) -> None:
        """Do what is to be done for as long as the server runs."""
        while True:
            self._wanted.clear()
            try:
                await self.run()
            except DatabaseError as error:
                self._tables.store.trouble.say("what is to be done at tables cannot be read", error)
            except Exception:
                _log.exception("what is to be done at tables cannot be read")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wanted.wait(), LOOK)

    async def run(self) -> None:
        """Do all that is to be done now; what fails is tried again later."""
        async with self._lock:
            if not await self._locks.take(ORDER):
                return
            try:
                for chore in await asyncio.to_thread(_waiting, self._tables.store.engine):
                    await self._try(chore)
            finally:
                await self._locks.give_back(ORDER)

    async def leave(self, person: str) -> None:
        """Somebody leaves for good."""
        await self._tables.writer.write(Write(ORDER, [moderation.chore(moderation.LEAVE, person)]))
        await leave(self._tables, self._lobby, self._accounts, person)

    def close(self) -> None:
        self._locks.close()

    def _on_change(self, changes: Changes) -> None:
        if changes is None or any(change.table == ORDER for change in changes):
            self._wanted.set()
        for change in changes or ():
            kind, _, id = change.table.partition(":")
            if kind == DELETED:
                self._tables.drop(id)

    async def _try(self, chore: Chore) -> None:
        try:
            await self._do(chore)
            await self._tables.writer.write(Write(ORDER, [(_DONE, [(chore.id,)])]))
        except (DatabaseError, WriteFailed) as error:
            self._tables.store.trouble.say("what is to be done at tables waits", error)
        except Exception:
            _log.exception("a chore (%s) failed, and is tried again", chore.kind)

    async def _do(self, chore: Chore) -> None:
        if chore.kind == moderation.LEAVE:
            await leave(self._tables, self._lobby, self._accounts, chore.whom)
        elif chore.kind == moderation.STAND_IN:
            await stand_in(self._tables, self._lobby, chore.whom)
        elif chore.kind == moderation.NAME:
            await rename_seats(self._tables, chore.whom, chore.text)
        elif chore.kind == moderation.TABLE:
            await self._delete_table(chore.whom)

    async def _delete_table(self, id: str) -> None:
        """Nothing remains of a table; who waited there for its game is told."""
        await self._lobby.close(id)
        await self._tables.writer.write(Write(f"{DELETED}:{id}", deleting(id), announced=True))
        self._tables.drop(id)


def _waiting(engine: Engine) -> list[Chore]:
    query = select(ChoreRow.id, ChoreRow.kind, ChoreRow.whom, ChoreRow.text).order_by(ChoreRow.at, ChoreRow.id)
    with engine.connect() as connection:
        return [Chore(*row) for row in connection.execute(query)]
