"""Whom somebody has muted or blocked: their chat is hidden, and who is blocked keeps away."""

from __future__ import annotations

from cuberails.server.club.accounts import Accounts
from cuberails.server.club.blocks import BLOCKED, MUTED, Block, blocking, blocks_of, has_blocked
from tests.server.club.test_lobby import FREE, join, offer, start
from tests.server.house import Guests, Json, Person, hall


def block(person: Person, id: str, seat: int, kind: str, status: int = 200) -> Json:
    found: Json = person.post(f"/api/tables/{id}/seats/{seat}/block", {"kind": kind}, status)
    return found


def together(guest: Guests) -> tuple[Person, Person, str]:
    """Ann and Bob, who play at a table that Ann has opened."""
    ann, bob = guest(), guest()
    table = offer(ann, FREE, {"by": "bot", "level": "random"})
    join(bob, table["id"], "Bob")
    return ann, bob, start(ann, table["id"])["id"]


def known(person: Person) -> dict[str, str]:
    return {each["name"]: each["kind"] for each in person.get("/api/people")}


def sign(person: Person, name: str) -> str:
    found: str = next(each["id"] for each in person.get("/api/people") if each["name"] == name)
    return found


def test_who_is_muted_is_hidden_at_all_tables_until_that_is_undone(guest: Guests) -> None:
    ann, bob, id = together(guest)
    assert block(ann, id, 1, "muted") == {"hidden": {"1": "muted"}}
    assert bob.get(f"/api/tables/{id}/hidden") == {"hidden": {}}  # who is muted sees nothing of it
    again = offer(ann)["id"]
    join(bob, again, "Bob")
    start(ann, again, level="random")
    assert ann.get(f"/api/tables/{again}/hidden") == {"hidden": {"1": "muted"}}
    assert block(ann, again, 1, "") == {"hidden": {}}
    assert ann.get(f"/api/tables/{id}/hidden") == {"hidden": {}}


def test_nobody_mutes_a_bot_or_themselves_or_without_being_known(guest: Guests) -> None:
    ann, _, id = together(guest)
    assert block(ann, id, 2, "muted", 422)["error"] == "nobody_there"
    assert block(ann, id, 0, "muted", 422)["error"] == "nobody_there"
    assert block(guest(), id, 0, "muted", 401)["error"] == "nobody"
    assert block(ann, id, 1, "loud", 400)["error"] == "bad_request"


def test_the_host_without_a_seat_can_be_muted(guest: Guests) -> None:
    ann = guest()
    opened = ann.open(seats=[{"name": "Bob", "by": "link"}, {"by": "bot"}, {"by": "bot"}])
    bob = guest.with_link(opened["links"][0])
    assert block(bob, opened["id"], -1, "muted") == {"hidden": {"-1": "muted"}}


def test_who_is_blocked_cannot_sit_down_at_a_table_of_that_host(guest: Guests) -> None:
    ann, bob, id = together(guest)
    block(ann, id, 1, "blocked")
    table = offer(ann)["id"]
    assert "does not want to play with you" in join(bob, table, "Bob", 403)["message"]
    block(ann, id, 1, "muted")
    join(bob, table, "Bob")


def test_who_is_blocked_can_neither_invite_nor_ask_for_friendship(guest: Guests) -> None:
    ann, bob, id = together(guest)
    block(ann, id, 1, "blocked")
    table = bob.open(seats=[{"name": "Bob"}, FREE, FREE], visibility="invited")["id"]
    refused = bob.post(f"/api/lobby/{table}/invite", {"name": "Ann"}, 403)
    assert refused["message"] == "Ann does not want to be invited by you."
    again = bob.open(seats=[{"name": "Bob"}, FREE, FREE], visibility="invited", people_of=id)
    assert again["others"] == []
    assert bob.post(f"/api/people/{sign(bob, 'Ann')}", {"friend": True}, 403)["error"] == "blocked"
    assert ann.post(f"/api/people/{sign(ann, 'Bob')}", {"friend": True}, 409)["error"] == "blocked"


def test_blocking_a_friend_ends_the_friendship_and_the_list_of_people_undoes_it(guest: Guests) -> None:
    ann, bob, _ = together(guest)
    ann.post(f"/api/people/{sign(ann, 'Bob')}", {"friend": True})
    bob.post(f"/api/people/{sign(bob, 'Ann')}", {"friend": True})
    assert known(ann) == {"Bob": "friend"}
    path = f"/api/people/{sign(ann, 'Bob')}/block"
    ann.post(path, {"kind": "blocked"})
    assert (known(ann), known(bob)) == ({"Bob": "blocked"}, {"Ann": "met"})
    page = ann.http.get("/lobby").text
    assert "Lift" in page
    ann.post(path, {"kind": ""})
    assert known(ann) == {"Bob": "met"}


def test_blocks_come_along_into_an_account_and_go_with_either_person(database: str) -> None:
    with hall(database) as (tables, _):
        engine = tables.store.engine
        tables.run(tables.tables.writer.write(blocking("ann", ["bob", "cy"], "Somebody", BLOCKED)))
        tables.run(tables.tables.writer.write(blocking("ann", ["cy"], "Cy", MUTED)))
        assert blocks_of(engine, "ann") == {"cy": Block("cy", "Cy", MUTED), "bob": Block("bob", "Somebody", BLOCKED)}
        accounts = Accounts(tables.tables)
        tables.run(accounts.bring_along("ann", "@ann"))
        assert (has_blocked(engine, "@ann", "bob"), has_blocked(engine, "@ann", "cy")) == (True, False)
        tables.run(accounts.forget("bob"))
        assert list(blocks_of(engine, "@ann")) == ["cy"]
        tables.run(accounts.forget("@ann"))
        assert blocks_of(engine, "@ann") == {}
