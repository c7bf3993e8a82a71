"""Credit Mobilier rule by rule. Each test cites the rules of rules.md that it shows."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from random import Random

import pytest

import cuberails
from cuberails.core.playout import pick, playout, sample
from cuberails.core.state import CHANCE, IllegalAction
from cuberails.titles.credit_mobilier.state import CreditMobilier
from tests.titles.credit_mobilier.position import do, drawn, fresh, goods, legal, position, tell, treasury

rule = pytest.mark.rule


# C1


@rule("C1.1")
def test_the_board_has_4_rows_of_6_squares_and_a_coast() -> None:
    board = fresh(2).board
    assert board.squares == [f"{row}{column}" for row in "ABCD" for column in range(1, 7)]
    assert [board.squares[n] for n in board.eastern] == ["A6", "B6", "C6", "D6"]
    assert board.provenance.note.startswith("Reconstructed board")


@rule("C1.2")
def test_a_pawn_is_drawn_for_each_square() -> None:
    state = fresh(3)
    assert (state.actor, state.prompt) == (CHANCE, "Draw a pawn for A1")
    assert legal(state) == ["draw red", "draw yellow", "draw green", "draw blue"]
    assert tell(state, "draw green") == ["A1 gets a green pawn"]
    assert state.prompt == "Draw a pawn for A2"
    state = drawn(3)
    colors = ("red", "yellow", "green", "blue")
    assert sorted(square for color in colors for square in goods(state, color)) == state.board.squares
    assert sum(state.lid) == 4
    assert state.coast == [0, 0, 0, 0]


@rule("C1.2")
def test_each_color_is_drawn_in_proportion_to_its_pawns_in_the_lid() -> None:
    state = do(fresh(2), "draw red", "draw red", "draw blue")
    odds = {str(action): round(chance * 25) for action, chance in state.chance_outcomes()}
    assert odds == {"draw red": 5, "draw yellow": 7, "draw green": 7, "draw blue": 6}


@rule("C1.2")
def test_a_color_that_is_used_up_is_not_drawn() -> None:
    state = do(fresh(2), *["draw red"] * 7)
    assert legal(state) == ["draw yellow", "draw green", "draw blue"]
    assert state.why_not("draw red") == "C1.2: no red pawn is left in the box lid"
    assert state.why_not("buy red 1") == "C1.2: the goods are still being drawn, one for each square"


@rule("C1.2")
def test_the_last_pawns_may_be_forced() -> None:
    draws = [f"draw {color}" for color in ("red", "yellow", "green") for _ in range(7)]
    state = do(fresh(2), *draws[:-1])
    sentences = tell(state, draws[-1])
    assert [line.split()[0] for line in sentences] == ["D3", "D4", "D5", "D6"]
    assert state.prompt == "Roll the dice"
    assert goods(state, "blue") == ["D4", "D5", "D6"]


@rule("C1.3")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_begins_with_3_dollars_and_a_purple_share(players: int) -> None:
    state = drawn(players)
    assert state.scores() == [3] * players
    assert state.shares == [0, 0, 0, 0, 1] * players
    assert state.treasury == [0, 0, 0, 0, 0]


@rule("C1.4")
def test_a_company_has_20_shares_with_those_dealt() -> None:
    state = fresh(5)
    assert [state.for_sale(c) for c in range(5)] == [20, 20, 20, 20, 15]
    state = position("players 2 \n cash 9 9 \n red shares 9 9 \n purple shares 15 5")
    do(state, "roll RRRPP")
    assert legal(state, "buy") == ["buy red 1", "buy red 2"]
    assert state.why_not("buy red 3") == "C1.4: only 2 red shares can still be bought"
    assert state.why_not("buy purple 1") == "C1.4: no Credit Mobilier share can still be bought"


@rule("C1.4")
def test_with_the_option_shares_never_run_out() -> None:
    state = position(
        "players 2 \n cash 9 9 \n red treasury 9 shares 19 18 \n purple shares 15 5",
        fresh(2, certificates="unlimited"),
    )
    do(state, "roll RRPPP")
    assert legal(state, "buy") == [f"buy red {n}" for n in range(1, 6)] + [f"buy purple {n}" for n in range(1, 4)]
    assert state.why_not("buy purple 4") == "C2.3: the dice allow at most 3 Credit Mobilier shares"
    do(state, "buy red 5")
    assert (state.held[0], state.cash[0]) == (42, 4)


@rule("C1.4")
def test_the_option_is_part_of_the_game_and_its_default_is_what_the_board_has() -> None:
    title = cuberails.load("credit_mobilier")
    assert title.options == {"certificates": ("20", "unlimited")}
    assert fresh(2).options == {"certificates": "20"}
    more = title.read_board("more.toml", title.board.text.replace("shares = 20 ", "shares = 30 "))
    assert more.options == {"certificates": ("30", "unlimited")}
    assert more.new(2, {"certificates": "unlimited"}).options == {"certificates": "unlimited"}


@rule("C1.5")
def test_nobody_spends_money_that_is_not_there() -> None:
    state = do(position("players 2 \n cash 2 9"), "roll RRRRY")
    assert legal(state, "buy") == ["buy red 1", "buy red 2", "buy yellow 1"]
    assert state.why_not("buy red 3") == "C6.1: 3 red shares would cost $3, and $2 is in hand"


@rule("C1.5")
def test_a_railway_never_runs_out_of_track() -> None:
    state = position("players 2")
    while state.sites:
        do(state, "roll RPPPP")
        while state.actor != CHANCE:
            do(state, legal(state, "build")[0])
    assert state.track == [0] * 42


@rule("C1.6")
def test_seat_0_begins_and_turns_go_clockwise() -> None:
    state = drawn(3)
    seats = []
    for _ in range(4):
        do(state, "roll RYGBP")
        seats.append(state.actor)
        do(state, "buy purple 1")
    assert seats == [0, 1, 2, 0]


# C2


@rule("C2.1")
def test_252_rolls_with_their_exact_odds() -> None:
    state = drawn(2)
    assert state.actor == CHANCE
    ways = Counter("".join(sorted(dice, key="RYGBPO".index)) for dice in product("RYGBPO", repeat=5))
    odds = {str(action).split()[1]: chance for action, chance in state.chance_outcomes()}
    assert len(odds) == 252
    assert sum(ways.values()) == 7776
    assert dict(zip(odds, state.phase.weights(state), strict=True)) == ways
    assert odds["RRRRR"] == pytest.approx(float(Fraction(1, 7776)))
    assert odds["RYGBP"] == pytest.approx(float(Fraction(120, 7776)))


@rule("C2.1")
def test_a_roll_that_is_looked_up_has_the_same_odds() -> None:
    state = drawn(2)
    points = [(n + 0.5) / 7776 for n in range(7776)]
    found = Counter(state.phase.outcome(state, point) for point in points)
    assert [found[action] for action in state.legal_actions()] == state.phase.weights(state)


@rule("C2.1")
def test_a_turn_begins_with_a_roll() -> None:
    state = drawn(2)
    assert state.why_not("buy red 1") == "C2.1: a turn begins with a roll of the dice"
    assert tell(state, "roll RRGBP") == ["Ann rolls red, red, green, blue and purple"]
    assert state.why_not("roll RRGBP") == "C2.1: the dice are rolled only once a turn"
    assert state.why_not("draw red") == "C1.2: every square has got its pawn already"


@rule("C2.2")
def test_one_blue_two_greens_two_reds() -> None:
    """The rulebook's example: one blue track, or two green steps, or two red shares."""
    start = position("players 2 \n green goods A6 B6 track A6W B6W A5W \n red goods D6")
    do(start, "roll RRGGB")
    assert do(start.copy(), "build blue C6W").actor == CHANCE
    one_pawn = do(start.copy(), "move green A6 west", "move green A5 west")
    assert (goods(one_pawn, "green"), one_pawn.actor) == (["A4", "B6"], CHANCE)
    two_pawns = do(start.copy(), "move green A6 west", "move green B6 west")
    assert (goods(two_pawns, "green"), two_pawns.actor) == (["A5", "B5"], CHANCE)
    shares = do(start.copy(), "buy red 2")
    assert (shares.cash, shares.shares[0]) == ([1, 3], 2)


@rule("C2.2")
def test_a_color_that_was_not_rolled_cannot_be_chosen() -> None:
    state = do(drawn(2), "roll RRGBO")
    assert {str(action).split()[1] for action in state.legal_actions()} == {"red", "green", "blue"}
    assert state.why_not("buy yellow 1") == "C2.2: no die shows yellow"
    assert state.why_not("build yellow A6W") == "C2.2: no die shows yellow"
    assert state.why_not("pay purple 1") == "C2.2: no die shows purple"


@rule("C2.3")
def test_two_greens_are_one_kind_of_action() -> None:
    """Not one green track and one green share."""
    state = do(drawn(2), "roll YGGBB", "build green A6W")
    assert {str(action).split()[0] for action in state.legal_actions()} == {"build", "done"}
    assert state.why_not("buy green 1") == "C2.3: this turn is for building green track: go on with that or say done"
    assert (state.why_not("build blue A5W") or "").startswith("C2.3: ")
    assert (state.why_not("roll RRRRR") or "").startswith("C2.3: ")
    assert state.prompt == "Build green track once more, or done"


@rule("C2.3")
def test_fewer_actions_than_the_dice_allow() -> None:
    """Three green dice may buy one share; three pieces of track may be one."""
    state = do(drawn(2), "roll RYGGG")
    assert legal(state, "buy green") == ["buy green 1", "buy green 2", "buy green 3"]
    assert state.why_not("buy green 4") == "C2.3: the dice allow at most 3 green shares"
    do(state, "build green A6W")
    assert tell(state, "done") == ["Ann stops building"]
    assert state.track.count(-1) == 41
    assert state.prompt == "Roll the dice"


@rule("C2.4")
def test_nobody_may_pass() -> None:
    state = do(drawn(2), "roll RYGBP")
    assert "done" not in legal(state)
    assert state.why_not("done") == "C2.4: nobody may pass: act at least once"


@rule("C2.4")
def test_an_only_action_is_taken_by_itself() -> None:
    state = position("players 2 \n cash 1 3")
    sentences = tell(state, "roll PPPPP")
    assert len(sentences) == 2
    assert "buys 1 Credit Mobilier share for $1" in sentences[1]
    assert (state.actor, state.turn) == (CHANCE, 1)


@rule("C2.5")
def test_five_orange_lose_the_turn() -> None:
    state = position("players 2 \n purple treasury 9 \n red treasury 9 shares 1 1")
    assert tell(state, "roll OOOOO") == [
        "Ann rolls orange, orange, orange, orange and orange",
        "Ann can do nothing with these dice and loses the turn",
    ]
    assert (state.actor, state.turn, state.turns) == (CHANCE, 1, 2)


@rule("C2.5")
def test_a_turn_without_any_action_is_lost_again_and_again() -> None:
    full = " ".join(drawn(2).board.slots)
    state = position(f"players 2 \n cash 0 0 \n red track {full} goods D6 \n yellow goods coast 3 \n blue coast 1")
    for turn in range(1, 50):
        assert (state.turns, state.actor, len(legal(state))) == (turn, CHANCE, 252)
        do(state, "roll YYYYY")


@rule("C2.5")
def test_a_lost_turn_is_not_in_the_record() -> None:
    game = cuberails.Game(cuberails.load("credit_mobilier").board, ["Ann", "Bob"])
    rng = Random(5)
    while "draw" in str(game.state.legal_actions()[0]):
        game.apply(sample(game.state, rng))
    for text in ("roll OOOOO", "roll OOOOO", "roll PPPPO", "buy purple 1"):
        game.apply(game.state.parse(text))
    lines = game.to_text(comments=False).splitlines()
    assert lines[-4:] == ["roll OOOOO", "roll OOOOO", "roll PPPPO", "buy purple 1"]
    again = cuberails.read(game.to_text()).state
    assert again.scores() == [2, 3]


@rule("C2.6")
def test_the_turn_ends_by_itself_when_nothing_more_is_possible() -> None:
    state = position("players 2 \n red goods D6 \n blue goods A6 track A6W")
    do(state, "roll BBBBB", "move blue A6 west")
    assert (state.actor, state.turn) == (CHANCE, 1)


@rule("C2.6")
def test_the_turn_ends_after_the_last_action() -> None:
    state = do(drawn(2), "roll RRGGB", "build red A6W", "build red A5W")
    assert (state.actor, state.turn) == (CHANCE, 1)


# C3


@rule("C3.1")
def test_a_purple_may_be_red_green_or_blue() -> None:
    """The rulebook's example: two reds, a green, a blue and a purple."""
    state = do(position("players 2 \n cash 9 9"), "roll RRGBP")
    assert legal(state, "buy red") == ["buy red 1", "buy red 2", "buy red 3"]
    assert legal(state, "buy green") == ["buy green 1", "buy green 2"]
    assert legal(state, "buy blue") == ["buy blue 1", "buy blue 2"]
    assert state.why_not("buy yellow 1") == "C3.2: no die shows yellow, and purple cannot replace it"


@rule("C3.1")
def test_one_yellow_and_four_purple_are_five_yellow_actions() -> None:
    state = position("players 2 \n cash 9 9 \n yellow goods D6")
    do(state, "roll YPPPP")
    assert legal(state, "buy yellow") == [f"buy yellow {n}" for n in range(1, 6)]
    do(state, *[f"build yellow A{column}W" for column in (6, 5, 4, 3, 2)])
    assert state.actor == CHANCE
    assert treasury(state, "purple") == 10


@rule("C3.2")
def test_purple_is_never_orange_nor_a_color_that_was_not_rolled() -> None:
    state = position("players 2 \n cash 9 9 \n red treasury 9 shares 1 0 \n purple treasury 9")
    do(state, "roll RRPPP")
    assert legal(state, "pay") == []
    assert state.why_not("pay red 1") == "C7.1: no die shows orange, so no company pays dividends"
    assert (state.why_not("move blue D6 west") or "").startswith("C3.2: ")


@rule("C3.3")
def test_purple_buys_two_credit_mobilier_shares() -> None:
    """The rulebook's example: two purple, a red, a green and a yellow."""
    state = do(drawn(2), "roll RYGPP")
    assert legal(state, "buy purple") == ["buy purple 1", "buy purple 2"]
    assert tell(state, "buy purple 2") == ["Ann buys 2 Credit Mobilier shares for $2"]
    assert state.cash == [1, 3]


@rule("C3.3")
def test_a_purple_an_orange_and_three_red() -> None:
    """The rulebook's example: one round for the Credit Mobilier, or four rounds for red."""
    state = position("players 2 \n red treasury 90 shares 2 1 \n purple treasury 90")
    do(state, "roll RRRPO")
    assert legal(state, "pay") == ["pay red 1", "pay red 2", "pay red 3", "pay red 4", "pay purple 1"]


@rule("C3.3")
def test_the_credit_mobilier_builds_and_moves_nothing() -> None:
    state = do(position("players 2 \n cash 9 9 \n purple treasury 1"), "roll PPPOO")
    assert legal(state) == ["buy purple 1", "buy purple 2", "buy purple 3", "pay purple 1"]
    assert "there is no 'build purple A6W'" in (state.why_not("build purple A6W") or "")


@rule("C3.3")
def test_five_purple_buy_up_to_five_shares() -> None:
    state = do(position("players 2 \n cash 9 9 \n purple treasury 5"), "roll PPPPP")
    assert legal(state) == [f"buy purple {n}" for n in range(1, 6)]


@rule("C3.4")
def test_purple_is_not_split() -> None:
    state = do(position("players 2 \n cash 9 9"), "roll RRRPP", "build red A6W")
    assert (state.why_not("buy purple 1") or "").startswith("C2.3: ")
    assert state.prompt == "Build red track up to 4 times more, or done"


@rule("C3.5")
def test_orange_is_no_company() -> None:
    assert "there is no 'buy orange 1'" in (fresh(2).why_not("buy orange 1") or "")
    state = position("players 2 \n cash 9 9 \n red treasury 5 shares 1 0")
    assert legal(do(state.copy(), "roll RRRRY"), "pay") == []
    assert legal(do(state, "roll RRRRO"), "pay") == [f"pay red {n}" for n in range(1, 5)]


# C6


@rule("C6.1")
def test_three_reds_a_green_and_a_yellow() -> None:
    """The rulebook's example of what may be bought; the bank gets the money."""
    state = do(drawn(2), "roll RRRYG")
    assert legal(state, "buy") == ["buy red 1", "buy red 2", "buy red 3", "buy yellow 1", "buy green 1"]
    do(state, "buy red 3")
    assert state.cash == [0, 3]
    assert state.treasury == [0, 0, 0, 0, 0]
    assert state.shares[:5] == [3, 0, 0, 0, 1]
    assert state.for_sale(0) == 17


@rule("C6.2")
def test_shares_are_never_sold() -> None:
    """There is no such action, and in random games holdings only grow."""
    assert "sell" not in fresh(2).board.actions.words
    state, rng = drawn(3), Random(8)
    before = state.shares
    while state.actor is not None:
        state.play(pick(state, rng))
        assert all(new >= old for new, old in zip(state.shares, before, strict=True))
        before = state.shares


# C7


@rule("C7.1")
def test_dividends_need_orange_the_color_a_dollar_and_a_shareholder() -> None:
    state = position("players 2 \n red treasury 4 shares 1 0 \n yellow treasury 4 \n blue shares 1 1")
    do(state, "roll RYBPO")
    assert legal(state, "pay") == ["pay red 1", "pay red 2"]
    assert state.why_not("pay yellow 1") == "C7.1: nobody holds a share of Yellow"
    assert state.why_not("pay blue 1") == "C7.1: the treasury of Blue is empty"
    assert state.why_not("pay purple 1") == "C7.1: the treasury of Credit Mobilier is empty"
    assert state.why_not("pay green 1") == "C3.2: no die shows green, and purple cannot replace it"


@rule("C7.2")
@pytest.mark.parametrize(
    ("roll", "rounds"),
    [
        ("RRYPO", {"red": 3, "yellow": 2, "purple": 1}),
        ("RRYOO", {"red": 2, "yellow": 2}),
        ("RPPOO", {"red": 3, "purple": 2}),
        ("RRRPO", {"red": 4, "purple": 1}),
        ("ROOOO", {"red": 4}),
        ("POOOO", {"purple": 4}),
    ],
)
def test_the_most_rounds(roll: str, rounds: dict[str, int]) -> None:
    """The rulebook's examples, and the largest numbers there are."""
    state = position("players 2 \n red treasury 90 shares 3 1 \n yellow treasury 90 shares 0 1 \n purple treasury 90")
    do(state, f"roll {roll}")
    assert legal(state, "pay") == [f"pay {color} {n}" for color, most in rounds.items() for n in range(1, most + 1)]
    color, most = next(iter(rounds.items()))
    if most < 4:
        assert (state.why_not(f"pay {color} {most + 1}") or "").startswith("C7.2: the dice allow ")


@rule("C7.3", "C7.4")
def test_connie_randy_and_aaron() -> None:
    """The rulebook's long example: $4 for two shares of Connie and one of Aaron pay 3, 0 and 1."""
    state = position("players 3 \n cash 0 0 0 \n red treasury 4 shares 2 0 1")
    do(state, "roll RPPOO")
    assert legal(state, "pay") == ["pay red 1", "pay red 2"]  # the third round would find nothing
    assert do(state.copy(), "pay red 1").cash == [2, 0, 1]
    assert tell(state, "pay red 2", "Connie Randy Aaron") == [
        "Red pays 2 rounds of dividends: Connie $3, Aaron $1; its treasury is empty"
    ]
    assert state.cash == [3, 0, 1]
    assert treasury(state, "red") == 0


@rule("C7.3")
@pytest.mark.parametrize(
    ("money", "paid"),
    [(1, [0, 1, 0]), (2, [0, 1, 1]), (3, [1, 1, 1]), (4, [1, 2, 1]), (5, [2, 2, 1]), (6, [2, 3, 1]), (7, [3, 3, 1])],
)
def test_a_round_goes_by_first_second_and_third_share_from_the_seat_on_turn(money: int, paid: list[int]) -> None:
    state = position(f"players 3 \n turn 1 \n cash 0 0 0 \n red treasury {money} shares 3 3 1")
    do(state, "roll ROOOO", "pay red 1")
    assert state.cash == paid


@rule("C7.3")
def test_the_longest_holding_gets_the_last_dollars() -> None:
    state = position("players 2 \n cash 1 0 \n purple treasury 6 shares 1 5")
    do(state, "roll PPPPO", "pay purple 1")
    assert state.cash == [2, 5]


@rule("C7.4")
def test_a_round_that_would_find_an_empty_treasury_cannot_be_chosen() -> None:
    state = do(position("players 2 \n red treasury 6 shares 2 1"), "roll RRRRO")
    assert legal(state, "pay") == ["pay red 1", "pay red 2"]
    assert state.why_not("pay red 3") == "C7.4: the $6 of Red are gone after round 2, with 3 shares held"


# C8

LAST_STEPS = """
    players 2
    cash 5 5
    red goods A1 A1 track A6W A5W A4W A3W A2W A1W
    yellow coast 6 goods
    green goods B3
    blue goods C3 D3
"""


@rule("C8.1")
def test_the_game_ends_in_the_middle_of_an_action() -> None:
    state = do(position(LAST_STEPS), "roll RRRRY", "move red A1 west")
    assert state.actor == 0
    assert tell(state, "move red A1 west")[-1] == (
        "The game ends: goods of at most 2 colors are left outside the Pacific Coast (C8.1)"
    )
    assert (legal(state), state.prompt) == ([], "The game is over")
    assert treasury(state, "red") == 8  # the last step has earned its money
    assert state.why_not("roll RRRRR") == "C8.1: the game is over"
    with pytest.raises(IllegalAction, match=r"C8\.1"):
        state.apply(state.parse("done"))


@rule("C8.1")
def test_three_colors_outside_go_on() -> None:
    state = position("players 2 \n red goods A1 track A6W A5W A4W A3W A2W A1W \n green goods B3")
    do(state, "roll RRRRY", "move red A1 west")
    assert state.actor == CHANCE
    assert state.colors_out() == 3


@rule("C8.2")
def test_a_railway_whose_goods_have_arrived_goes_on() -> None:
    state = position("players 2 \n cash 5 5 \n yellow goods coast 6 treasury 5 shares 1 1")
    do(state, "roll YYYYO")
    assert {text.split()[0] for text in legal(state)} == {"build", "buy", "pay"}
    assert state.why_not("move yellow A1 west") == "C5.1: no yellow pawn stands in A1"


@rule("C8.3")
@pytest.mark.parametrize(
    ("cash", "red", "winners"),
    [("5 6 4", "9 0 9", [1]), ("6 6 4", "2 1 9", [0]), ("6 6 4", "1 1 9", [0, 1]), ("6 6 6", "1 2 2", [1, 2])],
)
def test_cash_decides_then_shares_then_the_win_is_shared(cash: str, red: str, winners: list[int]) -> None:
    state = position(f"players 3 \n cash {cash} \n red shares {red} treasury 50")
    assert state.winners() == winners
    assert state.scores() == [int(word) for word in cash.split()]


@rule("C8.4")
def test_only_drivers_stop_before_turn_2001() -> None:
    state = position("players 2")
    state.turns = 1999
    do(state, "roll OOOOO")
    assert (state.turns, state.too_long) == (2000, False)
    do(state, "roll OOOOO")
    assert (state.turns, state.too_long) == (2001, True)
    assert playout(state.copy(), Random(1)) == 0
    do(state, "roll RRRRR", "build red A6W")
    assert state.actor == 0


# All rules together


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_random_games_offer_what_a_plain_reading_of_the_rules_allows(players: int) -> None:
    rng = Random(players)
    for _ in range(4):
        state = fresh(players)
        roll = ""
        while state.actor is not None:
            if state.actor != CHANCE and legal(state)[-1] != "done":
                assert sorted(legal(state)) == sorted(plain_reading(state, roll))
            action = pick(state, rng)
            roll = str(action)[5:] if str(action).startswith("roll") else roll
            state.play(action)


def plain_reading(state: CreditMobilier, roll: str) -> list[str]:
    """Every first action of a turn, worked out slowly from what lies on the board."""
    texts: list[str] = []
    colors = dict(zip("RYGBP", state.board.colors, strict=False))
    for c, (letter, color) in enumerate(colors.items()):
        if letter not in roll:
            continue
        k = roll.count(letter) + (roll.count("P") if letter != "P" else 0)
        if letter != "P":
            texts += [f"build {color} {id}" for id in open_slots(state)]
            texts += [f"move {color} {step}" for id in set(goods(state, color)) for step in steps(state, id)]
        held = sum(state.shares[c::5])
        texts += [f"buy {color} {n}" for n in range(1, k + 1) if n <= state.cash[state.turn] and n <= 20 - held]
        if "O" in roll and held:
            most = max(k, roll.count("O"))
            texts += [f"pay {color} {n}" for n in range(1, most + 1) if (n - 1) * held < state.treasury[c]]
    return texts


def laid(state: CreditMobilier) -> set[str]:
    return {id for id, owner in zip(state.board.slots, state.track, strict=True) if owner >= 0}


def ends(slot: str) -> set[str]:
    """The squares at the ends of a slot."""
    row, column = slot[0], int(slot[1])
    if slot[2] == "S":
        return {f"{row}{column}", f"{chr(ord(row) + 1)}{column}"}
    return {f"{row}{column}"} | ({f"{row}{column - 1}"} if column > 1 else set())


def open_slots(state: CreditMobilier) -> list[str]:
    squares = {"A6", "B6", "C6", "D6"} | {square for slot in laid(state) for square in ends(slot)}
    return [slot for slot in state.board.slots if slot not in laid(state) and ends(slot) & squares]


def steps(state: CreditMobilier, square: str) -> list[str]:
    above = chr(ord(square[0]) - 1) + square[1]
    ways = {f"{square}W": "west", f"{above}S": "north", f"{square}S": "south"}
    return [f"{square} {way}" for slot, way in ways.items() if slot in laid(state)]
