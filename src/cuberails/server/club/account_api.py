"""The JSON interface for somebody's own account: name, address, passkeys, devices, all of it as a file, and its end."""

from __future__ import annotations

import asyncio
import datetime as dt
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from sqlalchemy import func, select

from cuberails.server.club.accounts import Account
from cuberails.server.club.chores import Chores
from cuberails.server.club.entrance import NOT_SIGNED_IN, Entrance, own_digest, signed_in
from cuberails.server.club.maillinks import MailLinks
from cuberails.server.club.passkeys import ADD, Passkeys, removing, site_of
from cuberails.server.club.passwords import WRONG, Passwords
from cuberails.server.club.personal import exported
from cuberails.server.club.sessions import device_name, drop_session_cookie
from cuberails.server.club.sign_in_api import addressed
from cuberails.server.limits import ACTING, GUESSING, Limits
from cuberails.server.models import OutsideLoginRow
from cuberails.server.naming import clean
from cuberails.server.people import Address, Who, limited
from cuberails.server.refusal import Refused
from cuberails.server.requests import (
    EmailRequest,
    NameRequest,
    NewPasswordRequest,
    PasskeyRequest,
    RemoveRequest,
    VisibleRequest,
)

OTHERS = "others"
"""The devices to sign out, where all but this one are meant."""


class OwnAccounts:
    """What people read and change about their own accounts."""

    def __init__(
        self, entrance: Entrance, passkeys: Passkeys, passwords: Passwords, links: MailLinks, issuer: str
    ) -> None:
        self.entrance = entrance
        self.accounts = entrance.accounts
        self.passkeys = passkeys
        self.passwords = passwords
        self.links = links
        self._issuer = issuer.rstrip("/")
        self.removing = asyncio.Lock()
        """Held while a way into an account is removed: of two that are pressed at once the last stays."""

    async def of(self, request: Request) -> Account:
        """The account of whoever asks."""
        account = await asyncio.to_thread(self.accounts.account_of, signed_in(request))
        if account is None:
            raise NOT_SIGNED_IN
        return account

    async def view(self, request: Request) -> dict[str, Any]:
        return await asyncio.to_thread(self._view, await self.of(request), own_digest(request))

    def _view(self, account: Account, here: str) -> dict[str, Any]:
        keys, devices = self.passkeys.of(account.person), self.entrance.sessions.of(account.person)
        return {
            "name": account.name,
            "email": account.email,
            "password": bool(account.password),
            "outside": self._outside_logins(account.person) > 0,
            "visible": account.visible,
            "passkeys": [
                {"id": key.id, "label": key.label, "created": _utc(key.created), "used": key.used and _utc(key.used)}
                for key in keys
            ],
            "devices": [
                {
                    "id": device.digest,
                    "name": device.device,
                    "since": _utc(device.created),
                    "seen": _utc(device.seen),
                    "here": device.digest == here,
                }
                for device in devices
            ],
        }

    async def check_not_last(self, person: str) -> None:
        """Whoever takes away a way into their account has another one."""
        if await asyncio.to_thread(self._ways_in, person) < 2:
            raise Refused(409, "last_way_in", "This is your only way into the account; add another one first.")

    def _ways_in(self, person: str) -> int:
        """How many ways somebody has that lead in as this server is set up now."""
        account = self.accounts.account_of(person)
        ways = (account.password, self.links.offered and account.email) if account else ()
        return len(self.passkeys.of(person)) + sum(map(bool, ways)) + self._outside_logins(person)

    def _outside_logins(self, person: str) -> int:
        """With how many accounts elsewhere somebody can sign in here."""
        query = select(func.count()).select_from(OutsideLoginRow)
        own = query.where(OutsideLoginRow.person == person, OutsideLoginRow.issuer == self._issuer)
        with self.accounts.store.engine.connect() as connection:
            return connection.scalar(own) or 0


def _utc(time: dt.datetime) -> str:
    return f"{time.isoformat(timespec='seconds')}Z"


def add_account(app: FastAPI, own: OwnAccounts, chores: Chores, limits: Limits) -> None:
    options = limited(limits, ACTING)
    _account(app, options, own, chores)
    _ways_in(app, options, own, limits)
    _devices(app, options, own)


def _account(app: FastAPI, options: dict[str, Any], own: OwnAccounts, chores: Chores) -> None:
    accounts = own.accounts

    @app.get("/api/account", **options)
    async def account(request: Request) -> dict[str, Any]:
        """Read your account: its name, address, passkeys and devices."""
        return await own.view(request)

    @app.post("/api/account/name", **options)
    async def rename(request: Request, body: NameRequest) -> dict[str, Any]:
        """Have your account called otherwise. Seats keep the names that they have."""
        await accounts.rename((await own.of(request)).person, body.name)
        return await own.view(request)

    @app.post("/api/account/visible", **options)
    async def show(request: Request, body: VisibleRequest) -> dict[str, Any]:
        """Say whether others see what you have played, and where you stand."""
        await accounts.set_visible((await own.of(request)).person, body.visible)
        return await own.view(request)

    @app.get("/api/account/export", **options)
    async def export(request: Request) -> Response:
        """Download everything that is stored about you."""
        account = await own.of(request)
        export = await asyncio.to_thread(exported, accounts.store.engine, account.person)
        headers = {"Content-Disposition": 'attachment; filename="cuberails-account.json"', "Cache-Control": "no-store"}
        return JSONResponse(export, headers=headers)

    @app.post("/api/account/delete", **options)
    async def delete(request: Request, body: NameRequest) -> Response:
        """Delete your account; `name` is its name, so that nobody does so by mistake. Games stay, your name goes."""
        account = await own.of(request)
        if body.name.strip() != account.name:
            raise Refused(400, "not_confirmed", f"Write the name of the account, {account.name}, to delete it.")
        await chores.leave(account.person)
        return drop_session_cookie(JSONResponse({"page": "/"}))


def _ways_in(app: FastAPI, options: dict[str, Any], own: OwnAccounts, limits: Limits) -> None:
    accounts = own.accounts

    @app.post("/api/account/passkeys", **options)
    async def add_passkey(request: Request, body: PasskeyRequest) -> dict[str, Any]:
        """Add a passkey; `name` is what you call the device that has it."""
        account = await own.of(request)
        site = site_of(request, request.app.state.settings.public_url)
        label = body.name or device_name(request.headers.get("user-agent", ""))
        made = await asyncio.to_thread(own.passkeys.made, site, body.state, ADD, body.credential, label, account.person)
        await accounts.write(made, Refused(409, "known_passkey", "This passkey is here already."))
        own.links.tell(account, f"a passkey was added to your account: {clean(label)}.")
        return await own.view(request)

    @app.post("/api/account/passkeys/remove", **options)
    async def remove_passkey(request: Request, body: RemoveRequest) -> dict[str, Any]:
        """Remove a passkey."""
        account = await own.of(request)
        async with own.removing:
            await own.check_not_last(account.person)
            await accounts.write([removing(body.id, account.person)])
        return await own.view(request)

    @app.post("/api/account/email", **options)
    async def set_email(request: Request, body: EmailRequest, who: Who, at: Address) -> dict[str, Any]:
        """Have a link sent that notes an address in your account; "" to have your address forgotten."""
        account = await own.of(request)
        if body.email:
            own.links.send_to_confirm(addressed(own.links, limits, body.email, who, at), account)
        elif account.email:
            async with own.removing:
                await own.check_not_last(account.person)
                await accounts.set_email(account.person, "")
            own.links.tell(account, "this address was removed from your account, and signs nobody in any more.")
        return await own.view(request)

    @app.post("/api/account/password", **options)
    async def set_password(request: Request, body: NewPasswordRequest) -> dict[str, Any]:
        """Set a password, or with an empty one have none. Where there was one, all other devices are signed out."""
        account = await own.of(request)
        limits.take_for(GUESSING, account.person)
        if account.password and not await own.passwords.fits(body.old, account.password):
            raise WRONG
        fresh = await own.passwords.hashed(body.password) if body.password else ""
        async with own.removing:
            if not fresh and account.password:
                await own.check_not_last(account.person)
            await accounts.set_password(account.person, fresh)
        if account.password:
            await own.entrance.sessions.end_others(account.person, own_digest(request))
        own.links.tell(account, f"the password of your account was {'set' if body.password else 'removed'}.")
        return await own.view(request)


def _devices(app: FastAPI, options: dict[str, Any], own: OwnAccounts) -> None:
    sessions = own.entrance.sessions

    @app.post("/api/account/devices/sign-out", **options)
    async def sign_device_out(request: Request, body: RemoveRequest) -> dict[str, Any]:
        """Sign out one of your devices by its `id`, or all "others" but this one."""
        account = await own.of(request)
        if body.id == OTHERS:
            await sessions.end_others(account.person, own_digest(request))
        else:
            await sessions.end(account.person, body.id)
        return await own.view(request)
