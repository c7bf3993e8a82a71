"""Board files: every error names the file, the entry and what would be right."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from cuberails.core.boardfile import BoardError, BoardFile, Section

TEXT = """
name = "Test"
size = 3
prices = [1, 2]
words = ["a", "b"]
map = "A x"
[parts.one]
cost = 1
[parts.two]
cost = 2
[empty]
"""


def table() -> Section:
    return BoardFile("board.toml", TEXT)


def test_entries_are_taken_with_their_type() -> None:
    board = table()
    assert (board.text("name"), board.whole("size"), board.wholes("prices", 2)) == ("Test", 3, [1, 2])
    assert board.texts("words") == ["a", "b"]
    assert [part.whole("cost") for part in board.tables("parts")] == [1, 2]
    assert board.map("map", "pointy")[0].word == "x"
    assert (board.has("size"), board.has("weight")) == (True, False)


@pytest.mark.parametrize(
    ("take", "message"),
    [
        (lambda b: b.text("size"), "board.toml, size: found 3; it needs a text"),
        (lambda b: b.text("title"), "board.toml, title: is missing; it needs a text"),
        (lambda b: b.whole("name"), "board.toml, name: found 'Test'; it needs a whole number, at least 0"),
        (lambda b: b.whole("size", 5), "board.toml, size: found 3; it needs a whole number, at least 5"),
        (lambda b: b.wholes("prices", 3), "board.toml, prices: found [1, 2]; it needs 3 whole numbers"),
        (lambda b: b.wholes("words"), "board.toml, words: found ['a', 'b']; it needs a list of whole numbers"),
        (lambda b: b.texts("prices"), "board.toml, prices: found [1, 2]; it needs a list of texts"),
        (lambda b: b.texts("size"), "board.toml, size: found 3; it needs a list of texts"),
        (lambda b: b.one_of("name", ["x", "y"]), "board.toml, name: found 'Test'; it needs one of x, y"),
        (lambda b: b.table("size"), "board.toml, size: found 3; it needs a table [size]"),
        (lambda b: b.tables("empty"), "board.toml, empty: is empty; it needs at least one table"),
        (lambda b: b.tables("parts")[1].text("cost"), "board.toml, parts.two.cost: found 2; it needs a text"),
        (
            lambda b: b.map("name", "pointy"),
            "board.toml, name: line 1 of the map must begin with A, but begins with Test",
        ),
    ],
)
def test_a_wrong_entry_is_named(take: Callable[[Section], object], message: str) -> None:
    with pytest.raises(BoardError) as error:
        take(table())
    assert str(error.value).startswith(message)


def test_a_truth_value_is_no_number() -> None:
    with pytest.raises(BoardError, match="found True"):
        BoardFile("board.toml", "size = true").whole("size")


def test_what_nobody_asked_for_is_a_misspelling() -> None:
    board = BoardFile("board.toml", "size = 1 \n sise = 2")
    board.whole("size")
    with pytest.raises(BoardError, match=r"board\.toml, sise: is not known here; known are size"):
        board.end()
    inner = BoardFile("board.toml", "[parts] \n cost = 1 \n prize = 2")
    inner.table("parts").whole("cost")
    with pytest.raises(BoardError, match=r"board\.toml, parts\.prize: is not known here"):
        inner.end()


def test_what_is_not_toml_is_refused() -> None:
    with pytest.raises(BoardError, match=r"board.toml: is not valid TOML: .*line 1"):
        BoardFile("board.toml", "= 3")
