"""Where a finished game was decided: the JSON interface of analyses, and their page."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

from cuberails.bots.analysis import Analysis
from cuberails.core.game import Game
from cuberails.core.scene import Scene
from cuberails.server.analysing import RUNNING, Analyses
from cuberails.server.analysis_view import analysis_file, analysis_view
from cuberails.server.exercises import mistakes_of
from cuberails.server.limits import ANALYSING, LOOKING, Limits
from cuberails.server.pages import table_drawings, templates
from cuberails.server.people import Address, Who, limited, own_seats
from cuberails.server.refusal import Refused
from cuberails.server.requests import REFUSALS, AnalysisRequest
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.view import neutral


def add_analyses(app: FastAPI, tables: Tables, analyses: Analyses, limits: Limits) -> None:
    _interface(app, tables, analyses, limits)
    _pages(app, tables, analyses)


def _interface(app: FastAPI, tables: Tables, analyses: Analyses, limits: Limits) -> None:
    @app.post("/api/tables/{id}/analysis", status_code=202, responses=REFUSALS)
    async def start(id: str, request: AnalysisRequest, who: Who, at: Address) -> Response:
        """Have a finished game analysed, in the background; what is under way or complete is there for all."""
        limits.take(ANALYSING, who, at)
        table = await tables.find(id)
        await analyses.start(table, request.budget, who or at)
        return JSONResponse(await analyses.progress(table), 202)

    @app.get("/api/tables/{id}/analysis", **limited(limits, LOOKING))
    async def result(id: str) -> Response:
        """Read where a finished game was decided, as far as that is known: by the deepest analysis there is."""
        table = await tables.find(id)
        found = await analyses.found(table)
        view = None if found is None else await asyncio.to_thread(found.to_json)
        return JSONResponse({"progress": await analyses.progress(table), "analysis": view})

    @app.get("/api/tables/{id}/analysis/progress", **limited(limits, LOOKING))
    async def progress(id: str) -> dict[str, Any]:
        """Ask how far the analyses of a finished game are, by budget."""
        return await analyses.progress(await tables.find(id))


def _pages(app: FastAPI, tables: Tables, analyses: Analyses) -> None:
    @app.get("/t/{id}/analysis", response_class=HTMLResponse)
    async def analysis_page(request: Request, id: str, who: Who) -> Response:
        """Where the game was decided, for everybody who has the link."""
        table = await tables.find(id)
        progress, found = await analyses.progress(table), await analyses.found(table)
        if found is not None and not found.complete and progress[found.budget]["state"] == RUNNING:
            found = None  # what it will say at the end may be quite another thing
        game, seen = table.game.fork(), neutral(table.scenes.after(table.game.count))
        mine = await own_seats(table, who)
        return await asyncio.to_thread(drawn, request, id, game, seen, found, progress, mine)

    def drawn(
        request: Request,
        id: str,
        game: Game,
        seen: Scene,
        found: Analysis | None,
        progress: dict[str, Any],
        mine: list[int],
    ) -> Response:
        first = {"id": id, "count": game.count, "names": list(game.seats), "progress": progress}
        page: dict[str, Any] = {"title": game.title, "first": first, "view": None}
        if found is not None:
            first |= {"shown": found.budget, "complete": found.complete, "chances": rounded(found.chances)}
            page |= table_drawings(seen) | {
                "view": analysis_view(game, found),
                "exercises": _exercises(found, game, mine),
            }
        return templates.TemplateResponse(request, "analysis.html", page)

    @app.get("/t/{id}/analysis.html", response_class=HTMLResponse)
    async def analysis_as_file(id: str) -> Response:
        """The same as one file that works offline."""
        table, found = await known(id)
        body = await asyncio.to_thread(analysis_file, table.game.fork(), found)
        return HTMLResponse(body, headers=_saved_as(table, "html"))

    @app.get("/t/{id}/analysis.json")
    async def analysis_as_json(id: str) -> Response:
        """The same as `cuberails analyse --json` writes it, and continues it."""
        table, found = await known(id)
        return JSONResponse(await asyncio.to_thread(found.to_json), headers=_saved_as(table, "json"))

    async def known(id: str) -> tuple[Table, Analysis]:
        table = await tables.find(id)
        found = await analyses.found(table)
        if found is None:
            raise Refused(404, "no_analysis", "This game was not analysed yet; start that on the page of the analysis.")
        return table, found


def _saved_as(table: Table, kind: str) -> dict[str, str]:
    """Have a browser save a file under a name that says what it is."""
    name = f"{table.game.title.key}-{table.id}-analysis.{kind}"
    return {"Content-Disposition": f'attachment; filename="{name}"'}


def _exercises(found: Analysis, game: Game, mine: list[int]) -> list[dict[str, Any]]:
    """The seats with mistakes to choose again at, one's own first."""
    seats = [seat for seat in range(len(game.seats)) if mistakes_of(found, seat)]
    own = mine if len(mine) == 1 else []
    return [
        {"seat": seat, "label": "your mistakes" if seat in own else f"mistakes of {game.seats[seat]}"}
        for seat in sorted(seats, key=lambda seat: seat not in own)
    ]


def rounded(chances: list[list[float]]) -> list[list[float]]:
    """Chances as exactly as a page needs them."""
    return [[round(chance, 3) for chance in each] for each in chances]
