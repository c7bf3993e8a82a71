"""The database: tables, their boards and logs, and who may play which seat. SQLite by default, any SQLAlchemy URL."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from sys import intern

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import bindparam, case, create_engine, event, func, make_url, select
from sqlalchemy.engine import Connection, Engine, ExceptionContext
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import DisconnectionError
from sqlalchemy.orm import Session, aliased, defer

from cuberails.core.state import CHANCE, NOBODY
from cuberails.core.title import SetupError
from cuberails.server.chat import ChatLine
from cuberails.server.clock import Clock, Timestamp, stored_time, timestamp
from cuberails.server.club.clocks import UNTIMED, TimeControl, read_time_control
from cuberails.server.club.timing import Timing
from cuberails.server.connections import Connection as WriterConnection
from cuberails.server.connections import Locks, NoLocks, SqliteConnection, Statement, Write
from cuberails.server.models import AnalysisRow, BoardRow, ChatRow, ClaimRow, EntryRow, MuteRow, NoteRow, TableRow
from cuberails.server.sqlitefile import FileConnection, SqliteFile, needs_reopening
from cuberails.server.trouble import Trouble

ACT, UNDO, REDO, ASK, YES, NO, SEAT = "act", "undo", "redo", "ask", "yes", "no", "seat"
NAME, REMATCH, TIMEOUT, REMOVE = "name", "rematch", "timeout", "remove"
KINDS = (ACT, UNDO, REDO, ASK, YES, NO, SEAT, NAME, REMATCH, TIMEOUT, REMOVE)
"""The kinds of entries: an action, undo and redo, a request to undo and the answers to it, a change of player, a new
name for a seat, another table where the same people play once more, and a bot that takes a seat whose time is up."""

LATE = "late"
"""The text of a `NO` that nobody has said: a bot does not wait for an answer any longer."""


@dataclass
class StoredSeat:
    """A place at a table: `bot` is the level of the bot that plays it now, or empty; `key` is what the
    key of its link is made from, or empty if it has none."""

    name: str
    bot: str = ""
    key: str = ""


@dataclass(slots=True)  # a table has hundreds
class Entry:
    """One line of a table's log; `person` made it, "" if that was a bot, or is not known.

    `ordered`: it was carried out for a standing order of that person. `at` is when it was made, and `spent` how many
    seconds it took of the clock that ran before it; None if none ran.
    """

    seq: int
    kind: str
    text: str
    seat: int
    person: str = ""
    ordered: bool = False
    at: Timestamp = 0.0
    spent: float | None = None


@dataclass
class StoredTable:
    """A table as it is stored; the digest of its board is "" for the built-in one.

    `parent` is the table that it comes from: forked after `parent_count` actions, or with -1 as a rematch. `actions` is
    how many are in force. Without `help` nobody may ask for hints there. `visibility` says who finds it,
    `rated` whether the game counts for ratings.
    """

    id: str
    title: str
    board_digest: str
    rules: int
    options: dict[str, str]
    seats: list[StoredSeat]
    host: str
    origin: list[str]
    waiting: int
    changed: dt.datetime
    actions: int = 0
    parent: str = ""
    parent_count: int = -1
    help: bool = True
    visibility: str = "unlisted"
    time_control: TimeControl = UNTIMED
    deadline: dt.datetime | None = None
    """Not after the clock that runs is over: later, if the server was away since then."""
    rated: bool = False


_LOGGED = (EntryRow.seq, EntryRow.kind, EntryRow.text, EntryRow.seat, EntryRow.person, EntryRow.ordered, EntryRow.at)
_ENTRIES = (
    select(*_LOGGED, EntryRow.spent)
    .where(EntryRow.table_id == bindparam("id"), EntryRow.seq > bindparam("after"))
    .order_by(EntryRow.seq)
)

# What the writer does, as SQL that every database understands

_ADD_ENTRY = (
    "INSERT INTO entries (table_id, seq, kind, text, seat, person, at, ordered, spent)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_CHANGE_TABLE = "UPDATE tables SET waiting = ?, seats = ?, actions = ?, changed = ?, deadline = ? WHERE id = ?"
ADD_BOARD = "INSERT INTO boards (digest, title, text) VALUES (?, ?, ?) ON CONFLICT DO NOTHING"
_ADD_TABLE = (
    "INSERT INTO tables (id, title, board, rules, options, seats, host, origin, waiting, created, changed,"
    " actions, parent, parent_count, help, visibility, time_control, deadline, rated)"
    " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_ADD_LINE = "INSERT INTO chat (table_id, number, seat, text, at) VALUES (?, ?, ?, ?, ?)"
_SET_NOTE = (
    "INSERT INTO notes (table_id, person, text) VALUES (?, ?, ?)"
    " ON CONFLICT (table_id, person) DO UPDATE SET text = excluded.text"
)
_SET_ANALYSIS = (
    "INSERT INTO analyses (table_id, budget, record, complete, data, changed) VALUES (?, ?, ?, ?, ?, ?)"
    " ON CONFLICT (table_id, budget) DO UPDATE SET record = excluded.record, complete = excluded.complete,"
    " data = excluded.data, changed = excluded.changed"
)
_VACATE = [f"DELETE FROM {name} WHERE table_id = ? AND seat = ?" for name in ("claims", "orders")]
_OF_TABLES = ("entries", "chat", "notes", "claims", "orders", "analyses", "results", "calls", "mutes")
"""Where something stands that belongs to a table, in its column `table_id`."""
_DELETE = [f"DELETE FROM {name} WHERE table_id = ?" for name in _OF_TABLES] + [
    "UPDATE tables SET parent = '', parent_count = -1 WHERE parent = ?",
    "DELETE FROM tables WHERE id = ?",
]
_ADD_CLAIM = "INSERT INTO claims (table_id, seat, person, at) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING"

Claim = tuple[int, str]
"""A seat, and somebody who may play it."""

Claims = dict[Claim, dt.datetime | None]
"""Who may play which seat, and since when; None if that was not noted."""


def appending(
    id: str, entries: list[Entry], waiting: int, seats: str, actions: int, deadline: Timestamp | None = None
) -> Write:
    """Entries for the log of a table, who decides after them, who sits where (as JSON), how many actions count, and
    when the clock is over that runs then."""
    time = time_text(stored_time(entries[-1].at))
    rows: list[tuple[object, ...]] = [
        (id, entry.seq, entry.kind, entry.text, entry.seat, entry.person, time, entry.ordered, entry.spent)
        for entry in entries
    ]
    change = (waiting, seats, actions, time, deadline_text(deadline), id)
    removed: list[tuple[object, ...]] = [(id, entry.seat) for entry in entries if entry.kind == REMOVE]
    vacating = [(sql, removed) for sql in _VACATE if removed]
    return Write(id, [(_ADD_ENTRY, rows), (_CHANGE_TABLE, [change]), *vacating], entries[-1].seq)


def creating(table: StoredTable, board_text: str, claims: list[Claim]) -> Write:
    """A new table on a board with this text; `claims` are the seats that belong to somebody from the start."""
    row = (
        table.id,
        table.title,
        table.board_digest,
        table.rules,
        json.dumps(table.options),
        seats_json(table.seats),
        table.host,
        json.dumps(table.origin),
        table.waiting,
        time_text(table.changed),
        time_text(table.changed),
        len(table.origin),
        table.parent,
        table.parent_count,
        table.help,
        table.visibility,
        table.time_control.text(),
        table.deadline and time_text(table.deadline),
        table.rated,
    )
    board = (table.board_digest, table.title, board_text)
    owners: list[tuple[object, ...]] = [(table.id, seat, person, time_text(table.changed)) for seat, person in claims]
    return Write(table.id, [(ADD_BOARD, [board]), (_ADD_TABLE, [row]), (_ADD_CLAIM, owners)])


def claiming(id: str, seat: int, person: str, at: dt.datetime | None = None) -> Write:
    """Somebody may play a seat; it may have been claimed before."""
    return Write(id, [(_ADD_CLAIM, [(id, seat, person, time_text(at or now()))])], announced=True)


def saying(id: str, line: ChatLine) -> Write:
    """Somebody says something at a table."""
    row = (id, line.number, line.seat, line.text, time_text(line.at))
    return Write(id, [(_ADD_LINE, [row])], announced=True)


def deleting(id: str) -> list[Statement]:
    """Nothing remains of a table."""
    return [(sql, [(id,)]) for sql in _DELETE]


def noting(id: str, person: str, text: str) -> Write:
    """Somebody notes something about a table, in place of what was noted before."""
    return Write(id, [(_SET_NOTE, [(id, person, text)])])


def keeping_analysis(id: str, budget: str, record: str, complete: bool, data: bytes) -> Write:
    """What an analysis of a table's game, which has this digest, has found out, in place of what was kept before."""
    return Write(id, [(_SET_ANALYSIS, [(id, budget, record, complete, data, time_text(now()))])])


class Store:
    """What is in the database, for whoever reads it, each in one transaction. The writer writes."""

    def __init__(self, url: str, clock: Clock | None = None) -> None:
        """The database with this URL; all that is stored is stored by this clock."""
        self.url = url
        self.timing = Timing(clock or Clock())
        self.trouble = Trouble()
        self.file = _file(url)
        self.engine = _engine(url, self.file)
        self._closed = False
        event.listen(self.engine, "checkin", self._close_late)
        migrate(self.engine)

    def close(self) -> None:
        self._closed = True
        self.engine.dispose()

    def _close_late(self, connection: DBAPIConnection | None, *_: object) -> None:
        """Close what a thread gives back that was still reading when the store was closed: no pool would."""
        if self._closed and connection is not None:
            connection.close()

    def connect(self) -> WriterConnection:
        """A connection for the writer."""
        if self.file is None:
            from cuberails.server.postgres import PostgresConnection  # an extra, which others need not install

            return PostgresConnection(self.driver_url)
        return SqliteConnection(self.file, lambda: migrate(self.engine))

    def locks(self) -> Locks:
        """Which process has its bots think at which table."""
        if self.shared:
            from cuberails.server.postgres import TableLocks

            return TableLocks(self.driver_url)
        return NoLocks()

    @property
    def shared(self) -> bool:
        """Whether several processes are meant to serve it."""
        return self.engine.dialect.name == "postgresql"

    @property
    def driver_url(self) -> str:
        """The database as its driver wants it."""
        return self.engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    @contextmanager
    def session(self) -> Iterator[Session]:
        """A transaction that reads."""
        with Session(self.engine) as session, session.begin():
            yield session

    def table(self, id: str) -> StoredTable | None:
        with self.session() as session:
            row = session.get(TableRow, id)
            return _stored(row, row.origin) if row else None

    def board_text(self, digest: str) -> str | None:
        """The text of a stored board."""
        with self.engine.connect() as connection:
            return connection.scalar(select(BoardRow.text).where(BoardRow.digest == digest))

    def entries(self, id: str, after: int) -> list[Entry]:
        """The log of a table behind a sequence number."""
        with self.engine.connect() as connection:
            rows = connection.execute(_ENTRIES, {"id": id, "after": after})
            return [
                Entry(seq, kind, text, seat, intern(person), ordered, timestamp(at), spent)
                for seq, kind, text, seat, person, ordered, at, spent in rows
            ]

    def newest(self, ids: list[str]) -> dict[str, int]:
        """The last number in the logs of these tables; those without any entry are left out."""
        query = (
            select(EntryRow.table_id, func.max(EntryRow.seq).label("seq"))
            .where(EntryRow.table_id.in_(ids))
            .group_by(EntryRow.table_id)
        )
        with self.engine.connect() as connection:
            return {row.table_id: row.seq for row in connection.execute(query)}

    def claims(self, id: str) -> Claims:
        """Who may play which seat of a table."""
        query = select(ClaimRow.seat, ClaimRow.person, ClaimRow.at).where(ClaimRow.table_id == id)
        with self.engine.connect() as connection:
            return {(seat, person): at for seat, person, at in connection.execute(query)}

    def chat(self, id: str, after: int, most: int) -> list[ChatLine]:
        """The last lines of a table's chat behind a number, at most so many."""
        query = (
            select(ChatRow.number, ChatRow.seat, ChatRow.text, ChatRow.at)
            .where(ChatRow.table_id == id, ChatRow.number > after)
            .order_by(ChatRow.number.desc())
            .limit(most)
        )
        with self.engine.connect() as connection:
            return [ChatLine(*row) for row in connection.execute(query)][::-1]

    def note(self, id: str, person: str) -> str:
        """What somebody noted about a table."""
        query = select(NoteRow.text).where(NoteRow.table_id == id, NoteRow.person == person)
        with self.engine.connect() as connection:
            return connection.scalar(query) or ""

    def analyses(self, id: str, record: str) -> dict[str, bool]:
        """The analyses of a table's game, if it has this digest, by budget; whether each is complete."""
        query = select(AnalysisRow.budget, AnalysisRow.complete)
        with self.engine.connect() as connection:
            rows = connection.execute(query.where(AnalysisRow.table_id == id, AnalysisRow.record == record))
            return {row.budget: row.complete for row in rows}

    def analysis(self, id: str, record: str, budget: str) -> bytes | None:
        """What an analysis of a table's game, if it has this digest, has found out so far."""
        query = select(AnalysisRow.data).where(AnalysisRow.table_id == id, AnalysisRow.record == record)
        with self.engine.connect() as connection:
            return connection.scalar(query.where(AnalysisRow.budget == budget))

    def unfinished_analyses(self) -> list[tuple[str, str]]:
        """The analyses that are not complete, by table and budget; after a restart they are resumed."""
        query = select(AnalysisRow.table_id, AnalysisRow.budget).where(AnalysisRow.complete.is_(False))
        with self.engine.connect() as connection:
            return [(id, budget) for id, budget in connection.execute(query.order_by(AnalysisRow.changed))]

    def sociable(self, ids: list[str]) -> dict[str, tuple[int, int]]:
        """Of these tables, how many claims there are to seats, and the number of the last line of the chat."""
        lines = select(func.max(ChatRow.number)).where(ChatRow.table_id == ClaimRow.table_id).scalar_subquery()
        query = (
            select(ClaimRow.table_id, func.count(), func.coalesce(lines, 0))
            .where(ClaimRow.table_id.in_(ids))
            .group_by(ClaimRow.table_id)
        )
        with self.engine.connect() as connection:
            return {id: (claims, last) for id, claims, last in connection.execute(query)}

    def is_known(self, person: str) -> bool:
        """Whether somebody has a seat anywhere, or is the host of a table."""
        claims = select(ClaimRow.person).where(ClaimRow.person == person).limit(1)
        hosts = select(TableRow.host).where(TableRow.host == person).limit(1)
        with self.engine.connect() as connection:
            return (connection.scalar(claims) or connection.scalar(hosts)) is not None

    def tables_of(self, person: str, most: int = 50, first: Sequence[str] = ()) -> list[tuple[StoredTable, list[int]]]:
        """The tables of a person with the seats there, those in `first` before others, the latest first; what they
        began with is left out."""
        own = select(ClaimRow.table_id).where(ClaimRow.person == person)
        order = (case((TableRow.id.in_(first), 0), else_=1), TableRow.changed.desc())
        latest = select(TableRow).where(TableRow.id.in_(own)).order_by(*order).limit(most)
        with self.session() as session:
            rows = list(session.scalars(latest.options(defer(TableRow.origin))))
            claims = select(ClaimRow.table_id, ClaimRow.seat).where(
                ClaimRow.person == person, ClaimRow.table_id.in_([row.id for row in rows])
            )
            seats: dict[str, list[int]] = {row.id: [] for row in rows}
            for id, seat in session.execute(claims):
                seats[id].append(seat)
            found = [(_readable(row), sorted(seats[row.id])) for row in rows]
            return [(table, own) for table, own in found if table is not None]

    def traces_of(self, person: str) -> dict[str, set[int]]:
        """The tables whose logs tell of somebody who has no seat there, with the seats that they have played or named
        before they were removed. This looks through all logs."""
        seated = select(ClaimRow.table_id).where(ClaimRow.person == person)
        query = select(EntryRow.table_id, EntryRow.seat, EntryRow.kind).where(EntryRow.person == person).distinct()
        found: dict[str, set[int]] = {}
        with self.engine.connect() as connection:
            for id, seat, kind in connection.execute(query.where(EntryRow.table_id.not_in(seated))):
                found.setdefault(id, set()).update([seat] if kind in (ACT, NAME) else [])
        return found

    def forks_of(self, id: str) -> list[str]:
        """The tables that continue from a moment of this one."""
        query = select(TableRow.id).where(TableRow.parent == id, TableRow.parent_count >= 0)
        with self.engine.connect() as connection:
            return list(connection.scalars(query))

    def public_tables(self, most: int = 30) -> list[StoredTable]:
        """The games that everybody may watch and that are not over, the latest first."""
        query = select(TableRow).where(TableRow.visibility == "public", TableRow.waiting != NOBODY)
        latest = query.order_by(TableRow.changed.desc()).limit(most).options(defer(TableRow.origin))
        with self.session() as session:
            found = [_readable(row) for row in session.scalars(latest)]
            return [table for table in found if table is not None]

    def is_muted(self, person: str, id: str) -> bool:
        """Whether somebody does not want to be called about a table."""
        with self.session() as session:
            return session.get(MuteRow, (person, id)) is not None

    def waiting_for(self, person: str, most: int = 200) -> list[StoredTable]:
        """The tables where somebody is waited for, the longest first; what they began with is left out."""
        decides = (ClaimRow.table_id == TableRow.id) & (ClaimRow.seat == TableRow.waiting)
        query = select(TableRow).join(ClaimRow, decides).where(ClaimRow.person == person)
        with self.session() as session:
            rows = session.scalars(query.options(defer(TableRow.origin)).order_by(TableRow.changed).limit(most))
            found = [_readable(row) for row in rows]
        return [table for table in found if table is not None and not table.seats[table.waiting].bot]

    def unfinished(self, host: str) -> int:
        """How many tables of a host have games that are not over."""
        query = select(func.count()).where(TableRow.host == host, TableRow.waiting != NOBODY)
        with self.engine.connect() as connection:
            return connection.scalar(query) or 0

    def plays_without_help(self, id: str) -> bool:
        """Whether a game without help is not over yet: at this table, or at one that it was forked from."""
        query = select(TableRow.help, TableRow.waiting, TableRow.parent, TableRow.parent_count)
        with self.engine.connect() as connection:
            while id and (row := connection.execute(query.where(TableRow.id == id)).one_or_none()):
                if not row.help and row.waiting != NOBODY:
                    return True
                id = row.parent if row.parent_count >= 0 else ""
        return False

    def running_without_help(self, person: str, title: str, board_digest: str, most: int = 50) -> list[StoredTable]:
        """The tables of a person where a title is played on a board without help and is not over, the latest first.

        Those that only have no help because the table that they come from has none are left out.
        """
        own = select(ClaimRow.table_id).where(ClaimRow.person == person)
        parent = aliased(TableRow)
        inherited = select(parent.id).where(parent.id == TableRow.parent, parent.help.is_(False)).exists()
        query = (
            select(TableRow)
            .where(TableRow.id.in_(own), TableRow.help.is_(False), TableRow.waiting != NOBODY)
            .where(TableRow.title == title, TableRow.board_digest == board_digest)
            .where((TableRow.parent_count < 0) | ~inherited)
        )
        with self.session() as session:
            rows = session.scalars(query.order_by(TableRow.changed.desc()).limit(most))
            found = [_readable(row, row.origin) for row in rows]
            return [table for table in found if table is not None]

    def unattended(self) -> list[str]:
        """The tables where a bot or dice decide; after a restart they are resumed."""
        query = select(TableRow.id, TableRow.waiting, TableRow.seats).where(TableRow.waiting > NOBODY)
        with self.engine.connect() as connection:
            rows = list(connection.execute(query))
        return [id for id, waiting, seats in rows if waiting == CHANCE or _bot_at(seats, waiting)]


def _file(url: str) -> SqliteFile | None:
    """The file of a database; None if it is no file."""
    parsed = make_url(url)
    if parsed.get_backend_name() != "sqlite":
        return None
    _make_private_file(parsed.database or "")
    return SqliteFile(parsed.database or "")


def _make_private_file(name: str) -> None:
    """Make a new database file that only its owner can read; SQLite gives the files beside it the same mode."""
    with suppress(OSError):  # it is there, or cannot be: SQLite will say what is wrong
        os.close(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o600))


def _engine(url: str, file: SqliteFile | None) -> Engine:
    if file is not None:
        engine = create_engine(url, creator=file.connect, hide_parameters=True)  # errors are logged
        event.listen(engine, "checkout", partial(_check_file, file))
        event.listen(engine, "handle_error", _note_bad_file)
        return engine
    try:
        return create_engine(url, hide_parameters=True)
    except ImportError:
        raise SetupError("PostgreSQL needs psycopg: pip install 'cuberails[postgres]'") from None


def _check_file(file: SqliteFile, connection: FileConnection, *_: object) -> None:
    """A pooled connection to a file that another has replaced is not used any more."""
    if connection.file_id != file.id:
        raise DisconnectionError("another file has taken the place of the database")


def _note_bad_file(context: ExceptionContext) -> None:
    """Have all pooled connections made anew after one has met a bad file."""
    context.is_disconnect = context.is_disconnect or needs_reopening(context.original_exception)


_MIGRATING = 5_228_117
"""The number of the lock that is held while the database is brought to its newest form."""


@contextmanager
def _writing(engine: Engine) -> Iterator[Connection]:
    """A transaction that alone changes the form of the database: all of it happens, or nothing."""
    with engine.begin() as connection:
        if engine.dialect.name == "sqlite":
            connection.exec_driver_sql("BEGIN IMMEDIATE")
        else:  # of several processes that start at once, one makes the tables
            connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_MIGRATING})")
        yield connection


def migrate(engine: Engine, revision: str = "head") -> None:
    """Bring the database to this form, the newest unless one is named; a new one is made."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    with _writing(engine) as connection:
        config.attributes["connection"] = connection
        try:
            command.upgrade(config, revision)
        except CommandError:  # it names a migration that this version does not know
            raise SetupError("the tables were saved by a newer version of cuberails; start that one") from None


def now() -> dt.datetime:
    return dt.datetime.now(dt.UTC).replace(tzinfo=None)


def deadline_text(deadline: Timestamp | None) -> str | None:
    return None if deadline is None else time_text(stored_time(deadline))


def time_text(time: dt.datetime) -> str:
    """A time as all databases read it, and as SQLite sorts it."""
    return time.isoformat(" ", "microseconds")


def seats_json(seats: list[StoredSeat]) -> str:
    return json.dumps([asdict(seat) for seat in seats], ensure_ascii=False)


DAMAGED = (LookupError, TypeError, ValueError)
"""What happens to whoever reads a table that was damaged, or written by a version to come."""


def _read_seats(text: str) -> list[StoredSeat]:
    return [StoredSeat(seat["name"], seat["bot"], seat["key"]) for seat in json.loads(text)]


def _bot_at(seats: str, waiting: int) -> str:
    """The bot at a seat; none if that cannot be read."""
    try:
        return _read_seats(seats)[waiting].bot
    except DAMAGED:
        return ""


def _readable(row: TableRow, origin: str = "[]") -> StoredTable | None:
    """A table for a list, without what it began with unless that is given; None if it cannot be read."""
    try:
        return _stored(row, origin)
    except DAMAGED:
        return None


def _stored(row: TableRow, origin: str) -> StoredTable:
    seats = _read_seats(row.seats)
    if row.waiting >= len(seats):
        raise ValueError(f"seat {row.waiting} decides, of {len(seats)}")
    return StoredTable(
        id=row.id,
        title=row.title,
        board_digest=row.board_digest,
        rules=row.rules,
        options=json.loads(row.options),
        seats=seats,
        host=row.host,
        origin=json.loads(origin),
        waiting=row.waiting,
        changed=row.changed,
        actions=row.actions,
        parent=row.parent,
        parent_count=row.parent_count,
        help=row.help,
        visibility=row.visibility,
        time_control=read_time_control(row.time_control),
        deadline=row.deadline,
        rated=row.rated,
    )
