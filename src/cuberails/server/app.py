"""The application: pages for people and a JSON interface for programs, on the same tables."""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, Response
from fastapi.routing import APIRoute
from fastapi.staticfiles import StaticFiles
from sqlalchemy.exc import DatabaseError
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware

import cuberails
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError
from cuberails.core.record import RecordError
from cuberails.core.title import SetupError
from cuberails.server.analysing import Analyses
from cuberails.server.analysis_api import add_analyses
from cuberails.server.api import add_interface
from cuberails.server.clock import Clock
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.admin_pages import Admins, add_admin
from cuberails.server.club.bans import Bans, Order
from cuberails.server.club.chores import Chores
from cuberails.server.club.entrance import Entrance
from cuberails.server.club.friends import Friends
from cuberails.server.club.house_routes import add_house
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.lobby_routes import add_lobby
from cuberails.server.club.membership import add_accounts
from cuberails.server.club.notifications import add_notifications
from cuberails.server.club.order_api import add_orders
from cuberails.server.club.profile import Profiles
from cuberails.server.club.rest_routes import add_rests
from cuberails.server.club.sessions import Recognition, Sessions
from cuberails.server.club.standing import Standings
from cuberails.server.club.standing_pages import add_standings
from cuberails.server.club.timekeeper import Timekeeper
from cuberails.server.club.ways import Ways
from cuberails.server.exercise_pages import add_exercises
from cuberails.server.guard import Guard
from cuberails.server.health import Health, write_probe
from cuberails.server.hot import BUSY, HotPath, log_trouble, refusal_view
from cuberails.server.identity import Identities, stored_secret
from cuberails.server.limits import Limits
from cuberails.server.logs import set_up_logs
from cuberails.server.metrics import Metrics
from cuberails.server.observing import Observer
from cuberails.server.pages import add_pages, templates
from cuberails.server.people import person_in
from cuberails.server.refusal import Refused
from cuberails.server.settings import Settings, read_settings
from cuberails.server.social import add_social
from cuberails.server.store import Store
from cuberails.server.tables import Tables
from cuberails.server.thinking import Thinkers
from cuberails.server.valuing_api import add_valuing
from cuberails.server.writer import WriteFailed
from cuberails.titles import load

HERE = Path(__file__).parent


class Parts:
    """What the application is made of, all of it on the same tables."""

    def __init__(self, settings: Settings, boards: Sequence[Board], clock: Clock | None) -> None:
        self.settings = settings
        self.thinkers = Thinkers(settings.bot_workers)
        store, identities = Store(settings.database_url, clock), server_identities(settings)
        self.tables = Tables(store, self.thinkers, settings.pace, identities, boards)
        self.accounts = Accounts(self.tables)
        self.sessions = Sessions(self.accounts, self.tables)
        self.analyses = Analyses(self.tables, Thinkers(1, background=True))
        self.ways = Ways(settings, self.tables, self.accounts)
        self.bans = Bans(self.tables)
        self.lobby = Lobby(self.tables, settings.open_table_days)
        self.chores = Chores(self.tables, self.lobby, self.accounts)
        self.friends = Friends(self.tables, self.accounts, self.lobby.notify)
        self.standings = Standings(self.tables, self.accounts)
        self.profiles = Profiles(store.engine, self.accounts, self.standings)
        self.health = Health(partial(write_probe, store.engine), store.trouble)
        self.limits = Limits()

    @asynccontextmanager
    async def at_work(self, _: FastAPI) -> AsyncIterator[None]:
        """Everything runs that runs by itself, until the application ends."""
        self.thinkers.warm_up()
        self.health.start()
        await run_in_threadpool(get_ready)
        await run_in_threadpool(self.bans.load)
        self.tables.start()
        keeper = Timekeeper(self.tables)
        works = [self.tables.resume_bots(), self.analyses.resume(), keeper.run()]
        works += [self.lobby.keep_tidy(), self.chores.keep_doing()]
        begun = [asyncio.create_task(work) for work in works]
        self.ways.start()
        yield
        for task in begun:
            task.cancel()
        self.health.close()
        self.analyses.close()
        self.chores.close()
        await self.ways.close()
        await self.tables.close()


def create_app(settings: Settings, boards: Sequence[Board] = (), clock: Clock | None = None) -> FastAPI:
    """The application as the settings say; `boards` are offered beside the built-in ones. All of it has this clock."""
    parts = Parts(settings, boards, clock)
    app = FastAPI(
        title="cuberails",
        version=cuberails.__version__,
        lifespan=parts.at_work,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,  # it would send people to whatever host the request names
    )
    for name in ("tables", "settings", "accounts", "analyses", "lobby"):
        setattr(app.state, name, getattr(parts, name))
    _middleware(app, parts)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    _refusals(app, parts.tables)
    _interface(app, parts)
    for route in app.routes:
        if isinstance(route, APIRoute) and not route.path.startswith("/api/"):
            route.include_in_schema = False
    return app


def _middleware(app: FastAPI, parts: Parts) -> None:
    """What every request passes; the last that is added is the first that it comes to."""
    settings, tables = parts.settings, parts.tables
    metrics = _metrics(tables, parts.thinkers, parts.analyses, parts.health)
    app.add_middleware(GZipMiddleware, minimum_size=800, compresslevel=5)
    app.add_middleware(HotPath, tables=tables, limits=parts.limits)
    app.add_middleware(Order, bans=parts.bans, tables=tables)
    app.add_middleware(Recognition, sessions=parts.sessions, tables=tables)
    app.add_middleware(Guard, host_names=settings.host_names)
    app.add_middleware(Observer, metrics=metrics, health=parts.health, readers=settings.metrics)


def _interface(app: FastAPI, parts: Parts) -> None:
    """All that can be asked for: the pages, and the JSON interface."""
    tables, lobby, friends, limits = parts.tables, parts.lobby, parts.friends, parts.limits
    add_interface(app, tables, lobby, limits)
    add_social(app, tables, limits)
    add_analyses(app, tables, parts.analyses, limits)
    add_exercises(app, tables, parts.analyses, parts.thinkers, limits)
    add_valuing(app, tables, parts.thinkers, limits)
    add_orders(app, tables, limits)
    add_accounts(app, parts.settings, Entrance(tables, parts.accounts, parts.sessions), parts.chores, limits)
    add_standings(app, parts.standings, parts.profiles, limits)
    add_rests(app, tables, limits)
    add_pages(app, tables, lobby, limits)
    add_lobby(app, tables, lobby, friends, parts.profiles, limits)
    add_house(app, tables, lobby, friends, limits)
    add_admin(app, Admins(tables, parts.bans, parts.chores), limits)
    add_notifications(app, tables, limits, parts.ways)


def server_identities(settings: Settings) -> Identities:
    """The names of people and the keys of seats, by the secret in the settings or in its file."""
    return Identities(settings.secret.encode() or stored_secret(settings.secret_file))


def get_ready() -> None:
    """Read all titles before anybody asks. They never change: the garbage collector need not look at them again."""
    for key in cuberails.TITLES:
        load(key)
    gc.collect()
    gc.freeze()


def from_environment() -> FastAPI:
    """The application as the environment says, for servers other than `cuberails serve`."""
    settings = read_settings(os.environ)
    set_up_logs(settings)
    return create_app(settings)


def _metrics(tables: Tables, thinkers: Thinkers, analyses: Analyses, health: Health) -> Metrics:
    return Metrics(
        {
            "live_tables": ("Tables in memory.", lambda: tables.live_count),
            "viewers": ("Streams that follow a table.", lambda: tables.viewer_count),
            "bot_queue": ("Questions that bots think about or have not begun with.", lambda: thinkers.queue_length),
            "analyses": ("Analyses of finished games that are under way.", lambda: analyses.running),
            "database_age_seconds": ("Seconds since the database was last written to.", lambda: health.age),
        }
    )


# Refusals


def _refusals(app: FastAPI, tables: Tables) -> None:
    """Whatever is wrong with a request, the answer is a sentence, and the fresh table where one is concerned."""

    async def refuse(request: Request, status: int, code: str, sentence: str) -> Response:
        if not request.url.path.startswith("/api/"):
            return templates.TemplateResponse(request, "error.html", {"message": sentence}, status_code=status)
        who = person_in(tables.identities, request.scope)
        id = request.path_params.get("id")
        return JSONResponse(await refusal_view(tables, id, who, status, code, sentence), status)

    @app.exception_handler(HTTPException)
    async def refused(request: Request, error: HTTPException) -> Response:
        code = error.code if isinstance(error, Refused) else _CODES.get(error.status_code, "bad_request")
        answer = await refuse(request, error.status_code, code, error.detail)
        answer.headers.update(error.headers or {})
        return answer

    @app.exception_handler(SetupError)
    @app.exception_handler(RecordError)
    async def bad_request(request: Request, error: Exception) -> Response:
        return await refuse(request, 400, "bad_request", str(error))

    @app.exception_handler(BoardError)
    async def bad_board(request: Request, error: BoardError) -> Response:
        return await refuse(request, 422, "bad_board", str(error))

    @app.exception_handler(RequestValidationError)
    async def not_understood(request: Request, error: RequestValidationError) -> Response:
        first = error.errors()[0]
        place = " ".join(str(part)[:80] for part in first["loc"][1:]) or "the request"
        return await refuse(request, 400, "bad_request", f"{place}: {first['msg']}.")

    @app.exception_handler(DatabaseError)
    @app.exception_handler(WriteFailed)
    async def busy(request: Request, error: Exception) -> Response:
        log_trouble(tables, error)
        if not request.url.path.startswith("/api/"):
            return templates.TemplateResponse(request, "error.html", {"message": BUSY.detail}, BUSY.status_code)
        return JSONResponse({"error": BUSY.code, "message": BUSY.detail, "table": None}, BUSY.status_code)


_CODES = {404: "not_found", 405: "wrong_method"}
