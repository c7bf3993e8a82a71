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
from cuberails.server.store import REMATCH, StoredSeat
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


def _again(seat: StoredSeat) -> StoredSeat:
    """The same player at a new table; whoever followed the script of a lesson plays on as it did after that."""
    return replace(seat, bot=level_of(seat.bot), key=secrets.token_urlsafe(9) if seat.key else "")


async def _open(tables: Tables, table: Table, person: str, own: list[int]) -> None:
    if table.actor != NOBODY:
        raise Refused(409, "not_over", "The game is not over yet; a rematch comes after it.")
    check_room(table)
    await table.refresh_claims()
    order = DICE.sample(range(len(table.seats)), len(table.seats))
    seats = [_again(table.seats[n]) for n in order]
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
