"""Making an account and signing in: by a passkey, by a link in a mail, by a password; and what nobody gets in with."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import count
from typing import Any

import pytest
from sqlalchemy import text as sql
from webauthn.helpers import encode_cbor, parse_cbor

from cuberails.server.club import maillinks
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.mail import Mailer
from cuberails.server.club.maillinks import MailLinks
from cuberails.server.club.passkeys import SIGN_IN, Passkeys, Site, site_of
from cuberails.server.identity import Identities
from cuberails.server.refusal import Refused
from cuberails.server.settings import Settings
from cuberails.server.store import now
from tests.server.club.accounts.device import PRESENT, Device, data, text
from tests.server.club.postbox import Postbox
from tests.server.house import Guests, Hall, House, Json, Person, Still, served

HOME = "https://play.example.org"
_numbers = count(1)


def new_name() -> str:
    return f"Ann {next(_numbers)}"


def sign_up(person: Person, device: Device, name: str = "", **more: Any) -> str:
    """Make an account with a passkey; its name."""
    name = name or new_name()
    asked = person.post("/api/account/passkey/ask", {"for": "sign-up", "name": name})
    told = {"state": asked["state"], "credential": device.make(asked), "name": name, **more}
    assert person.post("/api/account/passkey/sign-up", told)["name"] == name
    return name


def signed(person: Person, device: Device) -> Json:
    """An answer of a device to whoever wants to sign in."""
    asked = person.post("/api/account/passkey/ask", {"for": "sign-in"})
    return {"state": asked["state"], "credential": device.sign(asked)}


def name_of(person: Person) -> str:
    """The name of the account where somebody is signed in; "" for guests."""
    answer = person.http.get("/api/account")
    return str(answer.json()["name"]) if answer.status_code == 200 else ""


# Passkeys


def test_a_passkey_makes_an_account_and_signs_in_elsewhere_with_all_seats(guest: Guests) -> None:
    phone, desk, device = guest(), guest(), Device(HOME)
    one, other = phone.open()["id"], desk.open()["id"]
    name = sign_up(phone, device)
    assert phone.see(one)["mine"] == [0]
    assert desk.post("/api/account/passkey/sign-in", signed(desk, device)) == {"name": name, "page": "/"}
    assert {table["id"] for table in desk.get("/api/tables")} == {one, other}
    assert phone.see(other)["mine"] == [0]
    assert desk.see(one)["mine"] == [0]


def test_a_guest_may_leave_everything_where_it_is(guest: Guests) -> None:
    person, device = guest(), Device(HOME)
    table = person.open()["id"]
    sign_up(person, device, bring=False)
    assert person.get("/api/tables") == []
    person.post("/api/account/sign-out", {})
    assert person.see(table)["mine"] == [0]


def test_what_a_guest_left_in_a_browser_comes_along_with_nobody_who_was_signed_in_there(guest: Guests) -> None:
    person, device, bob = guest(), Device(HOME), Device(HOME)
    table = person.open()["id"]
    sign_up(guest(), bob)
    sign_up(person, device, bring=False)
    person.post("/api/account/passkey/sign-in", signed(person, bob))
    assert person.get("/api/tables") == []
    person.post("/api/account/sign-out", {})
    assert person.see(table)["mine"] == [0]


def test_whoever_has_signed_out_is_a_guest_again(guest: Guests) -> None:
    person, device = guest(), Device(HOME)
    table = person.open()["id"]
    sign_up(person, device)
    token = person.http.cookies["cuberails_session"]
    person.post("/api/account/sign-out", {})
    assert "cuberails_session" not in person.http.cookies
    assert person.see(table)["mine"] == []
    assert name_of(guest(token)) == ""


def test_a_program_can_show_its_session_like_any_token(guest: Guests) -> None:
    person, device = guest(), Device(HOME)
    table = person.open()["id"]
    name = sign_up(person, device)
    program = guest(person.http.cookies["cuberails_session"])
    assert name_of(program) == name
    assert program.see(table)["mine"] == [0]


def test_the_name_that_somebody_had_as_a_guest_opens_nothing_any_more(guest: Guests) -> None:
    person = guest()
    opened = person.open()
    sign_up(person, Device(HOME))
    assert guest(opened["person"]).see(opened["id"])["mine"] == []


def test_every_sign_in_begins_another_session_and_ends_the_one_before(guest: Guests) -> None:
    person, device = guest(), Device(HOME)
    sign_up(person, device)
    before = person.http.cookies["cuberails_session"]
    person.post("/api/account/passkey/sign-in", signed(person, device))
    assert person.http.cookies["cuberails_session"] != before
    assert name_of(guest(before)) == ""


def test_nobody_is_told_by_a_table_who_is_signed_in(guest: Guests) -> None:
    person = guest()
    sign_up(person, Device(HOME))
    assert person.open()["person"] == ""


LIES: dict[str, Callable[[Json, Device], object]] = {
    "another site": lambda told, device: setattr(device, "site", "evil.example"),
    "another origin": lambda told, device: setattr(device, "origin", "https://evil.example"),
    "nobody there": lambda told, device: setattr(device, "flags", PRESENT),
    "a state of one's own": lambda told, device: told.update(state=told["state"].replace("sign-in", "sign-in ") + "1"),
    "a longer time": lambda told, device: told.update(state=told["state"] + "0"),
    "another purpose": lambda told, device: told.update(state=told["state"].replace("sign-in", "add")),
    "no state": lambda told, device: told.update(state="💥"),
}


@pytest.mark.parametrize("lie", LIES)
def test_a_passkey_proves_nothing_with(guest: Guests, lie: str) -> None:
    person, device = guest(), Device(HOME)
    sign_up(person, device)
    person.post("/api/account/sign-out", {})
    asked = person.post("/api/account/passkey/ask", {"for": "sign-in"})
    told = {"state": asked["state"]}
    LIES[lie](told, device)
    told["credential"] = device.sign(asked)
    refusal = person.post("/api/account/passkey/sign-in", told, 403)
    assert refusal["error"] in ("not_proved", "too_late")
    assert name_of(person) == ""


@pytest.mark.parametrize(
    "credential",
    [
        {},
        {"id": 1},
        {"id": "💥", "rawId": [], "type": "public-key", "response": {}},
        {"id": "x" * 100_000},
        {"id": None, "response": {"clientDataJSON": {"a": []}}},
    ],
)
@pytest.mark.parametrize("way", ["sign-in", "sign-up"])
def test_what_is_no_passkey_is_refused_in_a_sentence(guest: Guests, credential: Json, way: str) -> None:
    person = guest()
    asked = person.post("/api/account/passkey/ask", {"for": way, "name": new_name()})
    told = {"state": asked["state"], "credential": credential, "name": "Eve"}
    assert person.post(f"/api/account/passkey/{way}", told, 403)["error"] in ("not_proved", "unknown_passkey")


def test_what_is_no_passkey_is_refused_by_any_database(database: str) -> None:
    with served(database) as house:
        person = Person(house.address)
        asked = person.post("/api/account/passkey/ask", {"for": "sign-in"})
        told = {"state": asked["state"], "credential": {"id": "a\0b"}}
        assert person.post("/api/account/passkey/sign-in", told, 403)["error"] == "unknown_passkey"
        person.http.close()


def test_a_device_that_vouches_for_itself_with_nonsense_is_refused(guest: Guests) -> None:
    person, device = guest(), Device(HOME)
    name = new_name()
    asked = person.post("/api/account/passkey/ask", {"for": "sign-up", "name": name})
    credential = device.make(asked)
    said = parse_cbor(data(credential["response"]["attestationObject"]))
    said |= {"fmt": "android-safetynet", "attStmt": {"ver": "1", "response": {}}}
    credential["response"]["attestationObject"] = text(encode_cbor(said))
    told = {"state": asked["state"], "credential": credential, "name": name}
    assert person.post("/api/account/passkey/sign-up", told, 403)["error"] == "not_proved"


def test_an_answer_of_a_passkey_works_once(guest: Guests) -> None:
    person, thief, device = guest(), guest(), Device(HOME)
    sign_up(person, device)
    told = signed(person, device)
    person.post("/api/account/passkey/sign-in", told)
    device.count = 0
    assert thief.post("/api/account/passkey/sign-in", told, 403)["error"] == "not_proved"
    assert name_of(thief) == ""


def test_a_copied_passkey_is_noticed_by_its_count(guest: Guests) -> None:
    person, device = guest(), Device(HOME)
    sign_up(person, device)
    person.post("/api/account/passkey/sign-in", signed(person, device))
    device.count = 0  # the copy has counted less
    assert person.post("/api/account/passkey/sign-in", signed(person, device), 403)["error"] == "not_proved"


def test_a_question_for_one_person_is_none_for_another(guest: Guests) -> None:
    ann, bob = guest(), guest()
    sign_up(ann, Device(HOME))
    sign_up(bob, Device(HOME))
    asked = ann.post("/api/account/passkey/ask", {"for": "add"})
    told = {"state": asked["state"], "credential": Device(HOME).make(asked)}
    assert bob.post("/api/account/passkeys", told, 403)["error"] == "not_proved"
    assert len(ann.post("/api/account/passkeys", told)["passkeys"]) == 2


def test_a_name_that_is_taken_is_said_before_a_device_makes_a_passkey(guest: Guests) -> None:
    name = sign_up(guest(), Device(HOME))
    refusal = guest().post("/api/account/passkey/ask", {"for": "sign-up", "name": name.upper()}, 409)
    assert refusal["error"] == "name_taken"


def test_a_question_expires(monkeypatch: pytest.MonkeyPatch, quiet: tuple[Hall, Still]) -> None:
    passkeys, site, device = (
        Passkeys(quiet[0].store, Identities(b"a secret")),
        Site("example.org", (HOME,)),
        Device(HOME),
    )
    asked = passkeys.ask_to_sign(site)
    time = int(asked["state"].split(" ")[-1])
    monkeypatch.setattr("cuberails.server.club.passkeys.time.time", lambda: time + 1)
    device.make(asked)
    with pytest.raises(Refused, match="took too long"):
        passkeys.signed(site, asked["state"], device.sign(asked))
    assert asked["state"].startswith(SIGN_IN)


# Mail


def link_in(postbox: Postbox, address: str) -> tuple[str, str]:
    """What the last link to an address is for, and its secret."""
    found = re.search(rf"{HOME}/sign-in/link#([\w-]+)\.([\w-]+)", postbox.mail_to(address).get_content())
    assert found
    return found[1], found[2]


def ask_for_link(person: Person, postbox: Postbox, address: str) -> tuple[str, str]:
    postbox.mails.clear()
    person.post("/api/account/mail", {"email": address})
    return link_in(postbox, address.lower())


def address() -> str:
    return f"ann{next(_numbers)}@example.org"


def test_a_link_makes_an_account_and_the_next_one_signs_in(guest: Guests, postbox: Postbox) -> None:
    first, other, to, name = guest(), guest(), address(), new_name()
    table = first.open()["id"]
    purpose, token = ask_for_link(first, postbox, to)
    assert first.post("/api/account/mail/look", {"token": token}) == {"for": purpose, "email": to, "name": ""}
    first.post("/api/account/mail/use", {"token": token, "name": name})
    assert (purpose, name_of(first)) == ("sign-up", name)
    purpose, token = ask_for_link(other, postbox, to.upper())
    assert other.post("/api/account/mail/use", {"token": token}) == {"name": name, "page": "/"}
    assert purpose == "sign-in"
    assert other.see(table)["mine"] == [0]


def test_a_link_works_in_another_browser_than_the_one_that_asked(guest: Guests, postbox: Postbox) -> None:
    _, token = ask_for_link(guest(), postbox, address())
    other, name = guest(), new_name()
    other.post("/api/account/mail/use", {"token": token, "name": name})
    assert name_of(other) == name


def test_a_link_works_once_and_others_to_the_same_address_not_after_it(guest: Guests, postbox: Postbox) -> None:
    person, to = guest(), address()
    _, older = ask_for_link(person, postbox, to)
    _, newer = ask_for_link(person, postbox, to)
    person.post("/api/account/mail/use", {"token": newer, "name": new_name()})
    for token in (older, newer):
        refusal = guest().post("/api/account/mail/use", {"token": token, "name": new_name()}, 403)
        assert refusal["error"] == "no_link"


def test_looking_at_a_link_does_not_use_it(guest: Guests, postbox: Postbox) -> None:
    _, token = ask_for_link(guest(), postbox, address())
    scanner, person = guest(), guest()
    for _ in range(3):
        assert scanner.http.get("/sign-in/link").status_code == 200
        scanner.post("/api/account/mail/look", {"token": token})
    person.post("/api/account/mail/use", {"token": token, "name": new_name()})
    assert name_of(person)


def test_an_address_gets_the_same_answer_whether_it_is_known_or_not(guest: Guests, postbox: Postbox) -> None:
    person, known, unknown = guest(), address(), address()
    _, token = ask_for_link(person, postbox, known)
    person.post("/api/account/mail/use", {"token": token, "name": new_name()})
    answers = {
        guest().http.post("/api/account/mail", json={"email": to}).text.replace(to, "…") for to in (known, unknown)
    }
    assert len(answers) == 1


def test_a_link_expires_after_fifteen_minutes(quiet: tuple[Hall, Still], postbox: Postbox) -> None:
    time = [now()]
    hall, to = quiet[0], address()
    settings = Settings(**postbox.settings)
    accounts = Accounts(hall.tables)
    links = MailLinks(accounts, Mailer(settings), settings.home, lambda: time[0])

    async def send() -> None:
        links.send_to_sign_in(to)

    postbox.mails.clear()
    hall.run(send())
    _, token = link_in(postbox, to)
    time[0] += maillinks.VALID * 0.99
    assert links.find(token).email == to
    time[0] += maillinks.VALID * 0.02
    with pytest.raises(Refused, match="does not work any more"):
        links.find(token)


def test_an_address_is_noted_only_where_its_account_is_signed_in(guest: Guests, postbox: Postbox) -> None:
    ann, bob, to = guest(), guest(), address()
    name = sign_up(ann, Device(HOME))
    sign_up(bob, Device(HOME))
    postbox.mails.clear()
    assert ann.post("/api/account/email", {"email": to})["email"] == ""
    purpose, token = link_in(postbox, to)
    assert purpose == "confirm"
    assert name in bob.post("/api/account/mail/use", {"token": token}, 403)["message"]
    refusal = guest().post("/api/account/mail/use", {"token": token}, 401)
    assert (refusal["error"], name in refusal["message"]) == ("not_signed_in", True)
    ann.post("/api/account/mail/use", {"token": token})
    assert ann.get("/api/account")["email"] == to
    assert ann.post("/api/account/email", {"email": ""})["email"] == ""


def test_an_address_of_another_account_cannot_be_noted(guest: Guests, postbox: Postbox) -> None:
    ann, bob, to = guest(), guest(), address()
    _, token = ask_for_link(ann, postbox, to)
    ann.post("/api/account/mail/use", {"token": token, "name": new_name()})
    sign_up(bob, Device(HOME))
    postbox.mails.clear()
    bob.post("/api/account/email", {"email": to})
    _, token = link_in(postbox, to)
    assert bob.post("/api/account/mail/use", {"token": token}, 409)["error"] == "email_taken"


@pytest.mark.parametrize("token", ["", "x", "💥", "a" * 64])
def test_a_secret_that_is_none_opens_nothing(guest: Guests, token: str) -> None:
    assert guest().post("/api/account/mail/use", {"token": token, "name": "Eve"}, 403)["error"] == "no_link"


def test_secrets_and_addresses_stand_in_no_address_that_is_logged(
    guest: Guests, postbox: Postbox, access: list[str]
) -> None:
    person, to = guest(), address()
    _, token = ask_for_link(person, postbox, to)
    person.http.get("/sign-in/link")
    person.post("/api/account/mail/use", {"token": token, "name": new_name()})
    assert any("/api/account/mail/use" in line for line in access)
    assert not any(token in line or to in line for line in access)


def test_links_are_stored_so_that_nobody_can_use_them(house: House, guest: Guests, postbox: Postbox) -> None:
    _, token = ask_for_link(guest(), postbox, address())
    with house.tables.store.engine.connect() as connection:
        assert token not in str(connection.execute(sql("SELECT * FROM mail_links")).all())


def test_nobody_gets_mail_without_end(guest: Guests, postbox: Postbox) -> None:
    to = address()

    def ask(n: int) -> int:
        elsewhere = {"X-Forwarded-For": f"192.0.2.{n}"}
        return guest().http.post("/api/account/mail", json={"email": to}, headers=elsewhere).status_code

    assert first_refused(ask) >= 3


def first_refused(ask: Callable[[int], int]) -> int:
    """How often somebody may do something before it was too often; on a slow machine perhaps once or twice more."""
    return next(n for n in range(15) if ask(n) == 429)


# Passwords


def test_a_password_makes_an_account_and_signs_in_by_name(guest: Guests) -> None:
    person, other, name = guest(), guest(), new_name()
    person.post("/api/account/password/sign-up", {"name": name, "password": "correct horse"})
    assert name_of(person) == name
    other.post("/api/account/password/sign-in", {"name": name.lower(), "password": "correct horse"})
    assert name_of(other) == name


@pytest.mark.parametrize("kind", ["wrong", "nobody", "no password"])
def test_a_wrong_password_and_an_unknown_name_are_refused_alike(guest: Guests, kind: str) -> None:
    name = new_name()
    if kind == "wrong":
        guest().post("/api/account/password/sign-up", {"name": name, "password": "correct horse"})
    elif kind == "no password":
        sign_up(guest(), Device(HOME), name)
    told = {"name": name, "password": "battery staple"}
    assert guest().post("/api/account/password/sign-in", told, 403) == {
        "error": "wrong_password",
        "message": "That name and password do not belong together.",
        "table": None,
    }


def test_a_password_is_not_guessed_wherever_the_guesses_come_from(guest: Guests) -> None:
    name = new_name()

    def guess(n: int) -> int:
        told, elsewhere = {"name": name, "password": f"guess number {n}"}, {"X-Forwarded-For": f"192.0.2.{n}"}
        return guest().http.post("/api/account/password/sign-in", json=told, headers=elsewhere).status_code

    assert first_refused(guess) >= 8


def test_a_short_password_is_refused(guest: Guests) -> None:
    refusal = guest().post("/api/account/password/sign-up", {"name": new_name(), "password": "short"}, 400)
    assert "10 letters" in refusal["message"]


def test_accounts_are_not_made_without_end(guest: Guests) -> None:
    person = guest()
    person.http.headers["X-Forwarded-For"] = "198.51.100.7"
    person.http.get("/")

    def make(_: int) -> int:
        person.http.post("/api/account/sign-out", json={})
        told = {"name": new_name(), "password": "correct horse"}
        return person.http.post("/api/account/password/sign-up", json=told).status_code

    assert first_refused(make) >= 5


# Everywhere


WAYS = ["sign-out", "passkey/sign-in", "password/sign-in", "mail/use", "delete", "devices/sign-out", "password"]


@pytest.mark.parametrize("way", WAYS)
def test_no_form_of_another_site_signs_anybody_in_or_out(guest: Guests, way: str) -> None:
    kind = {"content-type": "application/x-www-form-urlencoded", "origin": "https://evil.example"}
    assert guest().http.post(f"/api/account/{way}", content="a=b", headers=kind).status_code == 415


@pytest.mark.parametrize(
    "way", ["name", "delete", "email", "password", "passkeys", "passkeys/remove", "devices/sign-out"]
)
def test_guests_have_no_account_to_change(guest: Guests, way: str) -> None:
    bodies: dict[str, Json] = {
        "email": {"email": ""},
        "password": {"password": ""},
        "passkeys": {"state": "", "credential": {}},
        "passkeys/remove": {"id": "1"},
        "devices/sign-out": {"id": "others"},
    }
    told = bodies.get(way, {"name": "Eve"})
    assert guest().post(f"/api/account/{way}", told, 401)["error"] == "not_signed_in"


@pytest.mark.parametrize("token", ["session.", "session.x", "session." + "a" * 5000, "session.\xe9", "@nobody"])
def test_a_token_that_is_none_makes_a_guest(guest: Guests, token: str) -> None:
    person = guest()
    headers = {b"Cookie": f"cuberails_session={token}".encode("latin-1")}
    assert person.http.get("/api/account", headers=headers).status_code == 401
    assert person.http.get("/", headers=headers).status_code == 200


def test_a_site_is_what_the_host_calls_it_or_what_was_asked_for() -> None:
    class Asked:
        base_url = "http://localhost:8000/"

    asked: Any = Asked()
    assert site_of(asked, "") == Site("localhost", ("https://localhost:8000", "http://localhost:8000"))
    assert site_of(asked, HOME) == Site("play.example.org", (HOME,))


def test_over_https_a_session_is_taken_from_this_host_only(guest: Guests) -> None:
    person = guest()
    person.http.headers["X-Forwarded-Proto"] = "https"
    name = new_name()
    answer = person.http.post("/api/account/password/sign-up", json={"name": name, "password": "correct horse"})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("__Host-cuberails_session=session.")
    assert all(word in cookie for word in ("Secure", "HttpOnly", "SameSite=lax", "Path=/"))
    token = cookie.partition("=")[2].partition(";")[0]
    secure = {"X-Forwarded-Proto": "https"}
    for cookies, code in ((f"__Host-cuberails_session={token}", 200), (f"cuberails_session={token}", 401)):
        assert guest().http.get("/api/account", headers={**secure, "Cookie": cookies}).status_code == code


def test_passwords_are_hashed_slowly(house: House, guest: Guests) -> None:
    name = new_name()
    guest().post("/api/account/password/sign-up", {"name": name, "password": "correct horse"})
    account = Accounts(house.tables.tables).by_name(name)
    assert account is not None
    assert account.password.startswith("$argon2id$")
