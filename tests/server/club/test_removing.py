"""The host removes somebody, from an open table and from a running one; all others keep playing."""

from __future__ import annotations

from contextlib import closing

import pytest

from cuberails.server import seating
from cuberails.server.refusal import Refused
from cuberails.server.store import REMOVE, SEAT
from tests.server.club.test_lobby import FREE, join, names, offer
from tests.server.house import Guests, Hall, Person, hall, opened, until


def remove(person: Person, id: str, seat: int, level: str = "", status: int = 200) -> None:
    person.post(f"/api/tables/{id}/seats/{seat}/remove", {"level": level}, status)


def test_who_is_removed_watches_while_a_bot_plays_on(guest: Guests) -> None:
    ann = guest()
    table = ann.open()
    id, (_, to_bob, to_cy) = table["id"], table["links"]
    bob, cy = guest.with_link(to_bob), guest.with_link(to_cy)
    ann.act(id, 0, 0, "pass")
    with closing(bob.stream(id)) as stream, closing(cy.stream(id)) as others:
        next(stream), next(others)
        remove(ann, id, 1, "random")
        assert "removed" in list(stream_until_removed(stream))[-1]
        notices = next(event["notices"] for event in others if event.get("notices"))
    assert [notice["text"] for notice in notices][:2] == [
        "The host has removed Bob from the table.",
        "A bot (random) plays for Bob now.",
    ]
    assert bob.see(id)["mine"] == []
    assert bob.http.post(to_bob).status_code == 404
    until(lambda: cy.see(id)["status"]["actor"] == 2)  # the bot has acted
    assert cy.see(id)["mine"] == [2]


def stream_until_removed(stream: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = []
    for event in stream:  # type: ignore[attr-defined]
        found.append(event)
        if "removed" in event:
            break
    return found


def test_somebody_else_comes_by_the_new_link(guest: Guests) -> None:
    ann = guest()
    table = ann.open()
    id = table["id"]
    guest.with_link(table["links"][1])
    remove(ann, id, 1)
    page = ann.http.get(f"/t/{id}").text
    link = page.partition("Copy the link to this seat")[0].rpartition('data-copy="')[2].partition('"')[0]
    assert link.startswith("/join/")
    assert link not in table["links"]
    di = guest.with_link(link)
    assert di.see(id)["mine"] == [1]
    ann.act(id, 0, ann.see(id)["seq"], "pass")
    di.act(id, 1, di.see(id)["seq"], "pass")


def test_nobody_but_the_host_removes_people_and_no_bot(guest: Guests) -> None:
    ann = guest()
    table = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}, {"by": "bot", "level": "random"}])
    bob = guest.with_link(table["links"][1])
    remove(bob, table["id"], 0, status=403)
    remove(ann, table["id"], 0, status=422)
    remove(ann, table["id"], 2, status=422)
    remove(ann, table["id"], 7, status=404)
    remove(ann, table["id"], 1, "nonsense", status=400)


def test_a_removal_holds_after_a_restart_and_at_other_processes(database: str) -> None:
    with hall(database) as (tables, _), hall(database) as (others, _):
        table = opened(tables)
        known = others.find(table.id)
        tables.run(seating.remove_player(table, "Ann", 1, ""))
        tables.run(table.claim(1, "Di"))
        until(lambda: known.vacated == {1: 1} and (1, "Di") in known.claims)
        assert sorted(known.claims) == sorted(table.claims) == [(0, "Ann"), (1, "Di"), (2, "Cy")]
        assert known.seats_by_key == table.seats_by_key
        with pytest.raises(Refused, match="Nobody but you"):
            tables.run(seating.remove_player(table, "Ann", 0, ""))
        tables.run(seating.remove_player(table, "Ann", 2, "random"))
        assert [entry.kind for entry in table.history.log] == [REMOVE, REMOVE, SEAT]
    with hall(database) as (tables, _):
        again = tables.find(table.id)
        assert sorted(again.claims) == [(0, "Ann"), (1, "Di")]
        assert again.seats_by_key == table.seats_by_key
        assert [seat.bot for seat in again.seats] == ["", "", "random"]


def test_a_request_to_go_back_does_not_wait_for_who_was_removed(quiet: tuple[Hall, object]) -> None:
    tables, _ = quiet
    table = opened(tables)
    tables.run(table.note("ask", "0 1:Bob", 0, "Ann"))
    assert table.history.pending_undo
    tables.run(seating.remove_player(table, "Ann", 1, "random"))
    assert table.history.pending_undo is None


def test_the_host_of_an_open_table_takes_a_seat_away(guest: Guests) -> None:
    ann, bob, cy = guest(), guest(), guest()
    id = offer(ann, FREE, FREE)["id"]
    join(bob, id, "Bob")
    join(cy, id, "Cy")
    bob.post(f"/api/lobby/{id}/remove", {"seat": 2}, 403)
    assert names(ann.post(f"/api/lobby/{id}/remove", {"seat": 1})) == ["Ann", "Cy"]
    assert "Ann has removed you" in join(bob, id, "Bob", 403)["message"]
    ann.post(f"/api/lobby/{id}/remove", {"seat": 1}, 422)
    ann.post(f"/api/lobby/{id}/remove", {"seat": 0}, 422)
