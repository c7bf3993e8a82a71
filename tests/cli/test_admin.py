"""admin: people, tables, reports and bans of a server that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from cuberails.cli import main
from tests.cli.calling import refuses, says, type_in
from tests.server.club.test_blocks import together
from tests.server.house import Guests, served, until


def test_a_report_leads_to_a_ban_while_the_server_runs(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ("--data", str(home / "tables.db"))
    with served(home / "tables.db") as house:
        guests = Guests(house.address)
        ann, bob, id = together(guests)
        assert "Nobody has an account yet." in says(capsys, "admin", "people", *data)
        bob.post(f"/api/tables/{id}/chat", {"text": "you play badly"})
        ann.post(f"/api/tables/{id}/seats/1/report", {"line": 1, "reason": "rude"})
        told = says(capsys, "admin", "reports", *data)
        assert all(words in told for words in (f"Bob at table {id}", "you play badly", "because: rude"))
        assert id in says(capsys, "admin", "tables", *data)
        (person,) = re.findall(r"person (\S+), reported", told)
        assert person in says(capsys, "admin", "people", "bo", *data)
        assert "Bob is banned" in says(capsys, "admin", "ban", *data, "--", person)
        until(lambda: bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 403)
        assert "banned" in says(capsys, "admin", "people", "Bob", *data)
        assert "Bob can take part again" in says(capsys, "admin", "ban", "--lift", *data, "--", person)
        until(lambda: bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 200)
        assert "Nothing is reported" in says(capsys, "admin", "reports", "--done", told.split()[0], *data)
        guests.leave()


def test_a_person_is_called_otherwise_made_an_admin_and_deleted(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ("--data", str(home / "tables.db"))
    with served(home / "tables.db") as house:
        guests = Guests(house.address)
        bob = guests()
        bob.post("/api/account/password/sign-up", {"name": "Rude Bob", "password": "a long password"})
        assert "Rude Bob is called Bob now." in says(capsys, "admin", "rename", "Rude Bob", "Bob", *data)
        assert "Bob is called Player 1 now." in says(capsys, "admin", "rename", "bob", *data)
        assert "Player 1 is an admin" in says(capsys, "admin", "grant", "Player 1", *data)
        assert "admin" in says(capsys, "admin", "people", *data)
        assert bob.http.get("/admin").status_code == 200
        assert "no longer" in says(capsys, "admin", "revoke", "Player 1", *data)
        assert "is no admin" in refuses(capsys, "admin", "revoke", "Player 1", *data)
        assert bob.http.get("/admin").status_code == 403
        assert "Nobody is banned." in says(capsys, "admin", "bans", *data)
        says(capsys, "admin", "ban", "Player 1", "--days", "2", "--reason", "insults", *data)
        assert "insults" in says(capsys, "admin", "bans", *data)
        assert "is banned; lift that first" in refuses(capsys, "admin", "grant", "Player 1", *data)
        assert "Player 1 is signed out" in says(capsys, "admin", "delete", "Player 1", "--yes", *data)
        until(lambda: "Nobody has an account yet." in says(capsys, "admin", "people", *data))
        told = says(capsys, "admin", "log", *data)
        assert all(word in told for word in ("rename", "grant", "revoke", "ban", "delete", "somebody"))
        assert "Bob" not in told
        guests.leave()


def test_a_table_is_deleted(home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    data = ("--data", str(home / "tables.db"))
    with served(home / "tables.db") as house:
        guests = Guests(house.address)
        ann, _, id = together(guests)
        assert id in says(capsys, "admin", "tables", "Bob", *data)
        assert "No table fits that." in says(capsys, "admin", "tables", "Zoe", *data)
        type_in(monkeypatch, "n")
        assert main(["admin", "delete-table", *data, "--", id]) == 2
        assert "nothing was deleted" in capsys.readouterr().err
        type_in(monkeypatch, "y")
        assert "is deleted" in says(capsys, "admin", "delete-table", *data, "--", id)
        until(lambda: ann.http.get(f"/api/tables/{id}").status_code == 404)
        guests.leave()


def test_what_is_not_there_is_said_in_a_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ("--data", str(home / "tables.db"))
    assert "there are no tables in" in refuses(capsys, "admin", "people", *data)
    assert "there are no tables in" in refuses(capsys, "admin", "people", "--data", str(home))  # the folder
    with served(home / "tables.db"):
        assert "nobody is called 'Zoe' here" in refuses(capsys, "admin", "ban", "Zoe", *data)
        assert "there is no table 'x'" in refuses(capsys, "admin", "delete-table", "x", *data)
        assert "nobody is called 'x' here" in refuses(capsys, "admin", "rename", "x", *data)
        assert "there is no report 'x'" in refuses(capsys, "admin", "reports", "--done", "x", *data)
        assert "There is no table yet." in says(capsys, "admin", "tables", *data)


def with_bob(home: Path) -> None:
    """A server that was there once, with one account."""
    with served(home / "tables.db") as house:
        guests = Guests(house.address)
        guests().post("/api/account/password/sign-up", {"name": "Bob", "password": "a long password"})
        guests.leave()


def test_a_ban_is_for_as_many_days_as_there_can_be_and_lifted_once(
    home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = ("--data", str(home / "tables.db"))
    with_bob(home)
    for days in ("-3", "3651"):
        assert "a ban is for 1 to 3650 days" in refuses(capsys, "admin", "ban", "Bob", "--days", days, *data)
    assert "Nobody is banned." in says(capsys, "admin", "bans", *data)
    assert "Bob is not banned" in refuses(capsys, "admin", "ban", "Bob", "--lift", *data)
    assert "Nothing was done yet." in says(capsys, "admin", "log", *data)


def test_where_nobody_answers_nothing_is_deleted(
    home: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    data = ("--data", str(home / "tables.db"))
    with_bob(home)
    type_in(monkeypatch)
    assert "nothing was deleted" in refuses(capsys, "admin", "delete", "Bob", *data)
    assert "Bob" in says(capsys, "admin", "people", *data)
