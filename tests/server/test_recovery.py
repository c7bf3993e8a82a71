"""A database that is damaged, lost or replaced while the server runs: that is said, nothing acknowledged is lost.

The server continues by itself when the file is whole again.
"""

from __future__ import annotations

import gzip
import logging
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import httpx
import pytest

from cuberails.server.backup import back_up
from cuberails.server.checking import table_ids, table_problem
from cuberails.server.connections import Write
from cuberails.server.store import Store
from tests.server.house import Guests, Json, Listener, Person, served, until

RELEASES = Path(__file__).parent / "releases"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@contextmanager
def changed(file: Path) -> Iterator[sqlite3.Connection]:
    with closing(sqlite3.connect(file)) as database, database:
        yield database


@contextmanager
def visited(file: Path) -> Iterator[Guests]:
    """A server on this database, and people who come to it."""
    with served(file) as house:
        guests = Guests(house.address)
        yield guests
        guests.leave()


def test_a_database_that_becomes_unreadable_is_said_with_503_and_continues_when_it_was_restored(
    file: Path, caplog: pytest.LogCaptureFixture
) -> None:
    with visited(file) as visitor:
        ann = visitor()
        id = ann.open(seats=[{}, {}])["id"]
        with changed(file) as database:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        whole = file.read_bytes()
        _overwrite(file, 4096, b"\xff" * (len(whole) - 4096))
        for answer in [*_attempts(ann, id), *_attempts(ann, id)]:
            assert answer.status_code == 503, answer.text
            assert "try again" in answer.text
        assert not [record for record in caplog.records if record.exc_info]
        logged = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
        assert len(logged) == len(set(logged)), "each sentence is logged once"
        assert any("malformed" in sentence for sentence in logged)
        _overwrite(file, 0, whole)
        assert _answered(lambda: _act(ann, id, 0, "bid 9"))["seq"] == 1
        assert ann.open(seats=[{}, {}])["id"]
        assert len(ann.get("/api/tables")) == 2


def _answered(ask: Callable[[], httpx.Response]) -> Json:
    """The answer to what somebody tries until the server has noticed that its database is well again."""
    answers: list[httpx.Response] = []

    def well() -> bool:
        answers.append(ask())
        assert answers[-1].status_code in (200, 503), answers[-1].text
        return answers[-1].status_code == 200

    until(well)
    answer: Json = answers[-1].json()
    return answer


def _act(person: Person, id: str, seq: int, action: str) -> httpx.Response:
    body = {"seat": seq % 2, "seq": seq, "action": action}
    return person.http.post(f"/api/tables/{id}/act", json=body)


@pytest.mark.parametrize("log", ["beside it", "removed"])
def test_a_backup_takes_the_place_of_the_database_while_people_play(file: Path, log: str) -> None:
    """What was acknowledged since is not there, as the host wants it; what is acknowledged from now on is."""
    backup = file.with_name("backup.db")
    with visited(file) as visitor:
        ann = visitor()
        id, later = ann.open(seats=[{}, {}])["id"], ""
        ann.act(id, 0, 0, "bid 9")
        back_up(file, backup)
        ann.act(id, 1, 1, "bid 10")
        ann.act(id, 0, 2, "bid 11")
        later = ann.open(seats=[{}, {}])["id"]
        listener = Listener(ann, id, 1)
        listener.wait_for(1)
        if log == "removed":
            for name in ("tables.db-wal", "tables.db-shm"):
                file.with_name(name).unlink()
        os.replace(backup, file)
        until(lambda: ann.http.get(f"/api/tables/{later}").status_code == 404)
        assert _answered(lambda: _act(ann, id, 1, "bid 12"))["seq"] == 2
        assert ann.see(id)["seq"] == 2
        (update,) = ann.events(id, last="3")  # a browser that has seen more than there is now sees all of it
        assert (update["id"], update["count"], len(update["news"])) == ("2", 2, 2)
        ann.act(id, 0, 2, "bid 13")
    store = Store(f"sqlite:///{file}")
    assert [entry.text for entry in store.entries(id, 0)] == ["bid 9", "bid 12", "bid 13"]
    assert [table_problem(store, id) for id in table_ids(store)] == [""]
    store.close()


def test_while_the_file_of_the_database_is_missing_nothing_is_acknowledged(file: Path) -> None:
    """No empty one takes its place. When it comes back with what was beside it, all is there."""
    beside = [file.with_name(f"tables.db{end}") for end in ("", "-wal", "-shm")]
    with visited(file) as visitor:
        ann = visitor()
        id = ann.open(seats=[{}, {}])["id"]
        ann.act(id, 0, 0, "bid 9")
        for one in beside:
            one.rename(one.with_name(f"moved-{one.name}"))
        assert _act(ann, id, 1, "bid 10").status_code == 503
        assert ann.http.get("/api/tables").status_code == 503
        assert not file.exists()
        for one in beside:
            one.with_name(f"moved-{one.name}").rename(one)
        assert _answered(lambda: _act(ann, id, 1, "bid 10"))["seq"] == 2
    store = Store(f"sqlite:///{file}")
    assert [entry.text for entry in store.entries(id, 0)] == ["bid 9", "bid 10"]
    store.close()


def test_a_backup_of_an_earlier_release_takes_the_place_of_the_database(file: Path) -> None:
    """It is brought to the newest form, as at a start."""
    backup = file.with_name("backup.db")
    backup.write_bytes(gzip.decompress((RELEASES / "0.1.db.gz").read_bytes()))
    (old, *_) = _rows(backup, "SELECT id FROM tables")
    with visited(file) as visitor:
        ann = visitor()
        ann.open(seats=[{}, {}])
        os.replace(backup, file)
        until(lambda: ann.http.get(f"/api/tables/{old[0]}").status_code == 200)
        id = ann.open(seats=[{}, {}])["id"]
        assert ann.act(id, 0, 0, "bid 9")["seq"] == 1


def _rows(file: Path, sql: str) -> list[tuple[str, ...]]:
    with changed(file) as database:
        return database.execute(sql).fetchall()


def test_what_is_written_while_the_file_is_replaced_is_not_acknowledged(tmp_path: Path) -> None:
    """It is in the file that is gone."""
    file, other = tmp_path / "tables.db", tmp_path / "other.db"
    store = Store(f"sqlite:///{file}")
    back_up(file, other)
    connection = store.connect()

    class Replaced(list[tuple[object, ...]]):
        """Rows during whose insertion the file is replaced."""

        def __iter__(self) -> Iterator[tuple[object, ...]]:
            os.replace(other, file)
            return super().__iter__()

    board = Replaced([("digest", "wabash", "text")])
    sql = "INSERT INTO boards (digest, title, text) VALUES (?, ?, ?)"
    with pytest.raises(sqlite3.OperationalError, match="taken the place"):
        connection.write([Write("", [(sql, board)])])
    connection.renew()
    assert connection.generation == 2
    assert connection.write([Write("", [(sql, [("digest", "wabash", "text")])])]) == [False]
    connection.close()
    store.close()


def _attempts(person: Person, id: str) -> Iterator[httpx.Response]:
    """What somebody may try that needs the database."""
    yield person.http.post(f"/api/tables/{id}/act", json={"seat": 0, "seq": 0, "action": "bid 9"})
    yield person.http.post("/api/tables", json={"title": "wabash", "seats": [{}, {}]})
    for path in ("/", "/api/tables", "/t/AAAAAAAAAAAA", "/api/tables/AAAAAAAAAAAA"):
        yield person.http.get(path)


def _overwrite(file: Path, start: int, content: bytes) -> None:
    """Write into a file that others have open."""
    with file.open("r+b") as out:
        out.seek(start)
        out.write(content)
