"""What whoever runs a server sees and does: people, tables, reports and bans. All of it is to be called in a thread,
or by a command beside the running server, which hears of every change as of another process."""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import func, select, update
from sqlalchemy.engine import Engine

from cuberails.server.club.accounts import name_key
from cuberails.server.connections import Write
from cuberails.server.models import AccountRow, BanRow, ClaimRow, ReportRow, SessionRow, TableRow
from cuberails.server.store import DAMAGED, Store

MOST_LISTED = 200
"""How many people, tables or reports are listed, the latest first."""


@dataclass(frozen=True)
class Somebody:
    """A person as the server knows them: by an account, or as a guest by the name at a seat. `seen` is when last."""

    person: str
    name: str
    kind: str
    seen: dt.datetime | None
    banned: bool


def people(engine: Engine, name: str = "") -> list[Somebody]:
    """The accounts, the newest first; with a name those in which it occurs, and guests who have played under it."""
    wanted = name_key(name)
    seen = select(func.max(SessionRow.seen)).where(SessionRow.person == AccountRow.person).scalar_subquery()
    query = select(AccountRow.person, AccountRow.name, seen).where(
        AccountRow.name_key.contains(wanted, autoescape=True)
    )
    with engine.connect() as connection:
        banned = {row.person: row.name for row in connection.execute(select(BanRow.person, BanRow.name))}
        accounts = connection.execute(query.order_by(AccountRow.created.desc()).limit(MOST_LISTED)).all()
    known = [Somebody(person, called, "account", at, person in banned) for person, called, at in accounts]
    guests = _guests(engine, wanted, banned) if wanted else []
    return known + [guest for guest in guests if guest.person not in {each.person for each in known}]


def somebody(engine: Engine, who: str) -> Somebody | None:
    """Who has an account of this name, or is this person: with an account, as a guest, or banned before."""
    account = select(AccountRow.person, AccountRow.name)
    with engine.connect() as connection:
        banned = {row.person: row.name for row in connection.execute(select(BanRow.person, BanRow.name))}
        found = connection.execute(account.where(AccountRow.name_key == name_key(who))).one_or_none()
        found = found or connection.execute(account.where(AccountRow.person == who)).one_or_none()
        seat = connection.execute(
            select(ClaimRow.seat, TableRow.seats)
            .join(TableRow, TableRow.id == ClaimRow.table_id)
            .where(ClaimRow.person == who)
            .limit(1)
        ).one_or_none()
    if found is not None:
        return Somebody(found.person, found.name, "account", None, found.person in banned)
    if seat is None and who not in banned:
        return None
    name = banned.get(who) or "".join(_seat_names(seat.seats)[seat.seat : seat.seat + 1] if seat else [])
    return Somebody(who, name or who, "guest", None, who in banned)


def _guests(engine: Engine, wanted: str, banned: dict[str, str]) -> list[Somebody]:
    """Who has sat under a name at one of the last tables."""
    query = select(ClaimRow.person, ClaimRow.seat, TableRow.seats, TableRow.changed)
    latest = query.join(TableRow, TableRow.id == ClaimRow.table_id).order_by(TableRow.changed.desc())
    found: dict[str, Somebody] = {}
    with engine.connect() as connection:
        for person, seat, seats, at in connection.execute(latest.limit(50 * MOST_LISTED)):
            name = _seat_names(seats)[seat : seat + 1]
            if name and wanted in name_key(name[0]):
                found.setdefault(person, Somebody(person, name[0], "guest", at, person in banned))
    return list(found.values())[:MOST_LISTED]


def _seat_names(seats: str) -> list[str]:
    """The names at a table; none if they cannot be read."""
    try:
        return [str(seat["name"]) for seat in json.loads(seats)]
    except DAMAGED:
        return []


@dataclass(frozen=True)
class SeenTable:
    """A table in a list."""

    id: str
    title: str
    names: list[str]
    actions: int
    visibility: str
    changed: dt.datetime


def tables(engine: Engine, most: int = MOST_LISTED) -> list[SeenTable]:
    """The tables, the latest first."""
    query = select(TableRow.id, TableRow.title, TableRow.seats, TableRow.actions, TableRow.visibility, TableRow.changed)
    with engine.connect() as connection:
        rows = connection.execute(query.order_by(TableRow.changed.desc()).limit(most)).all()
    return [
        SeenTable(row.id, row.title, _seat_names(row.seats), row.actions, row.visibility, row.changed) for row in rows
    ]


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


def open_reports(engine: Engine) -> list[Report]:
    """The reports that nobody has dealt with, the earliest first."""
    columns = (ReportRow.id, ReportRow.at, ReportRow.person, ReportRow.other, ReportRow.name, ReportRow.table_id)
    query = select(*columns, ReportRow.line, ReportRow.reason).where(ReportRow.done.is_(False))
    with engine.connect() as connection:
        return [Report(*row) for row in connection.execute(query.order_by(ReportRow.at).limit(MOST_LISTED))]


def settle(engine: Engine, id: str) -> bool:
    """Somebody has dealt with a report; False if there is none with this id."""
    with engine.begin() as connection:
        return connection.execute(update(ReportRow).where(ReportRow.id == id).values(done=True)).rowcount > 0


def write(store: Store, writes: Sequence[Write]) -> None:
    """Write beside the server, which is told."""
    connection = store.connect()
    try:
        connection.write(writes)
    finally:
        connection.close()
