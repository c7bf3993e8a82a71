"""The JSON interface for what people do with each other: names, invitations, chat, notes and a rematch."""

from __future__ import annotations

import io
from functools import partial
from typing import Any

import segno
from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from cuberails.server import chatting, hot, seating
from cuberails.server.acceptance import check_number
from cuberails.server.limits import ACTING, HOSTING, LOOKING, OPENING, TALKING, Limits
from cuberails.server.people import Who, claim_seat_by_key, limited, own_seats, seat_link
from cuberails.server.refusal import Refused
from cuberails.server.rematch import rematch
from cuberails.server.requests import ChatRequest, NameRequest, NoteRequest
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.view import chat_view


def add_social(app: FastAPI, tables: Tables, limits: Limits) -> None:
    async def coming(id: str, who: str) -> tuple[Table, list[int]]:
        """A table, and the seats there of somebody who comes to do something."""
        table = await tables.find(id)
        await claim_seat_by_key(table, who)
        return table, await own_seats(table, who)

    @app.post("/api/tables/{id}/seats/{seat}/name", **limited(limits, ACTING))
    async def name_seat(id: str, seat: int, request: NameRequest, who: Who) -> Response:
        """Say what you want to be called at this table; everybody sees it from now on."""
        make = partial(seating.rename, person=who, seat=seat, name=request.name)
        return JSONResponse(await hot.change(tables, id, who, lambda table, own: make(table, own=own)))

    @app.get("/api/tables/{id}/seats/{seat}/qr.svg", **limited(limits, LOOKING))
    async def qr_code(request: Request, id: str, seat: int, who: Who) -> Response:
        """As the host, see the link of a seat as a QR code."""
        table = await tables.find(id)
        check_number(table, seat)
        if not who or who != table.host:
            raise Refused(403, "not_host", "Only the host of the table can invite people.")
        link = seat_link(tables, table, seat)
        if not link:
            raise Refused(404, "no_key", f"No link leads to the seat of {table.game.seats[seat]}.")
        picture = _qr_svg(f"{request.base_url}{link[1:]}")
        return Response(picture, media_type="image/svg+xml", headers={"Cache-Control": "no-store"})

    @app.get("/api/tables/{id}/chat", **limited(limits, LOOKING))
    async def read_chat(id: str, after: int = 0) -> list[dict[str, Any]]:
        """Read the last 200 lines of the chat, or those of them behind a number."""
        return [chat_view(line) for line in (await tables.find(id)).chat.after(after)]

    @app.post("/api/tables/{id}/chat", **limited(limits, TALKING))
    async def say(id: str, request: ChatRequest, who: Who) -> list[dict[str, Any]]:
        """Say something to everybody who follows the table; it changes nothing about the game."""
        table, own = await coming(id, who)
        before = table.chat.last
        await chatting.say(table, who, own, request.seat, request.text)
        return [chat_view(line) for line in table.chat.after(before)]

    @app.get("/api/tables/{id}/notes", **limited(limits, LOOKING))
    async def read_notes(id: str, who: Who) -> dict[str, str]:
        """Read what you noted about the table; nobody else can."""
        return {"text": await chatting.read_note(await tables.find(id), who)}

    @app.post("/api/tables/{id}/notes", **limited(limits, ACTING))
    async def write_notes(id: str, request: NoteRequest, who: Who) -> dict[str, str]:
        """Note something about the table for yourself, in place of what you noted before."""
        table, own = await coming(id, who)
        await chatting.note(table, who, own, request.text)
        return {"text": await chatting.read_note(table, who)}

    @app.post("/api/tables/{id}/rematch", **limited(limits, OPENING, HOSTING))
    async def play_once_more(id: str, who: Who) -> dict[str, str]:
        """After the game, open a table for the same people in a new order; if somebody has, that one."""
        table, own = await coming(id, who)
        again = await rematch(tables, table, who, own)
        return {"id": again, "page": f"/t/{again}"}


def _qr_svg(link: str) -> bytes:
    """A link as a QR code: dark on light, whatever the page looks like, so that a camera can read it."""
    drawing = io.BytesIO()
    segno.make_qr(link, error="m").save(drawing, kind="svg", scale=4, border=4, light="#fff", xmldecl=False)
    return drawing.getvalue()
