"""Who asks: a browser with its cookie, or a program with the key of a seat."""

from __future__ import annotations

import re
import secrets
from typing import Annotated

from fastapi import Cookie, Depends, Header, Request
from fastapi.responses import Response

from cuberails.server.tables import Table, Tables

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


def mine(tables: Tables, table: Table, who: str) -> list[int]:
    """The seats that this person may play now: a seat that a bot has taken over is not among them."""
    return table.played_by_people(seats_of(tables, table, who))


def seats_of(tables: Tables, table: Table, who: str) -> list[int]:
    """The seats that belong to this person; whoever comes with the key of a seat takes it."""
    if not who:
        return []
    seats = tables.store.claims(table.id, who)
    key = seat_of_key(table, who)
    if key is not None and key not in seats:
        tables.store.claim(table.id, key, who)
        seats.append(key)
    return sorted(seats)


def seat_of_key(table: Table, key: str) -> int | None:
    """The seat whose link has this key."""
    given = key.encode("utf-8", "replace")
    found = (n for n, seat in enumerate(table.seats) if seat.key and secrets.compare_digest(seat.key.encode(), given))
    return next(found, None)


def known(response: Response, me: str) -> Response:
    """Remember this browser."""
    response.set_cookie(PERSON, me, max_age=10 * 365 * 86400, httponly=True, samesite="lax", path="/")
    return response
