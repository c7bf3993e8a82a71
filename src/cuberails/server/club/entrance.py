"""The way in: whoever has shown who they are gets a session on the device that they ask from."""

from __future__ import annotations

from collections.abc import Iterable

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.outbox import keeping_device
from cuberails.server.club.sessions import Sessions, beginning, removing_expired, set_session_cookie
from cuberails.server.connections import Statement
from cuberails.server.identity import hashed
from cuberails.server.people import SIGNED_IN, guest_in, session_in
from cuberails.server.refusal import Refused
from cuberails.server.tables import Tables

NOT_SIGNED_IN = Refused(401, "not_signed_in", "Sign in first.")


class Entrance:
    """Lets people in and out."""

    def __init__(self, tables: Tables, accounts: Accounts, sessions: Sessions) -> None:
        self.tables = tables
        self.accounts = accounts
        self.sessions = sessions

    async def sign_in(
        self, request: Request, account: Account, bring: bool, also: Iterable[Statement] = ()
    ) -> Response:
        """Let somebody in who has shown that this account is theirs; `also` is stored with the session, or neither is.

        With `bring`, what this browser plays as a guest comes along; nothing does if it is signed in, for who it was
        before may be somebody else.
        """
        answer = JSONResponse({"name": account.name, "page": "/"})
        return await self.let_in(request, answer, account.person, bring, also)

    async def let_in(
        self, request: Request, answer: Response, person: str, bring: bool, also: Iterable[Statement] = ()
    ) -> Response:
        """The answer, with a session that begins: never one that this browser had before (session fixation)."""
        token, stored = beginning(person, request.headers.get("user-agent", ""))
        guest = guest_in(self.tables.identities, request.scope) if bring and not request.scope.get(SIGNED_IN) else ""
        device = keeping_device(guest or person, "" if guest else own_digest(request), hashed(token))
        await self.accounts.write([*also, *removing_expired(), stored, device])
        if guest:
            await self.accounts.bring_along(guest, person)
        await self.sign_out(request)
        return set_session_cookie(answer, token)

    async def sign_out(self, request: Request) -> None:
        """End the session that a request comes with."""
        token = session_in(request.scope)
        session = await self.sessions.find(token) if token else None
        if session is not None:
            await self.sessions.end(session.person, session.digest)


def signed_in(request: Request) -> str:
    """Whoever asks, if they are signed in; otherwise they are refused."""
    person: str = request.scope.get(SIGNED_IN, "")
    if not person:
        raise NOT_SIGNED_IN
    return person


def own_digest(request: Request) -> str:
    """The digest of the session that a request comes with."""
    return hashed(session_in(request.scope))
