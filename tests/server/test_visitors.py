"""Nothing that one visitor can break: who people are, and what they may do to others."""

from __future__ import annotations

import json
import sqlite3
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

import cuberails
from cuberails.core.game import MOST_ACTIONS
from cuberails.core.title import SetupError
from cuberails.server.app import create_app
from cuberails.server.limits import LOOKING
from cuberails.server.settings import Settings
from tests.server.house import Guests, House, served

RECORDS = Path(__file__).parent.parent / "records" / "wabash"

PASSES = "cuberails 1\ntitle: baltimore_ohio\nseat: Ann\nseat: Bob\nseat: Cy\n\norder 0 1 2\n"
"""In Baltimore & Ohio everybody may pass for ever."""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "tables.db"


@pytest.fixture
def fresh(file: Path) -> Iterator[House]:
    """A server of its own, behind a proxy that is believed."""
    with served(file, trusted_proxies=("127.0.0.1",)) as house:
        yield house


@pytest.fixture
def visitor(fresh: House) -> Iterator[Guests]:
    guests = Guests(fresh.address)
    yield guests
    guests.leave()


# Links and seats


def test_what_shows_a_preview_of_a_link_takes_no_seat(guest: Guests) -> None:
    opened = guest().open()
    preview = guest()
    page = preview.http.get(opened["links"][1])
    assert page.status_code == 200
    assert "A seat for Bob" in page.text
    assert preview.see(opened["id"])["mine"] == []
    assert "set-cookie" not in page.headers


def test_a_seat_is_taken_by_the_button_and_then_the_link_leads_to_the_table(guest: Guests) -> None:
    opened = guest().open()
    bob = guest()
    taken = bob.http.post(opened["links"][1])
    assert (taken.status_code, taken.headers["location"]) == (303, f"/t/{opened['id']}")
    assert bob.see(opened["id"])["mine"] == [1]
    again = bob.http.get(opened["links"][1])
    assert (again.status_code, again.headers["location"]) == (303, f"/t/{opened['id']}")
    assert "taken this seat already" in guest().http.get(opened["links"][1]).text


@pytest.mark.parametrize("site", ["cross-site", "same-site"])
def test_no_other_site_takes_a_seat_for_somebody(guest: Guests, site: str) -> None:
    opened = guest().open()
    answer = guest().http.post(opened["links"][1], headers={"Sec-Fetch-Site": site})
    assert answer.status_code == 403
    assert guest().http.get(opened["links"][1]).text.count("taken this seat") == 0


def test_a_link_is_not_for_a_crowd(guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.pages.MOST_CLAIMS", 3)
    opened = guest().open()
    for _ in range(3):
        guest.with_link(opened["links"][1])
    refusal = guest().http.post(opened["links"][1])
    assert refusal.status_code == 403
    assert "no room for more" in refusal.text
    guest.with_link(opened["links"][2])


# Who people are


def test_nobody_chooses_who_they_are(guest: Guests) -> None:
    chosen = "chosen-by-the-visitor-1"
    for headers in ({"Cookie": f"cuberails_person={chosen}"}, {"Authorization": f"Bearer {chosen}"}):
        somebody = guest()
        opened = somebody.http.post("/api/tables", json={"title": "wabash", "seats": [{}, {}]}, headers=headers).json()
        assert chosen not in opened["person"]
        stranger = guest(chosen)
        assert stranger.see(opened["id"])["mine"] == []
        assert guest(opened["person"]).see(opened["id"])["mine"] == [0, 1]


def test_over_https_a_cookie_is_of_this_host_alone(visitor: Guests) -> None:
    ann = visitor()
    secure = {"X-Forwarded-Proto": "https"}
    cookie = ann.http.get("/", headers=secure).headers["set-cookie"]
    name, _, value = cookie.partition(";")[0].partition("=")
    assert name == "__Host-cuberails_person"
    assert "; Secure" in cookie
    assert "; Path=/" in cookie
    assert "domain" not in cookie.lower()
    table = {"title": "wabash", "seats": [{}, {}]}
    opened = ann.http.post("/api/tables", json=table, headers=secure | {"Cookie": f"{name}={value}"}).json()
    path = f"/api/tables/{opened['id']}"
    assert ann.http.get(path, headers=secure | {"Cookie": f"{name}={value}"}).json()["mine"] == [0, 1]
    tossed = ann.http.get(path, headers=secure | {"Cookie": f"cuberails_person={value}"})  # by a neighbour
    assert tossed.json()["mine"] == []


def test_the_database_holds_nothing_that_lets_anybody_in(visitor: Guests, file: Path) -> None:
    ann = visitor()
    opened = ann.open()
    bob = visitor.with_link(opened["links"][1])
    program = visitor(opened["links"][2].rpartition("/")[2])
    program.http.post(f"/api/tables/{opened['id']}/act", json={"seat": 2, "seq": 0, "action": "pass"})
    secrets = [opened["person"], bob.http.cookies["cuberails_person"]]
    secrets += [link.rpartition("/")[2] for link in opened["links"] if link]
    with closing(sqlite3.connect(file)) as database:
        stored = "\n".join(database.iterdump())
        claims = dict(database.execute("SELECT seat, person FROM claims").fetchall())
    assert set(claims) == {0, 1, 2}
    assert not [secret for secret in secrets if secret in stored]
    for name in claims.values():
        assert visitor(name).see(opened["id"])["mine"] == []


def test_the_files_of_the_server_are_its_owners_alone(fresh: House, file: Path) -> None:
    modes = {each.name: stat.S_IMODE(each.stat().st_mode) for each in file.parent.iterdir()}
    assert {name for name in modes if not name.endswith(("-wal", "-shm"))} == {"tables.db", "tables.db.key"}
    assert set(modes.values()) == {0o600}


def test_the_host_is_shown_the_links_again(guest: Guests) -> None:
    ann = guest()
    opened = ann.open()
    page = ann.http.get(opened["page"]).text
    assert all(link in page for link in opened["links"])
    assert not any(link and link in guest().http.get(opened["page"]).text for link in opened["links"])


# Limits


def test_looking_ahead_has_a_limit(visitor: Guests) -> None:
    ann = visitor()
    id = ann.open(seats=[{}, {}])["id"]
    far = {"X-Forwarded-For": "203.0.113.5"}
    paths = [f"/api/tables/{id}/effect?action=pass", f"/api/tables/{id}/at/0", f"/api/tables/{id}/news"]
    statuses = [ann.http.get(paths[n % 3], headers=far).status_code for n in range(3 * LOOKING.burst)]
    assert statuses[: LOOKING.burst] == [200] * LOOKING.burst
    assert 429 in statuses


def test_a_record_of_passes_without_end_is_refused(guest: Guests) -> None:
    record = PASSES + "pass\n" * 59_400
    refusal = guest().post("/api/tables", {"record": record}, 400)
    assert f"{MOST_ACTIONS} are the most" in refusal["message"]


def test_hundreds_of_tables_opened_at_once(guest: Guests) -> None:
    people = [guest() for _ in range(8)]
    with ThreadPoolExecutor(8) as pool:
        opened = list(pool.map(lambda n: people[n % 8].open(seats=[{}, {}])["id"], range(320)))
    assert len(set(opened)) == 320
    assert people[0].see(opened[0])["seq"] == 0


def test_nobody_opens_tables_without_end(guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of those that are not over; what to do is said, and doing it helps."""
    monkeypatch.setattr("cuberails.server.opening.MOST_UNFINISHED", 3)
    ann, record = guest(), (RECORDS / "2-players-greedy.txt").read_text("utf-8")
    game = cuberails.read(record)
    last = {"record": record, "at": game.count - 1, "seats": [{"name": name} for name in game.seats]}
    id = ann.post("/api/tables", last, 201)["id"]
    ann.post("/api/tables", {"record": record}, 201)  # a finished game
    for _ in range(2):
        ann.open(seats=[{}, {}])
    refusal = ann.post("/api/tables", {"title": "wabash", "seats": [{}, {}]}, 403)
    assert refusal["error"] == "too_many_tables"
    assert "Finish one of them first" in refusal["message"]
    guest().open(seats=[{}, {}])  # others are not concerned
    step = game.steps[-1]
    ann.act(id, step.seat, 0, step.action.text)
    ann.open(seats=[{}, {}])


def test_numbers_of_thousands_of_digits_are_refused(guest: Guests) -> None:
    digits = "9" * 5000
    ann = guest()
    refusal = ann.post("/api/tables", {"record": json.dumps({"cuberails": 1})[:-2] + digits + "}"}, 400)
    assert "cannot be read" in refusal["message"]
    id = ann.open(seats=[{}, {}])["id"]
    for path in ("/api/tables", f"/api/tables/{id}/act", f"/api/tables/{id}/undo"):
        body = '{"seat": 0, "action": "pass", "seq": ' + digits + "}"
        answer = ann.http.post(path, content=body, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400, answer.text


# A damaged database


@contextmanager
def changed(file: Path) -> Iterator[sqlite3.Connection]:
    """The database, to be damaged while no server uses it."""
    with closing(sqlite3.connect(file)) as database, database:
        yield database


@contextmanager
def visited(file: Path) -> Iterator[Guests]:
    """A server on this database, and people who come to it."""
    with served(file) as house:
        guests = Guests(house.address)
        yield guests
        guests.leave()


DAMAGE = {
    "a title that is not installed": "UPDATE tables SET title = 'nonsense'",
    "a newer form of seats": """UPDATE tables SET seats = '[{"who": "Ann"}, {"who": "Bob"}]'""",
    "no seats": "UPDATE tables SET seats = '[]'",
    "no options": "UPDATE tables SET options = 'x'",
    "newer rules": "UPDATE tables SET rules = 99",
    "a newer kind of entry": "UPDATE entries SET kind = 'dance'",
    "an action that is not legal": "UPDATE entries SET text = 'bid 100'",
    "a step to nowhere": "UPDATE entries SET kind = 'undo', text = '77'",
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_a_table_that_cannot_be_read_is_a_sentence_and_others_are_not_concerned(file: Path, damage: str) -> None:
    with visited(file) as visitor:
        ann = visitor()
        id = ann.open(seats=[{}, {}])["id"]
        ann.act(id, 0, 0, "bid 9")
        token = ann.http.cookies["cuberails_person"]
    with changed(file) as database:
        database.execute(DAMAGE[damage])
    with visited(file) as visitor:
        ann = visitor(token)
        for path in (f"/api/tables/{id}", f"/t/{id}", f"/api/tables/{id}/record.txt", f"/api/tables/{id}/events"):
            answer = ann.http.get(path)
            assert answer.status_code == 410, answer.text
            assert "cannot be read" in answer.text
        assert ann.http.get("/").status_code == 200
        other = ann.open(seats=[{}, {}])["id"]
        assert ann.act(other, 0, 0, "bid 9")["seq"] == 1


def test_tables_of_a_newer_version_are_left_alone(file: Path) -> None:
    with served(file):
        pass
    with changed(file) as database:
        database.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(SetupError, match="saved by a newer version of cuberails"):
        create_app(Settings(database=str(file)))


def test_while_the_database_is_locked_the_server_is_there(visitor: Guests, file: Path) -> None:
    """60 people open tables meanwhile; none of them keeps others from seeing theirs, or /health from answering."""
    ann = visitor()
    id = ann.open(seats=[{}, {}])["id"]
    people = [visitor() for _ in range(60)]
    with closing(sqlite3.connect(file, isolation_level=None)) as other, ThreadPoolExecutor(60) as pool:
        other.execute("BEGIN IMMEDIATE")
        opening = [pool.submit(person.open, seats=[{}, {}]) for person in people]
        for _ in range(20):
            assert ann.http.get("/health").status_code == 200
            assert ann.see(id)["seq"] == 0
        assert not any(future.done() for future in opening)  # they wait still, and so nothing waited for them
        other.execute("ROLLBACK")
        assert len({future.result()["id"] for future in opening}) == 60
