"""How a person is called: the ways, tests of them, muted tables, and the tables that wait."""

from __future__ import annotations

import asyncio
import secrets
from base64 import b64encode
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit

from fastapi import Depends, FastAPI, Request
from fastapi.responses import JSONResponse, RedirectResponse, Response

from cuberails.server.club import outbox
from cuberails.server.club.caller import SENT, Caller
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.messages import test_message
from cuberails.server.club.outbox import JSON, Way
from cuberails.server.club.outside import Forbidden, Outside
from cuberails.server.connections import Statement, Write
from cuberails.server.limits import ACTING, LOOKING, Limits, Rate
from cuberails.server.naming import clean
from cuberails.server.people import Address, Who, issued_person, set_person_cookie
from cuberails.server.refusal import Refused
from cuberails.server.requests import MuteRequest, RefusalBody, WayRequest
from cuberails.server.store import StoredTable, now
from cuberails.server.tables import Tables

MOST_WAYS = 10
"""So many ways can somebody have; a turn is told to each."""

ADDING = Rate("add ways to be called", 10, 2)
TESTING = Rate("send tests", 5, 2)

_REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": RefusalBody, "description": "Refused; nothing was changed."}
}


def add_notifications(app: FastAPI, tables: Tables, limits: Limits, caller: Caller, outside: Outside) -> None:
    _ways(app, Ways(tables, caller, outside), limits)
    _waiting(app, tables, limits)


class Ways:
    """What people change about how they are called."""

    def __init__(self, tables: Tables, caller: Caller, outside: Outside) -> None:
        self.tables = tables
        self.caller = caller
        self.outside = outside
        self.outbox = caller.outbox

    async def of(self, who: str) -> list[Way]:
        return await asyncio.to_thread(self.outbox.ways, who) if who else []

    async def own(self, who: str, id: str) -> Way:
        """A way of this person."""
        way = await asyncio.to_thread(self.outbox.way, id)
        if way is None or not who or way.person != who:
            raise Refused(404, "no_way", "You have no such way to be called.")
        return way

    async def add(self, who: str, request: WayRequest, base: str) -> Way:
        """A new way for somebody, if it can be used."""
        if len(await self.of(who)) >= MOST_WAYS:
            raise Refused(403, "too_many_ways", f"You have {MOST_WAYS} ways to be called; remove one first.")
        try:
            await self.outside.run(self.outside.check(request.target))
        except Forbidden as error:
            raise Refused(422, "bad_address", f"This cannot be used: {error}.") from None
        secret = f"whsec_{b64encode(secrets.token_bytes(24)).decode()}" if request.kind == JSON else ""
        host = urlsplit(request.target).hostname or ""
        way = Way(secrets.token_urlsafe(12), who, request.kind, request.target, secret, host[:80], base, now())
        await self.write(outbox.adding(way))
        return way

    async def write(self, statements: Sequence[Statement]) -> None:
        await self.tables.writer.write(Write("", list(statements)))


def _ways(app: FastAPI, ways: Ways, limits: Limits) -> None:
    @app.get("/api/notifications", responses=_REFUSALS)
    async def how_you_are_called(who: Who) -> dict[str, Any]:
        """List the ways by which you are called, and the tables about which you are not."""
        muted = await asyncio.to_thread(ways.outbox.muted, who) if who else []
        return {"ways": [way_view(way) for way in await ways.of(who)], "muted": muted}

    @app.post("/api/notifications", status_code=201, responses=_REFUSALS)
    async def add_way(request: Request, wanted: WayRequest, who: Who, at: Address) -> Response:
        """Add a way; a plain webhook is answered with the secret that signs what it gets, once and never again."""
        limits.take(ADDING, who, at)
        me = await issued_person(ways.tables, who)
        way = await ways.add(me, wanted, str(request.base_url).rstrip("/"))
        secret = {"secret": way.secret} if way.kind == JSON else {}
        body = way_view(way) | secret | {"person": ways.tables.identities.token(me)}
        return set_person_cookie(JSONResponse(body, 201), ways.tables, me)

    @app.delete("/api/notifications/{id}", responses=_REFUSALS)
    async def remove_way(id: str, who: Who) -> dict[str, bool]:
        """Remove a way, and all that waits there."""
        way = await ways.own(who, id)
        await ways.write(outbox.removing([way.id]))
        return {"removed": True}

    @app.post("/api/notifications/{id}/test", responses=_REFUSALS)
    async def send_test(id: str, who: Who, at: Address) -> dict[str, bool]:
        """Send a test by one of your ways; a way that was stopped is used again if it arrives."""
        limits.take(TESTING, who, at)
        way = await ways.own(who, id)
        waiting = await asyncio.to_thread(ways.tables.store.waiting_for, who)
        outcome = await ways.caller.try_out(way, test_message(len(waiting)))
        if outcome.result != SENT:
            raise Refused(422, "not_delivered", f"The test did not arrive: {outcome.trouble}.")
        return {"sent": True}


def _waiting(app: FastAPI, tables: Tables, limits: Limits) -> None:
    async def limited(who: Who, at: Address) -> None:
        limits.take(LOOKING, who, at)

    async def waiting_for(who: str) -> list[StoredTable]:
        return await asyncio.to_thread(tables.store.waiting_for, who) if who else []

    @app.get("/api/waiting", responses=_REFUSALS, dependencies=[Depends(limited)])
    async def where_you_are_waited_for(who: Who) -> list[dict[str, str]]:
        """List the tables that wait for you, that first which has waited longest."""
        return [waiting_view(table) for table in await waiting_for(who)]

    @app.get("/next")
    async def next_table(who: Who, beside: str = "") -> Response:
        """To the table that has waited longest for you, or to the list of all; not to that which you come from."""
        ids = [table.id for table in await waiting_for(who) if table.id != beside]
        return RedirectResponse(f"/t/{ids[0]}" if ids else "/", 303)

    @app.post("/api/tables/{id}/mute", responses=_REFUSALS)
    async def mute(id: str, request: MuteRequest, who: Who, at: Address) -> dict[str, bool]:
        """Not be called about a table any more, or be called again."""
        limits.take(ACTING, who, at)
        table = await tables.find(id)
        if not who:
            raise Refused(401, "not_your_seat", "Nobody calls you about this table: you have no seat here.")
        await tables.writer.write(Write(table.id, outbox.muting(who, table.id, request.muted)))
        return {"muted": request.muted}


def way_view(way: Way) -> dict[str, Any]:
    """A way for its person: nothing that could be used in their place."""
    return {
        "id": way.id,
        "kind": way.kind,
        "label": clean(way.label, 80),
        "since": f"{way.since:%Y-%m-%dT%H:%M:%SZ}",
        "digest_hour": way.digest_hour,
        "stopped": way.stopped,
        "trouble": way.trouble,
    }


def waiting_view(table: StoredTable) -> dict[str, str]:
    """A table that waits for somebody."""
    return {
        "id": table.id,
        "page": f"/t/{table.id}",
        "name": title_name(table.title),
        "seats": ", ".join(seat.name for seat in table.seats),
        "since": f"{table.changed:%Y-%m-%dT%H:%M:%SZ}",
    }
