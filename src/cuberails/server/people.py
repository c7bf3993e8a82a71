"""Who asks: a browser with its cookie, or a program with the key of a seat."""

from __future__ import annotations

import re
import secrets
from typing import Annotated

from fastapi import Cookie, Depends, Header, Request
from fastapi.responses import Response

from cuberails.server.table import Table
from cuberails.server.tables import Tables

PERSON = "cuberails_person"
_SECRET = re.compile(r"[\w.~-]{16,64}", re.ASCII)
"""What can name somebody: long enough that nobody guesses it."""


def person(
    cuberails_person: Annotated[str | None, Cookie()] = None, authorization: Annotated[str | None, Header()] = None
) -> str:
    """Who asks: a program with its own secret or the key of a seat, a browser with its cookie, or nobody known."""
    bearer = authorization.removeprefix("Bearer ") if authorization else ""
    given = bearer or cuberails_person or ""
    return given if _SECRET.fullmatch(given) else ""


def address(request: Request) -> str:
    """Where a request comes from; "" if it did not come over a network."""
    return request.client.host if request.client else ""


Who = Annotated[str, Depends(person)]
Address = Annotated[str, Depends(address)]


def playable_seats(tables: Tables, table: Table, who: str) -> list[int]:
    """The seats that this person may play now: a seat that a bot has taken over is not among them."""
    return table.played_by_people(own_seats(tables, table, who))


def own_seats(tables: Tables, table: Table, who: str) -> list[int]:
    """The seats that belong to this person, or that the key opens by which a program comes."""
    if not who:
        return []
    by_key = seat_of_key(table, who)
    return sorted({*tables.store.claims(table.id, who), *([] if by_key is None else [by_key])})


def claim_seat_by_key(tables: Tables, table: Table, who: str) -> None:
    """Whoever comes with the key of a seat to play takes it: from now on others ask before they go back."""
    seat = seat_of_key(table, who)
    if seat is not None and seat not in tables.store.claims(table.id, who):
        tables.store.claim(table.id, seat, who)


def seat_of_key(table: Table, key: str) -> int | None:
    """The seat whose link has this key."""
    given = key.encode("utf-8", "replace")
    found = (n for n, seat in enumerate(table.seats) if seat.key and secrets.compare_digest(seat.key.encode(), given))
    return next(found, None)


def set_person_cookie(response: Response, person: str) -> Response:
    """Have this browser remember who it is."""
    response.set_cookie(PERSON, person, max_age=10 * 365 * 86400, httponly=True, samesite="lax", path="/")
    return response
