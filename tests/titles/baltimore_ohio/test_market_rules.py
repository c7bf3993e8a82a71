"""Baltimore & Ohio rule by rule: the Market Round, valuations and presidents."""

from __future__ import annotations

import pytest

from tests.titles.baltimore_ohio.account import check
from tests.titles.baltimore_ohio.position import do, legal, opened, position, rr, stacks, tell

rule = pytest.mark.rule


# B3


@rule("B3.1")
def test_a_market_turn_sells_then_buys_or_starts() -> None:
    state = position("players 3 \n B&O value 66 shares 3 2 0 \n PA value 60 shares 1 1 1 treasury 100")
    assert state.prompt == "Sell shares, buy into a railroad, start one, or pass; $500 in hand"
    words = {action.word for action in state.legal_actions()}
    assert words == {"pass", "sell", "buy", "start"}
    do(state, "sell PA 1", "sell B&O 1")
    assert {action.word for action in state.legal_actions()} == {"done", "start"}
    do(state, "start C&O 2 at 60")
    assert state.actor == 1
    assert (state.why_not("build G22") or "").startswith("B3.1: this is the Market Round")


@rule("B3.2")
def test_a_turn_that_did_something_is_no_pass() -> None:
    state = position("players 3 \n B&O value 66 shares 3 2 0")
    assert state.why_not("done") == "B3.2: nothing was done yet: pass"
    do(state, "sell B&O 1")
    assert state.why_not("pass") == "B3.2: after selling or buying a turn is no pass: say done"
    assert tell(state, "done") == ["Ann is done"]
    do(state, "pass", "pass")
    assert (state.actor, state.round.business) == (0, 0)


@rule("B3.3")
def test_the_round_ends_when_all_pass_in_a_row() -> None:
    state = do(opened(), "pass", "start B&O 2 at 55", "pass", "pass")
    assert (state.actor, state.round.business) == (1, 0)  # who acted last is asked again
    do(state, "buy B&O 1", "pass", "pass")
    assert state.actor == 1
    do(state, "pass")
    assert state.round.business == 1


@rule("B3.4")
def test_railroads_with_orphans_drop_at_the_end_and_keep_their_order() -> None:
    state = position(
        """
        players 3
        B&O value 66 shares 3 2 0 orphans 1 treasury 400
        PA value 66 shares 3 2 0 orphans 2 treasury 400
        NYC value 60 shares 1 0 0 treasury 400
        C&O value 34 shares 1 0 0 orphans 1 treasury 400
        B&M value 34 shares 1 0 0 treasury 400
        """
    )
    said = tell(state, "pass", "pass", "pass")
    assert said[-3:] == [
        "B&O $66 → $60 (orphan shares)",
        "PA $66 → $60 (orphan shares)",
        "Business Round 1 begins",
    ]
    assert stacks(state) == {60: ["NYC", "B&O", "PA"], 34: ["C&O", "B&M"]}


# B4


@rule("B4.1")
def test_the_boxes_of_the_track() -> None:
    values = opened().board.values
    assert len(values) == 26
    assert values[:12] == [34, 37, 41, 45, 50, 55, 60, 66, 74, 82, 91, 100]
    assert values[12:] == [110, 121, 133, 146, 160, 176, 194, 213, 234, 257, 282, 310, 341, 375]
    state = position(
        "players 3 \n cash 10 20 30 \n B&O value 66 shares 3 2 0 \n PA value 100 shares 0 1 0 treasury 100"
    )
    assert state.scores() == [10 + 3 * 66, 20 + 2 * 66 + 100, 30]


@rule("B4.2")
def test_a_counter_goes_under_those_in_the_box() -> None:
    state = position("players 3 \n B&O value 66 shares 3 2 0 \n PA value 60 shares 1 0 0 \n NYC value 60 shares 1 0 0")
    do(state, "sell B&O 1")
    assert stacks(state) == {60: ["PA", "NYC", "B&O"]}
    do(state, "start C&O 1 at 60")
    assert stacks(state) == {60: ["PA", "NYC", "B&O", "C&O"]}


@rule("B4.3")
def test_a_counter_at_34_stays_on_its_place_in_the_stack() -> None:
    state = position("players 3 \n B&O value 34 shares 3 2 0 \n PA value 34 shares 1 0 0")
    assert tell(state, "sell B&O 2") == ["Ann sells 2 B&O for $68", "Bob becomes president of B&O"]
    assert stacks(state) == {34: ["B&O", "PA"]}


@rule("B4.3")
def test_a_counter_at_375_does_not_move_right() -> None:
    state = position("players 3 \n business 1 \n B&O value 375 shares 3 0 0 equipment 1 track G22")
    do(state, "done", "pay")
    assert stacks(state) == {375: ["B&O"]}


@rule("B4.4")
def test_railroad_order() -> None:
    state = position(
        """
        players 3
        business 1
        PA value 60 shares 0 1 0 treasury 100
        B&O value 66 shares 1 0 0 treasury 100
        NYC value 60 shares 0 0 1 treasury 100
        """
    )
    assert [state.board.railroads[n] for n in state.line] == ["B&O", "PA", "NYC"]
    assert state.prompt.startswith("Run B&O")
    do(state, "done")
    assert state.prompt.startswith("Run PA")
    do(state, "done")
    assert state.prompt.startswith("Run NYC")


# B5


@rule("B5.1")
def test_selling_comes_first_and_each_railroad_once() -> None:
    state = position(
        "players 3 \n B&O value 66 shares 4 2 0 treasury 9 \n PA value 60 shares 3 1 0 \n C&O value 55 shares 1"
    )
    assert legal(state, "sell") == [f"sell B&O {n}" for n in (1, 2, 3, 4)] + [f"sell PA {n}" for n in (1, 2, 3)]
    do(state, "sell B&O 2")
    assert legal(state, "sell") == ["sell PA 1", "sell PA 2", "sell PA 3"]
    assert state.why_not("sell B&O 1") == "B5.1: B&O was sold in this turn already; all its shares are sold at once"
    assert state.why_not("sell PA 4") == "B5.1: you have 3 shares of PA"
    assert state.why_not("sell NYC 1") == "B5.1: you have no shares of NYC"
    do(state, "sell PA 1", "buy C&O 1")
    assert state.actor == 1
    state = position("players 3 \n B&O value 66 shares 4 2 0 orphans 1 \n PA value 60 shares 3 1 0")
    do(state, "buy B&O 1")
    assert state.why_not("sell PA 1") == "B5.1: shares are sold before shares are bought"


@rule("B5.2")
def test_one_share_stays_with_a_player() -> None:
    state = position("players 3 \n B&O value 66 shares 3 0 0 \n PA value 60 shares 2 1 0")
    assert legal(state, "sell") == ["sell B&O 1", "sell B&O 2", "sell PA 1", "sell PA 2"]
    assert state.why_not("sell B&O 3") == "B5.2: at least one share of B&O must stay with a player"


@rule("B5.3")
def test_all_shares_are_paid_at_the_value_before_the_drop() -> None:
    state = position("players 3 \n cash 0 0 0 \n B&O value 66 shares 4 0 0 treasury 90")
    said = tell(state, "sell B&O 3")
    assert said[:2] == ["Ann sells 3 B&O for $198", "B&O $66 → $60 (shares sold)"]
    assert (state.cash[0], state.treasury[rr("B&O")], state.orphans[rr("B&O")]) == (198, 90, 3)


@rule("B5.4")
def test_a_sale_drops_one_box_whatever_the_number() -> None:
    for number in (1, 5):
        state = do(position("players 3 \n B&O value 66 shares 6 0 0"), f"sell B&O {number}")
        assert stacks(state) == {60: ["B&O"]}


@rule("B5.4")
@pytest.mark.parametrize(("option", "value"), [("turn", 50), ("round", 55)])
def test_a_second_sale_in_the_round(option: str, value: int) -> None:
    """With `round` each player makes the counter drop once: here two players sell, one of them twice."""
    state = position(
        "players 3 \n cash 0 0 0 \n B&O value 66 shares 4 3 0 \n PA value 60 shares 2 2 0", sale_drop=option
    )
    do(state, "sell B&O 1", "done", "sell B&O 1", "done", "sell B&O 1")  # seat 2 can only pass
    assert stacks(state)[value] == ["B&O"]


@rule("B5.5")
def test_who_sold_a_railroad_does_not_buy_it_in_this_round() -> None:
    state = position("players 3 \n B&O value 66 shares 4 2 0 treasury 500 \n PA value 60 shares 1 1 1")
    do(state, "sell B&O 1")
    assert state.why_not("buy B&O 1 orphans") == "B5.5: you have sold B&O in this Market Round"
    do(state, "done", "buy B&O 1 orphans", "done", "pass")
    assert state.why_not("buy B&O 1") == "B5.5: you have sold B&O in this Market Round"
    do(state, "pass", "pass")
    assert state.round.business == 1


@rule("B5.5")
def test_a_seller_may_let_the_railroad_buy_back_and_may_sell_what_it_bought() -> None:
    state = position("players 3 \n B&O value 66 shares 4 2 0 treasury 500")
    do(state, "sell B&O 1", "done", "pass", "pass")
    assert legal(state, "buyback") == ["buyback B&O 1"]
    state = position("players 3 \n B&O value 66 shares 4 2 0 treasury 500")
    do(state, "buy B&O 1", "pass", "pass")
    assert "sell B&O 5" in legal(state)


# B6


@rule("B6.1")
def test_a_turn_buys_one_railroad() -> None:
    state = position("players 3 \n B&O value 66 shares 4 2 0 orphans 1 \n PA value 60 shares 1 1 1")
    do(state, "buy B&O 1")
    assert legal(state) == ["done", "buy B&O 1 orphans"]
    assert state.why_not("buy PA 1") == "B6.1: this turn buys shares of B&O only"
    assert state.why_not("start NYC 1 at 60") == "B6.1: this turn buys shares of B&O only"


@rule("B6.2")
@pytest.mark.parametrize("texts", [("buy B&O 2", "buy B&O 1 orphans"), ("buy B&O 1 orphans", "buy B&O 2")])
def test_held_shares_fund_the_treasury_and_orphans_the_bank(texts: tuple[str, str]) -> None:
    state = position("players 3 \n B&O value 66 shares 4 2 0 orphans 2 treasury 10")
    do(state, *texts)
    assert (state.cash[0], state.treasury[rr("B&O")]) == (500 - 3 * 66, 10 + 2 * 66)
    assert (state.held[rr("B&O")], state.orphans[rr("B&O")], state.shares[rr("B&O")]) == (0, 1, 7)
    assert stacks(state) == {66: ["B&O"]}
    assert state.actor == 1  # both sources are used


@rule("B6.2")
def test_from_each_source_once() -> None:
    state = position("players 3 \n B&O value 66 shares 4 2 0 orphans 2")
    do(state, "buy B&O 1")
    assert state.prompt == "Buy orphans of B&O too, or done; $434 in hand"
    assert state.why_not("buy B&O 1") == "B6.2: from each source shares are bought once in a turn"


@rule("B6.3")
def test_as_many_as_there_are_and_cash_pays_for() -> None:
    state = position("players 3 \n cash 140 900 0 \n B&O value 66 shares 1 0 0 orphans 1")
    assert legal(state, "buy") == ["buy B&O 1", "buy B&O 2", "buy B&O 1 orphans"]
    assert state.why_not("buy B&O 3") == "B6.3: 3 shares cost $198 and you have $140"
    assert state.why_not("buy B&O 2 orphans") == "B6.3: B&O has 1 orphan"
    assert state.why_not("buy B&O 9") == "B6.3: B&O has 8 held shares"
    do(state, "pass", "buy B&O 8", "buy B&O 1 orphans")
    assert state.holdings(rr("B&O")) == [1, 9, 0]


@rule("B6.3")
def test_one_player_may_own_everything() -> None:
    state = do(position("players 3 \n cash 900 0 0"), "start B&O 10 at 60")
    assert state.holdings(rr("B&O")) == [10, 0, 0]


@rule("B6.4")
def test_a_railroad_buys_back_its_orphans() -> None:
    state = position(
        "players 3 \n B&O value 66 shares 4 2 0 orphans 3 treasury 140 \n PA value 60 shares 0 1 0 orphans 1"
    )
    assert legal(state, "buyback") == ["buyback B&O 1", "buyback B&O 2"]
    assert state.why_not("buyback B&O 3") == "B6.4: 3 shares cost $198 and B&O has $140"
    assert state.why_not("buyback B&O 4") == "B6.4: B&O has 3 orphans"
    assert state.why_not("buyback PA 1") == "B6.4: only the president of PA decides on a buyback"
    assert state.why_not("buyback NYC 1") == "B6.4: NYC is not running"
    assert tell(state, "buyback B&O 2") == ["Ann lets B&O buy back 2 of its orphans for $132"]
    assert (state.treasury[rr("B&O")], state.orphans[rr("B&O")], state.held[rr("B&O")]) == (8, 1, 3)
    assert (state.cash[0], stacks(state)[66]) == (500, ["B&O"])
    assert state.actor == 1


@rule("B6.4")
def test_a_buyback_is_the_whole_turn() -> None:
    state = position("players 3 \n B&O value 66 shares 4 2 0 orphans 3 treasury 140 \n PA value 60 shares 1 1 0")
    do(state, "sell PA 1")
    assert state.why_not("buyback B&O 1") == "B6.4: a buyback is a whole turn; something else was done already"


# B7


@rule("B7.1")
def test_which_railroads_can_be_started() -> None:
    first = ["B&O", "C&O", "NYC", "PA", "NYNH&H", "B&M"]
    assert list(dict.fromkeys(text.split()[1] for text in legal(opened(), "start"))) == first
    state = position("players 3 \n deck 11")
    late = [*first, "ERIE", "IC", "WABASH", "NYC&SL"]
    assert list(dict.fromkeys(text.split()[1] for text in legal(state, "start"))) == late
    state = position("players 3 \n B&O value 66 shares 3 0 0")
    assert state.why_not("start B&O 1 at 60") == "B7.1: B&O is running already"
    assert state.why_not("start ERIE 1 at 66") == "B7.1: ERIE is available from tech 3 on"
    assert state.why_not("buy PA 1") == "B7.1: PA is not running; it has to be started"


@rule("B7.2")
@pytest.mark.parametrize(
    ("deck", "values"),
    [(0, [55, 60, 66]), (6, [60, 66, 74]), (11, [66, 74, 82]), (16, [74, 82, 91]), (21, [82, 91, 100])],
)
def test_initial_valuations(deck: int, values: list[int]) -> None:
    state = position(f"players 3 \n cash 100 100 100 \n deck {deck}")
    assert [text for text in legal(state, "start") if " PA " in text] == [f"start PA 1 at {value}" for value in values]


@rule("B7.2")
def test_another_valuation_is_refused() -> None:
    assert opened().why_not("start PA 1 at 74") == "B7.2: PA starts at $55 or $60 or $66 now"


@rule("B7.3")
def test_a_start() -> None:
    state = position("players 3 \n C&O value 60 shares 0 1 0")
    said = tell(state, "start B&O 3 at 60")
    assert said == ["Ann starts B&O at $60 with 3 shares for $180", "Ann becomes president of B&O"]
    n = rr("B&O")
    assert (state.cash[0], state.treasury[n], state.held[n], state.net[n]) == (320, 180, 7, 0)
    assert stacks(state) == {60: ["C&O", "B&O"]}
    assert state.actor == 1


@rule("B7.4")
def test_the_start_cube_enters_a_full_city() -> None:
    state = position(
        """
        players 3
        deck 11
        NYC track D23 D21 D19
        C&O track D19
        B&O track D19
        """
    )
    do(state, "start ERIE 2 at 66")
    assert state.railroads_in(state.board.grid.index["D19"]) == 4  # the limit is 3
    assert state.treasury[rr("ERIE")] == 132


@rule("B7.5")
def test_a_restart_keeps_the_track_and_gets_no_cube() -> None:
    state = position("players 3 \n deck 6 \n B&O track G22 coal 0 cubes 17")
    assert [text for text in legal(state, "start") if "B&O 1" in text] == [f"start B&O 1 at {v}" for v in (60, 66, 74)]
    assert state.why_not("start B&O 1 at 50") == "B7.5: B&O starts at $60 or $66 or $74 now"
    assert tell(state, "start B&O 2 at 74")[0] == "Ann restarts B&O at $74 with 2 shares for $148"
    assert state.cubes[rr("B&O")] == 17
    assert state.board.grid.hexes(state.track[rr("B&O")]) == [state.board.grid.index[id] for id in ("G22", "H23")]
    check(state)


@rule("B7.5")
def test_the_option_to_restart_at_50() -> None:
    state = position("players 3 \n B&O track G22", restart="50")
    assert [text for text in legal(state, "start") if "B&O 1 " in text] == ["start B&O 1 at 50"]
    assert [text for text in legal(state, "start") if " PA 1 " in text] == [f"start PA 1 at {v}" for v in (55, 60, 66)]
    assert state.why_not("start B&O 1 at 60") == "B7.5: B&O starts at $50 now"
    assert "start B&O 10 at 50" in legal(state)


# B8


@rule("B8.1")
def test_the_president_decides_for_the_railroad() -> None:
    state = position("players 3 \n business 1 \n B&O value 66 shares 1 3 0 treasury 100")
    assert state.actor == 1


@rule("B8.2")
def test_more_shares_take_the_charter_and_equal_do_not() -> None:
    state = position("players 3 \n order 1 0 2 \n B&O value 66 shares 3 1 0")
    assert "Bob becomes president of B&O" not in tell(state, "buy B&O 2")
    assert state.president[rr("B&O")] == 0
    do(state, "pass", "pass")
    assert tell(state, "buy B&O 1")[:2] == ["Bob buys 1 B&O for $66", "Bob becomes president of B&O"]


@rule("B8.2")
def test_the_presidents_sale_can_pass_the_charter() -> None:
    state = position("players 3 \n B&O value 66 shares 4 3 2")
    do(state, "sell B&O 1")
    assert state.president[rr("B&O")] == 0  # three each
    state = position("players 3 \n B&O value 66 shares 4 3 2")
    assert tell(state, "sell B&O 2")[1] == "Bob becomes president of B&O"


@rule("B8.3")
@pytest.mark.parametrize(("old", "shares", "new"), [(0, "3 1 2 2", 2), (1, "2 3 1 2", 3), (2, "2 2 3 0", 0)])
def test_of_several_the_first_on_the_left_presides(old: int, shares: str, new: int) -> None:
    order = " ".join(str((old + n) % 4) for n in range(4))
    state = position(f"players 4 \n order {order} \n B&O value 66 shares {shares}")
    do(state, "sell B&O 3")
    assert state.president[rr("B&O")] == new
