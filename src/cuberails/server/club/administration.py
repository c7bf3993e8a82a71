"""What the host of a server and its admins see: people, tables, reports, and what was done about them. All of it is to
be called in a thread, or by a command beside the running server, which hears of what that writes."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from itertools import count
from string import ascii_lowercase, ascii_uppercase

from sqlalchemy import ColumnElement, func, or_, select, true
from sqlalchemy.engine import Connection, Engine, Row

from cuberails.core.state import NOBODY
from cuberails.server.club.accounts import NAME_TAKEN
from cuberails.server.club.bans import bans
from cuberails.server.club.moderation import Somebody
from cuberails.server.club.open_tables import OPEN
from cuberails.server.connections import Write
from cuberails.server.identity import has_account
from cuberails.server.models import (
    AccountRow,
    AdminRow,
    ClaimRow,
    ModerationRow,
    OpenSeatRow,
    OpenTableRow,
    ReportRow,
    SessionRow,
    TableRow,
)
from cuberails.server.naming import name_key
from cuberails.server.store import DAMAGED, Store

MOST_LISTED = 200
"""How many people, tables or reports are listed, the latest first."""


def people(engine: Engine, find: str = "") -> list[Somebody]:
    """The accounts, the newest first; with a name whoever the server knows as this person, the accounts in which it
    occurs, and guests who have played under it."""
    wanted = name_key(find)
    if not wanted:
        return _accounts(engine, true())
    named = [*_accounts(engine, AccountRow.name_key.contains(wanted, autoescape=True)), *_guests(engine, wanted)]
    return list((known(engine, [find]) | {each.person: each for each in named}).values())[:MOST_LISTED]


def admins(engine: Engine) -> list[Somebody]:
    """Who was made an admin."""
    return _accounts(engine, AccountRow.person.in_(select(AdminRow.person)))


def is_admin(engine: Engine, person: str) -> bool:
    """Whether somebody was made an admin."""
    with engine.connect() as connection:
        return connection.scalar(select(AdminRow.person).where(AdminRow.person == person)) is not None


def somebody(engine: Engine, who: str) -> Somebody | None:
    """Who is this person (with an account, as a guest, or banned before), or else has an account of this name: nobody
    hides behind somebody who is called as the server calls them."""
    found = known(engine, [who]).get(who)
    if found is not None or not name_key(who):
        return found
    return next(iter(_accounts(engine, AccountRow.name_key == name_key(who))), None)


def known(engine: Engine, persons: Collection[str]) -> dict[str, Somebody]:
    """Those of these people of whom the server knows a name."""
    found = {each.person: each for each in _accounts(engine, AccountRow.person.in_(persons))}
    with engine.connect() as connection:
        seats = _seats(connection, ClaimRow.person.in_(persons), OpenSeatRow.person.in_(persons))
    banned = bans(engine)
    for person, name, at in seats:
        found.setdefault(person, Somebody(person, name, at, banned.get(person)))
    for person in (each for each in persons if each in banned):
        found.setdefault(person, Somebody(person, banned[person].name, None, banned[person]))
    return found


def free_name(engine: Engine) -> str:
    """A name that says nothing and that no account has, for somebody who has to be called otherwise."""
    with engine.connect() as connection:
        query = select(AccountRow.name_key).where(AccountRow.name_key.startswith("player"))
        taken = set(connection.scalars(query))
    return next(name for name in (f"Player {n}" for n in count(1)) if name_key(name) not in taken)


def _accounts(engine: Engine, condition: ColumnElement[bool]) -> list[Somebody]:
    seen = select(func.max(SessionRow.seen)).where(SessionRow.person == AccountRow.person).scalar_subquery()
    query = select(AccountRow.person, AccountRow.name, seen, AdminRow.person)
    query = query.outerjoin(AdminRow, AdminRow.person == AccountRow.person).where(condition)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(AccountRow.created.desc()).limit(MOST_LISTED)).all()
    banned = bans(engine)
    return [Somebody(person, name, at, banned.get(person), admin is not None) for person, name, at, admin in rows]


def _guests(engine: Engine, wanted: str) -> list[Somebody]:
    """Who has sat under a name at one of the last tables, or waits at one."""
    with engine.connect() as connection:
        seats = _seats(connection, true(), true())
    banned, found = bans(engine), dict[str, Somebody]()
    for person, name, at in seats:
        if wanted in name_key(name) and not has_account(person):
            found.setdefault(person, Somebody(person, name, at, banned.get(person)))
    return list(found.values())


def _seats(
    connection: Connection, playing: ColumnElement[bool], waiting: ColumnElement[bool]
) -> list[tuple[str, str, dt.datetime]]:
    """Who has come to which seat last: who waits for a game, then who plays or has played, with the name and when."""
    claims = select(ClaimRow.person, ClaimRow.seat, TableRow.seats, TableRow.changed).where(playing)
    latest = claims.join(TableRow, TableRow.id == ClaimRow.table_id).order_by(TableRow.changed.desc())
    sitting = select(OpenSeatRow.person, OpenSeatRow.name, OpenSeatRow.at).where(waiting)
    found = [(person, name, at) for person, name, at in connection.execute(sitting)]
    for person, seat, seats, at in connection.execute(latest.limit(50 * MOST_LISTED)):
        found.extend((person, name, at) for name in _seat_names(seats)[seat : seat + 1])
    return found


def _seat_names(seats: str) -> list[str]:
    """The names at a table; none if they cannot be read."""
    try:
        return [str(seat["name"]) for seat in json.loads(seats)]
    except DAMAGED:
        return []


# Tables


@dataclass(frozen=True)
class SeenTable:
    """A table in a list. `people` are those who have come to a seat, with its name."""

    id: str
    title: str
    names: list[str]
    actions: int
    visibility: str
    changed: dt.datetime
    state: str
    people: list[tuple[str, str]]

    @property
    def said(self) -> str:
        """What a table is called in a sentence."""
        return ", ".join(self.names) or "nobody"


def tables(engine: Engine, find: str = "", most: int = MOST_LISTED) -> list[SeenTable]:
    """The tables, the latest first; or the one with this id, those with this name at a seat, or of this person."""
    with engine.connect() as connection:
        query = select(TableRow).where(_finding(find)) if find else select(TableRow)
        rows = connection.execute(query.order_by(TableRow.changed.desc()).limit(most)).all()
        ids = [row.id for row in rows]
        claims = connection.execute(select(ClaimRow).where(ClaimRow.table_id.in_(ids)).order_by(ClaimRow.seat)).all()
    waiting = _waiting_tables(engine, find)
    return [*waiting, *(_seen_table(row, claims) for row in rows)][:most]


def table(engine: Engine, id: str) -> SeenTable | None:
    """The table with this id."""
    return next((each for each in tables(engine, id) if each.id == id), None)


def _finding(find: str) -> ColumnElement[bool]:
    sits = select(ClaimRow.table_id).where(ClaimRow.person == find)
    named = [func.lower(TableRow.seats).contains(each, autoescape=True) for each in _spellings(find)]
    return or_(TableRow.id == find, TableRow.id.in_(sits), TableRow.host == find, *named)


def _spellings(name: str) -> set[str]:
    """How a name may stand in the seats of a table: SQLite makes small letters of those of ASCII alone."""
    stored = json.dumps(name, ensure_ascii=False)[1:-1]
    return {each.translate(_SMALL) for each in (stored, stored.lower(), stored.upper(), stored.title())}


_SMALL = str.maketrans(ascii_uppercase, ascii_lowercase)


def _seen_table(row: Row[TableRow], claims: Iterable[Row[ClaimRow]]) -> SeenTable:
    names = _seat_names(row.seats)
    sitting = [(each.person, each.seat) for each in claims if each.table_id == row.id and each.seat < len(names)]
    state = "over" if row.waiting == NOBODY else "being played"
    people = [(person, names[seat]) for person, seat in sitting]
    return SeenTable(row.id, row.title, names, row.actions, row.visibility, row.changed, state, people)


def _waiting_tables(engine: Engine, find: str) -> list[SeenTable]:
    """Those that wait for players, the newest first."""
    query = select(OpenTableRow).where(OpenTableRow.state == OPEN).order_by(OpenTableRow.changed.desc())
    with engine.connect() as connection:
        rows = connection.execute(query).all()
        seats = connection.execute(select(OpenSeatRow).order_by(OpenSeatRow.seat)).all()
    found = []
    for row in rows:
        sitting = [(each.person, each.name) for each in seats if each.table_id == row.id]
        names = [name for _, name in sitting]
        words = (row.id, row.host, *(person for person, _ in sitting))
        if not find or find in words or any(find.lower() in name.lower() for name in names):
            found.append(SeenTable(row.id, row.title, names, 0, row.visibility, row.changed, "waits", sitting))
    return found


# Reports


@dataclass(frozen=True)
class Report:
    """What somebody has reported about another: a line of the chat, "" for something else, and why."""

    id: str
    at: dt.datetime
    person: str
    other: str
    name: str
    table: str
    line: str
    reason: str
    done: bool = False


_REPORTS = select(
    ReportRow.id,
    ReportRow.at,
    ReportRow.person,
    ReportRow.other,
    ReportRow.name,
    ReportRow.table_id,
    ReportRow.line,
    ReportRow.reason,
    ReportRow.done,
)


def reports(engine: Engine, done: bool = False) -> list[Report]:
    """The reports that nobody has dealt with, the earliest first; or those that somebody has, the latest first."""
    order = ReportRow.at.desc() if done else ReportRow.at
    with engine.connect() as connection:
        query = _REPORTS.where(ReportRow.done.is_(done)).order_by(order).limit(MOST_LISTED)
        return [Report(*row) for row in connection.execute(query)]


def report(engine: Engine, id: str) -> Report | None:
    """The report with this id."""
    with engine.connect() as connection:
        row = connection.execute(_REPORTS.where(ReportRow.id == id)).one_or_none()
    return Report(*row) if row else None


def report_count(engine: Engine) -> int:
    """How many reports nobody has dealt with."""
    with engine.connect() as connection:
        return connection.scalar(select(func.count()).where(ReportRow.done.is_(False))) or 0


# The log


@dataclass(frozen=True)
class ModerationEntry:
    """What an admin, or the host of the server, has done."""

    at: dt.datetime
    admin: str
    what: str
    whom: str
    name: str
    text: str


def moderation_log(engine: Engine) -> list[ModerationEntry]:
    """What was done, the latest first."""
    query = select(
        ModerationRow.at,
        ModerationRow.admin,
        ModerationRow.what,
        ModerationRow.whom,
        ModerationRow.name,
        ModerationRow.text,
    )
    with engine.connect() as connection:
        return [
            ModerationEntry(*row)
            for row in connection.execute(query.order_by(ModerationRow.at.desc()).limit(MOST_LISTED))
        ]


def write(store: Store, change: Write) -> None:
    """Write beside the server, which is told."""
    connection = store.connect()
    try:
        if any(connection.write([change])):
            raise NAME_TAKEN
    finally:
        connection.close()
