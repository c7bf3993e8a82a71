"""Behind a real nginx, with the example's own configuration: streams are not buffered, and only the proxy is believed.

Clients are told apart by their addresses in 127.0.0.0/8, which are all this machine.
"""

from __future__ import annotations

import shutil
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from cuberails.cli import main
from cuberails.server.settings import read_settings
from tests.server.house import House, Person, served, until

DEPLOY = Path(__file__).parents[2] / "examples" / "deploy"
PROXY, VISITOR, STRANGER = "127.0.0.1", "127.0.0.2", "127.0.0.3"

Visitors = Callable[..., httpx.Client]


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with served(tmp_path_factory.mktemp("house") / "house.db", trusted_proxies=(PROXY,)) as house:
        yield house


@pytest.fixture(scope="module")
def doors(house: House, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, int]]:
    """The ports of nginx, without and with https."""
    program = shutil.which("nginx") or shutil.which("nginx", path="/usr/sbin")
    if program is None:
        pytest.fail("this test needs nginx; install it (Debian: apt-get install nginx-light)")
    room = tmp_path_factory.mktemp("nginx")
    http, https = _free_port(), _free_port()
    _make_certificate(room)
    (room / "site.conf").write_text(_site(room, house.address, http, https))
    (room / "nginx.conf").write_text(_around_it(room))
    command = [program, "-p", str(room), "-e", str(room / "error.log"), "-c", str(room / "nginx.conf")]
    with subprocess.Popen(command) as process:
        try:
            until(lambda: process.poll() is not None or _listens(https))
            assert process.poll() is None, (room / "error.log").read_text()
            yield http, https
        finally:
            process.terminate()


def _site(room: Path, server: str, http: int, https: int) -> str:
    """The example with the ports and files of this test."""
    text = (DEPLOY / "nginx.conf").read_text("utf-8")
    for words, instead in {
        "127.0.0.1:8000": server.removeprefix("http://"),
        "listen 80;": f"listen {PROXY}:{http};",
        "listen 443 ssl": f"listen {PROXY}:{https} ssl",
        "/etc/letsencrypt/live/cuberails.example/fullchain.pem": f"{room}/fullchain.pem",
        "/etc/letsencrypt/live/cuberails.example/privkey.pem": f"{room}/privkey.pem",
    }.items():
        assert words in text
        text = text.replace(words, instead)
    return text


def _around_it(room: Path) -> str:
    """What a distribution has around a site."""
    places = ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    folders = "".join(f"{place}_temp_path {room}/{place};" for place in places)
    return f"daemon off; master_process off; pid {room}/pid; events {{}} http {{ {folders} include {room}/site.conf; }}"


def _make_certificate(room: Path) -> None:
    files = ["-keyout", str(room / "privkey.pem"), "-out", str(room / "fullchain.pem")]
    name = ["-subj", "/CN=cuberails.example", "-addext", "subjectAltName=IP:127.0.0.1"]
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    subprocess.run([*command, *files, *name], check=True, capture_output=True)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind((PROXY, 0))
        return int(free.getsockname()[1])


def _listens(port: int) -> bool:
    with socket.socket() as door:
        return door.connect_ex((PROXY, port)) == 0


@pytest.fixture
def visitor(doors: tuple[int, int], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitors]:
    """Makes clients with an address of their own, at the proxy or where they like."""
    clients: list[httpx.Client] = []

    def make(base: str = f"https://{PROXY}:{doors[1]}", address: str = VISITOR) -> httpx.Client:
        anybody = ssl.create_default_context()
        anybody.check_hostname, anybody.verify_mode = False, ssl.CERT_NONE  # the certificate is of this test
        transport = httpx.HTTPTransport(verify=anybody, local_address=address)
        clients.append(httpx.Client(base_url=base, transport=transport, timeout=20))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


def test_events_pass_the_proxy_at_once(visitor: Visitors) -> None:
    ann = Person("http://unused")
    ann.http = visitor()
    table = ann.open(seats=[{}] * 3)["id"]
    with visitor().stream("GET", f"/api/tables/{table}/events", headers={"Accept-Encoding": "identity"}) as stream:
        lines = stream.iter_lines()
        seen = ann.see(table)
        for seq in range(3):  # a proxy that collects events would hold these back, and the next line would never come
            seen = ann.act(table, seen["status"]["actor"], seen["seq"], seen["legal"][0])
            while next(lines) != f"id: {seen['seq']}":
                pass
            assert seen["seq"] > seq


def test_the_proxy_says_for_whom_it_asks_and_clients_cannot(visitor: Visitors, house: House, access: list[str]) -> None:
    lie = {"X-Forwarded-For": "203.0.113.9", "Forwarded": "for=203.0.113.9", "X-Real-IP": "203.0.113.9"}
    assert visitor().get("/rules/wabash", headers=lie).status_code == 200
    assert visitor(house.address, STRANGER).get("/rules/gmo", headers=lie).status_code == 200

    def rules() -> list[str]:
        return [line for line in access if "/rules/" in line]  # a stream of before may end just now

    until(lambda: len(rules()) == 2)
    assert f"client={VISITOR} method=GET path=/rules/wabash" in rules()[0]
    assert f"client={STRANGER} method=GET path=/rules/gmo" in rules()[1]


def test_without_trusted_proxies_nobody_is_believed(tmp_path: Path, access: list[str]) -> None:
    with served(tmp_path / "tables.db") as house:
        httpx.get(f"{house.address}/rules/wabash", headers={"X-Forwarded-For": "203.0.113.9"})
        until(lambda: len(access) == 1)
    assert f"client={PROXY} " in access[0]


def test_cookies_are_kept_to_https(visitor: Visitors, house: House) -> None:
    assert "; Secure" in visitor().get("/").headers["set-cookie"]
    assert "; Secure" not in visitor(house.address, STRANGER).get("/").headers["set-cookie"]


def test_the_proxy_sends_people_to_https_and_keeps_metrics_and_bombs_out(
    visitor: Visitors, doors: tuple[int, int]
) -> None:
    plain = visitor(f"http://{PROXY}:{doors[0]}").get("/t/x")
    assert (plain.status_code, plain.headers["location"]) == (301, "https://cuberails.example/t/x")
    assert visitor().get("/metrics").status_code == 404
    assert visitor().get("/health").text == "ok"
    assert visitor().post("/api/tables", content=b"x" * 2_000_000).status_code == 413


def test_metrics_are_not_told_through_a_proxy_that_forgets_to_keep_them(visitor: Visitors, house: House) -> None:
    forwarded = visitor(house.address, PROXY).get("/metrics", headers={"X-Forwarded-For": "203.0.113.9"})
    assert forwarded.status_code == 403


def test_the_settings_of_the_example_are_settings() -> None:
    settings = read_settings({}, str(DEPLOY / "cuberails.toml"))
    assert settings.trusted_proxies == (PROXY,)
    assert f"{settings.host}:{settings.port}" in (DEPLOY / "nginx.conf").read_text("utf-8")
    assert f"{settings.host}:{settings.port}" in (DEPLOY / "Caddyfile").read_text("utf-8")


def test_the_service_starts_the_command_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    unit = (DEPLOY / "cuberails.service").read_text("utf-8")
    start = next(line for line in unit.splitlines() if line.startswith("ExecStart="))
    assert main(["serve", "--help"]) == 0
    known = capsys.readouterr().out
    for word in start.split():
        assert not word.startswith("--") or word in known
    assert "/etc/cuberails.toml" in start
