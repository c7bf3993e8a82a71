"""Southern Rails rule by rule. Each test cites the rules of rules.md that it shows."""

from __future__ import annotations

import pytest

from cuberails.core.state import IllegalAction
from cuberails.titles.southern_rails.state import SouthernRails
from tests.titles.southern_rails.account import check, holdings
from tests.titles.southern_rails.position import do, fresh, legal, position, progress, rr, sentences_of
from tests.titles.southern_rails.test_board import TEXT, load

rule = pytest.mark.rule

COLORS = ["red", "blue", "yellow", "purple", "green", "black"]


def drafted() -> SouthernRails:
    """Three players with two shares each: red and purple, blue and yellow, yellow and blue."""
    return do(fresh(3), "take red", "take blue", "take yellow", "take blue", "take yellow", "take purple")


# S1


@rule("S1.1")
def test_six_railroads_of_16_cubes_and_6_shares() -> None:
    state = fresh(3)
    assert state.board.railroads == COLORS
    assert (state.cubes, state.stock) == ([16] * 6, [6] * 6)
    assert sorted(state.board.letters) == ["B", "G", "K", "P", "R", "Y"]


@rule("S1.2")
def test_atlanta_is_the_only_yellow_city() -> None:
    board = fresh(3).board
    assert [board.label(n) for n, kind in enumerate(board.kind) if kind == "yellow"] == ["G8 Atlanta"]
    assert board.provenance.note.startswith("Reconstructed board")
    assert [name for name, source in zip(board.names, board.sources, strict=True) if source == "rulebook"] == [
        "Atlanta"
    ]


@rule("S1.3")
def test_everything_starts_at_0() -> None:
    state = fresh(5)
    assert [progress(state, name) for name in COLORS] == [(0, 0, 0, 0)] * 6
    assert state.scores() == [0] * 5


@rule("S1.4")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_turn_order_begins_with_seat_0(players: int) -> None:
    state = fresh(players)
    assert state.order == list(range(players))
    assert (state.actor, state.prompt) == (0, "Take your first share")


# S2


@rule("S2.1")
def test_the_first_shares_are_taken_in_order_each_railroad_once() -> None:
    state = fresh(4)
    assert legal(state, "take") == COLORS
    assert sentences_of(state, "take red") == ["Anna takes a share of red"]
    assert state.actor == 1
    assert legal(state, "take") == ["blue", "yellow", "purple", "green", "black"]
    assert state.why_not("take red") == "S2.1: the share of red that was laid out for this round is taken"
    do(state, "take blue", "take black")
    assert (state.actor, legal(state, "take")) == (3, ["yellow", "purple", "green"])


@rule("S2.1")
def test_cubes_are_placed_only_after_the_draft() -> None:
    state = fresh(3)
    assert state.why_not("place red G8") == "S2.1: shares are being taken: take one first"
    do(state, "take red", "take blue", "take yellow")
    assert (state.why_not("place red G8") or "").startswith("S2.2: ")


@rule("S2.2")
def test_the_second_shares_are_taken_in_reverse_order() -> None:
    state = do(fresh(4), "take red", "take blue", "take yellow", "take purple")
    assert (state.actor, state.prompt) == (3, "Take your second share, of another railroad")
    assert legal(state, "take") == ["red", "blue", "yellow", "green", "black"]  # laid out again, but no second purple
    do(state, "take red")
    assert state.actor == 2
    assert state.why_not("take red") == "S2.2: the share of red that was laid out for this round is taken"
    do(state, "take blue")
    assert state.actor == 1
    do(state, "take yellow")
    assert state.actor == 0
    do(state, "take purple")
    assert (state.actor, state.prompt) == (0, "Place a cube: red (16 left) or purple (16 left)")


@rule("S2.3")
def test_the_second_share_is_of_another_railroad() -> None:
    state = do(fresh(3), "take red", "take blue", "take yellow")
    assert state.why_not("take yellow") == "S2.3: your first share is of yellow; the second must be of another railroad"
    assert "yellow" not in legal(state, "take")
    do(state, "take blue")
    assert "yellow" in legal(state, "take")  # for the others


@rule("S2.3")
def test_with_five_players_the_last_second_share_can_be_forced() -> None:
    state = do(fresh(5), "take red", "take blue", "take yellow", "take purple", "take green")
    do(state, "take blue", "take green", "take purple")
    events = sentences_of(state, "take yellow")  # red and black are left, and seat 0 has red
    assert events == ["Beth takes a share of yellow", "Anna takes a share of black (no choice)"]
    assert (state.actor, state.prompt) == (0, "Place a cube: red (16 left) or black (16 left)")


@rule("S2.4")
@pytest.mark.parametrize("players", [3, 4, 5])
def test_after_the_draft_everybody_has_two_shares_and_the_rest_is_in_stock(players: int) -> None:
    state = fresh(players)
    while state.prompt.startswith("Take"):
        do(state, f"take {legal(state, 'take')[0]}")
    assert holdings(state) == [2] * players
    assert sum(state.stock) == 36 - 2 * players
    check(state)


# S3


@rule("S3.1")
def test_each_player_places_one_cube_in_turn_order() -> None:
    state = drafted()
    assert state.actor == 0
    assert sentences_of(state, "place red J5") == ["Anna places a red cube in J5"]
    assert state.actor == 1
    do(state, "place blue G8")
    assert state.actor == 2
    assert state.why_not("take red") == "S7.2: shares are taken after a scoring round; now place a cube"


@rule("S3.2")
def test_a_player_places_cubes_of_railroads_it_has_a_share_of() -> None:
    state = drafted()
    assert {action.split()[0] for action in legal(state, "place")} == {"red", "purple"}
    assert state.why_not("place blue G8") == "S3.2: only a shareholder of blue may place its cubes"
    with pytest.raises(IllegalAction, match=r"S3\.2"):
        do(state, "place blue G8")


@rule("S3.2")
def test_a_railroad_without_cubes_is_not_offered() -> None:
    state = position("players 3 \n red shares 1 1 1 track J1-J11 I2-I4 I6-I7 \n blue shares 1 1 1")
    assert state.prompt == "Place a cube: blue (16 left)"
    assert legal(state, "place", "red") == []
    assert state.why_not("place red H4") == "S3.2: red has no cube left"


@rule("S3.3")
def test_nobody_passes_by_choice() -> None:
    state = drafted()
    assert {action.word for action in state.legal_actions()} == {"place"}
    assert (state.why_not("pass") or "").startswith("'pass' is not an action; actions begin with take, place")


@rule("S3.3")
def test_who_can_place_no_cube_is_skipped() -> None:
    state = position("players 3 \n red shares 0 1 0 track J1-J11 I2-I4 I6-I7 \n blue shares 1 0 1")
    assert sentences_of(state, "place blue G8") == [
        "Anna places a blue cube in G8 Atlanta, a yellow city; revenue 0 → 4",
        "Beth can place no cube and is skipped",
    ]
    assert state.actor == 2
    do(state, "place blue G9")
    assert state.actor == 0


@rule("S3.3")
def test_who_is_shut_in_is_skipped_with_cubes_left() -> None:
    """Red stands in A14 alone, and all three hexes around it are full."""
    state = position(
        """
        players 3
        red shares 0 1 0 track A14
        blue track A15 B13 B14
        yellow track A15 B13 B14
        purple track A15
        black shares 1 0 1
        """
    )
    assert state.cubes[rr("red")] == 15
    assert sentences_of(state, "place black L1")[-1] == "Beth can place no cube and is skipped"
    assert state.actor == 2


@rule("S3.3", "S7.3")
def test_a_new_first_player_can_be_skipped_too() -> None:
    state = position(
        """
        players 3
        turn 1
        red shares 2 0 0 track J1-J11 I2-I4 I6-I7
        blue shares 0 2 2 track G8-G10 F8-F10 E8-E10
        """
    )
    do(state, "place blue E11")
    assert state.earned == [2, 4, 4]  # most track for red, highest revenue for blue
    do(state, "take red", "take blue")
    events = sentences_of(state, "take yellow")
    assert events == ["Connor takes a share of yellow", "Anna can place no cube and is skipped"]
    assert state.actor == 1


@rule("S3.3")
def test_an_only_cube_is_placed_by_itself() -> None:
    """Red in A14 can only go on to A15; blue has no cube left."""
    state = position(
        """
        players 3
        red shares 0 1 0 track A14
        blue track B13 B14
        yellow track B13 B14
        black shares 1 0 1
        """
    )
    assert sentences_of(state, "place black L1") == [
        "Anna places a black cube in L1",
        "Beth places a red cube in A15 Richmond, a red city; revenue 0 → 3 (no choice)",
    ]
    assert state.actor == 2


@rule("S3.4")
def test_after_the_last_player_comes_the_first() -> None:
    state = position("players 3 \n order 2 0 1 \n red shares 1 1 1")
    seats = []
    for hex in ("J5", "J6", "J7", "J8"):
        seats.append(state.actor)
        do(state, f"place red {hex}")
    assert seats == [2, 0, 1, 2]


# S4


@rule("S4.1")
def test_a_first_cube_goes_into_any_hex_with_room() -> None:
    state = position("players 3 \n red shares 1 1 1 \n blue track H1 \n yellow track K4 K5 \n green track K5")
    ids = state.board.grid.ids
    assert legal(state, "place", "red") == [id for id in ids if id not in ("H1", "K5")]
    assert "G8" in legal(state, "place", "red")


@rule("S4.2")
def test_further_cubes_go_next_to_the_railroads_own() -> None:
    state = position("players 3 \n red shares 1 1 1 track G8 \n blue shares 1 0 0 track K1")
    assert legal(state, "place", "red") == ["F7", "F8", "G7", "G9", "H7", "H8"]
    assert state.why_not("place red K2") == "S4.2: K2 is not next to a cube of red"
    do(state, "place red H8")
    assert legal(state, "place", "red") == ["F7", "F8", "G7", "G9", "H7", "H9", "I8", "I9"]


@rule("S4.3")
def test_one_cube_of_a_railroad_in_a_hex() -> None:
    state = position("players 3 \n red shares 1 1 1 track G8 G9")
    assert state.why_not("place red G9") == "S4.3: red has a cube in G9 already"
    assert state.why_not("place red G8") == "S4.3: red has a cube in G8 Atlanta already"


@rule("S4.4")
@pytest.mark.parametrize(
    ("hex", "beside", "label", "room"),
    [
        ("J6", "J7", "J6", 2),
        ("I5", "I4", "I5 Selma", 1),
        ("H6", "H7", "H6 Montgomery", 2),
        ("K4", "K3", "K4 Mobile", 3),
    ],
)
def test_a_hex_holds_so_many_cubes(hex: str, beside: str, label: str, room: int) -> None:
    others = ["blue", "yellow", "purple"][:room]
    lines = ["players 3", f"red shares 1 1 1 track {beside}"]
    before = position("\n".join(lines + [f"{name} track {hex}" for name in others[:-1]]))
    assert hex in legal(before, "place", "red")
    state = position("\n".join(lines + [f"{name} track {hex}" for name in others]))
    assert hex not in legal(state, "place", "red")
    cubes = "cube" if room == 1 else "cubes"
    assert state.why_not(f"place red {hex}") == f"S4.4: {label} has room for {room} {cubes} and is full"


@rule("S4.4")
def test_atlanta_holds_a_cube_of_every_railroad() -> None:
    others = [f"{name} track G8" for name in COLORS[1:]]
    state = position("\n".join(["players 3", "red shares 1 1 1 track G9", *others]))
    do(state, "place red G8")
    assert state.cubes_in(state.board.grid.index["G8"]) == 6


@rule("S4.4")
def test_a_hex_that_fills_up_is_closed_to_everybody() -> None:
    state = position("players 3 \n red shares 1 0 0 track H4 \n blue shares 0 1 0 track I4 \n yellow shares 0 0 1")
    do(state, "place red I5")  # Selma, a green city
    assert "I5" not in legal(state, "place", "blue")
    do(state, "place blue J4")
    assert "I5" not in legal(state, "place", "yellow")  # a first cube could go anywhere else


# S5


@rule("S5.1", "S5.2")
@pytest.mark.parametrize(
    ("hex", "beside", "gained"),
    [
        ("J6", "J7", (0, 0, 0, 0)),
        ("I5", "I4", (1, 1, 0, 0)),
        ("H6", "H7", (2, 0, 1, 0)),
        ("K4", "K3", (3, 0, 0, 1)),
        ("G8", "G9", (4, 0, 0, 0)),
    ],
)
def test_what_a_cube_adds_to_the_progress_board(hex: str, beside: str, gained: tuple[int, ...]) -> None:
    state = position(f"players 3 \n red shares 1 1 1 track {beside}")
    do(state, f"place red {hex}")
    assert progress(state, "red") == gained
    assert progress(state, "blue") == (0, 0, 0, 0)
    assert state.built(rr("red")) == 2


@rule("S5.1")
def test_the_progress_board_adds_up() -> None:
    state = position("players 3 \n red shares 1 1 1 track J3 K4 K5 K6 J6 I6 H6 G7 G8")
    assert progress(state, "red") == (3 + 1 + 2 + 4, 1, 1, 1)


# S6


def scored(text: str, action: str) -> SouthernRails:
    """The position right after the tenth cube of this text was placed."""
    return do(position(text), action)


NINE_RED = "red shares 1 0 0 track J1-J9"
"""Nine cubes in the country; J10 is the tenth."""


@rule("S6.1")
def test_the_tenth_cube_brings_a_scoring_round_at_once() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 1")
    events = sentences_of(state, "place red J10")
    assert events[:2] == ["Anna places a red cube in J10", "Scoring round 1: red has 10 cubes on the map"]
    assert state.scorings == 1
    assert state.prompt == "Take a share of any railroad"


@rule("S6.1")
def test_the_ninth_and_the_eleventh_cube_bring_none() -> None:
    for track in ("J1-J8", "J1-J10"):
        state = position(f"players 3 \n red shares 1 1 1 track {track}")
        do(state, "place red I2")
        assert state.scorings == 0
        assert state.actor == 1


@rule("S6.1", "S7.3")
def test_the_rest_of_the_order_is_dropped() -> None:
    """Seat 0 places the tenth cube and earns most; then seat 1 would be next in the old order, but 2 is first."""
    state = position(
        """
        players 3
        order 2 0 1
        turn 0
        red shares 2 0 0 track J1-J8 K4
        blue shares 0 1 1 track G8
        yellow shares 0 1 1
        """
    )
    do(state, "place red J9")
    assert state.earned == [2, 2, 2]  # red cities for red, highest revenue for blue
    assert state.order == [2, 0, 1]
    do(state, "take red", "take blue", "take black")
    assert (state.actor, state.prompt) == (2, "Place a cube: red (6 left), blue (15 left), or yellow (16 left)")


@rule("S6.2")
def test_points_are_earned_for_each_share() -> None:
    state = position("players 3 \n red shares 3 1 0 track J1-J8 K4 \n blue shares 0 0 1")
    events = sentences_of(state, "place red J9")
    assert "Most red cities: red (1), 1 point a share: Anna 3, Beth 1" in events
    assert "Highest revenue: red (3), 2 points a share: Anna 6, Beth 2" in events
    assert state.earned == [9, 3, 0]
    assert "The scores: Anna 9 (+9), Beth 3 (+3), Connor 0 (+0)" in events


@rule("S6.3")
@pytest.mark.parametrize(("city", "category"), [("I5", "green"), ("H6", "blue"), ("K4", "red")])
def test_the_most_cities_of_a_colour_earn_1(city: str, category: str) -> None:
    """Blue leads the colour, and yellow has a higher revenue by Atlanta."""
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 0 track {city} \n yellow shares 0 0 1 track G8")
    events = sentences_of(state, "place red J10")
    assert state.earned == [0, 1, 2]
    assert f"Most {category} cities: blue (1), 1 point a share: Beth 1" in events


@rule("S6.3")
def test_more_cities_beat_fewer() -> None:
    state = scored(
        f"players 3 \n {NINE_RED} \n blue shares 0 1 0 track I5 K6 \n yellow shares 0 0 1 track E4 G8", "place red J10"
    )
    assert state.earned == [0, 1, 2]


@rule("S6.4")
def test_the_highest_revenue_earns_2() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 2 0 track G8 \n yellow shares 0 0 1")
    events = sentences_of(state, "place red J10")
    assert "Highest revenue: blue (4), 2 points a share: Beth 4" in events
    assert state.earned == [0, 4, 0]


@rule("S6.5")
def test_most_track_earns_1_from_11_cubes_on() -> None:
    ten = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 1")
    assert "Most track: no railroad has 11 cubes on the map, so no points" in sentences_of(ten, "place red J10")
    assert ten.earned == [0, 0, 0]
    eleven = position(f"players 3 \n scorings 1 \n {NINE_RED} \n blue shares 0 1 1 track C7-C9 C11-C16 D14 D15")
    events = sentences_of(eleven, "place red J10")
    assert "Most track: blue (11), 1 point a share: Beth 1, Connor 1" in events
    assert eleven.earned == [0, 1, 1]


@rule("S6.5", "S6.7")
def test_a_tie_for_most_track_scores_nothing() -> None:
    eleven = "C7-C9 C11-C16 D14 D15"
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 1 track {eleven} \n green track {eleven}")
    assert "Most track: blue and green tie at 11, so no points" in sentences_of(state, "place red J10")
    assert state.earned == [0, 0, 0]


@rule("S6.6")
def test_the_fewest_shares_earn_1() -> None:
    state = position(
        f"""
        players 3
        {NINE_RED}
        blue shares 0 1 1
        yellow shares 1 1 0
        purple shares 1 0 1
        green shares 0 1 1
        black shares 1 1 0
        """
    )
    assert "Fewest shares: red (1), 1 point a share: Anna 1" in sentences_of(state, "place red J10")
    assert state.earned == [1, 0, 0]


@rule("S6.6")
def test_a_railroad_nobody_owns_can_hold_the_fewest_shares() -> None:
    state = position(
        f"""
        players 3
        {NINE_RED}
        blue shares 0 1 1
        yellow shares 1 1 0
        purple shares 1 0 1
        green shares 0 1 1
        """
    )
    assert "Fewest shares: black (0), 1 point a share: nobody owns one" in sentences_of(state, "place red J10")
    assert state.earned == [0, 0, 0]


@rule("S6.6", "S6.7")
def test_two_railroads_nobody_owns_tie() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 1 \n yellow shares 1 1 0 \n purple shares 1 0 1")
    assert "Fewest shares: green and black tie at 0, so no points" in sentences_of(state, "place red J10")


@rule("S6.7")
def test_ties_score_nothing_even_at_0() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 0 track K4 \n yellow shares 0 0 1 track L2")
    events = sentences_of(state, "place red J10")
    assert "Most red cities: blue and yellow tie at 1, so no points" in events
    assert "Highest revenue: blue and yellow tie at 3, so no points" in events
    assert "Most green cities: red, blue, yellow, purple, green and black tie at 0, so no points" in events
    assert state.earned == [0, 0, 0]


@rule("S6.8")
def test_round_scores_add_up_to_the_game_score() -> None:
    state = position(f"players 3 \n points 5 6 7 \n {NINE_RED} \n blue shares 0 2 0 track G8 \n yellow shares 0 0 1")
    assert state.scores() == [5, 6, 7]
    do(state, "place red J10")
    assert state.earned == [0, 4, 0]
    assert state.scores() == [5, 10, 7]


# S7


@rule("S7.1")
def test_the_example_of_the_rulebook() -> None:
    """Anna earns 4, Beth 3, Connor 5, Dennis 4: the new order is Beth, Anna, Dennis, Connor."""
    state = position(
        """
        players 4
        purple shares 1 1 1 1 track L1-L3 K1-K4 J1 J2
        yellow shares 1 0 2 1 track H1
        """
    )
    events = sentences_of(state, "place purple J3")
    assert state.earned == [4, 3, 5, 4]
    assert events[-1] == "The new turn order: Beth, Anna, Dennis, Connor"
    assert state.order == [1, 0, 3, 2]
    assert state.actor == 1


@rule("S7.1")
def test_ties_keep_the_previous_order_not_the_seats() -> None:
    state = position(f"players 4 \n order 3 0 2 1 \n turn 0 \n {NINE_RED} \n blue shares 0 0 0 1 track G8")
    do(state, "place red J10")
    assert state.earned == [0, 0, 0, 2]
    assert state.order == [0, 2, 1, 3]


@rule("S7.2")
def test_a_share_is_taken_in_the_new_order_own_railroads_too() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 1 1 track G8")
    do(state, "place red J10")
    assert (state.actor, legal(state, "take")) == (0, COLORS)
    assert state.why_not("place red J11") == "S7.2: shares are being taken: take one first"
    do(state, "take red")
    assert state.shares[rr("red")] == 2
    assert (state.actor, legal(state, "take")) == (1, COLORS[1:])
    assert state.why_not("take red") == "S7.2: the share of red that was laid out for this round is taken"
    do(state, "take blue")
    assert state.actor == 2
    do(state, "take yellow")
    assert holdings(state) == [2, 2, 2]
    assert sum(state.stock) == 36 - 6


@rule("S7.3")
def test_the_new_first_player_places_next() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 1 0 1 track G8 \n green shares 1 1 0")
    do(state, "place red J10")
    assert state.order == [1, 0, 2]
    do(state, "take red", "take blue", "take green")
    assert state.actor == 1
    do(state, "place green A15")
    assert state.actor == 0


# S8


@rule("S8.1")
def test_the_fourth_scoring_round_ends_the_game() -> None:
    state = position(f"players 3 \n scorings 3 \n {NINE_RED} \n blue shares 0 1 1 track G8")
    events = sentences_of(state, "place red J10")
    assert events[1] == "Scoring round 4: red has 10 cubes on the map"
    assert events[-1] == "The game ends: scoring round 4 was the last (S8.1)"
    assert not any("turn order" in line for line in events)
    assert (state.actor, state.legal_actions(), state.prompt) == (None, [], "The game is over")
    assert state.order == [0, 1, 2]
    assert state.scores() == [0, 2, 2]
    assert state.why_not("take red") == "S8.1: the game is over"


@rule("S8.2")
@pytest.mark.parametrize("scorings", [0, 1, 3])
def test_when_everybody_is_skipped_there_is_a_last_scoring(scorings: int) -> None:
    """Red, which alone has shareholders, places its last cube."""
    state = position(f"players 3 \n scorings {scorings} \n turn 1 \n red shares 1 1 2 track J1-J11 I2-I4 I6")
    assert state.prompt == "Place a cube: red (1 left)"
    events = sentences_of(state, "place red I7")
    assert events[1:4] == [f"{name} can place no cube and is skipped" for name in ("Connor", "Anna", "Beth")]
    assert events[4] == f"Scoring round {scorings + 1}: nobody can place a cube"
    assert "Most track: red (16), 1 point a share: Anna 1, Beth 1, Connor 2" in events
    assert events[-1] == "The game ends: nobody can place a cube (S8.2)"
    assert state.scores() == [1, 1, 2]
    assert (state.actor, state.winners()) == (None, [2])
    assert state.why_not("place red A15") == "S8.2: the game is over"


@rule("S8.2")
def test_everybody_can_be_skipped_right_after_shares_were_taken() -> None:
    """With ten cubes each, a railroad's tenth is its last; then everybody takes what is built out."""
    state = position(
        """
        players 3
        scorings 1
        red shares 1 1 1 track J1-J10
        blue shares 1 0 0 track E8-E10 F8-F11 G9-G10
        yellow track C5-C9 C11-C15
        """,
        load(TEXT.replace("cubes = 16", "cubes = 10")),
    )
    do(state, "place blue E11", "take red", "take blue")
    events = sentences_of(state, "take yellow")
    assert events[1:4] == [f"{name} can place no cube and is skipped" for name in ("Anna", "Beth", "Connor")]
    assert events[4] == "Scoring round 3: nobody can place a cube"
    assert events[-1] == "The game ends: nobody can place a cube (S8.2)"


@rule("S8.3")
def test_most_points_win_and_ties_share() -> None:
    assert position(f"players 3 \n points 5 7 6 \n {NINE_RED}").winners() == [1]
    assert position(f"players 3 \n points 5 7 7 \n {NINE_RED}").winners() == [1, 2]
