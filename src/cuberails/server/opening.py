"""Opening a table: at the start of a game, from a record, from a moment of another table, or for a lesson."""

from __future__ import annotations

import asyncio
import secrets

from cuberails.bots import LEVELS
from cuberails.core.board import Board
from cuberails.core.game import Game
from cuberails.core.record import read_record
from cuberails.server.acceptance import DICE
from cuberails.server.club.clocks import CORRESPONDENCE, LIVE, MINUTE, UNTIMED, TimeControl
from cuberails.server.club.rest import DAY
from cuberails.server.history import actions_in_force
from cuberails.server.lessons import open_lesson
from cuberails.server.naming import clean, distinct
from cuberails.server.refusal import Refused
from cuberails.server.requests import SeatRequest, TableRequest
from cuberails.server.store import StoredSeat, StoredTable
from cuberails.server.table import Table
from cuberails.server.tables import Gathered, Tables
from cuberails.titles import load, read_board

MOST_UNFINISHED = 500
"""How many tables a person can have opened whose games are not over: all of them are stored."""

Beginning = tuple[Game, list[StoredSeat]]
"""What a new table begins with."""


async def open_table(tables: Tables, request: TableRequest, person: str, gathered: Gathered | None = None) -> Table:
    """The table that somebody asks for, at once or after people have `gathered` for it."""
    if sum(map(bool, (request.title or request.board_source, request.record, request.fork, request.lesson))) != 1:
        raise Refused(400, "bad_request", "Say one of title (or board), record, fork and lesson.")
    source = (await tables.find(request.fork)).game.fork() if request.fork else None
    await asyncio.to_thread(check_unfinished, tables, person)
    game, seats = await asyncio.to_thread(beginning, tables, request, source)
    barred_by = await asyncio.to_thread(_table_without_help, tables, request, game, person)
    help, control = _help(request, barred_by), time_control(request)
    return await tables.open(
        game,
        seats,
        person,
        parent=request.fork or barred_by,
        help=help,
        visibility=request.visibility,
        gathered=gathered,
        time_control=control,
        rated=request.rated,
    )


def check_unfinished(tables: Tables, person: str) -> None:
    if tables.store.unfinished(person) >= MOST_UNFINISHED:
        sentence = f"You have opened {MOST_UNFINISHED} tables whose games are not over, and there is no room for more."
        raise Refused(403, "too_many_tables", f"{sentence} Finish one of them first, or let bots finish it.")


def beginning(tables: Tables, request: TableRequest, source: Game | None) -> Beginning:
    """What a table begins with; `source` is the game of the table that it is forked from."""
    if source is not None:
        seats, count = _continued(request, source)
        return _replayed(source, seats, count), seats
    if request.lesson:
        return open_lesson(request.lesson, request.seats[0].name if request.seats else "")
    if request.record:
        game = read_record(request.record, load)
        seats, count = _continued(request, game)
        unchanged = count == game.count and _names(seats) == game.seats
        return game if unchanged else _replayed(game, seats, count), seats
    wanted = _shuffled(request.seats) if request.seating == "shuffled" else request.seats
    seats = _stored_seats(wanted, [_default_name(seat, n) for n, seat in enumerate(wanted, 1)])
    return Game(_board(tables, request), _names(seats), request.options), seats


def _shuffled(seats: list[SeatRequest]) -> list[SeatRequest]:
    """The same in random order: who begins should not depend on who was named first."""
    return DICE.sample(seats, len(seats))


def _board(tables: Tables, request: TableRequest) -> Board:
    """The board to play on; if the request names a title too, they must agree."""
    if not request.board_source:
        return load(request.title).board
    offered = tables.boards.get(request.board_source)
    title = load(request.title) if request.title else None
    return read_board(clean(request.board_file), offered.text if offered else request.board_source, title)


def _continued(request: TableRequest, game: Game) -> tuple[list[StoredSeat], int]:
    """Who continues another game, and after how many of its actions."""
    count = game.count if request.at is None else checked_moment(game, request.at)
    wanted = request.seats or _practice_seats(game, count)
    if len(wanted) != len(game.seats):
        raise Refused(400, "bad_request", f"That game has {len(game.seats)} seats, not {len(wanted)}.")
    return _stored_seats(wanted, game.seats), count


def _replayed(game: Game, seats: list[StoredSeat], count: int) -> Game:
    """The first actions of a game, played by others."""
    again = Game(game.board, _names(seats), game.state.options, game.state.rules_version)
    for step in game.steps[:count]:
        again.apply(step.action)
    return again


def _names(seats: list[StoredSeat]) -> list[str]:
    return [seat.name for seat in seats]


def checked_moment(game: Game, count: int) -> int:
    if not 0 <= count <= game.count:
        raise Refused(404, "no_moment", f"The game has {game.count} actions; there is no moment {count}.")
    return count


def _practice_seats(game: Game, count: int) -> list[SeatRequest]:
    """Whoever opens it plays the seat to decide, bots play the others."""
    own = max(0, game.at(count).phase.actor)
    return [SeatRequest(by="me" if n == own else "bot") for n in range(len(game.seats))]


def _stored_seats(seats: list[SeatRequest], names: list[str]) -> list[StoredSeat]:
    for seat in seats:
        check_level(seat.level)
    called = distinct([clean(seat.name) or clean(name) or "?" for seat, name in zip(seats, names, strict=True)])
    return [
        StoredSeat(name, seat.level if seat.by == "bot" else "", secrets.token_urlsafe(9) if seat.by == "link" else "")
        for name, seat in zip(called, seats, strict=True)
    ]


def _default_name(seat: SeatRequest, number: int) -> str:
    return f"{seat.level.capitalize()} {number}" if seat.by == "bot" else f"Player {number}"


def check_level(level: str) -> None:
    if level not in LEVELS:
        raise Refused(400, "no_bot", f"There is no bot {level!r}; the bots are {', '.join(LEVELS)}.")


def time_control(request: TableRequest) -> TimeControl:
    wanted = request.time_control
    if wanted is None:
        return UNTIMED
    if request.lesson:
        raise Refused(400, "bad_request", "Nobody is hurried in a lesson; leave time_control out.")
    check_level(wanted.level)
    if wanted.kind == LIVE:
        return TimeControl(LIVE, wanted.minutes * MINUTE, wanted.increment, wanted.level)
    return TimeControl(CORRESPONDENCE, wanted.days * DAY, 0, wanted.level)


# Help


def _help(request: TableRequest, barred_by: str) -> bool:
    """Whether there is help at a new table: as asked for, unless it comes from a table without help, which bars it."""
    check_rated(request)
    if request.lesson and request.help is False:
        raise Refused(400, "bad_request", "A lesson is all help; leave help out, or open a table of the title.")
    if barred_by and request.help:
        sentence = "The game that this table would come from is played without help and is not over yet."
        raise Refused(403, "help_off", f"{sentence} Open the table without help, or wait for the end of that game.")
    return not barred_by and request.help is not False and not request.rated


def check_rated(request: TableRequest) -> None:
    """What counts for ratings is a new game without help."""
    if request.rated and (request.record or request.fork or request.lesson):
        raise Refused(400, "bad_request", "Only a new game can count for ratings, not one that has begun already.")
    if request.rated and request.help:
        raise Refused(400, "bad_request", "There is no help in a game that counts for ratings; leave one of them out.")


def _table_without_help(tables: Tables, request: TableRequest, game: Game, person: str) -> str:
    """The table that a game comes from, by a fork or as the record of an own one, if that plays without help now."""
    if request.fork:
        return request.fork if tables.store.plays_without_help(request.fork) else ""
    if not request.record:
        return ""
    running = tables.store.running_without_help(person, game.title.key, game.board.digest)
    return next((stored.id for stored in running if _continues(game, stored, tables)), "")


def _continues(game: Game, stored: StoredTable, tables: Tables) -> bool:
    """Whether a game stands where a table stood once, or will stand if it goes on in this way."""
    there = actions_in_force(stored.origin, tables.store.entries(stored.id, 0))
    here = [step.action.text for step in game.steps]
    shared = min(len(here), len(there))
    return len(game.seats) == len(stored.seats) and shared > 0 and here[:shared] == there[:shared]
