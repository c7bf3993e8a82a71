"""Wabash Cannonball rule by rule. Each test cites the rules of rules.md that it shows."""

from __future__ import annotations

import pytest

import cuberails
from cuberails.titles.wabash.state import Wabash
from tests.titles.wabash.position import do, incomes, legal, position, rr

rule = pytest.mark.rule


def fresh(players: int) -> Wabash:
    state = cuberails.new("wabash", players=players)
    assert isinstance(state, Wabash)
    return state


def after_initial(players: int = 3) -> Wabash:
    """Seat 0 took all four first shares at the minimum."""
    state = fresh(players)
    for minimum in (7, 6, 5, 8):
        do(state, f"bid {minimum}", *["pass"] * (players - 1))
    return state


# W1


@rule("W1.1")
@pytest.mark.parametrize(("players", "money"), [(2, 60), (3, 40), (4, 30), (5, 24), (6, 20)])
def test_120_dollars_are_shared(players: int, money: int) -> None:
    assert fresh(players).scores() == [money] * players


@rule("W1.2")
def test_four_railroads_start_on_the_coast() -> None:
    state = fresh(2)
    starts = {
        name: (state.board.names[state.board.grid.hexes(state.track[n])[0]], state.income[n])
        for n, name in enumerate(state.board.railroads)
        if state.opened(n)
    }
    assert starts == {
        "PA": ("Philadelphia", 7),
        "B&O": ("Baltimore", 6),
        "C&O": ("Washington", 5),
        "NYC": ("New York", 8),
    }


@rule("W1.3")
def test_shares_and_cubes() -> None:
    state = fresh(2)
    supply = dict(zip(state.board.railroads, zip(state.unsold, state.cubes, strict=True), strict=True))
    assert supply == {"PA": (3, 19), "B&O": (4, 21), "C&O": (6, 25), "NYC": (5, 23), "Wabash": (2, 10)}


@rule("W1.4")
def test_tracks_markers_and_development_cubes_at_the_start() -> None:
    state = fresh(4)
    shown = {state.board.names[n]: state.hex_income(n) for n in state.board.industrial}
    assert shown == {"Detroit": 1, "Wheeling": 3, "Pittsburgh": 4}
    assert state.supply == 20
    assert state.markers == [0, 0, 0]


@rule("W1.5")
def test_nobody_spends_money_that_is_not_there() -> None:
    state = position("players 3 \n PA treasury 1 shares 1 0 0")
    do(state, "expand PA")
    assert legal(state, "build") == ["build Q5", "build Q6", "build R4", "build R6", "build S5"]  # the farms at $1


# W2


@rule("W2.1", "W2.7")
def test_the_four_first_auctions_and_who_opens_them() -> None:
    state = fresh(3)
    assert (state.actor, state.prompt) == (0, "Bid $7 or more for PA, or pass")
    do(state, "bid 7", "bid 8", "pass", "pass")
    assert (state.actor, state.prompt) == (1, "Bid $6 or more for B&O, or pass")
    do(state, "pass", "bid 6", "pass")
    assert (state.actor, state.prompt) == (2, "Bid $5 or more for C&O, or pass")
    do(state, "pass", "bid 5", "pass")
    assert (state.actor, state.prompt) == (0, "Bid $8 or more for NYC, or pass")
    do(state, "bid 8", "pass", "pass")
    assert state.actor == 1  # who took PA
    assert state.prompt == "Choose a decision: capitalize (3 left), develop (4 left), or expand (5 left)"


@rule("W2.2")
def test_the_minimum_bid_is_the_dividend_with_this_share_sold() -> None:
    state = fresh(3)
    assert legal(state, "bid")[0] == "bid 7"
    assert state.why_not("bid 6") == "W2.2: the minimum bid is $7"


@rule("W2.3")
def test_a_bid_must_be_higher_and_a_pass_is_final() -> None:
    state = do(fresh(3), "bid 10")
    assert state.actor == 1
    assert state.why_not("bid 10") == "W2.3: the highest bid is $10, so the next is at least $11"
    do(state, "pass", "bid 11")
    assert state.actor == 0  # not seat 1 again
    do(state, "bid 12")
    assert state.actor == 2


@rule("W2.3")
def test_the_opener_may_pass_and_the_last_seat_is_still_asked() -> None:
    state = do(fresh(3), "pass", "pass")
    assert (state.actor, legal(state)[0]) == (2, "bid 7")
    do(state, "bid 9")  # nobody is left to answer
    assert state.treasury[rr("PA")] == 9
    assert (state.actor, state.prompt) == (2, "Bid $6 or more for B&O, or pass")


@rule("W2.3")
def test_during_an_auction_only_bids_and_passes_are_legal() -> None:
    assert fresh(2).why_not("expand PA") == "W2.3: an auction is under way: bid or pass"


@rule("W2.4")
def test_bids_end_at_the_cash_in_hand() -> None:
    state = fresh(6)
    assert legal(state) == [f"bid {n}" for n in range(7, 21)] + ["pass"]
    assert state.why_not("bid 21") == "W2.4: $21 is more than the $20 in hand"


@rule("W2.4")
def test_who_cannot_afford_a_bid_passes_without_being_asked() -> None:
    state = do(fresh(3), "bid 40")
    assert state.prompt == "Bid $6 or more for B&O, or pass"
    assert state.cash == [0, 40, 40]
    assert state.actor == 1  # the opener has no money left


@rule("W2.5")
def test_a_first_share_without_a_bid_goes_to_its_opener_for_nothing() -> None:
    state = do(fresh(3), "pass", "pass", "pass")
    assert state.shares[rr("PA")] == 1
    assert (state.cash, state.treasury[rr("PA")]) == ([40, 40, 40], 0)
    assert state.prompt == "Bid $6 or more for B&O, or pass"
    assert state.actor == 0


@rule("W2.6")
def test_the_winner_pays_into_the_treasury_when_the_auction_ends() -> None:
    state = do(fresh(3), "bid 10")
    assert state.scores() == [40, 40, 40]
    events = state.apply(state.parse("pass")) + state.apply(state.parse("pass"))
    assert state.scores() == [30, 40, 40]
    assert state.treasury[rr("PA")] == 10
    assert events[-1].say(["Ann", "Bob", "Cy"]) == "Ann takes a share of PA for $10"


# W3


@rule("W3.1")
def test_a_turn_begins_with_a_decision() -> None:
    state = after_initial()
    assert {action.word for action in state.legal_actions()} == {"capitalize", "develop", "expand"}
    assert (state.why_not("build Q5") or "").startswith("W3.1: ")
    assert (state.why_not("pass") or "").startswith("W3.1: ")


@rule("W3.2")
def test_a_decision_at_its_end_is_unavailable() -> None:
    state = position("players 3 \n markers 3 1 4 \n PA treasury 9 shares 1 0 0")
    assert legal(state, "capitalize") == []
    assert (state.why_not("capitalize PA") or "").startswith("W3.2: capitalize is not available")
    assert state.prompt == "Choose a decision: develop (3 left) or expand (1 left)"


@rule("W3.2")
def test_limits_are_3_capitalizations_4_developments_5_expansions() -> None:
    for word, most in (("capitalize", 3), ("develop", 4), ("expand", 5)):
        state = after_initial()
        for _ in range(most):
            do(state, f"{word} nothing")
        assert legal(state, word) == []


@rule("W3.3")
def test_a_decision_may_do_nothing() -> None:
    state = after_initial()
    do(state, "capitalize nothing", "develop nothing", "expand nothing")
    assert state.markers == [1, 1, 1]


@rule("W3.3", "W7.4")
def test_an_unsold_share_moves_the_marker_and_stays() -> None:
    state = after_initial()
    do(state, "capitalize C&O", "pass", "pass", "pass")
    assert state.markers == [1, 0, 0]
    assert state.unsold[rr("C&O")] == 5
    assert state.actor == 1


@rule("W3.4")
def test_turns_go_clockwise_also_after_an_auction_won_by_somebody_else() -> None:
    state = after_initial()
    do(state, "capitalize PA", "pass", "pass", "bid 4")
    assert state.actor == 1
    do(state, "expand nothing", "expand nothing")
    assert state.actor == 0


@rule("W3.5")
def test_chicago_dividend_then_wabash_then_general_dividend() -> None:
    state = position(
        """
        players 2
        cash 10 10
        markers 3 0 4
        PA treasury 9 shares 1 0 track B2
        """
    )
    do(state, "expand PA")
    income = incomes(state)[rr("PA")] + 7
    events = state.apply(state.parse("build A2")) + state.apply(state.parse("done"))
    events += state.apply(state.parse("bid 1")) + state.apply(state.parse("pass"))
    sentences = [event.say(["Ann", "Bob"]) for event in events]
    order = ["Chicago dividend: PA", "Wabash opens", "takes a share of Wabash"]
    order += ["General dividend: PA", "General dividend: Wabash"]
    found = [next(n for n, line in enumerate(sentences) if part in line) for part in order]
    assert found == sorted(found)
    assert state.cash == [10 + income - 1 + income + 1, 10]
    assert state.markers == [0, 0, 0]


@rule("W3.6")
def test_what_is_the_only_choice_is_done_and_told() -> None:
    state = fresh(3)
    events = state.apply(state.parse("bid 40"))  # nobody can answer, and the opener has nothing left
    assert [event.say(["Ann", "Bob", "Cy"]) for event in events] == [
        "Ann bids $40 for PA",
        "Bob passes on PA (no choice)",
        "Cy passes on PA (no choice)",
        "Ann takes a share of PA for $40",
        "Ann passes on B&O (no choice)",
    ]


# W4


@rule("W4.1")
def test_only_a_shareholder_expands() -> None:
    state = position("players 2 \n PA treasury 9 shares 1 0 \n NYC treasury 9 shares 0 1")
    assert legal(state, "expand") == ["expand PA", "expand nothing"]
    assert state.why_not("expand NYC") == "W4.1: only a shareholder of NYC may expand it"


@rule("W4.2")
def test_an_expansion_builds_one_to_three() -> None:
    state = position("players 2 \n PA treasury 9 shares 1 0")
    do(state, "expand PA")
    assert (state.why_not("done") or "").startswith("W4.2: ")
    assert state.why_not("expand PA") == "W4.2: PA is expanding: build a hex"
    do(state, "build Q5")
    assert state.why_not("pass") == "W4.2: PA is expanding: build a hex or say done"
    assert "done" in legal(state)
    do(state, "build P4", "build O4")
    assert state.actor == 1  # the third ends it
    assert state.cubes[rr("PA")] == 16


@rule("W4.2")
def test_an_expansion_that_can_go_no_further_ends_by_itself() -> None:
    state = position("players 2 \n PA treasury 1 shares 1 0")
    do(state, "expand PA", "build Q5")
    assert state.actor == 1


@rule("W4.3")
def test_track_is_connected() -> None:
    state = position("players 2 \n PA treasury 9 shares 1 0")
    do(state, "expand PA")
    assert state.why_not("build O4") == "W4.3: O4 Harrisburg is not next to track of PA"
    do(state, "build Q5", "build P4")
    assert "build O4" in legal(state)


@rule("W4.3")
def test_a_railroad_that_has_nowhere_to_build_cannot_expand() -> None:
    board = fresh(2).board
    open_hexes = [id for id, terrain in zip(board.grid.ids, board.terrain, strict=True) if terrain != "start city"]
    state = position(f"players 2 \n PA treasury 99 shares 1 0 cubes 9 track {' '.join(open_hexes)}")
    assert "expand PA" not in legal(state)
    assert state.why_not("expand PA") == "W4.3: no hex next to track of PA takes another cube of it"


@rule("W4.4")
def test_one_cube_a_hex_and_no_more_than_the_railroad_owns() -> None:
    state = position("players 2 \n PA treasury 9 shares 1 0 cubes 1")
    do(state, "expand PA")
    assert state.why_not("build R5") == "W4.4: PA has track in R5 Philadelphia already"
    do(state, "build Q5")
    assert state.actor == 1
    assert position("players 2 \n PA treasury 9 shares 1 0 cubes 0").why_not("expand PA") == "W4.4: PA has no cube left"


@rule("W4.5")
@pytest.mark.parametrize(("others", "cost"), [([], 2), (["NYC"], 4), (["NYC", "B&O"], 6), (["NYC", "B&O", "C&O"], 8)])
def test_albany_costs_more_for_each_railroad_there(others: list[str], cost: int) -> None:
    lines = [f"{name} track S0" for name in others]
    state = position("\n".join(["players 2", f"PA treasury {cost} shares 1 0 track S1", *lines]))
    do(state, "expand PA", "build S0")
    assert state.treasury[rr("PA")] == 0


@rule("W4.5")
@pytest.mark.parametrize("hex", ["R4", "K4"])
def test_farms_and_industrial_cities_cost_more_for_the_second_railroad(hex: str) -> None:
    state = position(f"players 2 \n PA treasury 9 shares 1 0 track L3 \n NYC track {hex}")
    n = state.board.grid.index[hex]
    assert state.build_cost(n) == 2 * state.board.cost[n]
    do(state, "expand PA", f"build {hex}")
    assert state.treasury[rr("PA")] == 9 - 2 * state.board.cost[n]


@rule("W4.5")
def test_the_fifth_railroad_in_chicago_pays_five_times() -> None:
    state = position(
        """
        players 2
        PA treasury 15 shares 1 0 track A3
        B&O track A2
        C&O track A2
        NYC track A2
        Wabash track A2
        """
    )
    assert state.build_cost(state.board.chicago) == 15
    do(state, "expand PA", "build A2")
    assert state.treasury[rr("PA")] == 0


@rule("W4.6")
@pytest.mark.parametrize(("hex", "kind"), [("Q4", "timber"), ("M6", "a mine")])
def test_timber_and_mines_take_one_railroad(hex: str, kind: str) -> None:
    state = position(f"players 2 \n PA treasury 20 shares 1 0 track P4 M7 \n B&O track {hex}")
    do(state, "expand PA")
    assert state.why_not(f"build {hex}") == f"W4.6: {hex} is {kind} and B&O is there already"


@rule("W4.7")
def test_start_cities_are_closed_to_others() -> None:
    state = position("players 2 \n PA treasury 9 shares 1 0 track Q6")
    do(state, "expand PA")
    assert state.why_not("build Q7") == "W4.7: Q7 Baltimore is a start city, closed to other railroads"


@rule("W4.8")
def test_the_treasury_pays() -> None:
    state = position("players 2 \n cash 10 10 \n PA treasury 3 shares 1 0")
    do(state, "expand PA", "build Q5", "build Q4")
    assert (state.cash, state.treasury[rr("PA")]) == ([10, 10], 0)
    poor = position("players 2 \n PA shares 1 0")
    assert (poor.why_not("expand PA") or "").startswith("W4.8: PA has $0 in its treasury")
    short = do(position("players 2 \n PA treasury 1 shares 1 0 track R4"), "expand PA")
    assert short.why_not("build Q4") == "W4.8: Q4 costs $2 and PA has $1"


@rule("W4.9")
def test_fort_wayne_is_open_to_all_and_the_wabash_cube_counts() -> None:
    before = position("players 2 \n PA treasury 2 shares 1 0 track D4")
    assert before.build_cost(before.board.grid.index["D3"]) == 1
    state = position("players 2 \n PA treasury 2 shares 1 0 track D4 \n Wabash shares 0 1")
    assert state.build_cost(state.board.grid.index["D3"]) == 2
    assert "build D3" in legal(do(state, "expand PA"))


# W5


def income_gained(text: str, name: str, hex: str) -> int:
    state = position(text)
    before = state.income[rr(name)]
    do(state, f"expand {name}", f"build {hex}")
    return state.income[rr(name)] - before


@rule("W5.1")
def test_farms_and_timber_add_nothing() -> None:
    assert income_gained("players 2 \n PA treasury 9 shares 1 0", "PA", "Q5") == 0
    assert income_gained("players 2 \n PA treasury 9 shares 1 0 track R4", "PA", "Q4") == 0


@rule("W5.2")
def test_a_mine_adds_1() -> None:
    assert income_gained("players 2 \n PA treasury 9 shares 1 0 track M7", "PA", "M6") == 1


@rule("W5.3")
def test_a_city_adds_what_it_earns_now() -> None:
    albany = "players 2 \n NYC treasury 9 shares 1 0 track S1"
    assert income_gained(albany, "NYC", "S0") == 1
    assert income_gained(albany + "\n developed S0", "NYC", "S0") == 3
    assert income_gained("players 2 \n NYC treasury 9 shares 1 0 track A3", "NYC", "A2") == 7


@rule("W5.4")
def test_an_industrial_city_adds_what_its_track_shows() -> None:
    text = "players 2 \n PA treasury 9 shares 1 0 track L3"
    assert income_gained(text, "PA", "K4") == 4
    assert income_gained(text + "\n Pittsburgh 8", "PA", "K4") == 8


# W6


@rule("W6.1")
def test_development_needs_track_but_no_share() -> None:
    state = position("players 2 \n PA shares 0 1 track O4")
    assert "develop O4" in legal(state)
    assert state.why_not("develop K7") == "W6.1: no railroad has track in K7 Clarksburg"


@rule("W6.2")
def test_a_hex_is_developed_once_with_a_cube() -> None:
    state = position("players 2 \n PA track O4 M6")
    do(state, "develop O4")
    assert state.supply == 19
    assert state.why_not("develop O4") == "W6.2: O4 Harrisburg is developed already"
    empty = position("players 2 \n supply 0 \n PA track O4 K4")
    assert empty.why_not("develop O4") == "W6.2: no development cube is left"
    assert legal(empty, "develop") == ["develop K4", "develop nothing"]


@rule("W6.3")
def test_developed_timber_pays_its_railroad_2() -> None:
    state = position("players 2 \n PA treasury 1 track Q4")
    do(state, "develop Q4")
    assert (state.treasury[rr("PA")], state.income[rr("PA")], state.supply) == (3, 7, 19)


@rule("W6.4")
def test_a_developed_mine_earns_2_more() -> None:
    state = position("players 2 \n PA track M6")
    before = state.income[rr("PA")]
    do(state, "develop M6")
    assert state.income[rr("PA")] == before + 2


@rule("W6.5")
def test_developing_cleveland_raises_both_railroads_by_2() -> None:
    state = position("players 2 \n PA track I2 \n NYC track I2 \n B&O track I3")
    do(state, "develop I2")
    assert state.income == [7 + 4, 6, 5, 8 + 4, 0]


@rule("W6.6")
def test_developing_wheeling_raises_every_railroad_there() -> None:
    state = position("players 2 \n PA track I6 \n B&O track I6")
    do(state, "develop I6")
    assert (state.income[rr("PA")], state.income[rr("B&O")]) == (7 + 4, 6 + 4)
    assert state.supply == 20


@rule("W6.6")
def test_pittsburgh_goes_4_6_8_and_no_further() -> None:
    state = position("players 2 \n PA track K4")
    do(state, "develop K4")
    assert state.income[rr("PA")] == 7 + 6
    do(state, "develop K4")
    assert state.income[rr("PA")] == 7 + 8
    assert state.why_not("develop K4") == "W6.6: K4 Pittsburgh is at the end of its track"


@rule("W6.7")
@pytest.mark.parametrize(
    ("hex", "reason"),
    [
        ("R4", "R4 is a farm, which cannot be developed"),
        ("R5", "R5 Philadelphia is a start city, which cannot be developed"),
        ("A2", "A2 Chicago cannot be developed"),
    ],
)
def test_farms_start_cities_and_chicago_cannot_be_developed(hex: str, reason: str) -> None:
    state = position("players 2 \n PA track R4 A2")
    assert state.why_not(f"develop {hex}") == f"W6.7: {reason}"


@rule("W6.8")
def test_players_develop_detroit_only_by_option() -> None:
    text = "players 2 \n PA track E0"
    assert position(text).why_not("develop E0") == "W6.8: E0 Detroit grows by itself after each general dividend"
    state = position(text, detroit="players")
    do(state, "develop E0")
    assert (state.income[rr("PA")], state.supply) == (7 + 2, 20)
    empty = position("players 2", detroit="players")
    assert empty.why_not("develop E0") == "W6.1: no railroad has track in E0 Detroit"


# W7


@rule("W7.1")
def test_any_unsold_share_may_be_put_up() -> None:
    state = position("players 2 \n cash 0 0 \n PA shares 3 0 \n NYC shares 0 1")
    assert legal(state, "capitalize") == ["capitalize B&O", "capitalize C&O", "capitalize NYC", "capitalize nothing"]
    assert state.why_not("capitalize PA") == "W7.1: every share of PA is sold"
    do(state, "capitalize NYC")  # nobody can pay: everybody passes by force
    assert (state.unsold[rr("NYC")], state.markers, state.actor) == (4, [1, 0, 0], 1)


@rule("W7.2")
def test_income_23_and_two_shares_sold_make_a_minimum_of_8() -> None:
    state = position("players 2 \n cash 30 30 \n NYC shares 1 1 track A2 K4 L0 S0")
    assert state.income[rr("NYC")] == 8 + 7 + 4 + 3 + 1
    do(state, "capitalize NYC")
    assert state.prompt == "Bid $8 or more for NYC, or pass"
    assert state.actor == 0  # the seat on turn opens


@rule("W7.3")
def test_the_price_goes_to_the_treasury() -> None:
    state = position("players 2 \n cash 30 30 \n NYC treasury 2 shares 1 1")
    do(state, "capitalize NYC", "bid 10", "pass")
    assert (state.treasury[rr("NYC")], state.cash) == (12, [20, 30])


@rule("W7.5")
def test_wabash_shares_wait_for_its_opening() -> None:
    state = position("players 2")
    assert state.why_not("capitalize Wabash") == "W7.5: the Wabash has not opened yet"
    assert "capitalize Wabash" in legal(position("players 2 \n Wabash shares 1 0"))
