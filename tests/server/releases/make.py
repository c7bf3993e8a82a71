"""Makes the database of a release, with the code of that release: games of all titles as people left them.

`python -m tests.server.releases.make SOURCES PYTHON NAME`, for example
`python -m tests.server.releases.make /tmp/old/src /tmp/old/.venv/bin/python 0.1` with commit 8efddb3 checked out in
/tmp/old (for 0.1-hosts, the last one without a club, 05f1b24), writes NAME.db.gz, and NAME.json with what that server
said about each table in the end. Only the JSON interface is used, so that the same script serves for every release.
"""

from __future__ import annotations

import gzip
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random
from sqlite3 import connect
from typing import Any

import httpx

HERE = Path(__file__).parent
TITLES = {"wabash": 3, "southern_rails": 3, "gmo": 4, "baltimore_ohio": 3, "credit_mobilier": 3}
"""The titles and how many people sit there."""

SECRET = "known to every server on these databases"
"""What the keys of seats and the names of people are made with, in releases that have a secret."""

PACE = "600"
"""Seconds until a bot's action is shown: the database is taken before one acts, so that bots are waited for."""

Json = dict[str, Any]


def main(sources: str, python: str, name: str) -> None:
    with tempfile.TemporaryDirectory() as room:
        file = Path(room) / "tables.db"
        with _server(sources, python, file) as address, httpx.Client(base_url=address, timeout=60) as host:
            said = list(_fill(host, Random(name)))
        with closing(connect(file)) as database:
            database.execute("PRAGMA journal_mode=DELETE")
            database.execute("VACUUM")
        (HERE / f"{name}.db.gz").write_bytes(gzip.compress(file.read_bytes(), 9, mtime=0))
    (HERE / f"{name}.json").write_text(json.dumps(said, ensure_ascii=False, indent=1) + "\n", "utf-8")


@contextmanager
def _server(sources: str, python: str, file: Path) -> Iterator[str]:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    environment = {**os.environ, "PYTHONPATH": sources, "CUBERAILS_PACE": PACE, "CUBERAILS_SECRET": SECRET}
    environment["CUBERAILS_DATABASE"] = f"sqlite:///{file}"
    command = [python, "-m", "uvicorn", "--factory", "cuberails.server.app:from_environment", "--port", port]
    server = subprocess.Popen([*command, "--log-level", "error"], env=environment, cwd=file.parent)
    try:
        _wait_until_it_answers(f"http://127.0.0.1:{port}")
        yield f"http://127.0.0.1:{port}"
    finally:
        server.terminate()
        server.wait()


def _wait_until_it_answers(address: str) -> None:
    while True:
        try:
            httpx.get(f"{address}/health")
            return
        except httpx.TransportError:
            time.sleep(0.1)


def _fill(host: httpx.Client, dice: Random) -> Iterator[Json]:
    for title, people in TITLES.items():
        yield _in_progress(host, dice, title, people)
    yield _finished(host, dice)
    yield _asked_to_go_back(host, dice)
    yield _waits_for_a_bot(host)
    yield from _without_help(host)


def _in_progress(host: httpx.Client, dice: Random, title: str, people: int) -> Json:
    """A game of the host at one screen, in which some actions were taken back and others played again."""
    opened = _open(host, title, [{"name": name} for name in ("Ann", "Bjørn", "Cy", "Di")[:people]])
    seen = _play(host, opened["id"], dice, 40)
    actor = seen["status"]["actor"]
    seen = _post(host, opened["id"], "undo", {"seat": actor, "seq": seen["seq"], "to": 30})
    seen = _post(host, opened["id"], "redo", {"seat": actor, "seq": seen["seq"], "to": 34})
    _play(host, opened["id"], dice, 12)
    return _said(host, opened, "in progress")


def _finished(host: httpx.Client, dice: Random) -> Json:
    opened = _open(host, "southern_rails", [{"name": name} for name in ("Ann", "Bob", "Cy")])
    _play(host, opened["id"], dice, 10_000)
    return _said(host, opened, "finished")


def _asked_to_go_back(host: httpx.Client, dice: Random) -> Json:
    """Ann has asked Bob and Cy, who sit elsewhere; Bob has agreed, and Cy has not answered yet."""
    link = {"by": "link"}
    opened = _open(host, "wabash", [{"name": "Ann"}, {"name": "Bob", **link}, {"name": "Cy", **link}])
    keys = ["", *(path.rsplit("/", 1)[1] for path in opened["links"][1:])]
    seen = _see(host, opened["id"])
    while len(json.loads(_record(host, opened["id"]))["actions"]) < 20:
        seen = _see(host, opened["id"], keys[seen["status"]["actor"]])
        actor = seen["status"]["actor"]
        action = {"seat": actor, "seq": seen["seq"], "action": dice.choice(seen["legal"])}
        seen = _post(host, opened["id"], "act", action, keys[actor])
    seen = _post(host, opened["id"], "undo", {"seat": 0, "seq": seen["seq"], "to": 12})
    _post(host, opened["id"], "answer", {"seat": 1, "seq": seen["seq"], "agree": True}, keys[1])
    return _said(host, opened, "asked to go back")


def _waits_for_a_bot(host: httpx.Client) -> Json:
    opened = _open(
        host, "wabash", [{"name": "Robot", "by": "bot", "level": "random"}, {"name": "Ann"}, {"name": "Bob"}]
    )
    return _said(host, opened, "waits for a bot")


def _without_help(host: httpx.Client) -> Iterator[Json]:
    """A table where hints are off and people talk; not in release 0.1, which knew neither."""
    if "help" not in _what_a_table_can_have(host):
        return
    opened = _open(host, "gmo", [{"name": name} for name in ("Ann", "Bob", "Cy")], help=False)
    _post(host, opened["id"], "chat", {"text": "A good game to all!", "seat": 0})
    _post(host, opened["id"], "notes", {"text": "Bob likes red."})
    yield _said(host, opened, "without help")


def _open(host: httpx.Client, title: str, seats: list[Json], **more: object) -> Json:
    if "seating" in _what_a_table_can_have(host):  # release 0.1 never shuffled
        more["seating"] = "listed"
    opened: Json = host.post("/api/tables", json={"title": title, "seats": seats, **more}).raise_for_status().json()
    return opened


def _what_a_table_can_have(host: httpx.Client) -> set[str]:
    forms = host.get("/openapi.json").raise_for_status().json()["components"]["schemas"]
    return set(forms.get("TableRequest", {}).get("properties", ()))


def _play(host: httpx.Client, id: str, dice: Random, actions: int) -> Json:
    seen = _see(host, id)
    for _ in range(actions):
        if seen["status"]["over"]:
            break
        action = {"seat": seen["status"]["actor"], "seq": seen["seq"], "action": dice.choice(seen["legal"])}
        seen = _post(host, id, "act", action)
    return seen


def _see(host: httpx.Client, id: str, key: str = "") -> Json:
    seen: Json = host.get(f"/api/tables/{id}", headers=_bearer(key)).raise_for_status().json()
    return seen


def _post(host: httpx.Client, id: str, deed: str, body: Json, key: str = "") -> Json:
    answer = host.post(f"/api/tables/{id}/{deed}", json=body, headers=_bearer(key))
    seen: Json = answer.raise_for_status().json()
    return seen


def _bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"} if key else {}


def _record(host: httpx.Client, id: str) -> str:
    return host.get(f"/api/tables/{id}/record.json").raise_for_status().text


def _said(host: httpx.Client, opened: Json, story: str) -> Json:
    """What the server of the release says about a table, with the secrets of those who play there."""
    seen = _see(host, opened["id"])
    return {
        "story": story,
        "id": opened["id"],
        "person": opened["person"],
        "keys": [link.rpartition("/")[2] for link in opened["links"]],
        "seq": seen["seq"],
        "actor": seen["status"]["actor"],
        "over": seen["status"]["over"],
        "legal": seen["legal"],
        "record": json.loads(_record(host, opened["id"])),
    }


if __name__ == "__main__":
    main(*sys.argv[1:])
