"""A title in a package of its own at the tables of a real server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

import pytest

from tests.browser.serving import Server
from tests.examples.conftest import EXAMPLE
from tests.server.house import Person

OLD = (EXAMPLE / "tests" / "records" / "version-1.txt").read_text("utf-8")
BOARD = (EXAMPLE / "src" / "slate_lines" / "board.toml").read_text("utf-8")
SEATS = [{"name": "Ann"}, {"name": "Bob"}, {"name": "Cy"}]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, installed: dict[str, str]) -> Iterator[Server]:
    """One server for all tests of this file, where the title is installed."""
    server = Server(tmp_path_factory.mktemp("tables") / "tables.db", env=installed)
    server.start()
    yield server
    server.stop()


@pytest.fixture
def ann(server: Server) -> Iterator[Person]:
    ann = Person(server.address)
    yield ann
    ann.http.close()


def actions_of(record: str) -> list[str]:
    """The actions of a record, in order."""
    lines = [line.partition("#")[0].strip() for line in record.partition("\n\n")[2].splitlines()]
    return [line for line in lines if line]


def test_a_board_of_ones_own_is_played_at_a_table(ann: Person) -> None:
    opened = ann.post("/api/tables", {"board": BOARD.replace("money = 72", "money = 300"), "seats": SEATS}, 201)
    record = ann.record(opened["id"])
    assert "| money = 300" in record
    assert ann.see(opened["id"])["title"] == "slate_lines"
    refused = ann.post("/api/tables", {"board": BOARD.replace("money = 72", "money = 0"), "seats": SEATS}, 422)
    assert "components.money: found 0; it needs a whole number, at least 1" in refused["message"]


def test_a_table_of_an_older_version_plays_on_by_it(server: Server, ann: Person) -> None:
    """To the letter, also after the server was killed; a new table plays by the newest."""
    actions = actions_of(OLD)
    opened = ann.post("/api/tables", {"record": OLD, "seats": SEATS, "at": len(actions) - 8}, 201)
    id = opened["id"]
    for number, action in enumerate(actions[-8:]):
        seen = ann.see(id)
        ann.act(id, seen["status"]["actor"], seen["seq"], action)
        if number == 3:
            server.kill()
            server.start()
    assert ann.record(id) == OLD
    assert "rules: 2\n" in ann.record(ann.open("slate_lines", SEATS)["id"])


def test_a_table_of_a_version_that_is_not_known_is_refused(server: Server, ann: Person) -> None:
    id = ann.open("slate_lines", SEATS)["id"]
    server.kill()
    with sqlite3.connect(server.file) as database:
        database.execute("update tables set rules = 3 where id = ?", (id,))
    database.close()
    server.start()
    answer = ann.http.get(f"/api/tables/{id}")
    assert answer.status_code == 410
    assert "rules version 3 of Slate Lines is unknown here; known: 1 to 2" in answer.json()["message"]
