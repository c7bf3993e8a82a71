"""Who asks: a browser with its cookie, or a program with the key of a seat."""

from __future__ import annotations

import asyncio
from typing import Annotated, Any

from fastapi import Depends, Request
from fastapi.responses import Response
from starlette.types import Scope

from cuberails.server.identity import HASHED, SESSION, VALID_DAYS, Identities, has_account
from cuberails.server.limits import Limits, Rate
from cuberails.server.requests import REFUSALS
from cuberails.server.table import Table
from cuberails.server.tables import Tables

PERSON = "cuberails_person"
SECURE_PERSON = f"__Host-{PERSON}"
"""The same over https, where browsers take it from this very host only, and never from a neighbour of it."""

SESSION_COOKIE = "cuberails_session"
"""Where somebody is signed in; who that browser was as a guest, it keeps beside."""

SIGNED_IN = "cuberails.signed_in"
"""Where the scope of a request says which person with an account makes it."""

SIGNED_OUT = "cuberails.signed_out"
"""What a message says besides that a browser has gone, if it is still there, but was signed out."""


async def person(request: Request) -> str:
    """Who asks: a program with its token or the key of a seat, a browser with its cookie, or nobody known."""
    tables: Tables = request.app.state.tables
    return person_in(tables.identities, request.scope)


def person_in(identities: Identities, scope: Scope) -> str:
    """Who asks: whoever is signed in; or by the headers of a request a name from this server, or a key's digest."""
    signed_in: str = scope.get(SIGNED_IN, "")
    return signed_in or guest_in(identities, scope)


def guest_in(identities: Identities, scope: Scope) -> str:
    """Who asks, whether or not they are signed in too."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    bearer = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
    if bearer:
        return identities.who(bearer)
    cookies = headers.get(b"cookie", b"").decode("latin-1")
    if scope["scheme"] != "https":
        return identities.who(_cookie(cookies, PERSON))
    secure = _cookie(cookies, SECURE_PERSON)
    who = identities.who(secure or _cookie(cookies, PERSON))
    return who if secure or who.startswith(HASHED) else ""  # release 0.1 had no other cookies


def session_in(scope: Scope) -> str:
    """The token of a session that comes with a request; "" if there is none."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    bearer = headers.get(b"authorization", b"").decode("latin-1").removeprefix("Bearer ")
    if bearer:
        return bearer if bearer.startswith(SESSION) else ""
    found = cookie_in(scope, SESSION_COOKIE)
    return found if found.startswith(SESSION) else ""


def cookie_in(scope: Scope, name: str) -> str:
    """The value of a cookie of this server, which over https is taken from this very host only."""
    headers: dict[bytes, bytes] = dict(scope["headers"])
    name = f"__Host-{name}" if scope["scheme"] == "https" else name
    return _cookie(headers.get(b"cookie", b"").decode("latin-1"), name)


def _cookie(text: str, wanted: str) -> str:
    """The value of a cookie of this name."""
    for cookie in text.split(";"):
        name, _, value = cookie.strip().partition("=")
        if name == wanted:
            return value.strip('"')
    return ""


async def issued_person(tables: Tables, who: str) -> str:
    """Who asks, if that name was given by this server; otherwise a new name. Nobody chooses one."""
    if who.startswith(HASHED) and not await asyncio.to_thread(tables.store.is_known, who):
        who = ""
    return who or tables.identities.new_person()


async def address(request: Request) -> str:
    """Where a request comes from; "" if it did not come over a network."""
    return request.client.host if request.client else ""


Who = Annotated[str, Depends(person)]
Address = Annotated[str, Depends(address)]


async def playable_seats(table: Table, who: str) -> list[int]:
    """The seats that this person may play now: a seat that a bot has taken over is not among them."""
    return table.played_by_people(await own_seats(table, who))


def limited(limits: Limits, *rates: Rate) -> dict[str, Any]:
    """What a route declares that takes from these rates before anything else, and may refuse."""

    async def take(who: Who, at: Address) -> None:
        for rate in rates:
            limits.take(rate, who, at)

    return {"responses": REFUSALS, "dependencies": [Depends(take)]}


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


def seat_of_key(table: Table, digest: str) -> int | None:
    """The seat whose link has the key with this digest."""
    return table.seats_by_key.get(digest)


def seat_link(tables: Tables, table: Table, seat: int) -> str:
    """The link by which somebody comes to a seat; "" if none leads there."""
    nonce = table.seats[seat].key
    return f"/join/{table.id}/{tables.identities.seat_key(table.id, seat, nonce)}" if nonce else ""


def set_person_cookie(response: Response, tables: Tables, person: str) -> Response:
    """Have this browser remember who it is, unless it is signed in. Guard makes the cookie a safer one over https."""
    if has_account(person):
        return response
    token = tables.identities.token(person)
    response.set_cookie(PERSON, token, max_age=VALID_DAYS * 86400, httponly=True, samesite="lax", path="/")
    return response
