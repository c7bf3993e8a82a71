"""Who sits where: the host gives a seat to a bot, or back to its person."""

from __future__ import annotations

from cuberails.server.acceptance import check_number, check_room
from cuberails.server.refusal import Refused
from cuberails.server.store import SEAT
from cuberails.server.table import Table


async def change_player(table: Table, person: str, seat: int, level: str) -> None:
    """The host gives a seat to a bot of this level, or back to its person with no level."""
    async with table.lock:
        if person != table.host:
            raise Refused(403, "not_host", "Only the host of the table can change who sits where.")
        check_number(table, seat)
        await table.refresh_claims()
        if not level and not table.seats[seat].key and seat not in table.claimed():
            raise Refused(422, "nobody_there", f"Nobody but a bot can play for {table.game.seats[seat]}.")
        check_room(table)
        if level != table.seats[seat].bot:
            await table.note(SEAT, level, seat)
