"""The board of Credit Mobilier: what is known of it, other sizes, and that a broken file is refused."""

from __future__ import annotations

from importlib.resources import files
from random import Random

import pytest

import cuberails
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.core.playout import pick, playout
from cuberails.titles import credit_mobilier, worth
from cuberails.titles.credit_mobilier.board import CreditMobilierBoard
from cuberails.titles.credit_mobilier.scene import scene
from cuberails.titles.credit_mobilier.state import CreditMobilier
from tests.titles.credit_mobilier.account import check
from tests.titles.credit_mobilier.position import do, legal

TEXT = (files(credit_mobilier) / "board.toml").read_text("utf-8")


def start(board: CreditMobilierBoard, players: int) -> CreditMobilier:
    state = board.new(players, {})
    assert isinstance(state, CreditMobilier)
    return state


def load(text: str) -> CreditMobilierBoard:
    return CreditMobilierBoard(cuberails.load("credit_mobilier"), BoardFile("board.toml", text))


def changed(**entries: str) -> str:
    """The board file with other values for these names, which stand only once in it."""
    text = TEXT
    for name, value in entries.items():
        before = [line for line in text.splitlines() if line.startswith(f"{name} = ")]
        assert len(before) == 1, name
        text = text.replace(before[0], f"{name} = {value}")
    return text


def with_map(text: str, pawns: int) -> str:
    start, end = TEXT.index('map = """'), TEXT.index('"""\n\n[prov')
    return (TEXT[:start] + 'map = """\n' + text + TEXT[end:]).replace("pawns = 7", f"pawns = {pawns}")


def of_size(rows: int, columns: int, pawns: int) -> CreditMobilierBoard:
    lines = [" ".join(str(n + 1) for n in range(columns))]
    for row in range(rows):
        lines += [f"{chr(65 + row)} " + "--o " * columns, "| " * columns]
    return load(with_map("\n".join(lines[:-1]) + "\n", pawns))


def test_24_squares_and_42_places_for_track() -> None:
    board = load(TEXT)
    west = [f"{row}{column}W" for row in "ABCD" for column in range(1, 7)]
    south = [f"{row}{column}S" for row in "ABC" for column in range(1, 7)]
    assert board.slots == west + south
    assert board.size == 24
    assert board.ends[board.slots.index("C4W")] == (board.squares.index("C4"), board.squares.index("C3"))
    assert board.ends[board.slots.index("C4S")] == (board.squares.index("C4"), board.squares.index("D4"))


def test_28_pawns_and_20_shares_of_each_company() -> None:
    board = load(TEXT)
    assert (board.pawns, board.shares, board.start_cash, board.start_shares) == (7, 20, 3, 1)
    assert board.colors == ["red", "yellow", "green", "blue", "purple", "orange"]
    assert board.letters == list("RYGBPO")
    assert (board.track_pays, board.goods_pay, board.line_pays, board.price) == (2, 2, 2, 1)


def test_every_action_there_is() -> None:
    counts: dict[str, int] = {}
    for action in load(TEXT).actions.all:
        counts[action.word] = counts.get(action.word, 0) + 1
    moves = 4 * (24 + 18 + 18)
    assert counts == {"draw": 4, "roll": 252, "build": 4 * 42, "move": moves, "buy": 25, "pay": 20, "done": 1}


@pytest.mark.parametrize(("rows", "columns", "pawns"), [(3, 6, 5), (5, 7, 9), (4, 5, 6), (1, 3, 1), (5, 5, 8)])
def test_other_sizes_play_to_the_end(rows: int, columns: int, pawns: int) -> None:
    board = of_size(rows, columns, pawns)
    assert len(board.slots) == rows * columns + (rows - 1) * columns
    for players in (2, 5):
        rng = Random(rows * columns)
        for _ in range(3):
            state = start(board, players)
            while state.actor is not None:
                state.play(pick(state, rng))
                check(state)
        assert len(scene(state, ["Ann", "Bob", "Cy", "Di", "Ed"][:players]).map.tiles) == rows * columns
        assert worth(state) == state.scores()


def test_a_game_whose_draw_leaves_two_colors_is_over_at_once() -> None:
    state = start(of_size(1, 3, 9), 2)
    do(state, "draw red", "draw red", "draw blue")
    assert state.actor is None
    assert state.winners() == [0, 1]


def test_squares_without_track_symbols() -> None:
    """A board may lead its goods round a mountain, and have no way between two squares."""
    board = load(
        with_map(
            """
              1    2    3
            A --o  o    --o
              |    |    .
            B --o  --o  --o
            """,
            2,
        )
    )
    assert board.slots == ["A1W", "A3W", "B1W", "B2W", "B3W", "A1S", "A2S"]
    assert "move red A2 west" not in [action.text for action in board.actions.all]
    state = start(board, 2)
    do(state, *["draw red"] * 2, *["draw blue"] * 2, "draw green", "draw yellow", "roll RRRRR")
    assert legal(state, "build") == ["build red A3W", "build red B3W"]


def test_a_color_on_two_faces_is_twice_as_likely() -> None:
    board = load(changed(faces='["red", "red", "yellow", "green", "blue", "purple", "orange"]'))
    weights = dict(zip(board.roll_words, board.roll_weights, strict=True))
    assert (weights["RRRRR"], weights["YYYYY"]) == (32, 1)
    assert sum(weights.values()) == 7**5 == len(board.falls)


def test_pawns_and_shares_come_from_the_file() -> None:
    board = load(TEXT.replace("pawns = 7", "pawns = 8").replace("shares = 20", "shares = 10"))
    rng = Random(1)
    for _ in range(20):
        state = board.new(3, {})
        playout(state, rng)
        check(state)
    with pytest.raises(BoardError, match=r"components\.shares: found 4; 5 players begin with 5 together"):
        load(TEXT.replace("shares = 20", "shares = 4"))


BROKEN = [
    (changed(pawns="5"), "components.pawns: found 5; 24 squares need at least 6 of each railway"),
    (changed(pawns='"many"'), "components.pawns: found 'many'; it needs a whole number, at least 1"),
    (changed(colors="4"), "end.colors: found 4; it must be less than the 4 railways"),
    (changed(faces='["red", "yellow"]'), "dice.faces: green is missing; every colour needs a face"),
    (
        changed(faces='["red", "yellow", "green", "blue", "purple", "orange", "pink"]'),
        "dice.faces: 'pink' is no colour; the colours are red, yellow, green, blue, purple, orange",
    ),
    (
        TEXT.replace('letter = "Y"', 'letter = "R"'),
        "railways.yellow.letter: found 'R' again; each needs one that no other has",
    ),
    (TEXT.replace("count = 5", "count = 1"), "dice.count: found 1; it needs a whole number, at least 2"),
    (TEXT.replace("track = 2", ""), "economy.track: is missing; it needs a whole number"),
    (TEXT.replace("[start]", "[start]\nloan = 3"), "start.loan: is not known here"),
    (TEXT.replace('color = "orange"', 'color = "red"'), "must be a colour of its own"),
    (TEXT.replace("[railways.yellow]", '[railways."sun yellow"]'), "railways.sun yellow: cannot be a name in actions"),
    (TEXT.replace('color = "orange"', 'color = "o:"'), "dividends.color: found 'o:'; it needs one word of at most 24"),
    (
        TEXT.replace("count = 5", "count = 7"),
        "dice.count: 7 dice with 6 faces can fall in too many ways; it needs fewer",
    ),
    (
        with_map(" ".join(map(str, range(1, 42))) + "\nA" + " --o" * 41, 20),
        "map: is too large; it needs at most 26 rows, A to Z, and 40 columns",
    ),
    (with_map("", 7), "map: needs a line of column numbers 1 2 3"),
    (with_map("1 2\nA --o --o\n| |\n", 7), "map: needs a line of column numbers 1 2 3"),
    (with_map("1 2\nB --o --o\n", 7), "map: row A must begin with its letter A, but begins with 'B'"),
    (with_map("1 2\nA --o\n", 7), "map: row A has 1 words for 2 columns"),
    (with_map("1 2\nA --o =o\n", 7), "map: row A has '=o'; it needs --o or o in every column"),
    (
        with_map("1 2\nA --o --o\n| +\nB --o --o\n", 7),
        "map: the line below row A has '+'; it needs | or . in every column",
    ),
    (
        with_map("1 2\nA --o o\n", 7),
        "map: goods from A2 could never reach the coast; give it a track symbol that leads on",
    ),
    (
        with_map("1 2\nA --o o\n. |\nB o --o\n. |\nC --o --o\n", 7),
        "map: goods from B1 could never reach the coast",
    ),
    (with_map("1 2\nA --o o\n. |\nB --o --o\n", 7), "map: A1W could never be connected to the eastern side"),
]


@pytest.mark.parametrize(("text", "problem"), BROKEN)
def test_a_broken_file_is_refused_with_file_entry_and_fix(text: str, problem: str) -> None:
    with pytest.raises(BoardError) as error:
        load(text)
    assert str(error.value).startswith("board.toml, ")
    assert problem in str(error.value)
