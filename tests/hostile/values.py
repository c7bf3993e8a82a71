"""Values that programs stumble over: texts, numbers, JSON, and records and boards that are bombs."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import cuberails

TEXTS = [
    "",
    " ",
    "\0",
    "a\0b",
    "%00",
    "\r\n",
    "\u202e",
    "\ufeff",
    "\ud800",
    "𝟘",
    "٣",
    "é" * 200,
    "x" * 81,
    "x" * 10_000,
    "../../etc/passwd",
    "..%2f..%2f",
    "' OR 1=1 --",
    "<script>alert(1)</script>",
    "{{7*7}}",
    "${jndi:ldap://x}",
    "null",
    "true",
    "-1",
    "1e999",
    "NaN",
    "0x10",
    "__class__",
    "wabash",
    "🚂" * 50,
    "\x1b[2J",
    "a" * 32,
    "pass",
    "done",
]
NUMBERS: list[Any] = [
    *(0, 1, -1, 2, 3, 5, 7, 8, 2**31 - 1, 2**31, 2**63, -(2**63) - 1, 10**30, 10**400),
    *(1.5, -0.0, 1e308, float("inf"), float("nan"), True, False, None),
]
BROKEN = [
    *(b"", b"{", b"[", b'{"seat":0,', b'"', b"\xff\xfe", b"{'seat': 0}", b"nul", b'{"a":1}{"a":2}', b"\0\0\0"),
    *(b"[" * 20_000, b'{"a":' * 20_000, b"9" * 5_000, b'"' + b"\\u0000" * 5_000 + b'"', b"x" * 500_000),
    b'{"seat":NaN,"seq":0,"action":"pass"}',
    b'{"seat":0,"seat":1,"seq":0,"action":"pass"}',
    b'{"seat":0,"seq":0,"action":"\\ud800"}',
    b'{"seat":' + b"9" * 5_000 + b',"seq":0,"action":"pass"}',
    b'{"\\ud800":1}',
]


def text(random: Random) -> str:
    kind = random.random()
    if kind < 0.8:
        return random.choice(TEXTS)
    length = random.choice([1, 5, 30, 400])
    return "".join(chr(random.choice([random.randrange(128), random.randrange(0xD000)])) for _ in range(length))


def value(random: Random, depth: int = 0) -> Any:
    """Anything that JSON can say, and some that it cannot."""
    kind = random.random()
    if kind < 0.4:
        return text(random)
    if kind < 0.8 or depth > 3:
        return random.choice(NUMBERS)
    if kind < 0.9:
        return [value(random, depth + 1) for _ in range(random.randrange(4))]
    return {text(random): value(random, depth + 1) for _ in range(random.randrange(4))}


def encoded(body: object) -> bytes:
    """JSON as a careless program writes it: numbers of any size, halves of letters."""
    return json.dumps(body, ensure_ascii=True).encode()


def mangled(random: Random, data: bytes) -> bytes:
    """The same with some bytes changed, lost or doubled."""
    found = bytearray(data)
    for _ in range(random.choice([1, 1, 2, 8])):
        place = random.randrange(len(found) + 1)
        cut = place + random.choice([0, 1, 1, 10])
        found[place:cut] = bytes(random.randrange(256) for _ in range(random.choice([0, 1, 1, 4])))
    return bytes(found)


def record(random: Random) -> str:
    """A record that is none, or more than one wants."""
    head = f"cuberails 1\ntitle: {random.choice(cuberails.TITLES)}\nseat: Ann\nseat: Bob\nseat: Cy\n"
    return random.choice(
        [
            head + "\n" + "pass\n" * 20_000,
            head + "\n" + "bid 1\n" * 100,
            head + f"rules: {'9' * 5_000}\n",
            head + "".join(f"option: a{n} b\n" for n in range(5_000)),
            head + "seat: D\n" * 10_000,
            head + "| " + "[" * 5_000 + "\n",
            head + "board: " + text(random) + "\n",
            '{"cuberails": ' + "9" * 5_000 + "}",
            '{"cuberails": 1, "title": "wabash", "seats": ' + "[" * 5_000,
            json.dumps({"cuberails": 1, "title": "wabash", "seats": ["A", "B", "C"], "actions": ["pass"] * 20_000}),
            json.dumps({"cuberails": 1, "title": "gmo", "rules": 10**400, "seats": [1, 2, 3], "actions": {}}),
            json.dumps({"cuberails": 1, "title": value(random), "seats": value(random), "options": value(random)}),
            head + text(random),
            text(random),
        ]
    )


def board(random: Random) -> str:
    """A board file that is none, or a bomb."""
    built_in = cuberails.load(random.choice(cuberails.TITLES)).board.text
    return random.choice(
        [
            "[" * 5_000,
            "a = " + "[" * 5_000,
            ".".join("a" * 3_000) + " = 1",
            "a = " + "9" * 5_000,
            'title = "wabash"\n' + "x = 1\n" * 2,
            'title = "wabash"\nmap = """\n' + ("A" * 500 + "\n") * 100 + '"""',
            'title = "' + text(random).replace('"', "") + '"',
            mangled(random, built_in.encode()).decode("utf-8", "replace"),
            built_in.replace("= 1", f"= {random.choice([10**30, -5, 0, 1e300])}"),
            built_in.replace('"', "", 1),
            text(random),
        ]
    )
