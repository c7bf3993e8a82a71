"""The JSON interface over a real connection: what it offers, and that attacks change nothing."""

from __future__ import annotations

import datetime as dt
import json
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest

import cuberails
from cuberails.bots import USUAL, Idea
from cuberails.core.record import read_record
from cuberails.server.guard import MOST_BYTES
from cuberails.titles import load
from tests.server.house import US, Guests, House, Json, Person, fail_writes, until

RECORD = Path("tests/records/wabash/3-players-greedy.txt").read_text()


def three(guest: Guests) -> tuple[str, list[Person], Json]:
    """A table with Ann, Bob and Cy, each on a device of their own."""
    ann = guest()
    opened = ann.open()
    people = [ann, *(guest.with_link(link) for link in opened["links"][1:])]
    return opened["id"], people, opened


# What it offers


def test_titles(guest: Guests) -> None:
    titles = guest().get("/api/titles")
    assert [title["key"] for title in titles] == list(cuberails.TITLES)
    assert all(title["least_players"] <= title["most_players"] and title["bots"] for title in titles)


def test_people_play_by_links(guest: Guests) -> None:
    id, people, _ = three(guest)
    assert [person.see(id)["mine"] for person in people] == [[0], [1], [2]]
    assert [person.see(id)["yours"] for person in people] == [True, False, False]
    people[0].act(id, 0, 0, "bid 12")
    answer = people[1].act(id, 1, 1, "bid 13")
    assert (answer["seq"], answer["count"], answer["status"]["actor"]) == (2, 2, 2)
    assert answer["legal"][0] == "bid 14"


def test_programs_play_with_the_key_of_a_seat(guest: Guests) -> None:
    id, people, opened = three(guest)
    program = guest(opened["links"][1].rpartition("/")[2])
    assert program.see(id)["mine"] == [1]
    people[0].act(id, 0, 0, "bid 12")
    program.act(id, 1, 1, "bid 13")
    assert program.get("/api/tables")[0]["id"] == id


def test_a_key_takes_its_seat_when_it_is_used_to_play_and_not_by_looking(guest: Guests, house: House) -> None:
    ann = guest()
    opened = ann.open()
    id, key = opened["id"], opened["links"][1].rpartition("/")[2]
    program = guest(key)
    assert program.see(id)["mine"] == [1]
    assert {seat for seat, _ in house.tables.store.claims(id)} == {0}
    ann.act(id, 0, 0, "bid 12")
    program.act(id, 1, 1, "bid 13")
    assert {seat for seat, _ in house.tables.store.claims(id)} == {0, 1}


def test_my_tables_tell_who_must_decide(guest: Guests) -> None:
    id, people, _ = three(guest)
    people[0].act(id, 0, 0, "bid 12")
    (found,) = people[2].get("/api/tables")
    assert dt.datetime.fromisoformat(found.pop("changed")) <= dt.datetime.now(dt.UTC)
    expected = {"id": id, "title": "wabash", "seats": ["Ann", "Bob", "Cy"], "mine": [2], "waiting": 1}
    unlimited = {"time_control": None, "deadline": None}
    assert found == expected | {"actions": 1, "parent": None, "help": True} | unlimited
    assert guest().get("/api/tables") == []


def test_undo_redo_and_a_question_to_the_others(guest: Guests) -> None:
    id, (ann, bob, cy), _ = three(guest)
    ann.act(id, 0, 0, "bid 12")
    assert ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 1})["count"] == 0
    assert ann.post(f"/api/tables/{id}/redo", {"seat": 0, "seq": 2})["count"] == 1
    bob.act(id, 1, 3, "bid 13")
    asked = ann.post(f"/api/tables/{id}/undo", {"seat": 0, "seq": 4, "to": 0})
    assert (asked["count"], asked["status"]["asked"]["to"]) == (2, 0)
    bob.post(f"/api/tables/{id}/answer", {"seat": 1, "seq": 5, "agree": True})
    assert cy.post(f"/api/tables/{id}/answer", {"seat": 2, "seq": 6, "agree": True})["count"] == 0


def test_effect_and_time_travel(guest: Guests) -> None:
    id, (ann, *_), _ = three(guest)
    ann.act(id, 0, 0, "bid 12")
    assert ann.get(f"/api/tables/{id}/effect?action=bid+13")[0] == "Bob takes a share of PA for $13"
    assert ann.get(f"/api/tables/{id}/effect?action=bid+3")[0].startswith("W")
    then = ann.get(f"/api/tables/{id}/at/0")
    assert then["prompt"].endswith("Bid $7 or more for PA, or pass")
    assert "seat-0" in then["parts"]
    assert (then["actor"], ann.get(f"/api/tables/{id}/at/1")["actor"]) == (0, 1)
    assert ann.http.get(f"/api/tables/{id}/at/2").status_code == 404


def test_what_happened_between_two_moments(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    ann.act(id, 0, 0, "bid 12")
    bob.act(id, 1, 1, "bid 13")
    first = {"n": 1, "seat": 0, "lines": ["Ann bids $12 for PA"], "ordered": False}
    assert ann.get(f"/api/tables/{id}/news?end=1") == [first]
    assert ann.get(f"/api/tables/{id}/news")[0] == first
    assert [step["n"] for step in ann.get(f"/api/tables/{id}/news?start=1")] == [2]
    for query in ("start=-1", "end=3", "start=3"):
        refusal = ann.http.get(f"/api/tables/{id}/news?{query}")
        assert (refusal.status_code, refusal.json()["error"]) == (404, "no_moment")


def test_a_bot_without_a_level_is_the_usual_one(guest: Guests) -> None:
    ann = guest()
    for request in ({"title": "wabash", "seats": [{}, {"by": "bot"}]}, {"record": RECORD, "at": 20}):
        levels = set(ann.see(ann.post("/api/tables", request, 201)["id"])["status"]["bots"])
        assert levels == {"", USUAL}


def test_records_go_out_and_come_in(guest: Guests) -> None:
    ann = guest()
    for record in (RECORD, read_record(RECORD, load).to_json()):
        table = ann.post("/api/tables", {"record": record}, 201)["id"]
        seen = ann.see(table)
        assert seen["status"]["over"]
        assert ann.record(table) == RECORD
        assert read_record(ann.http.get(f"/api/tables/{table}/record.json").text, load).to_text() == RECORD
    assert ann.http.get(f"/api/tables/{table}/record.pdf").status_code == 404


def test_a_fork_goes_on_from_any_moment(guest: Guests) -> None:
    ann = guest()
    source = ann.post("/api/tables", {"record": RECORD}, 201)["id"]
    count = ann.see(source)["count"]
    fork = ann.see(ann.post("/api/tables", {"fork": source, "at": 20}, 201)["id"])
    assert (fork["count"], fork["seq"], fork["seats"]) == (20, 0, ann.see(source)["seats"])
    assert fork["mine"] == [fork["status"]["actor"]]  # whoever practises decides next
    assert ann.see(ann.post("/api/tables", {"fork": source, "at": None}, 201)["id"])["count"] == count
    assert ann.see(source)["count"] == count
    for body in ({"fork": source, "at": count + 1}, {"fork": source, "at": -1}, {"fork": "nowhere"}):
        ann.post("/api/tables", body, 404)
    ann.post("/api/tables", {"fork": source, "at": 20, "seats": [{}, {}]}, 400)


def test_bots_play_a_game_to_its_end(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=[{"by": "bot", "level": "random"}] * 3)["id"]
    until(lambda: ann.see(id)["status"]["over"], 60)
    game = read_record(ann.record(id), load)
    assert game.state.actor is None


def test_the_host_gives_a_seat_to_a_bot_and_back(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    bob.post(f"/api/tables/{id}/seats/0", {"level": "random"}, 403)
    ann.post(f"/api/tables/{id}/seats/1", {"level": "clever"}, 400)
    ann.post(f"/api/tables/{id}/seats/1", {"level": "random"})
    assert bob.see(id)["mine"] == []
    ann.act(id, 0, 1, "bid 12")
    until(lambda: ann.see(id)["seq"] == 3)
    assert ann.post(f"/api/tables/{id}/seats/1", {})["status"]["bots"] == ["", "", ""]
    assert bob.see(id)["mine"] == [1]


def test_the_interface_describes_itself(guest: Guests) -> None:
    paths = guest().get("/openapi.json")["paths"]
    assert len(paths) >= 12
    for path, methods in paths.items():
        assert path.startswith("/api/")
        assert all(method["description"].endswith(".") for method in methods.values())


def test_a_hint_for_the_person_to_decide(guest: Guests) -> None:
    id, (ann, bob, _), _ = three(guest)
    hint = ann.get(f"/api/tables/{id}/hint")
    assert (hint["seq"], hint["seat"], len(hint["ideas"])) == (0, 0, 3)
    for idea in hint["ideas"]:
        assert set(idea) == {"action", "chances", "why", "effect"}
        assert idea["action"] in ann.see(id)["legal"]
        assert sum(idea["chances"]) == pytest.approx(1)
        assert idea["effect"]
    assert ann.get(f"/api/tables/{id}/hint") == hint
    for stranger in (bob, guest()):
        refusal = stranger.http.get(f"/api/tables/{id}/hint")
        assert (refusal.status_code, refusal.json()["error"]) == (403, "out_of_turn")
    over = ann.post("/api/tables", {"record": RECORD}, 201)["id"]
    assert ann.http.get(f"/api/tables/{over}/hint").status_code == 403


def test_a_hint_that_comes_too_late_or_not_at_all(guest: Guests, house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    ideas: list[Future[list[Idea]]] = []

    def slow(*_: object) -> Future[list[Idea]]:
        ideas.append(Future())
        return ideas[-1]

    monkeypatch.setattr(house.tables.driver.thinkers, "advise", slow)
    ann = guest()
    id = ann.open(seats=[{}] * 3)["id"]
    with ThreadPoolExecutor(1) as pool:
        late = pool.submit(guest(ann.http.cookies["cuberails_person"]).http.get, f"/api/tables/{id}/hint")
        until(lambda: len(ideas) == 1)
        ann.act(id, 0, 0, "bid 12")
        assert ideas[0].cancelled()  # nobody needs it any more, and its process is free for others
        assert (late.result().status_code, late.result().json()["error"]) == (409, "stale")
        never = pool.submit(guest(ann.http.cookies["cuberails_person"]).http.get, f"/api/tables/{id}/hint")
        until(lambda: len(ideas) == 2)
        ideas[1].set_exception(TimeoutError())
        assert (never.result().status_code, never.result().json()["error"]) == (503, "no_advice")


# Names and settings


def test_names_are_plain_and_distinct(guest: Guests) -> None:
    seats = [{"name": " Ann\u202e\x00\n\tSmith "}, {"name": "ann smith"}, {"name": "\u200b"}, {"by": "bot"}]
    assert guest().see(guest().open(seats=seats)["id"])["seats"] == ["Ann Smith", "ann smith 2", "Player 3", "Medium 4"]
    alike = [{"name": "Ann"}, {"name": "\u0410nn"}, {"name": "Ann\u3164"}]
    assert guest().see(guest().open(seats=alike)["id"])["seats"] == ["Ann", "\u0410nn 2", "Ann 3"]
    piled = [{"name": "A" + "\u0301\u200b" * 30 + "nn"}, {"name": "Nguyễn Hữu Thọ นำ้ กิ้"}]
    assert guest().see(guest().open(seats=piled)["id"])["seats"] == ["A" + "\u0301" * 5 + "nn", "Nguyễn Hữu Thọ นำ้ กิ้"]
    longest = [{"name": "\ufdfa" * 40}] * 3
    assert len(set(guest().see(guest().open(seats=longest)["id"])["seats"])) == 3


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"title": "monopoly", "seats": US},
        {"title": "wabash"},
        {"title": "wabash", "seats": US[:1]},
        {"title": "wabash", "seats": [{}] * 8},
        {"title": "wabash", "seats": [{}] * 9},
        {"title": "wabash", "seats": US, "options": {"detroit": "never"}},
        {"title": "wabash", "seats": US, "options": {"weather": "fine"}},
        {"title": "wabash", "seats": US, "options": {"detroit": "x" * 100}},
        {"title": "wabash", "seats": US, "options": {"detroit": 1}},
        {"title": "wabash", "seats": US, "colour": "red"},
        {"title": "wabash", "seats": [{"by": "telepathy"}] * 3},
        {"title": "wabash", "seats": [{"by": "bot", "level": "clever"}] * 3},
        {"title": "wabash", "seats": [{"name": "x" * 1000}] * 3},
        {"title": "wabash", "seats": [{"name": 7}] * 3},
        {"title": "wabash", "record": RECORD},
        {"record": "once upon a time"},
        {"record": "{"},
        {"record": "[" * 100_000},
        {"record": RECORD.replace("bid 12", "bid 1")},
        {"record": RECORD + "pass\n"},
        [],
    ],
)
def test_a_table_that_cannot_be_is_refused(guest: Guests, body: object) -> None:
    ann = guest()
    answer = ann.http.post("/api/tables", json=body)
    assert answer.status_code == 400, answer.text
    assert set(answer.json()) == {"error", "message", "table"}
    assert len(answer.text) < 1000
    assert ann.get("/api/tables") == []


# Attacks: each is refused with its own word and a sentence, changes nothing, and brings the fresh table


def attack(person: Person, id: str, status: int, code: str, **request: Any) -> Json:
    """A request that must be refused."""
    before, record = person.see(id), person.record(id)
    answer = person.http.post(f"/api/tables/{id}/{request.pop('to', 'act')}", **request)
    refusal: Json = answer.json()
    assert (answer.status_code, refusal["error"]) == (status, code), answer.text
    assert refusal["message"]
    assert refusal["table"] == before
    assert (person.see(id), person.record(id)) == (before, record)
    return refusal


@pytest.mark.parametrize(
    ("who", "seat", "seq", "action", "status", "code"),
    [
        (0, 0, 1, "bid 20", 403, "out_of_turn"),
        (0, 1, 1, "bid 20", 401, "not_your_seat"),
        (0, 9, 1, "bid 20", 404, "no_seat"),
        (1, 1, 0, "bid 20", 409, "stale"),
        (1, 1, 2, "bid 20", 409, "stale"),
        (0, 0, 0, "bid 12", 409, "done_already"),
        (1, 1, 1, "bid 3", 422, "illegal"),
        (1, 1, 1, "teleport", 400, "unknown"),
        (1, 1, 1, "", 400, "unknown"),
        (1, 1, 1, "\x00\u202e💥", 400, "unknown"),
        (1, 1, 1, "x" * 10_000, 400, "bad_request"),
    ],
)
def test_actions_that_are_refused(
    guest: Guests, who: int, seat: int, seq: int, action: str, status: int, code: str
) -> None:
    id, people, _ = three(guest)
    people[0].act(id, 0, 0, "bid 12")
    attack(people[who], id, status, code, json={"seat": seat, "seq": seq, "action": action})


def test_strangers_can_look_and_do_nothing(guest: Guests) -> None:
    id, _, _ = three(guest)
    for stranger in (guest(), guest("x"), guest("a" * 24), guest("'; drop table entries; --")):
        assert stranger.see(id)["mine"] == []
        assert not stranger.see(id)["yours"]
        attack(stranger, id, 401, "not_your_seat", json={"seat": 0, "seq": 0, "action": "bid 12"})
        attack(stranger, id, 401, "not_your_seat", to="undo", json={"seat": 0, "seq": 0})
        attack(stranger, id, 401, "not_your_seat", to="redo", json={"seat": 0, "seq": 0})
        attack(stranger, id, 401, "not_your_seat", to="answer", json={"seat": 0, "seq": 0, "agree": True})
        attack(stranger, id, 403, "not_host", to="seats/0", json={"level": "random"})


def test_wrong_keys_open_no_seat(guest: Guests) -> None:
    id, _, opened = three(guest)
    key = opened["links"][1].rpartition("/")[2]
    for wrong in ("x", key[:-1], key + "x", "%FF%00", "ключ", "x" * 5000):
        stranger = guest()
        assert stranger.http.get(f"/join/{id}/{wrong}").status_code == 404
        assert stranger.see(id)["mine"] == []


def test_secrets_are_shown_to_nobody(guest: Guests) -> None:
    id, people, opened = three(guest)
    stranger = guest()
    shown = "".join(
        stranger.http.get(path).text for path in (f"/api/tables/{id}", f"/t/{id}", f"/api/tables/{id}/record.json")
    )
    for secret in (opened["person"], *(link.rpartition("/")[2] for link in opened["links"][1:])):
        assert secret not in shown
    assert people[1].see(id)["mine"] == [1]


GARBAGE = [
    b"",
    b"null",
    b"[]",
    b"{",
    b'{"seat":',
    b"\xff\xfe\x00",
    b'{"seat":0,"seq":0}',
    b'{"seat":"0","seq":0,"action":"pass"}',
    b'{"seat":true,"seq":0,"action":"pass"}',
    b'{"seat":0.5,"seq":0,"action":"pass"}',
    b'{"seat":0,"seq":1e400,"action":"pass"}',
    b'{"seat":0,"seq":' + b"9" * 5000 + b',"action":"pass"}',
    b'{"seat":0,"seq":0,"action":["pass"]}',
    b'{"seat":0,"seq":0,"action":"\\ud800"}',
    b'{"seat":0,"seq":0,"action":"pass","\\ud800":1}',
    b'{"seat":0,"seq":0,"action":"pass","more":1}',
    b"[" * 100_000,
]


@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_garbage(guest: Guests, body: bytes) -> None:
    id, (ann, *_), _ = three(guest)
    attack(ann, id, 400, "bad_request", content=body, headers={"content-type": "application/json"})


def test_huge_bodies(guest: Guests) -> None:
    id, (ann, *_), _ = three(guest)
    kind = {"content-type": "application/json"}
    attack(ann, id, 413, "too_large", content=b" " * (MOST_BYTES + 1), headers=kind)
    parts = (b" " * 50_000 for _ in range(20))  # without a length, part by part
    attack(ann, id, 413, "too_large", content=parts, headers=kind)


def test_forms_of_other_sites(guest: Guests) -> None:
    id, (ann, *_), _ = three(guest)
    body = json.dumps({"seat": 0, "seq": 0, "action": "bid 12"})
    attack(ann, id, 415, "not_json", content=body, headers={"content-type": "text/plain"})
    attack(ann, id, 415, "not_json", data={"seat": "0", "seq": "0", "action": "bid 12"})


def test_unknown_tables_and_places(guest: Guests) -> None:
    ann = guest()
    for path in ("x", "x" * 5000, "..%2f..%2fetc", "%00", "%F0%9F"):
        for rest in ("", "/record.txt", "/events", "/at/0", "/effect?action=pass"):
            answer = ann.http.get(f"/api/tables/{path}{rest}")
            assert answer.status_code == 404, answer.text
            assert answer.json()["table"] is None
    assert ann.http.get("/api/nothing").json()["error"] == "not_found"
    assert ann.http.delete("/api/tables").json()["error"] == "wrong_method"
    id = ann.open()["id"]
    assert ann.http.get(f"/api/tables/{id}/at/{'9' * 30}").status_code == 404
    assert ann.http.get(f"/api/tables/{id}/at/{'9' * 5000}").status_code == 400
    assert ann.http.get(f"/api/tables/{id}/at/x").status_code == 400


def test_double_clicks_over_the_network(guest: Guests) -> None:
    id, (ann, *_), _ = three(guest)

    def click(_: int) -> int:
        with httpx.Client(base_url=ann.http.base_url, cookies=ann.http.cookies) as browser:
            body = {"seat": 0, "seq": 0, "action": "bid 12"}
            return browser.post(f"/api/tables/{id}/act", json=body).status_code

    with ThreadPoolExecutor(8) as pool:
        codes = sorted(pool.map(click, range(8)))
    assert codes == [200] + [409] * 7
    assert ann.see(id)["seq"] == 1


def test_what_the_disk_does_not_take_is_not_acknowledged(guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    id, (ann, *_), _ = three(guest)
    fail_writes(monkeypatch)
    assert ann.act(id, 0, 0, "bid 12", 503)["error"] == "busy"
    monkeypatch.undo()
    assert ann.see(id)["seq"] == 0
    assert ann.act(id, 0, 0, "bid 12")["seq"] == 1


def test_every_answer_keeps_strange_code_out(guest: Guests) -> None:
    ann = guest()
    for answer in (ann.http.get("/api/titles"), ann.http.get("/nowhere"), ann.http.post("/api/tables", content=b"{")):
        assert "script-src 'self'" in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
