"""Who asks: a browser with its cookie, or a program with the key of a seat."""

from __future__ import annotations

import re
import secrets
from typing import Annotated

from fastapi import Depends, Request
from fastapi.responses import Response

from cuberails.server.table import Table

PERSON = "cuberails_person"
_SECRET = re.compile(r"[\w.~-]{16,64}", re.ASCII)
"""What can name somebody: long enough that nobody guesses it."""


async def person(request: Request) -> str:
    """Who asks: a program with its own secret or the key of a seat, a browser with its cookie, or nobody known."""
    return person_in(dict(request.scope["headers"]))


def person_in(headers: dict[bytes, bytes]) -> str:
    """Who asks, by the headers of a request."""
    bearer = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
    given = bearer or _cookie(headers.get(b"cookie", b"").decode("latin-1"))
    return given if _SECRET.fullmatch(given) else ""


def _cookie(text: str) -> str:
    """The person in the cookies of a browser."""
    for cookie in text.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == PERSON:
            return value.strip('"')
    return ""


async def address(request: Request) -> str:
    """Where a request comes from; "" if it did not come over a network."""
    return request.client.host if request.client else ""


Who = Annotated[str, Depends(person)]
Address = Annotated[str, Depends(address)]


async def playable_seats(table: Table, who: str) -> list[int]:
    """The seats that this person may play now: a seat that a bot has taken over is not among them."""
    return table.played_by_people(await own_seats(table, who))


async def own_seats(table: Table, who: str) -> list[int]:
    """The seats that belong to this person, or that the key opens by which a program comes."""
    if not who:
        return []
    found = _remembered_seats(table, who)
    if not found:  # they may have come to it by way of another process
        await table.refresh_claims()
        found = _remembered_seats(table, who)
    return found


def _remembered_seats(table: Table, who: str) -> list[int]:
    by_key = seat_of_key(table, who)
    claimed = table.claimed_by(who)
    return claimed if by_key is None or by_key in claimed else sorted([*claimed, by_key])


async def claim_seat_by_key(table: Table, who: str) -> None:
    """Whoever comes with the key of a seat to play takes it: from now on others ask before they go back."""
    seat = seat_of_key(table, who)
    if seat is not None:
        await table.claim(seat, who)


def seat_of_key(table: Table, key: str) -> int | None:
    """The seat whose link has this key."""
    given = key.encode("utf-8", "replace")
    found = (n for n, seat in enumerate(table.seats) if seat.key and secrets.compare_digest(seat.key.encode(), given))
    return next(found, None)


def set_person_cookie(response: Response, person: str) -> Response:
    """Have this browser remember who it is."""
    response.set_cookie(PERSON, person, max_age=10 * 365 * 86400, httponly=True, samesite="lax", path="/")
    return response
