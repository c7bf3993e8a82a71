"""What is kept: tables, their log of entries, and who may play which seat. SQLite by default, any SQLAlchemy URL."""

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
from sqlalchemy import (
    ForeignKey,
    Index,
    String,
    Text,
    bindparam,
    create_engine,
    delete,
    event,
    func,
    insert,
    select,
    update,
)
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, defer, mapped_column

from cuberails.core.state import CHANCE, NOBODY

ACT, UNDO, REDO, ASK, YES, NO, SEAT = "act", "undo", "redo", "ask", "yes", "no", "seat"
"""The kinds of entries: an action, going back and forth, a request to go back and the answers to it, a new player."""


class Base(DeclarativeBase):
    """The tables of the database."""


class TableRow(Base):
    """A table: what is played, by whom, and who decides next (a seat, -1 for chance, -2 when it is over)."""

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[str] = mapped_column(String(40))
    rules: Mapped[int]
    options: Mapped[str] = mapped_column(Text)
    seats: Mapped[str] = mapped_column(Text)
    host: Mapped[str] = mapped_column(String(64))
    origin: Mapped[str] = mapped_column(Text)
    waiting: Mapped[int] = mapped_column(index=True)
    created: Mapped[dt.datetime]
    changed: Mapped[dt.datetime] = mapped_column(index=True)


class EntryRow(Base):
    """One entry of a table's log. (table, seq) is unique: of two writers only one can win."""

    __tablename__ = "entries"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    text: Mapped[str] = mapped_column(Text)
    seat: Mapped[int]
    at: Mapped[dt.datetime]


class ClaimRow(Base):
    """A browser or program that may play a seat."""

    __tablename__ = "claims"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    __table_args__ = (Index("claims_by_person", "person"),)


class SnapshotRow(Base):
    """A table as it stood at some number of its log, packed by the program with this mark."""

    __tablename__ = "snapshots"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    program: Mapped[str] = mapped_column(String(64))
    content: Mapped[bytes]


@dataclass
class Seat:
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
class Kept:
    """A table as it is kept."""

    id: str
    title: str
    rules: int
    options: dict[str, str]
    seats: list[Seat]
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


class Taken(Exception):
    """Somebody else has written this entry first."""


class Addition:
    """Rows of a log that wait to be written with a change of their table, and what became of them."""

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
        self._queue: list[Addition] = []
        self._queue_lock = Lock()
        self._turn = Lock()
        _migrate(self.engine)

    def close(self) -> None:
        self.engine.dispose()

    @contextmanager
    def _session(self) -> Iterator[Session]:
        with Session(self.engine) as session, session.begin():
            yield session

    def create(self, table: Kept, claims: list[tuple[int, str]]) -> None:
        row = {
            "id": table.id,
            "title": table.title,
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
            connection.execute(insert(TableRow), row)
            if owners:
                connection.execute(insert(ClaimRow), owners)

    def table(self, id: str) -> Kept | None:
        with self._session() as session:
            row = session.get(TableRow, id)
            return _kept(row, row.origin) if row else None

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
        """What this very program has kept of a table last."""
        query = select(SnapshotRow.content).where(SnapshotRow.table_id == id, SnapshotRow.program == program)
        with self.engine.connect() as connection:
            return connection.scalar(query)

    def keep_snapshot(self, id: str, program: str, content: bytes) -> None:
        row = {"table_id": id, "program": program, "content": content}
        with suppress(IntegrityError), _writing(self.engine) as connection:  # another process may keep one too
            connection.execute(delete(SnapshotRow).where(SnapshotRow.table_id == id))
            connection.execute(insert(SnapshotRow), row)

    # Adding to the log: a disk takes its time to make sure of anything, so all who wait share one transaction

    def append(self, id: str, entries: list[Entry], waiting: int, seats: list[Seat]) -> None:
        """Write entries; Taken if one of their numbers is already there, and then none is written."""
        time = now()
        rows = [{"table_id": id, "at": time, **vars(entry)} for entry in entries]
        change = {"id_": id, "waiting_": waiting, "seats_": _seats_json(seats), "changed_": time}
        addition = Addition(rows, change)
        with self._queue_lock:
            self._queue.append(addition)
        with self._turn:
            if not addition.done:
                self._write_queue()
        if addition.error is not None:
            raise addition.error

    def _write_queue(self) -> None:
        with self._queue_lock:
            additions, self._queue = self._queue, []
        try:
            with _writing(self.engine) as connection:
                for addition in additions:
                    _write(connection, addition)
        except Exception as error:
            for addition in additions:
                addition.error = error
        for addition in additions:
            addition.done = True

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

    def tables_of(self, person: str, most: int = 50) -> list[tuple[Kept, list[int]]]:
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
            return [(_kept(row, "[]"), sorted(seats[row.id])) for row in rows]

    def unattended(self) -> list[str]:
        """Tables where a bot or dice decide; after a restart they go on."""
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


def _write(connection: Connection, addition: Addition) -> None:
    try:
        with connection.begin_nested():
            connection.execute(_ADD, addition.rows)
            connection.execute(_CHANGE, addition.change)
    except IntegrityError:
        addition.error = Taken()


def _migrate(engine: Engine) -> None:
    """Bring the database to the newest form; a new one is made."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with _writing(engine) as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(tzinfo=None)


def _seats_json(seats: list[Seat]) -> str:
    return json.dumps([asdict(seat) for seat in seats], ensure_ascii=False)


def _read_seats(text: str) -> list[Seat]:
    return [Seat(**seat) for seat in json.loads(text)]


def _kept(row: TableRow, origin: str) -> Kept:
    seats = _read_seats(row.seats)
    options = json.loads(row.options)
    return Kept(row.id, row.title, row.rules, options, seats, row.host, json.loads(origin), row.waiting, row.changed)
