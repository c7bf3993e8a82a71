"""Signing in with an account elsewhere, by OpenID Connect, where the host has named a provider.

The browser goes there and comes back with a code (authorization code flow with PKCE); what it set out with waits in a
cookie. The code is exchanged by the server itself for a token that the provider has signed.
"""

from __future__ import annotations

import asyncio
import hmac
import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

import httpx
from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response
from sqlalchemy import select

from cuberails.core.title import SetupError
from cuberails.server.club.accounts import NAME_TAKEN, Account, Accounts, checked_name
from cuberails.server.club.entrance import Entrance
from cuberails.server.club.mail import mail_address
from cuberails.server.connections import Statement
from cuberails.server.limits import SIGNING_IN, SIGNING_UP, Limits
from cuberails.server.models import OutsideLoginRow
from cuberails.server.naming import distinct
from cuberails.server.people import Address, Who, cookie_in
from cuberails.server.refusal import Refused
from cuberails.server.settings import Settings

COOKIE = "cuberails_outside"
"""What a browser set out with that will come back from the provider."""

BACK = "/sign-in/outside/back"
"""Where the provider sends people back to."""

PATIENCE = 10.0
"""Seconds that the provider may take for an answer."""

AWAY = 600
"""Seconds that somebody may be away there."""

_ADD = "INSERT INTO outside_logins (issuer, subject, person) VALUES (?, ?, ?)"

FAILED = Refused(502, "outside_failed", "The other server could not be asked who you are; try again later.")
NOT_PROVED = Refused(403, "not_proved", "That sign-in did not begin in this browser, or took too long; try again.")
REFUSED_THERE = Refused(403, "refused_there", "You were not signed in there; try again, or choose another way in.")

Json = dict[str, Any]


@dataclass(frozen=True)
class Departure:
    """What a browser set out with: numbers that nobody guesses, and whether its guest comes along."""

    state: str
    nonce: str
    verifier: str
    bring: bool


@dataclass(frozen=True)
class Arrival:
    """Who somebody is elsewhere."""

    issuer: str
    subject: str
    name: str
    email: str


class Provider:
    """A provider of OpenID Connect; `connect` makes the client that asks it."""

    def __init__(
        self, settings: Settings, connect: Callable[[], httpx.AsyncClient] = lambda: httpx.AsyncClient(timeout=PATIENCE)
    ) -> None:
        _check_installed()
        self._settings = settings
        self._connect = connect
        self.issuer = settings.oidc_issuer.rstrip("/")
        self.name = settings.oidc_name

    async def way_there(self, departure: Departure) -> str:
        """Where the browser goes."""
        from authlib.oauth2.rfc7636 import create_s256_code_challenge

        async with self._connect() as client:
            form = await self._form(client)
        query = {
            "response_type": "code",
            "scope": "openid profile email",
            "client_id": self._settings.oidc_client_id,
            "redirect_uri": self._settings.home + BACK,
            "state": departure.state,
            "nonce": departure.nonce,
            "code_challenge": create_s256_code_challenge(departure.verifier),
            "code_challenge_method": "S256",
        }
        address = str(form["authorization_endpoint"])
        return f"{address}{'&' if '?' in address else '?'}{urlencode(query)}"

    async def who(self, code: str, departure: Departure) -> Arrival:
        """Who has come back with this code."""
        async with self._connect() as client:
            form = await self._form(client)
            fields = {
                "grant_type": "authorization_code",
                "code": code,
                "redirect_uri": self._settings.home + BACK,
                "code_verifier": departure.verifier,
            }
            key = httpx.BasicAuth(self._settings.oidc_client_id, self._settings.oidc_client_secret)
            answer = await _json(client.post(str(form["token_endpoint"]), data=fields, auth=key))
            keys = await _json(client.get(str(form["jwks_uri"])))
        return self._checked(str(answer.get("id_token", "")), keys, departure.nonce)

    async def _form(self, client: httpx.AsyncClient) -> Json:
        """What the provider says about itself."""
        form = await _json(client.get(f"{self.issuer}/.well-known/openid-configuration"))
        needed = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        if str(form.get("issuer", "")).rstrip("/") != self.issuer or not all(name in form for name in needed):
            raise FAILED
        return form

    def _checked(self, token: str, keys: Json, nonce: str) -> Arrival:
        from authlib.common.errors import AuthlibBaseError
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        try:
            read = jwt.decode(token, KeySet.import_key_set({"keys": list(keys["keys"])}), algorithms=SIGNED_BY)
            issuer = {"essential": True, "values": [self.issuer, f"{self.issuer}/"]}
            audience = {"essential": True, "value": self._settings.oidc_client_id}
            claims = CodeIDToken(
                read.claims,
                read.header,
                {"iss": issuer, "aud": audience},
                {"nonce": nonce, "client_id": self._settings.oidc_client_id},
            )
            claims.validate(leeway=60)
        except (AuthlibBaseError, JoseError, ValueError, KeyError, TypeError):
            raise NOT_PROVED from None
        verified = claims.get("email_verified") is True
        email = mail_address(str(claims.get("email", ""))) if verified else ""
        name = str(claims.get("preferred_username") or claims.get("name") or "").partition("@")[0]
        return Arrival(self.issuer, str(claims["sub"])[:255], name[:200], email)


SIGNED_BY = ["RS256", "ES256", "PS256", "EdDSA"]
"""How a token can be signed; never by the secret of the client, or not at all."""


async def _json(request: Any) -> Json:
    try:
        answer: httpx.Response = await request
        answer.raise_for_status()
        found = answer.json()
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        raise FAILED from None
    if not isinstance(found, dict):
        raise FAILED
    return found


def _check_installed() -> None:
    try:
        import authlib.oidc.core  # noqa: F401
    except ImportError:
        raise SetupError("oidc_issuer needs Authlib: pip install 'cuberails[oidc]'") from None


def add_outside_login(app: FastAPI, provider: Provider, entrance: Entrance, limits: Limits) -> None:
    @app.get("/sign-in/outside")
    async def set_out(who: Who, at: Address, bring: bool = True) -> Response:
        limits.take(SIGNING_IN, who, at)
        departure = Departure(secrets.token_urlsafe(24), secrets.token_urlsafe(24), secrets.token_urlsafe(48), bring)
        answer = RedirectResponse(await provider.way_there(departure), 303)
        kept = urlsafe_b64encode(json.dumps(asdict(departure)).encode()).decode()
        answer.set_cookie(COOKIE, kept, max_age=AWAY, httponly=True, samesite="lax", path="/")
        return answer

    @app.get(BACK)
    async def come_back(request: Request, who: Who, at: Address, state: str = "", code: str = "") -> Response:
        limits.take(SIGNING_IN, who, at)
        departure = _departure(request)
        if departure is None or not hmac.compare_digest(departure.state.encode(), state.encode()):
            raise NOT_PROVED
        if not code:
            raise REFUSED_THERE
        arrival = await provider.who(code, departure)
        account = await asyncio.to_thread(_account, entrance.accounts, arrival)
        if account is None:
            limits.take(SIGNING_UP, who, at)
            account = await _new_account(entrance.accounts, arrival)
        answer = await entrance.let_in(request, RedirectResponse("/", 303), account.person, departure.bring)
        answer.delete_cookie(COOKIE, httponly=True, samesite="lax", path="/")
        return answer


def _departure(request: Request) -> Departure | None:
    try:
        return Departure(**json.loads(urlsafe_b64decode(cookie_in(request.scope, COOKIE))))
    except (ValueError, TypeError):
        return None


def _account(accounts: Accounts, arrival: Arrival) -> Account | None:
    """The account of somebody who was here before."""
    query = select(OutsideLoginRow.person).where(
        OutsideLoginRow.issuer == arrival.issuer, OutsideLoginRow.subject == arrival.subject
    )
    with accounts.store.engine.connect() as connection:
        person = connection.scalar(query)
    return accounts.account_of(person) if person else None


async def _new_account(accounts: Accounts, arrival: Arrival) -> Account:
    """An account for somebody who comes for the first time, by a name that nobody has, and never somebody else's: that
    an address is the same proves to this server nothing about who may use the account here."""
    person = accounts.new_person()
    also: list[Statement] = [(_ADD, [(arrival.issuer, arrival.subject, person)])]
    known = await asyncio.to_thread(accounts.by_email, arrival.email)
    try:
        wanted = checked_name(arrival.name)
    except Refused:  # what is a name there may be none here
        wanted = "Player"
    for name in dict.fromkeys(distinct([wanted] * 50)):
        if not await asyncio.to_thread(accounts.by_name, name):
            return await accounts.create(name, "" if known else arrival.email, person=person, also=also)
    raise NAME_TAKEN
