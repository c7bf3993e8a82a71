"""What is seen of the tables in the lobby: of those that wait for players, and of those that everybody may watch."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

import cuberails
from cuberails.core.state import CHANCE
from cuberails.server.club.open_tables import INVITED, OPEN, OpenTable
from cuberails.server.opening import time_control
from cuberails.server.requests import TableRequest
from cuberails.server.store import StoredTable
from cuberails.server.view import time_control_view
from cuberails.titles import load

View = dict[str, Any]


def open_view(table: OpenTable, who: str) -> View:
    """An open table as this person sees it."""
    request = table.request
    mine = table.seats_of(who) if who else []
    return {
        "id": table.id,
        "page": f"/lobby/{table.id}" if table.state == OPEN else f"/t/{table.id}",
        "state": table.state,
        "title": table.title,
        "name": title_name(table.title),
        "board": table.board_name,
        "built_in": not table.board,
        "options": _chosen_options(request, table.title),
        "help": request.help is not False and not request.rated,
        "rated": request.rated,
        "time_control": time_control_view(time_control(request)),
        "visibility": request.visibility,
        "starts": request.starts,
        "seating": request.seating,
        "host": table.host_name,
        "hosting": bool(who) and who == table.host,
        "seats": [_seat(table, n, mine) for n in range(len(request.seats))],
        "free": len(table.free),
        "mine": mine,
        "invited": not mine and who in table.invited,
        "others": [name for person, name in table.invited.items() if not table.seats_of(person)],
        "welcome": request.visibility != INVITED or table.belongs(who),
        "since": time_view(table.created),
    }


def _seat(table: OpenTable, n: int, mine: list[int]) -> View:
    """Who sits there: a person, a bot of a level, or nobody yet."""
    seat, seated = table.request.seats[n], table.seated.get(n)
    if seated is not None:
        return {"by": "person", "name": seated.name, "level": "", "yours": n in mine}
    return {"by": seat.by, "name": seat.name, "level": seat.level if seat.by == "bot" else "", "yours": False}


def _chosen_options(request: TableRequest, title: str) -> dict[str, str]:
    """The options that were not left as they usually are."""
    usual = load(title).options if title in cuberails.TITLES else {}
    return {name: value for name, value in request.options.items() if value != usual.get(name, ("",))[0]}


def running_view(stored: StoredTable) -> View:
    """A game that everybody may watch."""
    waiting = stored.waiting
    return {
        "id": stored.id,
        "page": f"/t/{stored.id}",
        "title": stored.title,
        "name": title_name(stored.title),
        "seats": [{"name": seat.name, "level": seat.bot} for seat in stored.seats],
        "turn": f"{stored.seats[waiting].name} decides" if waiting > CHANCE else "dice decide",
        "actions": stored.actions,
        "help": stored.help,
        "time_control": time_control_view(stored.time_control),
        "rated": stored.rated,
        "changed": time_view(stored.changed),
    }


def lobby_view(waiting: Iterable[OpenTable], running: Iterable[StoredTable], who: str) -> View:
    """All that somebody finds in the lobby: open tables for everybody and their own, and games to watch."""
    return waiting_view(waiting, who) | {"watch": [running_view(table) for table in running]}


def waiting_view(tables: Iterable[OpenTable], who: str) -> View:
    """The open tables that somebody finds, and those that were closed although they had a seat there."""
    tables = list(tables)
    found = [table for table in tables if table.state == OPEN and (table.listed or table.belongs(who))]
    closed = [table for table in tables if table.tells(who)]
    return {"open": [open_view(table, who) for table in found], "closed": [open_view(table, who) for table in closed]}


def title_name(key: str) -> str:
    """The name of a title; its key if it is no longer installed."""
    return load(key).name if key in cuberails.TITLES else key


def time_view(time: dt.datetime) -> str:
    return f"{time:%Y-%m-%dT%H:%M:%SZ}"
