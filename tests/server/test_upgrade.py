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
from sqlalchemy import MetaData, create_engine, make_url, select

import cuberails
from cuberails.server.identity import Identities
from cuberails.server.store import migrate
from tests.server.house import Guests, House, Json, Person, served, until
from tests.server.postgres import Postgres
from tests.server.releases.make import SECRET

RELEASES = Path(__file__).parent / "releases"
PEOPLE = Identities(SECRET.encode())


@pytest.fixture(
    scope="module",
    params=[(file.stem, kind) for file in sorted(RELEASES.glob("*.json")) for kind in ("sqlite", "postgresql")],
    ids=" on ".join,
)
def release(request: pytest.FixtureRequest) -> tuple[str, str]:
    """A release, and the kind of database that its tables are in."""
    found: tuple[str, str] = request.param
    return found


@pytest.fixture(scope="module")
def said(release: tuple[str, str]) -> list[Json]:
    """What the server of a release said about its tables; the people come back today."""
    text = (RELEASES / f"{release[0]}.json").read_text("utf-8")
    return [{**table, "person": _comes_back(table["person"])} for table in json.loads(text)]


@pytest.fixture(scope="module")
def house(
    release: tuple[str, str], request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[House]:
    """The present server on the database of that release."""
    with served(_database(release, request, tmp_path_factory.mktemp("release")), secret=SECRET) as house:
        yield house


def _database(release: tuple[str, str], request: pytest.FixtureRequest, room: Path) -> str:
    """A copy of the database of a release."""
    file = room / "tables.db"
    file.write_bytes(gzip.decompress((RELEASES / f"{release[0]}.db.gz").read_bytes()))
    if release[1] == "sqlite":
        return str(file)
    postgres: Postgres = request.getfixturevalue("postgres")
    database = postgres.new_database()
    _copy(file, database)
    return database


def _comes_back(token: str) -> str:
    """What somebody shows today; release 0.1 had cookies without a date."""
    person, dot, _ = token.partition(".")
    return PEOPLE.token(person) if dot else token


def _copy(file: Path, database: str) -> None:
    """Make the same database on PostgreSQL, in the form in which the release has it."""
    old, new = (
        create_engine(f"sqlite:///{file}"),
        create_engine(make_url(database).set(drivername="postgresql+psycopg")),
    )
    form = MetaData()
    with old.connect() as source:
        migrate(new, source.exec_driver_sql("SELECT version_num FROM alembic_version").scalar_one())
        form.reflect(new)
        with new.begin() as target:
            for table in (each for each in form.sorted_tables if each.name != "alembic_version"):
                rows = [dict(row) for row in source.execute(select(table)).mappings()]
                if rows:
                    target.execute(table.insert(), rows)
    old.dispose()
    new.dispose()


def test_the_five_first_titles_are_there_in_progress(said: list[Json]) -> None:
    titles = {table["record"]["title"] for table in said if table["story"] == "in progress" and not table["over"]}
    assert titles >= {"wabash", "southern_rails", "gmo", "baltimore_ohio", "credit_mobilier"}


def test_tables_stand_where_they_stood(said: list[Json], guest: Guests) -> None:
    for then in _those_without_bots(said):
        now = guest(then["person"]).see(then["id"])
        assert (now["seq"], now["status"]["actor"]) == (then["seq"], then["actor"])
        assert now["legal"] == then["legal"]
        assert now["help"] is (then["story"] != "without help")  # as there was before it could be switched off
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
    assert asked["words"].startswith("Ann wants to take back: ")
    assert f": {then['record']['actions'][12]}, " in asked["words"]
    now = cy.post(f"/api/tables/{then['id']}/answer", {"seat": 2, "seq": now["seq"], "agree": True})
    assert now["count"] == 12


def test_a_browser_is_known_by_its_cookie_and_gets_one_that_the_server_signed(said: list[Json], guest: Guests) -> None:
    old = {"Cookie": f"cuberails_person={said[0]['person']}"}
    browser = guest()
    new = browser.http.get("/", headers=old).cookies["cuberails_person"]
    assert new == PEOPLE.token(PEOPLE.who(said[0]["person"]))
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


def test_what_people_said_and_noted_is_there(said: list[Json], guest: Guests) -> None:
    for then in (table for table in said if table["story"] == "without help"):
        assert [line["text"] for line in guest().get(f"/api/tables/{then['id']}/chat")] == ["A good game to all!"]
        assert guest(then["person"]).get(f"/api/tables/{then['id']}/notes") == {"text": "Bob likes red."}
        assert guest().get(f"/api/tables/{then['id']}/notes") == {"text": ""}


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
    return [table for table in said if table["story"] in ("in progress", "finished", "without help")]


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


def test_who_played_then_brings_all_into_an_account_and_can_delete_it(
    release: tuple[str, str], said: list[Json], request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    with served(_database(release, request, tmp_path), secret=SECRET) as house:
        ann, then = Person(house.address), _told(said, "in progress")
        ann.http.cookies.set("cuberails_person", then["person"])
        own = {table["id"] for table in ann.get("/api/tables")}
        ann.post("/api/account/password/sign-up", {"name": "Ann", "password": "a long password"})
        assert {table["id"] for table in ann.get("/api/tables")} == own >= {then["id"]}
        seats = ann.see(then["id"])["mine"]
        assert seats == list(range(len(then["record"]["seats"])))
        exported = ann.get("/api/account/export")
        assert {claim["table_id"] for claim in exported["claims"]} == own
        ann.post("/api/account/delete", {"name": "Ann"})
        record = ann.record(then["id"])
        assert cuberails.read(record).count == len(then["record"]["actions"])
        assert "Ann" not in record
        ann.http.close()
