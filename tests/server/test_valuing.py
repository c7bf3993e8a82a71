"""What shares are worth at a table: quick numbers for everybody at once, refined ones worked out once for all."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from concurrent.futures import Future
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from cuberails.bots.worth import LEAST_PLAYS, Worth, worth
from cuberails.server import valuing_api
from cuberails.server.limits import Rate
from cuberails.server.queueing import Asker
from cuberails.server.refusal import NO_HELP
from cuberails.server.thinking import Question
from cuberails.server.valuing import PLAYS
from tests.server.house import Guests, House, Json, Person, until

RECORD = (Path(__file__).parent.parent / "records" / "wabash" / "3-players-greedy.txt").read_text("utf-8")
HERE: list[Json] = [{"name": name} for name in ("Ann", "Bob", "Cy")]
"""Three people at one screen."""


class Questions:
    """What is asked of the bots; a test answers for them."""

    def __init__(self) -> None:
        self.asked: list[tuple[Question, int, Future[Worth]]] = []

    def value(self, question: Question, plays: int, asker: Asker) -> Future[Worth]:
        self.asked.append((question, plays, Future()))
        return self.asked[-1][2]

    def answer(self, n: int, plays: int = 1) -> None:
        question, _, answer = self.asked[n]
        answer.set_result(worth(question.position(), plays))


@pytest.fixture
def questions(house: House, monkeypatch: pytest.MonkeyPatch) -> Questions:
    questions = Questions()
    monkeypatch.setattr(house.tables.driver.thinkers, "value", questions.value)
    return questions


def refined(person: Person, id: str, query: str = "") -> Generator[tuple[str, Any]]:
    """The events of a stream, as they come: each as its kind and its data."""
    with person.http.stream("GET", f"/api/tables/{id}/worth/events{query}") as stream:
        assert stream.headers["content-type"].startswith("text/event-stream"), stream.read()
        kind = ""
        for line in stream.iter_lines():
            name, _, value = line.partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                yield kind, json.loads(value)


def refusal(person: Person, path: str) -> tuple[int, str]:
    answer = person.http.get(path)
    return answer.status_code, answer.json()["error"]


def without_progress(events: list[tuple[str, Any]]) -> list[str]:
    return [kind for kind, _ in events if kind != "progress"]


# At once


def test_everybody_sees_what_the_rules_say_of_every_share(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    for person in (ann, guest()):
        found = person.get(f"/api/tables/{id}/worth")
        assert (found["seq"], found["count"], found["unit"], found["refined"]) == (0, 0, "$", False)
        assert found["prices"] == []
        pa = next(share for share in found["shares"] if share["name"] == "PA")
        assert (pa["held"], pa["left"], pa["paid"], pa["will_pay"]) == ([0, 0, 0], 3, [0, 0, 0], None)
        assert {"name": "with one more sold", "text": "$7"} in pa["figures"]


def test_at_an_earlier_moment_it_is_what_it_was_worth_then(guest: Guests) -> None:
    ann = guest()
    id = ann.post("/api/tables", {"record": RECORD}, 201)["id"]
    last = ann.see(id)["count"]
    now, then = ann.get(f"/api/tables/{id}/worth"), ann.get(f"/api/tables/{id}/worth?at=110")
    assert (now["count"], then["count"]) == (last, 110)
    assert ann.get(f"/api/tables/{id}/worth?at={last}") == now

    def paid(found: Json) -> int:
        return sum(sum(share["paid"]) for share in found["shares"])

    assert 0 < paid(then) < paid(now)


def test_what_is_no_moment_is_refused(guest: Guests) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    for path in ("worth", "worth/events"):
        assert refusal(ann, f"/api/tables/{id}/{path}?at=1") == (404, "no_moment")
        assert refusal(ann, f"/api/tables/{id}/{path}?at=-1") == (404, "no_moment")
        assert refusal(ann, f"/api/tables/{id}/{path}?at=soon") == (400, "bad_request")
        assert refusal(ann, f"/api/tables/nowhere/{path}") == (404, "no_table")


def test_at_a_table_without_help_nobody_is_told(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE, help=False)["id"]
    for person in (ann, guest()):
        for path in ("worth", "worth/events"):
            answer = person.http.get(f"/api/tables/{id}/{path}")
            assert (answer.status_code, answer.json()["error"]) == (403, "help_off")
            assert answer.json()["message"] == NO_HELP
    assert questions.asked == []


# Refined


def test_refined_numbers_come_from_a_few_play_outs_and_then_from_many(guest: Guests) -> None:
    """The last decision of a game: its play-outs are short."""
    ann = guest()
    id = ann.post("/api/tables", {"record": RECORD}, 201)["id"]
    events = list(refined(ann, id, f"?at={ann.see(id)['count'] - 2}"))
    assert without_progress(events) == ["worth", "worth", "worth", "done"]
    quick, few, many = (data for kind, data in events if kind == "worth")
    assert (quick["refined"], few["refined"], many["refined"]) == (False, True, True)
    for found, plays in ((few, PLAYS[0]), (many, PLAYS[1])):
        for share, known in zip(found["shares"], quick["shares"], strict=True):
            assert share["will_pay"]["plays"] == plays
            assert sum(bar["share"] for bar in share["will_pay"]["bars"]) == pytest.approx(1)
            assert {**share, "will_pay": None} == known
    assert any(sum(share["paid"]) for share in many["shares"])


def test_nothing_is_played_out_when_the_game_is_over(guest: Guests, questions: Questions) -> None:
    """What would be paid is no figure any more; what was paid is."""
    ann = guest()
    id = ann.post("/api/tables", {"record": RECORD}, 201)["id"]
    events = list(refined(ann, id))
    assert [kind for kind, _ in events] == ["worth", "done"]
    found = events[0][1]
    assert found["over"]
    assert all(share["figures"] == [] for share in found["shares"])
    assert any(sum(share["paid"]) for share in found["shares"])
    assert questions.asked == []
    assert not ann.get(f"/api/tables/{id}/worth?at=2")["over"]


def test_a_position_is_refined_once_for_all_who_ask(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    with closing(refined(ann, id)) as first, closing(refined(guest(), id, "?at=0")) as second:
        assert [next(first)[0], next(first)[0]] == ["worth", "progress"]
        assert [next(second)[0], next(second)[0]] == ["worth", "progress"]
        questions.answer(0)
        until(lambda: len(questions.asked) == 2)
        questions.answer(1)
        assert without_progress(list(first)) == ["worth", "worth", "done"]
        assert without_progress(list(second)) == ["worth", "worth", "done"]
    assert [plays for _, plays, _ in questions.asked] == list(PLAYS)
    assert without_progress(list(refined(ann, id))) == ["worth", "worth", "worth", "done"]
    assert len(questions.asked) == 2  # it is known now


def test_on_a_busy_machine_the_first_play_outs_are_not_forgotten_for_fewer(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.post("/api/tables", {"record": RECORD}, 201)["id"]
    with closing(refined(ann, id, f"?at={ann.see(id)['count'] - 2}")) as events:
        until_asked(events, questions)
        questions.answer(0, LEAST_PLAYS + 3)
        first = next(data for kind, data in events if kind == "worth")
        until(lambda: len(questions.asked) == 2)
        questions.answer(1, LEAST_PLAYS)
        second = next(data for kind, data in events if kind == "worth")
    for found in (first, second):
        assert {share["will_pay"]["plays"] for share in found["shares"]} == {LEAST_PLAYS + 3}


def test_in_an_auction_it_is_told_how_far_each_seat_would_go(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    with closing(refined(ann, id)) as events:
        assert next(events)[1]["prices"] == []
        until(lambda: bool(questions.asked))
        questions.answer(0)
        found = next(data for kind, data in events if kind == "worth")
    (price,) = found["prices"]
    assert (price["lot"], price["kind"], len(price["limits"])) == ("PA", "auction", 3)
    assert "words" not in price  # they would speak to one of those who see them
    assert "seat" not in found


def test_when_the_table_moves_on_the_work_ends(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    with closing(refined(guest(), id)) as events:
        until_asked(events, questions)
        ann.act(id, 0, 0, "bid 12")
        until(questions.asked[0][2].cancelled)
        assert without_progress(list(events)) == ["gone"]
    assert len(questions.asked) == 1


def test_a_name_or_a_word_in_the_chat_does_not_end_the_work(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    with closing(refined(guest(), id)) as events:
        until_asked(events, questions)
        ann.post(f"/api/tables/{id}/chat", {"text": "What is it worth?", "seat": 0})
        ann.post(f"/api/tables/{id}/seats/0/name", {"name": "Anna"})
        assert next(events)[0] == "progress"
    assert len(questions.asked) == 1


def test_the_work_ends_when_the_last_has_left_who_waits(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    with closing(refined(ann, id)) as first:
        until_asked(first, questions)
        with closing(refined(guest(), id)) as second:
            until_asked(second, questions)
        assert [kind for kind, _ in (next(first), next(first))] == ["progress"] * 2
        assert not questions.asked[0][2].cancelled()
    until(questions.asked[0][2].cancelled)
    with closing(refined(ann, id)) as again:
        next(again)
        until(lambda: len(questions.asked) == 2)


def until_asked(events: Iterator[tuple[str, Any]], questions: Questions) -> None:
    """Read a stream until it waits for the refined numbers."""
    assert [next(events)[0], next(events)[0]] == ["worth", "progress"]
    assert questions.asked


def test_a_failure_is_told_and_the_next_who_asks_may_have_more_luck(guest: Guests, questions: Questions) -> None:
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    with closing(refined(ann, id)) as events:
        until_asked(events, questions)
        questions.asked[0][2].set_exception(MemoryError())
        told = [each for each in events if each[0] != "progress"]
    assert [kind for kind, _ in told] == ["failed", "done"]
    assert told[0][1]["error"] == "no_worth"
    with closing(refined(ann, id)) as events:
        until_asked(events, questions)
    assert len(questions.asked) == 2


def test_who_asks_too_often_is_refused(guest: Guests, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(valuing_api, "VALUING", Rate("ask what shares are worth", 1, 1))
    ann = guest()
    id = ann.open(seats=HERE)["id"]
    ann.http.headers["X-Forwarded-For"] = "192.0.2.77"
    assert ann.get(f"/api/tables/{id}/worth")
    for path in ("worth", "worth/events"):
        assert refusal(ann, f"/api/tables/{id}/{path}") == (429, "too_many")
