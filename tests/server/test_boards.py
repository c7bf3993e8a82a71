"""Boards of one's own at tables: opened, stored, shown, recorded and searched; bad ones change nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

import cuberails
from cuberails.core.boardfile import BoardError
from cuberails.server.requests import TableRequest
from cuberails.titles import load, read_board
from tests.server.house import US, Guests, Hall, Json, Person, Still, act, hall, opened_by, served, until

Quiet = tuple[Hall, Still]
BUILT_IN = load("wabash").board
RICH = BUILT_IN.text.replace("money = 120", "money = 600").replace(BUILT_IN.name, "Rich barons")
"""A board of Wabash Cannonball on which everybody is five times as rich."""


def money(seen: Json) -> list[int]:
    return list(seen["scores"])


def test_a_table_on_a_board_of_ones_own(guest: Guests) -> None:
    ann = guest()
    seen = ann.see(ann.post("/api/tables", {"board": RICH, "seats": US}, 201)["id"])
    assert (seen["title"], money(seen)) == ("wabash", [200, 200, 200])
    assert (seen["board"]["name"], seen["board"]["built_in"]) == ("Rich barons", False)
    page = ann.http.get(f"/t/{seen['id']}").text
    assert "own board: Rich barons" in page
    assert BUILT_IN.provenance.note in page
    assert ann.http.get(f"/api/tables/{seen['id']}/board.toml").text == RICH
    text = ann.http.get(f"/t/{seen['id']}/text").text
    assert text.startswith("Own board: Rich barons\n")
    assert "$200" in text


def test_the_built_in_board_is_not_called_an_own_one(guest: Guests) -> None:
    ann = guest()
    seen = ann.see(ann.open()["id"])
    assert seen["board"]["built_in"]
    assert "own board" not in ann.http.get(f"/t/{seen['id']}").text


def test_title_and_board_must_agree(guest: Guests) -> None:
    ann = guest()
    ann.open(board=RICH)
    refusal = ann.post("/api/tables", {"title": "gmo", "board": RICH, "board_file": "own.toml", "seats": US}, 422)
    assert refusal["error"] == "bad_board"
    assert refusal["message"].startswith("own.toml, title: is 'wabash', for Wabash Cannonball")


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_the_built_in_boards_can_be_downloaded_and_played_on(guest: Guests, key: str) -> None:
    ann = guest()
    file = ann.http.get(f"/api/titles/{key}/board.toml")
    assert file.headers["content-disposition"] == f'attachment; filename="{key}.toml"'
    seen = ann.see(ann.post("/api/tables", {"board": file.text, "seats": US}, 201)["id"])
    assert (seen["title"], seen["board"]["built_in"]) == (key, True)


def test_a_board_can_be_checked_before_it_is_used(guest: Guests) -> None:
    ann = guest()
    board = ann.post("/api/boards", {"board": RICH})
    assert (board["title"], board["name"], board["built_in"]) == ("wabash", "Rich barons", False)
    assert board["options"] == {name: list(values) for name, values in BUILT_IN.options.items()}
    assert board["digest"] == read_board("own.toml", RICH).digest


BAD = {
    "a wrong value": RICH.replace("cubes = 21", "cubes = 0"),
    "a missing entry": RICH.replace("money = 600", ""),
    "no TOML": "once upon a time",
    "another game": RICH.replace('"wabash"', '"monopoly"'),
    "a zero byte": RICH + "\0",
    "deep lists": "a = " + "[" * 40_000,
    "a name of many parts": "a" + ".a" * 40_000 + " = 1",
    "a huge map": RICH.replace('map = """', 'map = """\n' + "A " * 40_000),
    "too long": RICH + "#" * 200_000,
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_board_gets_its_own_sentence_everywhere_and_changes_nothing(guest: Guests, name: str) -> None:
    ann = guest()
    with pytest.raises(BoardError) as error:
        read_board("own.toml", BAD[name])
    for path, body in (("/api/boards", {}), ("/api/tables", {"seats": US}), ("/api/tables", {"title": "wabash"})):
        refusal = ann.post(path, {"board": BAD[name], "board_file": "own.toml", **body}, 422)
        assert (refusal["error"], refusal["message"]) == ("bad_board", str(error.value))
    assert ann.get("/api/tables") == []


def test_a_board_of_ten_megabytes_is_too_large_a_request(guest: Guests) -> None:
    refusal = guest().post("/api/tables", {"board": "#" * 10_000_000, "seats": US}, 413)
    assert refusal["error"] == "too_large"


def test_a_record_carries_its_board_and_opens_a_table_on_it(guest: Guests) -> None:
    ann = guest()
    id = ann.post("/api/tables", {"board": RICH, "seats": [{}] * 3}, 201)["id"]
    ann.act(id, 0, 0, "bid 150")
    for record in (ann.record(id), ann.http.get(f"/api/tables/{id}/record.json").text):
        again = ann.see(ann.post("/api/tables", {"record": record}, 201)["id"])
        assert (again["board"]["name"], again["count"]) == ("Rich barons", 1)
        assert again["legal"][0] == "bid 151"
    fork = ann.see(ann.post("/api/tables", {"fork": id, "at": 0}, 201)["id"])
    assert (fork["board"]["name"], money(fork)) == ("Rich barons", [200, 200, 200])


def test_bots_and_hints_play_on_that_board(guest: Guests) -> None:
    ann = guest()
    seats = [{}, {"by": "bot", "level": "greedy"}, {"by": "bot", "level": "greedy"}]
    id = ann.post("/api/tables", {"board": RICH, "seats": seats, "seating": "listed"}, 201)["id"]
    ann.act(id, 0, 0, "bid 199")
    until(lambda: ann.see(id)["seq"] >= 3, 60)
    hint(ann, ann.post("/api/tables", {"board": RICH, "seats": US, "seating": "listed"}, 201)["id"])


def hint(person: Person, id: str) -> None:
    ideas = person.get(f"/api/tables/{id}/hint")["ideas"]
    assert {idea["action"] for idea in ideas} <= set(person.see(id)["legal"])


def rich_table(tables: Hall) -> str:
    seats = [{"name": name, "by": "link"} for name in ("Ann", "Bob", "Cy")]
    return opened_by(tables, TableRequest.model_validate({"board": RICH, "seats": seats})).id


def test_a_table_is_read_again_on_its_own_board_even_if_a_newer_board_is_built_in(quiet: Quiet, tmp_path: Path) -> None:
    id = rich_table(quiet[0])
    usual = opened_by(quiet[0], TableRequest.model_validate({"title": "wabash", "seats": [{}] * 3})).id
    act(quiet[0].find(id), [0], 0, 0, "bid 150")
    assert quiet[0].store.board_text(BUILT_IN.digest) == BUILT_IN.text
    load("wabash")._board = read_board("newer.toml", RICH)
    try:
        with hall(tmp_path / "quiet.db") as (other, _):
            assert other.find(usual).game.board.text == BUILT_IN.text
            assert other.find(usual).state.scores() == [40, 40, 40]
            assert other.find(id).state.legal_actions()[0].text == "bid 151"
    finally:
        load("wabash")._board = BUILT_IN


def test_a_board_is_stored_once_for_all_tables(quiet: Quiet) -> None:
    for _ in range(3):
        rich_table(quiet[0])
    with quiet[0].store.engine.connect() as connection:
        assert connection.exec_driver_sql("select count(*) from boards").scalar() == 1


def test_a_bot_worker_gets_the_board_with_the_question(quiet: Quiet) -> None:
    question = quiet[0].find(rich_table(quiet[0])).question("hard")
    assert question.position().board.name == "Rich barons"


def test_tables_from_before_boards_were_stored_play_on_the_built_in_one(quiet: Quiet, tmp_path: Path) -> None:
    id = opened_by(quiet[0], TableRequest.model_validate({"title": "wabash", "seats": [{}] * 3})).id
    with quiet[0].store.engine.begin() as connection:
        connection.exec_driver_sql("update tables set board = ''")
    with hall(tmp_path / "quiet.db") as (other, _):
        assert other.find(id).game.board is BUILT_IN


def test_boards_of_the_server_are_offered_beside_the_built_in_ones(tmp_path: Path) -> None:
    rich = read_board("own.toml", RICH)
    with served(tmp_path / "offers.db", [rich]) as house:
        ann = Person(house.address)
        boards = {title["key"]: [board["name"] for board in title["boards"]] for title in ann.get("/api/titles")}
        assert boards["wabash"] == [BUILT_IN.name, "Rich barons"]
        assert boards["gmo"] == [load("gmo").board.name]
        seen = ann.see(ann.open(board=rich.digest)["id"])
        assert (seen["board"]["name"], money(seen)) == ("Rich barons", [200, 200, 200])
        assert ann.http.get(f"/api/boards/{rich.digest}.toml").text == RICH
        assert ann.http.get(f"/api/boards/{'0' * 64}.toml").json()["error"] == "no_board"
        assert ann.post("/api/tables", {"title": "gmo", "board": rich.digest, "seats": US}, 422)["error"] == "bad_board"
        ann.http.close()
