"""Analyses of finished games: started by people, worked off in the background, kept, and resumed."""

from __future__ import annotations

import asyncio
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

import cuberails
from cuberails.bots import analysis
from cuberails.bots.analysis import Analyst, Budget
from cuberails.bots.decision import VERDICTS
from cuberails.core.game import Game
from cuberails.core.state import NOBODY
from cuberails.server import analysing, seating
from cuberails.server.analysing import Analyses
from cuberails.server.analysis_view import analysis_file
from cuberails.server.club.accounts import Accounts
from cuberails.server.club.leaving import leave
from cuberails.server.club.lobby import Lobby
from cuberails.server.identity import Identities
from cuberails.server.naming import SOMEBODY
from cuberails.server.refusal import Refused
from cuberails.server.requests import TableRequest
from cuberails.server.settings import Settings
from cuberails.server.store import Store
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import Judging, question_at
from tests.server.house import Guests, Hall, Json, Person, Still, on_loop, opened_by, short_record, until
from tests.server.house import _loop as loop
from tests.server.judges import Judges, judged

RECORD = Path("tests/records/southern_rails/3-players-greedy.txt").read_text("utf-8")
DECISIONS = 90


@pytest.fixture(autouse=True)
def tiny(monkeypatch: pytest.MonkeyPatch) -> None:
    """Analyses that search next to nothing."""
    monkeypatch.setitem(analysis.BUDGETS, "quick", Budget("quick", 0, 1, 1))
    monkeypatch.setitem(analysis.BUDGETS, "deep", Budget("deep", 0, 2, 2))
    monkeypatch.setattr(analysing, "RETRY_AFTER", 0.02)


@contextmanager
def club(database: Path | str) -> Iterator[tuple[Hall, Analyses, Judges]]:
    """Tables without a server, and their analyses."""
    tables = Tables(Store(Settings(database=str(database)).database_url), Still(), 0, Identities(b"a secret"))
    judges = Judges()
    analyses = Analyses(tables, judges)

    async def start() -> None:
        tables.start()

    async def close() -> None:
        analyses.close()
        await tables.close()

    on_loop(loop(), start())
    try:
        yield Hall(tables), analyses, judges
    finally:
        on_loop(loop(), close())


def finished(tables: Hall) -> Table:
    """A table with a finished game."""
    return opened_by(tables, TableRequest(record=RECORD))


def progress(tables: Hall, analyses: Analyses, table: Table, budget: str = "quick") -> Json:
    found: Json = tables.run(analyses.progress(table))[budget]
    return found


def state(tables: Hall, analyses: Analyses, table: Table) -> str:
    word: str = progress(tables, analyses, table)["state"]
    return word


def test_an_analysis_is_worked_off_decision_by_decision_and_kept(database: str) -> None:
    with club(database) as (tables, analyses, judges):
        table = finished(tables)
        assert progress(tables, analyses, table) == {"state": "none", "done": 0, "total": DECISIONS}
        tables.run(analyses.start(table, "quick", "Ann"))
        judges.answer(3)
        until(lambda: progress(tables, analyses, table) == {"state": "running", "done": 3, "total": DECISIONS})
        assert analyses.running == 1
        judges.answer(DECISIONS - 3)
        until(lambda: state(tables, analyses, table) == "complete")
        until(lambda: analyses.running == 0)
        found = tables.run(analyses.found(table))
        assert found is not None
        assert (found.complete, len(found.decisions), found.budget) == (True, DECISIONS, "quick")
        tables.run(analyses.start(table, "quick", "Bob"))
        assert len(judges.asked) == DECISIONS  # nothing is done twice
    with club(database) as (tables, analyses, _):
        again = tables.run(analyses.found(tables.find(table.id)))
        assert again == found


def test_after_a_restart_in_the_middle_it_is_resumed_where_it_was(database: str) -> None:
    with club(database) as (tables, analyses, judges):
        table = finished(tables)
        tables.run(analyses.start(table, "quick", "Ann"))
        judges.answer(DECISIONS // 2)
        until(lambda: progress(tables, analyses, table)["done"] == DECISIONS // 2)
    with club(database) as (tables, analyses, judges):
        tables.run(analyses.resume())
        until(lambda: bool(judges.asked))
        first = len(judges.asked[0][0].actions)
        table = tables.find(table.id)
        kept = progress(tables, analyses, table)["done"]
        assert DECISIONS // 2 - DECISIONS // analysing.SAVED_PARTS <= kept <= DECISIONS // 2
        assert first > 0
        judges.answer(DECISIONS - kept)
        until(lambda: state(tables, analyses, table) == "complete")


def test_of_two_processes_one_works_and_the_other_takes_over_when_it_ends(postgres: Any) -> None:
    database = postgres.new_database()
    with club(database) as (tables, analyses, judges):
        with club(database) as (others, other_analyses, other_judges):
            table = finished(others)
            others.run(other_analyses.start(table, "quick", "Ann"))
            other_judges.answer(DECISIONS // 2)
            here = tables.find(table.id)
            tables.run(analyses.start(here, "quick", "Ann"))
            until(lambda: progress(tables, analyses, here)["done"] > 0)  # it follows what the other has kept
            assert judges.asked == []
        judges.answer(DECISIONS - progress(tables, analyses, here)["done"])
        until(lambda: state(tables, analyses, here) == "complete")


def test_two_requests_at_once_start_one_analysis(tmp_path: Path) -> None:
    with club(tmp_path / "tables.db") as (tables, analyses, judges):
        table = finished(tables)

        async def both() -> None:
            await asyncio.gather(analyses.start(table, "quick", "Ann"), analyses.start(table, "quick", "Bob"))

        tables.run(both())
        until(lambda: bool(judges.asked))
        assert (analyses.running, len(judges.asked)) == (1, 1)


def test_a_judge_that_fails_is_asked_again_and_in_the_end_a_person_can(tmp_path: Path) -> None:
    with club(tmp_path / "tables.db") as (tables, analyses, judges):
        table = finished(tables)
        tables.run(analyses.start(table, "quick", "Ann"))
        judges.fail()
        judges.answer(2)
        until(lambda: progress(tables, analyses, table)["done"] == 2)
        for _ in range(3):
            judges.fail()
        until(lambda: state(tables, analyses, table) == "failed")
        tables.run(analyses.start(table, "quick", "Ann"))
        until(lambda: state(tables, analyses, table) == "running")


def test_a_decision_that_takes_too_long_is_searched_less_until_it_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a slow machine an analysis would else end there for ever, however often somebody continues it."""
    monkeypatch.setitem(analysis.BUDGETS, "deep", Budget("deep", 0, 1200, 1200))
    with club(tmp_path / "tables.db") as (tables, analyses, judges):
        table = finished(tables)
        tables.run(analyses.start(table, "deep", "Ann"))
        for _ in range(5):
            judges.fail(TimeoutError("too long"))
        judges.answer(DECISIONS)
        until(lambda: progress(tables, analyses, table, "deep")["state"] == "complete")
        assert [work.simulations for _, work, _ in judges.asked[:7]] == [1200, 300, 75, 18, 4, 1, 1200]


def test_what_turned_out_otherwise_is_judged_in_hindsight_at_last(tmp_path: Path) -> None:
    with club(tmp_path / "tables.db") as (tables, analyses, judges):
        table = finished(tables)
        tables.run(analyses.start(table, "quick", "Ann"))
        judges.answer(DECISIONS - 2)
        judges.answer_with(exact=False, after=[1.0, 0.0, 0.0])
        judges.answer_with(before=[0.0, 0.0, 1.0])
        until(lambda: len(judges.asked) > DECISIONS)
        question, work, _ = judges.asked[-1]
        assert work.hindsight
        assert state(tables, analyses, table) == "running"
        judges.answer_with(hindsight=True)
        until(lambda: state(tables, analyses, table) == "complete")
        found = tables.run(analyses.found(table))
        assert found is not None
        assert [each.at for each in found.decisions if each.hindsight] == [len(question.actions)]


def test_nobody_fills_the_queue_alone(tmp_path: Path) -> None:
    with club(tmp_path / "tables.db") as (tables, analyses, _):
        for _ in range(analysing.MOST_AT_ONCE):
            tables.run(analyses.start(finished(tables), "quick", "Ann"))
        with pytest.raises(Refused, match="are under way; wait for one of them"):
            tables.run(analyses.start(finished(tables), "quick", "Ann"))
        tables.run(analyses.start(finished(tables), "quick", "Bob"))


def test_a_game_that_was_taken_back_and_ended_otherwise_is_another_game(tmp_path: Path) -> None:
    with club(tmp_path / "tables.db") as (tables, analyses, judges):
        table = finished(tables)
        tables.run(analyses.start(table, "quick", "Ann"))
        judges.answer(DECISIONS)
        until(lambda: state(tables, analyses, table) == "complete")
        tables.run(rename(table))
        assert state(tables, analyses, table) == "complete"
        table.history.game = other_end(table.game)
        table._rendered.clear()
        assert state(tables, analyses, table) == "none"
        assert tables.run(analyses.found(table)) is None


async def rename(table: Table) -> None:
    await table.note("name", "Zoe", 0, "Ann")


def other_end(game: Game) -> Game:
    """The same game with another last decision."""
    other = game.fork()
    other.undo()
    while len(other.state.legal_actions()) == 1:
        other.undo()
    last = game.steps[other.count].action
    other.apply(next(action for action in other.state.legal_actions() if action is not last))
    while other.state.phase.actor != NOBODY:
        other.apply(other.state.legal_actions()[0])
    return other


@pytest.mark.parametrize("answered", [DECISIONS // 2, DECISIONS])
def test_no_analysis_names_somebody_who_has_gone(answered: int, tmp_path: Path) -> None:
    with club(tmp_path / "tables.db") as (tables, analyses, judges):
        table = finished(tables)
        tables.run(seating.rename(table, "Ann", [0], 0, "Ann of the North"))
        tables.run(analyses.start(table, "quick", "Bob"))
        judges.answer(answered)
        until(lambda: analyses.running == (answered < DECISIONS))
        lobby, accounts = Lobby(tables.tables, 14), Accounts(tables.tables)
        tables.run(leave(tables.tables, lobby, accounts, "Ann"))
        if answered < DECISIONS:
            judges.answer(DECISIONS + 1)  # the one that was asked for then, and all of them anew
        else:
            assert state(tables, analyses, table) == "none"
            tables.run(analyses.start(table, "quick", "Bob"))
            judges.answer(DECISIONS)
        until(lambda: state(tables, analyses, table) == "complete")
        found = tables.run(analyses.found(table))
        assert found is not None
        assert len(found.decisions) == DECISIONS
        assert found.seats[0] == SOMEBODY
        assert "North" not in str(found)


def test_what_is_damaged_is_not_there() -> None:
    for data in (b"garbage", zlib.compress(b"[1"), zlib.compress(b"[1]"), zlib.compress(b'{"cuberails_analysis": 1}')):
        assert analysing.unpacked(data) is None


# Over HTTP, with real judges


def imported(person: Person, record: str = RECORD) -> str:
    id: str = person.post("/api/tables", {"record": record}, 201)["id"]
    return id


def test_a_program_starts_an_analysis_and_reads_it(guest: Guests) -> None:
    person = guest()
    id = imported(person, short_record())
    assert person.get(f"/api/tables/{id}/analysis")["analysis"] is None
    started = person.post(f"/api/tables/{id}/analysis", {"budget": "quick"}, 202)
    assert started["quick"]["state"] in ("running", "complete")
    assert started["deep"]["state"] == "none"
    until(lambda: person.get(f"/api/tables/{id}/analysis/progress")["quick"]["state"] == "complete", 60)
    found = guest().get(f"/api/tables/{id}/analysis")["analysis"]
    game = cuberails.read(short_record())
    assert (found["complete"], found["budget"], found["seats"]) == (True, "quick", game.seats)
    assert len(found["chances"]) == game.count + 1
    assert {decision["verdict"] for decision in found["decisions"]} <= set(VERDICTS)
    kept = guest().http.get(f"/t/{id}/analysis.json")
    assert kept.headers["content-disposition"] == f'attachment; filename="gmo-{id}-analysis.json"'
    assert kept.json() == found
    assert analysis.Analysis.from_json(kept.json()).record == analysis.record_digest(game)


def test_a_running_game_is_not_analysed(guest: Guests) -> None:
    person = guest()
    id = person.post("/api/tables", {"record": RECORD, "at": 60}, 201)["id"]
    for answer in (
        person.http.post(f"/api/tables/{id}/analysis", json={}),
        person.http.get(f"/api/tables/{id}/analysis"),
        person.http.get(f"/api/tables/{id}/analysis/progress"),
    ):
        assert answer.status_code == 409
        assert answer.json()["message"] == "This game is not over yet; it can be analysed when it is."


def test_the_end_of_a_fork_is_no_help_in_a_game_without_help(guest: Guests) -> None:
    person = guest()
    id = person.post("/api/tables", {"record": RECORD, "at": 80, "help": False}, 201)["id"]
    fork = person.post("/api/tables", {"fork": id, "seats": [{}] * 3}, 201)["id"]
    seen = person.see(fork)
    while not seen["status"]["over"]:
        seen = person.act(fork, seen["status"]["actor"], seen["seq"], seen["legal"][0])
    answer = person.http.post(f"/api/tables/{fork}/analysis", json={})
    assert (answer.status_code, answer.json()["error"]) == (403, "help_off")


@pytest.mark.parametrize(
    "body", [b"[]", b'{"budget": 3}', b'{"budget": "endless"}', b'{"budget": "quick", "seed": 1}', b"{"]
)
def test_garbage_is_refused_with_a_sentence(guest: Guests, body: bytes) -> None:
    person = guest()
    id = imported(person)
    answer = person.http.post(f"/api/tables/{id}/analysis", content=body, headers={"content-type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["message"]
    assert person.http.get("/api/tables/nowhere/analysis").status_code == 404


# The page, and the file


def test_the_page_of_a_running_game_says_why_there_is_none(guest: Guests) -> None:
    person = guest()
    id = person.post("/api/tables", {"record": RECORD, "at": 60}, 201)["id"]
    page = person.http.get(f"/t/{id}/analysis")
    assert page.status_code == 409
    assert "This game is not over yet" in page.text


def test_before_it_was_analysed_there_is_a_page_to_start_it_and_no_file(guest: Guests) -> None:
    person = guest()
    id = imported(person)
    page = person.http.get(f"/t/{id}/analysis")
    assert page.status_code == 200
    assert 'id="chances"' not in page.text
    assert "was not analysed yet" in person.http.get(f"/t/{id}/analysis.html").text


def test_the_file_needs_nothing_else() -> None:
    game = cuberails.read(short_record())
    game.rename(0, "<script>Ann")
    file = analysis_file(game, analysed(game))
    assert "<script" not in file
    assert "&lt;script&gt;Ann" in file
    assert [
        link
        for link in re.findall(r"""(?:src|href|url)[=(]["']?([^"')>]*)""", file)
        if link[:1] != "#" and link[:5] != "data:"
    ] == []
    assert "@import" not in file


def analysed(game: Game) -> analysis.Analysis:
    """A game as the judges of tests see it."""
    analyst = Analyst(game)
    for at in analyst.pending:
        question = question_at(game, at, "analysis", "")
        analyst.add(judged(question, Judging(game.steps[at].action.id, 1, 0, game.seats)))
    return analyst.analysis()
