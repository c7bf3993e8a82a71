"""The JSON interface for making an account and signing in: by a passkey, by a link in a mail, by a password."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response

from cuberails.server.club import maillinks
from cuberails.server.club.accounts import NAME_TAKEN, Account, Accounts, checked_name
from cuberails.server.club.entrance import Entrance, signed_in
from cuberails.server.club.mail import mail_address
from cuberails.server.club.maillinks import CONFIRM, NO_LINK, SIGN_UP, MailLinks
from cuberails.server.club.passkeys import ADD, SIGN_IN, UNKNOWN, Passkeys, Site, site_of
from cuberails.server.club.passkeys import SIGN_UP as NEW_KEY
from cuberails.server.club.passwords import WRONG, Passwords
from cuberails.server.club.sessions import device_name, drop_session_cookie
from cuberails.server.limits import GUESSING, MAIL_TO, MAILING, SIGNING_IN, SIGNING_UP, Limits
from cuberails.server.naming import name_key
from cuberails.server.people import SIGNED_IN, Address, Who, limited
from cuberails.server.refusal import Refused
from cuberails.server.requests import (
    REFUSALS,
    AskPasskeyRequest,
    EmailRequest,
    LinkRequest,
    PasskeyRequest,
    PasswordRequest,
)


def add_sign_in(
    app: FastAPI, entrance: Entrance, passkeys: Passkeys, passwords: Passwords, links: MailLinks, limits: Limits
) -> None:
    options = limited(limits, SIGNING_IN)
    _by_passkey(app, options, entrance, passkeys, limits)
    _by_password(app, options, entrance, passwords, limits)
    _by_mail(app, options, entrance, links, limits)

    @app.post("/api/account/sign-out", responses=REFUSALS)
    async def sign_out(request: Request) -> Response:
        """Sign this device out."""
        await request.body()  # a form of another site says nothing that is JSON, and is refused here
        await entrance.sign_out(request)
        return drop_session_cookie(JSONResponse({"page": "/"}))


def _by_passkey(app: FastAPI, options: dict[str, Any], entrance: Entrance, passkeys: Passkeys, limits: Limits) -> None:
    accounts = entrance.accounts

    def site(request: Request) -> Site:
        return site_of(request, request.app.state.settings.public_url)

    @app.post("/api/account/passkey/ask", **options)
    async def ask_passkey(request: Request, asked: AskPasskeyRequest) -> dict[str, Any]:
        """Ask what a device has to sign: the `options` for the browser, and a `state` to bring back."""
        if asked.purpose == SIGN_IN:
            return passkeys.ask_to_sign(site(request))
        person = signed_in(request) if asked.purpose == ADD else ""
        account = await asyncio.to_thread(accounts.account_of, person)
        name = account.name if account else await _free_name(accounts, asked.name)
        return await asyncio.to_thread(passkeys.ask_to_make, site(request), asked.purpose, name, person)

    @app.post("/api/account/passkey/sign-up", **options)
    async def sign_up_by_passkey(request: Request, body: PasskeyRequest, who: Who, at: Address) -> Response:
        """Make an account with a name and a passkey, and sign this device in."""
        limits.take(SIGNING_UP, who, at)
        person = accounts.new_person()
        device = device_name(request.headers.get("user-agent", ""))
        made = await asyncio.to_thread(
            passkeys.made, site(request), body.state, NEW_KEY, body.credential, device, person
        )
        account = await accounts.create(body.name, person=person, also=made)
        return await entrance.sign_in(request, account, body.bring)

    @app.post("/api/account/passkey/sign-in", **options)
    async def sign_in_by_passkey(request: Request, body: PasskeyRequest) -> Response:
        """Sign this device in with a passkey."""
        person, noted = await asyncio.to_thread(passkeys.signed, site(request), body.state, body.credential)
        account = await asyncio.to_thread(accounts.account_of, person)
        if account is None:
            raise UNKNOWN
        return await entrance.sign_in(request, account, body.bring, noted)


def _by_password(
    app: FastAPI, options: dict[str, Any], entrance: Entrance, passwords: Passwords, limits: Limits
) -> None:
    accounts = entrance.accounts

    @app.post("/api/account/password/sign-up", **options)
    async def sign_up_by_password(request: Request, body: PasswordRequest, who: Who, at: Address) -> Response:
        """Make an account with a name and a password, and sign this device in."""
        name = await _free_name(accounts, body.name)
        limits.take(SIGNING_UP, who, at)
        account = await accounts.create(name, password=await passwords.hashed(body.password))
        return await entrance.sign_in(request, account, body.bring)

    @app.post("/api/account/password/sign-in", **options)
    async def sign_in_by_password(request: Request, body: PasswordRequest) -> Response:
        """Sign this device in with a name, or an address, and a password."""
        limits.take_for(GUESSING, name_key(body.name))
        account = await asyncio.to_thread(_named, accounts, body.name)
        if not await passwords.fits(body.password, account.password if account else "") or account is None:
            raise WRONG
        if passwords.is_old(account.password):
            await accounts.set_password(account.person, await passwords.hashed(body.password))
        return await entrance.sign_in(request, account, body.bring)


def _by_mail(app: FastAPI, options: dict[str, Any], entrance: Entrance, links: MailLinks, limits: Limits) -> None:
    accounts = entrance.accounts

    @app.post("/api/account/mail", **options)
    async def send_link(request: Request, body: EmailRequest, who: Who, at: Address) -> dict[str, str]:
        """Have a link sent to an address that signs in, or makes an account. The answer is the same for any address."""
        email = addressed(links, limits, body.email, who, at)
        links.send_to_sign_in(email)
        return {"message": f"A link is on its way to {email}, if it can be reached. It works once, for 15 minutes."}

    @app.post("/api/account/mail/look", **options)
    async def look_at_link(body: LinkRequest) -> dict[str, str]:
        """Ask what a link is for, without using it."""
        link = await asyncio.to_thread(links.find, body.token)
        account = await asyncio.to_thread(accounts.account_of, link.person)
        return {"for": link.purpose, "email": link.email, "name": account.name if account else ""}

    @app.post("/api/account/mail/use", **options)
    async def use_link(request: Request, body: LinkRequest, who: Who, at: Address) -> Response:
        """Use a link: sign in, make an account, or note an address in one's own."""
        link = await asyncio.to_thread(links.find, body.token)
        used = maillinks.using(link, body.token)
        if link.purpose == SIGN_UP:
            limits.take(SIGNING_UP, who, at)
            name = await _free_name(accounts, body.name)
            account = await accounts.create(name, link.email, also=used)
            return await entrance.sign_in(request, account, body.bring)
        found = await asyncio.to_thread(accounts.account_of, link.person)
        if found is None:
            raise NO_LINK
        if link.purpose == CONFIRM:
            _check_is(request, found)
            await accounts.set_email(found.person, link.email, used)
            if found.email != link.email:
                links.tell(found, "another address was noted in your account: this one signs nobody in any more.")
            return JSONResponse({"name": found.name, "page": "/account"})
        return await entrance.sign_in(request, found, body.bring, used)


def addressed(links: MailLinks, limits: Limits, email: str, who: str, at: str) -> str:
    """An address to which mail is sent for somebody, who does not ask for too much."""
    found = mail_address(email)
    if not links.offered:
        raise Refused(404, "no_mail", "This server sends no mail.")
    if not found:
        raise Refused(400, "bad_address", "That is no address for mail; one looks like ann@example.org.")
    limits.take(MAILING, who, at)
    limits.take_for(MAIL_TO, found)
    return found


def _check_is(request: Request, account: Account) -> None:
    who = request.scope.get(SIGNED_IN, "")
    if who != account.person:
        sentence = f"This link is for the account of {account.name}: open it where that is signed in."
        raise Refused(403, "another_account", sentence) if who else Refused(401, "not_signed_in", sentence)


async def _free_name(accounts: Accounts, name: str) -> str:
    """A name that nobody has yet: better said before a device makes a passkey for it."""
    wanted = checked_name(name)
    if await asyncio.to_thread(accounts.by_name, wanted):
        raise NAME_TAKEN
    return wanted


def _named(accounts: Accounts, name: str) -> Account | None:
    """The account with this name or address."""
    return accounts.by_email(mail_address(name)) or accounts.by_name(name) if "@" in name else accounts.by_name(name)
