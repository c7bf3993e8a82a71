"""What people are called for. A call is a row of the outbox, written in the same transaction as what happened.

Whoever makes something happen that concerns others adds `call(…)` to the statements of its `Write`; `calls_after` does
so for the log of a table. The caller (caller.py) delivers them.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING

from cuberails.core.state import NOBODY, State
from cuberails.server.connections import Statement
from cuberails.server.history import read_request
from cuberails.server.notices import request_sentence
from cuberails.server.store import ASK, REMATCH, SEAT, TIMEOUT, Entry, now, time_text

if TYPE_CHECKING:
    from cuberails.server.table import Table

TURN = "turn"
"""It is their turn."""
OVER = "over"
"""The game is over."""
UNDO = "undo"
"""Somebody asks to go back."""
TAKEN = "taken"
"""A bot plays their seat."""
INVITED = "invited"
"""Somebody wants them at a table."""
AGAIN = "again"
"""A rematch was opened."""
KINDS = (TURN, OVER, UNDO, TAKEN, INVITED, AGAIN)

GRACE = dt.timedelta(seconds=15)
"""So long a call waits: who looks at the table, by way of whichever process, answers without being called."""

MOST_LETTERS = 300

_ADD_CALL = (
    "INSERT INTO calls (way_id, table_id, kind, seq, seat, text, due, tries, lease, sent_seq)"
    " SELECT id, ?, ?, ?, ?, ?, ?, 0, '', 0 FROM ways WHERE person = ? AND NOT stopped"
    " AND NOT EXISTS (SELECT 1 FROM mutes WHERE mutes.person = ways.person AND mutes.table_id = ?)"
    " ON CONFLICT (way_id, table_id, kind) DO UPDATE SET seq = excluded.seq, seat = excluded.seat,"
    " text = excluded.text, due = excluded.due, tries = 0, lease = ''"
)

_FORGET_TURNS = f"DELETE FROM calls WHERE table_id = ? AND kind = '{TURN}'"


def call(person: str, kind: str, table: str, seq: int = 0, seat: int = -1, text: str = "") -> Statement:
    """Call somebody about a table by all their ways, in place of an earlier call of this kind that still waits.

    `seq` is the number of the log that it is about, `seat` theirs there, and `text` what else there is to say.
    """
    due = time_text(now() + GRACE)
    return _ADD_CALL, [(table, kind, seq, seat, text[:MOST_LETTERS], due, person, table)]


def calls_after(table: Table, entries: list[Entry], state: State) -> list[Statement]:
    """The calls that follow from new entries of a table's log, which lead to this position.

    Whoever made the entries knows of them, and is not called, unless it was a standing order that did.
    """
    last, who = entries[-1], "" if entries[0].ordered else entries[0].person
    found = [*_turn(table, last, state), *_over(table, last, state), *_asked(table, last), *_seats(table, last)]
    ended: list[Statement] = [(_FORGET_TURNS, [(table.id,)])] if _is_end(table, state) else []
    return ended + [statement for person, statement in found if person != who]


def calls_at_start(table: Table, person: str) -> list[Statement]:
    """The calls that follow when somebody opens a table where another one begins."""
    seat, prompt = table.actor, table.state.prompt
    begin = _owners(table, seat) if seat >= 0 and not table.seats[seat].bot else []
    return [call(whose, TURN, table.id, 0, seat, prompt) for whose in begin if whose != person]


_Calls = Iterable[tuple[str, Statement]]
"""Whom to call, and how."""


def _turn(table: Table, last: Entry, state: State) -> _Calls:
    """A turn begins when the decision passes to somebody else: who decides once more is not called once more."""
    seat = state.phase.actor
    if seat < 0 or _bot_after(table, last, seat):
        return []
    if seat == table.actor and not table.seats[seat].bot:
        return []
    return [(whose, call(whose, TURN, table.id, last.seq, seat, state.prompt)) for whose in _owners(table, seat)]


def _bot_after(table: Table, last: Entry, seat: int) -> str:
    """The bot that plays a seat after this entry, or ""."""
    return last.text if last.kind in (SEAT, TIMEOUT) and last.seat == seat else table.seats[seat].bot


def _is_end(table: Table, state: State) -> bool:
    """Whether the game ends with this position."""
    return state.phase.actor == NOBODY and table.actor != NOBODY


def _over(table: Table, last: Entry, state: State) -> _Calls:
    if not _is_end(table, state):
        return []
    won = " and ".join(table.game.seats[seat] for seat in state.winners())
    people = {person for _, person in table.claims}
    return [(person, call(person, OVER, table.id, last.seq, text=f"Winner: {won}.")) for person in sorted(people)]


def _asked(table: Table, last: Entry) -> _Calls:
    if last.kind != ASK:
        return []
    pending = read_request(last)
    words = request_sentence(table.history, pending)
    asked = {
        (person, seat) for seat, whose in pending.consents for person in ([whose] if whose else _owners(table, seat))
    }
    return [(person, call(person, UNDO, table.id, last.seq, seat, words)) for person, seat in sorted(asked)]


def _seats(table: Table, last: Entry) -> _Calls:
    """A seat was given to a bot, or the same people were asked to play once more."""
    if last.kind in (SEAT, TIMEOUT) and last.text:
        return [(whose, call(whose, TAKEN, table.id, last.seq, last.seat)) for whose in _owners(table, last.seat)]
    if last.kind == REMATCH:
        people = sorted({person for _, person in table.claims})
        return [(person, call(person, AGAIN, last.text)) for person in people]
    return []


def _owners(table: Table, seat: int) -> list[str]:
    return sorted(person for claimed, person in table.claims if claimed == seat)
