"""Board files from strangers: whatever they hold, reading ends soon with a sentence that names file, place and fix."""

from __future__ import annotations

import pytest

from cuberails.core.action import MOST_ACTIONS, Actions, ActionSpaceError
from cuberails.core.boardfile import MOST_LETTERS, BoardError
from cuberails.titles import load, read_board

GOOD = load("wabash").board.text

HOSTILE = {
    "ten megabytes": ("#" * 10_000_000, f"{MOST_LETTERS} characters at most"),
    "deep lists": ("a = " + "[" * 40_000 + "]" * 40_000, "not valid TOML"),
    "deep inline tables": ("a = " + "{a=" * 9_000 + "1" + "}" * 9_000, "not valid TOML"),
    "lists of ten levels": ("a = " + "[" * 10 + "1" + "]" * 10, "nested too deep"),
    "a name of many parts": ("a" + ".a" * 40_000 + " = 1", "line 1: has more than 16 dots"),
    "a table of many parts": ("# own\n[a" + ".a" * 40_000 + "]", "line 2: has more than 16 dots"),
    "many parts inside a line": ("a = {b" + ".a" * 40_000 + " = 1}", "line 1: has more than 16 dots"),
    "a zero byte": ('title = "wabash"\0', "not valid TOML"),
    "half a character": ('title = "\ud800"', "not valid TOML"),
    "a number of 9,000 digits": ("a = " + "9" * 9_000, "not valid TOML"),
    "a hexadecimal number of 90,000 digits": ("a = 0x" + "f" * 90_000, "a number beyond"),
    "a value of 90,000 characters": ('title = "' + "x" * 90_000 + '"', r"title: found 'xxx.*\.\.\.; it needs one of"),
    "a date": ("title = 2020-01-01", "title: found .*it needs one of wabash"),
    "nothing": ("", "title: is missing"),
    "two railroads of one name": (GOOD.replace('railroads."NYC"', 'railroads."pa"').replace('"NYC"]', '"pa"]'), "pa"),
    "a railroad called nothing": (GOOD.replace('"NYC"', '"nothing"'), "nothing"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_board_is_refused_with_a_short_sentence(name: str) -> None:
    text, reason = HOSTILE[name]
    with pytest.raises(BoardError, match=reason) as refusal:
        read_board("own.toml", text)
    assert str(refusal.value).startswith("own.toml")
    assert len(str(refusal.value)) < 400


def test_no_board_has_more_actions_than_a_server_can_search() -> None:
    actions = Actions(load("wabash").board, ["bid"])
    actions.add_all(0, [f"bid {n}" for n in range(MOST_ACTIONS)])
    with pytest.raises(ActionSpaceError, match="use a smaller map or lower numbers"):
        actions.add(0, "bid more")
