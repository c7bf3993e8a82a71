"""Wabash Cannonball rule by rule: dividends, the opening of the Wabash and the end."""

from __future__ import annotations

import pytest

from cuberails.core.state import IllegalAction
from cuberails.titles.wabash.state import Wabash
from tests.titles.wabash.position import do, position, rr

rule = pytest.mark.rule


# W8


@rule("W8.1")
def test_the_chicago_dividend_counts_all_cubes_of_the_expansion() -> None:
    state = position("players 2 \n cash 0 0 \n PA treasury 20 shares 1 1 track B2 \n Wabash shares 0 1")
    do(state, "expand PA", "build A2", "build C2")
    assert state.cash == [0, 0]
    do(state, "done")
    assert state.cash == [7, 7]  # (7 + 7 + 1) // 2
    do(state, "expand nothing")
    assert state.cash == [7, 7]  # only once


@rule("W8.1")
def test_the_wabash_pays_a_chicago_dividend_too() -> None:
    state = position("players 2 \n cash 0 0 \n PA track A2 \n Wabash treasury 20 shares 1 0 track A3")
    do(state, "expand Wabash", "build A2", "done")
    assert state.cash == [8, 0]


@rule("W8.2")
def test_the_chicago_dividend_is_rounded_down_and_paid_by_the_bank() -> None:
    state = position("players 3 \n cash 0 0 0 \n NYC treasury 3 shares 1 2 1 track B2 \n Wabash shares 1 0 0")
    assert state.income[rr("NYC")] == 8
    do(state, "expand NYC", "build A2")  # 15 for 4 shares
    assert (state.cash, state.treasury[rr("NYC")]) == ([3, 6, 3], 0)


# W9


def first_into_chicago(extra: str = "") -> Wabash:
    state = position(f"players 3 \n turn 1 \n cash 5 5 5 \n PA treasury 3 shares 0 1 0 track B2 \n {extra}")
    return do(state, "expand PA", "build A2")


@rule("W9.1")
def test_the_wabash_is_closed_until_somebody_is_in_chicago() -> None:
    state = position("players 3")
    assert state.why_not("expand Wabash") == "W9.1: the Wabash has not opened yet"
    assert first_into_chicago().opened(rr("Wabash"))


@rule("W9.1")
def test_the_wabash_opens_only_once() -> None:
    state = position("players 2 \n PA track A2 \n NYC treasury 6 shares 1 0 track A3 \n Wabash shares 1 0")
    do(state, "expand NYC", "build A2")
    assert (state.actor, state.unsold[rr("Wabash")]) == (1, 1)


@rule("W9.2")
@pytest.mark.parametrize(("extra", "income"), [("", 1), ("developed D3", 3)])
def test_the_wabash_starts_in_fort_wayne_with_its_income(extra: str, income: int) -> None:
    state = first_into_chicago(extra)
    assert state.income[rr("Wabash")] == income
    assert state.board.grid.hexes(state.track[rr("Wabash")]) == [state.board.grid.index["D3"]]
    assert state.cubes[rr("Wabash")] == 10
    assert state.prompt == f"Bid ${income} or more for Wabash, or pass"


@rule("W9.3")
def test_the_seat_on_turn_opens_the_wabash_auction_and_gets_it_if_nobody_bids() -> None:
    state = first_into_chicago()
    assert state.actor == 1
    cash = state.cash[:]
    do(state, "pass", "pass", "pass")
    assert state.shares[1 * state.board.count + rr("Wabash")] == 1
    assert state.cash == cash
    assert state.actor == 2


# W10


@rule("W10.1")
@pytest.mark.parametrize(
    ("markers", "action"),
    [("2 4 0", "capitalize nothing"), ("3 3 1", "develop nothing"), ("1 4 4", "expand nothing")],
)
def test_two_markers_at_their_end_bring_a_general_dividend(markers: str, action: str) -> None:
    state = position(f"players 2 \n cash 0 0 \n markers {markers} \n PA shares 1 0")
    do(state, action)
    assert state.cash == [7, 0]


@rule("W10.1")
def test_one_marker_at_its_end_is_not_enough() -> None:
    state = position("players 2 \n cash 0 0 \n markers 3 3 4 \n PA shares 1 0")
    assert state.cash == [0, 0]
    do(position("players 2 \n markers 2 0 0"), "capitalize nothing")
    state = do(position("players 2 \n cash 0 0 \n markers 2 0 0 \n PA shares 1 0"), "capitalize nothing")
    assert (state.cash, state.markers) == ([0, 0], [3, 0, 0])


@rule("W10.2")
def test_the_general_dividend_is_rounded_up_and_unowned_railroads_pay_nothing() -> None:
    state = position("players 3 \n cash 0 0 0 \n markers 3 3 0 \n NYC shares 2 1 0 treasury 5 \n PA shares 0 0 1")
    do(state, "develop nothing")  # NYC: 8 for 3 shares, PA: 7 for one
    assert (state.cash, state.treasury[rr("NYC")]) == ([6, 3, 7], 5)


@rule("W10.3")
def test_the_markers_return_to_start() -> None:
    state = do(position("players 2 \n markers 3 3 2"), "develop nothing")
    assert (state.markers, state.actor) == ([0, 0, 0], 1)


@rule("W10.4")
def test_detroit_grows_even_without_a_railroad() -> None:
    state = do(position("players 2 \n markers 3 3 2"), "develop nothing")
    detroit = state.board.industrial[state.board.detroit]
    assert state.hex_income(detroit) == 2
    events = position("players 2 \n markers 3 3 2").apply(state.parse("develop nothing"))
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
    state = position(f"players 2 \n markers 3 3 0 \n {text}")
    events = state.apply(state.parse("develop nothing"))
    assert events[-1].say(["Ann", "Bob"]) == f"The game ends: {reason} (W11.1)"
    assert (state.actor, state.legal_actions(), state.prompt) == (None, [], "The game is over")
    assert state.why_not("expand nothing") == "W11.1: the game is over"
    with pytest.raises(IllegalAction, match=r"W11\.1: the game is over"):
        state.apply(state.parse("expand nothing"))


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
    state = do(position(f"players 2 \n markers 3 3 0 \n {text}"), "develop nothing")
    assert state.actor == 1


@rule("W11.1")
def test_the_end_is_tested_only_after_a_general_dividend() -> None:
    state = do(position("players 2 \n supply 0"), "develop nothing")
    assert state.actor == 1


@rule("W11.2")
def test_an_unopened_wabash_never_counts_and_an_open_one_does() -> None:
    two = "players 2 \n markers 3 3 0 \n PA shares 3 0 \n B&O shares 2 2"
    assert do(position(two), "develop nothing").actor == 1
    assert do(position(two + "\n Wabash shares 1 1"), "develop nothing").actor is None


@rule("W11.3")
def test_most_cash_wins_and_ties_share() -> None:
    state = position("players 3 \n cash 20 30 30 \n markers 3 3 0 \n supply 3 \n PA treasury 99")
    do(state, "develop nothing")
    assert (state.scores(), state.winners()) == ([20, 30, 30], [1, 2])
