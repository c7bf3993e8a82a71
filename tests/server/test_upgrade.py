"""A database of an earlier release opens, and every game continues where people left it; see releases/make.py."""

from __future__ import annotations

import gzip
import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

import cuberails
from tests.server.house import Guests, House, Json, Person, served, until

RELEASES = Path(__file__).parent / "releases"


@pytest.fixture(scope="module", params=sorted(file.stem for file in RELEASES.glob("*.json")))
def said(request: pytest.FixtureRequest) -> list[Json]:
    """What the server of a release said about its tables."""
    text = (RELEASES / f"{request.param}.json").read_text("utf-8")
    return [{**table, "release": request.param} for table in json.loads(text)]


@pytest.fixture(scope="module")
def house(said: list[Json], tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """The present server on the database of that release."""
    file = tmp_path_factory.mktemp("release") / "tables.db"
    file.write_bytes(gzip.decompress((RELEASES / f"{said[0]['release']}.db.gz").read_bytes()))
    with served(file) as house:
        yield house


def test_the_five_first_titles_are_there_in_progress(said: list[Json]) -> None:
    titles = {table["record"]["title"] for table in said if table["story"] == "in progress" and not table["over"]}
    assert titles >= {"wabash", "southern_rails", "gmo", "baltimore_ohio", "credit_mobilier"}


def test_tables_stand_where_they_stood(said: list[Json], guest: Guests) -> None:
    for then in _those_without_bots(said):
        now = guest(then["person"]).see(then["id"])
        assert (now["seq"], now["status"]["actor"]) == (then["seq"], then["actor"])
        assert now["legal"] == then["legal"]
        assert now["help"] is True  # as there was before it could be switched off
        record = _record(guest(), then["id"])
        assert record["options"].items() >= then["record"]["options"].items()  # a title may have got new ones since
        assert record == then["record"] | {"options": record["options"]}


def test_a_table_is_what_its_record_says(said: list[Json], guest: Guests) -> None:
    for then in _those_without_bots(said):
        now = guest(then["person"]).see(then["id"])
        state = cuberails.read(json.dumps(then["record"])).state
        assert now["legal"] == [action.text for action in state.legal_actions()]
        assert now["scores"] == state.scores()
        assert now["prompt"] == state.prompt


def test_a_request_to_go_back_still_waits_for_its_answer(said: list[Json], guest: Guests) -> None:
    then = _told(said, "asked to go back")
    cy = guest(then["keys"][2])
    now = cy.see(then["id"])
    asked = now["status"]["asked"]
    assert (asked["seat"], asked["to"], asked["yours"]) == (0, 12, True)
    assert asked["words"].startswith("Ann wants to take back: Bob: bid 6, Ann: develop nothing")
    now = cy.post(f"/api/tables/{then['id']}/answer", {"seat": 2, "seq": now["seq"], "agree": True})
    assert now["count"] == 12


def test_a_browser_is_known_by_its_cookie_and_gets_one_that_the_server_signed(said: list[Json], guest: Guests) -> None:
    old = {"Cookie": f"cuberails_person={said[0]['person']}"}
    browser = guest()
    new = browser.http.get("/", headers=old).cookies["cuberails_person"]
    assert said[0]["person"] not in new
    ids = {table["id"] for table in guest(new).get("/api/tables")}
    assert ids == {table["id"] for table in guest(said[0]["person"]).get("/api/tables")} >= {said[0]["id"]}
    table = guest(new).open(seats=[{}, {}])
    assert guest(said[0]["person"]).see(table["id"])["mine"] == [0, 1]  # it is the same person


def test_links_of_seats_still_work_and_the_host_is_shown_some_that_do(said: list[Json], guest: Guests) -> None:
    then = _told(said, "asked to go back")
    assert "A seat for" in guest().http.get(f"/join/{then['id']}/{then['keys'][1]}").text
    page = guest(then["person"]).http.get(f"/t/{then['id']}").text
    links = sorted(set(re.findall(rf"/join/{then['id']}/[\w-]+", page)))
    assert len(links) == 2
    assert {tuple(guest.with_link(link).see(then["id"])["mine"]) for link in links} == {(1,), (2,)}


def test_a_bot_that_was_waited_for_decides(said: list[Json], guest: Guests) -> None:
    then = _told(said, "waits for a bot")
    ann = guest(then["person"])
    until(lambda: ann.see(then["id"])["seq"] > then["seq"])


def test_every_game_continues(said: list[Json], guest: Guests) -> None:
    for then in said:
        if then["story"] == "in progress":
            person = guest(then["person"])
            now = _play(person, then["id"], 30)
            record = _record(person, then["id"])
            before = then["record"]["actions"]
            assert record["actions"][: len(before)] == before
            assert len(record["actions"]) >= len(before) + 30 or now["status"]["over"]
            state = cuberails.read(json.dumps(record)).state
            assert now["scores"] == state.scores()
            assert now["legal"] == [action.text for action in state.legal_actions()]


def _those_without_bots(said: list[Json]) -> list[Json]:
    return [table for table in said if table["story"] in ("in progress", "finished")]


def _told(said: list[Json], story: str) -> Json:
    return next(table for table in said if table["story"] == story)


def _record(person: Person, id: str) -> Any:
    return person.get(f"/api/tables/{id}/record.json")


def _play(person: Person, id: str, actions: int) -> Json:
    dice, seen = Random(id), person.see(id)
    while actions and not seen["status"]["over"]:
        seen = person.act(id, seen["status"]["actor"], seen["seq"], dice.choice(seen["legal"]))
        actions -= 1
    return seen
