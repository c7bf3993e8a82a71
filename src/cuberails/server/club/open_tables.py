"""Open tables as they are stored: what is to be played, and who has a seat, until the game starts.

Every change of an open table has a number, and (table, number) is unique: of two that are made at once only one is
written, and the other is made anew on what then stands (optimistic concurrency).
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Select, or_, select

from cuberails.server.club import calls
from cuberails.server.connections import Statement, Write
from cuberails.server.models import InvitationRow, OpenChangeRow, OpenSeatRow, OpenTableRow
from cuberails.server.refusal import Refused
from cuberails.server.requests import SeatRequest, TableRequest
from cuberails.server.store import ADD_BOARD, DAMAGED, Store, time_text

OPEN, STARTED, CLOSED = "open", "started", "closed"
"""What can become of an open table: it waits for players, its game has begun, or it was given up."""

PUBLIC, UNLISTED, INVITED = "public", "unlisted", "invited"
"""Who comes to a table: everybody by the lobby, whoever has the link, or whom the host has invited."""

FULL = "full"
"""A table that starts by itself when all seats are taken; at others the host decides when."""

REMOVED = "removed"
"""What is noted as the change when the host has taken somebody's seat away."""

LOBBY = "lobby"
"""The table that is named to other processes when an open table has changed."""

MOST_LISTED = 500
"""How many open tables are listed, the newest first."""


@dataclass(frozen=True)
class Seated:
    """Somebody who has a seat at an open table."""

    person: str
    name: str
    at: dt.datetime


@dataclass(frozen=True)
class OpenTable:
    """A table that waits for players. `request` says what was asked for: its seats that are "open" are for people, and
    `seated` says who has taken which. `version` is the number of the last change."""

    id: str
    version: int
    state: str
    request: TableRequest
    title: str
    board: str
    board_name: str
    host: str
    created: dt.datetime
    changed: dt.datetime
    seated: dict[int, Seated] = field(default_factory=dict)
    invited: dict[str, str] = field(default_factory=dict)
    """The people who were invited, with their names."""

    @property
    def for_people(self) -> list[int]:
        """The seats that no bot was chosen for."""
        return [n for n, seat in enumerate(self.request.seats) if seat.by == "open"]

    @property
    def free(self) -> list[int]:
        return [n for n in self.for_people if n not in self.seated]

    @property
    def listed(self) -> bool:
        """Whether everybody finds it in the lobby."""
        return self.request.visibility == PUBLIC

    def seats_of(self, person: str) -> list[int]:
        return [n for n, seated in self.seated.items() if seated.person == person]

    def belongs(self, person: str) -> bool:
        """Whether somebody is the host, has a seat, or was invited to take one."""
        return bool(person) and (person == self.host or bool(self.seats_of(person)) or person in self.invited)

    def tells(self, person: str) -> bool:
        """Whether somebody is to be told that the table was closed before its game began."""
        return self.state == CLOSED and bool(self.seats_of(person))

    @property
    def host_name(self) -> str:
        """What the host is called; whoever opens a table for others has no seat there."""
        return next((seated.name for seated in self.seated.values() if seated.person == self.host), "the host")


def not_open(table: OpenTable, person: str = "") -> Refused | None:
    """Why somebody cannot come to a table any more, or leave it; None if it still waits."""
    if table.state == STARTED:
        also = "you have a seat there" if table.seats_of(person) else "you can watch it"
        return Refused(409, "started", f"The game at this table has begun; {also}.")
    if table.state == CLOSED:
        return Refused(410, "closed", "This table was closed before its game began; open another one.")
    return None


# Written

_ADD = (
    "INSERT INTO open_tables (id, version, state, visibility, request, title, board, board_name, host, created,"
    " changed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
)
_NUMBER = "INSERT INTO open_changes (table_id, version, what, person, at) VALUES (?, ?, ?, ?, ?)"
_CHANGE = "UPDATE open_tables SET version = ?, state = ?, host = ?, changed = ? WHERE id = ?"
_CLEAR_SEAT = "DELETE FROM open_seats WHERE table_id = ? AND seat = ?"
_CLEAR_INVITATION = "DELETE FROM invitations WHERE table_id = ? AND person = ?"
_ADD_INVITATION = "INSERT INTO invitations (table_id, person, name, at) VALUES (?, ?, ?, ?)"
_REMOVE = [
    *(f"DELETE FROM {name} WHERE table_id = ?" for name in ("open_seats", "invitations", "open_changes")),
    "DELETE FROM open_tables WHERE id = ?",
]
_ADD_SEAT = "INSERT INTO open_seats (table_id, seat, person, name, at) VALUES (?, ?, ?, ?, ?)"


def offering(table: OpenTable, board_text: str) -> Write:
    """A new open table, on a board with this text."""
    request = table.request.model_dump_json(by_alias=True, exclude={"record"})
    created, changed, visibility = time_text(table.created), time_text(table.changed), table.request.visibility
    row: tuple[object, ...] = (table.id, table.version, table.state, visibility, request, table.title, table.board)
    row += (table.board_name, table.host, created, changed)
    boards: list[tuple[object, ...]] = [(table.board, table.title, board_text)] if table.board else []
    seats = [_seat(table, n) for n in table.seated]
    invited: list[tuple[object, ...]] = [(table.id, *each, created) for each in table.invited.items()]
    statements = [(ADD_BOARD, boards), (_ADD, [row]), (_ADD_SEAT, seats), (_ADD_INVITATION, invited)]
    return Write(LOBBY, [*statements, *_inviting(table, table.invited)], announced=True)


def changing(before: OpenTable, table: OpenTable, what: str, person: str) -> list[Statement]:
    """What somebody has changed at an open table; it conflicts with any other change by the same number."""
    at = time_text(table.changed)
    fresh = [person for person in table.invited if person not in before.invited]
    return [
        (_NUMBER, [(table.id, table.version, what, person, at)]),
        (_CHANGE, [(table.version, table.state, table.host, at, table.id)]),
        (_CLEAR_SEAT, [(table.id, n) for n in before.seated if n not in table.seated]),
        (_ADD_SEAT, [_seat(table, n) for n in table.seated if n not in before.seated]),
        (_CLEAR_INVITATION, [(table.id, each) for each in before.invited if each not in table.invited]),
        (_ADD_INVITATION, [(table.id, each, table.invited[each], at) for each in fresh]),
        *_inviting(table, fresh),
    ]


def _inviting(table: OpenTable, people: Iterable[str]) -> list[Statement]:
    """The people whom the host wants at a table are called."""
    wanted = f"{table.host_name[:1].upper()}{table.host_name[1:]} wants you to play."
    return [calls.call(each, calls.INVITED, table.id, text=wanted) for each in people]


def removing(ids: Iterable[str]) -> Write:
    """Nothing remains of these tables in the lobby."""
    rows: list[tuple[object, ...]] = [(id,) for id in ids]
    return Write(LOBBY, [(sql, rows) for sql in _REMOVE])


def _seat(table: OpenTable, n: int) -> tuple[object, ...]:
    seated = table.seated[n]
    return table.id, n, seated.person, seated.name, time_text(seated.at)


# Read


def read_open_table(store: Store, id: str) -> OpenTable | None:
    """One open table, whatever has become of it."""
    return next(iter(_read(store, select(OpenTableRow).where(OpenTableRow.id == id))), None)


def read_open_tables(store: Store) -> list[OpenTable]:
    """Those that wait for players, the newest first, then those that were closed and of which people are to be told."""
    query = select(OpenTableRow).where(OpenTableRow.state.in_([OPEN, CLOSED]))
    return _read(store, query.order_by(OpenTableRow.state.desc(), OpenTableRow.created.desc()).limit(MOST_LISTED))


def open_tables_of(store: Store, person: str) -> list[str]:
    """The tables that wait for players where somebody is the host, has a seat or was invited."""
    there = [select(row.table_id).where(row.person == person) for row in (OpenSeatRow, InvitationRow)]
    concerned = or_(OpenTableRow.host == person, *(OpenTableRow.id.in_(ids) for ids in there))
    with store.engine.connect() as connection:
        return list(connection.scalars(select(OpenTableRow.id).where(OpenTableRow.state == OPEN, concerned)))


def was_removed(store: Store, id: str, person: str) -> bool:
    """Whether the host has taken somebody's seat away."""
    query = select(OpenChangeRow.version).where(OpenChangeRow.table_id == id, OpenChangeRow.what == REMOVED)
    with store.engine.connect() as connection:
        return connection.scalar(query.where(OpenChangeRow.person == person).limit(1)) is not None


def idle_tables(store: Store, states: list[str], since: dt.datetime) -> list[str]:
    """The open tables in these states where nothing has changed since then."""
    query = select(OpenTableRow.id).where(OpenTableRow.state.in_(states), OpenTableRow.changed < since)
    with store.engine.connect() as connection:
        return list(connection.scalars(query))


def _read(store: Store, query: Select[OpenTableRow]) -> list[OpenTable]:
    with store.session() as session:
        rows = list(session.scalars(query))
        places = select(OpenSeatRow).where(OpenSeatRow.table_id.in_([row.id for row in rows]))
        seats = list(session.scalars(places.order_by(OpenSeatRow.seat)))
        asked = list(session.scalars(select(InvitationRow).where(InvitationRow.table_id.in_([row.id for row in rows]))))
        found = [_readable(row, [seat for seat in seats if seat.table_id == row.id]) for row in rows]
        invited = {row.id: {each.person: each.name for each in asked if each.table_id == row.id} for row in rows}
        return [replace(table, invited=invited[table.id]) for table in found if table is not None]


def _readable(row: OpenTableRow, seats: Iterable[OpenSeatRow]) -> OpenTable | None:
    """An open table; None if it was damaged, or written by a version to come."""
    try:
        request = TableRequest.model_validate(json.loads(row.request))
    except DAMAGED:
        return None
    return OpenTable(
        id=row.id,
        version=row.version,
        state=row.state,
        request=request,
        title=row.title,
        board=row.board,
        board_name=row.board_name,
        host=row.host,
        created=row.created,
        changed=row.changed,
        seated={seat.seat: Seated(seat.person, seat.name, seat.at) for seat in seats},
    )


# The request that opens the table when the game starts


def with_players(table: OpenTable, level: str, order: Sequence[int], board_text: str) -> TableRequest:
    """What is opened when it starts: seats in this order, those that are still free for bots of this level."""
    seats = [_player(table, n, level) for n in order]
    return table.request.model_copy(update={"seats": seats, "seating": "listed", "board_source": board_text})


def _player(table: OpenTable, n: int, level: str) -> SeatRequest:
    if n in table.seated:
        return SeatRequest(name=table.seated[n].name, by="open")
    seat = table.request.seats[n]
    return SeatRequest(by="bot", level=level) if seat.by == "open" else seat
