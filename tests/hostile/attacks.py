"""The attacks: requests of every kind of malice, made from a seed and from what is known about the tables."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any
from urllib.parse import quote

import cuberails
from tests.hostile import values
from tests.hostile.world import Target, World

JSON = {"Content-Type": "application/json"}
DEEDS = ("act", "undo", "redo", "answer", "seats/0", "seats/99")
LOOKS = (
    "",
    "/effect",
    "/at/0",
    "/at/99999999999",
    "/at/x",
    "/news",
    "/record.txt",
    "/record.json",
    "/record.exe",
    "/hint",
    "/chat",
    "/chat?after=x",
    "/notes",
    "/seats/0/qr.svg",
    "/seats/1/qr.svg",
    "/seats/-1/qr.svg",
    "/rematch",
)
SOCIAL = ("chat", "notes", "rematch", "seats/0/name", "seats/1/name", "seats/99/name")
PAGES = ("/", "/rules/wabash", "/rules/", "/t/", "/join/", "/picture/gmo.svg", "/look.css", "/openapi.json", "/docs")
PLACES = (
    "/api/tables/{}",
    "/t/{}",
    "/t/{}/text",
    "/t/{}/course",
    "/join/{}/x",
    "/api/tables/{}/act",
    "/api/tables/{}/events",
    "/api/tables/{}/record.txt",
    "/rules/{}",
    "/picture/{}.svg",
)
HEADERS = (
    "Authorization",
    "Cookie",
    "Accept-Encoding",
    "Accept",
    "Last-Event-ID",
    "Range",
    "If-None-Match",
    "Host",
    "X-Forwarded-For",
    "X-Forwarded-Proto",
    "Forwarded",
    "Content-Encoding",
    "Expect",
    "X" * 50,
)
HEADER_VALUES = (
    "",
    "Bearer",
    "Bearer ",
    "cuberails_person=",
    "gzip;q=x",
    "bytes=0-0,1-1,-5",
    "9" * 5_000,
    "203.0.113.9",
    "*",
    "gzip, br, zstd",
    "100-continue",
    "a=b;" * 1_000,
)
METHODS = ("GET", "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "HEAD", "TRACE", "CONNECT", "FOO", "get")


@dataclass
class Attack:
    """A request, perhaps at a known table, by somebody with this secret."""

    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str | bytes] = field(default_factory=dict)
    target: Target | None = None
    secret: str = ""


class Attacks:
    """Makes attacks, the same from the same seed and the same answers."""

    def __init__(self, seed: object, world: World) -> None:
        self.random = Random(repr(seed))
        self.world = world

        self._weights: dict[Callable[[], Attack], int] = {
            self.legal: 16,
            self.nearly_legal: 20,
            self.go_back: 10,
            self.look: 8,
            self.social: 8,
            self.wrong_types: 12,
            self.broken_body: 8,
            self.open_table: 4,
            self.strange_path: 8,
            self.strange_headers: 7,
            self.strange_id: 7,
        }

    def next(self) -> Attack:
        (kind,) = self.random.choices(list(self._weights), list(self._weights.values()))
        return kind()

    # Well-formed requests: some of them legal, so that games move on

    def legal(self) -> Attack:
        target = self._target()
        if target.actor < 0 or not target.legal:
            return self.look()
        action = self.random.choice(target.legal)
        return self._act(target, target.owners[target.actor], target.actor, target.seq, action)

    def nearly_legal(self) -> Attack:
        """An action with one thing wrong: the number, the seat, the person or the action itself."""
        target, random = self._target(), self.random
        actor = max(0, target.actor)
        action = random.choice(target.legal or ["pass"])
        secret, seat, seq = target.owners[actor], actor, target.seq
        wrong = random.randrange(4)
        if wrong == 0:
            seq = random.choice([seq - 1, seq + 1, 0, -1, seq + 2**40, -(2**70)])
        elif wrong == 1:
            seat = random.choice([seat + 1, seat - 1, -1, -2, 99, 2**70])
        elif wrong == 2:
            secret = self._secret()
        else:
            action = self._wrong_action(action)
        return self._act(target, secret, seat, seq, action)

    def go_back(self) -> Attack:
        """Undo, redo, answers and changes of players, where that is allowed; most of them make no sense."""
        target, random = self._target(plain=False), self.random
        deed, seat = random.choice(DEEDS[1:]), random.randrange(len(target.owners))
        body: dict[str, Any] = {"seat": seat, "seq": random.choice([target.seq, target.seq, target.seq - 1])}
        if deed == "answer":
            body["agree"] = random.random() < 0.5
        elif deed.startswith("seats"):
            body = {"level": random.choice(["", "", "random", "nobody", values.text(random)])}
        elif random.random() < 0.5:
            body["to"] = random.choice([0, 1, target.seq, -1, 2**70, random.randrange(50)])
        secret = random.choice([target.owners[seat], target.host, self._secret()])
        return self._post(f"/api/tables/{target.id}/{deed}", body, secret, target)

    def social(self) -> Attack:
        """Names, chat, notes and rematches, by people who may and by those who may not."""
        target, random = self._target(), self.random
        deed = random.choice(SOCIAL)
        body: dict[str, Any] = {} if deed == "rematch" else {"name" if "name" in deed else "text": values.text(random)}
        if random.random() < 0.3:
            body[random.choice(["text", "name", "seat", "x"])] = values.value(random)
        secret = random.choice([*target.owners, self._secret()])
        return self._post(f"/api/tables/{target.id}/{deed}", body, secret, None)

    def look(self) -> Attack:
        target, random = self._target(), self.random
        look = random.choice(LOOKS)
        query = random.choice(
            ["", "", "?after=-1", "?action=pass", f"?start={values.text(random)[:50]}", "?start=5&end=1", "?action=%00"]
        )
        path = f"/api/tables/{target.id}{look}{_in_url(query) if '?' not in look else ''}"
        return Attack("GET", path, headers=self._bearer(self._secret()), target=target)

    # Malformed requests

    def wrong_types(self) -> Attack:
        target, random = self._target(), self.random
        body: Any = {"seat": 0, "seq": target.seq, "action": "pass", "to": None, "agree": True, "level": ""}
        body = {name: found for name, found in body.items() if random.random() < 0.6}
        for _ in range(random.randrange(1, 4)):
            name = random.choice(["seat", "seq", "action", "to", "agree", "level", values.text(random)])
            body[name] = values.value(random)
        if random.random() < 0.1:
            body = values.value(random)
        return self._post(f"/api/tables/{target.id}/{self._deed(target)}", body, target.owners[0], None)

    def broken_body(self) -> Attack:
        target, random = self._target(), self.random
        good = values.encoded({"seat": 0, "seq": -5, "action": "pass"})
        body = random.choice([random.choice(values.BROKEN), values.mangled(random, good)])
        kind = random.choice(
            ["application/json", "application/json", "text/plain", "", "application/json; charset=utf-7"]
        )
        path = random.choice([f"/api/tables/{target.id}/{self._deed(target)}", "/api/tables"])
        secret = target.owners[0]
        return Attack("POST", path, body, {"Content-Type": kind, **self._bearer(secret)}, None, secret)

    def open_table(self) -> Attack:
        random = self.random
        people = [{"by": random.choice(["me", "link", "bot"]), "level": "random"} for _ in range(random.randrange(7))]
        body: dict[str, Any] = {"title": random.choice(cuberails.TITLES), "seats": people}
        kind = random.randrange(6)
        if kind == 0:
            body = {"record": values.record(random)}
        elif kind == 1:
            body = {"board": values.board(random), "seats": [{}, {}, {}]}
        elif kind == 2:
            body = {"fork": self._id(), "at": values.value(random)}
        elif kind == 3:
            fields = ["title", "seats", "seating", "options", "record", "board", "fork", "at"]
            body[random.choice(fields)] = values.value(random)
        return self._post("/api/tables", body, self._secret(), None)

    def strange_path(self) -> Attack:
        random = self.random
        parts = [values.text(random), *LOOKS, *DEEDS, *PAGES, self._id(), "events", "api", "tables", "t", "join"]
        path = random.choice(["/", "/api/tables/", "/t/", "/join/", "/static/", "/rules/", "/picture/", ""])
        path += "/".join(random.choice(parts) for _ in range(random.randrange(1, 4)))
        method = random.choice(["GET", "GET", *METHODS])
        if "events" in path and method in ("GET", "HEAD"):
            path = path.replace("events", "event")  # a stream has no end; raw.py has those
        return Attack(method, "/" + _in_url(path).lstrip("/"), b"{}" if method != "GET" else b"", dict(JSON))

    def strange_headers(self) -> Attack:
        random = self.random
        secrets = [f"Bearer {self._secret()}", f"cuberails_person={self._secret()}"]
        strange = [*HEADER_VALUES, *secrets]
        headers = {random.choice(HEADERS): random.choice(strange).encode() for _ in range(random.randrange(1, 5))}
        if random.random() < 0.2:
            headers["Cookie"] = b"cuberails_person=" + random.choice([b"\xff" * 20, b"\x80abc" * 8, b'"' * 17])
        path = random.choice([f"/api/tables/{self._id()}", "/", "/api/tables", f"/t/{self._id()}", "/static/app.css"])
        return Attack("GET", _in_url(path), headers=headers)

    def strange_id(self) -> Attack:
        id, random = _in_url(values.text(self.random)), self.random
        place = random.choice(PLACES)
        path = place.format(id)
        if path.endswith("act"):
            return self._post(path, {"seat": 0, "seq": 0, "action": "pass"}, self._secret(), None)
        return Attack("GET", path)

    # Parts

    def _target(self, plain: bool | None = None) -> Target:
        return self.random.choice([target for target in self.world.targets if plain in (None, target.plain)])

    def _deed(self, target: Target) -> str:
        return "act" if target.plain else self.random.choice(DEEDS + SOCIAL)

    def _id(self) -> str:
        return self.random.choice([self._target().id, self._target().id.swapcase(), values.text(self.random)[:100]])

    def _secret(self) -> str:
        """Somebody's, nobody's, or none at all."""
        somebody = self.random.choice(self._target().owners)
        return self.random.choice([somebody, somebody[:-1] + "x", "nobody-nobody-nobody", "short", ""])

    def _wrong_action(self, action: str) -> str:
        wrong = [action + "0", action.upper(), f" {action}", action[:-1], action.replace(" ", "\0")]
        others = [values.text(self.random), "bid 998", "pass", "done", f"{action} {action}"]
        return self.random.choice(wrong + others)

    def _act(self, target: Target, secret: str, seat: int, seq: int, action: str) -> Attack:
        body = {"seat": seat, "seq": seq, "action": action}
        return self._post(f"/api/tables/{target.id}/act", body, secret, target)

    def _post(self, path: str, body: Any, secret: str, target: Target | None) -> Attack:
        return Attack("POST", path, values.encoded(body), {**JSON, **self._bearer(secret)}, target, secret)

    def _bearer(self, secret: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {secret}"} if secret else {}


def _in_url(text: str) -> str:
    return quote(text, safe="/?=&%", errors="surrogatepass")
