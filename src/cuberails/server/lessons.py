"""Lessons at a table: a guided first game whose other seats are played from a script.

A table is a lesson if bots of the level LESSON sit at it. Everything else follows from its log: as long as the actions
are those of the script, the script has the next one; where it was left or has ended, those seats play like EASY bots.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from cuberails.core.action import Action
from cuberails.core.game import Game, Step
from cuberails.core.lesson import Lesson
from cuberails.core.state import State
from cuberails.server.naming import clean, distinct
from cuberails.server.refusal import Refused
from cuberails.server.store import StoredSeat
from cuberails.titles import load

LESSON = "lesson"
"""The level of a bot that follows the script of its title's lesson."""

EASY = "easy"
"""How it plays elsewhere."""


def lesson_of(key: str) -> Lesson:
    """The lesson of a title."""
    lesson = load(key).lesson
    if lesson is None:
        raise Refused(404, "no_lesson", f"{load(key).name} has no lesson.")
    return lesson


def open_lesson(key: str, name: str) -> tuple[Game, list[StoredSeat]]:
    """What the table of a lesson begins with, for a learner with this name."""
    lesson = lesson_of(key)
    names = list(lesson.names)
    names[lesson.learner] = clean(name) or names[lesson.learner]
    seats = [StoredSeat(each, "" if n == lesson.learner else LESSON) for n, each in enumerate(distinct(names))]
    game = Game(load(key).board, [seat.name for seat in seats], lesson.options)
    for text in lesson.opening:
        game.apply(text)
    return game, seats


def taught_at(game: Game, seats: Sequence[StoredSeat]) -> Lesson | None:
    """The lesson that a table gives, if it is one."""
    return game.title.lesson if any(seat.bot == LESSON for seat in seats) else None


def level_of(bot: str) -> str:
    """How a bot plays where it has to think."""
    return EASY if bot == LESSON else bot


def texts_of(steps: Sequence[Step]) -> list[str]:
    return [step.action.text for step in steps]


def next_action(lesson: Lesson | None, steps: Sequence[Step], state: State) -> Action | None:
    """What the script of a lesson has after these steps, if that is legal there."""
    text = lesson.next_action(texts_of(steps)) if lesson else ""
    return next((action for action in state.legal_actions() if action.text == text), None) if text else None


def coach(lesson: Lesson, game: Game) -> dict[str, Any] | None:
    """What is said to the learner now; None at a table that began with another script.

    `step` of `steps` decisions is to be taken now, or was taken last; `before` and `action` are what is said about it
    and what is right, `after` is about the one before. If the script was left, `back` is how many actions were right.
    """
    right = lesson.followed(texts_of(game.steps))
    if right < min(len(lesson.opening), game.count):
        return None
    step = sum(start < right for start in lesson.starts)
    said: dict[str, Any] = {"step": step, "steps": len(lesson.steps)}
    if right < min(game.count, len(lesson.script)):
        return said | {"back": right}
    if game.count >= len(lesson.script):
        last = lesson.steps[-1].after if game.count == len(lesson.script) else ""
        return said | {"after": last, "farewell": lesson.farewell}
    said["after"] = lesson.steps[step - 1].after if step else lesson.welcome
    if right in lesson.starts:
        said |= {"before": lesson.steps[step].before, "action": lesson.steps[step].action}
    return said
