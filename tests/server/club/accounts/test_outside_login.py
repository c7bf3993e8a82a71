"""Signing in with an account elsewhere, at a provider of the tests' own, honest or not."""

from __future__ import annotations

import json
import time
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import uvicorn
from joserfc import jwt
from joserfc.jwk import ECKey
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from tests.browser.serving import free_port
from tests.server.house import Guests, House, Json, Person, served, until

PUBLIC = "https://play.example.org"


class Elsewhere:
    """A provider of OpenID Connect on this machine, where everybody is `claims`; `lies` are said in a token instead."""

    def __init__(self) -> None:
        port = free_port()
        self.issuer = f"http://127.0.0.1:{port}"
        self.claims: Json = {}
        self.lies: Json = {}
        self.key = self.published = ECKey.generate_key("P-256", {"kid": "1"})
        self._codes: dict[str, dict[str, str]] = {}
        routes = [
            Route("/.well-known/openid-configuration", self._form),
            Route("/authorize", self._authorize),
            Route("/token", self._token, methods=["POST"]),
            Route("/keys", self._keys),
        ]
        config = uvicorn.Config(Starlette(routes=routes), port=port, log_config=None)
        self._server = uvicorn.Server(config)
        self._thread = Thread(target=self._server.run)
        self._thread.start()
        until(lambda: self._server.started)

    def close(self) -> None:
        self._server.should_exit = True
        self._thread.join()

    async def _form(self, _: Request) -> Response:
        places = {"authorization_endpoint": "authorize", "token_endpoint": "token", "jwks_uri": "keys"}
        return JSONResponse({"issuer": self.issuer, **{name: f"{self.issuer}/{way}" for name, way in places.items()}})

    async def _keys(self, _: Request) -> Response:
        return JSONResponse({"keys": [self.published.as_dict(private=False)]})

    async def _authorize(self, request: Request) -> Response:
        asked = dict(request.query_params)
        code = f"code {len(self._codes)}"
        self._codes[code] = asked
        return RedirectResponse(f"{asked['redirect_uri']}?state={asked['state']}&code={code}")

    async def _token(self, request: Request) -> Response:
        told = {name: values[0] for name, values in parse_qs((await request.body()).decode()).items()}
        asked = self._codes.pop(told["code"], None)
        challenge = urlsafe_b64encode(sha256(told["code_verifier"].encode()).digest()).rstrip(b"=").decode()
        if asked is None or asked["code_challenge"] != challenge or "authorization" not in request.headers:
            return JSONResponse({"error": "invalid_grant"}, 400)
        usual = {"iss": self.issuer, "aud": "cuberails", "nonce": asked["nonce"], "iat": int(time.time())}
        said = usual | {"exp": int(time.time()) + 300} | self.claims | self.lies
        return JSONResponse({"id_token": jwt.encode({"alg": "ES256", "kid": "1"}, said, self.key)})


@pytest.fixture(scope="module")
def elsewhere() -> Iterator[Elsewhere]:
    provider = Elsewhere()
    yield provider
    provider.close()


@pytest.fixture(scope="module")
def house(elsewhere: Elsewhere, tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    settings: dict[str, Any] = {
        "oidc_issuer": elsewhere.issuer,
        "oidc_client_id": "cuberails",
        "oidc_client_secret": "a secret",
    }
    file = tmp_path_factory.mktemp("outside") / "tables.db"
    with served(file, public_url=PUBLIC, oidc_name="Railway Club", **settings) as house:
        yield house


@pytest.fixture
def guest(house: House, elsewhere: Elsewhere) -> Iterator[Guests]:
    elsewhere.lies, elsewhere.key = {}, elsewhere.published
    guests = Guests(house.address)
    yield guests
    guests.leave()


def go_there(person: Person) -> str:
    """The address with which a browser comes back."""
    there = person.http.get("/sign-in/outside")
    assert there.status_code == 303
    back = httpx.get(there.headers["location"]).headers["location"]
    assert back.startswith(f"{PUBLIC}/sign-in/outside/back?")
    return str(back.removeprefix(PUBLIC))


def sign_in(person: Person) -> str:
    """Who is signed in after a round there and back."""
    assert person.http.get(go_there(person)).status_code == 303
    name: str = person.get("/api/account")["name"]
    return name


def test_the_page_offers_what_the_host_has_set(guest: Guests) -> None:
    assert "Sign in with Railway Club" in guest().http.get("/sign-in").text


def test_an_account_elsewhere_makes_one_here_and_signs_in_again(guest: Guests, elsewhere: Elsewhere) -> None:
    elsewhere.claims = {"sub": "1", "preferred_username": "Ann", "email": "Ann@example.org", "email_verified": True}
    first, again = guest(), guest()
    table = first.open()["id"]
    assert sign_in(first) == "Ann"
    assert first.get("/api/account")["email"] == "ann@example.org"
    assert "You also sign in with Railway Club." in first.http.get("/account").text
    elsewhere.claims |= {"preferred_username": "Another name there"}
    assert sign_in(again) == "Ann"
    assert again.see(table)["mine"] == [0]


def test_nobody_gets_the_account_of_somebody_with_the_same_name_or_address(guest: Guests, elsewhere: Elsewhere) -> None:
    same = {"preferred_username": "Bob", "email": "bob@example.org", "email_verified": True}
    elsewhere.claims = {"sub": "2", **same}
    bob = guest()
    assert sign_in(bob) == "Bob"
    elsewhere.claims = {"sub": "3", **same}
    other = guest()
    assert sign_in(other) == "Bob 2"
    assert other.get("/api/account")["email"] == ""


def test_an_address_that_was_not_verified_there_is_not_noted_here(guest: Guests, elsewhere: Elsewhere) -> None:
    elsewhere.claims = {"sub": "4", "name": "Cy", "email": "cy@example.org"}
    cy = guest()
    assert sign_in(cy) == "Cy"
    assert cy.get("/api/account")["email"] == ""


@pytest.mark.parametrize(
    ("there", "here"), [("di.fox@example.org", "di.fox"), ("…", "Player"), ("somebody", "Player 2")]
)
def test_what_is_a_name_there_becomes_one_here(guest: Guests, elsewhere: Elsewhere, there: str, here: str) -> None:
    elsewhere.claims = {"sub": f"named {there}", "preferred_username": there}
    assert sign_in(guest()) == here


def test_who_turns_round_there_is_told_that_nobody_was_signed_in(guest: Guests) -> None:
    person = guest()
    state = parse_qs(urlsplit(go_there(person)).query)["state"][0]
    back = person.http.get(f"/sign-in/outside/back?error=access_denied&state={state}")
    assert (back.status_code, "You were not signed in there" in back.text) == (403, True)


LIES: list[Json] = [
    {"iss": "https://evil.example"},
    {"aud": "another client"},
    {"nonce": "another"},
    {"exp": 1},
    {"sub": None},
]


@pytest.mark.parametrize("lie", LIES, ids=lambda lie: next(iter(lie)))
def test_a_token_is_believed_only_if_all_is_right(guest: Guests, elsewhere: Elsewhere, lie: Json) -> None:
    elsewhere.claims, elsewhere.lies = {"sub": "5", "name": "Eve"}, lie
    eve = guest()
    assert eve.http.get(go_there(eve)).status_code == 403
    assert eve.http.get("/api/account").status_code == 401


def test_a_token_signed_by_somebody_else_is_not_believed(guest: Guests, elsewhere: Elsewhere) -> None:
    elsewhere.claims, elsewhere.key = {"sub": "6", "name": "Eve"}, ECKey.generate_key("P-256", {"kid": "1"})
    eve = guest()
    assert eve.http.get(go_there(eve)).status_code == 403


def test_whoever_comes_back_must_have_set_out_here(guest: Guests, elsewhere: Elsewhere) -> None:
    elsewhere.claims = {"sub": "7", "name": "Eve"}
    eve, victim = guest(), guest()
    back = go_there(eve)
    assert victim.http.get(back).status_code == 403  # Eve cannot have others signed in as herself
    victim.http.get("/sign-in/outside")
    assert victim.http.get(back).status_code == 403
    for cookie in ("", "x", urlsafe_b64encode(json.dumps({"state": 1}).encode()).decode()):
        stranger = guest()
        assert stranger.http.get(back, headers={"Cookie": f"cuberails_outside={cookie}"}).status_code == 403


def test_a_code_works_once(guest: Guests, elsewhere: Elsewhere) -> None:
    elsewhere.claims = {"sub": "8", "name": "Di"}
    di = guest()
    there: Any = di.http.get("/sign-in/outside").headers["location"]
    cookie = di.http.cookies["cuberails_outside"]
    back = httpx.get(there).headers["location"].removeprefix(PUBLIC)
    assert di.http.get(back).status_code == 303
    again = guest()
    assert again.http.get(back, headers={"Cookie": f"cuberails_outside={cookie}"}).status_code == 502
    assert parse_qs(urlsplit(there).query)["code_challenge_method"] == ["S256"]
