"""admin: people, tables, reports and bans of a server that runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.cli.calling import refuses, says
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


def test_what_is_not_there_is_said_in_a_sentence(home: Path, capsys: pytest.CaptureFixture[str]) -> None:
    data = ("--data", str(home / "tables.db"))
    assert "there are no tables in" in refuses(capsys, "admin", "people", *data)
    with served(home / "tables.db"):
        assert "nobody is called 'Zoe' here" in refuses(capsys, "admin", "ban", "Zoe", *data)
        assert "there is no report 'x'" in refuses(capsys, "admin", "reports", "--done", "x", *data)
        assert "There is no table yet." in says(capsys, "admin", "tables", *data)
