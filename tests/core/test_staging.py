"""What the scenes of all titles show alike."""

from __future__ import annotations

import pytest

from cuberails.core.scene import Company, Piece
from cuberails.core.staging import counted_track, holdings_of, mark_leader, marked_track, per_dollar, seat_letters

RED, BLUE = Piece("R", "red", "Red"), Piece("B", "blue", "Blue")


def test_seats_with_the_same_initial_are_still_told_apart() -> None:
    assert seat_letters(["Ann", "Bob", "Cy"]) == ["A", "B", "C"]
    assert seat_letters(["Player", "Greedy 2", "Greedy 3"]) == ["P", "G2", "G3"]
    assert seat_letters(["Ann", "Alan", "Bob"]) == ["An", "Al", "B"]
    assert seat_letters(["Ann", "Anna", "Bob"]) == ["A1", "A2", "B3"]
    assert seat_letters(["Medium 2", "Medium 12", ""]) == ["M1", "M2", "?3"]


def company(name: str) -> Company:
    return Company(name, Piece(name[0], "red", name), [])


def test_who_has_the_most_leads_and_those_who_share_it_tie() -> None:
    rows = [company("A"), company("B"), company("C")]
    mark_leader(rows, "Income", [1, 3, 2])
    mark_leader(rows, "Cash", [5, 0, 5])
    mark_leader(rows, "Cubes", [4, 4, 4])  # all alike: that tells nothing
    mark_leader(rows, "Coal", [0, 0, -1])
    assert [row.leads for row in rows] == [[], ["Income"], []]
    assert [row.ties for row in rows] == [["Cash"], [], ["Cash"]]


def test_what_seats_hold_is_empty_where_it_is_nothing() -> None:
    assert holdings_of([2, 0, 1]) == ["2", "", "1"]


def test_a_marker_is_called_like_its_track_unless_it_has_a_name() -> None:
    assert marked_track("x", "Sales", ["0", "1"], 1).pieces == [[], [Piece("●", "tan", "Sales")]]
    assert marked_track("x", "Sales", ["0", "1"], 0, "marker").pieces == [[Piece("●", "tan", "marker")], []]


@pytest.mark.parametrize(
    ("figures", "boxes"),
    [
        ((1, 3), "1 2 3"),
        ((2, 5), "1 2 3 4 5"),  # counted on
        ((900, 2), "1 2 3 900"),  # far beyond: only what is taken
        ((0, 1), "1 2 3"),  # not on the track
    ],
)
def test_a_track_of_numbers_has_a_box_for_every_piece(figures: tuple[int, int], boxes: str) -> None:
    track = counted_track("income", "Income", 1, 3, [(figures[0], RED), (figures[1], BLUE)])
    assert track.boxes == boxes.split()
    standing = {piece.letter: box for box, pieces in zip(track.boxes, track.pieces, strict=True) for piece in pieces}
    assert standing == {piece.letter: str(n) for n, piece in zip(figures, (RED, BLUE), strict=True) if n}


def test_what_a_build_brings_for_its_price() -> None:
    assert per_dollar(4, 4) == "income +4 for $4, $1.00 a dollar"
    assert (per_dollar(0, 2), per_dollar(3, 0), per_dollar(0, 0)) == (
        "no income for $2",
        "income +3 for $0",
        "no income for $0",
    )
