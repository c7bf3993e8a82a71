"""The first game of Slate Lines can be played as it stands."""

from __future__ import annotations

import re

import cuberails


def test_the_lesson_can_be_played_and_cites_rules_that_exist() -> None:
    title = cuberails.load("slate_lines")
    lesson = title.lesson
    assert lesson is not None
    state = title.new(len(lesson.names), lesson.options)
    for text in lesson.opening:
        state.apply(text)
    for step in lesson.steps:
        assert state.actor == lesson.learner
        events = [event for text in (step.action, *step.then) for event in state.apply(text)]
        log = "\n".join(event.say(lesson.names) for event in events)
        assert [text for text in step.happens if text not in log] == []
        assert set(re.findall(r"T\d+\.\d+", step.before + step.after)) <= set(title.rulebook.rules)
    assert state.actor == lesson.learner
