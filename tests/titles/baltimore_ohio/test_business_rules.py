"""Baltimore & Ohio rule by rule: the Business Round."""

from __future__ import annotations

import pytest

from tests.titles.baltimore_ohio.account import check
from tests.titles.baltimore_ohio.position import do, legal, opened, position, rr, stacks, tell

rule = pytest.mark.rule


# B9


@rule("B9.1")
def test_each_railroad_acts_once_in_the_order_at_the_beginning() -> None:
    state = position(
        """
        players 3
        business 1
        B&O value 66 shares 1 0 0 treasury 100 equipment 1 track G22
        PA value 66 shares 0 1 0 treasury 100 equipment 1
        """
    )
    do(state, "done", "pay")  # B&O rises to 74
    assert state.prompt.startswith("Run PA")
    do(state, "done", "retain")
    assert state.round.business == 2
    assert state.prompt.startswith("Run B&O")


@rule("B9.2")
def test_a_later_step_closes_the_earlier_ones() -> None:
    text = "players 3 \n business 1 \n B&O value 66 shares 3 0 0 treasury 500 equipment 1 1"
    state = position(text)
    assert legal(state) == ["done", "scrap 1", "purchase", "build G22", "build H21", "build I22", "build I24"]
    assert state.prompt == "Run B&O: scrap, buy equipment, build one hex, or done; treasury $500"
    do(state, "scrap 1", "purchase")
    assert legal(state, "scrap") == []
    assert state.why_not("scrap 1") == "B9.2: equipment is scrapped before new equipment is bought and track is built"
    state = position("players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 500 equipment 1")
    do(state, "build G22")
    assert state.why_not("purchase") == "B9.2: equipment is bought before track is built"
    assert (state.why_not("scrap 1") or "").startswith("B9.2: ")
    assert (state.why_not("serve best") or "").startswith("B9.2: ")
    assert (state.why_not("pay") or "").startswith("B9.2: ")
    assert (state.why_not("pass") or "").startswith("B3.1: shares are traded in the Market Round")
    do(state, "build H21")
    assert state.prompt.startswith("B&O has a net income")


@rule("B9.2")
def test_every_step_may_be_skipped() -> None:
    state = position("players 3 \n business 1 \n B&O value 66 shares 3 0 0 treasury 500 equipment 1")
    said = tell(state, "done")
    assert said == ["Ann ends the steps of B&O", "B&O earns 1 city $20; maintenance $10; net income $10 (last $0)"]


@rule("B9.3")
def test_after_its_turn_the_counter_goes_undermost() -> None:
    state = position(
        """
        players 3
        business 1
        B&O value 66 shares 1 0 0 treasury 100 equipment 1 net 10
        PA value 66 shares 0 1 0 treasury 100 equipment 1 net 50
        """
    )
    do(state, "done", "retain")  # the same net income as before: it does not move
    assert stacks(state) == {66: ["PA", "B&O"]}
    assert state.net[rr("B&O")] == 10
    do(state, "done", "pay")
    assert state.net[rr("PA")] == 20
    assert stacks(state) == {66: ["B&O"], 60: ["PA"]}


# B10


@rule("B10.1")
def test_scrapping_the_example() -> None:
    """A card of tech 1 and two of tech 2 bring 20 + 40 + 40."""
    state = position("players 3 \n deck 8 \n business 1 \n B&O value 66 shares 3 0 0 equipment 1 2 2 2")
    assert legal(state, "scrap") == ["scrap 1", "scrap 2"]
    said = tell(state, "scrap 1", "scrap 2", "scrap 2")
    assert said[0] == "B&O receives $20 (equipment of tech 1 scrapped)"
    assert state.treasury[rr("B&O")] == 100
    assert state.cards(rr("B&O")) == [0, 1, 0, 0, 0, 0]
    assert state.why_not("scrap 1") == "B10.1: B&O has no equipment of tech 1"
    assert state.deck == 8  # scrapped cards do not return


@rule("B10.1")
def test_scrap_values() -> None:
    assert opened().board.scrap_value[1:] == [20, 40, 60, 80, 100, 120]


@rule("B10.2")
def test_buying_card_after_card() -> None:
    state = position("players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 260")
    said = tell(state, "purchase", "purchase")
    assert said[0] == "B&O buys equipment #7 (tech 2) for $130"
    assert state.treasury[rr("B&O")] == 10
    assert state.why_not("purchase") == "B10.2: equipment #9 costs $110 and B&O has $10"
    state = position("players 3 \n deck 30 \n business 1 \n B&O value 66 shares 3 0 0 treasury 2600")
    assert state.why_not("purchase") == "B10.2: the equipment deck is empty"


@rule("B10.3")
def test_a_new_tech_begins_at_once() -> None:
    state = position(
        """
        players 3
        deck 15
        business 1
        B&O value 66 shares 3 0 0 treasury 700 equipment 3 track G22
        NYC track D23 D21 D19
        C&O track D19
        PA track G20
        """
    )
    assert state.tech == 3
    assert tell(state, "purchase")[:2] == ["B&O buys equipment #16 (tech 4) for $280", "Technology level 4 begins"]
    for hex in ("H21", "I22", "J21"):
        do(state, f"build {hex}")
    assert legal(state, "build") != []  # four at tech 4
    said = tell(state, "build K22")
    assert said[-1] == "B&O earns 4 cities $120; maintenance $80; net income $40 (last $0)"


@rule("B10.4", "B11.1")
@pytest.mark.parametrize(("tech", "deck"), [(1, 1), (2, 6), (3, 11), (4, 16), (5, 21), (6, 26)])
def test_the_tech_limits_builds(tech: int, deck: int) -> None:
    state = position(
        f"players 3 \n deck {deck} \n business 1 \n C&O value 66 shares 3 0 0 treasury 200 equipment 1 cubes 9"
    )
    path = ["K20", "K18", "K16", "J19", "I20", "H21"]
    do(state, *[f"build {hex}" for hex in path[: tech - 1]])
    assert state.prompt.startswith("Run C&O")
    assert tell(state, f"build {path[tech - 1]}")[1] == "Ann ends the steps of C&O (no choice)"


@rule("B10.4")
def test_the_table_of_tech() -> None:
    board = opened().board
    assert board.builds[1:] == [1, 2, 3, 4, 5, 6]
    assert board.city_limit[1:] == [2, 2, 3, 4, 5, 6]
    assert board.maintenance[1:] == [10, 20, 30, 40, 50, 60]
    assert board.timber_pays[1:] == [10, 20, 30, 40, 50, 60]


@rule("B10.4")
def test_the_option_of_one_railroad_in_a_city() -> None:
    text = "players 3 \n business 1 \n B&O value 66 shares 3 0 0 treasury 200 track \n C&O track I22"
    assert "build I22" in legal(position(text))
    state = position(text, tech1_city_limit="1")
    assert state.why_not("build I22") == "B11.6: I22 Washington takes 1 railroads at tech 1"


# B11


@rule("B11.2")
def test_track_is_connected_and_one_cube_a_hex() -> None:
    state = position("players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 200")
    assert state.why_not("build H23") == "B11.2: B&O has track in H23 Baltimore already"
    assert state.why_not("build H19") == "B11.2: H19 is not next to track of B&O"
    do(state, "build H21")
    assert "build H19" in legal(state)


@rule("B11.3")
def test_heavy_lines() -> None:
    state = position("players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 200 track I24 F13")
    assert "build I22" in legal(state)  # from Baltimore, not from Dover
    assert state.why_not("build E12") == "B11.3: a heavy line lies between E12 Detroit and the track of B&O"
    state = position("players 3 \n deck 6 \n business 1 \n C&O value 66 shares 3 0 0 treasury 200 track I22")
    assert state.why_not("build I24") == "B11.3: a heavy line lies between I24 Dover and the track of C&O"


@rule("B11.4")
def test_the_treasury_pays_the_cost() -> None:
    state = position("players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 25 track G22")
    assert tell(state, "build I22")[0] == "B&O builds in I22 Washington for $20"
    assert state.treasury[rr("B&O")] == 5
    state = position("players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 19")
    assert state.why_not("build I22") == "B11.4: I22 Washington costs $20 and B&O has $19"


@rule("B11.5")
def test_no_cube_no_track() -> None:
    state = position("players 3 \n business 1 \n B&O value 66 shares 3 0 0 treasury 500 cubes 0 equipment 1")
    assert legal(state, "build") == []
    assert state.why_not("build G22") == "B11.5: B&O has no cube left"


@rule("B11.6")
@pytest.mark.parametrize(("deck", "others", "free"), [(6, 1, True), (6, 2, False), (16, 3, True), (16, 4, False)])
def test_a_city_takes_only_so_many_railroads(deck: int, others: int, free: bool) -> None:
    lines = [f"{name} track I22" for name in ("C&O", "NYC", "NYNH&H", "B&M")[:others]]
    text = f"players 3 \n deck {deck} \n business 1 \n B&O value 66 shares 3 0 0 treasury 200"
    state = position("\n".join([text, *lines]))
    assert ("build I22" in legal(state)) == free
    if not free:
        limit = {6: 2, 16: 4}[deck]
        refusal = f"B11.6: I22 Washington takes {limit} railroads at tech {state.tech}"
        assert state.why_not("build I22") == refusal


@rule("B11.6")
def test_a_start_cube_over_the_limit_shuts_the_city_for_longer() -> None:
    """Four are in Buffalo at tech 3; the fifth waits for tech 5."""
    lines = ["NYC track D23 D21 D19", "C&O track D19", "PA track D19", "ERIE"]
    for deck, free in ((16, False), (21, True)):
        text = f"players 3 \n deck {deck} \n business 1 \n B&O value 66 shares 3 0 0 treasury 900 track E18 equipment 1"
        state = position("\n".join([text, *lines]))
        assert ("build D19" in legal(state)) == free


@rule("B11.6")
def test_chicago_and_open_country_take_any_number() -> None:
    others = "\n".join(f"{name} track E4 F5" for name in ("C&O", "NYC", "NYNH&H", "B&M", "IC"))
    state = position(f"players 3 \n business 1 \n B&O value 66 shares 3 0 0 treasury 200 track F3 \n {others}")
    assert "build E4" in legal(state)
    assert "build F5" in legal(state)


@rule("B11.7")
def test_nyc_first_serves_its_state() -> None:
    text = "players 3 \n deck 11 \n business 1 \n NYC value 66 shares 3 0 0 treasury 900 equipment 1"
    state = position(text + " track C26")
    assert "build D23" in legal(state)
    refusal = (
        "NYC builds into no other city before Buffalo and Syracuse and Utica and New York, so not into B27 Burlington"
    )
    assert state.why_not("build B27") == f"B11.7: {refusal}"
    do(state, "build D27")
    assert (state.why_not("build E28") or "").startswith("B11.7: ")
    state = position(text + " track D23 D21 D19 E24 C26")
    assert "build B27" not in legal(state)
    assert "NYC has done its duty to the State of New York" in tell(state, "build F25")
    assert "build B27" in legal(state)  # in the same turn
    assert (state.why_not("build G24") or "").startswith("B11.8: ")


@rule("B11.8")
def test_pa_first_serves_its_commonwealth() -> None:
    text = "players 3 \n deck 16 \n business 1 \n PA value 66 shares 3 0 0 treasury 900 equipment 1"
    state = position(text + " track G22 G20 G18")
    refusal = "PA builds into no other city before Pittsburgh, so not into F25 New York"
    assert state.why_not("build F25") == f"B11.8: {refusal}"
    do(state, "build G16", "build F25", "build H15")
    assert state.fulfilled == 2


@rule("B11.8")
@pytest.mark.parametrize("pa", ["", "PA value 60 shares 1 0 0 track G22 G20", "PA track G22 G20"])
def test_others_stay_out_until_pa_is_through(pa: str) -> None:
    """Also while PA is not running."""
    text = "players 3 \n deck 16 \n business 1 \n B&O value 66 shares 3 0 0 treasury 900 equipment 1 track G22 H17"
    state = position(f"{text} \n {pa}")
    missing = "Pittsburgh" if pa else "Pittsburgh and Harrisburg"
    for id, name in (("G24", "Philadelphia"), ("G16", "Pittsburgh"), ("G20", "Harrisburg")):
        assert state.why_not(f"build {id}") == f"B11.8: {id} {name} is closed until PA has built into {missing}"
    state = position(f"{text} \n PA track G20 G16")
    assert {"build G24", "build G16", "build G20"} <= set(legal(state))


# B12


@rule("B12.1")
def test_taking_coal_is_the_whole_build() -> None:
    text = "players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 0 0 treasury 50 equipment 1 1 track H17 G18"
    state = position(text)
    assert legal(state, "take") == ["take coal G18", "take coal H17"]
    said = tell(state, "take coal H17")
    assert said == [
        "B&O takes the coal of H17",
        "B&O earns 1 city $30, coal $40; maintenance $40; net income $30 (last $0)",
    ]
    assert state.treasury[rr("B&O")] == 50
    do(state, "pay")
    assert state.why_not("take coal H17") == "B12.1: the counter of H17 is gone"
    do(state, "build G22")
    assert state.why_not("take coal G18") == "B12.1: a counter takes the whole build, and track was built in this turn"
    assert position(text).why_not("take coal K14") == "B12.1: B&O has no track in K14"


@rule("B12.1")
def test_taking_timber() -> None:
    text = "players 3 \n deck 6 \n business 1 \n B&M value 66 shares 3 0 0 equipment 2 track C28 B29 A30"
    state = position(text)
    assert tell(state, "take timber") == ["B&M takes the timber of A30 Augusta"]
    assert state.timber == rr("B&M")
    do(state, "serve best", "pay")
    assert state.round.business == 2
    assert state.why_not("take timber") == "B12.1: the counter of A30 Augusta is gone"


@rule("B12.1")
def test_coal_can_be_taken_after_buying_equipment() -> None:
    state = position("players 3 \n business 1 \n B&O value 66 shares 3 0 0 treasury 100 track H17")
    do(state, "purchase", "take coal H17")
    assert state.coal[rr("B&O")] == 1


@rule("B12.2", "B14.4")
def test_counters_and_track_survive_receivership() -> None:
    state = position(
        """
        players 3
        business 1
        taken H17
        B&O value 66 shares 1 0 0 orphans 4 treasury 900 track H17 coal 1
        PA value 60 shares 0 3 0 treasury 10 equipment 1
        """
    )
    said = tell(state, "done")
    assert said[-3:] == [
        "B&O $66 → $55 (unprofitable)",
        "Ann returns a share of B&O",
        "B&O enters receivership: nobody holds a share of it",
    ]
    n = rr("B&O")
    assert (state.treasury[n], state.held[n], state.orphans[n], state.president[n]) == (0, 10, 0, -1)
    assert (state.coal[n], state.track[n].bit_count(), state.in_receivership(n)) == (1, 2, True)
    assert stacks(state) == {60: ["PA"]}
    do(state, "done", "retain")
    assert state.prompt.startswith("Run PA")  # B&O has no turn in the second round
    do(state, "done", "retain", "start B&O 5 at 55", "pass", "pass", "pass")
    do(state, "done", "retain")  # PA goes first
    assert (
        tell(state, "purchase", "done")[-1]
        == "B&O earns 1 city $20, coal $40; maintenance $10; net income $50 (last $0)"
    )


# B13


@rule("B13.1")
def test_service_capacity_the_example() -> None:
    state = position("players 3 \n deck 8 \n B&O value 66 shares 3 0 0 equipment 1 2 2")
    assert state.capacity(rr("B&O")) == 5


CHOICE = """
    players 3
    deck 2
    business 1
    C&O value 66 shares 3 0 0 equipment 1 1 track I22 H23 K22 K20 net 0
"""
"""Four cities at tech 1 (H23 20, I22 20, J21 30, K22 20) and capacity for two."""


@rule("B13.2")
def test_all_cities_if_the_capacity_allows_and_none_without_equipment() -> None:
    state = position(
        "players 3 \n deck 2 \n business 1 \n C&O value 66 shares 3 0 0 equipment 1 1 1 1 track I22 H23 K22"
    )
    do(state, "done")
    assert state.prompt.startswith("C&O has a net income of $50")  # 20 + 20 + 30 + 20 - 40
    state = position("players 3 \n deck 2 \n business 1 \n C&O value 66 shares 3 0 0 treasury 20 track I22 H23 K22")
    assert tell(state, "done")[1] == "C&O earns nothing; maintenance $0; net income $0 (last $0)"


@rule("B13.2", "B13.3")
def test_the_president_chooses_the_cities_in_board_order() -> None:
    state = do(position(CHOICE), "done")
    assert state.prompt == "Choose 2 cities for C&O to serve (the best, or one by one)"
    assert legal(state) == ["serve H23", "serve I22", "serve J21", "serve best"]
    assert state.why_not("serve K22") == "B13.2: 2 cities must be served, and too few come after K22 Norfolk"
    assert state.why_not("serve F25") == "B13.2: C&O has no track in F25 New York"
    assert (state.why_not("done") or "").startswith("B9.2: ")
    do(state, "serve I22")
    assert legal(state) == ["serve J21", "serve K22"]
    assert (
        state.why_not("serve H23")
        == "B13.3: cities are chosen in the order of the board, and H23 Baltimore is not later"
    )
    assert state.why_not("serve best") == "B13.3: a city was chosen already: choose the others one by one"
    assert tell(state, "serve K22")[-1] == "C&O earns 2 cities $40; maintenance $20; net income $20 (last $0)"


@rule("B13.3")
def test_the_best_cities() -> None:
    state = do(position(CHOICE), "done")
    assert tell(state, "serve best")[-1] == "C&O earns 2 cities $50; maintenance $20; net income $30 (last $0)"
    state = do(position(CHOICE), "done")
    said = tell(state, "serve J21")  # only Norfolk comes later
    assert said[1] == "C&O serves K22 Norfolk (no choice)"


@rule("B13.4")
@pytest.mark.parametrize(("deck", "income"), [(1, 30), (6, 40), (11, 50), (16, 60), (21, 70), (26, 80)])
def test_new_york_earns_by_tech(deck: int, income: int) -> None:
    state = position(
        f"players 3 \n deck {deck} \n business 1 \n B&M value 66 shares 3 0 0 treasury 10 equipment 6 track F25"
    )
    board, n = state.board, state.board.grid.index["F25"]
    assert board.income[state.tech][n] == income
    earned = income + board.income[state.tech][board.start_hex[rr("B&M")]]
    assert f"2 cities ${earned};" in tell(state, "done")[1]


@rule("B13.5")
@pytest.mark.parametrize(("deck", "timber"), [(1, 10), (6, 20), (16, 40)])
def test_coal_and_timber(deck: int, timber: int) -> None:
    line = "B&M value 66 shares 3 0 0 treasury 15 coal 2 timber 1 track C28 B29 A30 G18 H17"
    text = f"players 3 \n deck {deck} \n taken G18 H17 \n business 1 \n {line}"
    said = tell(position(text + " equipment 6"), "done")
    assert f"coal $80, timber ${timber}; " in said[1]
    assert "B&M earns nothing;" in tell(position(text), "done")[1]  # without equipment


@rule("B13.6")
def test_maintenance_the_example() -> None:
    """At tech 3 a card of tech 1 and two of tech 2 cost 90."""
    state = position(
        """
        players 3
        deck 11
        business 1
        B&O value 66 shares 3 0 0 treasury 10 equipment 1 2 2 track I22 J21 K22 F25
        """
    )
    assert tell(state, "done")[1] == "B&O earns 5 cities $160; maintenance $90; net income $70 (last $0)"


@rule("B13.7")
@pytest.mark.parametrize(("equipment", "profitable"), [("1", True), ("1 1", False), ("1 1 1", False)])
def test_more_than_nothing_is_profitable(equipment: str, profitable: bool) -> None:
    """Baltimore alone earns 20 at tech 1 and each card costs 10."""
    state = position(
        f"players 3 \n deck 3 \n business 1 \n B&O value 66 shares 3 1 0 treasury 10 equipment {equipment}"
    )
    do(state, "done")
    assert legal(state) == (["pay", "retain"] if profitable else legal(state))
    assert stacks(state) == ({66: ["B&O"]} if profitable else {55: ["B&O"]})


# B14


@rule("B14.1")
@pytest.mark.parametrize(("before", "after"), [(66, 55), (41, 34), (37, 34), (34, 34)])
def test_an_unprofitable_railroad_moves_two_boxes(before: int, after: int) -> None:
    state = position(f"players 3 \n business 1 \n B&O value {before} shares 3 1 0 treasury 10")
    do(state, "done")
    assert stacks(state) == {after: ["B&O"]}


@rule("B14.1", "B9.3")
def test_an_unprofitable_railroad_at_34_is_restacked_at_the_end_of_its_turn() -> None:
    state = position(
        """
        players 3
        business 1
        B&O value 34 shares 3 1 0 treasury 10
        PA value 34 shares 3 1 0 treasury 20
        """
    )
    do(state, "done")
    assert stacks(state) == {34: ["PA", "B&O"]}


@rule("B14.2")
def test_the_president_returns_a_share() -> None:
    state = position("players 3 \n business 1 \n B&O value 66 shares 2 2 0 treasury 10")
    said = tell(state, "done")
    assert said[-3:-1] == ["Ann returns a share of B&O", "Bob becomes president of B&O"]
    assert (state.holdings(rr("B&O")), state.held[rr("B&O")]) == ([1, 2, 0], 7)
    assert (state.cash[0], state.actor) == (500, 1)


@rule("B14.2", "B8.3")
def test_a_returned_share_passes_the_charter_to_the_left() -> None:
    state = position("players 4 \n business 1 \n B&O value 66 shares 1 0 1 1 treasury 10 president 3")
    do(state, "done")
    assert state.president[rr("B&O")] == 0
    state = position("players 4 \n business 1 \n B&O value 66 shares 1 0 1 1 treasury 10 president 0")
    do(state, "done")
    assert state.president[rr("B&O")] == 2


@rule("B14.3")
def test_a_loss_is_not_charged_and_recorded_as_0() -> None:
    state = position(
        "players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 1 0 treasury 10 equipment 1 1 1 net 50"
    )
    said = tell(state, "done")
    assert "maintenance $60; a loss of $30 (last $50)" in said[1]
    assert (state.treasury[rr("B&O")], state.net[rr("B&O")]) == (10, 0)
    assert stacks(state) == {55: ["B&O"]}


@rule("B14.3")
@pytest.mark.parametrize(
    ("treasury", "left", "sentence"),
    [
        (50, 20, "B&O pays its loss of $30 from its treasury"),
        (30, 0, "B&O pays its loss of $30 from its treasury"),
        (10, 0, "B&O pays $10 of its loss of $30: all that is in its treasury"),
        (0, 0, "B&O has nothing in its treasury to pay its loss of $30"),
    ],
)
def test_by_the_option_the_treasury_pays_a_loss_as_far_as_it_goes(treasury: int, left: int, sentence: str) -> None:
    text = f"players 3 \n deck 6 \n business 1 \n B&O value 66 shares 3 1 0 treasury {treasury} equipment 1 1 1 net 50"
    state = position(text, losses="paid")
    cash = state.cash
    assert tell(state, "done")[1:4] == [
        "B&O earns 1 city $30; maintenance $60; a loss of $30 (last $50)",
        sentence,
        "B&O $66 → $55 (unprofitable)",
    ]
    assert (state.treasury[rr("B&O")], state.net[rr("B&O")], state.cash) == (left, 0, cash)
    check(state)


@rule("B14.3")
@pytest.mark.parametrize("losses", ["forgiven", "paid"])
def test_where_there_is_no_loss_nothing_is_charged(losses: str) -> None:
    """A net income of 0 is unprofitable but no loss, and a profit is none at all."""
    text = "players 3 \n deck 2 \n business 1 \n B&O value 66 shares 3 1 0 treasury 10 equipment {}"
    state = position(text.format("1 1"), losses=losses)
    assert tell(state, "done")[2] == "B&O $66 → $55 (unprofitable)"
    assert state.treasury[rr("B&O")] == 10
    state = do(position(text.format("1"), losses=losses), "done", "retain")
    assert state.treasury[rr("B&O")] == 20


@rule("B14.3", "B14.4")
def test_a_loss_is_paid_before_receivership_takes_the_rest() -> None:
    line = "B&O value 66 shares 1 0 0 treasury 50 equipment 1 1 1 \n PA value 60 shares 0 1 0 treasury 90"
    state = position(f"players 3 \n deck 6 \n business 1 \n {line}", losses="paid")
    assert tell(state, "done")[2:] == [
        "B&O pays its loss of $30 from its treasury",
        "B&O $66 → $55 (unprofitable)",
        "Ann returns a share of B&O",
        "B&O enters receivership: nobody holds a share of it",
    ]
    assert state.treasury[rr("B&O")] == 0


@rule("B14.4")
def test_receivership_removes_equipment_from_the_game() -> None:
    state = position(
        """
        players 3
        deck 3
        business 1
        B&O value 66 shares 1 0 0 treasury 15 equipment 1 1 1
        PA value 60 shares 0 1 0 treasury 90
        """
    )
    do(state, "done")
    assert sum(state.cards(rr("B&O"))) == 0
    assert state.deck == 3
    assert state.net[rr("B&O")] == 0
    check(state)


# B15


PROFIT = "players 3 \n business 1 \n B&O value 66 shares 3 2 0 orphans 1 treasury 15 equipment 1 1 track G24 I22"
"""Capacity 2: Philadelphia 30 and Baltimore or Washington 20, less 20: a net income of 30."""


@rule("B15.1")
def test_the_president_pays_or_retains() -> None:
    state = do(position(PROFIT), "done", "serve best")
    assert state.prompt == "B&O has a net income of $30 (last $0): pay dividends or retain it"
    assert (state.actor, legal(state)) == (0, ["pay", "retain"])
    assert state.why_not("done") == "B15.1: B&O is profitable: pay or retain"
    assert (state.why_not("sell B&O 1") or "").startswith("B3.1: ")


@rule("B15.2")
def test_dividends() -> None:
    state = do(position(PROFIT), "done", "serve best")
    said = tell(state, "pay")
    assert said[:3] == [
        "Dividend: B&O pays $3 a share: Ann $9, Bob $6",
        "B&O receives $12 (dividend of its held shares)",
        "B&O $66 → $74 (higher net income)",
    ]
    assert (state.cash, state.treasury[rr("B&O")]) == ([509, 506, 500], 27)  # the orphan's $3 stay in the bank


@rule("B15.3")
def test_retaining() -> None:
    state = do(position(PROFIT), "done", "serve best")
    assert tell(state, "retain")[0] == "B&O receives $30 (profit retained)"
    assert (state.cash, state.treasury[rr("B&O")]) == ([500, 500, 500], 45)
    assert stacks(state) == {66: ["B&O"]}


@rule("B15.4")
@pytest.mark.parametrize(
    ("last", "choice", "value"),
    [(20, "pay", 74), (20, "retain", 66), (30, "pay", 66), (30, "retain", 66), (40, "pay", 60), (40, "retain", 60)],
)
def test_the_value_follows_the_net_income(last: int, choice: str, value: int) -> None:
    state = do(position(f"{PROFIT} net {last}"), "done", "serve best", choice)
    assert stacks(state) == {value: ["B&O"]}
    assert state.net[rr("B&O")] == 30
