"""Who sits where, and under which name: seats given to bots and taken back, and people who name themselves."""

from __future__ import annotations

from cuberails.core.state import NOBODY
from cuberails.server.acceptance import check_number, check_own, check_room
from cuberails.server.naming import clean, distinct
from cuberails.server.refusal import Refused
from cuberails.server.store import NAME, SEAT
from cuberails.server.table import Table


async def change_player(table: Table, person: str, own: list[int], seat: int, level: str) -> None:
    """The host gives a seat to a bot of this level, or back to its person with no level; who owns it takes it back."""
    async with table.lock:
        check_number(table, seat)
        if person != table.host and (level or seat not in own):
            raise Refused(403, "not_host", "Only the host of the table can change who sits where.")
        await table.refresh_claims()
        if not level and not table.seats[seat].key and seat not in table.claimed():
            raise Refused(422, "nobody_there", f"Nobody but a bot can play for {table.game.seats[seat]}.")
        if table.rated and (table.actor == NOBODY or (table.seats[seat].bot and seat not in table.claimed())):
            raise Refused(403, "rated", "This game counts for ratings: its bots stay as they are.")
        check_room(table)
        if level != table.seats[seat].bot:
            await table.note(SEAT, level, seat, person)


async def remove_player(table: Table, person: str, seat: int, level: str) -> None:
    """The host removes whoever sits at a seat: their link leads there no longer. A bot of this level plays there, or
    with no level whoever comes by the new link."""
    async with table.lock:
        check_number(table, seat)
        if not person or person != table.host:
            raise Refused(403, "not_host", "Only the host of the table can remove somebody.")
        await table.refresh_claims()
        people = {who for claimed, who in table.claims if claimed == seat}
        if not people or person in people:
            raise Refused(422, "nobody_there", "Nobody but you or a bot sits there.")
        if table.actor == NOBODY:
            raise Refused(409, "over", "The game is over; who played it stays there.")
        check_room(table)
        await table.remove(seat, level, person)


async def rename(table: Table, person: str, own: list[int], seat: int, name: str) -> None:
    """Somebody names their own seat, for all to see; if another seat is called so, a number is added."""
    async with table.lock:
        check_own(table, own, seat)
        wanted = clean(name)
        if not wanted:
            raise Refused(400, "bad_request", "A name needs a letter or another sign that can be seen.")
        others = [other for n, other in enumerate(table.game.seats) if n != seat]
        called = distinct([*others, wanted])[-1]
        check_room(table)
        if called != table.game.seats[seat]:
            await table.note(NAME, called, seat, person)
