"""Opening a table: what somebody wants, checked, from the start of a game, from a record, or from another table."""

from __future__ import annotations

import secrets
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from cuberails.bots import LEVELS, USUAL
from cuberails.core.game import Game
from cuberails.core.record import read_record
from cuberails.server.naming import clean, distinct
from cuberails.server.refusal import Refused
from cuberails.server.store import Seat
from cuberails.server.tables import Table, Tables
from cuberails.titles import load

MOST_LETTERS = 300_000
"""The longest record: ten times the longest game."""


Short = Annotated[str, Field(max_length=40)]


class Wish(BaseModel):
    """A request that says nothing but what is known."""

    model_config = ConfigDict(extra="forbid", strict=True)


class NewSeat(Wish):
    """Who plays: `by` is "me" (whoever opens the table), "link" (somebody who gets a link) or "bot"."""

    name: str = Field(default="", max_length=200)
    by: str = Field(default="me", pattern="^(me|link|bot)$")
    level: str = Field(default=USUAL, max_length=20)


class NewTable(Wish):
    """A table to open: a title, a record, or a moment of another table (now, unless it says `at`) to go on from."""

    title: Short = ""
    seats: list[NewSeat] = Field(default_factory=list, max_length=8)
    options: dict[str, Short] = Field(default_factory=dict, max_length=20)
    record: str = Field(default="", max_length=MOST_LETTERS)
    fork: Short = ""
    at: int | None = None


Beginning = tuple[Game, list[Seat]]
"""What a new table begins with."""


def open_table(tables: Tables, new: NewTable, me: str) -> Table:
    """The table that somebody wants."""
    if sum(map(bool, (new.title, new.record, new.fork))) != 1:
        raise Refused(400, "bad_request", "Say one of title, record and fork.")
    game, seats = _beginning(tables, new)
    return tables.open(game, seats, me)


def _beginning(tables: Tables, new: NewTable) -> Beginning:
    if new.title:
        seats = _seated(new.seats, [_usual(seat, n) for n, seat in enumerate(new.seats, 1)])
        return Game(load(new.title).board, _names(seats), new.options), seats
    if new.record:
        game = read_record(new.record, load)
        seats, count = _going_on(new, game)
        whole = count == len(game.steps) and _names(seats) == game.seats
        return game if whole else _again(game, seats, count), seats
    source = tables.find(new.fork)
    with source.lock:
        seats, count = _going_on(new, source.game)
        return _again(source.game, seats, count), seats


def _going_on(new: NewTable, game: Game) -> tuple[list[Seat], int]:
    """Who goes on with another game, and after how many of its actions."""
    count = len(game.steps) if new.at is None else checked_moment(game, new.at)
    wanted = new.seats or _practice(game, count)
    if len(wanted) != len(game.seats):
        raise Refused(400, "bad_request", f"That game has {len(game.seats)} seats, not {len(wanted)}.")
    return _seated(wanted, game.seats), count


def _again(game: Game, seats: list[Seat], count: int) -> Game:
    """The first actions of a game, played by others."""
    again = Game(game.board, _names(seats), game.state.options, game.state.rules_version)
    for step in game.steps[:count]:
        again.apply(step.action)
    return again


def _names(seats: list[Seat]) -> list[str]:
    return [seat.name for seat in seats]


def checked_moment(game: Game, count: int) -> int:
    if not 0 <= count <= len(game.steps):
        raise Refused(404, "no_moment", f"The game has {len(game.steps)} actions; there is no moment {count}.")
    return count


def _practice(game: Game, count: int) -> list[NewSeat]:
    """Whoever opens it plays the seat to decide, bots play the others."""
    own = max(0, game.at(count).phase.actor)
    return [NewSeat(by="me" if n == own else "bot") for n in range(len(game.seats))]


def _seated(seats: list[NewSeat], names: list[str]) -> list[Seat]:
    for seat in seats:
        check_level(seat.level)
    called = distinct([clean(seat.name) or clean(name) or "?" for seat, name in zip(seats, names, strict=True)])
    return [
        Seat(name, seat.level if seat.by == "bot" else "", secrets.token_urlsafe(18) if seat.by == "link" else "")
        for name, seat in zip(called, seats, strict=True)
    ]


def _usual(seat: NewSeat, number: int) -> str:
    return f"{seat.level.capitalize()} {number}" if seat.by == "bot" else f"Player {number}"


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise Refused(400, "no_bot", f"There is no bot {level!r}; the bots are {', '.join(LEVELS)}.")
