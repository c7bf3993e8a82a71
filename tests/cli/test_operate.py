"""backup and check: a copy of the tables while people play, and whether the installed rules play them alike."""

from __future__ import annotations

import gzip
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from threading import Event, Thread

import pytest

from cuberails.cli import main
from tests.cli.calling import random_game, refuses, says
from tests.server.house import Guests, House, Person, served, until

RECORDS = Path(__file__).parents[1] / "records"
RELEASE = Path(__file__).parents[1] / "server" / "releases" / "0.1.db.gz"


@pytest.fixture
def house(home: Path) -> Iterator[House]:
    with served(home / "tables.db") as house:
        yield house


@pytest.fixture
def release(home: Path) -> Path:
    """The tables of an earlier release."""
    file = home / "tables.db"
    file.write_bytes(gzip.decompress(RELEASE.read_bytes()))
    return file


# backup


def test_a_backup_made_while_people_play_continues_all_games(
    house: House, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    guests = Guests(house.address)
    people = [guests() for _ in range(3)]
    tables = [person.open(seats=[{}] * 3)["id"] for person in people]
    acknowledged = dict.fromkeys(tables, 0)
    ended = Event()
    players = [Thread(target=_play, args=(*pair, acknowledged, ended)) for pair in zip(people, tables)]
    for player in players:
        player.start()
    until(lambda: all(count > 5 for count in acknowledged.values()))
    before = dict(acknowledged)
    assert "is copied to copy.db" in says(capsys, "backup", "copy.db", "--data", "tables.db")
    after = dict(acknowledged)
    secrets = [person.http.cookies for person in people]
    ended.set()
    for player in players:
        player.join()
    guests.leave()
    with served(home / "copy.db") as restored:
        for id, cookies in zip(tables, secrets):
            person = Person(restored.address)
            person.http.cookies = cookies
            seen = person.see(id)
            assert before[id] <= seen["seq"] <= after[id] + 1
            person.act(id, seen["status"]["actor"], seen["seq"], seen["legal"][0])
            person.http.close()


def _play(person: Person, id: str, acknowledged: dict[str, int], ended: Event) -> None:
    """Act as fast as possible."""
    seen = person.see(id)
    while not seen["status"]["over"] and not ended.is_set():
        seen = person.act(id, seen["status"]["actor"], seen["seq"], seen["legal"][0])
        acknowledged[id] = seen["seq"]


def test_a_backup_is_two_private_files_and_replaces_the_last(
    release: Path, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copies = home / "copies"
    copies.mkdir()
    release.with_name("tables.db.key").write_text("the key")
    for _ in range(2):
        said = says(capsys, "backup", "copies/copy.db", "--data", str(release))
        assert "and its key to copy.db.key beside it" in said
    assert sorted(file.name for file in copies.iterdir()) == ["copy.db", "copy.db.key"]
    assert {stat.S_IMODE(file.stat().st_mode) for file in copies.iterdir()} == {0o600}
    assert (copies / "copy.db.key").read_text() == "the key"


def test_a_secret_in_the_settings_is_not_written_down(
    release: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CUBERAILS_SECRET", "x" * 40)
    assert "key" not in says(capsys, "backup", "copy.db", "--data", str(release))
    assert not (home / "copy.db.key").exists()


def test_what_cannot_be_copied_is_said_and_nothing_is_overwritten(
    release: Path, home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "is the file with the tables itself" in refuses(capsys, "backup", "tables.db", "--data", "tables.db")
    assert "there are no tables in" in refuses(capsys, "backup", "copy.db", "--data", "nothing.db")
    (home / "letter.txt").write_text("Dear Anna, " * 500)
    (home / "copy.db").write_text("the last copy")
    assert "file is not a database" in refuses(capsys, "backup", "copy.db", "--data", "letter.txt")
    assert (home / "copy.db").read_text() == "the last copy"
    monkeypatch.setenv("CUBERAILS_DATABASE", "postgresql://ann:hunter2@db/tables")
    sentence = refuses(capsys, "backup", "copy.db")
    assert "pg_dump" in sentence
    assert "hunter2" not in sentence


# check


def test_the_tables_of_an_earlier_release_and_all_records_are_played_alike(
    release: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = release.read_bytes()
    records = [str(file) for file in sorted(RECORDS.glob("*/*.txt"))]
    assert main(["check", *records, "--data", str(release)]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err == f"{8 + len(records)} checked, none would change or cannot be read.\n"
    assert release.read_bytes() == before


def test_a_table_that_would_change_is_named_with_the_entry(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with closing(sqlite3.connect(release)) as database:
        ids = [id for (id,) in database.execute("SELECT id FROM tables WHERE title = 'wabash' ORDER BY created")]
        database.execute("UPDATE entries SET text = 'bid 999' WHERE table_id = ? AND seq = 1", (ids[0],))
        database.execute("UPDATE entries SET seat = 2 WHERE table_id = ? AND seq = 1", (ids[1],))
        database.execute("UPDATE tables SET waiting = -2 WHERE id = ?", (ids[2],))
        database.execute("UPDATE tables SET title = 'monopoly' WHERE title = 'gmo'")
        database.execute(
            "DELETE FROM entries WHERE seq = 3 AND table_id IN (SELECT id FROM tables WHERE title LIKE 'b%')"
        )
        database.commit()
    assert main(["check", "--data", str(release)]) == 1
    captured = capsys.readouterr()
    assert f"table {ids[0]}: entry 1 (bid 999) is no longer legal" in captured.out
    assert f"table {ids[1]}: entry 1 (" in captured.out
    assert "was decided by Cy, now by Ann" in captured.out
    assert f"table {ids[2]}: in the end nobody was waited for, now Robot" in captured.out
    assert "cannot be read: there is no title 'monopoly'" in captured.out
    assert "entry 3 of its log is missing" in captured.out
    assert captured.err == "8 checked, 5 would change or cannot be read.\n"


def test_a_record_that_would_change_is_named(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = random_game(30).to_text()
    (home / "good.txt").write_text(text)
    (home / "words.txt").write_text(text.replace("wins", "has won"))
    (home / "other.txt").write_text(text.replace("$", "$1"))
    (home / "illegal.txt").write_text(text + "build A1\n")
    (home / "letter.txt").write_bytes(b"Dear \xff")
    files = ["good.txt", "words.txt", "other.txt", "illegal.txt", "letter.txt", "none.txt"]
    assert main(["check", *files]) == 1
    captured = capsys.readouterr()
    assert [line.partition(":")[0] for line in captured.out.splitlines()] == files[2:]
    assert "other.txt: after action 1 (bid " in captured.out
    assert "letter.txt: it cannot be read: it is not text in UTF-8" in captured.out
    assert "none.txt: it cannot be read: No such file or directory" in captured.out


def test_check_without_tables_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert "there are no tables in" in refuses(capsys, "check", "--data", "nothing.db")


# ratings


def test_ratings_without_a_rated_game_say_so(release: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["ratings", "wabash", "--again", "--data", str(release)]) == 0
    said = capsys.readouterr()
    assert "No rated game is over yet." in said.out
    assert "finished games are read from their logs" in said.err


def test_ratings_need_tables(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "there are no tables in" in refuses(capsys, "ratings", "--data", str(home / "nothing.db"))
    assert "there are no tables in" in refuses(capsys, "ratings", "--data", str(home))  # the folder
