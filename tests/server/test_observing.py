"""/health answers from memory, /metrics counts and is private, and the log of requests tells no key."""

from __future__ import annotations

import asyncio
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from cuberails.server.app import create_app
from cuberails.server.health import PATIENCE, Health
from cuberails.server.settings import Settings
from cuberails.server.trouble import Trouble
from tests.server.house import Guests, House, Json


def test_metrics_count_actions_and_what_there_is(house: House, guest: Guests) -> None:
    ann = guest()
    before = _figures(house.address)
    table = ann.open()["id"]
    seen = ann.see(table)
    ann.act(table, 0, 0, seen["legal"][0])
    ann.act(table, 0, 0, seen["legal"][0], 409)
    after = _figures(house.address)
    assert _risen(before, after, 'cuberails_actions_total{outcome="accepted"}') == 1
    assert _risen(before, after, 'cuberails_actions_total{outcome="refused"}') == 1
    assert _risen(before, after, 'cuberails_request_seconds_count{kind="act"}') == 2
    assert after["cuberails_live_tables"] >= 1
    assert after["cuberails_bot_queue"] >= 0
    assert after["process_resident_memory_bytes"] > 1_000_000


def test_metrics_count_viewers(house: House, guest: Guests) -> None:
    ann = guest()
    table = ann.open()["id"]
    before = _figures(house.address)
    with ann.http.stream("GET", f"/api/tables/{table}/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "retry: 1000"
        assert _risen(before, _figures(house.address), "cuberails_viewers") == 1


def test_kinds_of_requests_are_few_whatever_strangers_ask_for(house: House, guest: Guests) -> None:
    for n in range(20):
        guest().http.get(f"/strange/{n}")
    kinds = {name for name in _figures(house.address) if name.startswith("cuberails_requests_total")}
    assert 'cuberails_requests_total{kind="page",status="404"}' in kinds
    assert len(kinds) < 60


@pytest.mark.parametrize(
    ("readers", "client", "headers", "status"),
    [
        ("loopback", "127.0.0.1", {}, 200),
        ("loopback", "::1", {}, 200),
        ("loopback", "::ffff:127.0.0.1", {}, 200),
        ("loopback", "10.0.0.5", {}, 403),
        ("loopback", "127.0.0.1", {"X-Forwarded-For": "127.0.0.1"}, 403),
        ("everybody", "10.0.0.5", {}, 200),
        ("nobody", "127.0.0.1", {}, 403),
    ],
)
def test_metrics_are_for_this_machine_unless_the_host_permits_more(
    tmp_path: Path, readers: str, client: str, headers: dict[str, str], status: int
) -> None:
    app = create_app(Settings(database=str(tmp_path / "tables.db"), metrics=readers))
    assert _asked(app, "/metrics", client, headers).status_code == status


def test_health_answers_at_once_while_the_database_is_locked(house: House, guest: Guests, tmp_path: Path) -> None:
    file = house.tables.store.url.removeprefix("sqlite:///")
    with closing(sqlite3.connect(file, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        assert httpx.get(f"{house.address}/health", timeout=2).text == "ok"
        other.execute("ROLLBACK")


def test_health_says_503_when_nothing_could_be_saved_for_a_while() -> None:
    time, broken = [0.0], [True]

    def probe() -> None:
        if broken[0]:
            raise sqlite3.OperationalError("database or disk is full")

    health = Health(probe, Trouble(), lambda: time[0])
    health.check()
    assert _trouble(health) == ""
    time[0] += PATIENCE + 1
    health.check()
    assert _trouble(health) == "The database could not be written to for 21 s."
    broken[0] = False
    health.check()
    assert _trouble(health) == ""


def _trouble(health: Health) -> str:
    return health.trouble


def test_health_answers_503_with_the_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Health, "age", 100.0)
    answer = _asked(create_app(Settings(database=str(tmp_path / "tables.db"))), "/health")
    assert (answer.status_code, answer.text) == (503, "The database could not be written to for 100 s.")


def test_the_log_of_requests_tells_no_key(guest: Guests, access: list[str]) -> None:
    opened: Json = guest().open()
    link = opened["links"][1]
    bob = guest()
    bob.http.get(link)
    guest(link.rpartition("/")[2]).see(opened["id"])
    assert any(f"method=GET path=/join/{opened['id']}/… status=" in line for line in access)
    assert re.search(r"client=127.0.0.1 method=POST path=/api/tables status=201 ms=[\d.]+", "\n".join(access))
    assert link.rpartition("/")[2] not in "\n".join(access)
    assert opened["person"] not in "\n".join(access)


def _asked(app: FastAPI, path: str, client: str = "127.0.0.1", headers: dict[str, str] | None = None) -> httpx.Response:
    """The answer of an application without a server."""

    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app, client=(client, 50000))
        async with httpx.AsyncClient(transport=transport, base_url="http://test") as http:
            return await http.get(path, headers=headers)

    return asyncio.run(ask())


def _figures(address: str) -> dict[str, float]:
    lines = httpx.get(f"{address}/metrics").raise_for_status().text.splitlines()
    pairs = (line.rsplit(" ", 1) for line in lines if not line.startswith("#"))
    return {name: float(value) for name, value in pairs}


def _risen(before: dict[str, float], after: dict[str, float], name: str) -> float:
    return after[name] - before.get(name, 0.0)
