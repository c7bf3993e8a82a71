"""Positions to be solved: the puzzles of each day, and the mistakes of an analysed game."""

from __future__ import annotations

import asyncio
import json
from concurrent.futures import Future
from dataclasses import replace
from datetime import timedelta
from html import unescape
from pathlib import Path
from typing import Any

import pytest

import cuberails
from cuberails.bots.decision import Decision, line_in_words
from cuberails.bots.puzzle import Puzzle, puzzle_of_day
from cuberails.core.game import Game
from cuberails.server import exercises
from cuberails.server.exercises import Exercise
from cuberails.server.queueing import Asker
from cuberails.server.refusal import Refused
from cuberails.server.requests import TableRequest
from cuberails.server.thinking import Judging, Question, Thinkers
from cuberails.titles import calibrated
from tests.server.exercised import analysed, decision, keep
from tests.server.house import Guests, House, Json, opened_by

RECORD = Path("tests/records/southern_rails/3-players-greedy.txt").read_text("utf-8")
DAY = exercises.today()
PATH = f"/api/puzzles/wabash/{DAY}"


@pytest.fixture
def puzzle() -> Puzzle:
    return puzzle_of_day("wabash", DAY)


def answer(guest: Guests, path: str, action: str = "") -> Json:
    found: Json = guest().http.get(f"{path}/answer", params={"action": action}).json()
    return found


# Puzzles


def test_everybody_gets_the_same_puzzle_and_no_answer(guest: Guests, puzzle: Puzzle) -> None:
    seen = guest().get(PATH)
    assert seen == guest().get(PATH)
    assert "chances" not in json.dumps(seen)
    game = cuberails.read(json.dumps(seen["record"]))
    assert [step.action.text for step in game.steps] == puzzle.actions
    assert seen["legal"] == [action.text for action in game.state.legal_actions()]
    assert seen["seat"] == game.state.phase.actor


def test_the_list_of_a_day_shows_each_position_and_not_the_empty_board(guest: Guests, puzzle: Puzzle) -> None:
    me = guest()
    listed = me.http.get("/puzzles").text
    assert f'src="/puzzle/wabash/{DAY}/board.svg"' in listed
    shown, empty = (me.http.get(path).text for path in (f"/puzzle/wabash/{DAY}/board.svg", "/picture/wabash.svg"))
    assert any(action.startswith("build ") for action in puzzle.actions)
    assert shown.count('<use href="#cube-') > empty.count('<use href="#cube-')


def test_the_best_action_is_told_with_what_the_others_come_to(guest: Guests, puzzle: Puzzle) -> None:
    found = answer(guest, PATH, puzzle.answer)
    assert found["solved"]
    assert [idea["action"] for idea in found["ideas"]] == [idea.action for idea in puzzle.ideas]
    assert all(idea["why"] and idea["effect"] for idea in found["ideas"])
    assert found["line"] == line_in_words(puzzle.game().state, puzzle.line, puzzle.seats)


def test_another_action_is_told_what_it_loses_and_nothing_of_the_best(guest: Guests, puzzle: Puzzle) -> None:
    game, other = puzzle.game(), puzzle.ideas[1]
    best, chances = (calibrated(game.board, idea.chances) for idea in puzzle.ideas[:2])
    found = answer(guest, PATH, other.action)
    seat = game.state.phase.actor
    assert found == {
        "solved": False,
        "chosen": {"action": other.action, "chances": chances},
        "lost": pytest.approx(best[seat] - chances[seat]),
    }


def test_who_gives_up_sees_the_answer(guest: Guests, puzzle: Puzzle) -> None:
    found = answer(guest, PATH)
    assert (found["solved"], found["chosen"], found["answer"]) == (False, None, puzzle.answer)


def test_what_is_not_legal_is_refused_with_its_rule(guest: Guests) -> None:
    refused = guest().http.get(f"{PATH}/answer", params={"action": "bid 999"})
    assert (refused.status_code, refused.json()["error"]) == (422, "illegal")
    assert refused.json()["message"] == guest().http.get(f"{PATH}/effect", params={"action": "bid 999"}).json()[0]


@pytest.mark.parametrize("day", ["tomorrow", "2026-13-01", "1999-01-01", str(DAY + timedelta(days=2))])
def test_there_is_no_puzzle_of_a_day_to_come_or_of_none(guest: Guests, day: str) -> None:
    for path in (f"/api/puzzles/wabash/{day}", f"/puzzle/wabash/{day}", f"/puzzles/{day}"):
        assert guest().http.get(path).status_code == 404


def test_pages_of_puzzles_have_the_position_and_not_the_answer(guest: Guests, puzzle: Puzzle) -> None:
    page = guest().http.get(f"/puzzle/wabash/{DAY}")
    assert page.status_code == 200
    assert puzzle.game().state.prompt in unescape(page.text)
    assert puzzle.ideas[0].why not in unescape(page.text)
    short = guest().http.get("/puzzle/wabash")
    assert (short.status_code, short.headers["location"]) == (303, f"/puzzle/wabash/{exercises.today()}")
    listed = guest().http.get("/puzzles").text
    assert all(f'href="/puzzle/{key}/' in listed for key in ("wabash", "gmo"))
    assert 'href="/puzzles"' in guest().http.get("/").text


# Actions that were not among the main ones


class Judge(Thinkers):
    """Says of every action that it loses so much."""

    def __init__(self, loss: float) -> None:
        super().__init__(1)
        self.loss = loss
        self.asked: list[tuple[Question, Judging]] = []

    def judge(self, question: Question, work: Judging, asker: Asker) -> Future[Decision]:
        self.asked.append((question, work))
        state, answer = question.position(), Future[Decision]()
        text, even = state.board.actions.all[work.action].text, [1 / state.players] * state.players
        answer.set_result(Decision(0, 0, text, text, even, even, self.loss, "", "best", [], [], "", ""))
        return answer


def another(exercise: Exercise) -> str:
    known = {idea.action for idea in exercise.ideas} | set(exercise.also)
    return next(action.text for action in exercise.game.state.legal_actions() if action.text not in known)


def test_any_other_action_is_judged_when_somebody_chooses_it() -> None:
    exercise, judge = exercises.daily("wabash", DAY), Judge(0.15)
    text = another(exercise)
    found = asyncio.run(exercises.answered(exercise, judge, text, "Ann"))
    ((question, work),) = judge.asked
    assert question.position().board.actions.all[work.action].text == text
    assert question.actions == [step.action.id for step in exercise.game.steps]
    assert not found["solved"]
    best = exercise.best.chances[exercise.seat]
    assert found["lost"] == pytest.approx(min(best, 0.15))
    assert sum(found["chosen"]["chances"]) == pytest.approx(1.0, abs=0.01)


def test_an_action_that_comes_to_the_same_solves_it_too() -> None:
    exercise = exercises.daily("wabash", DAY)
    found = asyncio.run(exercises.answered(exercise, Judge(0.0), another(exercise), "Ann"))
    assert found["solved"]
    assert found["answer"] == exercise.best.action


def test_a_bot_that_fails_is_told() -> None:
    class Broken(Judge):
        def judge(self, question: Question, work: Judging, asker: Asker) -> Future[Decision]:
            answer = Future[Decision]()
            answer.set_exception(TimeoutError("too long"))
            return answer

    exercise = exercises.daily("wabash", DAY)
    with pytest.raises(Refused, match="could not make up its mind"):
        asyncio.run(exercises.answered(exercise, Broken(0.0), another(exercise), "Ann"))


# Mistakes


def recorded() -> Game:
    return cuberails.read(RECORD)


def better(game: Game, at: int) -> str:
    """Some other action that was legal there."""
    return next(action.text for action in game.at(at).legal_actions() if action is not game.steps[at].action)


def decisions(game: Game) -> list[Decision]:
    """Two of one seat's decisions were bad, one good, and one of another seat bad."""
    seat = game.steps[20].seat
    own = [at for at in range(20, 60) if game.steps[at].seat == seat]
    other = next(at for at in range(20, 60) if game.steps[at].seat != seat)
    verdicts = {own[0]: "turning point", own[1]: "slip", own[2]: "mistake", other: "mistake"}
    return [decision(game, at, better(game, at), verdict) for at, verdict in sorted(verdicts.items())]


def test_a_mistake_is_the_position_before_it_with_the_better_action_as_its_answer() -> None:
    game = recorded()
    analysis = analysed(game, decisions(game))
    at = 20
    exercise = exercises.mistake("table", game, analysis, at)
    assert exercise.game.count == at
    assert exercise.heading == f"Turning point 1 of 2: {game.seats[exercise.seat]}"
    wrong: dict[str, Any] = asyncio.run(exercises.answered(exercise, Judge(0.0), game.steps[at].action.text, "Ann"))
    assert (wrong["solved"], wrong["lost"]) == (False, pytest.approx(0.4))
    right = asyncio.run(exercises.answered(exercise, Judge(0.0), better(game, at), "Ann"))
    assert right["solved"]
    assert [idea["action"] for idea in right["ideas"]] == [better(game, at), game.steps[at].action.text]
    assert right["played"] == game.steps[at].action.text


def test_what_was_found_in_hindsight_is_asked_in_hindsight() -> None:
    game, at = recorded(), 20
    found = [replace(each, hindsight=True) for each in decisions(game) if each.at == at]
    exercise, judge = exercises.mistake("table", game, analysed(game, found), at), Judge(0.1)
    asyncio.run(exercises.answered(exercise, judge, another(exercise), "Ann"))
    assert [work.hindsight for _, work in judge.asked] == [True]


def test_what_was_no_mistake_is_no_exercise() -> None:
    game = recorded()
    with pytest.raises(Refused, match="no mistake there"):
        exercises.mistake("table", game, analysed(game, []), 20)


def test_the_mistakes_of_a_seat_follow_each_other(house: House, guest: Guests) -> None:
    table = opened_by(house.tables, TableRequest(record=RECORD))
    ann = guest()
    none = ann.http.get(f"/t/{table.id}/mistakes")
    assert none.status_code == 404
    keep(house.tables, table, decisions(table.game))
    seat = table.game.steps[20].seat
    first = ann.http.get(f"/t/{table.id}/mistakes?seat={seat}")
    assert (first.status_code, first.headers["location"]) == (303, f"/t/{table.id}/mistakes/20")
    page = ann.http.get(first.headers["location"]).text
    (second,) = [
        each.at for each in decisions(table.game) if each.seat == seat and each.at > 20 and each.verdict == "mistake"
    ]
    assert f'href="/t/{table.id}/mistakes/{second}"' in page
    path = f"/api/tables/{table.id}/mistakes/20"
    assert answer(guest, path, better(table.game, 20))["solved"]
    assert ann.http.get(f"{path}/effect", params={"action": better(table.game, 20)}).json()


def test_a_game_that_is_not_over_has_no_mistakes_yet(house: House, guest: Guests) -> None:
    id = guest().open()["id"]
    assert guest().http.get(f"/api/tables/{id}/mistakes/0/answer").json()["error"] == "not_over"
