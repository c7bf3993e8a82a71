"""What people report to whoever runs the server: somebody's name, or a line of the chat. Nobody else reads it."""

from __future__ import annotations

import secrets

from cuberails.server.club.blocks import people_at
from cuberails.server.club.open_tables import OpenTable
from cuberails.server.connections import Write
from cuberails.server.naming import clean
from cuberails.server.refusal import Refused
from cuberails.server.store import now, time_text
from cuberails.server.table import Table
from cuberails.server.writer import Writer

MOST_LETTERS = 500
"""The longest reason."""

REPORTS = "reports"

NOBODY_ASKS = Refused(401, "nobody", "Take a seat or sign in first: otherwise nobody knows whom to ask about it.")
NOBODY_THERE = Refused(422, "nobody_there", "Nobody but you or a bot sits there.")

_ADD = "INSERT INTO reports (id, at, person, other, name, table_id, line, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


async def report(table: Table, person: str, seat: int, line: int, reason: str) -> None:
    """Somebody reports whoever sits at a seat: for a line of the chat, or with the number 0 for something else."""
    if not person:
        raise NOBODY_ASKS
    said = next((each.text for each in table.chat.lines if (each.number, each.seat) == (line, seat)), "")
    if line and not said:
        raise Refused(404, "no_line", "Nobody at that seat has said this lately.")
    await table.refresh_claims()
    others = [other for other in people_at(table, seat) if other != person]
    if not others:
        raise NOBODY_THERE
    name = "the host" if seat < 0 else table.game.seats[seat]
    await table.writer.write(_reporting(person, others, name, table.id, said, reason), table.generation)


async def report_waiting(writer: Writer, table: OpenTable, person: str, seat: int, reason: str) -> None:
    """The same of somebody who has a seat at a table that waits for players, such as for the name."""
    if not person:
        raise NOBODY_ASKS
    seated = table.seated.get(seat)
    if seated is None or seated.person == person:
        raise NOBODY_THERE
    await writer.write(_reporting(person, [seated.person], seated.name, table.id, "", reason))


def _reporting(person: str, others: list[str], name: str, table: str, said: str, reason: str) -> Write:
    time, why = time_text(now()), clean(reason, MOST_LETTERS)
    rows: list[tuple[object, ...]] = [
        (secrets.token_urlsafe(6), time, person, other, name, table, said, why) for other in others
    ]
    return Write(REPORTS, [(_ADD, rows)])
