"""The ways to call a person, as that person changes them."""

from __future__ import annotations

import asyncio
import hmac
import secrets
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

from cuberails.server.club import outbox
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.caller import Caller
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.mail import Mailer
from cuberails.server.club.outbox import JSON, MAIL, PUSH, Way
from cuberails.server.club.outside import Forbidden, Outside
from cuberails.server.club.push import checked_keys
from cuberails.server.club.sending import Sender
from cuberails.server.connections import Statement, Write
from cuberails.server.naming import clean
from cuberails.server.refusal import Refused
from cuberails.server.requests import WayRequest
from cuberails.server.settings import Settings
from cuberails.server.store import now
from cuberails.server.tables import Tables

MOST_WAYS = 10
"""So many ways can somebody have; a turn is told to each."""


class Ways:
    """Everything by which people are called, from `start` to `close`."""

    def __init__(self, settings: Settings, tables: Tables, accounts: Accounts) -> None:
        self.tables = tables
        self.outside = Outside(settings.private_receivers)
        self._accounts = accounts
        self._mailer = Mailer(settings)
        self._home = settings.home
        self.sender = Sender(self.outside, tables.identities, accounts, self._mailer)
        self.caller = Caller(tables, self.sender)
        self.outbox = self.caller.outbox

    def start(self) -> None:
        self.caller.start()

    async def close(self) -> None:
        await self.caller.close()
        await self.outside.close()

    async def of(self, who: str) -> list[Way]:
        return await asyncio.to_thread(self.outbox.ways, who) if who else []

    async def own(self, who: str, id: str) -> Way:
        """A way of this person."""
        way = await asyncio.to_thread(self.outbox.way, id)
        if way is None or not who or way.person != who:
            raise Refused(404, "no_way", "You have no such way to be called.")
        return way

    async def push_key(self) -> str:
        """The key with which a device subscribes."""
        return await asyncio.to_thread(lambda: self.sender.keys.public)

    async def mail_view(self, who: str) -> dict[str, Any]:
        """Whether this server sends mail, and to which address of this person."""
        account = await asyncio.to_thread(self._accounts.account_of, who) if who and self._mailer.ready else None
        return {"offered": self._mailer.ready, "address": account.email if account else ""}

    async def muted(self, who: str) -> list[dict[str, str]]:
        """The tables about which somebody does not want to be called."""
        return await asyncio.to_thread(self._muted, who) if who else []

    def _muted(self, who: str) -> list[dict[str, str]]:
        found = [self.tables.store.table(id) for id in self.outbox.muted(who)]
        return [{"id": table.id, "name": title_name(table.title)} for table in found if table is not None]

    # Changes

    async def add(self, who: str, request: WayRequest, address: str, session: str = "") -> Way:
        """A new way for somebody who knows this server by that address, if it can be used; `session` is that of the
        device from which it is asked for, if somebody has signed in there."""
        before = await self._replaced(who, request)
        if len({way.id for way in await self.of(who)}.difference(before)) >= MOST_WAYS:
            raise Refused(403, "too_many_ways", f"You have {MOST_WAYS} ways to be called; remove one first.")
        await self._check(who, request)
        secret = await asyncio.to_thread(_secret, request)
        label = clean(request.label, 80) or (urlsplit(request.target).hostname or "")[:80]
        base, hour = self._home or address, request.digest_hour if request.kind == MAIL else -1
        way = Way(secrets.token_urlsafe(12), who, request.kind, request.target, secret, label, base, now(), hour)
        if request.kind == PUSH:
            way = replace(way, session=session)
        await self.write([*outbox.removing(before), *outbox.adding(way)])
        return way

    async def _replaced(self, who: str, request: WayRequest) -> list[str]:
        """The ways whose place a new one takes: a device belongs to whoever uses it now, and nobody gets mail twice."""
        if request.kind == PUSH:
            return await asyncio.to_thread(self.outbox.ways_to, PUSH, request.target)
        return [way.id for way in await self.of(who) if way.kind == request.kind == MAIL]

    async def _check(self, who: str, request: WayRequest) -> None:
        if request.kind != MAIL:
            try:
                await self.outside.run(self.outside.check(request.target))
            except Forbidden as error:
                raise Refused(422, "bad_address", f"This cannot be used: {error}.") from None
        elif request.target or not (await self.mail_view(who))["address"]:
            raise Refused(422, "no_mail", "Mail goes to the address that you have confirmed in your account.")

    async def subscribed(self, token: str) -> bool:
        """Whether the mail that this link came with still comes."""
        return await self._of_token(token) is not None

    async def unsubscribe(self, token: str) -> None:
        """End the mail that this link came with."""
        way = await self._of_token(token)
        if way is not None:
            await self.write(outbox.removing([way.id]))

    async def _of_token(self, token: str) -> Way | None:
        id = token.partition(".")[0]
        if not hmac.compare_digest(self.tables.identities.mail_token(id).encode(), token.encode("utf-8", "replace")):
            raise Refused(404, "no_key", "This link fits no mail of this server.")
        return await asyncio.to_thread(self.outbox.way, id)

    async def mute(self, who: str, table: str, muted: bool) -> None:
        await self.tables.writer.write(Write(table, outbox.muting(who, table, muted)))

    async def write(self, statements: Sequence[Statement]) -> None:
        await self.tables.writer.write(Write("", list(statements)))


def _secret(request: WayRequest) -> str:
    """What the messages by a new way are encrypted or signed with."""
    if request.kind == PUSH:
        return checked_keys(request.keys)
    return f"whsec_{b64encode(secrets.token_bytes(24)).decode()}" if request.kind == JSON else ""


def way_view(way: Way) -> dict[str, Any]:
    """A way for its person: nothing that could be used in their place."""
    return {
        "id": way.id,
        "kind": way.kind,
        "label": way.label,
        "since": f"{way.since:%Y-%m-%dT%H:%M:%SZ}",
        "digest_hour": way.digest_hour,
        "stopped": way.stopped,
        "trouble": way.trouble,
    }
