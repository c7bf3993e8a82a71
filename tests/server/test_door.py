"""The door: silent and slow visitors do not take the place of others."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import httpx
import pytest

from cuberails.server import door
from cuberails.server.door import Door, Visit
from tests.server.house import Guests, House, Listener, served

MOST = 40


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "TO_ASK", 0.3)
    monkeypatch.setattr(door, "TO_TELL", 0.3)


@pytest.fixture
def small(tmp_path: Path) -> Iterator[House]:
    """A server with few places."""
    with served(tmp_path / "tables.db", connections=MOST) as house:
        yield house


Connect = Callable[[], socket.socket]


@pytest.fixture
def connect(small: House) -> Iterator[Connect]:
    """Makes connections to that server."""
    with ExitStack() as stack:
        port = int(small.address.rpartition(":")[2])
        yield lambda: stack.enter_context(socket.create_connection(("127.0.0.1", port), 20))


def test_silent_connections_beyond_number_keep_nobody_out(small: House, connect: Connect) -> None:
    silent = [connect() for _ in range(3 * MOST)]
    with httpx.Client(base_url=small.address, timeout=20) as visitor:
        assert visitor.get("/api/titles").status_code == 200
        assert ends(silent[0])  # the one that was silent the longest made room


@pytest.fixture
def people(small: House) -> Iterator[Guests]:
    guests = Guests(small.address)
    yield guests
    guests.leave()


def test_whoever_follows_a_table_is_not_sent_away_for_silent_ones(people: Guests, connect: Connect) -> None:
    ann = people()
    id = ann.open(seats=[{}, {}])["id"]
    viewer = Listener(ann, id, 2)
    viewer.wait_for(1)
    for _ in range(3 * MOST):
        connect()
    people(ann.http.cookies["cuberails_person"]).act(id, 0, 0, "bid 8")
    assert viewer.end()[-1]["seq"] == 1


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"GET / HTTP/1.1\r\nHost: x\r\n",
        b"POST /api/tables HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{",
        b"GET /health HTTP/1.1\r\nHost: x\r\n\r\nGET / HT",
    ],
)
def test_a_request_that_does_not_come_in_time_ends_the_connection(begun: bytes, connect: Connect) -> None:
    slow = connect()
    slow.sendall(begun)
    assert ends(slow)


def test_whoever_does_not_read_the_answers_is_sent_away(
    connect: Connect, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(door, "TO_READ", 0.3)
    deaf = connect()
    deaf.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    requests = b"GET /look.css HTTP/1.1\r\nHost: x\r\n\r\n" * 500_000  # more than any buffer holds
    with pytest.raises(ConnectionError):
        deaf.sendall(requests)
    assert caplog.text == ""


def ends(connection: socket.socket) -> bool:
    """Whether the server closes a connection, perhaps after an answer, before we have waited too long."""
    try:
        while connection.recv(10_000):
            pass
    except ConnectionResetError:
        return True
    return True


class Caller(Visit):
    """Somebody from an address, without a real connection."""

    def __init__(self, at: Door, address: str) -> None:
        self.door = at
        self.network = at.limited_network(address)
        self.ended = False
        self._entered = at.enter(self)

    @property
    def inside(self) -> bool:
        return self._entered

    def end(self) -> None:
        self._entered = False
        self.door.leave(self)


def test_one_address_has_a_share_of_the_places() -> None:
    entrance = Door(100, 3)
    first = [Caller(entrance, "192.0.2.1") for _ in range(3)]
    for caller in first:
        entrance.busy(caller)
    assert not Caller(entrance, "192.0.2.1").inside
    assert not Caller(entrance, "::ffff:192.0.2.1").inside
    assert Caller(entrance, "192.0.2.2").inside
    entrance.idle(first[1])
    assert Caller(entrance, "192.0.2.1").inside
    assert [caller.inside for caller in first] == [True, False, True]


def test_a_house_of_the_newer_kind_is_one_address() -> None:
    entrance = Door(100, 3)
    callers = [Caller(entrance, f"2001:db8::{n}") for n in range(1, 9)]
    assert [caller.inside for caller in callers] == [False] * 5 + [True] * 3


def test_this_machine_and_trusted_proxies_are_not_limited_but_in_all() -> None:
    entrance = Door(40, 1, ["10.0.0.0/8", "2001:db8::/32"])
    for address in ("127.0.0.1", "::1", "10.1.2.3", "::ffff:10.1.2.3", "2001:db8::7"):
        callers = [Caller(entrance, address) for _ in range(5)]
        assert all(caller.inside for caller in callers)
        for caller in callers:
            entrance.busy(caller)
    more = [Caller(entrance, "10.9.9.9") for _ in range(20)]
    assert sum(caller.inside for caller in more) == 15
