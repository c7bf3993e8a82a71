"""What every request passes first."""

from __future__ import annotations

from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from starlette.responses import PlainTextResponse
from starlette.types import Receive, Scope, Send

from cuberails.server.app import create_app
from cuberails.server.guard import Guard
from cuberails.server.settings import Settings

HEADERS = ("content-security-policy", "x-content-type-options", "referrer-policy", "cross-origin-opener-policy")


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


async def fails(scope: Scope, receive: Receive, send: Send) -> None:
    raise RuntimeError("nobody expected this")


async def succeeds(scope: Scope, receive: Receive, send: Send) -> None:
    await PlainTextResponse("done")(scope, receive, send)


def client(app: FastAPI | Guard, host: str = "play.example.org") -> httpx.AsyncClient:
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=f"http://{host}")


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/", "/api/tables"])
async def test_an_error_of_the_server_is_a_sentence_with_the_headers_of_every_answer(
    path: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with client(Guard(fails)) as stranger:
        answer = await stranger.get(path)
    assert answer.status_code == 500
    assert all(name in answer.headers for name in HEADERS)
    assert "it was noted; try again" in answer.text
    assert "expected" not in answer.text
    assert "nobody expected this" in caplog.text


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("play.example.org", 200),
        ("PLAY.example.org:8000", 200),
        ("play.example.org.", 200),
        ("[2001:db8::1]:80", 200),
        ("evil.example.net", 421),
        ("play.example.org.evil.net", 421),
        ("127.0.0.1", 421),
    ],
)
async def test_a_server_with_a_name_answers_to_no_other(host: str, status: int, tmp_path: Path) -> None:
    names = ("Play.Example.org", "[2001:db8::1]")
    app = create_app(Settings(database=str(tmp_path / "tables.db"), host_names=names))
    async with client(app) as visitor:
        answer = await visitor.get("/api/titles", headers={"Host": host})
        assert answer.status_code == status
        assert all(name in answer.headers for name in HEADERS)
        assert (await visitor.get("/health", headers={"Host": host})).status_code == 200  # a probe has the address only


@pytest.mark.anyio
async def test_a_server_without_a_name_answers_to_any(tmp_path: Path) -> None:
    async with client(create_app(Settings(database=str(tmp_path / "tables.db"))), "anything.test") as visitor:
        assert (await visitor.get("/api/titles")).status_code == 200


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/api/tables/x/rematch", "/api/lobby/x/leave", "/join/x/y", "/api/account/sign-out"])
@pytest.mark.parametrize(("site", "refused"), [("same-site", True), ("cross-site", True), ("same-origin", False)])
async def test_a_page_of_a_neighbour_changes_nothing(path: str, site: str, refused: bool) -> None:
    """Also where a request has no body that could say by its kind that a page of this server has sent it."""
    async with client(Guard(succeeds)) as visitor:
        answer = await visitor.post(path, headers={"Sec-Fetch-Site": site, "Content-Type": "application/json"})
        assert answer.status_code == (403 if refused else 200)
        assert (await visitor.get("/", headers={"Sec-Fetch-Site": site})).status_code == 200  # links lead here
        assert (await visitor.post("/unsubscribe/x", headers={"Sec-Fetch-Site": site})).status_code == 200


@pytest.mark.anyio
async def test_no_proxy_keeps_what_was_for_somebody(tmp_path: Path) -> None:
    async with client(create_app(Settings(database=str(tmp_path / "tables.db")))) as visitor:
        for path in ("/api/titles", "/rules/wabash", "/sign-in-with-nothing"):
            assert (await visitor.get(path)).headers["cache-control"] == "private, no-cache"
        assert "cache-control" not in (await visitor.get("/static/app.css")).headers
        assert (await visitor.get("/look.css")).headers["cache-control"].startswith("public")


@pytest.mark.anyio
@pytest.mark.parametrize("path", ["/api/lobby/a%00b", "/t/%00", "/api/notifications/%00/test"])
async def test_nothing_is_called_as_no_database_could_say(path: str) -> None:
    async with client(Guard(fails)) as visitor:
        assert (await visitor.get(path)).status_code == (await visitor.post(path, json={})).status_code == 404
