"""All tables of this server: opened, found, watched, and kept up with what other processes do."""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable, Sequence
from threading import Lock

from cuberails.core.action import UnknownAction
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError
from cuberails.server.driver import Driver
from cuberails.server.refusal import Refused
from cuberails.server.store import Store, StoredSeat, StoredTable, now
from cuberails.server.table import Table
from cuberails.server.thinking import Thinkers

MOST_LIVE = 200
"""So many tables are kept in memory; the others are read again when somebody comes."""

READERS = 32
"""So many tables can be read at once; each is read only once, however many people come for it."""

_log = logging.getLogger(__name__)


class Tables:
    """The tables in memory, and those in the store. `boards` are offered beside the built-in ones, by digest."""

    def __init__(self, store: Store, thinkers: Thinkers, pace: float, boards: Sequence[Board] = ()) -> None:
        self.store = store
        self.boards = {board.digest: board for board in boards}
        self.driver = Driver(thinkers, pace)
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._lock = Lock()
        self._reading = [Lock() for _ in range(READERS)]
        self._closed = False

    def open(self, game: Game, seats: list[StoredSeat], person: str) -> Table:
        """A new table for a game. Seats without a bot and without a key belong to the person who opens it."""
        stored = StoredTable(
            id=secrets.token_urlsafe(9),
            title=game.title.key,
            board=game.board.digest,
            rules=game.state.rules_version,
            options=game.state.options,
            seats=seats,
            host=person,
            origin=[step.action.text for step in game.steps],
            waiting=game.state.phase.actor,
            changed=now(),
        )
        claims = [(n, person) for n, seat in enumerate(seats) if not seat.bot and not seat.key]
        self.store.create(stored, game.board.text, claims)
        self._live[stored.id] = Table(stored, self.store, game)
        return self.visit(stored.id)

    def find(self, id: str) -> Table:
        """A table as it stands, with what other processes did to it."""
        with self._reading[hash(id) % READERS]:
            table = self._live.get(id) or self._read(id)
            with self._lock:
                table = self._live.setdefault(id, table)
                self._live.move_to_end(id)
                if len(self._live) > MOST_LIVE:
                    self._forget_idle()
        table.refresh()
        return table

    def visit(self, id: str) -> Table:
        """Find a table for somebody who comes to it, and resume its dice and bots."""
        table = self.find(id)
        self.driver.drive(table)
        return table

    def _read(self, id: str) -> Table:
        stored = self.store.table(id)
        if stored is None:
            raise Refused(404, "no_table", "There is no such table; check the link.")
        try:
            return Table(stored, self.store)
        except (BoardError, IllegalAction, SetupError, UnknownAction) as error:
            sentence = f"This table cannot be read by this version of cuberails: {error}"
            raise Refused(410, "unreadable", sentence) from None

    def _forget_idle(self) -> None:
        idle = [id for id, table in self._live.items() if not table.watchers and (not table.thinking or table.endless)]
        for id in idle[: len(self._live) - MOST_LIVE]:
            del self._live[id]

    @property
    def live_count(self) -> int:
        """How many tables are in memory."""
        return len(self._live)

    @property
    def viewer_count(self) -> int:
        """How many viewers follow a table."""
        return sum(len(table.watchers) for table in list(self._live.values()))

    # Viewers, and other processes

    def watch(self, id: str, wake: Callable[[], None]) -> Table:
        """A table that wakes somebody with every change from now on, until `unwatch`."""
        table = self.find(id)
        with self._lock:
            table = self._live.setdefault(id, table)  # it may have been forgotten meanwhile
            table.watchers.add(wake)
        self.driver.drive(table)
        return table

    def unwatch(self, id: str, wake: Callable[[], None]) -> None:
        table = self._live.get(id)
        if table is not None:
            table.watchers.discard(wake)

    def catch_up(self) -> None:
        """Show viewers what other processes did to their tables, and resume bots that those have left."""
        with self._lock:
            watched = {id: table for id, table in self._live.items() if table.watchers}
        if not watched:
            return
        newest = self.store.newest(list(watched))
        for id, table in watched.items():
            if newest.get(id, 0) > table.seq:
                table.refresh()
                self.driver.drive(table)

    def resume_bots(self) -> None:
        """After a restart: bots and dice decide where they are waited for."""
        for id in self.store.unattended():
            if self._closed:
                return
            try:
                self.visit(id)
            except Exception:
                _log.exception("table %s cannot be resumed", id)

    def close(self) -> None:
        self._closed = True
        self.driver.close()
        self.store.close()
