"""The JSON interface: everything that the pages can do, for other programs too."""

from __future__ import annotations

import asyncio
import json
import secrets
import zlib
from collections.abc import AsyncIterator, Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict
from functools import partial
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Header
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse, Response, StreamingResponse
from pydantic import BaseModel, Field

import cuberails
from cuberails.bots import LEVELS, Idea
from cuberails.draw import html
from cuberails.server.limits import ACTING, ASKING, IMPORTING, OPENING, Limits
from cuberails.server.opening import NewTable, Wish, check_level, checked_moment, open_table
from cuberails.server.people import Address, Who, known, mine, seats_of
from cuberails.server.refusal import Refused
from cuberails.server.store import Kept
from cuberails.server.tables import Table, Tables
from cuberails.server.view import Update, effect, neutral, news, status, update
from cuberails.titles import load

BEAT = 20.0
"""Seconds between the signs of life of a silent stream."""

LOOK = 0.5
"""Seconds between two looks at how far a bot is that thinks."""


class Act(Wish):
    """An action of a seat at a sequence number."""

    seat: int
    seq: int
    action: str = Field(max_length=80)


class Back(Wish):
    """A wish to go back, or on, to the position after `to` actions; without it, to the nearest own decision."""

    seat: int
    seq: int
    to: int | None = None


class Answer(Wish):
    """Whether a seat agrees to go back."""

    seat: int
    seq: int
    agree: bool


class Player(Wish):
    """The level of the bot that plays a seat; empty for the person whose seat it is."""

    level: str = Field("", max_length=20)


class Refusal(BaseModel):
    """Nothing was changed: a word for programs, a sentence for people, and the table as it stands, if there is one."""

    error: str
    message: str
    table: dict[str, Any] | None = None


def add_interface(app: FastAPI, tables: Tables, limits: Limits) -> None:
    _menu(app, tables, limits)
    _changes(app, tables, limits)
    _looks(app, tables)
    _advice(app, tables, limits)


def _menu(app: FastAPI, tables: Tables, limits: Limits) -> None:
    @app.get("/api/titles")
    def all_titles() -> list[dict[str, Any]]:
        """List the titles that can be played, with their options and bots."""
        return [about(key) for key in cuberails.TITLES]

    @app.get("/api/tables")
    def my_tables(who: Who) -> list[dict[str, Any]]:
        """List the tables where you have a seat, the latest first."""
        return [_listed(kept, seats) for kept, seats in tables.store.tables_of(who)] if who else []

    @app.post("/api/tables", status_code=201, responses=_REFUSALS)
    def new_table(new: NewTable, who: Who, at: Address) -> Response:
        """Open a table: a title with its seats, a record to go on from, or a moment of another table."""
        limits.take(IMPORTING if new.record else OPENING, who, at)
        me = who or secrets.token_urlsafe(24)
        table = open_table(tables, new, me)
        links = [f"/join/{table.id}/{seat.key}" if seat.key else "" for seat in table.seats]
        body = {"id": table.id, "page": f"/t/{table.id}", "links": links, "person": me}
        return known(JSONResponse(body, 201), me)


def _changes(app: FastAPI, tables: Tables, limits: Limits) -> None:
    def limited(who: Who, at: Address) -> None:
        limits.take(ACTING, who, at)

    post = partial(app.post, responses=_REFUSALS, dependencies=[Depends(limited)])

    def change(id: str, who: str, make: Callable[[Table, list[int]], None]) -> Response:
        table = tables.find(id)
        own = seats_of(tables, table, who)
        make(table, table.played_by_people(own))
        tables.drive(table)
        return JSONResponse(whole(table, table.played_by_people(own)))

    @post("/api/tables/{id}/act")
    def act(id: str, wish: Act, who: Who) -> Response:
        """Carry out an action, if it is legal, for that seat, at that sequence number."""
        return change(id, who, lambda table, seats: table.act(seats, wish.seat, wish.seq, wish.action))

    @post("/api/tables/{id}/undo")
    def undo(id: str, wish: Back, who: Who) -> Response:
        """Go back; if dice were rolled or another seat has acted since, the other people are asked."""
        return change(id, who, lambda table, seats: table.undo(seats, wish.seat, wish.seq, wish.to))

    @post("/api/tables/{id}/redo")
    def redo(id: str, wish: Back, who: Who) -> Response:
        """Play again what was taken back."""
        return change(id, who, lambda table, seats: table.redo(seats, wish.seat, wish.seq, wish.to))

    @post("/api/tables/{id}/answer")
    def say_yes_or_no(id: str, wish: Answer, who: Who) -> Response:
        """Agree or refuse to go back, or take back your own question."""
        return change(id, who, lambda table, seats: table.answer(seats, wish.seat, wish.seq, wish.agree))

    @post("/api/tables/{id}/seats/{seat}")
    def change_seat(id: str, seat: int, player: Player, who: Who) -> Response:
        """As the host, let a bot play a seat, or hand the seat back to its person."""
        if player.level:
            check_level(player.level)
        return change(id, who, lambda table, _: table.seat_bot(who, seat, player.level))


def _looks(app: FastAPI, tables: Tables) -> None:
    @app.get("/api/tables/{id}", responses=_REFUSALS)
    def see_table(id: str, who: Who) -> Response:
        """See a table as it stands, with what you may decide."""
        table = tables.find(id)
        return JSONResponse(whole(table, mine(tables, table, who)))

    @app.get("/api/tables/{id}/effect", responses=_REFUSALS)
    def what_if(id: str, action: str) -> list[str]:
        """Ask what an action would bring about, or why it is not legal."""
        return effect(tables.find(id), action[:80])

    @app.get("/api/tables/{id}/at/{count}", responses=_REFUSALS)
    def moment(id: str, count: int) -> Response:
        """See the table after so many actions, as the parts that look different from now."""
        table = tables.find(id)
        with table.lock:
            seen = neutral(table.scene(checked_moment(table.game, count)))
            now = neutral(table.scene(len(table.game.steps)))
            then = table.game.at(count)
        told = {"count": count, "actor": then.phase.actor, "prompt": then.prompt, "rule": then.rule}
        return JSONResponse(told | {"parts": html.changes(now, seen)})

    @app.get("/api/tables/{id}/news", responses=_REFUSALS)
    def what_happened(id: str, start: int = 0, end: int | None = None) -> Response:
        """Read what happened between two moments, step by step; by default in the whole game."""
        table = tables.find(id)
        with table.lock:
            last = checked_moment(table.game, len(table.game.steps) if end is None else end)
            return JSONResponse(news(table, checked_moment(table.game, start), last))

    @app.get("/api/tables/{id}/record.{form}", responses=_REFUSALS)
    def record(id: str, form: str) -> Response:
        """Download the record as text (txt) or JSON (json)."""
        table = tables.find(id)
        if form not in ("txt", "json"):
            raise Refused(404, "no_form", "A record comes as txt or json.")
        with table.lock:
            body = table.game.to_text() if form == "txt" else table.game.to_json()
        kind = "text/plain" if form == "txt" else "application/json"
        name = f"{table.game.title.key}-{id}.{form}"
        return Response(body, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'})

    @app.get("/api/tables/{id}/events", responses=_REFUSALS)
    async def events(
        id: str,
        who: Who,
        since: int = -1,
        last_event_id: Annotated[str, Header()] = "",
        accept_encoding: Annotated[str, Header()] = "",
    ) -> StreamingResponse:
        """Follow a table by server-sent events; each has its sequence number as id, so that nothing is missed."""
        table = await run_in_threadpool(tables.find, id)
        own = await run_in_threadpool(seats_of, tables, table, who)
        packer = Packer("gzip" in accept_encoding)
        stream = _stream(tables, id, own, _seen(table, since, last_event_id), packer)
        return StreamingResponse(stream, media_type="text/event-stream", headers=_STREAM | packer.headers)


def _advice(app: FastAPI, tables: Tables, limits: Limits) -> None:
    def ask(id: str, who: str) -> tuple[Table, int, Future[list[Idea]]]:
        table = tables.find(id)
        with table.lock:
            if table.actor not in mine(tables, table, who):
                raise Refused(403, "out_of_turn", "A hint is for the person who has to decide.")
            return table, table.seq, tables.advice(table)

    def told(table: Table, seq: int, ideas: list[Idea]) -> Update:
        with table.lock:
            if table.seq != seq:
                raise Refused(409, "stale", f"The table has moved on: it is at {table.seq}, the hint is for {seq}.")
            best = [{**asdict(idea), "effect": effect(table, idea.action)} for idea in ideas]
            return {"seq": seq, "seat": table.actor, "ideas": best}

    @app.get("/api/tables/{id}/hint", responses=_REFUSALS)
    async def hint(id: str, who: Who, at: Address) -> Response:
        """Ask what the strongest bot would do in your place, and what that brings; it may take some seconds."""
        limits.take(ASKING, who, at)
        table, seq, thinking = await run_in_threadpool(ask, id, who)
        try:
            ideas = await asyncio.shield(asyncio.wrap_future(thinking))
        except Exception:
            raise Refused(503, "no_advice", "The bot could not make up its mind; ask again.") from None
        return JSONResponse(await run_in_threadpool(told, table, seq, ideas))


# The stream of changes


def _seen(table: Table, since: int, last_event_id: str) -> int:
    """The number of the log up to which a viewer knows the table; -1, the start, if that is no number of this log."""
    if last_event_id.isdecimal() and len(last_event_id) < 10:
        since = int(last_event_id)
    return since if 0 <= since <= table.seq else -1


class Packer:
    """Makes text smaller for those who accept it: an event resembles those before, so it shrinks to a quarter."""

    def __init__(self, wanted: bool) -> None:
        self.headers = {"Content-Encoding": "gzip"} if wanted else {}
        self._zip = zlib.compressobj(6, wbits=16 + 14, memLevel=7) if wanted else None

    def __call__(self, text: str) -> bytes:
        """A text in such a form that it can be read at once, before the next comes."""
        if self._zip is None:
            return text.encode()
        return self._zip.compress(text.encode()) + self._zip.flush(zlib.Z_SYNC_FLUSH)


async def _stream(tables: Tables, id: str, own: list[int], seen: int, packed: Packer) -> AsyncIterator[bytes]:
    """An event now and with each change; between them, how far a bot is that thinks."""
    loop, woken = asyncio.get_running_loop(), asyncio.Event()

    def wake() -> None:
        with suppress(RuntimeError):  # the server ends
            loop.call_soon_threadsafe(woken.set)

    try:
        table = await run_in_threadpool(tables.watch, id, wake)
        yield packed("retry: 1000\n\n")
        told = -1
        while True:
            woken.clear()
            if told != table.seq:
                news = await run_in_threadpool(news_for, table, own, seen)
                told = seen = news["seq"]
                yield packed(event_text(news))
            async for text in _meanwhile(tables, table, own, woken):
                yield packed(text)
    finally:
        tables.unwatch(id, wake)


async def _meanwhile(tables: Tables, table: Table, own: list[int], woken: asyncio.Event) -> AsyncIterator[str]:
    """Until somebody is woken: how far a bot is that thinks, and a comment now and then, to keep the connection open.

    What part of its work is done has no id: it is no part of the log, and nobody needs it later.
    """
    told, silent = 0.0, 0.0
    while not woken.is_set():
        pause = BEAT if tables.progress(table, own) is None else LOOK
        with suppress(TimeoutError):
            await asyncio.wait_for(woken.wait(), pause)
            return
        done = tables.progress(table, own)
        silent += pause
        if done is not None and round(done, 2) != told:
            told, silent = round(done, 2), 0.0
            yield f"event: progress\ndata: {told}\n\n"
        elif silent >= BEAT:
            silent = 0.0
            yield ": still here\n\n"


def event_text(news: Update) -> str:
    """News as a server-sent event."""
    return f"id: {news['seq']}\ndata: {json.dumps(news, ensure_ascii=False, separators=(',', ':'))}\n\n"


def news_for(table: Table, own: list[int], seen: int) -> Update:
    with table.lock:
        return update(table, table.played_by_people(own), seen)


# Tables and titles for programs


def whole(table: Table, mine: list[int]) -> Update:
    """A table with all that there is to know about it."""
    with table.lock:
        state = table.state
        return {
            "id": table.id,
            "title": state.title.key,
            "options": state.options,
            "seats": table.game.seats,
            "mine": mine,
            "seq": table.seq,
            "count": len(table.game.steps),
            "prompt": state.prompt,
            "scores": state.scores(),
            "winners": state.winners(),
            "legal": [action.text for action in state.legal_actions()],
            "yours": table.actor in mine,
            "status": status(table, mine),
        }


def about(key: str) -> dict[str, Any]:
    """A title for a menu."""
    title = load(key)
    return {
        "key": key,
        "name": title.name,
        "least_players": title.least_players,
        "most_players": title.most_players,
        "minutes": title.minutes,
        "options": title.options,
        "note": title.board.provenance.note,
        "preface": " ".join(" ".join(title.rulebook.preface).split()),
        "bots": list(LEVELS),
    }


def _listed(kept: Kept, seats: list[int]) -> dict[str, Any]:
    names = [seat.name for seat in kept.seats]
    return {"id": kept.id, "title": kept.title, "seats": names, "mine": seats, "waiting": kept.waiting}


_STREAM = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
_REFUSALS: dict[int | str, dict[str, Any]] = {"4XX": {"model": Refusal, "description": "Refused; nothing was changed."}}
