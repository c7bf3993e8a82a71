"""Records: a game as its header and its actions, in text or JSON, and the object behind it.

A text record is a header of `name: value` lines, an empty line, and one action a line. A line that begins with `#` is a
comment, and so is the rest of an action's line after a `#`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Final

from cuberails.core.action import Action, Actions, UnknownAction
from cuberails.core.event import Event
from cuberails.core.state import IllegalAction, State
from cuberails.core.title import SetupError, Title

FORMAT: Final = 1
APART: Final = 16
"""Of a pickled game every so many positions are kept."""

_HEADER: Final = ("title", "rules", "board", "option", "seat")


class RecordError(ValueError):
    """A record that cannot be read: where, what was found, and what would be right."""


class Step:
    """One recorded action and what it brought about."""

    def __init__(self, seat: int, action: Action, events: list[Event]) -> None:
        self.seat: Final = seat
        self.action: Final = action
        self.events: Final = events


class Game:
    """A game with its history: it can be undone, redone, looked at anywhere, and written down."""

    def __init__(self, title: Title, seats: Sequence[str], options: dict[str, str] | None = None) -> None:
        self.title: Final = title
        self.seats: Final = [" ".join(name.split()) for name in seats]
        if "" in self.seats:
            raise SetupError("every seat needs a name")
        self._states: Final[list[State | None]] = [title.new(len(seats), options or {})]
        self._steps: Final[list[Step]] = []
        self._at = 0

    @property
    def state(self) -> State:
        """The position now. Change it only by `apply`."""
        return self._position(self._at)

    @property
    def steps(self) -> list[Step]:
        """What was played up to now."""
        return self._steps[: self._at]

    def apply(self, action: Action) -> list[Event]:
        """Carry out a legal action. What had been undone is forgotten."""
        state = self.state.copy()
        seat = state.phase.actor
        events = state.apply(action)
        del self._states[self._at + 1 :], self._steps[self._at :]
        self._states.append(state)
        self._steps.append(Step(seat, action, events))
        self._at += 1
        return events

    def undo(self) -> bool:
        """Take back the last action; False if there is none."""
        if self._at == 0:
            return False
        self._at -= 1
        return True

    def redo(self) -> bool:
        """Play again what was undone; False if there is nothing."""
        if self._at == len(self._steps):
            return False
        self._at += 1
        return True

    def at(self, count: int) -> State:
        """The position after this many actions, to be looked at and not changed."""
        if not 0 <= count <= len(self._steps):
            raise ValueError(f"the game has {len(self._steps)} actions; there is no position after {count}")
        return self._position(count)

    def _position(self, count: int) -> State:
        state = self._states[count]
        if state is None:
            state = self._position(count - 1).copy()
            state.play(self._steps[count - 1].action)
            self._states[count] = state
        return state

    def __getstate__(self) -> dict[str, object]:
        """To pickle a game: the positions that are left out are played again when somebody looks at them."""
        thin = [state if n % APART == 0 else None for n, state in enumerate(self._states)]
        return {"title": self.title, "seats": self.seats, "_states": thin, "_steps": self._steps, "_at": self._at}

    def to_text(self, comments: bool = True) -> str:
        """The record as text; with comments it also tells what happened."""
        lines = [f"cuberails {FORMAT}", f"title: {self.title.key}", f"rules: {self.title.rules_version}"]
        lines.append(f"board: {self.title.board}")
        lines += [f"option: {name} {value}" for name, value in self.state.options.items()]
        lines += [f"seat: {name}" for name in self.seats]
        lines.append("")
        for step in self.steps:
            lines += self._step_lines(step) if comments else [step.action.text]
        return "\n".join(lines) + "\n"

    def _step_lines(self, step: Step) -> list[str]:
        told = [event.say(self.seats) for event in step.events]
        first = f"{step.action.text:<19} # {told[0]}" if told else step.action.text
        return [first, *(f"{'':<19} # {line}" for line in told[1:])]

    def to_json(self) -> str:
        """The same content as JSON."""
        return json.dumps(
            {
                "cuberails": FORMAT,
                "title": self.title.key,
                "rules": self.title.rules_version,
                "board": self.title.board,
                "options": self.state.options,
                "seats": self.seats,
                "actions": [step.action.text for step in self.steps],
            },
            ensure_ascii=False,
            indent=1,
        )


class _Header:
    """The header of a record as it is being read."""

    def __init__(self) -> None:
        self.title = ""
        self.rules = ""
        self.board = ""
        self.options: Final[dict[str, str]] = {}
        self.seats: Final[list[str]] = []


def read_record(text: str, find: Callable[[str], Title]) -> Game:
    """The game of a record in text or JSON; `find` gives a title by its key."""
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _read_json(text.lstrip("\ufeff"), find)
    return _read_text(text.lstrip("\ufeff"), find)


def _read_text(text: str, find: Callable[[str], Title]) -> Game:
    lines = ["" if line.lstrip().startswith("#") else line.strip() for line in text.splitlines()]
    first = next((n for n, line in enumerate(lines) if line), -1)
    if first < 0:
        raise RecordError(f"the record is empty; its first line must be: cuberails {FORMAT}")
    words = lines[first].split()
    if words[0] != "cuberails" or len(words) != 2:
        raise RecordError(f"line {first + 1}: found {_short(lines[first])}; a record begins with: cuberails {FORMAT}")
    _check_format(words[1], f"line {first + 1}: ")
    header = _Header()
    n = first + 1
    while n < len(lines) and (not lines[n] or ":" in lines[n].partition("#")[0]):
        if lines[n]:
            _read_header_line(header, lines[n], f"line {n + 1}: ")
        n += 1
    game = _start(header, find)
    for number, line in enumerate(lines[n:], n + 1):
        action = line.partition("#")[0].strip()
        if action:
            _replay(game, action, f"line {number}: ")
    return game


def _read_header_line(header: _Header, line: str, where: str) -> None:
    name, _, value = (part.strip() for part in line.partition(":"))
    if name == "title":
        header.title = value
    elif name == "rules":
        header.rules = value
    elif name == "board":
        header.board = value
    elif name == "option":
        option, _, setting = value.partition(" ")
        header.options[option] = setting.strip()
    elif name == "seat":
        header.seats.append(value)
    else:
        raise RecordError(f"{where}found {_short(name)}; a header line is one of {', '.join(_HEADER)}")


def _read_json(text: str, find: Callable[[str], Title]) -> Game:
    try:
        data: object = json.loads(text)
    except (json.JSONDecodeError, RecursionError) as error:
        raise RecordError(f"this JSON cannot be read: {error}") from None
    if not isinstance(data, dict) or "cuberails" not in data:
        raise RecordError(f'a record in JSON is an object with "cuberails": {FORMAT}')
    _check_format(str(data["cuberails"]), '"cuberails": ')
    header = _Header()
    header.title = str(data.get("title", ""))
    header.rules = str(data.get("rules", ""))
    header.board = str(data.get("board", ""))
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RecordError(f'"options": found {_short(options)}; it must be an object of names and values')
    header.options.update({str(name): str(value) for name, value in options.items()})
    header.seats.extend(_json_texts(data, "seats"))
    actions = _json_texts(data, "actions")
    game = _start(header, find)
    for number, action in enumerate(actions, 1):
        _replay(game, action, f'"actions", number {number}: ')
    return game


def _json_texts(data: dict[object, object], name: str) -> list[str]:
    value = data.get(name)
    if not isinstance(value, list):
        raise RecordError(f'"{name}": found {_short(value)}; it must be a list of texts')
    texts = [item for item in value if isinstance(item, str)]
    if len(texts) != len(value):
        raise RecordError(f'"{name}" must hold texts only')
    return texts


def _check_format(found: str, where: str) -> None:
    if found != str(FORMAT):
        raise RecordError(f"{where}found format {_short(found)}; this version reads format {FORMAT}")


def _start(header: _Header, find: Callable[[str], Title]) -> Game:
    if not header.title:
        raise RecordError("the header has no title; it needs a line such as: title: wabash")
    if not header.seats:
        raise RecordError("the header names no seats; it needs a line for each, such as: seat: Ann")
    try:
        title = find(header.title)
        if header.rules not in ("", str(title.rules_version)):
            raise RecordError(
                f"the record follows rules version {_short(header.rules)} of {title.name}; "
                f"this version knows {title.rules_version}"
            )
        if header.board not in ("", title.board):
            raise RecordError(f"the record was played on board {_short(header.board)}, not on {title.board!r}")
        return Game(title, header.seats, header.options)
    except SetupError as error:
        raise RecordError(f"the header cannot be used: {error}") from None


def _replay(game: Game, text: str, where: str) -> None:
    state = game.state
    if state.actor is None:
        raise RecordError(f"{where}found {_short(text)} after the end of the game; remove it")
    try:
        game.apply(state.parse(text))
    except (UnknownAction, IllegalAction) as error:
        legal = [action.text for action in state.legal_actions()]
        near = Actions.nearest(text, legal) or legal[:3]
        raise RecordError(
            f"{where}found {_short(text)}: {error}. Legal there: {', '.join(near)}"
            + (f" … ({len(legal)} in all)" if len(legal) > len(near) else "")
        ) from None


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
