"""Nobody reaches the network of the server by way of a webhook, and no receiver can do more than fail."""

from __future__ import annotations

import asyncio
import datetime as dt
import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import ip_address
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID

from cuberails.server.club.outside import Answer, Forbidden, IpAddress, Outside
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
    "https://[fec0::1]/hook",
    "https://[::127.0.0.1]/hook",
    "https://[::ffff:0:127.0.0.1]/hook",
    "https://[64:ff9b::7f00:1]/hook",
    "https://[64:ff9b:1::7f00:1]/hook",
    "https://[5f00::1]/hook",
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
    outside: Outside, names: dict[str, list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """DNS rebinding: it stands for another address when the connection is made. Not even a connection comes there: by
    whether it is taken, somebody could learn what there is in the network of the server."""
    monkeypatch.setattr("cuberails.server.club.outside.CONNECT_TIMEOUT", 0.2)
    names["hook.example"] = ["192.88.99.1"]  # a public address where nobody is
    checked = outside.check

    async def check(url: str) -> list[IpAddress]:
        found = await checked(url)
        names["hook.example"] = ["127.0.0.1"]
        return found

    outside.check = check  # type: ignore[method-assign]
    with socket.create_server(("127.0.0.1", 0)) as inside:
        inside.setblocking(False)
        answer = post(outside, f"https://hook.example:{inside.getsockname()[1]}/")
        with pytest.raises(BlockingIOError):
            inside.accept()
    assert answer.status == 0
    assert "cannot be reached" in answer.trouble


def test_the_receiver_is_asked_by_its_name_at_the_address_that_was_looked_at(
    near: Outside, names: dict[str, list[str]], receiver: Receiver
) -> None:
    """The first of its addresses takes no connection, the second does."""
    names["hook.example"] = ["127.0.0.9", "127.0.0.1"]
    port = receiver.url.rpartition(":")[2]
    assert post(near, f"http://hook.example:{port}/hook?a=b") == Answer(204)
    [request] = receiver.requests
    assert (request.path, request.headers["host"]) == ("/hook?a=b", f"hook.example:{port}")


@pytest.mark.parametrize(("certified", "status"), [("hook.example", 204), ("other.example", 0)])
def test_the_certificate_of_a_receiver_must_be_for_its_name(
    near: Outside,
    names: dict[str, list[str]],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    certified: str,
    status: int,
) -> None:
    certificate = self_signed(certified, tmp_path / "certificate.pem")
    monkeypatch.setattr("certifi.where", lambda: str(certificate))
    names["hook.example"] = ["127.0.0.1"]
    with Receiver(certificate) as receiver:
        assert post(near, receiver.url.replace("http://127.0.0.1", "https://hook.example")).status == status
        assert len(receiver.requests) == (status == 204)


def self_signed(name: str, file: Path) -> Path:
    """A certificate for this name, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    called = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    today = dt.datetime.now(dt.UTC)
    made = x509.CertificateBuilder(called, called, key.public_key(), x509.random_serial_number())
    made = made.not_valid_before(today - dt.timedelta(1)).not_valid_after(today + dt.timedelta(1))
    made = made.add_extension(x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False)
    secret = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    file.write_bytes(secret + made.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM))
    return file


def test_a_name_that_nobody_knows_is_refused_and_asked_again_if_it_was_known(outside: Outside) -> None:
    with pytest.raises(Forbidden, match="nobody knows the name"):
        asyncio.run(outside.run(outside.check("https://nobody.invalid/")))
    assert post(outside, "https://nobody.invalid/") == Answer(0, trouble="nobody knows the name nobody.invalid")


def test_an_answer_of_megabytes_is_not_read(near: Outside) -> None:
    """It would never end: the status is enough."""
    asked = Event()

    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        connection.recv(65536)
        connection.sendall(b"HTTP/1.1 200 OK\r\ncontent-length: 99999999999\r\n\r\n")
        with suppress(OSError):  # until the other side has enough
            while True:
                connection.sendall(b"x" * 65536)
        asked.set()
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=answer, args=(listener,), daemon=True).start()
        assert post(near, f"http://127.0.0.1:{listener.getsockname()[1]}/") == Answer(200)
        assert asked.wait(20)


def test_headers_without_end_are_given_up(near: Outside) -> None:
    def answer(listener: socket.socket) -> None:
        connection, _ = listener.accept()
        connection.recv(65536)
        with suppress(OSError):
            connection.sendall(b"HTTP/1.1 200 OK\r\n")
            while True:
                connection.sendall(b"x-more: " + b"x" * 60000 + b"\r\n")
        connection.close()

    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=answer, args=(listener,), daemon=True).start()
        assert post(near, f"http://127.0.0.1:{listener.getsockname()[1]}/").status == 0


def test_what_the_host_allows_is_asked(near: Outside, receiver: Receiver) -> None:
    assert post(near, f"{receiver.url}/hook") == Answer(204)
    assert [(each.path, each.body) for each in receiver.requests] == [("/hook", b"{}")]


@pytest.mark.parametrize("address", ["2620:fe::fe", "64:ff9b::909:909", "2002:909:909::1"])
def test_public_addresses_of_the_newer_kind_may_be_asked(
    outside: Outside, names: dict[str, list[str]], address: str
) -> None:
    """Also by way of a translator (NAT64), as a host without addresses of the older kind needs it."""
    names["hook.example"] = [address]
    assert asyncio.run(outside.run(outside.check("https://hook.example/"))) == [ip_address(address)]


def test_names_that_are_slow_to_look_up_keep_nobody_waiting(
    near: Outside, receiver: Receiver, monkeypatch: pytest.MonkeyPatch
) -> None:
    """More of them than there are threads by default, on any machine."""
    slow, look_up, looked_up = 40, socket.getaddrinfo, Event()

    def getaddrinfo(host: Any, *more: Any, **named: Any) -> Any:
        if str(host).endswith(".slow.example"):
            looked_up.wait(60)
            raise socket.gaierror
        return look_up(host, *more, **named)

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)

    async def all_at_once() -> Answer:
        hanging = [asyncio.create_task(near.run(near.check(f"https://{n}.slow.example/"))) for n in range(slow)]
        answer = await near.run(near.post(f"{receiver.url}/hook", b"{}", {}))
        assert not any(task.done() for task in hanging)
        looked_up.set()
        await asyncio.gather(*hanging, return_exceptions=True)
        return answer

    monkeypatch.setattr("cuberails.server.club.outside.LOOKUP_TIMEOUT", 60)
    monkeypatch.setattr("cuberails.server.club.outside.TIMEOUT", 60)
    assert asyncio.run(all_at_once()) == Answer(204)


def test_a_name_that_is_slow_to_look_up_is_given_up(outside: Outside, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: looked_up.wait(60) and [])
    monkeypatch.setattr("cuberails.server.club.outside.LOOKUP_TIMEOUT", 0.01)
    answer = post(outside, "https://hook.example/")
    looked_up.set()
    assert answer == Answer(0, trouble="the name hook.example could not be looked up within 0.01 s")


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
