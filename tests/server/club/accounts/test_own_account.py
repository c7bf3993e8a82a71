"""Somebody's own account: devices, passkeys, everything stored as a file, and its end, after which the games stay."""

from __future__ import annotations

import datetime as dt
import json
import re
from base64 import urlsafe_b64encode
from collections import deque
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from sqlalchemy import text as sql

import cuberails
from cuberails.server.club import sessions
from cuberails.server.club.sessions import Sessions
from cuberails.server.models import Base
from cuberails.server.naming import SOMEBODY
from cuberails.server.store import now
from cuberails.server.writer import WriteFailed
from tests.server.club.accounts.device import Device
from tests.server.club.accounts.test_sign_in import (
    HOME,
    address,
    ask_for_link,
    link_in,
    name_of,
    new_name,
    sign_up,
    signed,
)
from tests.server.club.postbox import Postbox
from tests.server.house import Guests, House, Json, Person, served, until


def test_every_page_around_the_tables_leads_to_the_others_and_says_who_one_is(guest: Guests) -> None:
    ann, stranger = guest(), guest()
    name = sign_up(ann, Device(HOME))
    for page in ("/", "/lobby", "/puzzles", "/standings", "/account", "/rest", "/notifications"):
        shown = ann.http.get(page).text
        assert f"Your account: </span>{name}</a>" in shown, page
        links = re.findall(r'href="(/[a-z]+)"', shown.partition('aria-label="Site"')[2].partition("</nav>")[0])
        assert links == ["/lobby", "/puzzles", "/standings"], page
        here = re.findall(r'href="([^"]*)" aria-current="page"', shown)
        assert here == ([page] if page in [*links, "/account"] else []), page
        if page != "/account":
            assert 'href="/sign-in"' in stranger.http.get(page).text, page


def test_no_form_sends_itself_as_an_address() -> None:
    templates = Path(cuberails.__file__).parent / "server" / "templates"
    forms = [form for file in templates.glob("*.html") for form in re.findall("<form[^>]*>", file.read_text("utf-8"))]
    searches = [form for form in forms if 'method="dialog"' not in form and 'method="post"' not in form]
    assert forms
    assert [form for form in searches if 'role="search"' not in form] == []


def test_devices_are_listed_and_signed_out_one_by_one(guest: Guests) -> None:
    phone, desk, device = guest(), guest(), Device(HOME)
    phone.http.headers["User-Agent"] = "Mozilla/5.0 (iPhone) Version/18.0 Mobile Safari/604.1"
    name = sign_up(phone, device)
    desk.post("/api/account/passkey/sign-in", signed(desk, device))
    devices = desk.get("/api/account")["devices"]
    assert sorted((each["name"], each["here"]) for each in devices) == [
        ("A program", True),
        ("Safari on iPhone", False),
    ]
    (other,) = [each["id"] for each in devices if not each["here"]]
    left = desk.post("/api/account/devices/sign-out", {"id": other})["devices"]
    assert [each["here"] for each in left] == [True]
    assert (name_of(phone), name_of(desk)) == ("", name)


@pytest.mark.parametrize("packed", ["gzip", "identity"])
def test_a_device_that_is_signed_out_elsewhere_follows_its_table_no_longer(guest: Guests, packed: str) -> None:
    """What it would hear is for its owner, who also would not be called as long as it seems to look."""
    phone, desk, device = guest(), guest(), Device(HOME)
    phone.http.headers["Accept-Encoding"] = packed
    id = phone.open()["id"]
    sign_up(phone, device)
    desk.post("/api/account/passkey/sign-in", signed(desk, device))
    stream = phone.stream(id, "?since=0&chat=0")
    next(stream)
    at_desk = desk.stream(id, "?since=0&chat=0")
    next(at_desk)
    desk.post("/api/account/devices/sign-out", {"id": "others"})
    heard: deque[Json] = deque(maxlen=1)
    with pytest.raises(AssertionError, match="the stream ended"):
        heard.extend(stream)
    assert heard[0] == {"removed": {}}
    desk.act(id, 0, 0, "bid 7")
    assert next(event for event in at_desk if "id" in event)["id"] == "1"
    at_desk.close()
    assert phone.see(id)["mine"] == []


def test_a_device_that_is_signed_out_elsewhere_follows_the_lobby_no_longer(
    guest: Guests, caplog: pytest.LogCaptureFixture
) -> None:
    """Friends would see that its owner is there."""
    phone, desk, device = guest(), guest(), Device(HOME)
    sign_up(phone, device)
    desk.post("/api/account/passkey/sign-in", signed(desk, device))
    with phone.http.stream("GET", "/api/lobby/events") as stream:
        lines = stream.iter_lines()
        assert next(line for line in lines if line.startswith("data: "))
        desk.post("/api/account/devices/sign-out", {"id": "others"})
        assert not [line for line in lines if "error" in line]  # until it ends, properly
    assert "without completing" not in caplog.text


def test_who_is_signed_in_can_look_while_nothing_can_be_written(guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object) -> None:
        raise WriteFailed("the disk is full")

    ann = guest()
    name = sign_up(ann, Device(HOME))
    monkeypatch.setattr(Sessions, "note_use", fails)
    monkeypatch.setattr(sessions, "SEEN_EVERY", dt.timedelta(0))
    assert name_of(ann) == name


def test_all_other_devices_are_signed_out_at_once(guest: Guests) -> None:
    here, device = guest(), Device(HOME)
    name = sign_up(here, device)
    others = [guest() for _ in range(3)]
    for other in others:
        other.post("/api/account/passkey/sign-in", signed(other, device))
    here.post("/api/account/devices/sign-out", {"id": "others"})
    assert [name_of(each) for each in (here, *others)] == [name, "", "", ""]


def test_nobody_signs_out_a_device_of_somebody_else(guest: Guests) -> None:
    ann, bob = guest(), guest()
    name = sign_up(ann, Device(HOME))
    sign_up(bob, Device(HOME))
    (device,) = ann.get("/api/account")["devices"]
    bob.post("/api/account/devices/sign-out", {"id": device["id"]})
    assert name_of(ann) == name


def test_a_device_is_called_as_long_as_it_is_signed_in(guest: Guests) -> None:
    """It was called as a guest before, and keeps being called if its owner signs in there once more."""
    phone, desk, device = guest(), guest(), Device(HOME)
    push = {"kind": "push", "target": "https://9.9.9.9/phone", "keys": subscription_keys()}
    way = phone.post("/api/notifications", push, 201)["id"]
    sign_up(phone, device)
    phone.post("/api/account/passkey/sign-in", signed(phone, device))
    assert [each["id"] for each in phone.get("/api/notifications")["ways"]] == [way]
    desk.post("/api/account/passkey/sign-in", signed(desk, device))
    desk.post("/api/account/devices/sign-out", {"id": "others"})
    assert desk.get("/api/notifications")["ways"] == []


def subscription_keys() -> dict[str, str]:
    """The keys of a browser's push subscription."""
    key = ec.generate_private_key(ec.SECP256R1()).public_key()
    point = key.public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"p256dh": urlsafe_b64encode(point).decode(), "auth": urlsafe_b64encode(bytes(16)).decode()}


def add_passkey(person: Person, device: Device, name: str = "") -> Json:
    asked = person.post("/api/account/passkey/ask", {"for": "add"})
    told = {"state": asked["state"], "credential": device.make(asked), "name": name}
    found: Json = person.post("/api/account/passkeys", told)
    return found


def test_passkeys_are_added_and_removed_but_the_only_way_in_stays(guest: Guests) -> None:
    person, first, second = guest(), Device(HOME), Device(HOME)
    sign_up(person, first)
    (key,) = person.get("/api/account")["passkeys"]
    assert person.post("/api/account/passkeys/remove", {"id": key["id"]}, 409)["error"] == "last_way_in"
    asked = person.post("/api/account/passkey/ask", {"for": "add"})
    assert [each["id"] for each in asked["options"]["excludeCredentials"]] == [key["id"]]
    told = {"state": asked["state"], "credential": second.make(asked), "name": "Blue key"}
    labels = [each["label"] for each in person.post("/api/account/passkeys", told)["passkeys"]]
    assert labels == ["A program", "Blue key"]
    person.post("/api/account/passkeys/remove", {"id": key["id"]})
    assert guest().post("/api/account/passkey/sign-in", signed(guest(), first), 403)["error"] == "unknown_passkey"
    other = guest()
    other.post("/api/account/passkey/sign-in", signed(other, second))
    assert name_of(other)


def test_nobody_removes_a_passkey_of_somebody_else(guest: Guests) -> None:
    ann, bob = guest(), guest()
    sign_up(ann, Device(HOME))
    sign_up(bob, Device(HOME))
    bob.post("/api/account/password", {"password": "correct horse"})
    (key,) = ann.get("/api/account")["passkeys"]
    bob.post("/api/account/passkeys/remove", {"id": key["id"]})
    assert ann.get("/api/account")["passkeys"] == [key]


def test_a_password_is_changed_by_whoever_knows_it(guest: Guests) -> None:
    person = guest()
    name = sign_up(person, Device(HOME))
    person.post("/api/account/password", {"password": "correct horse"})
    assert person.post("/api/account/password", {"password": "another one"}, 403)["error"] == "wrong_password"
    person.post("/api/account/password", {"old": "correct horse", "password": "another one"})
    guest().post("/api/account/password/sign-in", {"name": name, "password": "correct horse"}, 403)
    guest().post("/api/account/password/sign-in", {"name": name, "password": "another one"})
    assert person.post("/api/account/password", {"old": "another one", "password": ""})["password"] is False
    guest().post("/api/account/password/sign-in", {"name": name, "password": "another one"}, 403)


def test_a_new_password_signs_all_other_devices_out(guest: Guests) -> None:
    here, thief, name = guest(), guest(), new_name()
    here.post("/api/account/password/sign-up", {"name": name, "password": "a long password"})
    thief.post("/api/account/password/sign-in", {"name": name, "password": "a long password"})
    here.post("/api/account/password", {"old": "a long password", "password": "one that nobody knows"})
    assert (name_of(here), name_of(thief)) == (name, "")


def test_the_owner_is_told_by_mail_how_one_gets_into_the_account_now(guest: Guests, postbox: Postbox) -> None:
    ann, name, to = guest(), new_name(), address()
    _, token = ask_for_link(ann, postbox, to)
    ann.post("/api/account/mail/use", {"token": token, "name": name})

    def told(sentence: str) -> None:
        until(lambda: sentence in postbox.mail_to(to).get_content().replace("\n", " "))

    add_passkey(ann, Device(HOME))
    told("a passkey was added to your account: A program")
    ann.post("/api/account/password", {"password": "a long password"})
    told("the password of your account was set")
    ann.post("/api/account/email", {"email": "thief@example.org"})
    _, token = link_in(postbox, "thief@example.org")
    ann.post("/api/account/mail/use", {"token": token})
    told("another address was noted in your account")
    assert "If that was not you" in postbox.mail_to(to).get_content()


def test_a_link_that_was_sent_before_the_address_changed_lets_nobody_in(guest: Guests, postbox: Postbox) -> None:
    ann, eve, to = guest(), guest(), address()
    _, token = ask_for_link(ann, postbox, to)
    ann.post("/api/account/mail/use", {"token": token, "name": new_name()})
    _, old = ask_for_link(eve, postbox, to)
    add_passkey(ann, Device(HOME))
    ann.post("/api/account/email", {"email": ""})
    assert eve.post("/api/account/mail/look", {"token": old}, 403)["error"] == "no_link"
    assert eve.post("/api/account/mail/use", {"token": old}, 403)["error"] == "no_link"


def test_an_account_gets_another_name_unless_somebody_has_it(guest: Guests) -> None:
    ann, bob = guest(), guest()
    sign_up(ann, Device(HOME))
    taken, fresh = sign_up(bob, Device(HOME)), new_name()
    assert ann.post("/api/account/name", {"name": taken}, 409)["error"] == "name_taken"
    assert ann.post("/api/account/name", {"name": fresh})["name"] == fresh


def test_somebody_is_seen_by_others_when_they_want_that(guest: Guests) -> None:
    ann = guest()
    name = sign_up(ann, Device(HOME))
    assert guest().http.get(f"/people/{name}").status_code == 404
    assert ann.post("/api/account/visible", {"visible": True})["visible"] is True
    assert guest().get(f"/api/people/{name}")["name"] == name
    assert "Games by title" in guest().http.get(f"/people/{name}").text
    assert ann.post("/api/account/visible", {"visible": False})["visible"] is False
    assert guest().http.get(f"/people/{name}").status_code == 404
    guest().post("/api/account/visible", {"visible": True}, 401)


def test_a_profile_is_found_by_any_name(guest: Guests) -> None:
    person = guest()
    name = sign_up(person, Device(HOME), "AC/DC, 100% #1?/../Ann")
    (link,) = re.findall(r'href="(/people/[^"]*)', person.http.get("/account").text)
    assert person.http.get(link).status_code == 200
    assert person.get(f"/api{link}")["name"] == name
    person.post("/api/account/delete", {"name": name})


def test_everything_stored_about_somebody_is_a_file(guest: Guests) -> None:
    person = guest()
    table = person.open()["id"]
    person.post(f"/api/tables/{table}/notes", {"text": "Bob likes red."})
    name = sign_up(person, Device(HOME))
    answer = person.http.get("/api/account/export")
    assert answer.headers["content-disposition"] == 'attachment; filename="cuberails-account.json"'
    told = json.loads(answer.text)
    assert told["accounts"][0]["name"] == name
    assert told["notes"] == [{"table_id": table, "text": "Bob likes red."}]
    assert [host["id"] for host in told["tables"]] == [table]
    assert person.http.cookies["cuberails_session"] not in answer.text


def test_an_account_is_deleted_only_by_its_name(guest: Guests) -> None:
    person = guest()
    name = sign_up(person, Device(HOME))
    assert person.post("/api/account/delete", {"name": "somebody else"}, 400)["error"] == "not_confirmed"
    assert name_of(person) == name


def test_after_the_account_the_games_stay_without_the_name(guest: Guests, house: House) -> None:
    ann, device = guest(), Device(HOME)
    opened = ann.open(
        title="southern_rails", seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"name": "Cy", "by": "link"}]
    )
    id, bob = opened["id"], guest.with_link(opened["links"][1])
    ann.post(f"/api/tables/{id}/seats/0/name", {"name": "Ann of the North"})
    ann.act(id, 0, ann.see(id)["seq"], ann.see(id)["legal"][0])
    name = sign_up(ann, device)
    ann.post("/api/account/delete", {"name": name})
    assert name_of(ann) == ""
    assert ann.get("/api/tables") == []
    seen = bob.see(id)
    assert seen["seats"] == [SOMEBODY, "Bob", "Cy"]
    assert seen["status"]["bots"][0]
    assert "Ann" not in str(bob.events(id, query="?since=0")) + bob.record(id)
    assert cuberails.read(bob.record(id)).count >= 1
    with house.tables.store.engine.connect() as connection:
        stored = str(connection.exec_driver_sql("SELECT * FROM entries").all())
        assert "Ann of the North" not in stored
    assert guest().post("/api/account/passkey/sign-in", signed(guest(), device), 403)["error"] == "unknown_passkey"


def test_forks_of_a_game_do_not_name_who_has_gone(guest: Guests, house: House) -> None:
    ann, bob, eve = guest(), guest(), guest()
    name = sign_up(bob, Device(HOME))
    opened = ann.open(seats=[{"name": "Ann"}, {"name": name, "by": "link"}, {"name": "Cy", "by": "link"}])
    assert bob.http.post(opened["links"][1]).status_code == 303
    ann.act(opened["id"], 0, 0, "bid 7")
    fork = eve.open(title="", seats=[], fork=opened["id"], at=1)["id"]
    again = ann.open(title="", seats=[], fork=fork, at=0)["id"]
    assert eve.see(fork)["seats"] == ann.see(again)["seats"] == ["Ann", name, "Cy"]
    bob.post("/api/account/delete", {"name": name})
    for id in (opened["id"], fork, again):
        assert ann.see(id)["seats"] == ["Ann", SOMEBODY, "Cy"]
        assert name not in ann.record(id)
    with house.tables.store.engine.connect() as connection:
        assert name not in str(connection.exec_driver_sql("SELECT seats FROM tables").all())


def test_a_table_does_not_name_somebody_who_was_removed_there_and_has_gone(guest: Guests, house: House) -> None:
    ann, bob, cy = guest(), guest(), guest()
    name = sign_up(bob, Device(HOME), "Bob who was removed")
    opened = ann.open(seats=[{"name": "Ann"}, {"name": "Seat 2", "by": "link"}, {"name": name, "by": "link"}])
    id, links = opened["id"], opened["links"]
    for link in links[1:]:
        assert bob.http.post(link).status_code == 303
    bob.post(f"/api/tables/{id}/seats/1/name", {"name": name})
    for person, seat, action in ((ann, 0, "bid 7"), (bob, 1, "bid 8"), (bob, 2, "bid 9")):
        person.act(id, seat, person.see(id)["seq"], action)
    for seat in (1, 2):
        ann.post(f"/api/tables/{id}/seats/{seat}/remove", {"level": ""})
    links = re.findall(rf"/join/{id}/[\w-]+", ann.http.get(f"/t/{id}").text)
    (to_second,) = {link for link in links if "Bob who was removed 2" in ann.http.get(link).text.partition("</h1>")[0]}
    assert cy.http.post(to_second).status_code == 303
    cy.post(f"/api/tables/{id}/seats/1/name", {"name": "Cy"})
    seen = ann.see(id)["seats"]
    (who,) = {each.person for each in house.tables.find(id).history.log if each.kind == "name"} - {
        each for seat, each in house.tables.find(id).claims
    }
    bob.post("/api/account/delete", {"name": name})
    assert ann.see(id)["seats"] == ["Ann", "Cy", SOMEBODY]
    assert seen == ["Ann", "Cy", name]
    with house.tables.store.engine.connect() as connection:
        stored = str(connection.execute(sql("SELECT * FROM entries WHERE table_id = :id"), {"id": id}).all())
    assert name not in stored
    assert who not in stored
    assert name not in ann.record(id) + str(ann.events(id, query="?since=0"))


def test_what_others_will_be_told_does_not_name_who_has_gone(guest: Guests, house: House, postbox: Postbox) -> None:
    ann, bob, to, called = guest(), guest(), address(), new_name()
    ann.post("/api/account/mail/use", {"token": ask_for_link(ann, postbox, to)[1], "name": called})
    ann.post("/api/notifications", {"kind": "mail", "digest_hour": (now().hour + 12) % 24}, 201)
    name = sign_up(bob, Device(HOME), "Bobolink")
    opened = bob.open(seats=[{"name": name}, {"name": "Ann", "by": "link"}])
    id, seat = opened["id"], f"/api/tables/{opened['id']}"
    assert ann.http.post(opened["links"][1]).status_code == 303
    for person, n, action in ((bob, 0, "bid 7"), (ann, 1, "bid 8"), (bob, 0, "bid 9")):
        person.act(id, n, person.see(id)["seq"], action)
    bob.post(f"{seat}/undo", {"seat": 0, "seq": bob.see(id)["seq"], "to": 0})
    free = {"by": "open"}
    waiting = bob.open(seats=[{"name": name}, free], visibility="invited")["id"]
    bob.post(f"/api/lobby/{waiting}/invite", {"name": called})

    def calls() -> dict[str, str]:
        with house.tables.store.engine.connect() as connection:
            query = sql("SELECT kind, text FROM calls WHERE table_id IN (:one, :other)")
            return {row.kind: row.text for row in connection.execute(query, {"one": id, "other": waiting})}

    assert name in calls()["undo"]
    assert name in calls()["invited"]
    bob.post("/api/account/delete", {"name": name})
    assert calls().keys() >= {"undo", "invited"}
    assert name not in str(calls())


def test_an_address_of_somebody_who_has_gone_is_nowhere_in_the_database(
    guest: Guests, house: House, postbox: Postbox
) -> None:
    ann, eve, to = guest(), guest(), address()
    _, token = ask_for_link(ann, postbox, to)
    name = new_name()
    ann.post("/api/account/mail/use", {"token": token, "name": name})
    ask_for_link(eve, postbox, to)  # a link that nobody uses
    ann.post("/api/notifications", {"kind": "mail"}, 201)
    other = address()
    ann.post("/api/account/email", {"email": other})
    link_in(postbox, other)
    ann.post("/api/account/delete", {"name": name})
    with house.tables.store.engine.connect() as connection:
        for table in Base.metadata.sorted_tables:
            rows = str(connection.exec_driver_sql(f"SELECT * FROM {table.name}").all())
            assert not [each for each in (to, other, f"'{name}'") if each in rows], table.name


def test_a_mail_to_a_strange_address_says_nothing_that_its_sender_has_chosen(guest: Guests, postbox: Postbox) -> None:
    ann, to = guest(), address()
    sign_up(ann, Device(HOME), "Win money at evil.example")
    ann.post("/api/account/email", {"email": to})
    link_in(postbox, to)
    assert "evil" not in str(postbox.mail_to(to))


def test_of_two_presses_at_once_only_one_takes_a_way_in_away(guest: Guests) -> None:
    person, first, second = guest(), Device(HOME), Device(HOME)
    sign_up(person, first)
    add_passkey(person, second)
    keys = [key["id"] for key in person.get("/api/account")["passkeys"]]
    with ThreadPoolExecutor(2) as both:
        answers = [both.submit(person.http.post, "/api/account/passkeys/remove", json={"id": key}) for key in keys]
    assert sorted(answer.result().status_code for answer in answers) == [200, 409]


def test_a_way_in_that_is_closed_is_none(tmp_path: Path, postbox: Postbox) -> None:
    """A host who sends no mail any more: whoever then removed their passkey would be locked out."""
    database, device, to = tmp_path / "tables.db", Device(HOME), address()
    with served(database, **postbox.settings) as house:
        ann = Person(house.address)
        sign_up(ann, device)
        ann.post("/api/account/email", {"email": to})
        ann.post("/api/account/mail/use", {"token": link_in(postbox, to)[1]})
        cookies = dict(ann.http.cookies)
        ann.http.close()
    with served(database, public_url=HOME) as house:
        ann = Person(house.address)
        ann.http.cookies.update(cookies)
        account = ann.get("/api/account")
        assert account["email"] == to
        refused = ann.post("/api/account/passkeys/remove", {"id": account["passkeys"][0]["id"]}, 409)
        assert refused["error"] == "last_way_in"
        ann.http.close()


def test_nobody_waits_in_the_lobby_for_somebody_who_has_gone(guest: Guests) -> None:
    ann, bob, cy = guest(), guest(), guest()
    free = [{"by": "open"}, {"by": "open"}]
    hers = ann.open(seats=[{"name": "Ann"}, *free], visibility="public")["id"]
    alone = ann.open(seats=[{"name": "Ann"}, *free], visibility="public")["id"]
    his = bob.open(seats=[{"name": "Bob"}, *free], visibility="public")["id"]
    bob.post(f"/api/lobby/{hers}/join", {"name": "Bob"})
    ann.post(f"/api/lobby/{his}/join", {"name": "Ann"})
    name = sign_up(ann, Device(HOME))
    ann.post("/api/account/delete", {"name": name})
    tables = {table["id"]: table for table in cy.get("/api/lobby")["open"]}
    assert alone not in tables
    assert (tables[hers]["host"], tables[hers]["free"], tables[his]["free"]) == ("Bob", 2, 2)
    bob.post(f"/api/lobby/{hers}/start", {"level": "random"})


def test_a_name_is_free_again_when_its_account_has_gone(guest: Guests) -> None:
    person = guest()
    name = sign_up(person, Device(HOME))
    person.post("/api/account/delete", {"name": name})
    assert sign_up(guest(), Device(HOME), name) == name


def test_a_table_whose_host_has_gone_has_nobody_as_host(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    name = sign_up(ann, Device(HOME))
    ann.post("/api/account/delete", {"name": name})
    stranger = guest()
    assert "data-invite hidden" in stranger.http.get(opened["page"]).text
    assert opened["links"][1] not in stranger.http.get(opened["page"]).text
    stranger.post(f"/api/tables/{opened['id']}/seats/1", {"level": "easy"}, 403)
