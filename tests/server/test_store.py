"""What is kept, and that of two writers only one wins."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext

from cuberails.server.models import Base
from cuberails.server.store import ACT, Entry, SequenceConflict, Store, StoredSeat, StoredTable, now


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'store.db'}")
    yield store
    store.close()


def stored(id: str = "t", waiting: int = 0, bot: str = "") -> StoredTable:
    return StoredTable(
        id, "wabash", "digest", 1, {}, [StoredSeat("Ann", bot), StoredSeat("Bob")], "host", [], waiting, now()
    )


def add(store: Store, id: str, *seqs: int) -> None:
    store.append(id, [Entry(seq, ACT, "pass", 0) for seq in seqs], 0, stored().seats)


def seqs(store: Store, id: str = "t") -> list[int]:
    return [entry.seq for entry in store.entries(id, 0)]


def test_migrations_make_what_the_models_say(store: Store) -> None:
    with store.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []


def test_an_acknowledged_entry_is_on_the_disk(store: Store) -> None:
    with store.engine.connect() as connection:
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2  # FULL


def test_the_same_number_is_written_once(store: Store) -> None:
    store.create(stored(), "text", [])
    add(store, "t", 1)
    with pytest.raises(SequenceConflict):
        add(store, "t", 1)
    assert seqs(store) == [1]


def test_entries_are_written_all_or_none(store: Store) -> None:
    store.create(stored(), "text", [])
    add(store, "t", 2)
    with pytest.raises(SequenceConflict):
        add(store, "t", 1, 2)
    assert seqs(store) == [2]


def test_many_writers_share_transactions_and_each_learns_its_own_fate(store: Store) -> None:
    for n in range(4):
        store.create(stored(f"t{n}"), "text", [])

    def write(n: int) -> bool:
        try:
            add(store, f"t{n % 4}", 1 + n // 8)
        except SequenceConflict:
            return False
        return True

    with ThreadPoolExecutor(16) as pool:
        won = list(pool.map(write, range(32)))
    assert sum(won) == 16
    assert all(seqs(store, f"t{n}") == [1, 2, 3, 4] for n in range(4))


def test_a_failure_of_the_disk_reaches_the_writer(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError("no space left")

    store.create(stored(), "text", [])
    monkeypatch.setattr("cuberails.server.store._insert", full)
    with pytest.raises(OSError, match="no space"):
        add(store, "t", 1)
    monkeypatch.undo()
    add(store, "t", 1)
    assert seqs(store) == [1]


def test_after_a_restart_only_tables_with_bots_or_dice_to_decide_are_resumed(store: Store) -> None:
    for id, waiting, bot in [("bot", 0, "greedy"), ("person", 1, "greedy"), ("dice", -1, ""), ("over", -2, "greedy")]:
        store.create(stored(id, waiting, bot), "text", [])
    assert sorted(store.unattended()) == ["bot", "dice"]


def test_a_seat_can_be_claimed_twice(store: Store) -> None:
    store.create(stored(), "text", [(0, "ann")])
    store.claim("t", 0, "ann")
    store.claim("t", 1, "ann")
    assert store.claims("t", "ann") == [0, 1]
    assert store.claimed("t") == {0, 1}
    assert [(table.id, seats) for table, seats in store.tables_of("ann")] == [("t", [0, 1])]


def test_the_list_of_tables_is_short_and_light(store: Store) -> None:
    for n in range(6):
        table = stored(f"t{n}")
        table.origin = ["pass"] * 1000
        store.create(table, "text", [(0, "ann"), (1, "ann")])
    found = store.tables_of("ann", 4)
    assert [(table.id, seats) for table, seats in found] == [(f"t{n}", [0, 1]) for n in (5, 4, 3, 2)]
    assert all(table.origin == [] for table, _ in found)
    assert store.table("t5") is not None


def test_newest_numbers_and_snapshots(store: Store) -> None:
    for id in ("t", "u", "v"):
        store.create(stored(id), "text", [])
    add(store, "t", 1, 2, 3)
    add(store, "u", 1)
    assert store.newest(["t", "v"]) == {"t": 3}
    assert store.snapshot("t", "this program") is None
    for content in (b"old", b"new"):
        store.save_snapshot("t", "this program", content)
    assert store.snapshot("t", "this program") == b"new"
    assert store.snapshot("t", "another") is None


def test_two_processes_can_make_the_same_new_database(tmp_path: Path) -> None:
    code = f"from cuberails.server.store import Store; Store('sqlite:///{tmp_path / 'new.db'}').close()"
    both = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(2)]
    assert [process.wait() for process in both] == [0, 0]
