"""What is reported to whoever runs a server, and who was banned there, at running servers too."""

from __future__ import annotations

from cuberails.server.club import moderation
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.administration import people, reports, somebody, write
from cuberails.server.club.moderation import HOST, Somebody
from cuberails.server.store import Store
from tests.server.club.test_blocks import together
from tests.server.club.test_lobby import FREE, join, offer
from tests.server.house import Guests, House, Json, Person, served, until


def report(person: Person, id: str, seat: int, status: int = 200, **more: object) -> Json:
    found: Json = person.post(f"/api/tables/{id}/seats/{seat}/report", more, status)
    return found


def test_a_report_names_the_line_the_table_and_both(guest: Guests, house: House) -> None:
    ann, bob, id = together(guest)
    bob.post(f"/api/tables/{id}/chat", {"text": "you play badly"})
    assert report(ann, id, 1, line=1, reason="rude") == {"reported": True}
    engine = house.tables.store.engine
    (found,) = [each for each in reports(engine) if each.table == id]
    table = house.tables.find(id)
    assert (found.person, found.other) == (table.claimed_by(found.person) == [0] and found.person, found.other)
    assert table.claimed_by(found.other) == [1]
    assert (found.name, found.line, found.reason) == ("Bob", "you play badly", "rude")
    write(house.tables.store, moderation.handle(HOST, found.id, found.other, found.name))
    assert not [each for each in reports(engine) if each.table == id]
    assert found.id in {each.id for each in reports(engine, done=True)}


def test_what_was_not_said_and_who_is_not_there_cannot_be_reported(guest: Guests) -> None:
    ann, bob, id = together(guest)
    bob.post(f"/api/tables/{id}/chat", {"text": "hello"})
    assert report(ann, id, 2, 404, line=1)["error"] == "no_line"
    assert report(ann, id, 2, 422)["error"] == "nobody_there"
    assert report(guest(), id, 1, 401)["error"] == "nobody"


def test_who_waits_at_an_open_table_is_reported_for_the_name(guest: Guests, house: House) -> None:
    ann, bob, cy = guest(), guest(), guest()
    id = offer(ann, FREE, FREE)["id"]
    join(bob, id, "Bad words")
    cy.http.get("/")

    def tell(person: Person, seat: int, status: int = 200) -> Json:
        found: Json = person.post(f"/api/lobby/{id}/report", {"seat": seat, "reason": "the name"}, status)
        return found

    assert tell(cy, 1) == {"reported": True}
    (found,) = [each for each in reports(house.tables.store.engine) if each.table == id]
    assert (found.name, found.line, found.reason) == ("Bad words", "", "the name")
    assert tell(bob, 1, 422)["error"] == tell(cy, 2, 422)["error"] == "nobody_there"
    assert tell(guest(), 1, 401)["error"] == "nobody"


def test_reports_are_limited(guest: Guests) -> None:
    person = guest()
    address = {"X-Forwarded-For": "203.0.113.77"}
    ann = person.open()["id"]
    codes = {
        person.http.post(f"/api/tables/{ann}/seats/1/report", json={}, headers=address).status_code for _ in "1234567"
    }
    assert codes == {422, 429}


def test_who_is_banned_looks_on_until_that_is_lifted(database: str) -> None:
    with served(database) as house:
        guests = Guests(house.address)
        ann, bob, id = together(guests)
        table = house.tables.find(id)
        store = Store(table.store.engine.url.render_as_string(hide_password=False))
        (person,) = [who for seat, who in table.claims if seat == 1]
        found = somebody(store.engine, person)
        assert found is not None
        assert (found.name, found.kind, found.ban) == ("Bob", "guest", None)
        write(store, moderation.ban(HOST, found, "rude\nwords", 3))
        until(lambda: bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 403)
        said = bob.http.post(f"/api/tables/{id}/act", json={}).json()["message"]
        assert "You were banned from this server until 20" in said
        assert "(“rude words”)" in said
        assert bob.http.post("/api/tables", json={}).json()["error"] == "banned"
        assert bob.see(id)["seats"][1] == "Bob"
        ann.post(f"/api/tables/{id}/chat", {"text": "quiet here"})
        assert [each.ban is not None for each in people(store.engine, "Bob")] == [True]
        until(lambda: bool(ann.see(id)["status"]["bots"][1]))
        write(store, moderation.lift(HOST, found))
        until(lambda: bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 200)
        store.close()
        guests.leave()


def test_a_ban_ends_the_sessions_of_an_account_and_holds_after_a_restart(database: str) -> None:
    with served(database) as house:
        guests = Guests(house.address)
        ann = guests()
        ann.post("/api/account/password/sign-up", {"name": "Ann", "password": "a long password"})
        engine = house.tables.store.engine
        store = Store(engine.url.render_as_string(hide_password=False))
        found = somebody(engine, " ann")
        assert found is not None
        write(store, moderation.ban(HOST, found))
        until(lambda: ann.http.get("/api/account").status_code == 401)
        store.close()
        guests.leave()
    with served(database) as house:
        guests = Guests(house.address)
        ann = guests()
        ann.post("/api/account/password/sign-in", {"name": "Ann", "password": "a long password"})
        ann.post("/api/account/name", {"name": "Anna"}, 403)
        ann.post("/api/account/sign-out", {})
        guests.leave()


def test_a_guest_who_was_banned_is_so_with_an_account(guest: Guests, house: House) -> None:
    store, accounts = house.tables.store, Accounts(house.tables.tables)
    write(store, moderation.ban(HOST, Somebody("guest-who-was-banned", "Guest")))
    house.tables.run(accounts.bring_along("guest-who-was-banned", "@now-with-account"))
    found = somebody(store.engine, "@now-with-account")
    assert found is not None
    assert found.ban
