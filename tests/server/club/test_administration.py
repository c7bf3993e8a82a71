"""Admins keep order: people, tables, reports and bans, on their page and at the command line alike."""

from __future__ import annotations

import datetime as dt
import re
from collections import deque

import pytest

from cuberails.server.club import bans, chores, moderation
from cuberails.server.club.administration import (
    moderation_log as done,
)
from cuberails.server.club.administration import (
    people,
    reports,
    somebody,
    table,
    tables,
    write,
)
from cuberails.server.club.moderation import HOST, Somebody
from cuberails.server.models import Base
from cuberails.server.store import Store, now
from tests.server.club.test_blocks import together
from tests.server.club.test_lobby import FREE, join, offer
from tests.server.house import Guests, House, Json, Person, served, until
from tests.server.postgres import Postgres


def signed_up(guest: Guests, name: str) -> Person:
    person = guest()
    person.post("/api/account/password/sign-up", {"name": name, "password": "a long password"})
    return person


def known(store: Store, name: str) -> Somebody:
    found = somebody(store.engine, name)
    assert found is not None
    return found


def made_admin(guest: Guests, store: Store, name: str = "Ada") -> Person:
    person = signed_up(guest, name)
    write(store, moderation.grant(known(store, name)))
    return person


def does(admin: Person, what: str, status: int = 200, **more: object) -> Json:
    found: Json = admin.post(f"/api/admin/{what}", more, status)
    return found


def test_only_admins_find_the_page_and_only_until_that_is_taken_away(database: str) -> None:
    with served(database) as house:
        guest, store = Guests(house.address), house.tables.store
        stranger, bob = guest(), signed_up(guest, "Bob")
        for person in (stranger, bob):
            for page in ("/admin", "/admin/people", "/admin/log"):
                answer = person.http.get(page)
                assert (answer.status_code, "Only admins" in answer.text) == (403, True)
            assert does(person, "people/ban", 403, person="@x")["error"] == "no_admin"
        ada = made_admin(guest, store)
        assert ada.http.get("/admin").status_code == 200
        assert ada.http.get("/admin/nothing").status_code == 404
        assert '"/admin"' in ada.http.get("/account").text
        assert '"/admin"' not in bob.http.get("/account").text
        write(store, moderation.revoke(known(store, "Ada")))
        assert ada.http.get("/admin").status_code == 403
        write(store, moderation.grant(known(store, "Ada")))
        write(store, moderation.ban(HOST, known(store, "Ada")))
        until(lambda: ada.http.get("/admin").status_code == 403)
        assert ada.http.get("/admin").status_code == 403
        guest.leave()


def test_a_banned_admin_is_none_even_when_signed_in_again(guest: Guests, house: House) -> None:
    """The page refuses whoever is banned, whatever stands in the list of admins."""
    store = house.tables.store
    ada = made_admin(guest, store, "Ada who was banned")
    write(store, moderation.ban(HOST, known(store, "Ada who was banned")))
    until(lambda: ada.http.get("/api/account").status_code == 401)
    ada.post("/api/account/password/sign-in", {"name": "Ada who was banned", "password": "a long password"})
    assert ada.http.get("/account").status_code == 200
    assert ada.http.get("/admin").status_code == 403
    write(store, moderation.lift(HOST, known(store, "Ada who was banned")))
    write(store, moderation.delete(HOST, known(store, "Ada who was banned")))
    until(lambda: somebody(store.engine, "Ada who was banned") is None)


def test_an_admin_changes_nothing_about_admins(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada = made_admin(guest, store, "Ada the first")
    made_admin(guest, store, "Ada the second")
    for name in ("Ada the first", "Ada the second"):
        person = known(store, name).person
        assert does(ada, "people/ban", 403, person=person)["error"] == "an_admin"
        assert does(ada, "people/rename", 403, person=person)["error"] == "an_admin"
        assert does(ada, "people/delete", 403, person=person, name=name)["error"] == "an_admin"


def test_a_form_of_another_site_changes_nothing(guest: Guests, house: House) -> None:
    ada = made_admin(guest, house.tables.store, "Ada of forms")
    answer = ada.http.post("/api/admin/people/ban", data={"person": "x"})
    assert answer.status_code == 415


def test_an_admin_bans_somebody_whose_seats_bots_play_and_whom_nobody_waits_for(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada, (ann, bob, id) = made_admin(guest, store, "Ada of bans"), together(guest)
    waiting = offer(bob, FREE)["id"]
    (person,) = [who for seat, who in house.tables.find(id).claims if seat == 1]
    assert "is banned" in does(ada, "people/ban", person=person, reason="<b>rude</b>", days=7)["message"]
    assert bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).json()["error"] == "banned"
    assert ann.see(id)["status"]["bots"][1]
    assert waiting not in {each["id"] for each in ann.get("/api/lobby")["open"]}
    page = ada.http.get("/admin/bans").text
    assert "&lt;b&gt;rude" in page
    assert "<b>rude" not in page
    assert "can take part" in does(ada, "people/lift", person=person)["message"]
    bob.post(f"/api/tables/{id}/chat", {"text": "hi"})
    bob.post(f"/api/tables/{id}/seats/1", {})  # and takes the seat back
    assert not ann.see(id)["status"]["bots"][1]
    assert [each.what for each in done(store.engine) if each.whom == person] == ["lift", "ban"]
    assert does(ada, "people/ban", 404, person="nobody-at-all")["error"] == "no_person"
    assert does(ada, "people/ban", 400, person=person, days=-1)["error"] == "bad_request"


def test_a_ban_ends_by_itself(guest: Guests, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    store = house.tables.store
    ada, (_, bob, id) = made_admin(guest, store, "Ada of days"), together(guest)
    (person,) = [who for seat, who in house.tables.find(id).claims if seat == 1]
    does(ada, "people/ban", person=person, days=1)
    assert bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 403
    later = now() + dt.timedelta(days=1, seconds=1)
    monkeypatch.setattr(bans, "now", lambda: later)
    bob.post(f"/api/tables/{id}/chat", {"text": "hi"})
    assert person not in bans.bans(store.engine)


def test_a_name_is_changed_in_the_account_and_at_all_tables(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada, bob = made_admin(guest, store, "Ada of names"), signed_up(guest, "Very Rude")
    ann = guest()
    table_ = offer(ann, FREE, {"by": "bot", "level": "random"})["id"]
    waiting = offer(ann, FREE, FREE)["id"]
    for id in (table_, waiting):
        join(bob, id, "Very Rude")
    ann.post(f"/api/lobby/{table_}/start", {"level": "random"})
    seat = ann.see(table_)["seats"].index("Very Rude")
    bob.post(f"/api/tables/{table_}/seats/{seat}/name", {"name": "Very Rude Indeed"})
    person = known(store, "Very Rude").person
    assert does(ada, "people/rename", 409, person=person, name="Ada of names")["error"] == "name_taken"
    assert does(ada, "people/rename", 400, person=person, name="a@example.org")["error"] == "bad_name"
    assert "is called Bob now" in does(ada, "people/rename", person=person, name="Bob")["message"]
    assert bob.get("/api/account")["name"] == "Bob"
    assert ann.see(table_)["seats"][seat] == "Bob"
    assert "Rude" not in str(ann.events(table_, query="?since=0")) + ann.record(table_)
    assert "Rude" not in str(ann.get("/api/lobby"))
    with store.engine.connect() as connection:
        assert "Rude" not in str(connection.exec_driver_sql("SELECT text FROM entries").all())
    assert "is called Player" in does(ada, "people/rename", person=person)["message"]


def test_an_admin_deletes_an_account_and_nothing_of_it_remains(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada, bob = made_admin(guest, store, "Ada who deletes"), signed_up(guest, "Bob to delete")
    ann = guest()
    id = offer(ann, FREE)["id"]
    join(bob, id, "Bob to delete")
    ann.post(f"/api/lobby/{id}/start", {"level": "random"})
    ann.post(f"/api/tables/{id}/seats/{ann.see(id)['seats'].index('Bob to delete')}/report", {"reason": "x"})
    person = known(store, "Bob to delete").person
    does(ada, "people/ban", person=person, reason="Bob to delete is rude")
    assert does(ada, "people/delete", 400, person=person, name="Bob")["error"] == "not_confirmed"
    assert "Nothing remains" in does(ada, "people/delete", person=person, name="Bob to delete")["message"]
    assert "somebody" in ann.see(id)["seats"]
    assert all("Bob to delete" not in str(rows) for rows in everything(store).values())
    assert all(person not in str(rows) for rows in everything(store).values())


def everything(store: Store) -> dict[str, object]:
    """All rows of the database, by table."""
    with store.engine.connect() as connection:
        names = [each.name for each in Base.metadata.sorted_tables]
        return {name: connection.exec_driver_sql(f"SELECT * FROM {name}").all() for name in names}


def test_a_table_is_deleted_and_nothing_of_it_remains(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada, (ann, bob, id) = made_admin(guest, store, "Ada of tables"), together(guest)
    bob.post(f"/api/tables/{id}/chat", {"text": "rude words"})
    ann.post(f"/api/tables/{id}/notes", {"text": "to remember"})
    stream = ann.stream(id)
    next(stream)
    assert id in {each.id for each in tables(store.engine, "Bob")}
    assert "is deleted" in does(ada, "tables/delete", id=id)["message"]
    with pytest.raises(AssertionError, match="the stream ended"):
        deque(stream)
    assert ann.http.get(f"/api/tables/{id}").status_code == 404
    assert ann.http.get(f"/t/{id}").status_code == 404
    assert bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 404
    rows = {name: rows for name, rows in everything(store).items() if name not in ("moderation_log", "reports")}
    assert id not in str(rows)
    assert does(ada, "tables/delete", 404, id=id)["error"] == "no_table"


def test_a_table_that_waits_is_closed_and_that_is_told(guest: Guests, house: House) -> None:
    ada, ann = made_admin(guest, house.tables.store, "Ada of the lobby"), guest()
    id = offer(ann, FREE)["id"]
    found = table(house.tables.store.engine, id)
    assert found is not None
    assert found.state == "waits"
    does(ada, "tables/delete", id=id)
    assert [each["id"] for each in ann.get("/api/lobby")["closed"]] == [id]


def test_a_report_is_dealt_with_and_stays_to_be_read(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada, (ann, bob, id) = made_admin(guest, store, "Ada of reports"), together(guest)
    bob.post(f"/api/tables/{id}/chat", {"text": "<script>alert(1)</script>"})
    ann.post(f"/api/tables/{id}/seats/1/report", {"line": 1, "reason": "rude"})
    assert re.search(r"Order in the house <small>\(\d+ report", ada.http.get("/account").text)
    page = ada.http.get("/admin").text
    assert "&lt;script&gt;alert(1)" in page
    (report,) = [each for each in reports(store.engine) if each.table == id]
    does(ada, "reports/done", id=report.id)
    assert not [each for each in reports(store.engine) if each.table == id]
    assert [each for each in reports(store.engine, done=True) if each.table == id]
    assert does(ada, "reports/done", 404, id="unknown")["error"] == "no_report"


def test_people_and_tables_are_found_by_names_and_persons(guest: Guests, house: House) -> None:
    store = house.tables.store
    ann = guest()
    id = ann.open(seats=[{"name": "Çelik 100% sure"}, {"by": "bot", "level": "random"}])["id"]
    (found,) = people(store.engine, "çelik 100%")
    assert (found.name, found.kind) == ("Çelik 100% sure", "guest")
    assert [each.id for each in tables(store.engine, found.person)] == [id]
    assert [each.id for each in tables(store.engine, "100% sure")] == [id]
    assert tables(store.engine, "100x sure") == []
    assert [each.person for each in people(store.engine, found.person)] == [found.person]


@pytest.mark.parametrize("find", ["Élise", "élise", "ÉLISE", "Иван", "иван", 'o"neill', "É"])
def test_a_table_is_found_by_a_name_in_any_letters(find: str, database: str) -> None:
    with served(database) as house:
        guest = Guests(house.address)
        seats = [{"name": "Élise"}, {"name": "Иван", "by": "link"}, {"name": 'O"Neill', "by": "link"}]
        id = guest().open(seats=seats)["id"]
        assert [each.id for each in tables(house.tables.store.engine, find)] == [id]
        guest.leave()


def test_nobody_escapes_a_ban_behind_an_account_that_is_called_like_their_id(guest: Guests, house: House) -> None:
    store = house.tables.store
    ada, (_, bob, id) = made_admin(guest, store, "Ada of ids"), together(guest)
    (person,) = [who for seat, who in house.tables.find(id).claims if seat == 1]
    signed_up(guest, person)  # whoever plays as a guest can read the id in their own cookie
    assert next(each.name for each in people(store.engine, person)) == "Bob"
    does(ada, "people/ban", person=person)
    assert bob.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).json()["error"] == "banned"
    assert known(store, person).name == "Bob"


def test_what_the_command_wants_is_done_by_the_next_server(database: str) -> None:
    """No server runs, or it is killed meanwhile: a chore stays until it is done."""
    with served(database) as house:
        guest = Guests(house.address)
        ann, bob = guest(), signed_up(guest, "Bob")
        id = offer(ann, FREE)["id"]
        join(bob, id, "Bob")
        ann.post(f"/api/lobby/{id}/start", {"level": "random"})
        cookies = dict(ann.http.cookies)
        url = house.tables.store.url
        guest.leave()
    store = Store(url)
    write(store, moderation.delete(HOST, known(store, "Bob")))
    assert somebody(store.engine, "Bob") is not None
    with served(database) as house:
        until(lambda: somebody(store.engine, "Bob") is None)
        guest = Guests(house.address)
        ann = guest()
        ann.http.cookies.update(cookies)
        assert "somebody" in ann.see(id)["seats"]
        until(lambda: not everything(store)["chores"])
        guest.leave()
    store.close()


def test_who_deletes_an_account_is_forgotten_even_if_the_server_fails_in_the_middle(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def fails(*_: object) -> None:
        raise OSError("the disk is full")

    with served(database) as house, monkeypatch.context() as patch:
        patch.setattr(chores, "leave", fails)
        guests = Guests(house.address)
        bob = signed_up(guests, "Bob")
        assert bob.http.post("/api/account/delete", json={"name": "Bob"}).status_code == 500
        assert somebody(house.tables.store.engine, "Bob") is not None
        guests.leave()
    with served(database) as house:
        until(lambda: somebody(house.tables.store.engine, "Bob") is None)


def test_a_chore_that_fails_is_tried_again(database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(chores, "LOOK", 0.05)
    tried = []

    async def fails(*_: object) -> None:
        tried.append(1)
        if len(tried) < 3:
            raise OSError("the disk is full")

    monkeypatch.setattr(chores, "stand_in", fails)
    with served(database) as house:
        store = house.tables.store
        write(store, moderation.ban(HOST, Somebody("somebody-or-other", "Bob")))
        until(lambda: len(tried) == 3 and not everything(store)["chores"])


def test_other_processes_hear_what_was_done(postgres: Postgres) -> None:
    database, secret = postgres.new_database(), "known to both servers of this test"
    with served(database, secret=secret) as one, served(database, secret=secret) as two:
        guests = Guests(one.address)
        ada, (_, bob, id) = made_admin(guests, one.tables.store), together(guests)
        elsewhere = Person(two.address)
        elsewhere.http.cookies.update(bob.http.cookies)
        assert elsewhere.see(id)["mine"] == [1]
        (person,) = [who for seat, who in one.tables.find(id).claims if seat == 1]
        does(ada, "people/ban", person=person)
        until(lambda: elsewhere.http.post(f"/api/tables/{id}/chat", json={"text": "hi"}).status_code == 403)
        until(lambda: bool(elsewhere.see(id)["status"]["bots"][1]))
        does(ada, "people/rename", person=person, name="Robert")
        until(lambda: elsewhere.see(id)["seats"][1] == "Robert")
        does(ada, "tables/delete", id=id)
        until(lambda: elsewhere.http.get(f"/api/tables/{id}").status_code == 404)
        elsewhere.http.close()
        guests.leave()
