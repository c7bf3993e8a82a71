"""Credit Mobilier rule by rule: building track and moving goods."""

from __future__ import annotations

import pytest

from cuberails.core.state import CHANCE
from tests.titles.credit_mobilier.position import do, drawn, goods, legal, position, tell, treasury

rule = pytest.mark.rule


# C4


@rule("C4.1")
def test_one_piece_of_track_between_two_spaces() -> None:
    state = do(drawn(2), "roll RYGBP", "build red A6W", "done", "roll RYGBP")
    assert "build yellow A6W" not in legal(state)
    assert state.why_not("build yellow A6W") == "C4.1: red track lies in A6W already"
    board = state.board
    named = {id: tuple(board.space(n) for n in board.ends[slot]) for slot, id in enumerate(board.slots)}
    assert (named["B3W"], named["B3S"]) == (("B3", "B2"), ("B3", "C3"))
    assert named["A1W"] == ("A1", "the Pacific Coast")


@rule("C4.2")
def test_the_first_track_touches_the_eastern_side() -> None:
    state = do(drawn(2), "roll RRRRO")
    sites = [text.split()[2] for text in legal(state, "build red")]
    assert sites == ["A6W", "B6W", "C6W", "D6W", "A6S", "B6S", "C6S"]
    assert state.why_not("build red A5W") == "C4.2: A5W is not connected to the eastern side"


@rule("C4.2")
def test_track_of_any_color_connects() -> None:
    state = position("players 2 \n blue track B6W B5W")
    do(state, "roll RYYYO")
    sites = [text.split()[2] for text in legal(state, "build red")]
    assert sites == ["A6W", "B4W", "C6W", "D6W", "A4S", "A5S", "A6S", "B4S", "B5S", "B6S", "C6S"]


@rule("C4.3")
def test_three_yellows_continue_each_other() -> None:
    """The rulebook's example: three yellow pieces and six dollars for the Credit Mobilier."""
    state = position("players 2 \n red track C6W C5W")
    do(state, "roll YYYGB", "build yellow C4W", "build yellow B3S", "build yellow B3W")
    assert [state.board.slots[n] for n, owner in enumerate(state.track) if owner == 1] == ["B3W", "C4W", "B3S"]
    assert treasury(state, "purple") == 6
    assert state.actor == CHANCE


@rule("C4.4")
def test_the_coast_connects_nothing() -> None:
    state = position("players 2 \n red track A6W A5W A4W A3W A2W A1W")
    do(state, "roll RYGBP")
    assert "build red B1W" not in legal(state)
    assert state.why_not("build red B1W") == (
        "C4.4: the eastern end of B1W is not connected, and the coast connects nothing"
    )
    do(state, "build red A1S")
    assert "build red B1W" in legal(state)


@rule("C4.5")
def test_every_piece_of_track_pays_2_dollars() -> None:
    state = do(drawn(2), "roll RRRYO")
    assert tell(state, "build red A6S") == ["Ann builds red track in A6S", "Credit Mobilier receives $2 (track)"]
    do(state, "build red A6W")
    assert state.treasury == [0, 0, 0, 0, 4]
    assert state.cash == [3, 3]


# C5

TWO_ROWS = "red goods A6 B6 B6 \n blue track A6W B6W A6S A5W"


@rule("C5.1")
def test_one_pawn_two_spaces_or_two_pawns_one_space() -> None:
    """Two red, two blue, one yellow: the rulebook's example."""
    start = do(position("players 2 \n" + TWO_ROWS), "roll RRYBB")
    assert legal(start, "move red") == [
        "move red A6 west", "move red A6 south", "move red B6 west", "move red B6 north",
    ]  # fmt: skip
    assert goods(do(start.copy(), "move red A6 west", "move red A5 west"), "red") == ["A4", "B6", "B6"]
    assert goods(do(start.copy(), "move red A6 west", "move red B6 west"), "red") == ["A5", "B5", "B6"]
    assert start.why_not("move red C6 west") == "C5.1: no red pawn stands in C6"
    assert start.why_not("move red B6 south") == "C5.1: there is no track from B6 to the south: B6S is not built"


@rule("C5.2")
def test_goods_never_go_east_and_may_turn_back() -> None:
    state = position("players 2 \n red goods A5 A5 \n blue track A6W A6S A5S B6W B5S")
    do(state, "roll RRRRB")
    assert legal(state, "move red") == ["move red A5 south"]  # A6W lies to the east
    assert "is not an action" in (state.why_not("go east") or "")
    assert "there is no 'move red A5 east'" in (state.why_not("move red A5 east") or "")
    do(state, "move red A5 south", "move red B5 north")
    assert goods(state, "red") == ["A5", "A5"]
    assert state.treasury == [0, 0, 0, 0, 0]


@rule("C5.3")
def test_any_number_of_pawns_in_a_space() -> None:
    state = position("players 2 \n red goods A5 A6 A6 A6 A6 \n yellow goods A5 \n blue track A6W")
    do(state, "roll RRRRR", *["move red A6 west"] * 4)
    assert goods(state, "red") == ["A5"] * 5


@rule("C5.4")
def test_goods_enter_the_coast_along_any_row_and_stay() -> None:
    state = position("players 2 \n red goods C1 A1 D6 \n yellow track C6W C5W C4W C3W C2W C1W")
    do(state, "roll RRRYO")
    assert legal(state, "move red") == ["move red C1 west"]
    assert tell(state, "move red C1 west") == [
        "Ann moves a red pawn west from C1 to the Pacific Coast on yellow track",
        "Red receives $2 (its goods)",
        "Yellow receives $2 (its track)",
    ]
    assert (goods(state, "red"), state.coast[0]) == (["A1", "D6"], 1)
    assert state.actor == CHANCE  # nothing else can move, so the turn is over


@rule("C5.5")
def test_a_step_west_pays_the_pawn_and_the_track() -> None:
    """The rulebook's example: $2 for red and $2 for blue on blue track, then $4 for red on red track."""
    state = position("players 2 \n red goods A6 B6 track B6W \n blue track A6W")
    do(state, "roll RRYBB", "move red A6 west")
    assert (treasury(state, "red"), treasury(state, "blue")) == (2, 2)
    assert tell(state, "move red B6 west") == [
        "Ann moves a red pawn west from B6 to B5 on red track",
        "Red receives $4 (its goods on its own track)",
    ]
    assert (treasury(state, "red"), treasury(state, "blue")) == (6, 2)


@rule("C5.6")
def test_a_step_north_or_south_pays_nothing() -> None:
    state = do(position("players 2 \n" + TWO_ROWS), "roll RRYBB", "move red A6 south", "move red B6 north")
    assert state.treasury == [0, 0, 0, 0, 0]
    assert goods(state, "red") == ["A6", "B6", "B6"]
