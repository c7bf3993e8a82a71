"""Gulf, Mobile & Ohio rule by rule: track, victory points and new railroads."""

from __future__ import annotations

import pytest

from tests.titles.gmo.account import check
from tests.titles.gmo.position import connected, do, legal, position, rr, sell

rule = pytest.mark.rule


# G7


@rule("G7.1")
def test_each_cube_costs_3() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    do(state, "expand SC", "build I13", "build I12", "done")
    assert state.cash[0] == 34


@rule("G7.2")
def test_track_is_connected() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    do(state, "expand SC")
    assert state.why_not("build I12") == "G7.2: I12 Augusta is not next to a cube of SC"
    do(state, "build I13")
    assert "build I12" in legal(state)


@rule("G7.3")
def test_one_cube_of_a_railroad_in_a_hex() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    do(state, "expand SC")
    assert state.why_not("build H13") == "G7.3: SC has a cube in H13 Columbia already"


@rule("G7.4")
def test_a_rural_hex_holds_one_cube_and_a_city_any_number() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 I13 I12")
    do(state, "expand SC")
    assert state.why_not("build I13") == "G7.4: I13 is rural and holds a cube already"
    do(state, "build H12", "build I12")
    assert state.has_cube(state.board.grid.index["I12"])
    assert state.met[rr("SC")] == 1 << state.board.colors.index("red")


@rule("G7.5")
def test_no_cube_in_or_next_to_the_same_colour_of_another_railroad() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 I13 \n WP green 1 H9 H10 I11 J10")
    do(state, "expand SC")
    reason = "a green cube of WP is next to I12 Augusta, and SC is green too"
    assert state.why_not("build I12") == f"G7.5: {reason}"
    other = position("players 3 \n SC green 0 I15 I14 H13 I13 \n WP red 1 H9 H10 I11 J10")
    do(other, "expand SC")
    assert "build I12" in legal(other)


@rule("G7.6")
def test_mountains_are_closed() -> None:
    state = position("players 3 \n V&T green 0 C11 C12 B12")
    do(state, "expand V&T")
    assert state.why_not("build C13") == "G7.6: C13 is a mountain"


@rule("G7.7")
def test_a_build_ends_with_the_last_cube_of_its_colour() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n gone green 27")
    do(state, "expand SC", "build I13")
    assert state.actor == 1
    assert state.supply[0] == 0


# G8


@rule("G8.1", "G8.2")
def test_the_builder_scores_1_for_a_city_and_2_for_atlanta() -> None:
    state = position("players 3 \n GM&O green 0 M5 L5 K6 J6 J7 I8 H8")
    do(state, "common GM&O", "bid 0", "pass", "bid 6", "pass", "build H9", "done")
    assert state.points == [0, 0, 2]


@rule("G8.3")
def test_a_new_colour_scores_once() -> None:
    state = position(
        """
        players 3
        SC green 0 I15 I14 H13
        CEN red 1 J13 J12 I12
        W&W red 1 G17 G16 G15
        VC yellow 1 A17 A16 A15
        """
    )
    do(state, "expand SC", "build I13", "build I12")
    assert state.points[0] == 2  # Augusta and red
    do(state, "build H14", "build G15", "done")
    assert state.points[0] == 3  # Florence; red was met before
    assert connected(state, "SC") == {"red"}


@rule("G8.3")
def test_being_next_to_a_colour_or_on_the_same_side_is_no_connection() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 I13 I12")
    assert connected(state, "SC") == set()


@rule("G8.4")
def test_the_railroads_that_were_there_are_connected_without_points() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 J12 I12 \n VC yellow 2 A17 A16 A15")
    do(state, "expand SC", "build I13", "build I12", "done")
    assert state.points == [2, 0, 0]
    assert connected(state, "CEN") == {"green"}
    do(state, "expand CEN", "build H12", "build H13", "done")  # Columbia, where green is
    assert state.points == [2, 1, 0]  # the city only
    assert connected(state, "SC") == {"red"}
    assert connected(state, "VC") == set()


@rule("G8.4")
def test_by_the_option_only_the_placing_railroad_is_connected_and_the_other_may_score_later() -> None:
    text = "players 3 \n points 3 3 0 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 J12 I12"
    state = position(text, connection="placer")
    sentences = do(state, "expand SC", "build I13", "build I12", "done")
    assert sentences[2] == "SC builds in I12 Augusta for $3; Ann scores 2 (city 1, red 1)"
    assert (connected(state, "SC"), connected(state, "CEN")) == ({"red"}, set())
    sentences = do(state, "expand CEN", "build H12", "build H13", "done")
    assert sentences[2] == "CEN builds in H13 Columbia for $3; Bob scores 2 (city 1, green 1)"
    assert (connected(state, "SC"), connected(state, "CEN")) == ({"red"}, {"green"})
    assert state.points == [3 + 2, 3 + 2, 0]
    check(state)


@rule("G8.4")
def test_by_the_option_a_colour_still_scores_once() -> None:
    text = """
        players 3
        SC green 0 I15 I14 H13
        CEN red 1 J13 J12 I12
        W&W red 1 G17 G16 G15
    """
    state = position(text, connection="placer")
    sentences = do(state, "expand SC", "build I13", "build I12", "build H14", "build G15")
    assert sentences[2] == "SC builds in I12 Augusta for $3; Ann scores 2 (city 1, red 1)"
    assert sentences[4] == "SC builds in G15 Florence for $3; Ann scores 1 (city 1)"


@rule("G8.5")
@pytest.mark.parametrize(
    ("name", "points"), [("SC", 2), ("CEN", 2), ("N&P", 2), ("W&W", 2), ("NO&J", 2), ("VC", 3), ("M&C", 3), ("GM&O", 3)]
)
def test_a_charter_scores_1_and_three_railroads_1_more(name: str, points: int) -> None:
    state = position("players 3")
    sell(state, f"charter {name}", 12)
    assert state.points == [points, 0, 0]  # with the home city


WEST_POINT = """
    players 3
    cash 16 16 16
    points 15 12 11
    CEN green 0 J13 J12 J11 J10 K10 K9
    VC green 1 A17 A16 A15 A14 B13 B12
    NO&J green 2 M3 L3 K3 J3 I3 H3
    SC yellow 0 I15 I14 I13 I12 I11 J10
    M&C yellow 1 E3 E4 E5 E6 F6 F7 F8
    GM&O red 2 M5 L5 K6 J6 J7 I8 I9 I10 J10
    W&A blue 0 F8 G9 H9
    N&P black 1 C20 C19 C18 C17
"""


@rule("G8.6")
def test_the_west_point_example_scores_7() -> None:
    state = position(WEST_POINT)
    check(state)
    blue = state.board.colors.index("blue")
    assert state.supply[blue] == 12
    assert all(left < 12 for color, left in enumerate(state.supply) if color != blue)
    sentences = do(state, "charter WP", "bid 15", "bid 16")  # Bob wins
    sentences = sentences[sentences.index("Bob takes the WP charter for $16") :]
    assert sentences[1:] == [
        "Bob makes WP blue (no choice)",  # there is more blue than anything else
        # Atlanta is no choice: a blue cube is there
        "WP builds in J7 Montgomery for $3; Bob scores 3 (city 1, red 1, charter 1) (no choice)",
    ]
    assert state.supply[blue] == 12 - 1 - 1
    assert state.points == [15, 12 + 3, 11]
    assert state.why_not("build H9") == "G7.2: H9 Atlanta is not next to a cube of WP"
    assert do(state, "build J8", "build J9") == ["WP builds in J8 for $3", "WP builds in J9 for $3"]
    assert state.points == [15, 12 + 3, 11]
    assert do(state, "build J10") == ["WP builds in J10 Macon for $3; Bob scores 3 (city 1, green 1, yellow 1)"]
    assert state.points == [15, 12 + 6, 11]
    assert do(state, "build K9") == [
        "WP builds in K9 Columbus for $3; Bob scores 1 (city 1)",
        "Bob stops building WP (no choice)",  # $1 is not enough for another cube
    ]
    assert state.points == [15, 12 + 7, 11]
    assert state.cash == [16, 0, 16]  # the last $1 went to the bank
    assert connected(state, "WP") == {"red", "green", "yellow"}
    assert state.actor == 1
    check(state)


@rule("G8.6")
def test_the_west_point_could_not_start_in_atlanta() -> None:
    state = position(WEST_POINT)
    atlanta = state.board.grid.bit[state.board.grid.index["H9"]]
    blue = state.board.colors.index("blue")
    assert not state.starts(rr("WP"), state.shadow(blue), 5) & atlanta
    assert state.starts(rr("WP"), 0, 5) & atlanta


# G9


@rule("G9.1")
def test_a_cube_in_a_home_makes_its_railroads_available() -> None:
    state = position("players 3 \n SC green 0 I15 I14 I13 H13")
    assert state.why_not("charter NC") == (
        "G9.1: the NC charter is not available before there is a cube in E18 Goldsboro or F13 Charlotte"
    )
    sentences = do(state, "expand SC", "build G14", "build F13", "done")
    assert "The NC charter becomes available: there is a cube in F13 Charlotte" in sentences
    assert not any("C&SC" in line for line in sentences)  # was available through Columbia
    assert "charter NC" in legal(state)
    assert "charter C&SC" in legal(state)


@rule("G9.1")
def test_one_cube_may_open_two_railroads() -> None:
    state = position("players 3 \n M&C green 0 E3 E4 E5 F3")
    sentences = do(state, "expand M&C", "build G3", "done")
    assert sentences[2:4] == [
        "The MC charter becomes available: there is a cube in G3 Grenada",
        "The M&T charter becomes available: there is a cube in G3 Grenada",
    ]
