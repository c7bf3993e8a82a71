"""The database: tables, their boards and logs, and who may play which seat. SQLite by default, any SQLAlchemy URL."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from sqlalchemy import bindparam, create_engine, delete, event, func, insert, select, update
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, defer

from cuberails.core.state import CHANCE, NOBODY
from cuberails.server.models import BoardRow, ClaimRow, EntryRow, SnapshotRow, TableRow

ACT, UNDO, REDO, ASK, YES, NO, SEAT = "act", "undo", "redo", "ask", "yes", "no", "seat"
"""The kinds of entries: an action, undo and redo, a request to undo and the answers to it, a change of player."""


@dataclass
class StoredSeat:
    """A place at a table: `bot` is the level of the bot that plays it now, or empty; `key` the secret of its link."""

    name: str
    bot: str = ""
    key: str = ""


@dataclass
class Entry:
    """One line of a table's log."""

    seq: int
    kind: str
    text: str
    seat: int


@dataclass
class StoredTable:
    """A table as it is stored; `board` is the digest of its board, "" for the built-in one."""

    id: str
    title: str
    board: str
    rules: int
    options: dict[str, str]
    seats: list[StoredSeat]
    host: str
    origin: list[str]
    waiting: int
    changed: dt.datetime


# Statements that every request needs, made once

_ENTRIES = (
    select(EntryRow.seq, EntryRow.kind, EntryRow.text, EntryRow.seat)
    .where(EntryRow.table_id == bindparam("id"), EntryRow.seq > bindparam("after"))
    .order_by(EntryRow.seq)
)
_CLAIMS = select(ClaimRow.seat).where(ClaimRow.table_id == bindparam("id"), ClaimRow.person == bindparam("person"))
_ADD = insert(EntryRow)
_CHANGE = (
    update(TableRow)
    .where(TableRow.id == bindparam("id_"))
    .values(waiting=bindparam("waiting_"), seats=bindparam("seats_"), changed=bindparam("changed_"))
)


class SequenceConflict(Exception):
    """Another writer has used this sequence number first."""


class PendingWrite:
    """Rows of a log that wait for the next transaction, with the change of their table, and the outcome."""

    def __init__(self, rows: list[dict[str, Any]], change: dict[str, Any]) -> None:
        self.rows = rows
        self.change = change
        self.done = False
        self.error: Exception | None = None


class Store:
    """The database. Every method is one transaction."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.engine = _engine(url)
        self._queue: list[PendingWrite] = []
        self._queue_lock = Lock()
        self._turn = Lock()
        _migrate(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with Session(self.engine) as session, session.begin():
            yield session

    # Tables

    def create(self, table: StoredTable, board_text: str, claims: list[tuple[int, str]]) -> None:
        """A new table on a board with this text; `claims` are the seats that belong to somebody from the start."""
        row = {
            "id": table.id,
            "title": table.title,
            "board": table.board,
            "rules": table.rules,
            "options": json.dumps(table.options),
            "seats": _seats_json(table.seats),
            "host": table.host,
            "origin": json.dumps(table.origin),
            "waiting": table.waiting,
            "created": table.changed,
            "changed": table.changed,
        }
        owners = [{"table_id": table.id, "seat": seat, "person": person} for seat, person in claims]
        with _writing(self.engine) as connection:
            _insert_board(connection, table, board_text)
            connection.execute(insert(TableRow), row)
            if owners:
                connection.execute(insert(ClaimRow), owners)

    def table(self, id: str) -> StoredTable | None:
        with self._session() as session:
            row = session.get(TableRow, id)
            return _stored(row, row.origin) if row else None

    def board(self, digest: str) -> str | None:
        """The text of a stored board."""
        with self.engine.connect() as connection:
            return connection.scalar(select(BoardRow.text).where(BoardRow.digest == digest))

    def entries(self, id: str, after: int) -> list[Entry]:
        """The log of a table behind a sequence number."""
        with self.engine.connect() as connection:
            return [Entry(*row) for row in connection.execute(_ENTRIES, {"id": id, "after": after})]

    def newest(self, ids: list[str]) -> dict[str, int]:
        """The last number in the logs of these tables; those without any entry are left out."""
        query = (
            select(EntryRow.table_id, func.max(EntryRow.seq).label("seq"))
            .where(EntryRow.table_id.in_(ids))
            .group_by(EntryRow.table_id)
        )
        with self.engine.connect() as connection:
            return {row.table_id: row.seq for row in connection.execute(query)}

    def snapshot(self, id: str, program: str) -> bytes | None:
        """The last snapshot of a table by the program with this digest."""
        query = select(SnapshotRow.content).where(SnapshotRow.table_id == id, SnapshotRow.program == program)
        with self.engine.connect() as connection:
            return connection.scalar(query)

    def save_snapshot(self, id: str, program: str, content: bytes) -> None:
        row = {"table_id": id, "program": program, "content": content}
        with suppress(IntegrityError), _writing(self.engine) as connection:  # another process may save one too
            connection.execute(delete(SnapshotRow).where(SnapshotRow.table_id == id))
            connection.execute(insert(SnapshotRow), row)

    # Adding to the log, by group commit: a durable write takes a disk its time, so all who wait share one transaction

    def append(self, id: str, entries: list[Entry], waiting: int, seats: list[StoredSeat]) -> None:
        """Write entries; SequenceConflict if one of their numbers is taken, and then none is written."""
        time = now()
        rows = [{"table_id": id, "at": time, **vars(entry)} for entry in entries]
        change = {"id_": id, "waiting_": waiting, "seats_": _seats_json(seats), "changed_": time}
        write = PendingWrite(rows, change)
        with self._queue_lock:
            self._queue.append(write)
        with self._turn:
            if not write.done:
                self._write_queue()
        if write.error is not None:
            raise write.error

    def _write_queue(self) -> None:
        with self._queue_lock:
            writes, self._queue = self._queue, []
        try:
            with _writing(self.engine) as connection:
                for write in writes:
                    _insert(connection, write)
        except Exception as error:
            for write in writes:
                write.error = error
        for write in writes:
            write.done = True

    # Who may play which seat

    def claim(self, id: str, seat: int, person: str) -> None:
        row = {"table_id": id, "seat": seat, "person": person}
        with suppress(IntegrityError), _writing(self.engine) as connection:  # it may have been claimed before
            connection.execute(insert(ClaimRow), row)

    def claims(self, id: str, person: str) -> list[int]:
        """The seats of a table that this person may play."""
        with self.engine.connect() as connection:
            return sorted(connection.scalars(_CLAIMS, {"id": id, "person": person}))

    def claimed(self, id: str) -> set[int]:
        """The seats of a table that belong to somebody."""
        query = select(ClaimRow.seat).where(ClaimRow.table_id == id)
        with self._session() as session:
            return set(session.scalars(query))

    def tables_of(self, person: str, most: int = 50) -> list[tuple[StoredTable, list[int]]]:
        """The tables of a person with the seats there, the latest first; what they began with is left out."""
        own = select(ClaimRow.table_id).where(ClaimRow.person == person)
        latest = select(TableRow).where(TableRow.id.in_(own)).order_by(TableRow.changed.desc()).limit(most)
        with self._session() as session:
            rows = list(session.scalars(latest.options(defer(TableRow.origin))))
            claims = select(ClaimRow.table_id, ClaimRow.seat).where(
                ClaimRow.person == person, ClaimRow.table_id.in_([row.id for row in rows])
            )
            seats: dict[str, list[int]] = {row.id: [] for row in rows}
            for id, seat in session.execute(claims):
                seats[id].append(seat)
            return [(_stored(row, "[]"), sorted(seats[row.id])) for row in rows]

    def unattended(self) -> list[str]:
        """The tables where a bot or dice decide; after a restart they are resumed."""
        query = select(TableRow.id, TableRow.waiting, TableRow.seats).where(TableRow.waiting > NOBODY)
        with self.engine.connect() as connection:
            rows = list(connection.execute(query))
        return [id for id, waiting, seats in rows if waiting == CHANCE or _read_seats(seats)[waiting].bot]


def _engine(url: str) -> Engine:
    engine = create_engine(url)
    if engine.dialect.name == "sqlite":
        event.listen(engine, "connect", _durable)
    return engine


def _durable(connection: Any, _: object) -> None:
    """An acknowledged action survives a crash; readers never wait for a writer."""
    for pragma in ("busy_timeout=10000", "journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
        connection.execute(f"PRAGMA {pragma}")


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that will write, from its first statement on: all of it happens, or nothing."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        yield connection


def _insert_board(connection: Connection, table: StoredTable, text: str) -> None:
    """Store a board once, however many tables use it."""
    known = connection.scalar(select(BoardRow.digest).where(BoardRow.digest == table.board))
    if known is None:
        with suppress(IntegrityError), connection.begin_nested():  # another process may store it too
            connection.execute(insert(BoardRow), {"digest": table.board, "title": table.title, "text": text})


def _insert(connection: Connection, write: PendingWrite) -> None:
    try:
        with connection.begin_nested():
            connection.execute(_ADD, write.rows)
            connection.execute(_CHANGE, write.change)
    except IntegrityError:
        write.error = SequenceConflict()


def _migrate(engine: Engine) -> None:
    """Bring the database to the newest form; a new one is made."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with _writing(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(tzinfo=None)


def _seats_json(seats: list[StoredSeat]) -> str:
    return json.dumps([asdict(seat) for seat in seats], ensure_ascii=False)


def _read_seats(text: str) -> list[StoredSeat]:
    return [StoredSeat(**seat) for seat in json.loads(text)]


def _stored(row: TableRow, origin: str) -> StoredTable:
    return StoredTable(
        id=row.id,
        title=row.title,
        board=row.board,
        rules=row.rules,
        options=json.loads(row.options),
        seats=_read_seats(row.seats),
        host=row.host,
        origin=json.loads(origin),
        waiting=row.waiting,
        changed=row.changed,
    )
