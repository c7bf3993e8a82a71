"""Wabash Cannonball rule by rule. Each test cites the rules of rules.md that it shows."""

from __future__ import annotations

import pytest

import cuberails
from cuberails.core.state import IllegalAction
from cuberails.titles.wabash.rules import Wabash
from tests.titles.wabash.position import do, incomes, legal, position, rr

rule = pytest.mark.rule


def fresh(players: int) -> Wabash:
    game = cuberails.new("wabash", players=players)
    assert isinstance(game, Wabash)
    return game


def after_initial(players: int = 3) -> Wabash:
    """Seat 0 took all four first shares at the minimum."""
    game = fresh(players)
    for minimum in (7, 6, 5, 8):
        do(game, f"bid {minimum}", *["pass"] * (players - 1))
    return game


# W1


@rule("W1.1")
@pytest.mark.parametrize(("players", "money"), [(2, 60), (3, 40), (4, 30), (5, 24), (6, 20)])
def test_120_dollars_are_shared(players: int, money: int) -> None:
    assert fresh(players).scores() == [money] * players


@rule("W1.2")
def test_four_railroads_start_on_the_coast() -> None:
    game = fresh(2)
    starts = {
        name: (game.board.names[game.board.grid.hexes(game.track[n])[0]], game.income[n])
        for n, name in enumerate(game.board.railroads)
        if game.opened(n)
    }
    assert starts == {
        "PA": ("Philadelphia", 7),
        "B&O": ("Baltimore", 6),
        "C&O": ("Washington", 5),
        "NYC": ("New York", 8),
    }


@rule("W1.3")
def test_shares_and_cubes() -> None:
    game = fresh(2)
    supply = dict(zip(game.board.railroads, zip(game.unsold, game.cubes, strict=True), strict=True))
    assert supply == {"PA": (3, 19), "B&O": (4, 21), "C&O": (6, 25), "NYC": (5, 23), "Wabash": (2, 10)}


@rule("W1.4")
def test_tracks_markers_and_development_cubes_at_the_start() -> None:
    game = fresh(4)
    shown = {game.board.names[n]: game.hex_income(n) for n in game.board.industrial}
    assert shown == {"Detroit": 1, "Wheeling": 3, "Pittsburgh": 4}
    assert game.supply == 20
    assert game.markers == [0, 0, 0]


@rule("W1.5")
def test_nobody_spends_money_that_is_not_there() -> None:
    game = position("players 3 \n PA treasury 1 shares 1 0 0")
    do(game, "expand PA")
    assert legal(game, "build") == ["build Q5", "build Q6", "build R4", "build R6", "build S5"]  # the farms at $1


# W2


@rule("W2.1", "W2.7")
def test_the_four_first_auctions_and_who_opens_them() -> None:
    game = fresh(3)
    assert (game.actor, game.prompt) == (0, "Bid $7 or more for PA, or pass")
    do(game, "bid 7", "bid 8", "pass", "pass")
    assert (game.actor, game.prompt) == (1, "Bid $6 or more for B&O, or pass")
    do(game, "pass", "bid 6", "pass")
    assert (game.actor, game.prompt) == (2, "Bid $5 or more for C&O, or pass")
    do(game, "pass", "bid 5", "pass")
    assert (game.actor, game.prompt) == (0, "Bid $8 or more for NYC, or pass")
    do(game, "bid 8", "pass", "pass")
    assert game.actor == 1  # who took PA
    assert game.prompt == "Choose a decision: capitalize (3 left), develop (4 left) or expand (5 left)"


@rule("W2.2")
def test_the_minimum_bid_is_the_dividend_with_this_share_sold() -> None:
    game = fresh(3)
    assert legal(game, "bid")[0] == "bid 7"
    assert game.why_not("bid 6") == "W2.2: the minimum bid is $7"


@rule("W2.3")
def test_a_bid_must_be_higher_and_a_pass_is_final() -> None:
    game = do(fresh(3), "bid 10")
    assert game.actor == 1
    assert game.why_not("bid 10") == "W2.3: the highest bid is $10, so the next is at least $11"
    do(game, "pass", "bid 11")
    assert game.actor == 0  # not seat 1 again
    do(game, "bid 12")
    assert game.actor == 2


@rule("W2.3")
def test_the_opener_may_pass_and_the_last_seat_is_still_asked() -> None:
    game = do(fresh(3), "pass", "pass")
    assert (game.actor, legal(game)[0]) == (2, "bid 7")
    do(game, "bid 9")  # nobody is left to answer
    assert game.treasury[rr("PA")] == 9
    assert (game.actor, game.prompt) == (2, "Bid $6 or more for B&O, or pass")


@rule("W2.3")
def test_during_an_auction_only_bids_and_passes_are_legal() -> None:
    assert fresh(2).why_not("expand PA") == "W2.3: an auction is under way: bid or pass"


@rule("W2.4")
def test_bids_end_at_the_cash_in_hand() -> None:
    game = fresh(6)
    assert legal(game) == [f"bid {n}" for n in range(7, 21)] + ["pass"]
    assert game.why_not("bid 21") == "W2.4: $21 is more than the $20 in hand"


@rule("W2.4")
def test_who_cannot_afford_a_bid_passes_without_being_asked() -> None:
    game = do(fresh(3), "bid 40")
    assert game.prompt == "Bid $6 or more for B&O, or pass"
    assert game.cash == [0, 40, 40]
    assert game.actor == 1  # the opener has no money left


@rule("W2.5")
def test_a_first_share_without_a_bid_goes_to_its_opener_for_nothing() -> None:
    game = do(fresh(3), "pass", "pass", "pass")
    assert game.shares[rr("PA")] == 1
    assert (game.cash, game.treasury[rr("PA")]) == ([40, 40, 40], 0)
    assert game.prompt == "Bid $6 or more for B&O, or pass"
    assert game.actor == 0


@rule("W2.6")
def test_the_winner_pays_into_the_treasury_when_the_auction_ends() -> None:
    game = do(fresh(3), "bid 10")
    assert game.scores() == [40, 40, 40]
    events = game.apply(game.parse("pass")) + game.apply(game.parse("pass"))
    assert game.scores() == [30, 40, 40]
    assert game.treasury[rr("PA")] == 10
    assert events[-1].say(["Ann", "Bob", "Cy"]) == "Ann takes a share of PA for $10"


# W3


@rule("W3.1")
def test_a_turn_begins_with_a_decision() -> None:
    game = after_initial()
    assert {action.word for action in game.legal_actions()} == {"capitalize", "develop", "expand"}
    assert (game.why_not("build Q5") or "").startswith("W3.1: ")
    assert (game.why_not("pass") or "").startswith("W3.1: ")


@rule("W3.2")
def test_a_decision_at_its_end_is_unavailable() -> None:
    game = position("players 3 \n markers 3 1 4 \n PA treasury 9 shares 1 0 0")
    assert legal(game, "capitalize") == []
    assert (game.why_not("capitalize PA") or "").startswith("W3.2: capitalize is not available")
    assert game.prompt == "Choose a decision: develop (3 left) or expand (1 left)"


@rule("W3.2")
def test_limits_are_3_capitalizations_4_developments_5_expansions() -> None:
    for word, most in (("capitalize", 3), ("develop", 4), ("expand", 5)):
        game = after_initial()
        for _ in range(most):
            do(game, f"{word} nothing")
        assert legal(game, word) == []


@rule("W3.3")
def test_a_decision_may_do_nothing() -> None:
    game = after_initial()
    do(game, "capitalize nothing", "develop nothing", "expand nothing")
    assert game.markers == [1, 1, 1]


@rule("W3.3", "W7.4")
def test_an_unsold_share_moves_the_marker_and_stays() -> None:
    game = after_initial()
    do(game, "capitalize C&O", "pass", "pass", "pass")
    assert game.markers == [1, 0, 0]
    assert game.unsold[rr("C&O")] == 5
    assert game.actor == 1


@rule("W3.4")
def test_turns_go_clockwise_also_after_an_auction_won_by_somebody_else() -> None:
    game = after_initial()
    do(game, "capitalize PA", "pass", "pass", "bid 4")
    assert game.actor == 1
    do(game, "expand nothing", "expand nothing")
    assert game.actor == 0


@rule("W3.5")
def test_chicago_dividend_then_wabash_then_general_dividend() -> None:
    game = position(
        """
        players 2
        cash 10 10
        markers 3 0 4
        PA treasury 9 shares 1 0 track B2
        """
    )
    do(game, "expand PA")
    income = incomes(game)[rr("PA")] + 7
    events = game.apply(game.parse("build A2")) + game.apply(game.parse("done"))
    events += game.apply(game.parse("bid 1")) + game.apply(game.parse("pass"))
    told = [event.say(["Ann", "Bob"]) for event in events]
    order = ["Chicago dividend: PA", "Wabash opens", "takes a share of Wabash"]
    order += ["General dividend: PA", "General dividend: Wabash"]
    found = [next(n for n, line in enumerate(told) if part in line) for part in order]
    assert found == sorted(found)
    assert game.cash == [10 + income - 1 + income + 1, 10]
    assert game.markers == [0, 0, 0]


@rule("W3.6")
def test_what_is_the_only_choice_is_done_and_told() -> None:
    game = fresh(3)
    events = game.apply(game.parse("bid 40"))  # nobody can answer, and the opener has nothing left
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
    game = position("players 2 \n PA treasury 9 shares 1 0 \n NYC treasury 9 shares 0 1")
    assert legal(game, "expand") == ["expand PA", "expand nothing"]
    assert game.why_not("expand NYC") == "W4.1: only a shareholder of NYC may expand it"


@rule("W4.2")
def test_an_expansion_builds_one_to_three() -> None:
    game = position("players 2 \n PA treasury 9 shares 1 0")
    do(game, "expand PA")
    assert (game.why_not("done") or "").startswith("W4.2: ")
    assert game.why_not("expand PA") == "W4.2: PA is expanding: build a hex"
    do(game, "build Q5")
    assert game.why_not("pass") == "W4.2: PA is expanding: build a hex or say done"
    assert "done" in legal(game)
    do(game, "build P4", "build O4")
    assert game.actor == 1  # the third ends it
    assert game.cubes[rr("PA")] == 16


@rule("W4.2")
def test_an_expansion_that_can_go_no_further_ends_by_itself() -> None:
    game = position("players 2 \n PA treasury 1 shares 1 0")
    do(game, "expand PA", "build Q5")
    assert game.actor == 1


@rule("W4.3")
def test_track_is_connected() -> None:
    game = position("players 2 \n PA treasury 9 shares 1 0")
    do(game, "expand PA")
    assert game.why_not("build O4") == "W4.3: O4 Harrisburg is not next to track of PA"
    do(game, "build Q5", "build P4")
    assert "build O4" in legal(game)


@rule("W4.4")
def test_one_cube_a_hex_and_no_more_than_the_railroad_owns() -> None:
    game = position("players 2 \n PA treasury 9 shares 1 0 cubes 1")
    do(game, "expand PA")
    assert game.why_not("build R5") == "W4.4: PA has track in R5 Philadelphia already"
    do(game, "build Q5")
    assert game.actor == 1
    assert position("players 2 \n PA treasury 9 shares 1 0 cubes 0").why_not("expand PA") == "W4.4: PA has no cube left"


@rule("W4.5")
@pytest.mark.parametrize(("others", "cost"), [([], 2), (["NYC"], 4), (["NYC", "B&O"], 6), (["NYC", "B&O", "C&O"], 8)])
def test_albany_costs_more_for_each_railroad_there(others: list[str], cost: int) -> None:
    lines = [f"{name} track S0" for name in others]
    game = position("\n".join(["players 2", f"PA treasury {cost} shares 1 0 track S1", *lines]))
    do(game, "expand PA", "build S0")
    assert game.treasury[rr("PA")] == 0


@rule("W4.5")
@pytest.mark.parametrize("hex", ["R4", "K4"])
def test_farms_and_industrial_cities_cost_more_for_the_second_railroad(hex: str) -> None:
    game = position(f"players 2 \n PA treasury 9 shares 1 0 track L3 \n NYC track {hex}")
    n = game.board.grid.index[hex]
    assert game.build_cost(n) == 2 * game.board.cost[n]
    do(game, "expand PA", f"build {hex}")
    assert game.treasury[rr("PA")] == 9 - 2 * game.board.cost[n]


@rule("W4.5")
def test_the_fifth_railroad_in_chicago_pays_five_times() -> None:
    game = position(
        """
        players 2
        PA treasury 15 shares 1 0 track A3
        B&O track A2
        C&O track A2
        NYC track A2
        Wabash track A2
        """
    )
    assert game.build_cost(game.board.chicago) == 15
    do(game, "expand PA", "build A2")
    assert game.treasury[rr("PA")] == 0


@rule("W4.6")
@pytest.mark.parametrize(("hex", "kind"), [("Q4", "timber"), ("M6", "a mine")])
def test_timber_and_mines_take_one_railroad(hex: str, kind: str) -> None:
    game = position(f"players 2 \n PA treasury 20 shares 1 0 track P4 M7 \n B&O track {hex}")
    do(game, "expand PA")
    assert game.why_not(f"build {hex}") == f"W4.6: {hex} is {kind} and B&O is there already"


@rule("W4.7")
def test_start_cities_are_closed_to_others() -> None:
    game = position("players 2 \n PA treasury 9 shares 1 0 track Q6")
    do(game, "expand PA")
    assert game.why_not("build Q7") == "W4.7: Q7 Baltimore is a start city, closed to other railroads"


@rule("W4.8")
def test_the_treasury_pays() -> None:
    game = position("players 2 \n cash 10 10 \n PA treasury 3 shares 1 0")
    do(game, "expand PA", "build Q5", "build Q4")
    assert (game.cash, game.treasury[rr("PA")]) == ([10, 10], 0)
    poor = position("players 2 \n PA shares 1 0")
    assert (poor.why_not("expand PA") or "").startswith("W4.8: PA has $0 in its treasury")
    short = do(position("players 2 \n PA treasury 1 shares 1 0 track R4"), "expand PA")
    assert short.why_not("build Q4") == "W4.8: Q4 costs $2 and PA has $1"


@rule("W4.9")
def test_fort_wayne_is_open_to_all_and_the_wabash_cube_counts() -> None:
    before = position("players 2 \n PA treasury 2 shares 1 0 track D4")
    assert before.build_cost(before.board.grid.index["D3"]) == 1
    game = position("players 2 \n PA treasury 2 shares 1 0 track D4 \n Wabash shares 0 1")
    assert game.build_cost(game.board.grid.index["D3"]) == 2
    assert "build D3" in legal(do(game, "expand PA"))


# W5


def income_gained(text: str, name: str, hex: str) -> int:
    game = position(text)
    before = game.income[rr(name)]
    do(game, f"expand {name}", f"build {hex}")
    return game.income[rr(name)] - before


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
    game = position("players 2 \n PA shares 0 1 track O4")
    assert "develop O4" in legal(game)
    assert game.why_not("develop K7") == "W6.1: no railroad has track in K7 Clarksburg"


@rule("W6.2")
def test_a_hex_is_developed_once_with_a_cube() -> None:
    game = position("players 2 \n PA track O4 M6")
    do(game, "develop O4")
    assert game.supply == 19
    assert game.why_not("develop O4") == "W6.2: O4 Harrisburg is developed already"
    empty = position("players 2 \n supply 0 \n PA track O4 K4")
    assert empty.why_not("develop O4") == "W6.2: no development cube is left"
    assert legal(empty, "develop") == ["develop K4", "develop nothing"]


@rule("W6.3")
def test_developed_timber_pays_its_railroad_2() -> None:
    game = position("players 2 \n PA treasury 1 track Q4")
    do(game, "develop Q4")
    assert (game.treasury[rr("PA")], game.income[rr("PA")], game.supply) == (3, 7, 19)


@rule("W6.4")
def test_a_developed_mine_earns_2_more() -> None:
    game = position("players 2 \n PA track M6")
    before = game.income[rr("PA")]
    do(game, "develop M6")
    assert game.income[rr("PA")] == before + 2


@rule("W6.5")
def test_developing_cleveland_raises_both_railroads_by_2() -> None:
    game = position("players 2 \n PA track I2 \n NYC track I2 \n B&O track I3")
    do(game, "develop I2")
    assert game.income == [7 + 4, 6, 5, 8 + 4, 0]


@rule("W6.6")
def test_developing_wheeling_raises_every_railroad_there() -> None:
    game = position("players 2 \n PA track I6 \n B&O track I6")
    do(game, "develop I6")
    assert (game.income[rr("PA")], game.income[rr("B&O")]) == (7 + 4, 6 + 4)
    assert game.supply == 20


@rule("W6.6")
def test_pittsburgh_goes_4_6_8_and_no_further() -> None:
    game = position("players 2 \n PA track K4")
    do(game, "develop K4")
    assert game.income[rr("PA")] == 7 + 6
    do(game, "develop K4")
    assert game.income[rr("PA")] == 7 + 8
    assert game.why_not("develop K4") == "W6.6: K4 Pittsburgh is at the end of its track"


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
    game = position("players 2 \n PA track R4 A2")
    assert game.why_not(f"develop {hex}") == f"W6.7: {reason}"


@rule("W6.8")
def test_players_develop_detroit_only_by_option() -> None:
    text = "players 2 \n PA track E0"
    assert position(text).why_not("develop E0") == "W6.8: E0 Detroit grows by itself after each general dividend"
    game = position(text, detroit="players")
    do(game, "develop E0")
    assert (game.income[rr("PA")], game.supply) == (7 + 2, 20)
    empty = position("players 2", detroit="players")
    assert empty.why_not("develop E0") == "W6.1: no railroad has track in E0 Detroit"


# W7


@rule("W7.1")
def test_any_unsold_share_may_be_put_up() -> None:
    game = position("players 2 \n cash 0 0 \n PA shares 3 0 \n NYC shares 0 1")
    assert legal(game, "capitalize") == ["capitalize B&O", "capitalize C&O", "capitalize NYC", "capitalize nothing"]
    assert game.why_not("capitalize PA") == "W7.1: every share of PA is sold"
    do(game, "capitalize NYC")  # nobody can pay: everybody passes by force
    assert (game.unsold[rr("NYC")], game.markers, game.actor) == (4, [1, 0, 0], 1)


@rule("W7.2")
def test_income_23_and_two_shares_sold_make_a_minimum_of_8() -> None:
    game = position("players 2 \n cash 30 30 \n NYC shares 1 1 track A2 K4 L0 S0")
    assert game.income[rr("NYC")] == 8 + 7 + 4 + 3 + 1
    do(game, "capitalize NYC")
    assert game.prompt == "Bid $8 or more for NYC, or pass"
    assert game.actor == 0  # the seat on turn opens


@rule("W7.3")
def test_the_price_goes_to_the_treasury() -> None:
    game = position("players 2 \n cash 30 30 \n NYC treasury 2 shares 1 1")
    do(game, "capitalize NYC", "bid 10", "pass")
    assert (game.treasury[rr("NYC")], game.cash) == (12, [20, 30])


@rule("W7.5")
def test_wabash_shares_wait_for_its_opening() -> None:
    game = position("players 2")
    assert game.why_not("capitalize Wabash") == "W7.5: the Wabash has not opened yet"
    assert "capitalize Wabash" in legal(position("players 2 \n Wabash shares 1 0"))


# W8


@rule("W8.1")
def test_the_chicago_dividend_counts_all_cubes_of_the_expansion() -> None:
    game = position("players 2 \n cash 0 0 \n PA treasury 20 shares 1 1 track B2 \n Wabash shares 0 1")
    do(game, "expand PA", "build A2", "build C2")
    assert game.cash == [0, 0]
    do(game, "done")
    assert game.cash == [7, 7]  # (7 + 7 + 1) // 2
    do(game, "expand nothing")
    assert game.cash == [7, 7]  # only once


@rule("W8.1")
def test_the_wabash_pays_a_chicago_dividend_too() -> None:
    game = position("players 2 \n cash 0 0 \n PA track A2 \n Wabash treasury 20 shares 1 0 track A3")
    do(game, "expand Wabash", "build A2", "done")
    assert game.cash == [8, 0]


@rule("W8.2")
def test_the_chicago_dividend_is_rounded_down_and_paid_by_the_bank() -> None:
    game = position("players 3 \n cash 0 0 0 \n NYC treasury 3 shares 1 2 1 track B2 \n Wabash shares 1 0 0")
    assert game.income[rr("NYC")] == 8
    do(game, "expand NYC", "build A2")  # 15 for 4 shares
    assert (game.cash, game.treasury[rr("NYC")]) == ([3, 6, 3], 0)


# W9


def first_into_chicago(extra: str = "") -> Wabash:
    game = position(f"players 3 \n turn 1 \n cash 5 5 5 \n PA treasury 3 shares 0 1 0 track B2 \n {extra}")
    return do(game, "expand PA", "build A2")


@rule("W9.1")
def test_the_wabash_is_closed_until_somebody_is_in_chicago() -> None:
    game = position("players 3")
    assert game.why_not("expand Wabash") == "W9.1: the Wabash has not opened yet"
    assert first_into_chicago().opened(rr("Wabash"))


@rule("W9.1")
def test_the_wabash_opens_only_once() -> None:
    game = position("players 2 \n PA track A2 \n NYC treasury 6 shares 1 0 track A3 \n Wabash shares 1 0")
    do(game, "expand NYC", "build A2")
    assert (game.actor, game.unsold[rr("Wabash")]) == (1, 1)


@rule("W9.2")
@pytest.mark.parametrize(("extra", "income"), [("", 1), ("developed D3", 3)])
def test_the_wabash_starts_in_fort_wayne_with_its_income(extra: str, income: int) -> None:
    game = first_into_chicago(extra)
    assert game.income[rr("Wabash")] == income
    assert game.board.grid.hexes(game.track[rr("Wabash")]) == [game.board.grid.index["D3"]]
    assert game.cubes[rr("Wabash")] == 10
    assert game.prompt == f"Bid ${income} or more for Wabash, or pass"


@rule("W9.3")
def test_the_seat_on_turn_opens_the_wabash_auction_and_gets_it_if_nobody_bids() -> None:
    game = first_into_chicago()
    assert game.actor == 1
    cash = game.cash[:]
    do(game, "pass", "pass", "pass")
    assert game.shares[1 * game.board.count + rr("Wabash")] == 1
    assert game.cash == cash
    assert game.actor == 2


# W10


@rule("W10.1")
@pytest.mark.parametrize(
    ("markers", "action"),
    [("2 4 0", "capitalize nothing"), ("3 3 1", "develop nothing"), ("1 4 4", "expand nothing")],
)
def test_two_markers_at_their_end_bring_a_general_dividend(markers: str, action: str) -> None:
    game = position(f"players 2 \n cash 0 0 \n markers {markers} \n PA shares 1 0")
    do(game, action)
    assert game.cash == [7, 0]


@rule("W10.1")
def test_one_marker_at_its_end_is_not_enough() -> None:
    game = position("players 2 \n cash 0 0 \n markers 3 3 4 \n PA shares 1 0")
    assert game.cash == [0, 0]
    do(position("players 2 \n markers 2 0 0"), "capitalize nothing")
    game = do(position("players 2 \n cash 0 0 \n markers 2 0 0 \n PA shares 1 0"), "capitalize nothing")
    assert (game.cash, game.markers) == ([0, 0], [3, 0, 0])


@rule("W10.2")
def test_the_general_dividend_is_rounded_up_and_unowned_railroads_pay_nothing() -> None:
    game = position("players 3 \n cash 0 0 0 \n markers 3 3 0 \n NYC shares 2 1 0 treasury 5 \n PA shares 0 0 1")
    do(game, "develop nothing")  # NYC: 8 for 3 shares, PA: 7 for one
    assert (game.cash, game.treasury[rr("NYC")]) == ([6, 3, 7], 5)


@rule("W10.3")
def test_the_markers_return_to_start() -> None:
    game = do(position("players 2 \n markers 3 3 2"), "develop nothing")
    assert (game.markers, game.actor) == ([0, 0, 0], 1)


@rule("W10.4")
def test_detroit_grows_even_without_a_railroad() -> None:
    game = do(position("players 2 \n markers 3 3 2"), "develop nothing")
    detroit = game.board.industrial[game.board.detroit]
    assert game.hex_income(detroit) == 2
    events = position("players 2 \n markers 3 3 2").apply(game.parse("develop nothing"))
    assert "Detroit grows to 2" in [event.say(["Ann", "Bob"]) for event in events]
    there = do(position("players 2 \n markers 3 3 2 \n PA track E0"), "develop nothing")
    assert there.income[rr("PA")] == 7 + 2


# W11


@rule("W11.1")
@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("PA cubes 0 \n NYC cubes 0 \n C&O cubes 0", "3 or more railroads have built all their track"),
        ("PA shares 3 0 \n B&O shares 2 2 \n NYC shares 5 0", "3 or more railroads have sold all their shares"),
        ("supply 3", "3 or fewer development cubes are left"),
        ("Detroit 8", "Detroit was fully developed"),
    ],
)
def test_four_ways_to_end(text: str, reason: str) -> None:
    game = position(f"players 2 \n markers 3 3 0 \n {text}")
    events = game.apply(game.parse("develop nothing"))
    assert events[-1].say(["Ann", "Bob"]) == f"The game ends: {reason} (W11.1)"
    assert (game.actor, game.legal_actions(), game.prompt) == (None, [], "The game is over")
    assert game.why_not("expand nothing") == "W11.1: the game is over"
    with pytest.raises(IllegalAction, match=r"W11\.1: the game is over"):
        game.apply(game.parse("expand nothing"))


@rule("W11.1")
@pytest.mark.parametrize(
    "text",
    [
        "PA cubes 0 \n NYC cubes 0",
        "PA shares 3 0 \n B&O shares 2 2",
        "supply 4",
        "Detroit 7",
    ],
)
def test_one_short_of_an_end_condition_the_game_goes_on(text: str) -> None:
    game = do(position(f"players 2 \n markers 3 3 0 \n {text}"), "develop nothing")
    assert game.actor == 1


@rule("W11.1")
def test_the_end_is_tested_only_after_a_general_dividend() -> None:
    game = do(position("players 2 \n supply 0"), "develop nothing")
    assert game.actor == 1


@rule("W11.2")
def test_an_unopened_wabash_never_counts_and_an_open_one_does() -> None:
    two = "players 2 \n markers 3 3 0 \n PA shares 3 0 \n B&O shares 2 2"
    assert do(position(two), "develop nothing").actor == 1
    assert do(position(two + "\n Wabash shares 1 1"), "develop nothing").actor is None


@rule("W11.3")
def test_most_cash_wins_and_ties_share() -> None:
    game = position("players 3 \n cash 20 30 30 \n markers 3 3 0 \n supply 3 \n PA treasury 99")
    do(game, "develop nothing")
    assert (game.scores(), game.winners()) == ([20, 30, 30], [1, 2])
