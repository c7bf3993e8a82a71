"""Gulf, Mobile & Ohio rule by rule. Each test cites the rules of rules.md that it shows."""

from __future__ import annotations

import pytest

import cuberails
from cuberails.core.state import IllegalAction
from tests.titles.gmo.account import check
from tests.titles.gmo.position import do, fresh, legal, position, rr, sell

rule = pytest.mark.rule


# G1


@rule("G1.1")
@pytest.mark.parametrize(("players", "money"), [(3, 40), (4, 30), (5, 24)])
def test_starting_money(players: int, money: int) -> None:
    state = fresh(players)
    assert state.cash == [money] * players
    assert state.scores() == [0] * players


@rule("G1.2")
def test_112_cubes_in_six_colours() -> None:
    state = fresh(3)
    assert dict(zip(state.board.colors, state.supply, strict=True)) == {
        "green": 32, "yellow": 26, "red": 20, "blue": 16, "black": 12, "purple": 6,
    }  # fmt: skip
    assert sum(state.supply) == 112


@rule("G1.3")
def test_eight_charters_are_available_from_the_start() -> None:
    state = fresh(3)
    do(state, "bid 0", "pass", "pass")  # the SC is cancelled
    first = ["SC", "M&C", "VC", "CEN", "N&P", "W&W", "GM&O", "NO&J"]
    assert legal(state) == [f"charter {name}" for name in first] + ["pass"]
    homes = {name: [state.board.names[n] for n in state.board.homes[rr(name)]] for name in first}
    assert homes == {
        "SC": ["Charleston"], "M&C": ["Memphis"], "VC": ["Richmond"], "CEN": ["Savannah"],
        "N&P": ["Norfolk"], "W&W": ["Wilmington"], "GM&O": ["Mobile"], "NO&J": ["New Orleans"],
    }  # fmt: skip
    assert state.board.count == 23


@rule("G1.4")
def test_the_sale_marker_stands_at_start() -> None:
    assert fresh(3).marker == 0


@rule("G1.5")
def test_a_build_costs_no_more_than_its_money() -> None:
    state = position("players 3 \n cash 5 0 0 \n SC green 0 I15 I14 H13")
    do(state, "expand SC", "build I13")  # the second cube would be $1 short
    assert (state.cash, state.actor) == ([2, 0, 0], 1)


# G2


@rule("G2.1")
def test_a_turn_is_one_of_four_actions() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    assert {action.word for action in state.legal_actions()} == {"charter", "common", "expand", "pass"}
    assert state.prompt == "Put a charter or a common share up for auction, expand a railroad, or pass"
    for text in ("bid 3", "color red", "build I13", "done"):
        assert state.why_not(text) == "G2.1: a turn is one action: charter, common, expand or pass"
    do(state, "pass")
    assert state.actor == 1


@rule("G2.2")
def test_the_first_turn_puts_the_sc_up() -> None:
    state = fresh(4)
    assert (state.actor, state.prompt) == (0, "Open the auction of the SC charter with $0 or more")
    do(state, "bid 8", "pass", "pass", "pass")
    assert state.actor == 1
    assert (state.passes, state.cash, state.chartered) == (1, [30] * 4, 0)
    assert "charter SC" in legal(state)
    assert "charter VC" in legal(state)


@rule("G2.3")
def test_other_actions_restart_the_count_of_passes() -> None:
    text = "players 3 \n turn 2 \n passes 2 \n SC red 2 I15 I14 H13 \n cash 9 9 9"
    assert do(position(text), "pass")[-1].startswith("The game ends")
    for action in ("common SC", "expand SC"):
        state = position(text)
        do(state, action)
        if action == "common SC":
            do(state, "bid 0", "pass", "pass")  # no cube can be built for nothing
        else:
            do(state, "build I13", "done")
        assert (state.passes, state.actor) == (0, 0)
    charter = position(text)
    sell(charter, "charter CEN", 9)
    do(charter, "build J12")  # and Augusta, the only city left in reach
    assert (charter.passes, charter.actor) == (0, 0)


@rule("G2.4")
def test_the_seat_left_of_the_seat_on_turn_is_next() -> None:
    state = position("players 3 \n turn 1 \n SC green 0 I15 I14 H13")
    do(state, "common SC", "bid 0", "pass", "bid 1", "pass")  # seat 0 wins
    assert state.holder[rr("SC")] == 0
    assert state.actor == 2


# G3


@rule("G3.1")
def test_who_puts_a_share_up_must_bid() -> None:
    state = position("players 3 \n turn 1 \n cash 9 4 9")
    do(state, "charter VC")
    assert (state.actor, legal(state)) == (1, [f"bid {n}" for n in range(5)])
    assert state.why_not("pass") == "G3.1: who puts a share up opens the auction with a bid; $0 is enough"


@rule("G3.1")
def test_an_opener_without_money_bids_0_without_being_asked() -> None:
    state = position("players 3 \n cash 0 9 9")
    sentences = do(state, "charter VC")
    assert sentences == ["Ann puts the VC charter up for auction", "Ann bids $0 for the VC charter (no choice)"]
    assert (state.actor, legal(state)[0]) == (1, "bid 1")


@rule("G3.2")
def test_a_bid_must_be_higher_and_a_pass_is_final() -> None:
    state = fresh(3)
    do(state, "bid 10")
    assert (state.actor, state.prompt) == (1, "Bid $11 or more for the SC charter, or pass")
    assert state.why_not("bid 10") == "G3.2: the highest bid is $10, so the next is at least $11"
    assert state.why_not("charter VC") == "G3.2: an auction is under way: bid or pass"
    do(state, "pass", "bid 11")
    assert state.actor == 0  # not seat 1 again
    assert "pass" in legal(state)  # the opener may pass now
    do(state, "bid 12")
    assert state.actor == 2


@rule("G3.3")
def test_bids_end_at_the_cash_in_hand() -> None:
    state = fresh(5)
    assert legal(state) == [f"bid {n}" for n in range(25)]
    assert state.why_not("bid 25") == "G3.3: $25 is more than the $24 in hand"


@rule("G3.4")
def test_the_winner_pays_when_the_auction_ends() -> None:
    state = fresh(3)
    do(state, "bid 10", "pass")
    assert state.cash == [40, 40, 40]
    sentences = do(state, "bid 20", "pass")
    assert "Cy takes the SC charter for $20" in sentences
    assert state.cash == [40, 40, 20]
    assert state.president[rr("SC")] == 2


@rule("G3.4")
def test_the_auction_ends_by_itself_when_nobody_can_pay_more() -> None:
    state = fresh(3)
    do(state, "bid 40")
    assert state.president[rr("SC")] == 0


# G4


@rule("G4.1")
def test_any_available_charter_may_be_put_up_even_if_nobody_can_complete_it() -> None:
    state = position("players 3 \n cash 0 0 0 \n SC green 0 I15 I14 H13")
    assert "charter CEN" in legal(state)
    assert "charter C&SC" in legal(state)  # the SC is in Columbia
    assert state.why_not("charter SC") == "G4.1: the SC charter is sold"


@rule("G4.2")
def test_only_the_bid_pays_for_the_track() -> None:
    state = position("players 3")
    sell(state, "charter SC", 13)
    assert state.cash[0] == 27
    do(state, "build I14", "build H13", "build G13")
    assert (state.cash[0], state.actor) == (27, 1)  # four cubes, the last $1 goes to the bank


@rule("G4.3")
def test_the_colour_is_the_most_plentiful() -> None:
    state = fresh(3)
    sentences = do(state, "bid 12", "pass", "pass")
    assert sentences[-2] == "Ann makes SC green (no choice)"
    assert state.board.colors[state.color[rr("SC")]] == "green"


@rule("G4.3")
def test_of_tied_colours_any_may_be_chosen() -> None:
    state = position("players 3 \n gone green 12 \n gone yellow 6")
    sell(state, "charter SC", 12)
    assert (state.actor, legal(state)) == (0, ["color green", "color yellow", "color red"])
    assert state.prompt == "Choose the colour of SC: green, yellow, or red"
    assert state.why_not("color blue") == (
        "G4.3: only 16 blue cubes are left; there are more of green and yellow and red"
    )
    assert state.why_not("build I15") == "G4.3: SC needs a colour first"
    do(state, "color red")
    assert state.color[rr("SC")] == 2
    assert state.supply[2] == 20 - 1 - 1  # on the charter and in Charleston


@rule("G4.3")
def test_the_colour_is_asked_for_even_if_the_price_is_too_low() -> None:
    state = position("players 3 \n gone green 12 \n gone yellow 6")
    sell(state, "charter SC", 8)
    assert legal(state, "color") == ["color green", "color yellow", "color red"]
    do(state, "color green")
    assert (state.actor, state.passes) == (1, 1)


@rule("G4.3", "G4.4")
def test_the_most_plentiful_is_counted_before_the_charters_own_cube_is_taken() -> None:
    state = position("players 3 \n gone green 12")  # green 20, yellow 26, red 20
    sell(state, "charter SC", 9)
    assert state.color[rr("SC")] == 1
    assert state.supply == [20, 24, 20, 16, 12, 6]


@rule("G4.4")
def test_the_cube_on_the_charter_cannot_be_built() -> None:
    """Purple is the most plentiful with 6: one on the charter, five on the map."""
    text = "players 3 \n" + "\n".join(f"gone {color}" for color in ("green 27", "yellow 21", "red 15", "blue 11"))
    state = position(text + "\n gone black 7")
    sell(state, "charter SC", 30)
    do(state, "build I14", "build H13", "build I13", "build I12")
    assert state.supply[5] == 0
    assert state.track[rr("SC")].bit_count() == 5
    assert state.cash[0] == 10


@rule("G4.5")
def test_the_first_cube_goes_home() -> None:
    state = fresh(3)
    sentences = do(state, "bid 12", "pass", "pass")
    assert sentences[-1] == "SC builds in I15 Charleston for $3; Ann scores 2 (city 1, charter 1) (no choice)"


TWO_HOMES = "players 3 \n GM&O green 0 M5 L5 K6 J6 J7 I8 H8 H9"


@rule("G4.5")
def test_of_two_homes_the_president_chooses() -> None:
    state = position(TWO_HOMES + "\n cash 20 20 20")
    sell(state, "charter WP", 12)
    assert legal(state) == ["build H9", "build J7"]  # Atlanta or Montgomery, both with a green cube
    assert state.why_not("build J8") == "G4.5: the first cube of WP goes into its home, J7 Montgomery or H9 Atlanta"
    do(state, "build J7")
    assert state.why_not("build H9") == "G7.2: H9 Atlanta is not next to a cube of WP"


@rule("G4.5")
def test_later_railroads_start_only_where_there_is_a_cube() -> None:
    state = position("players 3 \n GM&O red 0 M5 L5 K6 J6 J7")  # in Montgomery, not in Atlanta
    sentences = sell(state, "charter WP", 12)
    assert sentences[-1] == "WP builds in J7 Montgomery for $3; Ann scores 3 (city 1, red 1, charter 1) (no choice)"
    other = position("players 3 \n NO&J red 1 M3 L3 K3 J3 J4")
    sentences = sell(other, "charter SOU", 12)  # its homes are Vicksburg and Meridian
    assert sentences[-1].startswith("SOU builds in J4 Meridian")


@rule("G4.5", "G4.8")
def test_a_sale_is_cancelled_if_one_home_is_barred_and_the_other_has_no_cube() -> None:
    state = position(TWO_HOMES + "\n gone yellow 10 \n cash 20 20 20")
    sell(state, "charter W&A", 20)  # green is in Atlanta, and there is no cube in Chattanooga
    assert (state.passes, state.cash, state.president[rr("W&A")]) == (1, [20, 20, 20], -1)


@rule("G4.5", "G4.8")
@pytest.mark.parametrize("track", ["I15 I14 I13 I12", "I15 I14 H13 H12"])
def test_a_cube_of_the_colour_in_or_next_to_the_home_bars_it(track: str) -> None:
    """Augusta is the only home of the GA: first in it, then in H12 next to it (after another railroad opened it)."""
    opener = "CEN red 1 J13 J12 I12"
    order = f"SC green 0 {track} \n" + (opener if "I12" not in track else "")
    state = position(f"players 3 \n {order} \n cash 20 20 20")
    sentences = sell(state, "charter GA", 20)  # green has the most cubes
    assert sentences[-1] == "GA cannot join two cities in green for $20: sale cancelled, Ann gets $20 back"
    assert state.president[rr("GA")] == -1


@rule("G4.6")
def test_a_charter_may_not_stop_before_two_cities_are_joined() -> None:
    state = position("players 3")
    sell(state, "charter SC", 12)
    assert "done" not in legal(state)
    assert state.why_not("done") == "G4.6: SC does not join two cities yet"
    assert state.why_not("pass") == "G7.1: SC is building: place a cube or say done"


@rule("G4.6")
def test_with_9_dollars_only_the_shortest_way_is_legal() -> None:
    state = position("players 3")
    sell(state, "charter GM&O", 9)  # Mobile, then one rural hex, then New Orleans or Pensacola
    assert legal(state) == ["build M4", "build M6"]
    assert state.why_not("build L5") == "G4.6: from L5 no second city can be reached with 1 more cube"
    sentences = do(state, "build M4")
    assert sentences[1] == "GM&O builds in M3 New Orleans for $3; Ann scores 1 (city 1) (no choice)"
    assert state.actor == 1


@rule("G4.6")
def test_with_money_to_spare_a_detour_is_legal_while_a_city_stays_in_reach() -> None:
    state = position("players 3")
    sell(state, "charter NO&J", 12)  # three more cubes after New Orleans
    first = legal(state)
    assert "build M2" in first  # a dead end by itself, but two cubes are left for L3, K3 or M4, M5
    do(state, "build M2")
    assert "build L1" not in legal(state)
    assert state.why_not("build L1") == "G4.6: from L1 no second city can be reached with 1 more cube"
    assert "build M4" in legal(state)  # then Mobile


@rule("G4.7")
def test_once_two_cities_are_joined_the_president_may_stop() -> None:
    state = position("players 3")
    sell(state, "charter SC", 20)
    do(state, "build I14", "build H13")
    assert "done" in legal(state)
    assert state.prompt == "Build track for SC: up to 3 cubes, $11 left, or done"
    sentences = do(state, "done")
    assert sentences == ["Ann stops building SC"]
    assert (state.cash[0], state.actor) == (20, 1)


@rule("G4.8")
def test_a_cancelled_sale_gives_everything_back() -> None:
    state = position("players 4 \n turn 2 \n cash 8 8 8 8")
    sentences = do(state, "charter VC", "bid 0", "pass", "bid 8")  # seat 0 wins
    assert sentences[-2:] == [
        "Ann makes VC green (no choice)",
        "VC cannot join two cities in green for $8: sale cancelled, Ann gets $8 back",
    ]
    assert state.cash == [8, 8, 8, 8]
    assert state.supply == state.board.cubes
    assert (state.chartered, state.passes, state.actor) == (0, 1, 3)  # the seat on turn has passed
    assert "charter VC" in legal(state)
    check(state)


@rule("G4.8")
def test_nine_dollars_are_enough_from_every_home() -> None:
    board = fresh(3).board
    for number, name in enumerate(board.railroads):
        for home in board.homes[number]:
            state = fresh(3)
            bit = board.grid.bit[home]
            state.laid = [bit, *state.laid[1:]]  # some cube is there
            assert state.starts(number, 0, 3) & bit, name
            assert not state.starts(number, 0, 2) & bit, name


# G5


@rule("G5.1")
def test_a_common_share_is_available_once_the_charter_is_sold() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n CEN red 1+2 J13 J12 I12")
    assert legal(state, "common") == ["common SC"]
    assert state.why_not("common CEN") == "G5.1: the CEN common share is sold"
    assert state.why_not("common VC") == "G5.1: the VC common share is not available before the charter is sold"
    sell(state, "common SC", 0)  # the president takes it
    assert (state.president[rr("SC")], state.holder[rr("SC")]) == (0, 0)


@rule("G5.2", "G5.5")
def test_dividends_5_3_and_3_and_the_share_just_sold_counts() -> None:
    state = position(
        """
        players 3
        cash 1 1 1
        marker 1
        turn 2
        SC green 0 I15 I14 H13
        CEN red 1+2 J13 J12 I12
        VC yellow 2 A17 A16 A15
        GM&O blue 0 M5 L5 K6 J6 J7
        """
    )
    sentences = sell(state, "common SC", 1)
    # 0: SC 3 (turned) + GM&O 5; 1: CEN 3; 2: CEN common 3, VC 5, SC common 3, less $1
    assert state.cash == [1 + 8, 1 + 3, 1 - 1 + 11]
    assert sentences[-1] == "Dividends: Ann $8, Bob $3, Cy $11"


@rule("G5.2")
def test_the_drawing_turns_the_charter_when_the_common_share_is_put_up() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    assert ("Pays", "$5") in cuberails.scene(state).companies[0].facts
    do(state, "common SC")
    assert ("Pays", "$3") in cuberails.scene(state).companies[0].facts


@rule("G5.3")
def test_the_winner_of_a_common_share_builds_none_to_all() -> None:
    text = "players 3 \n SC green 0 I15 I14 H13"
    state = position(text)
    do(state, "common SC", "bid 0", "bid 10", "pass", "pass")
    assert (state.actor, state.prompt) == (1, "Build track for SC: up to 3 cubes, $10 left, or done")
    assert "done" in legal(state)
    do(state, "build I13", "build I12")
    assert state.points == [0, 1, 0]  # the builder scores, not the president
    do(state, "done")
    assert (state.cash, state.actor) == ([40, 30, 40], 1)
    nothing = position(text)
    do(nothing, "common SC", "bid 10", "pass", "pass", "done")
    assert (nothing.cash, nothing.actor) == ([30, 40, 40], 1)


@rule("G5.3")
def test_a_common_share_for_nothing_builds_nothing() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13")
    sentences = sell(state, "common SC", 2)
    assert sentences[-3:] == [
        "Ann takes the SC common share for $2",
        "Ann stops building SC (no choice)",
        "The sale marker moves to 1 of 2",
    ]
    assert (state.holder[rr("SC")], state.actor) == (0, 1)


@rule("G5.4")
def test_the_marker_pays_at_every_second_sale() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 \n CEN red 1 J13 J12 I12")
    sell(state, "common SC", 0)
    assert (state.marker, state.cash) == (1, [40, 40, 40])
    sell(state, "common CEN", 0)
    assert (state.marker, state.cash) == (0, [46, 46, 40])


# G6


@rule("G6.1")
def test_only_the_president_expands_and_pays_with_its_cash() -> None:
    state = position("players 3 \n SC green 0+1 I15 I14 H13 \n CEN red 1 J13 J12 I12")
    assert legal(state, "expand") == ["expand SC"]
    assert state.why_not("expand CEN") == "G6.1: only the president of CEN, who holds its charter, may expand it"
    do(state, "expand SC", "build I13", "build H12", "done")
    assert state.cash == [34, 40, 40]
    assert legal(state, "expand") == ["expand CEN"]  # a common share is not enough


@rule("G6.2")
def test_an_expansion_places_at_least_one_cube() -> None:
    state = position("players 3 \n cash 9 0 0 \n SC green 0 I15 I14 H13")
    do(state, "expand SC")
    assert state.why_not("done") == "G6.2: an expansion places at least one cube"
    do(state, "build I13")
    assert "done" in legal(state)
    do(state, "build I12", "build I11")  # the money is gone
    assert state.actor == 1


@rule("G6.2")
def test_an_expansion_that_cannot_place_a_cube_is_not_offered() -> None:
    start = "SC green 0 I15 I14 H13"
    poor = position(f"players 3 \n cash 2 9 9 \n {start}")
    assert poor.why_not("expand SC") == "G7.1: a cube costs $3 and you have $2"
    empty = position(f"players 3 \n {start} \n gone green 28")
    assert empty.why_not("expand SC") == "G7.7: no green cube is left for SC"
    boxed = position(
        """
        players 3
        N&P green 0 C20 C19 B18
        P red 1 B18 B17 B19 C18 C17 D18 D19
        VC yellow 2 A17 A18 A16 A15
        """
    )
    blocked = "G6.2: N&P cannot build anywhere now, and an expansion places at least one cube"
    assert boxed.why_not("expand N&P") == blocked


# G10


FIVE_COLOURS = """
    players 3
    cash 20 20 20
    gone green 20
    gone yellow 15
    gone red 10
    gone blue 6
    gone black 3
    SC green 0 I15 I14 H13
    VC yellow 1 A17 A16 A15
    M&C red 2 E3 E4 E5
    NO&J blue 0 M3 L3 K3
    N&P black 1 C20 C19 C18 C17
"""


@rule("G10.1")
def test_six_colours_on_the_map_end_the_game_after_a_charter() -> None:
    state = position(FIVE_COLOURS + "\n gone green 5 \n gone yellow 4 \n gone red 3 \n gone blue 2")
    assert state.supply == [3, 3, 3, 4, 4, 6]
    sell(state, "charter CEN", 12)
    assert state.actor == 0  # purple is on the map, but the railroad is still building
    do(state, "build J12", "build I12")
    sentences = do(state, "done")
    assert sentences[-1] == "The game ends: cubes of all 6 colours are on the map (G10.1)"
    assert state.actor is None
    assert (state.legal_actions(), state.prompt) == ([], "The game is over")
    assert state.points == [3, 0, 0]
    assert state.why_not("pass") == "G10.1: the game is over"
    with pytest.raises(IllegalAction, match=r"G10\.1: the game is over"):
        state.apply(state.parse("pass"))


@rule("G10.1")
def test_five_colours_do_not_end_it() -> None:
    state = position(FIVE_COLOURS)
    sell(state, "charter W&W", 9)
    do(state, "build G16")  # and Florence
    assert (state.actor, state.passes) == (1, 0)


@rule("G10.2")
def test_all_players_passing_ends_the_game() -> None:
    state = position("players 4")
    do(state, "pass", "pass", "pass")
    assert state.actor == 3
    sentences = do(state, "pass")
    assert sentences == ["Dee passes", "The game ends: all players passed one after the other (G10.2)"]
    assert state.actor is None


@rule("G10.2")
def test_a_cancelled_charter_counts_as_a_pass_of_the_seat_on_turn() -> None:
    state = position("players 3 \n cash 8 8 8")
    do(state, "pass", "charter VC", "bid 0", "bid 1", "pass", "pass")
    assert state.actor == 2
    sell(state, "charter VC", 0)
    assert state.actor is None


@rule("G10.3")
def test_most_points_win_money_does_not_count_and_ties_share() -> None:
    state = position("players 3 \n points 7 9 9 \n cash 99 0 5 \n passes 2")
    do(state, "pass")
    assert (state.scores(), state.winners()) == ([7, 9, 9], [1, 2])
