"""Where a finished game was decided: the JSON interface of analyses."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import Depends, FastAPI
from fastapi.responses import JSONResponse, Response

from cuberails.server.analysing import Analyses
from cuberails.server.limits import ANALYSING, LOOKING, Limits
from cuberails.server.people import Address, Who
from cuberails.server.requests import AnalysisRequest, RefusalBody
from cuberails.server.tables import Tables

_REFUSALS: dict[int | str, dict[str, Any]] = {
    "4XX": {"model": RefusalBody, "description": "Refused; nothing was changed."}
}


def add_analyses(app: FastAPI, tables: Tables, analyses: Analyses, limits: Limits) -> None:
    async def limited(who: Who, at: Address) -> None:
        limits.take(LOOKING, who, at)

    @app.post("/api/tables/{id}/analysis", status_code=202, responses=_REFUSALS)
    async def start(id: str, request: AnalysisRequest, who: Who, at: Address) -> Response:
        """Have a finished game analysed, in the background; what is under way or complete is there for all."""
        limits.take(ANALYSING, who, at)
        table = await tables.find(id)
        await analyses.start(table, request.budget, who or at)
        return JSONResponse(await analyses.progress(table), 202)

    @app.get("/api/tables/{id}/analysis", responses=_REFUSALS, dependencies=[Depends(limited)])
    async def result(id: str) -> Response:
        """Read where a finished game was decided, as far as that is known: by the deepest analysis there is."""
        table = await tables.find(id)
        found = await analyses.found(table)
        view = None if found is None else await asyncio.to_thread(found.to_json)
        return JSONResponse({"progress": await analyses.progress(table), "analysis": view})

    @app.get("/api/tables/{id}/analysis/progress", responses=_REFUSALS, dependencies=[Depends(limited)])
    async def progress(id: str) -> dict[str, Any]:
        """Ask how far the analyses of a finished game are, by budget."""
        return await analyses.progress(await tables.find(id))
