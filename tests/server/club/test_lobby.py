"""The lobby: tables that wait for players are offered, joined, left and started; of two who are quick, one wins."""

from __future__ import annotations

import asyncio
import datetime as dt
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from typing import Any

import pytest

from cuberails.server.club.lobby import MOST_WAITING, Lobby
from cuberails.server.club.lobby_view import waiting_view
from cuberails.server.club.open_tables import OpenTable
from cuberails.server.refusal import Refused
from cuberails.server.requests import SeatRequest, TableRequest
from cuberails.server.store import now
from tests.server.house import Guests, Hall, Json, Person, hall, until

FREE = {"by": "open"}
ANN = {"name": "Ann"}


def offer(person: Person, *more: object, **request: Any) -> Json:
    """A public table of Ann's with two free seats, or with these others."""
    return person.open(seats=[ANN, *(more or (FREE, FREE))], visibility="public", **request)


def join(person: Person, id: str, name: str, status: int = 200) -> Json:
    found: Json = person.post(f"/api/lobby/{id}/join", {"name": name}, status)
    return found


def start(person: Person, id: str, status: int = 200, **request: object) -> Json:
    found: Json = person.post(f"/api/lobby/{id}/start", request, status)
    return found


def leave(person: Person, id: str, status: int = 200) -> Json:
    found: Json = person.post(f"/api/lobby/{id}/leave", {}, status)
    return found


def ids(person: Person, part: str = "open") -> list[str]:
    return [table["id"] for table in person.get("/api/lobby")[part]]


def names(table: Json) -> list[str]:
    return [seat["name"] for seat in table["seats"] if seat["by"] == "person"]


def test_a_table_for_everybody_is_in_the_lobby_until_it_starts(guest: Guests) -> None:
    ann, bob = guest(), guest()
    table = offer(ann, FREE, {"by": "bot", "level": "easy"}, options={}, help=False)
    assert (table["free"], table["mine"], table["hosting"], table["page"]) == (1, [0], True, f"/lobby/{table['id']}")
    (seen,) = [each for each in bob.get("/api/lobby")["open"] if each["id"] == table["id"]]
    assert [(seat["by"], seat["name"], seat["level"]) for seat in seen["seats"]] == [
        ("person", "Ann", ""),
        ("open", "", ""),
        ("bot", "", "easy"),
    ]
    assert (seen["name"], seen["help"], seen["host"], seen["hosting"]) == ("Wabash Cannonball", False, "Ann", False)
    assert names(join(bob, table["id"], "Bob")) == ["Ann", "Bob"]
    started = start(ann, table["id"])
    assert started == {"id": table["id"], "page": f"/t/{table['id']}"}
    assert table["id"] not in ids(bob)
    assert table["id"] in ids(bob, "watch")
    assert (ann.see(table["id"])["mine"], bob.see(table["id"])["mine"]) == ([0], [1])
    assert bob.see(table["id"])["seats"] == ["Ann", "Bob", "Easy 3"]
    assert bob.see(table["id"])["help"] is False
    bob.act(table["id"], 0, 0, "bid 12", 401)  # nobody plays for another, though he came by the same door
    ann.act(table["id"], 0, 0, "bid 12")
    bob.act(table["id"], 1, 1, "bid 13")


def test_a_table_of_somebody_else_is_found_by_its_link_unless_it_is_public(guest: Guests) -> None:
    ann, bob, cy = guest(), guest(), guest()
    table = ann.open(seats=[ANN, FREE, FREE])
    assert table["visibility"] == "unlisted"
    assert table["id"] in ids(ann)
    assert table["id"] not in ids(bob)
    assert "Take a seat" in bob.http.get(table["page"]).text
    join(bob, table["id"], "Bob")
    assert table["id"] in ids(bob)
    assert table["id"] not in ids(cy)
    start(ann, table["id"], level="random")
    assert table["id"] not in ids(cy, "watch")


def test_the_lobby_tells_how_much_time_there_is(guest: Guests) -> None:
    ann = guest()
    control = {"kind": "live", "minutes": 20, "increment": 30}
    table = offer(ann, time_control=control)
    assert table["time_control"]["kind"] == "live"
    assert table["time_control"]["words"] in guest().http.get("/lobby").text
    start(ann, table["id"], level="random")
    (seen,) = [each for each in ann.get("/api/lobby")["watch"] if each["id"] == table["id"]]
    assert seen["time_control"] == table["time_control"]


def test_before_the_start_nothing_can_be_done(guest: Guests) -> None:
    ann = guest()
    id = offer(ann)["id"]
    refused = ann.act(id, 0, 0, "bid 12", 409)
    assert (refused["error"], refused["table"]) == ("not_started", None)
    assert refused["message"] == "This table has not started: its game begins when its players are there."
    assert ann.http.get(f"/t/{id}").headers["location"] == f"/lobby/{id}"
    leave(ann, id)
    assert ann.act(id, 0, 0, "bid 12", 410)["error"] == "closed"


def test_free_seats_go_to_bots_of_the_level_that_the_host_chooses(guest: Guests) -> None:
    ann, bob = guest(), guest()
    id = offer(ann)["id"]
    refused = start(ann, id, 400, level="clever")
    assert refused["error"] == "no_bot"
    refused = start(bob, id, 403)
    assert (refused["error"], refused["message"]) == ("not_host", "Only Ann can start the game.")
    start(ann, id, level="random")
    assert ann.see(id)["status"]["bots"] == ["", "random", "random"]
    assert start(ann, id, 409)["error"] == "started"
    assert join(bob, id, "Bob", 409)["message"] == "The game at this table has begun; you can watch it."
    assert leave(ann, id, 409)["error"] == "started"
    assert ann.http.get(f"/lobby/{id}").headers["location"] == f"/t/{id}"


def test_a_table_starts_by_itself_when_it_is_full_if_the_host_chose_that(guest: Guests) -> None:
    ann, bob, cy = guest(), guest(), guest()
    id = offer(ann, starts="full")["id"]
    assert join(bob, id, "Bob")["state"] == "open"
    started = join(cy, id, "Cy")
    assert (started["state"], started["page"]) == ("started", f"/t/{id}")
    assert cy.see(id)["seats"] == ["Ann", "Bob", "Cy"]


def test_seats_are_shuffled_at_the_start_unless_they_are_listed(guest: Guests) -> None:
    orders = set()
    for n in range(12):
        ann, bob = guest(), guest()
        ids = [ann.open(seats=[ANN, *[FREE] * 4], seating=seating)["id"] for seating in ("shuffled", "listed")]
        for id in ids:
            join(bob, id, "Bob")
            start(ann, id, level="random")
        shuffled, listed = ann.see(ids[0]), ann.see(ids[1])
        orders.add(tuple(shuffled["mine"] + bob.see(ids[0])["mine"]))
        assert shuffled["seats"][shuffled["mine"][0]] == "Ann"
        assert listed["seats"][:2] == ["Ann", "Bob"]
        if n > 0 and len(orders) > 1:
            return
    pytest.fail("twelve times the same of twenty orders")


def test_names_are_cleaned_and_no_two_alike(guest: Guests) -> None:
    ann, bob = guest(), guest()
    id = offer(ann)["id"]
    assert names(join(bob, id, " \u202eAnn\n ")) == ["Ann", "Ann"]
    start(ann, id, level="random")
    assert bob.see(id)["seats"][:2] == ["Ann", "Ann 2"]


def test_of_a_host_who_leaves_who_came_first_takes_the_place(guest: Guests) -> None:
    ann, bob, cy = guest(), guest(), guest()
    id = offer(ann)["id"]
    join(bob, id, "Bob")
    join(cy, id, "Cy")
    table = leave(ann, id)
    assert (table["host"], table["free"], table["hosting"]) == ("Bob", 1, False)
    assert start(ann, id, 403, level="random")["error"] == "not_host"
    leave(cy, id)
    assert names(join(ann, id, "Ann")) == ["Ann", "Bob"]
    start(bob, id, level="random")
    assert ann.see(id)["mine"] == [0]


def test_a_host_who_leaves_alone_closes_the_table(guest: Guests) -> None:
    ann, bob = guest(), guest()
    id = offer(ann)["id"]
    assert leave(bob, id, 409)["error"] == "not_seated"
    assert leave(ann, id)["state"] == "closed"
    assert id not in ids(ann)
    assert join(bob, id, "Bob", 410)["error"] == "closed"
    assert start(ann, id, 410)["error"] == "closed"


def test_nobody_takes_two_seats_or_one_that_is_not_there(guest: Guests) -> None:
    ann, bob, cy = guest(), guest(), guest()
    id = offer(ann, FREE)["id"]
    assert join(ann, id, "Ann", 409)["error"] == "seated"
    join(bob, id, "Bob")
    assert join(bob, id, "Bob", 409)["message"] == "You have a seat at this table already."
    refused = join(cy, id, "Cy", 409)
    assert refused["error"] == "full"
    assert refused["message"] == "All seats of this table are taken: somebody was quicker. Look for another one."
    assert join(cy, "nowhere", "Cy", 404)["error"] == "no_table"


@pytest.mark.parametrize(
    ("request_", "word"),
    [
        ({"title": "wabash", "seats": [ANN, FREE, {"by": "link"}]}, "link"),
        ({"lesson": "wabash", "seats": [ANN, FREE]}, "lesson"),
        ({"title": "wabash", "seats": [FREE]}, "2 to 6"),
        ({"title": "wabash", "seats": [ANN, FREE], "options": {"dice": "loaded"}}, "dice"),
        ({"title": "wabash", "seats": [ANN, FREE], "visibility": "secret"}, "visibility"),
    ],
)
def test_what_cannot_be_played_is_refused_when_it_is_offered(guest: Guests, request_: Json, word: str) -> None:
    refused = guest().post("/api/tables", request_, 400)
    assert word in refused["message"]


def test_a_host_has_only_so_many_tables_waiting(guest: Guests) -> None:
    ann = guest()
    offered = [offer(ann)["id"] for _ in range(MOST_WAITING)]
    request = {"title": "wabash", "seats": [ANN, FREE], "visibility": "public"}
    refused = ann.post("/api/tables", request, 403)
    assert refused["error"] == "too_many_tables"
    start(ann, offered[0], level="random")
    ann.post("/api/tables", request, 201)


# Invitations


def met(guest: Guests) -> list[Person]:
    """Ann, Bob and Cy, who have a table in common."""
    ann, bob, cy = guest(), guest(), guest()
    id = ann.open(seats=[ANN, FREE, FREE])["id"]
    join(bob, id, "Bob")
    join(cy, id, "Cy")
    start(ann, id)
    return [ann, bob, cy]


def invite(host: Person, id: str, status: int = 200, **request: str) -> Json:
    found: Json = host.post(f"/api/lobby/{id}/invite", request, status)
    return found


def test_only_whom_the_host_has_invited_takes_a_seat(guest: Guests) -> None:
    ann, bob, cy = met(guest)
    id = ann.open(seats=[ANN, FREE], visibility="invited")["id"]
    assert id not in ids(bob)
    refused = join(bob, id, "Bob", 403)
    assert refused["error"] == "not_invited"
    assert refused["message"] == "Only people whom Ann has invited can take a seat at this table."
    assert "Only people whom Ann has invited" in bob.http.get(f"/lobby/{id}").text
    assert invite(ann, id, name="bob ")["others"] == ["Bob"]
    (seen,) = [table for table in bob.get("/api/lobby")["open"] if table["id"] == id]
    assert (seen["invited"], seen["mine"]) == (True, [])
    assert "Ann invites you" in bob.http.get("/").text
    assert id not in ids(cy)
    assert join(bob, id, "Bob")["others"] == []
    assert invite(cy, id, 403, name="Bob")["error"] == "not_host"
    assert invite(ann, id, 409, name="Bob")["message"] == "Bob can come already."


def test_who_declines_an_invitation_is_not_invited_any_more(guest: Guests) -> None:
    ann, bob, _ = met(guest)
    id = ann.open(seats=[ANN, FREE], visibility="invited")["id"]
    (known,) = [each for each in ann.get("/api/people") if each["name"] == "Bob"]
    invite(ann, id, person=known["id"])
    assert leave(bob, id)["welcome"] is False
    assert id not in ids(bob)
    assert join(bob, id, "Bob", 403)["error"] == "not_invited"


def test_somebody_is_invited_by_a_name_that_is_known(guest: Guests) -> None:
    ann, bob, _ = met(guest)
    id = offer(ann)["id"]
    refused = invite(ann, id, 404, name="Zoe")
    assert refused["message"] == "You have played with nobody called “Zoe”, and there is no account of this name."
    assert invite(ann, id, 404, person="nobody")["error"] == "no_person"
    other = ann.open(seats=[ANN, FREE])["id"]
    join(guest(), other, "Bob")
    start(ann, other)
    assert invite(ann, id, 409, name="Bob")["error"] == "ambiguous"
    (again,) = [each for each in bob.get("/api/people") if each["name"] == "Ann"]
    assert invite(bob, id, 403, person=again["id"])["error"] == "not_host"


def test_the_same_people_again_at_another_game(guest: Guests) -> None:
    ann, bob, cy = met(guest)
    first = ann.get("/api/tables")[0]["id"]
    table = ann.open("gmo", seats=[ANN, FREE, FREE], visibility="invited", people_of=first)
    assert (sorted(table["others"]), table["name"]) == (["Bob", "Cy"], "Gulf, Mobile & Ohio")
    assert table["id"] in ids(bob)
    assert table["id"] in ids(cy)
    request = {"title": "gmo", "seats": [ANN, FREE, FREE], "visibility": "invited"}
    assert guest().post("/api/tables", request | {"people_of": first}, 403)["error"] == "not_your_seat"
    alone = ann.open(seats=[ANN, {"by": "bot", "level": "random"}])["id"]
    assert ann.post("/api/tables", request | {"people_of": alone}, 422)["error"] == "nobody_there"


# Friends


def kinds(person: Person) -> dict[str, str]:
    return {each["name"]: each["kind"] for each in person.get("/api/people")}


def befriend(person: Person, name: str, friend: bool = True) -> None:
    (known,) = [each for each in person.get("/api/people") if each["name"] == name]
    person.post(f"/api/people/{known['id']}", {"friend": friend})


def test_friends_are_who_both_want_it(guest: Guests) -> None:
    ann, bob, cy = met(guest)
    assert kinds(ann) == {"Bob": "met", "Cy": "met"}
    befriend(ann, "Bob")
    assert (kinds(ann)["Bob"], kinds(bob)["Ann"]) == ("asked", "asking")
    befriend(bob, "Ann")
    assert (kinds(ann)["Bob"], kinds(bob)["Ann"]) == ("friend", "friend")
    assert list(kinds(ann)) == ["Bob", "Cy"]
    befriend(cy, "Ann")
    befriend(ann, "Cy", False)
    assert (kinds(ann)["Cy"], kinds(cy)["Ann"]) == ("met", "met")
    befriend(bob, "Ann", False)
    assert (kinds(ann)["Bob"], kinds(bob)["Ann"]) == ("met", "met")


def test_a_sign_of_somebody_serves_only_whom_it_was_told(guest: Guests) -> None:
    ann, bob, cy = met(guest)
    signs = {each["name"]: each["id"] for each in ann.get("/api/people")}
    assert bob.post(f"/api/people/{signs['Cy']}", {"friend": True}, 404)["error"] == "no_person"
    assert signs["Cy"] not in [each["id"] for each in bob.get("/api/people")]
    assert cy.http.get("/api/people").text.count(signs["Bob"]) == 0
    assert guest().get("/api/people") == []


def test_one_sees_which_friends_are_here(guest: Guests) -> None:
    ann, bob, _ = met(guest)
    befriend(ann, "Bob")
    befriend(bob, "Ann")

    def here() -> dict[str, bool]:
        return {each["name"]: each["here"] for each in ann.get("/api/people")}

    assert here() == {"Bob": False, "Cy": False}
    with bob.http.stream("GET", "/api/lobby/events") as stream:
        lines = stream.iter_lines()
        next(lines)
        assert here() == {"Bob": True, "Cy": False}
    until(lambda: here() == {"Bob": False, "Cy": False})


def test_an_own_board_is_kept_until_the_start(guest: Guests) -> None:
    ann, bob = guest(), guest()
    text = ann.http.get("/api/titles/wabash/board.toml").text.replace("Queen edition", "Night edition")
    table = ann.open(title="", board=text, seats=[ANN, FREE], visibility="public")
    assert (table["board"], table["built_in"]) == ("Night edition, corrected", False)
    join(bob, table["id"], "Bob")
    start(ann, table["id"])
    assert bob.see(table["id"])["board"]["name"] == "Night edition, corrected"


def test_whoever_watches_the_lobby_is_told_of_every_change(guest: Guests) -> None:
    ann, bob = guest(), guest()
    with bob.http.stream("GET", "/api/lobby/events") as stream:
        versions = (line for line in stream.iter_lines() if line.startswith("data: "))
        next(versions)
        table = offer(ann)
        next(versions)
        assert table["id"] in ids(ann)
        leave(ann, table["id"])
        next(versions)
        assert table["id"] not in ids(ann)


# Races


class Process:
    """One of several processes at a database, with a lobby of its own."""

    def __init__(self, tables: Hall) -> None:
        self.tables = tables
        self.lobby = Lobby(tables.tables)

    def together(self, *deeds: Any) -> list[Any]:
        """What comes of deeds that are done at the same time; of those that are refused the word why."""

        async def all_of_them() -> list[Any]:
            return await asyncio.gather(*deeds, return_exceptions=True)

        return [each.code if isinstance(each, Refused) else each for each in self.tables.run(all_of_them())]


def _request(free: int, **more: Any) -> TableRequest:
    seats = [SeatRequest(name="Ann"), *(SeatRequest(by="open") for _ in range(free))]
    return TableRequest(title="wabash", seats=seats, visibility="public", **more)


@pytest.fixture
def processes(database: str) -> Iterator[Sequence[Process]]:
    """Two processes at one database of each kind."""
    with ExitStack() as stack:
        yield [Process(stack.enter_context(hall(database))[0]) for _ in range(2)]


def _offered(process: Process, free: int, **more: Any) -> OpenTable:
    return process.tables.run(process.lobby.offer(_request(free, **more), "ann"))


def test_of_many_who_take_the_last_seat_one_gets_it(processes: Sequence[Process]) -> None:
    id = _offered(processes[0], 1).id
    people = [f"person {n}" for n in range(6)]
    deeds = [processes[n % 2].lobby.join(id, person, person) for n, person in enumerate(people)]
    came = [each for each in processes[0].together(*deeds) if isinstance(each, OpenTable)]
    assert len(came) == 1
    after = processes[1].tables.run(processes[1].lobby.find(id))
    assert not after.free
    assert {each.person for each in after.seated.values()} == {each.person for each in came[0].seated.values()}


def test_whoever_is_too_late_is_told_so(processes: Sequence[Process]) -> None:
    id = _offered(processes[0], 1).id
    deeds = [processes[n].lobby.join(id, person, person) for n, person in enumerate(["bob", "cy"])]
    outcomes = processes[0].together(*deeds)
    assert sorted(type(each).__name__ for each in outcomes) == ["OpenTable", "str"]
    assert "full" in outcomes


def test_whoever_joins_while_the_host_starts_plays_or_is_refused(processes: Sequence[Process]) -> None:
    for _ in range(4):
        id = _offered(processes[0], 2).id
        first, second = processes
        outcomes = first.together(first.lobby.start(id, "ann", "random"), second.lobby.join(id, "bob", "Bob"))
        table = second.tables.find(id)
        joined = isinstance(outcomes[1], OpenTable)
        assert table.claimed_by("bob") != [] if joined else outcomes[1] == "started"
        assert [seat.bot for seat in table.seats].count("random") == (1 if joined else 2)


def test_a_seat_that_is_left_while_the_host_starts_is_played_by_a_bot_or_by_its_person(
    processes: Sequence[Process],
) -> None:
    for _ in range(4):
        id = _offered(processes[0], 1).id
        first, second = processes
        second.tables.run(second.lobby.join(id, "bob", "Bob"))
        outcomes = first.together(second.lobby.leave(id, "bob"), first.lobby.start(id, "ann", "random"))
        table = second.tables.find(id)
        assert (table.claimed_by("bob") == []) == isinstance(outcomes[0], OpenTable)


def test_a_table_starts_once(processes: Sequence[Process]) -> None:
    id = _offered(processes[0], 1).id
    outcomes = processes[0].together(*(each.lobby.start(id, "ann", "random") for each in [*processes, *processes]))
    assert outcomes.count("started") == 3


def test_two_at_once_at_tables_that_are_opened_at_the_same_time(processes: Sequence[Process]) -> None:
    """Rows that belong to tables which are made in the same transaction are not written before those."""
    id = _offered(processes[0], 5).id
    deeds: list[Any] = [processes[0].lobby.join(id, "bob", "Bob")]
    deeds += [processes[0].lobby.offer(_request(2), f"host {n}") for n in range(6)]
    assert all(isinstance(each, OpenTable) for each in processes[0].together(*deeds))


DAY = dt.timedelta(days=1)


def test_a_table_that_nobody_comes_to_is_closed_and_who_sat_there_is_told(processes: Sequence[Process]) -> None:
    first, second = processes
    id, fresh = _offered(first, 2).id, _offered(first, 1).id
    first.tables.run(first.lobby.join(id, "bob", "Bob"))
    first.tables.run(first.lobby.join(fresh, "cy", "Cy"))
    changed = first.tables.run(first.lobby.find(id)).changed
    late = changed + 14 * DAY + dt.timedelta(microseconds=1)
    assert first.together(first.lobby.tidy(changed + 13 * DAY), second.lobby.tidy(late - 2 * DAY)) == [None, None]
    assert first.tables.run(first.lobby.find(id)).state == "open"
    first.together(first.lobby.tidy(late), second.lobby.tidy(late))
    states = {each: first.tables.run(first.lobby.find(each)).state for each in (id, fresh)}
    assert states == {id: "closed", fresh: "open"}
    for person in ("ann", "bob"):
        seen = waiting_view(first.tables.run(first.lobby.listed()), person)
        assert [table["id"] for table in seen["closed"]] == [id]
    assert waiting_view(first.tables.run(first.lobby.listed()), "cy")["closed"] == []
    first.tables.run(first.lobby.leave(id, "bob"))  # he has read it
    assert waiting_view(first.tables.run(first.lobby.listed()), "bob")["closed"] == []
    assert waiting_view(first.tables.run(first.lobby.listed()), "ann")["closed"] != []


def test_what_is_over_leaves_nothing_in_the_lobby(processes: Sequence[Process]) -> None:
    first, second = processes
    started, waiting = _offered(first, 1).id, _offered(first, 1).id
    first.tables.run(first.lobby.start(started, "ann", "random"))
    first.tables.run(first.lobby.invite(waiting, "ann", "bob", "Bob"))
    for days in (15, 30):  # closed, then removed
        first.tables.run(second.lobby.tidy(now() + days * DAY))
    for id in (started, waiting):
        with pytest.raises(Refused, match="No table with this link waits"):
            first.tables.run(first.lobby.find(id))
    assert first.tables.find(started).claimed_by("ann") != []


def test_other_processes_are_told(processes: Sequence[Process]) -> None:
    first, second = processes
    assert second.tables.run(second.lobby.listed()) == []
    told: list[int] = []
    second.lobby.watchers.add(lambda: told.append(second.lobby.version))
    id = _offered(first, 2).id
    until(lambda: bool(told))
    until(lambda: [table.id for table in second.tables.run(second.lobby.listed())] == [id])
    first.tables.run(first.lobby.start(id, "ann", "random"))
    until(lambda: second.tables.run(second.lobby.listed()) == [])
