"""Friends at a table: who sits where under which name, who is there, what they say, and a rematch."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from cuberails.server import chatting, presence, seating
from cuberails.server.chat import MOST_LETTERS
from cuberails.server.refusal import Refused
from cuberails.server.table import Table
from tests.server.house import (
    US,
    Guests,
    Hall,
    House,
    Json,
    Listener,
    Person,
    Still,
    act,
    hall,
    on_loop,
    opened,
    served,
    until,
)

Quiet = tuple[Hall, Still]


def three(guest: Guests) -> tuple[str, list[Person], Json]:
    """A table with Ann, Bob and Cy, each on a device of their own."""
    ann = guest()
    opened = ann.open()
    return opened["id"], [ann, *(guest.with_link(link) for link in opened["links"][1:])], opened


# Seats


def orders(person: Person, count: int, **request: object) -> list[list[str]]:
    """The orders in which people sit at so many tables."""
    return [person.post("/api/tables", {"seats": US, **request}, 201)["seats"] for _ in range(count)]


def test_the_seats_of_a_new_game_are_shuffled(guest: Guests) -> None:
    names = [seat["name"] for seat in US]
    found = orders(guest(), 40, title="wabash")
    assert all(sorted(order) == names for order in found)
    assert len(set(map(tuple, found))) > 1  # 40 times the same of six orders: once in 10 to the power of 30


def test_seats_as_listed(guest: Guests) -> None:
    assert {tuple(order) for order in orders(guest(), 10, title="wabash", seating="listed")} == {("Ann", "Bob", "Cy")}
    guest().post("/api/tables", {"title": "wabash", "seats": US, "seating": "by age"}, 400)


def test_links_and_claims_follow_the_shuffled_seats(guest: Guests) -> None:
    ann = guest()
    for _ in range(5):
        opened = ann.open(seating="shuffled")
        seats = opened["seats"]
        assert ann.see(opened["id"])["mine"] == [seats.index("Ann")]
        assert [bool(link) for link in opened["links"]] == [name != "Ann" for name in seats]
        for name in ("Bob", "Cy"):
            friend = guest.with_link(opened["links"][seats.index(name)])
            assert friend.see(opened["id"])["mine"] == [seats.index(name)]


@pytest.mark.parametrize("seating", ["shuffled", "listed"])
def test_the_seats_of_records_and_forks_stay(guest: Guests, seating: str) -> None:
    ann = guest()
    id = ann.open()["id"]
    record = ann.record(id)
    names = ["Ann", "Bob", "Cy"]
    for source in ({"record": record}, {"fork": id}):
        found: list[Json] = [ann.post("/api/tables", {**source, "seating": seating}, 201) for _ in range(5)]
        assert [each["seats"] for each in found] == [names] * 5


# Names


def name(person: Person, id: str, seat: int, wanted: str, status: int = 200) -> Json:
    answer: Json = person.post(f"/api/tables/{id}/seats/{seat}/name", {"name": wanted}, status)
    return answer


def test_a_friend_names_himself_when_he_takes_the_seat(guest: Guests) -> None:
    ann, bob = guest(), guest()
    opened = ann.open(seats=[{"name": "Ann"}, {"by": "link"}])
    assert opened["seats"] == ["Ann", "Player 2"]
    page = bob.http.get(opened["links"][1]).text
    assert 'name="name"' in page
    assert 'placeholder="Player 2"' in page
    assert bob.http.post(opened["links"][1], data={"name": "  Bob\u202e \n the   builder "}).status_code == 303
    assert ann.see(opened["id"])["seats"] == ["Ann", "Bob the builder"]
    assert "seat: Bob the builder" in ann.record(opened["id"])
    assert [table["seats"] for table in bob.get("/api/tables")] == [["Ann", "Bob the builder"]]
    assert "Bob the builder" in ann.http.get(f"/t/{opened['id']}").text


def test_whoever_says_no_name_keeps_that_of_the_seat(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    for link, data in zip(opened["links"][1:], ({"name": " "}, {"colour": "red"})):
        assert guest().http.post(link, data=data).status_code == 303
    assert ann.see(opened["id"])["seats"] == ["Ann", "Bob", "Cy"]
    fields = "&".join(f"a{n}=1" for n in range(100))
    form = {"Content-Type": "application/x-www-form-urlencoded"}
    assert guest().http.post(opened["links"][1], content=fields, headers=form).status_code == 400
    assert guest().http.post(opened["links"][1], json={"name": "Eve"}).status_code == 303


def test_names_stay_distinct_and_everybody_names_only_himself(guest: Guests) -> None:
    id, (ann, bob, cy), _ = three(guest)
    assert name(bob, id, 1, "ann")["seats"] == ["Ann", "ann 2", "Cy"]
    assert name(cy, id, 2, "ANN")["seats"] == ["Ann", "ann 2", "ANN 3"]
    assert name(bob, id, 1, "x" * 60)["seats"][1] == "x" * 40
    assert name(ann, id, 1, "Dunce", 401)["error"] == "not_your_seat"  # not even the host
    assert name(guest(), id, 1, "Dunce", 401)["error"] == "not_your_seat"
    assert name(bob, id, 7, "Dunce", 404)["error"] == "no_seat"
    assert name(bob, id, 1, "\u200b \t", 400)["error"] == "bad_request"


def test_a_new_name_makes_nothing_stale(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    assert name(bob, id, 1, "Rob")["seq"] == 1
    assert name(bob, id, 1, "Rob")["seq"] == 1  # as it was
    assert ann.act(id, 0, 0, "bid 12")["seq"] == 2
    assert ann.act(id, 0, 0, "bid 12", 409)["error"] == "done_already"
    assert ann.act(id, 0, 0, "bid 13", 409)["error"] == "stale"


def test_a_new_name_does_not_end_the_question_whether_to_go_back(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    ann.act(id, 0, 0, "bid 12")
    bob.act(id, 1, 1, "bid 13")
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 2, "to": 0})
    assert name(bob, id, 1, "Rob")["status"]["asked"]["to"] == 0
    assert ann.see(id)["status"]["asked"]["words"].endswith("Ann: bid 12, Rob: bid 13 (2 actions)")


def test_viewers_are_told_the_new_name_and_what_shows_it(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    name(bob, id, 1, "Rob")
    (update,) = ann.events(id, query="?since=0")
    assert update["names"] == ["Ann", "Rob", "Cy"]
    assert "Rob" in "".join(update["parts"].values())
    assert [notice["text"] for notice in update["notices"]] == ["Seat 2 is called Rob now."]
    (later,) = ann.events(id, query="?since=1")
    assert "names" not in later


def test_a_bot_that_thinks_is_not_asked_again_for_a_new_name(quiet: Quiet) -> None:
    tables, still = quiet
    table = opened(tables, ".b.")
    act(table, [0], 0, 0, "bid 12")
    tables.drive(table)
    assert len(still.asked) == 1
    on_loop(table.writer.loop, rename(table, 2, "Charlie"))
    tables.drive(table)
    assert len(still.asked) == 1
    still.asked[0][1]("bid 13")
    until(lambda: table.game.count == 2)


async def rename(table: Table, seat: int, wanted: str) -> None:
    await seating.rename(table, "", [seat], seat, wanted)


def test_names_are_the_same_after_a_restart_and_in_another_process(database: str) -> None:
    with hall(database) as (tables, _), hall(database) as (other, _):
        table = opened(tables)
        there = other.find(table.id)
        on_loop(table.writer.loop, rename(table, 1, "Rob"))
        until(lambda: there.game.seats == ["Ann", "Rob", "Cy"])
        on_loop(table.writer.loop, rename(table, 1, "Bobby"))
        until(lambda: there.game.seats == ["Ann", "Bobby", "Cy"])
    with hall(database) as (tables, _):
        again = tables.find(table.id)
        assert again.game.seats == ["Ann", "Bobby", "Cy"]
        assert [seat.name for seat in again.seats] == ["Ann", "Bobby", "Cy"]
        assert again.history.names_at(1) == ["Ann", "", "Cy"]


# Who is there


@pytest.fixture
def brisk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[House, Guests]]:
    """A server where people have left at once when they go."""
    monkeypatch.setattr(presence, "GRACE", 0.0)
    with served(tmp_path / "brisk.db") as house:
        guests = Guests(house.address)
        yield house, guests
        guests.leave()


def test_everybody_sees_who_is_there(brisk: tuple[House, Guests]) -> None:
    guest = brisk[1]
    ann = guest()
    opened = ann.open()
    id = opened["id"]
    with closing(ann.stream(id, "?since=0&chat=0")) as stream:
        seen = (event["presence"] for event in stream if "presence" in event)
        assert next(seen) == {"seats": ["here", "open", "open"], "watching": 0}
        bob = guest.with_link(opened["links"][1])
        assert next(seen) == {"seats": ["here", "away", "open"], "watching": 0}
        with closing(bob.stream(id)) as his:
            next(his)
            assert next(seen) == {"seats": ["here", "here", "open"], "watching": 0}
        assert next(seen) == {"seats": ["here", "away", "open"], "watching": 0}
        with closing(guest().stream(id)) as strange:
            next(strange)
            assert next(seen) == {"seats": ["here", "away", "open"], "watching": 1}
        assert next(seen) == {"seats": ["here", "away", "open"], "watching": 0}


def test_who_only_looks_in_is_not_there(brisk: tuple[House, Guests]) -> None:
    house, guest = brisk
    ann = guest()
    id = ann.open()["id"]
    with closing(ann.stream(id, "?since=0&chat=0&glance=1")) as stream:
        next(stream)
        assert not house.tables.find(id).presence.is_here(0)
    with closing(ann.stream(id, "?glance=true")) as stream:  # by the longer way
        next(stream)
        assert not house.tables.find(id).presence.is_here(0)


def test_who_loads_the_page_anew_has_not_left() -> None:
    changes: list[bool] = []

    async def come_and_go() -> None:
        people = presence.Presence(lambda: changes.append(people.is_here(0)))
        people.arrive([0])
        people.leave([0])
        people.arrive([0])
        assert people.watching == 0

    asyncio.run(come_and_go())
    assert changes == [True]


def test_programs_that_do_not_ask_hear_nothing_of_the_people(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    bob.post(f"/api/tables/{id}/chat", {"text": "Hello"})
    listener = Listener(ann, id, 2)
    listener.wait_for(1)
    bob.post(f"/api/tables/{id}/chat", {"text": "Hello?"})
    ann.act(id, 0, 0, "bid 12")
    assert len(listener.end()) == 2


# Chat


def chat(person: Person, id: str, text: str, status: int = 200, **more: object) -> object:
    return person.post(f"/api/tables/{id}/chat", {"text": text, **more}, status)


def test_people_talk_and_nothing_becomes_stale(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    with closing(ann.stream(id, "?since=0&chat=0")) as stream:
        said = (event["chat"] for event in stream if "chat" in event)
        chat(bob, id, "Hello @Ann, <b>hurry</b>!\n\u202eSoon?")
        ((line,),) = (next(said),)
        assert (line["n"], line["seat"], line["text"]) == (1, 1, "Hello @Ann, <b>hurry</b>! Soon?")
        assert line["at"].endswith("Z")
        chat(ann, id, "Soon.")
        assert [line["n"] for line in next(said)] == [2]
    assert ann.act(id, 0, 0, "bid 12")["seq"] == 1


def test_a_chat_can_be_resumed(guest: Guests) -> None:
    id, (ann, bob, cy), _ = three(guest)
    for number in range(5):
        chat((ann, bob, cy)[number % 3], id, f"line {number + 1}")
    for query, first in (("?since=0&chat=0", 1), ("?since=0&chat=3", 4), ("?chat=3", 4)):
        with closing(bob.stream(id, query)) as stream:
            lines = next(event["chat"] for event in stream if "chat" in event)
            assert [line["text"] for line in lines] == [f"line {n}" for n in range(first, 6)]
    assert [line["n"] for line in guest().get(f"/api/tables/{id}/chat?after=3")] == [4, 5]


def test_only_who_has_a_seat_speaks_and_for_himself(guest: Guests) -> None:
    ann, stranger = guest(), guest()
    id = ann.open(seats=[{"by": "bot"}, {"by": "link"}])["id"]
    chat(ann, id, "Welcome")  # the host needs no seat
    assert [line["seat"] for line in ann.get(f"/api/tables/{id}/chat")] == [-1]
    chat(stranger, id, "Hello", 401)
    chat(ann, id, "I am Bob", 401, seat=1)
    for text in ("", " ", "\u200b"):
        chat(ann, id, text, 400)
    chat(ann, id, "x" * 2001, 400)
    chat(ann, id, "y" * 2000)
    assert len(ann.get(f"/api/tables/{id}/chat")[-1]["text"]) == MOST_LETTERS


def test_a_chat_is_kept_and_told_in_all_processes(database: str) -> None:
    with hall(database) as (tables, _), hall(database) as (other, _):
        table = opened(tables)
        there = other.find(table.id)
        on_loop(table.writer.loop, chatting.say(table, "Ann", [0], None, "one"))
        until(lambda: there.chat.last == 1)
        there.chat.lines.clear()  # it has not heard of it
        on_loop(there.writer.loop, chatting.say(there, "Bob", [1], None, "two"))
        until(lambda: table.chat.last == 2)
        assert [line.text for line in table.chat.lines] == [line.text for line in there.chat.lines] == ["one", "two"]
        assert (table.seq, there.seq) == (0, 0)
    with hall(database) as (tables, _):
        assert [line.text for line in tables.find(table.id).chat.lines] == ["one", "two"]


def test_who_takes_a_seat_is_seen_in_all_processes(database: str) -> None:
    with hall(database) as (tables, _), hall(database) as (other, _):
        table = opened(tables)
        there = other.find(table.id)
        tables.run(table.claim(1, "Eve"))
        until(lambda: (1, "Eve") in there.claims)


def test_a_chat_has_an_end(quiet: Quiet, monkeypatch: pytest.MonkeyPatch) -> None:
    table = opened(quiet[0])
    monkeypatch.setattr(chatting, "MOST_LINES", 2)
    for text in ("one", "two"):
        on_loop(table.writer.loop, chatting.say(table, "Ann", [0], 0, text))
    with pytest.raises(Refused, match="This chat is full"):
        on_loop(table.writer.loop, chatting.say(table, "Ann", [0], 0, "three"))


# Notes


def test_notes_are_private(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    path = f"/api/tables/{id}/notes"
    assert ann.get(path) == {"text": ""}
    assert ann.post(path, {"text": "Bob bluffs.\nAlways."}) == {"text": "Bob bluffs.\nAlways."}
    bob.post(path, {"text": "Ann\0 too"})
    ann.post(path, {"text": "Bob does not."})
    assert [person.get(path)["text"] for person in (ann, bob, guest())] == ["Bob does not.", "Ann too", ""]
    guest().post(path, {"text": "I watch"}, 401)
    ann.post(path, {"text": "x" * 5001}, 400)


# A bot stands in


def test_a_person_takes_the_seat_back_from_a_bot(guest: Guests) -> None:
    id, (ann, bob, cy), _ = three(guest)
    path = f"/api/tables/{id}/seats/1"
    bob.post(path, {"level": "easy"}, 403)
    assert ann.post(path, {"level": "easy"})["status"]["bots"] == ["", "easy", ""]
    assert bob.see(id)["mine"] == []
    assert cy.post(path, {}, 403)["error"] == "not_host"
    assert guest().post(path, {}, 403)["error"] == "not_host"
    back = bob.post(path, {})
    assert (back["status"]["bots"], back["mine"]) == (["", "", ""], [1])


def test_a_person_decides_about_going_back_while_a_bot_stands_in(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    ann.act(id, 0, 0, "bid 12")
    bob.act(id, 1, 1, "bid 13")
    ann.post(f"/api/tables/{id}/seats/1", {"level": "easy"})
    asked = ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 3, "to": 0})
    assert asked["status"]["asked"]["words"] == "Ann wants to take back: Ann: bid 12, Bob: bid 13 (2 actions)"
    assert bob.see(id)["status"]["asked"]["yours"]
    bob.post(f"/api/tables/{id}/answer", {"seat": 1, "seq": asked["seq"], "agree": False})
    (update,) = ann.events(id, query=f"?since={asked['seq']}")
    assert [notice["text"] for notice in update["notices"]] == ["Bob refused to go back."]


def test_what_people_did_is_told_in_words(guest: Guests) -> None:
    id, (ann, bob, cy), _ = three(guest)
    ann.act(id, 0, 0, "bid 12")
    for path, person, body in (
        ("undo", ann, {"seat": 0}),
        ("redo", ann, {"seat": 0}),
        ("undo", ann, {"seat": 0, "to": 0}),
    ):
        person.post(f"/api/tables/{id}/{path}", {**body, "seq": ann.see(id)["seq"]})
    ann.act(id, 0, 4, "bid 12")
    bob.act(id, 1, 5, "bid 13")
    cy.act(id, 2, 6, "bid 14")
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 7, "to": 0})
    bob.post(f"/api/tables/{id}/answer", {"seat": 1, "seq": 8, "agree": True})
    cy.post(f"/api/tables/{id}/answer", {"seat": 2, "seq": 9, "agree": True})
    ann.post(f"/api/tables/{id}/seats/1", {"level": "easy"})
    (update,) = ann.events(id, query="?since=0")
    assert [notice["text"] for notice in update["notices"]] == [
        "Ann took back 1 action.",
        "Ann plays 1 action again.",
        "Ann took back 1 action.",
        "Ann asks to go back.",
        "Bob agrees to go back.",
        "Bob and Cy agreed: went back 3 actions.",
        "A bot (easy) plays for Bob now.",
    ]


# Invitations


def test_the_host_gets_a_qr_code_for_each_open_seat(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    id = opened["id"]
    picture = ann.http.get(f"/api/tables/{id}/seats/1/qr.svg")
    assert picture.headers["content-type"] == "image/svg+xml"
    assert picture.text.startswith("<svg ")
    assert picture.text != ann.http.get(f"/api/tables/{id}/seats/2/qr.svg").text
    assert ann.http.get(f"/api/tables/{id}/seats/0/qr.svg").json()["error"] == "no_key"
    assert ann.http.get(f"/api/tables/{id}/seats/9/qr.svg").json()["error"] == "no_seat"
    for stranger in (guest(), guest.with_link(opened["links"][1])):
        assert stranger.http.get(f"/api/tables/{id}/seats/1/qr.svg").json()["error"] == "not_host"


# A rematch, and where a table comes from


def finished(guest: Guests) -> tuple[str, list[Person]]:
    """A game that Ann, Bob and Cy have played to its end, with Dot, a bot."""
    seats = [*US, {"name": "Dot", "by": "bot", "level": "random"}]
    ann = guest()
    opened = ann.open(seats=seats, options={"detroit": "players"})
    id, people = opened["id"], [ann, *(guest.with_link(link) for link in opened["links"][1:3])]
    dice, seen = Random(7), ann.see(id)
    while not seen["status"]["over"]:
        if seen["status"]["actor"] < len(people):
            actor = seen["status"]["actor"]
            seen = people[actor].act(id, actor, seen["seq"], dice.choice(seen["legal"]))
        else:
            seq = seen["seq"]
            until(lambda: ann.see(id)["seq"] > seq)  # noqa: B023
            seen = ann.see(id)
    return id, people


def test_a_rematch_with_the_same_people(guest: Guests) -> None:
    id, people = finished(guest)
    ann, bob, _ = people
    path = f"/api/tables/{id}/rematch"
    guest().post(path, {}, 401)
    again = bob.post(path, {})
    assert ann.post(path, {}) == again  # one for all
    assert all(person.see(id)["status"]["rematch"] == again["id"] for person in (*people, guest()))
    seen = ann.see(again["id"])
    assert sorted(seen["seats"]) == ["Ann", "Bob", "Cy", "Dot"]
    assert seen["options"] == {"detroit": "players"}
    for person, called in zip(people, ("Ann", "Bob", "Cy")):
        (mine,) = person.see(again["id"])["mine"]
        assert seen["seats"][mine] == called
    assert seen["status"]["bots"][seen["seats"].index("Dot")] == "random"
    assert seen["parent"] == {"id": id, "at": -1}
    (update,) = ann.events(id, query=f"?since={ann.see(id)['seq'] - 1}")
    assert update["notices"][0]["text"] == "Bob has opened a rematch."


def test_a_rematch_comes_after_the_game(guest: Guests) -> None:
    id, (ann, *_), _ = three(guest)
    assert ann.post(f"/api/tables/{id}/rematch", {}, 409)["error"] == "not_over"


def test_a_fork_knows_where_it_comes_from(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{}, {}])["id"]
    ann.act(id, 0, 0, "bid 12")
    fork = ann.post("/api/tables", {"fork": id, "at": 1}, 201)["id"]
    assert ann.see(fork)["parent"] == {"id": id, "at": 1}
    listed = {table["id"]: table for table in ann.get("/api/tables")}
    assert listed[fork]["parent"] == {"id": id, "at": 1}
    assert listed[id]["parent"] is None
    assert [listed[each]["actions"] for each in (id, fork)] == [1, 1]
    record = ann.post("/api/tables", {"record": ann.record(id)}, 201)["id"]
    assert ann.see(record)["parent"] is None
