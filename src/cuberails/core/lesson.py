"""A lesson: a guided first game. The learner's decisions are explained, everything else is played from a script.

A `lesson.toml` names the players, the seat of the learner, the options, the actions that open the game, and the steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from cuberails.core.boardfile import BoardFile, Section


@dataclass
class LessonStep:
    """A decision of the learner: what is said before it, the action that is right, what is said after it.

    `then` are the actions of the others, and of chance, until the learner decides again. `shows` and `happens` are
    what the sentences rest on: texts that stand at the table before the decision, and in the log after it.
    """

    before: str
    action: str
    after: str
    then: list[str]
    shows: list[str]
    happens: list[str]


class Lesson:
    """A guided game. `script` are all its actions; the one of `steps[n]` is `script[starts[n]]`."""

    def __init__(self, file: str, text: str) -> None:
        source = BoardFile(file, text)
        self.names: Final = source.texts("players")
        self.learner: Final = source.whole("learner", most=len(self.names) - 1)
        self.options: Final = _options(source)
        self.welcome: Final = source.text("welcome")
        self.farewell: Final = source.text("farewell")
        self.opening: Final = source.texts("opening")
        self.steps: Final = [_step(section) for section in source.tables("steps")]
        source.end()
        self.script: Final = list(self.opening)
        self.starts: Final[list[int]] = []
        for step in self.steps:
            self.starts.append(len(self.script))
            self.script.append(step.action)
            self.script.extend(step.then)

    def followed(self, actions: Sequence[str]) -> int:
        """How many of these actions, from the first on, are those of the script."""
        most = min(len(actions), len(self.script))
        return next((n for n in range(most) if actions[n] != self.script[n]), most)

    def next_action(self, actions: Sequence[str]) -> str:
        """What the script has after these actions; "" where it has ended or was left."""
        count = len(actions)
        return self.script[count] if count < len(self.script) and self.followed(actions) == count else ""


def _options(source: Section) -> dict[str, str]:
    if not source.has("options"):
        return {}
    table = source.table("options")
    return {name: table.text(name) for name in table.names()}


def _step(section: Section) -> LessonStep:
    return LessonStep(
        section.text("before"),
        section.text("action"),
        section.text("after"),
        section.texts("then") if section.has("then") else [],
        section.texts("shows") if section.has("shows") else [],
        section.texts("happens") if section.has("happens") else [],
    )
