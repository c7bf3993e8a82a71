"""Tables without help: whoever opens one switches hints off, for all, and no other table is a way around."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from cuberails import read
from cuberails.server.refusal import NO_HELP
from cuberails.server.requests import SeatRequest, TableRequest
from tests.server.house import Guests, Json, Person, hall, opened_by, served

RECORD = (Path(__file__).parent.parent / "records" / "wabash" / "3-players-greedy.txt").read_text("utf-8")
HERE: list[Json] = [{}, {}]
"""Two people at one screen."""


def refused_hint(person: Person, id: str) -> Json:
    answer = person.http.get(f"/api/tables/{id}/hint")
    assert answer.status_code == 403
    body: Json = answer.json()
    return body


def opened(person: Person, status: int = 201, **request: object) -> Any:
    return person.post("/api/tables", request, status)


def without_help(person: Person) -> str:
    """A game between two people at one screen, with an action, without help."""
    id: str = person.open(seats=HERE, help=False)["id"]
    person.act(id, 0, 0, "bid 12")
    return id


def shown(person: Person, path: str) -> str:
    """The text of a page."""
    answer = person.http.get(path)
    assert answer.status_code == 200
    return answer.text


# What people see


def test_a_hint_is_refused_with_the_reason(guest: Guests) -> None:
    ann = guest()
    table = ann.open(help=False)
    assert table["help"] is False
    body = refused_hint(ann, table["id"])
    assert (body["error"], body["message"]) == ("help_off", NO_HELP)
    assert body["table"]["yours"]  # it was her turn, and still is


def test_there_is_help_unless_it_is_switched_off(guest: Guests) -> None:
    ann = guest()
    for table in (ann.open(seats=HERE), ann.open(seats=HERE, help=True)):
        assert table["help"] is True
        assert ann.see(table["id"])["help"] is True
        assert "No help" not in shown(ann, f"/t/{table['id']}")


def test_everybody_is_told_before_and_at_the_table(guest: Guests) -> None:
    ann = guest()
    off, on = (ann.open(help=help) for help in (False, True))
    listed = {table["id"]: table["help"] for table in ann.get("/api/tables")}
    assert (listed[off["id"]], listed[on["id"]]) == (False, True)
    assert shown(ann, "/").count("· no help") == 1
    assert "No help at this table" in shown(guest(), off["links"][1])
    assert "No help at this table" not in shown(guest(), on["links"][1])
    assert NO_HELP in shown(guest(), f"/t/{off['id']}")
    assert guest().see(off["id"])["help"] is False


def test_the_interface_describes_it(guest: Guests) -> None:
    described = guest().get("/openapi.json")
    request = described["components"]["schemas"]["TableRequest"]
    assert {"type": "boolean"} in request["properties"]["help"]["anyOf"]
    assert "`help`" in request["description"]
    assert "`help_off`" in described["paths"]["/api/tables/{id}/hint"]["get"]["description"]


def test_help_is_yes_or_no(guest: Guests) -> None:
    assert opened(guest(), 400, title="wabash", seats=HERE, help="perhaps")["error"] == "bad_request"


def test_a_lesson_is_help(guest: Guests) -> None:
    assert "A lesson is all help" in opened(guest(), 400, lesson="wabash", help=False)["message"]
    assert opened(guest(), lesson="wabash")["help"] is True


# As long as the game runs


def test_it_stays_off_after_a_restart(tmp_path: Path) -> None:
    with visited(tmp_path) as guest:
        ann = guest()
        off, on = (ann.open(seats=HERE, help=help)["id"] for help in (False, True))
        key = ann.http.cookies["cuberails_person"]
    with visited(tmp_path) as guest:
        ann = guest(key)
        assert refused_hint(ann, off)["error"] == "help_off"
        assert ann.see(on)["help"] is True


@contextmanager
def visited(folder: Path) -> Iterator[Guests]:
    """People at a server of their own, whose tables are in this folder."""
    with served(folder / "tables.db") as house:
        guests = Guests(house.address)
        yield guests
        guests.leave()


def test_a_rematch_is_without_help_too(guest: Guests) -> None:
    ann = guest()
    for help in (False, True):
        id = opened(ann, record=RECORD, help=help)["id"]
        again = ann.post(f"/api/tables/{id}/rematch", {})["id"]
        assert ann.see(again)["help"] is help


def test_a_fork_is_no_way_around(guest: Guests) -> None:
    ann, spectator = guest(), guest()
    id = without_help(ann)
    for person in (ann, spectator):
        fork = opened(person, fork=id, at=0)
        assert fork["help"] is False
        assert refused_hint(person, fork["id"])["error"] == "help_off"
        assert opened(person, fork=fork["id"])["help"] is False
        answer = opened(person, 403, fork=id, help=True)
        assert answer["error"] == "help_off"
        assert "not over yet" in answer["message"]


def test_nor_is_a_fork_that_was_played_to_its_end(guest: Guests) -> None:
    ann, last = guest(), [step.action.text for step in read(RECORD).steps][-3:]
    all_mine: list[Json] = [{}, {}, {}]
    running = opened(ann, record=RECORD, at=read(RECORD).count - 3, seats=all_mine, help=False)["id"]
    fork = opened(ann, fork=running, seats=all_mine)["id"]
    play(ann, fork, last)
    assert ann.see(fork)["status"]["over"]
    assert opened(ann, fork=fork, at=20)["help"] is False  # the game that it comes from is not over
    play(ann, running, last)
    assert opened(ann, fork=fork, at=20)["help"] is True


def play(person: Person, id: str, actions: list[str]) -> None:
    seen = person.see(id)
    for action in actions:
        seen = person.act(id, seen["status"]["actor"], seen["seq"], action)


def test_after_the_game_people_may_practise_with_help(guest: Guests) -> None:
    ann = guest()
    over = opened(ann, record=RECORD, help=False)["id"]
    assert ann.see(over)["status"]["over"]
    assert opened(ann, fork=over, at=20)["help"] is True
    assert opened(ann, fork=over, at=20, help=False)["help"] is False


def test_a_fork_of_a_table_with_help_has_it_unless_switched_off(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    assert opened(ann, fork=id)["help"] is True
    assert opened(ann, fork=id, help=False)["help"] is False


def test_the_record_of_an_own_game_is_no_way_around(guest: Guests) -> None:
    ann = guest()
    id = without_help(ann)
    record = ann.record(id)
    again = opened(ann, record=record)
    assert again["help"] is False
    assert ann.see(again["id"])["parent"] == {"id": id, "at": 1}  # so that she sees why
    assert opened(ann, 403, record=record, help=True)["error"] == "help_off"
    ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 1, "to": 0})
    ann.act(id, 0, 2, "bid 13")
    assert opened(ann, record=record)["help"] is True  # that was taken back
    assert opened(ann, record=RECORD)["help"] is True  # another game


# In the database


def test_a_table_without_help_stays_so(database: str) -> None:
    """On SQLite and on PostgreSQL; that tables of earlier releases have help is shown by test_upgrade.py."""
    seats = [SeatRequest(), SeatRequest()]
    with hall(database) as (tables, _):
        on = opened_by(tables, TableRequest(title="wabash", seats=seats)).id
        off = opened_by(tables, TableRequest(title="wabash", seats=seats, help=False)).id
    with hall(database) as (tables, _):
        assert tables.find(on).help is True
        assert not tables.store.plays_without_help(on)
        assert tables.find(off).help is False
        assert tables.store.plays_without_help(off)
