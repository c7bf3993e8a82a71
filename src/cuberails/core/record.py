"""Records: a game read back from its header and its actions, in text or JSON.

A text record is a header of `name: value` lines, an empty line, and one action a line. A line that begins with `#` is a
comment, and so is the rest of an action's line after a `#`. If the board is not the title's own, the header carries its
whole text, in lines that begin with `|`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Final

from cuberails.core.action import Actions, UnknownAction
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError
from cuberails.core.game import FORMAT, MOST_ACTIONS, Game
from cuberails.core.state import IllegalAction
from cuberails.core.title import SetupError, Title

_HEADER: Final = ("title", "rules", "board", "option", "seat")


class RecordError(ValueError):
    """A record that cannot be read: where, what was found, and what would be right."""


class _Header:
    """The header of a record as it is being read."""

    def __init__(self) -> None:
        self.title = ""
        self.rules = ""
        self.board_name = ""
        self.board_text = ""
        self.options: Final[dict[str, str]] = {}
        self.seats: Final[list[str]] = []


def read_record(text: str, find: Callable[[str], Title], board: Board | None = None) -> Game:
    """The game of a record in text or JSON; `find` gives a title by its key.

    The board is for a record that only names the one it was played on.
    """
    if text.lstrip("\ufeff \t\r\n").startswith("{"):
        return _read_json(text.lstrip("\ufeff"), find, board)
    return _read_text(text.lstrip("\ufeff"), find, board)


def _read_text(text: str, find: Callable[[str], Title], board: Board | None) -> Game:
    lines = [_bare(line) for line in text.replace("\r\n", "\n").replace("\r", "\n").split("\n")]
    first = next((n for n, line in enumerate(lines) if line), -1)
    if first < 0:
        raise RecordError(f"the record is empty; its first line must be: cuberails {FORMAT}")
    words = lines[first].split()
    if words[0] != "cuberails" or len(words) != 2:
        raise RecordError(f"line {first + 1}: found {_short(lines[first])}; a record begins with: cuberails {FORMAT}")
    _check_format(words[1], f"line {first + 1}: ")
    header = _Header()
    n = first + 1
    while n < len(lines) and (not lines[n] or lines[n][0] == "|" or ":" in lines[n].partition("#")[0]):
        if lines[n]:
            _read_header_line(header, lines[n], f"line {n + 1}: ")
        n += 1
    game = _start(header, find, board)
    for number, line in enumerate(lines[n:], n + 1):
        action = line.partition("#")[0].strip()
        if action:
            _replay(game, action, f"line {number}: ")
    return game


def _bare(line: str) -> str:
    """A line without what does not count; the text of a board is kept as it stands."""
    if line.startswith("|"):
        return line
    return "" if line.lstrip().startswith("#") else line.strip()


def _read_header_line(header: _Header, line: str, where: str) -> None:
    if line[0] == "|":
        header.board_text += line[1:].removeprefix(" ") + "\n"
        return
    name, _, value = (part.strip() for part in line.partition(":"))
    if name == "title":
        header.title = value
    elif name == "rules":
        header.rules = value
    elif name == "board":
        header.board_name = value
    elif name == "option":
        option, _, setting = value.partition(" ")
        header.options[option] = setting.strip()
    elif name == "seat":
        header.seats.append(value)
    else:
        raise RecordError(f"{where}found {_short(name)}; a header line is one of {', '.join(_HEADER)}")


def _read_json(text: str, find: Callable[[str], Title], board: Board | None) -> Game:
    try:
        data: object = json.loads(text)
    except (ValueError, RecursionError) as error:  # a ValueError also for a number of thousands of digits
        raise RecordError(f"this JSON cannot be read: {error}") from None
    if not isinstance(data, dict) or "cuberails" not in data:
        raise RecordError(f'a record in JSON is an object with "cuberails": {FORMAT}')
    _check_format(str(data["cuberails"]), '"cuberails": ')
    header = _Header()
    header.title = str(data.get("title", ""))
    header.rules = str(data.get("rules", ""))
    header.board_name = str(data.get("board", ""))
    header.board_text = str(data.get("board_text", ""))
    options = data.get("options", {})
    if not isinstance(options, dict):
        raise RecordError(f'"options": found {_short(options)}; it must be an object of names and values')
    header.options.update({str(name): str(value) for name, value in options.items()})
    header.seats.extend(_json_texts(data, "seats"))
    actions = _json_texts(data, "actions")
    game = _start(header, find, board)
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


def _start(header: _Header, find: Callable[[str], Title], board: Board | None) -> Game:
    if not header.title:
        raise RecordError("the header has no title; it needs a line such as: title: wabash")
    if not header.seats:
        raise RecordError("the header names no seats; it needs a line for each, such as: seat: Ann")
    try:
        title = find(header.title)
        return Game(_board(title, header, board), header.seats, header.options, _rules_version(title, header.rules))
    except (SetupError, BoardError) as error:
        raise RecordError(f"the header cannot be used: {error}") from None


def _board(title: Title, header: _Header, given: Board | None) -> Board:
    """The board that the record carries or names; the given one must be the same."""
    if header.board_text:
        named = title.read_board("the record's board", header.board_text)
    elif header.board_name in ("", title.board.name):
        named = title.board
    elif given is not None and given.title is title and given.name == header.board_name:
        return given
    else:
        raise RecordError(
            f"the record was played on board {_short(header.board_name)}, not on {(given or title.board).name!r}, "
            "and does not carry its text"
        )
    if given is not None and given.digest != named.digest:
        whose = "the built-in board" if named.built_in else f"{named.name!r}, which it carries"
        raise RecordError(f"the record was played on {whose}, not on the given {given.name!r}; read it without a board")
    return named


def _rules_version(title: Title, found: str) -> int:
    """The rules version of a record: an older one is still played; a newer one than this program has is refused."""
    if not found:
        return 0
    if not found.isdecimal() or not 1 <= int(found[:9]) <= title.rules_version:
        known = "1" if title.rules_version == 1 else f"1 to {title.rules_version}"
        raise RecordError(
            f"the record follows rules version {_short(found)} of {title.name}; this version knows {known}"
        )
    return int(found)


def _replay(game: Game, text: str, where: str) -> None:
    state = game.state
    if state.actor is None:
        raise RecordError(f"{where}found {_short(text)} after the end of the game; remove it")
    if game.count == MOST_ACTIONS:
        raise RecordError(f"{where}found {_short(text)} as action {MOST_ACTIONS + 1}; {MOST_ACTIONS} are the most")
    try:
        game.apply(text)
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
