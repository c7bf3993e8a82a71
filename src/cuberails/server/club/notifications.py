"""How a person is called, as pages and JSON: the ways, tests of them, muted tables, and the tables that wait."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, HTMLResponse, JSONResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates

from cuberails.server.club import outbox
from cuberails.server.club.caller import SENT
from cuberails.server.club.entrance import own_digest
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.messages import test_message
from cuberails.server.club.outbox import JSON
from cuberails.server.club.waiting import waiting_for
from cuberails.server.club.ways import Ways, way_view
from cuberails.server.limits import ACTING, LOOKING, Limits, Rate
from cuberails.server.pages import account_of, templates
from cuberails.server.people import SIGNED_IN, Address, Who, issued_person, limited, set_person_cookie
from cuberails.server.refusal import Refused
from cuberails.server.requests import REFUSALS, MuteRequest, WayRequest
from cuberails.server.store import StoredTable
from cuberails.server.tables import Tables

ADDING = Rate("add ways to be called", 10, 2)
TESTING = Rate("send tests", 5, 2)

_STATIC = Path(__file__).parent.parent / "static"


def add_notifications(app: FastAPI, tables: Tables, limits: Limits, ways: Ways) -> None:
    _ways(app, ways, limits)
    _waiting(app, tables, limits)
    _mutes(app, ways, limits)
    _pages(app, ways, templates)
    _files(app)


def _ways(app: FastAPI, ways: Ways, limits: Limits) -> None:
    @app.get("/api/notifications", responses=REFUSALS)
    async def how_you_are_called(who: Who) -> dict[str, Any]:
        """List the ways by which you are called, and the tables about which you are not."""
        found = {"ways": [way_view(way) for way in await ways.of(who)], "muted": await ways.muted(who)}
        return found | {"push_key": await ways.push_key()}

    @app.post("/api/notifications", status_code=201, responses=REFUSALS)
    async def add_way(request: Request, wanted: WayRequest, who: Who, at: Address) -> Response:
        """Add a way; a plain webhook is answered with the secret that signs what it gets, once and never again."""
        limits.take(ADDING, who, at)
        me = await issued_person(ways.tables, who)
        here = own_digest(request) if request.scope.get(SIGNED_IN) else ""
        way = await ways.add(me, wanted, str(request.base_url).rstrip("/"), here)
        secret = {"secret": way.secret} if way.kind == JSON else {}
        body = way_view(way) | secret | {"person": ways.tables.identities.token(me)}
        return set_person_cookie(JSONResponse(body, 201), ways.tables, me)

    @app.delete("/api/notifications/{id}", responses=REFUSALS)
    async def remove_way(id: str, who: Who) -> dict[str, bool]:
        """Remove a way, and all that waits there."""
        way = await ways.own(who, id)
        await ways.write(outbox.removing([way.id]))
        return {"removed": True}

    @app.post("/api/notifications/{id}/test", responses=REFUSALS)
    async def send_test(id: str, who: Who, at: Address) -> dict[str, bool]:
        """Send a test by one of your ways; a way that was stopped is used again if it arrives."""
        limits.take(TESTING, who, at)
        way = await ways.own(who, id)
        found = await asyncio.to_thread(waiting_for, ways.tables.store, who)
        outcome = await ways.caller.try_out(way, test_message(len(found)))
        if outcome.result != SENT:
            raise Refused(422, "not_delivered", f"The test did not arrive: {outcome.trouble}.")
        return {"sent": True}


def _waiting(app: FastAPI, tables: Tables, limits: Limits) -> None:
    async def waiting(who: str) -> list[StoredTable]:
        return await asyncio.to_thread(waiting_for, tables.store, who) if who else []

    @app.get("/api/waiting", **limited(limits, LOOKING))
    async def where_you_are_waited_for(who: Who) -> list[dict[str, str]]:
        """List the tables that wait for you, that first which has waited longest."""
        return [waiting_view(table) for table in await waiting(who)]

    @app.get("/next")
    async def next_table(who: Who, beside: str = "") -> Response:
        """To the table that has waited longest for you, or to the list of all; not to that which you come from."""
        ids = [table.id for table in await waiting(who) if table.id != beside]
        return RedirectResponse(f"/t/{ids[0]}" if ids else "/", 303)


def _mutes(app: FastAPI, ways: Ways, limits: Limits) -> None:
    @app.post("/api/tables/{id}/mute", responses=REFUSALS)
    async def mute(id: str, request: MuteRequest, who: Who, at: Address) -> dict[str, bool]:
        """Not be called about a table any more, or be called again."""
        limits.take(ACTING, who, at)
        table = await ways.tables.find(id)
        if not who:
            raise Refused(401, "not_your_seat", "Nobody calls you about this table: you have no seat here.")
        await ways.mute(who, table.id, request.muted)
        return {"muted": request.muted}


def _pages(app: FastAPI, ways: Ways, templates: Jinja2Templates) -> None:
    @app.get("/notifications", response_class=HTMLResponse)
    async def notifications_page(request: Request, who: Who) -> Response:
        """How somebody is called."""
        page: dict[str, Any] = {"first": {"mail": await ways.mail_view(who)}}
        page["account"] = await asyncio.to_thread(account_of, request, who)
        return templates.TemplateResponse(request, "notifications.html", page)

    @app.get("/unsubscribe/{token}", response_class=HTMLResponse)
    async def unsubscribe_page(request: Request, token: str) -> Response:
        """A link in a mail. Programs that look for dangers in mail follow it too, so that this changes nothing."""
        done = not await ways.subscribed(token)
        return templates.TemplateResponse(request, "unsubscribe.html", {"done": done})

    @app.post("/unsubscribe/{token}", response_class=HTMLResponse)
    async def unsubscribe(request: Request, token: str) -> Response:
        """By the button of that page, or by that of a mail program (RFC 8058)."""
        await ways.unsubscribe(token)
        return templates.TemplateResponse(request, "unsubscribe.html", {"done": True})


def _files(app: FastAPI) -> None:
    """What browsers want at the root: it counts for all pages from there on."""

    @app.get("/sw.js")
    def service_worker() -> Response:
        headers = {"Cache-Control": "no-cache"}
        return FileResponse(_STATIC / "sw.js", media_type="text/javascript", headers=headers)

    @app.get("/manifest.webmanifest")
    def manifest() -> Response:
        return FileResponse(_STATIC / "manifest.webmanifest", media_type="application/manifest+json")


def waiting_view(table: StoredTable) -> dict[str, str]:
    """A table that waits for somebody."""
    return {
        "id": table.id,
        "page": f"/t/{table.id}",
        "name": title_name(table.title),
        "seats": ", ".join(seat.name for seat in table.seats),
        "since": f"{table.changed:%Y-%m-%dT%H:%M:%SZ}",
    }
