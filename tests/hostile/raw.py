"""Attacks below HTTP: bytes that are no request, requests that never end, and streams that nobody reads."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from random import Random

from tests.hostile import values


def payloads(random: Random, table: str) -> list[bytes]:
    noise = bytes(random.randrange(256) for _ in range(random.choice([1, 50, 3_000])))
    start, end = b"GET / HTTP/1.1\r\nHost: x\r\n", b"Connection: close\r\n\r\n"
    post = f"POST /api/tables/{table}/act HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n".encode()
    return [
        noise + b"\r\n\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + noise,
        b"GET / HTTP/0.9\r\n\r\n",
        b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
        b"GET http://elsewhere/ HTTP/1.1\r\n" + end,
        b"GET /\0 HTTP/1.1\r\nHost: x\r\n" + end,
        b"GET /" + b"a" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n" + end,
        start + b"X: " + b"a" * 100_000 + b"\r\n" + end,
        start + b"".join(b"X%d: y\r\n" % n for n in range(5_000)) + end,
        start + b"Broken header\r\n" + end,
        start + b"Name\0: value\r\n" + end,
        post + b"Content-Length: -1\r\n" + end,
        post + b"Content-Length: 99999999999999999999\r\n" + end,
        post + b"Content-Length: 5\r\nContent-Length: 6\r\n" + end + b"{}",
        post + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n" + end + b"0\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n" + end + b"ffffffffffffffffffff\r\n",
        post + b"Transfer-Encoding: chunked\r\n" + end + b"zz\r\n\r\n",
        post + b"Transfer-Encoding: chunked\r\n" + end + (b"1\r\n \r\n" * 5_000) + b"0\r\n\r\n",
        post + b"Content-Length: 100\r\n" + end + b'{"seat":',
        post + b"Expect: 100-continue\r\nContent-Length: 2\r\n" + end,
        (start + b"\r\n") * 50,
        f"GET /api/tables/{table}/events HTTP/1.1\r\nHost: x\r\nLast-Event-ID: {'9' * 99}\r\n\r\n".encode(),
        f"GET /api/tables/{table}/events?since={random.choice(values.NUMBERS)} HTTP/1.1\r\nHost: x\r\n\r\n".encode(),
        values.mangled(random, start + end),
    ]


async def attack(port: int, random: Random, table: str) -> bytes:
    """Send one of them, read what comes at first, and leave. The answer, if there was one, is not a failure."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    answer = b""
    payload = random.choice(payloads(random, table))
    try:
        writer.write(payload)
        with suppress(ConnectionError):
            await writer.drain()
            if random.random() < 0.5:
                writer.write_eof()
            if random.random() < 0.7:
                with suppress(TimeoutError):
                    answer = await asyncio.wait_for(reader.read(64), random.choice([0.05, 0.5]))
    finally:
        writer.close()
        with suppress(ConnectionError):
            await writer.wait_closed()
    assert not answer.startswith((b"HTTP/1.1 5", b"HTTP/1.0 5")), (answer, payload[:200])
    return answer
