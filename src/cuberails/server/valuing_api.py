"""What shares and lots are worth: the JSON interface."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import JSONResponse, Response, StreamingResponse

from cuberails.server import stream
from cuberails.server.limits import VALUING, Limits
from cuberails.server.people import Address, Who
from cuberails.server.requests import REFUSALS
from cuberails.server.tables import Tables
from cuberails.server.thinking import Thinkers
from cuberails.server.valuing import Moment, Valuations


def add_valuing(app: FastAPI, tables: Tables, thinkers: Thinkers, limits: Limits) -> None:
    valuations = Valuations(thinkers)

    async def asked_about(id: str, at: int | None, who: str, address: str) -> Moment:
        limits.take(VALUING, who, address)
        return Moment(tables, valuations, await tables.find(id), at)

    @app.get("/api/tables/{id}/worth", responses=REFUSALS)
    async def what_is_it_worth(id: str, who: Who, address: Address, at: int | None = None) -> Response:
        """Ask what every share is worth by the rules alone, now or after a number of actions.

        Everybody who may look at the table may ask. At a table without help this is refused with 403 and `help_off`.
        """
        moment = await asked_about(id, at, who, address)
        return JSONResponse(await moment.quick())

    @app.get("/api/tables/{id}/worth/events", responses=REFUSALS)
    async def refined_worth(id: str, who: Who, address: Address, at: int | None = None) -> StreamingResponse:
        """The same as server-sent events: `worth` with the quick numbers, `progress`, and `worth` with refined ones.

        It ends with `done`, or with `gone` when the table moves on. Whoever closes it first ends the work.
        """
        moment = await asked_about(id, at, who, address)
        events = moment.events(await moment.quick(), who or address)
        return StreamingResponse(events, media_type="text/event-stream", headers=stream.HEADERS)
