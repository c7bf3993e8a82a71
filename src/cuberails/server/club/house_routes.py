"""Order in the house, as the JSON interface has it: people mute, block and report others, and hosts remove them."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response

from cuberails.server import hot, seating
from cuberails.server.acceptance import check_number
from cuberails.server.chat import HOST
from cuberails.server.club.blocks import blocks_of, hidden_seats, set_block
from cuberails.server.club.friends import Friends
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.lobby_view import open_view
from cuberails.server.club.reports import report, report_waiting
from cuberails.server.limits import ACTING, LOOKING, REPORTING, Limits
from cuberails.server.opening import check_level
from cuberails.server.people import Who, limited
from cuberails.server.requests import (
    BlockRequest,
    PlayerRequest,
    ReportRequest,
    SeatReportRequest,
    UnseatRequest,
)
from cuberails.server.table import Table
from cuberails.server.tables import Tables


def add_house(app: FastAPI, tables: Tables, lobby: Lobby, friends: Friends, limits: Limits) -> None:
    async def hidden(table: Table, who: str) -> dict[str, Any]:
        blocks = await asyncio.to_thread(blocks_of, tables.store.engine, who)
        return {"hidden": hidden_seats(table, blocks.values())}

    @app.get("/api/tables/{id}/hidden", **limited(limits, LOOKING))
    async def see_hidden(id: str, who: Who) -> dict[str, Any]:
        """See at which seats people sit whom you have muted or blocked: their chat is hidden on your page."""
        return await hidden(await tables.find(id), who)

    @app.post("/api/tables/{id}/seats/{seat}/block", **limited(limits, ACTING))
    async def block_seat(id: str, seat: int, request: BlockRequest, who: Who) -> dict[str, Any]:
        """Mute or block whoever sits at a seat, -1 for a host without one; with the kind "" no longer."""
        table = await tables.find(id)
        if seat != HOST:
            check_number(table, seat)
        await set_block(table, who, seat, request.kind)
        lobby.notify()
        return await hidden(table, who)

    @app.post("/api/tables/{id}/seats/{seat}/remove", **limited(limits, ACTING))
    async def remove_player(id: str, seat: int, request: PlayerRequest, who: Who) -> Response:
        """As the host, remove whoever sits at a seat; a bot of a level plays there, or who comes by the new link."""
        if request.level:
            check_level(request.level)

        async def make(table: Table, own: list[int]) -> None:
            await seating.remove_player(table, who, seat, request.level)

        return JSONResponse(await hot.change(tables, id, who, make))

    @app.post("/api/lobby/{id}/remove", **limited(limits, ACTING))
    async def unseat(id: str, request: UnseatRequest, who: Who) -> dict[str, Any]:
        """As the host of an open table, take somebody's seat away; they cannot take one there again."""
        return open_view(await lobby.remove(id, who, request.seat), who)

    @app.post("/api/tables/{id}/seats/{seat}/report", **limited(limits, REPORTING))
    async def report_seat(id: str, seat: int, request: ReportRequest, who: Who) -> dict[str, Any]:
        """Report whoever sits at a seat, -1 for a host without one; only whoever runs the server reads it."""
        await report(await tables.find(id), who, seat, request.line, request.reason)
        return {"reported": True}

    @app.post("/api/lobby/{id}/report", **limited(limits, REPORTING))
    async def report_waiting_seat(id: str, request: SeatReportRequest, who: Who) -> dict[str, Any]:
        """Report whoever has a seat at an open table, such as for the name."""
        await report_waiting(tables.writer, await lobby.find(id), who, request.seat, request.reason)
        return {"reported": True}

    @app.post("/api/people/{sign}/block", **limited(limits, ACTING))
    async def block_person(sign: str, request: BlockRequest, who: Who) -> list[dict[str, Any]]:
        """Mute or block somebody whom you know here; with the kind "" no longer."""
        await friends.set_block(who, sign, request.kind)
        return await friends.seen(who, lobby.people_here())
