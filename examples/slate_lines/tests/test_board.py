"""The board file of Slate Lines: it can be changed, and mistakes are named."""

from __future__ import annotations

import pickle
import re
from random import Random

import pytest

import cuberails
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.titles import judge
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
        ('"South"', '"north"', "x.toml, tramways.north: is another's name too (capitals do not count)"),
        ("D4 = {", "A1 = {", "x.toml, cities.A1: is no hex of the map"),
        ("F4 = {", "F3 = {", "x.toml, cities.F3: is meadow on the map; only cities are named"),
        ("F4 = {", "# F4 = {", "x.toml, cities.F4: is missing; the map has a harbour there"),
        ("income = 3 }", "income = 0 }", "x.toml, cities.D4.income: found 0; it needs a whole number"),
        ("faces = [2,", "faces = [-2,", "x.toml, quarries.faces: found [-2, 3, 4, 4, 5, 6]; it needs a list of whole"),
        ("even = 4", "even = 4\nodd = 1", "x.toml, quarries.odd: is not known here; known are even, faces"),
    ],
)
def test_a_mistake_is_named_with_its_entry_and_its_fix(old: str, new: str, sentence: str) -> None:
    with pytest.raises(BoardError) as error:
        title.read_board("x.toml", TEXT.replace(old, new))
    assert str(error.value).startswith(sentence)


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


VARIATIONS = {
    "one tramway": TEXT[: TEXT.index('[tramways."South"]')] + TEXT[TEXT.index("[cities]") :],
    "one season of one turn and one build": re.sub("(seasons|turns|builds) = [0-9]", r"\1 = 1", TEXT),
    "no money to speak of": TEXT.replace("money = 72", "money = 1"),
    "a fortune": TEXT.replace("money = 72", "money = 9999"),
    "quarries that may be empty": TEXT.replace("faces = [2, 3,", "faces = [0, 0,"),
    "one harbour for two": TEXT.replace('start = "F4"', 'start = "C1"'),
    "no quarries": re.sub("Q([34])", r"M\1", re.sub("(A2|A4|A6|B5|C7) = .*", "", TEXT)),
}


@pytest.mark.parametrize("name", VARIATIONS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_other_boards_are_played_drawn_and_judged(name: str, players: int) -> None:
    board, rng = title.read_board(name, VARIATIONS[name]), Random(name)
    for seams in ("rolled", "even"):
        state = board.new(players, {"seams": seams})
        while state.actor is not None:
            state.apply(pick(state, rng))
            assert len(judge("slate_lines").worth(state)) == players
        assert "The game is over" in str(state)
