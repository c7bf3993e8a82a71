"""A rematch: the same people at a new table of the same game, in a new order."""

from __future__ import annotations

import secrets
from dataclasses import replace

from cuberails.core.game import Game
from cuberails.core.state import NOBODY
from cuberails.server.acceptance import DICE, check_room
from cuberails.server.chat import HOST
from cuberails.server.chatting import check_belongs
from cuberails.server.lessons import level_of
from cuberails.server.refusal import Refused
from cuberails.server.store import REMATCH, SEAT, TIMEOUT, StoredSeat
from cuberails.server.table import Table
from cuberails.server.tables import Tables


async def rematch(tables: Tables, table: Table, person: str, own: list[int]) -> str:
    """The id of the table where the same people play once more; whoever asks first opens it and is its host."""
    check_belongs(table, person, own)
    async with table.lock:
        if not table.history.rematch:
            try:
                await _open(tables, table, person, own)
            except Refused:  # perhaps somebody was quicker by way of another process
                if not table.history.rematch:
                    raise
        return table.history.rematch


def _again(table: Table, n: int, own: list[int]) -> StoredSeat:
    """The same player at a new table: also whose time was up in this one, or who wants the rematch. Whoever followed
    the script of a lesson plays on as it did after that."""
    seat = table.seats[n]
    comes = n in table.claimed() and (n in own or _time_was_up(table, n))
    bot = "" if comes else level_of(seat.bot)
    return replace(seat, bot=bot, key=secrets.token_urlsafe(9) if seat.key else "")


def _time_was_up(table: Table, seat: int) -> bool:
    """Whether it was for that, and not because the host wanted it, that a bot took a seat the last time."""
    changes = [entry.kind for entry in table.history.log if entry.kind in (SEAT, TIMEOUT) and entry.seat == seat]
    return changes[-1:] == [TIMEOUT]


async def _open(tables: Tables, table: Table, person: str, own: list[int]) -> None:
    if table.actor != NOBODY:
        raise Refused(409, "not_over", "The game is not over yet; a rematch comes after it.")
    check_room(table)
    await table.refresh_claims()
    order = DICE.sample(range(len(table.seats)), len(table.seats))
    seats = [_again(table, n, own) for n in order]
    claims = [(order.index(seat), owner) for seat, owner in table.claims]
    game = Game(table.game.board, [seat.name for seat in seats], table.state.options)
    fresh = await tables.open(
        game,
        seats,
        person,
        parent=table.id,
        claims=claims,
        help=table.help,
        visibility=table.visibility,
        time_control=table.time_control,
        rated=table.rated,
    )
    await table.note(REMATCH, fresh.id, own[0] if own else HOST, person)
