"""Every lesson can be played as it stands: its actions are legal, its rules exist, and its figures are true."""

from __future__ import annotations

import re

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.core.lesson import Lesson, LessonStep
from cuberails.core.preview import preview
from cuberails.core.state import State
from cuberails.core.title import Title
from cuberails.titles import load, scene

RULE = re.compile(r"\b[A-Z]{1,3}\d+\.\d+\b")
FIGURE = re.compile(r"(?<![\w.])\$?(\d+)(?![\w.]*\w)")

LESSONS = [key for key in cuberails.TITLES if load(key).lesson is not None]


def lesson_of(key: str) -> Lesson:
    lesson = load(key).lesson
    assert lesson is not None
    return lesson


def begun(title: Title, lesson: Lesson) -> Game:
    game = Game(title.board, lesson.names, lesson.options)
    for text in lesson.opening:
        game.apply(text)
    return game


def shown(state: State, names: list[str], action: str) -> str:
    """What a learner reads at the table before a decision: the prompt, all figures, and what the action brings."""
    seen = scene(state, names)
    lines = [state.prompt, *preview(state, state.parse(action), names)]
    for company in seen.companies:
        lines += [f"{company.piece.name} {label}: {value}" for label, value in company.facts]
    for seat in seen.seats:
        lines += [f"{seat.name} {label}: {value}" for label, value in seat.facts]
        lines += [f"{seat.name} {piece.name} shares: {count}" for piece, count in seat.shares]
    lines += [f"{label}: {value}" for label, value in [*seen.facts, *seen.progress]]
    return "\n".join(lines)


def figures(text: str) -> set[str]:
    """The numbers in a text, but for those of rules and hexes."""
    return set(FIGURE.findall(RULE.sub("", text)))


def test_all_built_in_titles_have_a_lesson() -> None:
    assert set(LESSONS) >= {"wabash", "southern_rails", "gmo", "baltimore_ohio", "credit_mobilier"}


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_has_six_to_ten_decisions_of_the_learner(key: str) -> None:
    """Between them only the others and chance decide, and every action is legal at its place."""
    lesson = lesson_of(key)
    assert 6 <= len(lesson.steps) <= 10
    game = begun(load(key), lesson)
    for step in lesson.steps:
        assert game.state.actor == lesson.learner, f"before {step.action}: {game.state!r}"
        game.apply(step.action)
        for text in step.then:
            assert game.state.actor not in (lesson.learner, None), f"{text} is not for the others: {game.state!r}"
            game.apply(text)
    assert game.state.actor == lesson.learner, "the learner plays on from here"
    assert [step.action.text for step in game.steps] == lesson.script


@pytest.mark.parametrize("key", LESSONS)
def test_what_a_lesson_says_is_true(key: str) -> None:
    """All that its sentences rest on stands at the table or in the log, and no figure rests on nothing."""
    lesson, rules = lesson_of(key), load(key).rulebook.rules
    game = begun(load(key), lesson)
    log = [event.say(game.seats) for events in game.events() for event in events]
    for step in lesson.steps:
        page = "\n".join([shown(game.state, lesson.names, step.action), *log])
        assert [text for text in step.shows if text not in page] == [], page
        happened = sentences(game, step)
        log += happened
        assert [text for text in step.happens if text not in "\n".join(happened)] == [], happened
        cited = [rules[number] for number in RULE.findall(f"{step.before} {step.after}")]
        backed = figures("\n".join([step.action, *step.shows, *cited]))
        assert figures(step.before) - backed == set(), step.before
        assert figures(step.after) - backed - figures("\n".join(step.happens)) == set(), step.after


def sentences(game: Game, step: LessonStep) -> list[str]:
    """What happens in a step of a lesson."""
    said: list[str] = []
    for text in [step.action, *step.then]:
        said += [event.say(game.seats) for event in game.apply(text)]
    return said


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_cites_rules_that_exist(key: str) -> None:
    lesson, rules = lesson_of(key), load(key).rulebook.rules
    for step in lesson.steps:
        cited = RULE.findall(f"{step.before} {step.after}")
        assert cited, f"{step.action}: no rule is cited"
        assert set(cited) <= set(rules)
    assert set(RULE.findall(f"{lesson.welcome} {lesson.farewell}")) <= set(rules)


@pytest.mark.parametrize("key", LESSONS)
def test_a_lesson_says_something_before_and_after_each_decision(key: str) -> None:
    lesson = lesson_of(key)
    said = [lesson.welcome, lesson.farewell, *(text for step in lesson.steps for text in (step.before, step.after))]
    assert all(20 <= len(text) <= 420 and text == text.strip() and text.endswith(".") for text in said)
