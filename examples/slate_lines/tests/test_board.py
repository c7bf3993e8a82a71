"""The board file of Slate Lines: it can be changed, and mistakes are named."""

from __future__ import annotations

import pickle
from random import Random

import pytest

import cuberails
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.playout import pick
from slate_lines import title
from slate_lines.board import SlateBoard

TEXT = title.read("board.toml")
RICH = TEXT.replace("money = 72", "money = 120").replace('name = "The slate coast"', 'name = "A rich coast"')


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("money = 72", "money = 0", "x.toml, components.money: found 0; it needs a whole number, at least 1"),
        ("A   ~   Q3", "A   ~   X3", "x.toml, map: A2 is 'X3'; it needs one of M B V T Q H and a cost, H without"),
        ('start = "C1"', 'start = "C2"', "x.toml, tramways.North.start: C2 must be a harbour (H) on the map"),
        ("D4 = {", "A1 = {", "x.toml, places.A1: is no hex of the map"),
        ("faces = [2,", "faces = [-2,", "x.toml, quarries.faces: has a face -2; a quarry cannot lower an income"),
        (
            'D4 = { name = "Castle Moor", income = 3 }\n',
            "",
            "x.toml, places.D4: is missing; the map has a town there, which needs a name and an income",
        ),
        ("even = 4", "even = 4\nodd = 1", "x.toml, quarries.odd: is not known here; known are even, faces"),
    ],
)
def test_a_mistake_is_named_with_its_entry_and_its_fix(old: str, new: str, sentence: str) -> None:
    with pytest.raises(BoardError) as error:
        title.read_board("x.toml", TEXT.replace(old, new))
    assert str(error.value) == sentence


def test_a_game_on_another_board_stays_there() -> None:
    """In pickles and in records."""
    board = title.read_board("rich.toml", RICH)
    game, rng = Game(board, ["Ann", "Bob"]), Random(1)
    for _ in range(20):
        game.apply(pick(game.state, rng))
    for again in (pickle.loads(pickle.dumps(game)), cuberails.read(game.to_text())):
        assert again.to_text() == game.to_text()
        assert isinstance(again.board, SlateBoard)
        assert (again.board.name, again.board.money) == ("A rich coast", 120)
        assert again.at(0).scores() == [60, 60]
