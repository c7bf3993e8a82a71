"""All tables of this server: opened, found, watched, and kept up with what other processes do."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from weakref import WeakValueDictionary

from sqlalchemy.exc import DatabaseError

from cuberails.core.action import UnknownAction
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError
from cuberails.server.connections import Changes
from cuberails.server.driver import Driver
from cuberails.server.identity import Identities
from cuberails.server.refusal import Refused
from cuberails.server.store import Store, StoredSeat, StoredTable, creating, now
from cuberails.server.table import Table, read_table
from cuberails.server.thinking import Thinkers
from cuberails.server.writer import Writer

MOST_MEMORY = 200_000_000
"""How many bytes of tables are kept in memory, by estimate; the others are read again when they are visited."""

_ID = re.compile(r"[\w-]{1,32}", re.ASCII)
"""What can be the id of a table."""

_log = logging.getLogger(__name__)


class Tables:
    """The tables in memory, and those in the store. `boards` are offered beside the built-in ones, by digest.

    Everything here happens on one event loop, from `start` to `close`.
    """

    def __init__(
        self, store: Store, thinkers: Thinkers, pace: float, identities: Identities, boards: Sequence[Board] = ()
    ) -> None:
        self.store = store
        self.identities = identities
        self.boards = {board.digest: board for board in boards}
        self.driver = Driver(thinkers, pace, store.locks())
        self.writer = Writer(store.connect, self._on_change)
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()  # those too that somebody still holds
        self._reading: dict[str, asyncio.Task[Table]] = {}
        self._changes = 0
        self.ended = False
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self.writer.start()

    async def open(self, game: Game, seats: list[StoredSeat], person: str) -> Table:
        """A new table for a game. Seats without a bot and without a key belong to the person who opens it."""
        stored = StoredTable(
            id=secrets.token_urlsafe(9),
            title=game.title.key,
            board_digest=game.board.digest,
            rules=game.state.rules_version,
            options=game.state.options,
            seats=seats,
            host=person,
            origin=[step.action.text for step in game.steps],
            waiting=game.state.phase.actor,
            changed=now(),
        )
        claims = [(n, person) for n, seat in enumerate(seats) if not seat.bot and not seat.key]
        await self.writer.write(creating(stored, game.board.text, claims))
        self._remember(Table(stored, self.store, self.writer, game, claims))
        return await self.visit(stored.id)

    async def find(self, id: str) -> Table:
        """A table as it stands."""
        table = self._known.get(id) or await self._read(id)
        self._live[id] = table
        self._live.move_to_end(id)
        return table

    async def visit(self, id: str) -> Table:
        """Find a table for somebody who comes to it, and resume its dice and bots."""
        table = await self.find(id)
        await self.driver.drive(table)
        return table

    async def _read(self, id: str) -> Table:
        """Read a table from the store once, however many people come for it."""
        if not _ID.fullmatch(id):
            raise _no_table()
        if id not in self._reading:
            task = self._reading[id] = asyncio.create_task(self._read_now(id))
            task.add_done_callback(lambda _: self._reading.pop(id))
        return await asyncio.shield(self._reading[id])

    async def _read_now(self, id: str) -> Table:
        changes = self._changes
        try:
            table = await asyncio.to_thread(read_table, self.store, self.writer, id)
        except (BoardError, IllegalAction, SetupError, UnknownAction) as error:
            sentence = f"This table cannot be read by this version of cuberails: {error}"
            raise Refused(410, "unreadable", sentence) from None
        except (LookupError, TypeError, ValueError) as error:  # what stands in the database is no table
            _log.error("table %s cannot be read: %r", id, error)
            raise Refused(410, "unreadable", "This table was damaged and cannot be read.") from None
        if table is None:
            raise _no_table()
        self._remember(table)
        if changes != self._changes:  # perhaps here, after it was read
            await self._refresh(table)
        return table

    def _remember(self, table: Table) -> None:
        table.seats_by_key = self.identities.seats_by_key(table.id, [seat.key for seat in table.seats])
        self._live[table.id] = self._known[table.id] = table
        self._forget_idle()

    def _forget_idle(self) -> None:
        """Forget tables that nobody follows and no bot plays at, those first where nobody was for longest."""
        over = sum(table.memory for table in self._live.values()) - MOST_MEMORY
        for id, table in list(self._live.items()) if over > 0 else ():
            if over > 0 and not table.watchers and (not table.thinking or table.endless):
                over -= table.memory
                del self._live[id]

    @property
    def live_count(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    @property
    def viewer_count(self) -> int:
        """How many viewers follow a table."""
        return sum(len(table.watchers) for table in list(self._live.values()))

    # Viewers

    async def watch(self, id: str, wake: Callable[[], None]) -> Table:
        """A table that wakes somebody with every change from now on, until it leaves `watchers`."""
        table = await self.find(id)
        table.watchers.add(wake)
        await self.driver.drive(table)
        return table

    def end_streams(self) -> None:
        """The server ends: whoever watches is sent away."""
        self.ended = True
        for table in list(self._known.values()):
            table.notify()

    # Other processes

    def _on_change(self, changes: Changes) -> None:
        """Other processes wrote something."""
        self._changes += 1
        task = asyncio.get_running_loop().create_task(self._catch_up(changes))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _catch_up(self, changes: Changes) -> None:
        """Take over what other processes did to the tables in memory, and resume bots that those have left."""
        try:
            newest = await self._newest() if changes is None else dict(changes)
            for id, seq in newest.items():
                table = self._known.get(id)
                if table is not None and seq > table.seq:
                    await self._refresh(table)
                    if table.watchers:
                        await self.driver.drive(table)
        except Exception as error:
            database = error.orig if isinstance(error, DatabaseError) else None
            # A bug needs its traceback, an unreadable database does not.
            _log.error("what other processes did could not be read: %s", database or error, exc_info=database is None)
            await asyncio.sleep(1)
            self._on_change(None)

    async def _newest(self) -> dict[str, int]:
        return await asyncio.to_thread(self.store.newest, list(self._known))

    async def _refresh(self, table: Table) -> None:
        async with table.lock:
            await table.refresh()

    async def resume_bots(self) -> None:
        """After a restart: bots and dice decide where they are waited for."""
        for id in await asyncio.to_thread(self.store.unattended):
            try:
                await self.visit(id)
            except Exception:
                _log.exception("table %s cannot be resumed", id)

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        self.driver.close()
        await asyncio.to_thread(self.writer.close)
        self.store.close()


def _no_table() -> Refused:
    return Refused(404, "no_table", "There is no such table; check the link.")
