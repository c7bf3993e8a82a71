"""Consent to go back belongs to the people who have played, not to whoever may play their seats too."""

from __future__ import annotations

from pathlib import Path

from tests.server.house import Guests, Json, Person, served


def agree(person: Person, id: str, seat: int, seq: int, status: int = 200) -> Json:
    """Agree to go back, for a seat."""
    answered: Json = person.post(f"/api/tables/{id}/answer", {"seat": seat, "seq": seq, "agree": True}, status)
    return answered


def go_back(person: Person, id: str, seat: int, seq: int, to: int) -> Json:
    undone: Json = person.post(f"/api/tables/{id}/undo", {"seat": seat, "seq": seq, "to": to})
    return undone


def take_seat(person: Person, link: str) -> None:
    assert person.http.post(link).status_code == 303


def test_a_host_who_takes_the_seat_of_another_cannot_agree_for_him(guest: Guests) -> None:
    ann = guest()
    opened = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    id, link = opened["id"], opened["links"][1]
    bob = guest.with_link(link)
    ann.act(id, 0, 0, "bid 9")
    bob.act(id, 1, 1, "bid 10")
    take_seat(ann, link)
    assert go_back(ann, id, 0, 2, 0)["status"]["asked"] is not None
    assert agree(ann, id, 1, 3, 403)["error"] == "not_your_answer"
    other = guest.with_link(link)  # the host again, as if somebody else
    assert agree(other, id, 1, 3, 403)["error"] == "not_your_answer"
    assert ann.see(id)["count"] == 2
    assert agree(bob, id, 1, 3)["count"] == 0


def test_a_host_who_takes_the_seat_of_another_cannot_take_back_what_he_did(guest: Guests) -> None:
    """Neither as that seat, where it would be his own action, nor with both seats."""
    ann = guest()
    opened = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    id, link = opened["id"], opened["links"][1]
    bob = guest.with_link(link)
    ann.act(id, 0, 0, "bid 9")
    bob.act(id, 1, 1, "bid 10")
    take_seat(ann, link)
    undone = go_back(ann, id, 1, 2, 1)
    assert (undone["count"], undone["status"]["asked"]["to"]) == (2, 1)
    assert agree(bob, id, 1, 3)["count"] == 1
    bob.act(id, 1, 4, "bid 11")
    assert go_back(bob, id, 1, 5, 1)["count"] == 1  # his own he takes back freely
    refused = ann.post(f"/api/tables/{id}/redo", {"seat": 1, "seq": 6, "to": 2}, 403)
    assert refused["error"] == "not_your_move"


def test_who_came_first_agrees_for_a_seat_that_has_not_played_yet(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    id, (_, link, other) = opened["id"], opened["links"]
    bob, cy = guest.with_link(link), guest.with_link(other)
    ann.act(id, 0, 0, "bid 9")
    bob.act(id, 1, 1, "bid 10")
    take_seat(ann, other)
    take_seat(bob, other)
    assert go_back(ann, id, 0, 2, 0)["status"]["asked"] is not None
    assert agree(ann, id, 2, 3, 403)["error"] == "not_your_answer"
    assert agree(bob, id, 1, 3)["count"] == 2, "for himself only"
    assert agree(bob, id, 2, 4, 403)["error"] == "not_your_answer"
    assert agree(cy, id, 2, 4)["count"] == 0


def test_nobody_is_asked_about_what_the_asker_did_alone(guest: Guests) -> None:
    """Who plays a seat for another by his link takes back what he did there himself."""
    ann = guest()
    opened = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    id, link = opened["id"], opened["links"][1]
    bob = guest.with_link(link)
    ann.act(id, 0, 0, "bid 9")
    bob.act(id, 1, 1, "bid 10")
    take_seat(ann, link)
    ann.act(id, 0, 2, "bid 11")
    ann.act(id, 1, 3, "bid 12")
    assert go_back(ann, id, 0, 4, 2)["count"] == 2


def test_a_person_decides_about_going_back_also_while_a_bot_stands_in(guest: Guests) -> None:
    ann = guest()
    opened = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}])
    id, link = opened["id"], opened["links"][1]
    bob = guest.with_link(link)
    ann.act(id, 0, 0, "bid 9")
    bob.act(id, 1, 1, "bid 10")
    take_seat(ann, link)
    ann.post(f"/api/tables/{id}/seats/1", {"level": "random"})
    assert go_back(ann, id, 0, 3, 0)["status"]["asked"] is not None
    assert agree(ann, id, 1, 4, 403)["error"] == "not_your_answer"
    assert agree(bob, id, 1, 4)["count"] == 0


def test_a_table_that_another_server_reads_knows_whose_consent_it_needs(tmp_path: Path) -> None:
    """Who acted is in the log."""
    with served(tmp_path / "tables.db") as house:
        guests = Guests(house.address)
        ann = guests()
        opened = ann.open(seats=[{"name": "Ann"}, {"name": "Bob", "by": "link"}])
        id, link = opened["id"], opened["links"][1]
        bob = guests.with_link(link)
        ann.act(id, 0, 0, "bid 9")
        bob.act(id, 1, 1, "bid 10")
        go_back(ann, id, 0, 2, 0)
        tokens = [person.http.cookies["cuberails_person"] for person in (ann, bob)]
        guests.leave()
    with served(tmp_path / "tables.db") as house:
        guests = Guests(house.address)
        ann, bob = map(guests, tokens)
        take_seat(ann, link)
        assert agree(ann, id, 1, 3, 403)["error"] == "not_your_answer"
        assert agree(bob, id, 1, 3)["count"] == 0
        guests.leave()
