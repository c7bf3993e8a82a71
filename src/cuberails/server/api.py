"""The JSON interface: everything that the pages can do, for other programs too."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import FastAPI, Header
from fastapi.responses import JSONResponse, Response, StreamingResponse

import cuberails
from cuberails.bots import Idea
from cuberails.core.board import Board
from cuberails.server import hot, seating, stream, undoing
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.lobby_view import open_view
from cuberails.server.limits import ACTING, ASKING, HOSTING, IMPORTING, LOOKING, OPENING, Limits
from cuberails.server.naming import clean
from cuberails.server.opening import check_level, checked_moment, open_table
from cuberails.server.people import Address, Who, issued_person, limited, playable_seats, seat_link, set_person_cookie
from cuberails.server.refusal import NO_HELP, Refused
from cuberails.server.requests import (
    REFUSALS,
    ActRequest,
    AnswerRequest,
    BoardRequest,
    PlayerRequest,
    TableRequest,
    UndoRequest,
)
from cuberails.server.story_view import deal
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.view import (
    Update,
    board_view,
    effect,
    listed_view,
    moment_view,
    news,
    time_control_view,
    title_view,
)
from cuberails.titles import load, read_board


def add_interface(app: FastAPI, tables: Tables, lobby: Lobby, limits: Limits) -> None:
    _menu(app, tables, lobby, limits)
    _boards(app, tables, limits)
    _changes(app, tables, limits)
    _looks(app, tables, limits)
    _files(app, tables)
    _events(app, tables)
    _advice(app, tables, limits)


def _menu(app: FastAPI, tables: Tables, lobby: Lobby, limits: Limits) -> None:
    @app.get("/api/titles")
    def all_titles() -> list[dict[str, Any]]:
        """List the titles that can be played, with their options and bots."""
        return [title_view(key, tables.boards.values()) for key in cuberails.TITLES]

    @app.get("/api/tables")
    def my_tables(who: Who) -> list[dict[str, Any]]:
        """List the tables where you have a seat, the latest first."""
        return [listed_view(stored, seats) for stored, seats in tables.store.tables_of(who)] if who else []

    @app.post("/api/tables", status_code=201, responses=REFUSALS)
    async def new_table(request: TableRequest, who: Who, at: Address) -> Response:
        """Open a table: a title with its seats, perhaps on a board file; a record; or a moment of another table.

        With seats that are "open" it waits in the lobby, and the answer is what `GET /api/lobby/{id}` says.
        """
        limits.take(IMPORTING if request.record or request.board_source else OPENING, who, at)
        limits.take(HOSTING, who, at)
        me = await issued_person(tables, who)
        if any(seat.by == "open" for seat in request.seats):
            waiting = open_view(await lobby.offer(request, me), me)
            return set_person_cookie(JSONResponse(waiting | {"person": tables.identities.token(me)}, 201), tables, me)
        table = await open_table(tables, request, me)
        links = [seat_link(tables, table, n) for n in range(len(table.seats))]
        body: Update = {"id": table.id, "page": f"/t/{table.id}", "seats": table.game.seats, "links": links}
        body |= {
            "help": table.help,
            "time_control": time_control_view(table.time_control),
            "person": tables.identities.token(me),
        }
        return set_person_cookie(JSONResponse(body, 201), tables, me)


def _boards(app: FastAPI, tables: Tables, limits: Limits) -> None:
    @app.get("/api/titles/{key}/board.toml", responses=REFUSALS)
    def built_in_board(key: str) -> Response:
        """Download the built-in board of a title as a board file, to make a board of your own from."""
        return _board_file(load(key).board)

    @app.get("/api/boards/{digest}.toml", responses=REFUSALS)
    def offered_board(digest: str) -> Response:
        """Download a board that this server offers as a board file."""
        if digest not in tables.boards:
            raise Refused(404, "no_board", "This server offers no such board.")
        return _board_file(tables.boards[digest])

    @app.post("/api/boards", responses=REFUSALS)
    def check_board(request: BoardRequest, who: Who, at: Address) -> Response:
        """Check a board file and see what it is; nothing is stored."""
        limits.take(IMPORTING, who, at)
        return JSONResponse(board_view(read_board(clean(request.board_file), request.board_text)))


def _changes(app: FastAPI, tables: Tables, limits: Limits) -> None:
    acting = limited(limits, ACTING)

    @app.post("/api/tables/{id}/act", **acting)
    async def act(id: str, request: ActRequest, who: Who) -> Response:
        """Carry out an action, if it is legal, for that seat, at that sequence number."""
        return JSONResponse(await hot.act(tables, id, request, who))

    @app.post("/api/tables/{id}/undo", **acting)
    async def undo(id: str, request: UndoRequest, who: Who) -> Response:
        """Go back; if dice were rolled or another seat has acted since, the other people are asked."""
        make = partial(undoing.undo, request=request, person=who)
        return JSONResponse(await hot.change(tables, id, who, make))

    @app.post("/api/tables/{id}/redo", **acting)
    async def redo(id: str, request: UndoRequest, who: Who) -> Response:
        """Play again what was taken back."""
        make = partial(undoing.redo, request=request, person=who)
        return JSONResponse(await hot.change(tables, id, who, make))

    @app.post("/api/tables/{id}/answer", **acting)
    async def answer(id: str, request: AnswerRequest, who: Who) -> Response:
        """Agree or refuse to go back, or withdraw your own request."""
        make = partial(undoing.answer, request=request, person=who)
        return JSONResponse(await hot.change(tables, id, who, make))

    @app.post("/api/tables/{id}/seats/{seat}", **acting)
    async def change_seat(id: str, seat: int, request: PlayerRequest, who: Who) -> Response:
        """As the host, let a bot play a seat, or hand the seat back to its person; take your own seat back."""
        if request.level:
            check_level(request.level)
        make = partial(seating.change_player, person=who, seat=seat, level=request.level)
        return JSONResponse(await hot.change(tables, id, who, lambda table, own: make(table, own=own)))


def _looks(app: FastAPI, tables: Tables, limits: Limits) -> None:
    looking = limited(limits, LOOKING)

    @app.get("/api/tables/{id}", responses=REFUSALS)
    async def see_table(id: str, who: Who) -> Response:
        """See a table as it stands, with what you may decide."""
        return JSONResponse(await hot.see(tables, id, who))

    @app.get("/api/tables/{id}/effect", **looking)
    async def what_if(id: str, action: str) -> list[str]:
        """Ask what an action would bring about, or why it is not legal."""
        return effect(await tables.find(id), action[:80])

    @app.get("/api/tables/{id}/at/{count}", **looking)
    async def moment(id: str, count: int) -> Response:
        """See the table after a number of actions, as the parts that look different from now."""
        table = await tables.find(id)
        return JSONResponse(moment_view(table, checked_moment(table.game, count)))

    @app.get("/api/tables/{id}/news", **looking)
    async def what_happened(id: str, start: int = 0, end: int | None = None) -> Response:
        """Read what happened between two moments, step by step; by default in the whole game."""
        table = await tables.find(id)
        game, ordered = table.game.fork(), table.history.ordered_since(0)
        last = checked_moment(game, game.count if end is None else end)
        return JSONResponse(await asyncio.to_thread(news, game, checked_moment(game, start), last, ordered))

    @app.get("/api/tables/{id}/cards", **looking)
    async def what_changed_the_game(id: str, start: int = 0) -> Response:
        """Read what changed the game, as cards: dividends, scoring rounds, railroads that open; by default all."""
        table = await tables.find(id)
        game, seen = table.game.fork(), table.scenes.after(table.game.count)
        return JSONResponse(await asyncio.to_thread(deal, game, seen, checked_moment(game, start)))


def _files(app: FastAPI, tables: Tables) -> None:
    @app.get("/api/tables/{id}/record.{form}", responses=REFUSALS)
    async def record(id: str, form: str) -> Response:
        """Download the record as text (txt) or JSON (json)."""
        game = (await tables.find(id)).game.fork()
        if form not in ("txt", "json"):
            raise Refused(404, "no_form", "A record comes as txt or json.")
        body = await asyncio.to_thread(game.to_text if form == "txt" else game.to_json)
        kind = "text/plain" if form == "txt" else "application/json"
        name = f"{game.title.key}-{id}.{form}"
        return Response(body, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    @app.get("/api/tables/{id}/board.toml", responses=REFUSALS)
    async def table_board(id: str) -> Response:
        """Download the board of a table as a board file."""
        return _board_file((await tables.find(id)).game.board)


def _events(app: FastAPI, tables: Tables) -> None:
    @app.get("/api/tables/{id}/events", responses=REFUSALS)
    async def events(
        id: str,
        who: Who,
        since: int = -1,
        chat: int | None = None,
        glance: bool = False,
        last_event_id: Annotated[str, Header()] = "",
        accept_encoding: Annotated[str, Header()] = "",
    ) -> StreamingResponse:
        """Follow a table by server-sent events; each has its sequence number as id, so that nothing is missed.

        With `chat`, the number of the last line that you know, you are also told what people say and who is there;
        with `glance` nobody is told that you are.
        """
        table, own = await hot.sit_down(tables, id, who)
        packer = stream.Packer("gzip" in accept_encoding)
        viewer = stream.Viewer(own, stream.first_seq(table, since, last_event_id), chat, glance)
        body = stream.events(tables, id, viewer, packer)
        return StreamingResponse(body, media_type="text/event-stream", headers=stream.HEADERS | packer.headers)


def _advice(app: FastAPI, tables: Tables, limits: Limits) -> None:
    def hint_view(table: Table, seq: int, ideas: list[Idea]) -> Update:
        if not table.history.still_at(seq):
            raise _hint_is_stale(table, seq)
        best = [{**asdict(idea), "effect": effect(table, idea.action)} for idea in ideas]
        return {"seq": seq, "seat": table.actor, "ideas": best}

    @app.get("/api/tables/{id}/hint", responses=REFUSALS)
    async def hint(id: str, who: Who, at: Address) -> Response:
        """Ask what the strongest bot would do in your place, and what that brings; it may take some seconds.

        At a table without help this is refused with 403 and `help_off`.
        """
        limits.take(ASKING, who, at)
        table = await tables.find(id)
        if not table.help:
            raise Refused(403, "help_off", NO_HELP)
        if table.actor not in await playable_seats(table, who):
            raise Refused(403, "out_of_turn", "A hint is for the person who has to decide.")
        seq, thinking = table.seq, tables.driver.advice(table)
        try:
            ideas = await asyncio.shield(asyncio.wrap_future(thinking))
        except asyncio.CancelledError:
            if not thinking.cancelled():
                raise  # the server ends, or whoever asked has gone
            raise _hint_is_stale(table, seq) from None
        except Exception:
            raise Refused(503, "no_advice", "The bot could not make up its mind; ask again.") from None
        return JSONResponse(hint_view(table, seq, ideas))


def _hint_is_stale(table: Table, seq: int) -> Refused:
    return Refused(409, "stale", f"The table has moved on: it is at {table.seq}, the hint is for {seq}.")


def _board_file(board: Board) -> Response:
    headers = {"Content-Disposition": f'attachment; filename="{board.title.key}.toml"'}
    return Response(board.text, media_type="application/toml", headers=headers)
