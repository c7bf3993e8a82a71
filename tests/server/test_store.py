"""What is kept, and that of two writers only one wins."""

from __future__ import annotations

import asyncio
import logging
import subprocess
import sys
from collections.abc import Iterator, Sequence

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from cuberails.server.connections import Change, Changes, Connection, SequenceConflict, SqliteConnection, Write
from cuberails.server.models import Base
from cuberails.server.postgres import PostgresConnection
from cuberails.server.settings import Settings
from cuberails.server.store import (
    ACT,
    Claim,
    Entry,
    Store,
    StoredSeat,
    StoredTable,
    appending,
    claiming,
    creating,
    now,
    seats_json,
)
from cuberails.server.writer import WriteFailed, Writer
from tests.server.house import until


@pytest.fixture
def store(database: str) -> Iterator[Store]:
    """All of this holds on SQLite and on PostgreSQL."""
    store = Store(Settings(database=database).database_url)
    yield store
    store.close()


@pytest.fixture
def connection(store: Store) -> Iterator[Connection]:
    connection = store.connect()
    yield connection
    connection.close()


def stored(id: str = "t", waiting: int = 0, bot: str = "") -> StoredTable:
    return StoredTable(
        id, "wabash", "digest", 1, {}, [StoredSeat("Ann", bot), StoredSeat("Bob")], "host", [], waiting, now()
    )


def create(connection: Connection, *tables: StoredTable, claims: Sequence[Claim] = ()) -> None:
    assert not any(connection.write([creating(table, "text", list(claims)) for table in tables]))


def entries(id: str, *seqs: int) -> Write:
    return appending(id, [Entry(seq, ACT, "pass", 0) for seq in seqs], 0, seats_json(stored().seats), len(seqs))


def seqs(store: Store, id: str = "t") -> list[int]:
    return [entry.seq for entry in store.entries(id, 0)]


def test_migrations_make_what_the_models_say(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_an_acknowledged_entry_is_on_the_disk(store: Store) -> None:
    connection = store.connect()
    if isinstance(connection, SqliteConnection):
        assert connection._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert connection._connection.execute("PRAGMA synchronous").fetchone() == (2,)  # FULL
    else:
        with store.engine.connect() as reader:
            assert reader.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"
    connection.close()


def test_the_same_number_is_written_once(store: Store, connection: Connection) -> None:
    create(connection, stored())
    assert connection.write([entries("t", 1)]) == [False]
    assert connection.write([entries("t", 1)]) == [True]
    assert connection.write([entries("t", 2), entries("t", 2)]) == [False, True]
    assert seqs(store) == [1, 2]


def test_entries_are_written_all_or_none(store: Store, connection: Connection) -> None:
    create(connection, stored())
    assert connection.write([entries("t", 2)]) == [False]
    assert connection.write([entries("t", 1, 2)]) == [True]
    assert seqs(store) == [2]


def test_that_somebody_was_quicker_is_no_trouble_to_be_logged(caplog: pytest.LogCaptureFixture) -> None:
    """The driver for PostgreSQL would warn of it, though it raises the error besides; not each time, but in races."""
    logging.getLogger("psycopg").warning("error ignored terminating %r: %s", "pipeline", "pipeline aborted")
    assert caplog.messages == []


def test_what_is_given_back_after_the_store_was_closed_is_closed(database: str) -> None:
    """A thread still read at that moment."""
    store = Store(Settings(database=database).database_url)
    with store.engine.connect() as connection:
        raw = connection.connection.dbapi_connection
        assert raw is not None
        store.close()
        assert connection.exec_driver_sql("SELECT 1").scalar_one() == 1
    with pytest.raises(Exception, match="closed"):
        raw.cursor()


def test_of_a_batch_only_what_conflicts_is_left_out(store: Store, connection: Connection) -> None:
    create(connection, *(stored(f"t{n}") for n in range(4)))
    connection.write([entries("t1", 1), entries("t3", 2)])
    batch = [entries("t0", 1), entries("t1", 1), entries("t2", 1, 2), entries("t3", 1, 2)]
    assert connection.write(batch) == [False, True, False, True]
    assert [seqs(store, f"t{n}") for n in range(4)] == [[1], [1], [1, 2], [2]]


def test_somebody_comes_to_one_table_while_another_is_made(store: Store, connection: Connection) -> None:
    """The same statement adds rows for both, and the other table is not there when the first of them are added."""
    create(connection, stored("a"))
    assert connection.write([claiming("a", 1, "bob"), creating(stored("b"), "text", [(0, "ann")])]) == [False, False]
    assert (set(store.claims("a")), set(store.claims("b"))) == ({(1, "bob")}, {(0, "ann")})


def test_only_what_others_wrote_is_a_change(store: Store, connection: Connection) -> None:
    found: list[Changes] = []
    connection.listen(found.append)
    create(connection, stored())
    connection.write([entries("t", 1)])
    assert connection.changes() == []
    other = store.connect()
    other.write([entries("t", 2, 3)])

    def noticed() -> bool:
        changes = connection.changes()
        return changes is None or found == [[Change("t", 3)]]

    until(noticed)
    assert connection.changes() == []
    other.close()


# The writer


def written(store: Store, *writes: Write) -> list[Exception | None]:
    """What becomes of writes that a writer gets all at once."""

    async def write() -> list[Exception | None]:
        writer = Writer(store.connect, lambda _: None)
        writer.start()
        outcomes = await asyncio.gather(*map(writer.write, writes), return_exceptions=True)
        await asyncio.to_thread(writer.close)
        return [outcome if isinstance(outcome, Exception) else None for outcome in outcomes]

    return asyncio.run(write())


def test_many_writers_share_transactions_and_each_learns_its_own_fate(store: Store, connection: Connection) -> None:
    create(connection, *(stored(f"t{n}") for n in range(4)))
    outcomes = written(store, *(entries(f"t{n % 4}", 1 + n // 8) for n in range(32)))
    assert [outcome is None for outcome in outcomes] == ([True] * 4 + [False] * 4) * 4
    assert all(isinstance(outcome, SequenceConflict) for outcome in outcomes if outcome)
    assert all(seqs(store, f"t{n}") == [1, 2, 3, 4] for n in range(4))


def test_a_failure_of_the_disk_reaches_the_writer(
    store: Store, connection: Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    create(connection, stored())
    for kind in (SqliteConnection, PostgresConnection):
        monkeypatch.setattr(kind, "_write_together", full)
    (outcome,) = written(store, entries("t", 1))
    assert isinstance(outcome, WriteFailed)
    assert "no space left" in str(outcome)
    monkeypatch.undo()
    assert written(store, entries("t", 1)) == [None]
    assert seqs(store) == [1]


# What is read


def test_after_a_restart_only_tables_with_bots_or_dice_to_decide_are_resumed(
    store: Store, connection: Connection
) -> None:
    for id, waiting, bot in [("bot", 0, "greedy"), ("person", 1, "greedy"), ("dice", -1, ""), ("over", -2, "greedy")]:
        create(connection, stored(id, waiting, bot))
    assert sorted(store.unattended()) == ["bot", "dice"]


def test_a_seat_can_be_claimed_twice(store: Store, connection: Connection) -> None:
    create(connection, stored(), claims=[(0, "ann")])
    assert connection.write([claiming("t", 0, "ann"), claiming("t", 1, "ann")]) == [False, False]
    assert sorted(store.claims("t")) == [(0, "ann"), (1, "ann")]
    assert [(table.id, seats) for table, seats in store.tables_of("ann")] == [("t", [0, 1])]


def test_the_list_of_tables_is_short_and_light(store: Store, connection: Connection) -> None:
    for n in range(6):
        table = stored(f"t{n}")
        table.origin = ["pass"] * 1000
        create(connection, table, claims=[(0, "ann"), (1, "ann")])
    found = store.tables_of("ann", 4)
    assert [(table.id, seats) for table, seats in found] == [(f"t{n}", [0, 1]) for n in (5, 4, 3, 2)]
    assert all(table.origin == [] for table, _ in found)
    assert store.table("t5") is not None
    assert [table.id for table, _ in store.tables_of("ann", 4, first=["t0", "t4"])] == ["t4", "t0", "t5", "t3"]


def test_the_newest_numbers(store: Store, connection: Connection) -> None:
    create(connection, *(stored(id) for id in "tuv"))
    connection.write([entries("t", 1, 2, 3), entries("u", 1)])
    assert store.newest(["t", "v"]) == {"t": 3}


def test_four_processes_can_make_the_same_new_database(database: str) -> None:
    url = Settings(database=database).database_url
    code = f"from cuberails.server.store import Store; Store({url!r}).close()"
    started = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [process.wait() for process in started] == [0] * 4
