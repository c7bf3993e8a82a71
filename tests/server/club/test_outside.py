"""Nobody reaches the network of the server by way of a webhook, and no receiver can do more than fail."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from cuberails.server.club.outside import Answer, Forbidden, Outside
from tests.server.club.receiver import Receiver

FORBIDDEN = [
    "https://127.0.0.1/hook",
    "https://localhost/hook",
    "https://2130706433/hook",
    "https://127.1/hook",
    "https://0.0.0.0/hook",
    "https://10.1.2.3/hook",
    "https://172.16.0.1/hook",
    "https://192.168.1.1/hook",
    "https://100.64.0.1/hook",
    "https://169.254.169.254/latest/meta-data",
    "https://224.0.0.1/hook",
    "https://[::1]/hook",
    "https://[::ffff:127.0.0.1]/hook",
    "https://[::ffff:10.0.0.1]/hook",
    "https://[fe80::1]/hook",
    "https://[fd00::1]/hook",
    "https://[64:ff9b::7f00:1]/hook",
    "https://[2002:7f00:1::]/hook",
    "https://[ff02::1]/hook",
    "ftp://example.org/",
    "https://",
    "https://user:password@example.org/",
    "https://example.org:99999/",
    "https://exam ple.org/",
    "example.org",
]


@pytest.fixture
def outside() -> Iterator[Outside]:
    """As a host has it who allows nothing of their own."""
    outside = Outside()
    yield outside
    asyncio.run(outside.close())


@pytest.fixture
def near() -> Iterator[Outside]:
    """As a host has it who allows receivers on the machine itself."""
    near = Outside(["127.0.0.0/8"])
    yield near
    asyncio.run(near.close())


def post(outside: Outside, url: str) -> Answer:
    return asyncio.run(outside.run(outside.post(url, b"{}", {"Content-Type": "application/json"})))


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> dict[str, list[str]]:
    """What names stand for; the others are looked up as always."""
    known: dict[str, list[str]] = {}
    look_up = socket.getaddrinfo

    def getaddrinfo(host: Any, port: Any, *more: Any, **named: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host
        if name not in known:
            return look_up(host, port, *more, **named)
        return [
            (socket.AF_INET6 if ":" in each else socket.AF_INET, socket.SOCK_STREAM, 6, "", (each, port))
            for each in known[name]
        ]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return known


@pytest.mark.parametrize("url", FORBIDDEN)
def test_no_address_but_those_of_the_public_internet_is_asked(outside: Outside, url: str) -> None:
    with pytest.raises(Forbidden):
        post(outside, url)


@pytest.mark.parametrize(
    "addresses", [["127.0.0.1"], ["192.0.2.1", "10.0.0.1"], ["9.9.9.9", "127.0.0.1"], ["2620:fe::fe", "::1"]]
)
def test_a_name_is_refused_if_any_of_its_addresses_is_not_public(
    outside: Outside, names: dict[str, list[str]], addresses: list[str]
) -> None:
    names["hook.example"] = addresses
    with pytest.raises(Forbidden, match="not on the public internet"):
        post(outside, "https://hook.example/")


def test_a_name_that_changes_its_mind_leads_nowhere(
    outside: Outside, names: dict[str, list[str]], receiver: Receiver
) -> None:
    """DNS rebinding: it stands for another address when the connection is made."""
    names["hook.example"] = ["9.9.9.9"]
    checked = outside.check

    async def check(url: str) -> None:
        await checked(url)
        names["hook.example"] = ["127.0.0.1"]

    outside.check = check  # type: ignore[method-assign]
    with pytest.raises(Forbidden):
        post(outside, receiver.url.replace("http://127.0.0.1", "https://hook.example"))
    assert receiver.requests == []


def test_a_name_that_nobody_knows_is_refused(outside: Outside) -> None:
    with pytest.raises(Forbidden, match="nobody knows the name"):
        post(outside, "https://nobody.invalid/")


def test_what_the_host_allows_is_asked(near: Outside, receiver: Receiver) -> None:
    assert post(near, f"{receiver.url}/hook") == Answer(204)
    assert [(each.path, each.body) for each in receiver.requests] == [("/hook", b"{}")]


def test_public_receivers_need_https(near: Outside, names: dict[str, list[str]]) -> None:
    names["hook.example"] = ["9.9.9.9"]
    with pytest.raises(Forbidden, match="https://"):
        post(near, "http://hook.example/")


def test_redirects_are_not_followed(near: Outside, receiver: Receiver) -> None:
    receiver.status, receiver.more = 307, {"location": f"{receiver.url}/elsewhere"}
    assert post(near, f"{receiver.url}/hook").status == 307
    assert [each.path for each in receiver.requests] == ["/hook"]


def test_a_receiver_says_how_long_it_wants_to_be_left_alone(near: Outside, receiver: Receiver) -> None:
    receiver.status, receiver.more = 429, {"retry-after": "120"}
    assert post(near, receiver.url) == Answer(429, 120)
    receiver.more = {"retry-after": "Fri, 31 Dec 1999 23:59:59 GMT"}
    assert post(near, receiver.url) == Answer(429, 0)


def test_a_receiver_that_hangs_is_given_up(near: Outside, receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.club.outside.TIMEOUT", 0.2)
    receiver.gate.clear()
    answer = post(near, receiver.url)
    assert answer.status == 0
    assert "did not answer" in answer.trouble or "cannot be reached" in answer.trouble


def test_a_receiver_that_does_not_speak_http_is_given_up(near: Outside) -> None:
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = closed.getsockname()[1]
    assert post(near, f"http://127.0.0.1:{port}/") == Answer(0, trouble="it cannot be reached (ConnectError)")
