"""Lessons at a served table: the script plays the others, and all that is said follows from the log."""

from __future__ import annotations

from pathlib import Path

import pytest

import cuberails
from cuberails.core.lesson import Lesson
from cuberails.titles import load
from tests.server.house import Guests, Json, Person, served, until

LESSONS = [key for key in cuberails.TITLES if load(key).lesson is not None]


def lesson_of(key: str) -> Lesson:
    lesson = load(key).lesson
    assert lesson is not None
    return lesson


def opened(person: Person, key: str) -> str:
    table: Json = person.post("/api/tables", {"lesson": key, "seats": [{"name": "Zoe"}]}, 201)
    id: str = table["id"]
    return id


def waited_for(person: Person, id: str) -> Json:
    """The table when the learner is to decide again."""
    until(lambda: bool(person.see(id)["yours"]))
    return person.see(id)


def take(person: Person, id: str, action: str) -> Json:
    seen = waited_for(person, id)
    person.act(id, seen["mine"][0], seen["seq"], action)
    return waited_for(person, id)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_is_played_through(guest: Guests, key: str) -> None:
    """The others and the dice do what the script says, and each decision is introduced and explained."""
    lesson, zoe = lesson_of(key), guest()
    id = opened(zoe, key)
    seen = waited_for(zoe, id)
    assert seen["seats"][lesson.learner] == "Zoe"
    assert seen["status"]["lesson"]["after"] == lesson.welcome
    for n, step in enumerate(lesson.steps, 1):
        said = seen["status"]["lesson"]
        assert (said["step"], said["steps"]) == (n - 1, len(lesson.steps))
        assert (said["before"], said["action"]) == (step.before, step.action)
        seen = take(zoe, id, step.action)
        assert seen["status"]["lesson"]["after"] == step.after
    assert seen["status"]["lesson"]["farewell"] == lesson.farewell
    assert "action" not in seen["status"]["lesson"]
    assert seen["count"] == len(lesson.script)


def test_after_the_lesson_the_others_play_on_as_easy_bots(guest: Guests) -> None:
    lesson, zoe = lesson_of("southern_rails"), guest()
    id = opened(zoe, "southern_rails")
    for step in lesson.steps:
        seen = take(zoe, id, step.action)
    seen = take(zoe, id, seen["legal"][0])
    assert seen["count"] > len(lesson.script) + 1
    assert seen["status"]["lesson"]["farewell"]
    assert not seen["status"]["lesson"]["after"]


def test_who_leaves_the_script_can_go_back_to_it(guest: Guests) -> None:
    lesson, zoe = lesson_of("southern_rails"), guest()
    id = opened(zoe, "southern_rails")
    wrong = next(text for text in waited_for(zoe, id)["legal"] if text != lesson.steps[0].action)
    seen = take(zoe, id, wrong)
    assert seen["status"]["lesson"] == {"step": 0, "steps": len(lesson.steps), "back": len(lesson.opening)}
    back = {"seat": lesson.learner, "seq": seen["seq"], "to": len(lesson.opening)}
    zoe.post(f"/api/tables/{id}/undo", back)
    assert waited_for(zoe, id)["status"]["lesson"]["action"] == lesson.steps[0].action


def test_a_lesson_continues_after_the_server_was_started_again(tmp_path: Path) -> None:
    lesson, file = lesson_of("credit_mobilier"), tmp_path / "tables.db"
    with served(file, secret="the same again") as house:
        zoe = Person(house.address)
        id = opened(zoe, "credit_mobilier")
        take(zoe, id, lesson.steps[0].action)
        cookies = dict(zoe.http.cookies)
        zoe.http.close()
    with served(file, secret="the same again") as house:
        again = Person(house.address)
        again.http.cookies.update(cookies)
        seen = waited_for(again, id)
        assert seen["status"]["lesson"]["action"] == lesson.steps[1].action
        seen = take(again, id, lesson.steps[1].action)
        assert seen["status"]["lesson"]["after"] == lesson.steps[1].after
        again.http.close()


def test_other_tables_have_no_lesson(guest: Guests) -> None:
    """A fork of a lesson is a game like any other."""
    zoe = guest()
    id = opened(zoe, "wabash")
    fork = zoe.post("/api/tables", {"fork": id}, 201)["id"]
    assert "lesson" not in zoe.see(fork)["status"]
    assert "lesson" not in zoe.see(zoe.open()["id"])["status"]


def test_only_titles_with_a_lesson_give_one(guest: Guests) -> None:
    zoe = guest()
    assert "no title" in zoe.post("/api/tables", {"lesson": "chess"}, 400)["message"]
    assert zoe.post("/api/tables", {"lesson": "wabash", "title": "wabash"}, 400)["error"] == "bad_request"


def test_nobody_can_ask_for_the_bot_of_a_lesson(guest: Guests) -> None:
    seats = [{"name": "Ann"}, {"by": "bot", "level": "lesson"}, {"by": "bot"}]
    assert guest().post("/api/tables", {"title": "wabash", "seats": seats}, 400)["error"] == "no_bot"


def test_titles_say_whether_they_have_a_lesson_and_what_their_options_mean(guest: Guests) -> None:
    titles = {title["key"]: title for title in guest().get("/api/titles")}
    assert all(titles[key]["lesson"] for key in LESSONS)
    assert titles["wabash"]["also_known_as"] == "Chicago Express"
    assert {titles[key]["weight"] for key in LESSONS} == {"light", "medium", "heavy"}
    for key in LESSONS:
        explained = titles[key]["explained"]
        assert list(explained) == list(titles[key]["options"])
        assert all(sentence.endswith(".") for sentence in explained.values())
