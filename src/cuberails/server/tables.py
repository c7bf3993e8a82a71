"""All tables of this server: opened, found, watched, and kept up with what other processes do."""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections import Counter, OrderedDict
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from typing import NamedTuple
from weakref import WeakValueDictionary

from sqlalchemy.exc import DatabaseError

from cuberails.core.action import UnknownAction
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError
from cuberails.server.chatting import refresh_chat
from cuberails.server.clock import stored_time
from cuberails.server.club.calls import calls_at_start
from cuberails.server.club.clocks import UNTIMED, TimeControl
from cuberails.server.club.open_tables import UNLISTED, not_open, read_open_table
from cuberails.server.club.order_store import tables_with_orders
from cuberails.server.club.orders import refresh_orders
from cuberails.server.connections import Changes, Statement
from cuberails.server.driver import Driver
from cuberails.server.identity import Identities
from cuberails.server.refusal import Refused
from cuberails.server.store import Claim, Store, StoredSeat, StoredTable, creating
from cuberails.server.table import ACTION_BYTES, DELETED, TABLE_BYTES, Table, read_table
from cuberails.server.thinking import Thinkers
from cuberails.server.writer import Writer

MOST_MEMORY = 200_000_000
"""How many bytes of tables are kept in memory, by estimate; the others are read again when they are visited."""

FAIR_PART = 4
"""The tables of one host take one part in so many of that at most, unless people or bots are at all of them."""

LAST_READING = 2.0
"""Seconds that a server which ends waits for what it still reads."""

_ID = re.compile(r"[\w-]{1,32}", re.ASCII)
"""What can be the id of a table."""

_log = logging.getLogger(__name__)


class Gathered(NamedTuple):
    """Who has come for a table before its game: its id, who sits where, and what becomes of its place in the lobby,
    written in the same transaction."""

    id: str
    claims: list[Claim]
    statements: list[Statement]


def new_id() -> str:
    """An id for a new table, which nobody guesses."""
    return secrets.token_urlsafe(9)


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
        self.writer = Writer(store.connect, self._on_change, self._on_reopen, store.trouble)
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._known: WeakValueDictionary[str, Table] = WeakValueDictionary()  # those too that somebody still holds
        self._reading: dict[str, asyncio.Task[Table]] = {}
        self._changes = 0
        self._handed_over: list[tuple[str, str]] = []
        self.on_change: list[Callable[[Changes], None]] = []
        """Called with what other processes did, on the event loop; with None too when the database was opened
        anew, a person has become another or has left, or the server ends."""
        self.ended = False
        self._closed = False
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self.writer.start()

    async def open(
        self,
        game: Game,
        seats: list[StoredSeat],
        person: str,
        parent: str = "",
        claims: Sequence[Claim] | None = None,
        help: bool = True,
        visibility: str = UNLISTED,
        rated: bool = False,
        gathered: Gathered | None = None,
        time_control: TimeControl = UNTIMED,
    ) -> Table:
        """A new table for a game, which perhaps continues that of its parent or comes after it.

        Unless `claims`, or who has `gathered` for it, say whose the seats are, those without a bot and without a key
        belong to who opens it.
        """
        if gathered is not None:
            claims = gathered.claims
        stored = StoredTable(
            id=gathered.id if gathered else new_id(),
            title=game.title.key,
            board_digest=game.board.digest,
            rules=game.state.rules_version,
            options=game.state.options,
            seats=seats,
            host=person,
            origin=[step.action.text for step in game.steps],
            waiting=game.state.phase.actor,
            changed=stored_time(self.store.timing.clock.now()),
            parent=parent,
            parent_count=game.count if parent and claims is None else -1,
            help=help,
            visibility=visibility,
            time_control=time_control,
            rated=rated,
        )
        owners = [(n, person) for n, seat in enumerate(seats) if not seat.bot and not seat.key]
        owners = owners if claims is None else list(claims)
        table = Table(stored, self.store, self.writer, game, dict.fromkeys(owners, stored.changed))
        await table.refresh_rests()
        ends = table.time.deadline
        stored.deadline = None if ends is None else stored_time(ends)
        write = creating(stored, game.board.text, owners)
        if gathered is not None:
            write = write._replace(statements=[*gathered.statements, *write.statements], announced=True)
        write.statements.extend(calls_at_start(table, person))
        await self.writer.write(write, table.generation)
        self._remember(table)
        return await self.visit(stored.id)

    async def find(self, id: str) -> Table:
        """A table as it stands."""
        table = self._known.get(id)
        if table is None or table.stale:
            table = await self._read(id)
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
        changes, handed_over = self._changes, len(self._handed_over)
        try:
            table = await asyncio.to_thread(read_table, self.store, self.writer, id)
        except (BoardError, IllegalAction, SetupError, UnknownAction) as error:
            sentence = f"This table cannot be read by this version of cuberails: {error}"
            raise Refused(410, "unreadable", sentence) from None
        except (LookupError, TypeError, ValueError) as error:  # what stands in the database is no table
            _log.error("table %s cannot be read: %r", id, error)
            raise Refused(410, "unreadable", "This table was damaged and cannot be read.") from None
        if table is None:
            raise await asyncio.to_thread(self._absent, id)
        for old, new in self._handed_over[handed_over:]:  # perhaps after it was read
            table.hand_over(old, new)
        self._remember(table)
        if changes != self._changes:  # perhaps here, after it was read
            await self._refresh(table)
        return table

    def _absent(self, id: str) -> Refused:
        """Why there is no such table."""
        waiting = read_open_table(self.store, id)
        if waiting is None:
            return _no_table()
        sentence = "This table has not started: its game begins when its players are there."
        return not_open(waiting) or Refused(409, "not_started", sentence)

    def _remember(self, table: Table) -> None:
        table.make_keys = partial(self.identities.seats_by_key, table.id)
        table.renew_keys()
        self._live[table.id] = self._known[table.id] = table
        self._forget_idle()

    def _forget_idle(self) -> None:
        """Forget tables that nobody follows and no bot plays at, those first where nobody was for longest: first of a
        host who has more than a fair part of the memory, then of anybody."""
        by_host: Counter[str] = Counter()
        for table in self._live.values():
            by_host[table.host] += _memory(table)
        self._forget(lambda table: by_host[table.host] > MOST_MEMORY // FAIR_PART, by_host)
        self._forget(lambda _: by_host.total() > MOST_MEMORY, by_host)

    def _forget(self, too_much: Callable[[Table], bool], by_host: Counter[str]) -> None:
        for id, table in list(self._live.items())[:-1]:  # somebody is just coming to the last one
            if too_much(table) and table.idle:
                by_host[table.host] -= _memory(table)
                del self._live[id]

    def people_here(self) -> set[str]:
        """Who follows a table of theirs now, by way of this process."""
        here = ((table, claim) for table in list(self._live.values()) for claim in table.claims)
        return {person for table, (seat, person) in here if table.presence.is_here(seat)}

    @property
    def live_count(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    @property
    def viewer_count(self) -> int:
        """How many viewers follow a table."""
        return sum(len(table.watchers) for table in list(self._live.values()))

    # Viewers

    def is_followed_by(self, id: str, person: str) -> bool:
        """Whether somebody with a seat at a table follows it at this process."""
        table = self._known.get(id)
        return table is not None and any(map(table.presence.is_here, table.claimed_by(person)))

    async def watch(self, id: str, wake: Callable[[], None]) -> Table:
        """A table that wakes somebody with every change from now on, until it leaves `watchers`."""
        table = await self.find(id)
        table.watchers.add(wake)
        await self.driver.drive(table)
        return table

    def wake_all(self) -> None:
        """Something has changed that concerns the viewers of all tables."""
        for table in list(self._known.values()):
            table.notify()

    def end_streams(self) -> None:
        """The server ends: whoever watches is sent away."""
        self.ended = True
        self.announce(None)
        self.wake_all()

    def hand_over(self, old: str, new: str) -> None:
        """One person has become another, and that is stored."""
        self._handed_over.append((old, new))
        for table in list(self._known.values()):
            table.hand_over(old, new)
        self.announce(None)

    def forget(self, person: str) -> None:
        """Somebody has left for good, and that is stored."""
        for table in list(self._known.values()):
            table.forget(person)
        self.announce(None)

    def drop(self, id: str) -> None:
        """A table was deleted, and that is stored: whoever follows it comes again, and finds nothing."""
        self._live.pop(id, None)
        table = self._known.pop(id, None)
        if table is not None:
            table.generation = DELETED
            table.notify()

    # Other processes

    def _on_change(self, changes: Changes) -> None:
        """Other processes wrote something."""
        self._changes += 1
        self.announce(changes)
        self._start(self._catch_up(changes))

    def announce(self, changes: Changes) -> None:
        """Tell all who want to hear of it what was written, by whatever process."""
        for call in self.on_change:
            call(changes)

    def _on_reopen(self) -> None:
        """The database was opened anew, perhaps another file: as after a restart, tables are read again from there."""
        tables = list(self._known.values())
        self._live.clear()
        self._known.clear()
        for table in tables:
            table.notify()  # whoever follows it comes again
        self.announce(None)
        self._start(self.resume_bots())

    def _start(self, work: Coroutine[None, None, None]) -> None:
        if self._closed:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(work)
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
                    if table.watchers or table.orders:
                        await self.driver.drive(table)
            await self._catch_up_with_people(None if changes is None else [id for id, seq in changes if not seq])
        except Exception as error:
            if isinstance(error, DatabaseError):
                self.store.trouble.say("what other processes did cannot be read", error)
            else:
                _log.exception("what other processes did cannot be read")
            await asyncio.sleep(1)
            self._on_change(None)

    async def _catch_up_with_people(self, ids: list[str] | None) -> None:
        """Take over who came and what was said at these tables, or all, by way of other processes."""
        tables = [self._known.get(id) for id in (list(self._known) if ids is None else ids)]
        known = {table.id: table for table in tables if table is not None}
        found = await asyncio.to_thread(self.store.sociable, list(known)) if known else {}
        for id, (claims, last) in found.items():
            if await refresh_orders(known[id]):
                await self.driver.drive(known[id])
            if ids is not None:
                await known[id].refresh_rests()
            if claims > len(known[id].claims):
                await known[id].refresh_claims()
            if last > known[id].chat.last:
                await refresh_chat(known[id])

    async def _newest(self) -> dict[str, int]:
        return await asyncio.to_thread(self.store.newest, list(self._known))

    async def _refresh(self, table: Table) -> None:
        async with table.lock:
            await table.refresh()

    async def resume_bots(self) -> None:
        """After a restart: bots and dice decide where they are waited for."""
        try:
            waiting = await asyncio.to_thread(self.store.unattended)
            waiting += await asyncio.to_thread(tables_with_orders, self.store.engine)
        except DatabaseError as error:  # when it can be read again, it is opened anew
            self.store.trouble.say("the database cannot be read", error)
            return
        for id in waiting:
            try:
                await self.visit(id)
            except Exception:
                _log.exception("table %s cannot be resumed", id)

    async def close(self) -> None:
        self._closed = True
        self.driver.close()
        await asyncio.to_thread(self.writer.close)
        if self._tasks:  # a thread that still reads would open the database anew
            await asyncio.wait(self._tasks, timeout=LAST_READING)
        for task in self._tasks:
            task.cancel()
        self.store.close()


def _memory(table: Table) -> int:
    """About how many bytes a table takes."""
    return TABLE_BYTES + ACTION_BYTES * (len(table.history.origin) + table.seq)


def _no_table() -> Refused:
    return Refused(404, "no_table", "There is no such table; check the link.")
