"""Where the database says who somebody is: what a guest brings along, what an account is exported as, and what is
forgotten with it.

Every column with a person is named here once; a test compares the list with the models.
"""

from __future__ import annotations

import base64
import datetime as dt
import json
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Column, Select, Table, and_, or_, select
from sqlalchemy.engine import Connection, Engine
from sqlalchemy.orm import InstrumentedAttribute, aliased

from cuberails.server.chat import HOST
from cuberails.server.connections import Statement
from cuberails.server.identity import GONE
from cuberails.server.models import (
    AccountRow,
    AdminRow,
    BanRow,
    BlockRow,
    ChatRow,
    ChoreRow,
    ClaimRow,
    EntryRow,
    FriendRow,
    InvitationRow,
    MailLinkRow,
    ModerationRow,
    MuteRow,
    NoteRow,
    OpenChangeRow,
    OpenSeatRow,
    OpenTableRow,
    OrderRow,
    OutsideLoginRow,
    PasskeyRow,
    ReportRow,
    RestRow,
    ResultRow,
    SessionRow,
    TableRow,
    WayRow,
)
from cuberails.server.naming import SOMEBODY


@dataclass(frozen=True)
class Personal:
    """A column that says who somebody is.

    What guests have there `comes_along` into an account. When somebody leaves, the row goes, unless something else
    `remains` in place of the name. `secret` columns are not exported: what is in them would only help a thief.
    """

    attribute: InstrumentedAttribute[str]
    comes_along: bool = True
    remains: str | None = None
    secret: tuple[str, ...] = ()

    @property
    def column(self) -> Column[str]:
        found: Column[str] = self.attribute.property.columns[0]
        return found

    @property
    def table(self) -> Table:
        return self.column.table

    def moving(self, old: str, new: str) -> list[Statement]:
        """What makes one person another; what both have stays as the other has it."""
        table, column = self.table.name, self.column.name
        if not self.column.primary_key:
            return [(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [(new, old)])]
        others = ", ".join(each.name for each in self.table.columns if each is not self.column)
        copy = (
            f"INSERT INTO {table} ({column}, {others}) SELECT ?, {others} FROM {table} WHERE {column} = ?"
            " ON CONFLICT DO NOTHING"
        )
        return [(copy, [(new, old)]), (f"DELETE FROM {table} WHERE {column} = ?", [(old,)])]

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        """What is exported of a row."""
        return row

    def forgetting(self, person: str) -> list[Statement]:
        table, column = self.table.name, self.column.name
        if self.remains is not None:
            return [(f"UPDATE {table} SET {column} = ? WHERE {column} = ?", [(self.remains, person)])]
        return [(f"DELETE FROM {table} WHERE {column} = ?", [(person,)])]


class _InLogs(Personal):
    """Who made the entries of a log. Logs are long, so only those of tables where somebody has a seat are looked at."""

    _WHERE = "table_id IN (SELECT table_id FROM claims WHERE person = ?)"

    def moving(self, old: str, new: str) -> list[Statement]:
        who = f"UPDATE entries SET person = ? WHERE {self._WHERE} AND person = ?"
        return [(who, [(new, old, old)]), _consents(self._WHERE, old, old, f":{new}")]

    def forgetting(self, person: str) -> list[Statement]:
        return _forgetting_in_logs(self._WHERE, person, person)

    def shown(self, row: dict[str, Any]) -> dict[str, Any]:
        asks = row["kind"] in ("ask", "yes")
        return row | {"text": re.sub(r":\S+", "", row["text"])} if asks else row


def _forgetting_in_logs(where: str, which: str, person: str) -> list[Statement]:
    """What removes somebody from these logs."""
    names = f"UPDATE entries SET text = ? WHERE {where} AND person = ? AND kind = 'name'"
    who = f"UPDATE entries SET person = '' WHERE {where} AND person = ?"
    return [
        (names, [(SOMEBODY, which, person)]),
        (who, [(which, person)]),
        _consents(where, which, person, ""),
    ]


def _consents(where: str, which: str, old: str, new: str) -> Statement:
    """Requests to go back name the people who are asked."""
    change = f"UPDATE entries SET text = replace(text, ?, ?) WHERE {where} AND kind IN ('ask', 'yes')"
    return change, [(f":{old}", new, which)]


def forgetting_at(table: str, person: str) -> list[Statement]:
    """What removes somebody from the log of a table where they have no seat any more."""
    return _forgetting_in_logs("table_id = ?", table, person)


class _Ways(Personal):
    """The ways to call somebody, which what waits there goes with."""

    def forgetting(self, person: str) -> list[Statement]:
        calls = "DELETE FROM calls WHERE way_id IN (SELECT id FROM ways WHERE person = ?)"
        return [(calls, [(person,)]), *super().forgetting(person)]


class _MailLinks(Personal):
    """Links that were sent to somebody, also those that were asked for before there was an account with the address."""

    def forgetting(self, person: str) -> list[Statement]:
        sent = "DELETE FROM mail_links WHERE email IN (SELECT email FROM accounts WHERE person = ?)"
        return [(sent, [(person,)]), *super().forgetting(person)]


class _ModerationLog(Personal):
    """What was done in the house, and to whom: that remains, without the name."""

    def forgetting(self, person: str) -> list[Statement]:
        gone = {"person": "person = '', admin = ?", "whom": "whom = '', name = ?, text = ''"}[self.column.name]
        return [(f"UPDATE moderation_log SET {gone} WHERE {self.column.name} = ?", [(SOMEBODY, person)])]


PERSONAL: list[Personal] = [
    _InLogs(EntryRow.person, remains=""),  # before the claims: they say where to look
    Personal(NoteRow.person),
    Personal(OrderRow.person),
    Personal(ResultRow.person, remains=""),
    Personal(TableRow.host, remains=GONE, secret=("seats",)),
    Personal(ClaimRow.person),
    Personal(OpenTableRow.host, remains=GONE),
    Personal(OpenChangeRow.person, remains=""),
    Personal(OpenSeatRow.person),
    Personal(InvitationRow.person),
    Personal(FriendRow.person, secret=("friend",)),
    Personal(FriendRow.friend, secret=("person",)),
    Personal(BlockRow.person, secret=("other",)),
    Personal(BlockRow.other, secret=("person", "name", "kind", "at")),
    Personal(ReportRow.person, secret=("other",)),
    Personal(ReportRow.other, secret=("id", "person", "name", "at", "table_id", "line", "reason", "done")),
    Personal(BanRow.person),
    Personal(AdminRow.person, comes_along=False),
    _ModerationLog(ModerationRow.person, comes_along=False, secret=("id", "whom", "name", "text")),
    _ModerationLog(ModerationRow.whom, secret=("id", "person", "admin")),
    Personal(ChoreRow.whom, comes_along=False, secret=("id",)),
    _MailLinks(MailLinkRow.person, comes_along=False, secret=("digest",)),  # before the account: its address is there
    Personal(AccountRow.person, comes_along=False, secret=("password",)),
    Personal(PasskeyRow.person, comes_along=False, secret=("id", "public_key", "sign_count")),
    Personal(SessionRow.person, comes_along=False, secret=("digest",)),
    Personal(OutsideLoginRow.person, comes_along=False),
    _Ways(WayRow.person, secret=("target", "secret", "session")),
    Personal(MuteRow.person),
    Personal(RestRow.person),
]
"""Where the database says who somebody is."""


def moving(old: str, new: str) -> list[Statement]:
    """What gives everything of a guest to an account."""
    return [statement for each in PERSONAL if each.comes_along for statement in each.moving(old, new)]


def forgetting(person: str) -> list[Statement]:
    """What removes somebody. Games stay."""
    return [statement for each in PERSONAL for statement in each.forgetting(person)]


def exported(engine: Engine, person: str) -> dict[str, list[dict[str, Any]]]:
    """Everything that is stored about somebody and about nobody else, by table of the database."""
    found: dict[str, list[dict[str, Any]]] = {}
    for each in PERSONAL:
        found.setdefault(each.table.name, []).extend(_rows(engine, each, person))
    with engine.connect() as connection:
        seats = {(id, seat): name for id, seat, name in _seat_names(connection, person)}
        said = connection.execute(_said(person)).mappings()
        found["chat"] = [{name: _plain(value) for name, value in row.items()} for row in said]
    for claim in found["claims"]:
        claim["name"] = seats.get((claim["table_id"], claim["seat"]), "")
    return found


def _seat_names(connection: Connection, person: str) -> Iterator[tuple[str, int, str]]:
    """What somebody's seats are called: the tables have the names of all seats, in one column."""
    query = select(TableRow.id, ClaimRow.seat, TableRow.seats).join(ClaimRow, ClaimRow.table_id == TableRow.id)
    for id, seat, seats in connection.execute(query.where(ClaimRow.person == person)):
        with suppress(ValueError, LookupError, TypeError):  # it was damaged
            yield id, seat, str(json.loads(seats)[seat]["name"])


def _said(person: str) -> Select[str, int, str, dt.datetime]:
    """What somebody has said in chats: at seats that are theirs alone, since they came, and as a host without one."""
    others = aliased(ClaimRow)
    theirs = select(others.person).where(
        others.table_id == ChatRow.table_id, others.seat == ChatRow.seat, others.person != person
    )
    seated = select(ClaimRow.person).where(
        ClaimRow.table_id == ChatRow.table_id,
        ClaimRow.seat == ChatRow.seat,
        ClaimRow.person == person,
        or_(ClaimRow.at.is_(None), ClaimRow.at <= ChatRow.at),
    )
    hosted = select(TableRow.id).where(TableRow.id == ChatRow.table_id, TableRow.host == person)
    query = select(ChatRow.table_id, ChatRow.number, ChatRow.text, ChatRow.at)
    own = or_(and_(seated.exists(), ~theirs.exists()), and_(ChatRow.seat == HOST, hosted.exists()))
    return query.where(own).order_by(ChatRow.table_id, ChatRow.number)


def _rows(engine: Engine, personal: Personal, person: str) -> Iterator[dict[str, Any]]:
    left_out = (personal.column.name, *personal.secret)
    shown = [column for column in personal.table.columns if column.name not in left_out]
    if not shown:
        return
    with engine.connect() as connection:
        for row in connection.execute(select(*shown).where(personal.column == person)).mappings():
            yield personal.shown({name: _plain(value) for name, value in row.items()})


def _plain(value: object) -> object:
    """A value as JSON can say it."""
    if isinstance(value, dt.datetime):
        return f"{value.isoformat(timespec='seconds')}Z"
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value
