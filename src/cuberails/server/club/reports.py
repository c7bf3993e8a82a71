"""What people report to whoever runs the server: somebody's name, or a line of the chat. Nobody else reads it."""

from __future__ import annotations

import secrets

from cuberails.server.club.blocks import people_at
from cuberails.server.connections import Write
from cuberails.server.naming import clean
from cuberails.server.refusal import Refused
from cuberails.server.store import now, time_text
from cuberails.server.table import Table

MOST_LETTERS = 500
"""The longest reason."""

REPORTS = "reports"

_ADD = "INSERT INTO reports (id, at, person, other, name, table_id, line, reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


async def report(table: Table, person: str, seat: int, line: int, reason: str) -> None:
    """Somebody reports whoever sits at a seat: for a line of the chat, or with the number 0 for something else."""
    if not person:
        raise Refused(401, "nobody", "Take a seat or sign in first: otherwise nobody knows whom to ask about it.")
    said = next((each.text for each in table.chat.lines if (each.number, each.seat) == (line, seat)), "")
    if line and not said:
        raise Refused(404, "no_line", "Nobody at that seat has said this lately.")
    await table.refresh_claims()
    others = [other for other in people_at(table, seat) if other != person]
    if not others:
        raise Refused(422, "nobody_there", "Nobody but you or a bot sits there.")
    name = "the host" if seat < 0 else table.game.seats[seat]
    time, why = time_text(now()), clean(reason, MOST_LETTERS)
    rows: list[tuple[object, ...]] = [
        (secrets.token_urlsafe(6), time, person, other, name, table.id, said, why) for other in others
    ]
    await table.writer.write(Write(REPORTS, [(_ADD, rows)]), table.generation)
