"""Baltimore & Ohio rule by rule. Trading and business are apart. Each test cites the rules of rules.md."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from cuberails.core.playout import pick, playout
from cuberails.core.state import CHANCE, IllegalAction
from cuberails.titles.baltimore_ohio.business import timber_hex
from cuberails.titles.baltimore_ohio.rules import MarketTurn
from tests.titles.baltimore_ohio.account import check
from tests.titles.baltimore_ohio.position import do, fresh, legal, opened, position, rr, tell

rule = pytest.mark.rule


# B1


@rule("B1.1")
@pytest.mark.parametrize(("players", "money"), [(3, 500), (4, 375), (5, 300), (6, 250)])
def test_money_at_the_start(players: int, money: int) -> None:
    assert fresh(players).scores() == [money] * players


@rule("B1.1")
def test_nobody_spends_money_that_is_not_there() -> None:
    state = opened(6)
    assert "start PA 4 at 60" in legal(state)
    assert state.why_not("start PA 5 at 60") == "B6.3: 5 shares cost $300 and you have $250"


@rule("B1.2")
def test_ten_railroads() -> None:
    board = opened().board
    homes = {
        name: (board.names[board.start_hex[n]], board.cubes[n], board.from_tech[n])
        for n, name in enumerate(board.railroads)
    }
    assert homes == {
        "B&O": ("Baltimore", 20, 1),
        "C&O": ("Richmond", 24, 1),
        "NYC": ("Albany", 22, 1),
        "PA": ("Philadelphia", 18, 1),
        "NYNH&H": ("Hartford", 6, 1),
        "B&M": ("Boston", 8, 1),
        "ERIE": ("Buffalo", 16, 3),
        "IC": ("Saint Louis", 14, 3),
        "WABASH": ("Fort Wayne", 10, 3),
        "NYC&SL": ("Chicago", 12, 3),
    }
    state = do(opened(), "start NYNH&H 1 at 55")
    assert state.cubes[rr("NYNH&H")] == 4  # of six one marks the net income and one is in Hartford
    assert state.held[rr("NYNH&H")] == 9


@rule("B1.3")
def test_the_equipment_deck() -> None:
    state = opened()
    board = state.board
    assert len(board.card_cost) == 30
    for tech in range(1, 7):
        first = 80 + 10 * tech * (tech + 1)
        prices = [cost for cost, level in zip(board.card_cost, board.card_tech, strict=True) if level == tech]
        assert prices == [first - 5 * tech * n for n in range(5)]
    assert (board.card_cost[6], board.card_tech[6]) == (130, 2)  # card #7
    assert (state.tech, state.deck) == (1, 0)


@rule("B1.4")
@pytest.mark.parametrize("hex", ["A30", "B29"])
def test_counters_at_the_start(hex: str) -> None:
    state = fresh(3, timber_hex=hex)
    ids = state.board.grid.ids
    assert [ids[n] for n in state.board.grid.hexes(state.coal_left)] == ["G18", "H17", "I16", "J15", "K14"]
    assert (state.timber, ids[timber_hex(state)]) == (-1, hex)


@rule("B1.4")
def test_the_timber_can_lie_in_b29() -> None:
    text = "players 3 \n business 1 \n B&M value 66 shares 3 0 0 treasury 100 equipment 1 track C28 B29"
    assert "take timber" in legal(position(text, timber_hex="B29"))
    assert position(text).why_not("take timber") == "B12.1: B&M has no track in A30 Augusta"


@rule("B1.5")
@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_every_player_order_is_equally_likely(players: int) -> None:
    state = fresh(players)
    assert state.actor == CHANCE
    orders = ["order " + " ".join(str(seat) for seat in seats) for seats in permutations(range(players))]
    outcomes = state.chance_outcomes()
    assert [str(action) for action, _ in outcomes] == orders
    assert {odds for _, odds in outcomes} == {1 / len(orders)}
    assert state.winners() == list(range(players))  # nothing breaks the tie yet


@rule("B1.5")
def test_card_1_acts_first_and_wins_ties() -> None:
    state = fresh(3)
    assert state.why_not("order 0 1 2 3") == "B1.5: an order names each of the 3 seats once"
    assert state.why_not("pass") == "B1.5: the player-order cards are dealt first"
    assert tell(state, "order 2 0 1")[0] == "Player order: Cy, Ann, Bob"
    assert (state.actor, state.winners()) == (2, [2])
    assert (state.why_not("order 0 1 2") or "").startswith("B1.5: ")
    do(state, "pass")
    assert state.actor == 0


# B2


@rule("B2.1")
def test_a_set_is_a_market_round_and_two_business_rounds() -> None:
    state = do(opened(), "start B&O 4 at 55", "pass", "pass")
    assert (state.actor, state.round.business, state.round.sets) == (0, 0, 1)
    said = tell(state, "pass")
    assert said == ["Ann passes", "Business Round 1 begins"]
    do(state, "purchase", "build G22", "pay")
    assert state.round.business == 2
    said = tell(state, "done", "pay")
    assert said[-2:] == ["New player order: Ann, Bob, Cy", "Market Round 2 begins"]
    assert (state.round.business, state.round.sets) == (0, 2)


@rule("B2.2")
def test_the_least_cash_goes_first_and_ties_keep_their_order() -> None:
    state = position(
        """
        players 4
        order 3 1 0 2
        cash 500 200 500 900
        business 2
        B&O value 66 shares 1 0 0 0 treasury 0 equipment 1 track G22
        """
    )
    do(state, "done", "retain")
    assert state.round.order == [1, 0, 2, 3]
    assert state.actor == 1
    state = position(
        "players 4 \n order 3 2 0 1 \n cash 50 20 50 20 \n business 2 \n B&O value 66 shares 1 equipment 1"
    )
    do(state, "done", "retain")
    assert state.round.order == [3, 1, 2, 0]


@rule("B2.3")
def test_without_a_railroad_business_is_empty() -> None:
    state = opened()
    said = tell(state, "pass", "pass", "pass")
    assert said[-2:] == ["New player order: Ann, Bob, Cy", "Market Round 2 begins"]
    assert (state.actor, state.round.sets) == (0, 2)


@rule("B2.3")
def test_the_game_is_over_if_nobody_can_start_a_railroad() -> None:
    state = position("players 3 \n cash 54 54 55")
    assert state.actor == 2  # the others can only pass
    said = tell(state, "start B&O 1 at 55", "done")
    assert "Cy returns a share of B&O" in said
    assert said[-1] == "The game ends: no railroad is running and nobody can start one (B2.3)"
    assert state.actor is None
    assert state.scores() == [54, 54, 0]
    assert state.winners() == [0]
    assert state.why_not("pass") == "B2.3: the game is over"


@rule("B2.3")
def test_a_restart_at_50_can_keep_the_game_alive() -> None:
    text = "players 3 \n cash 50 10 10 \n B&O track G22"
    assert position(text).actor is None
    assert legal(position(text, restart="50")) == ["pass", "start B&O 1 at 50"]


# B16


@rule("B16.1")
def test_tech_6_ends_the_game_after_the_second_business_round() -> None:
    text = "players 3 \n deck 25 \n business {} \n B&O value 66 shares 3 0 0 treasury 500 equipment 5 track F25"
    state = position(text.format(1))
    do(state, "purchase", "pay")
    assert (state.actor, state.round.business, state.tech) == (0, 2, 6)
    said = tell(state, "done", "pay")
    assert said[-2:] == ["New player order: Bob, Cy, Ann", "The game ends: technology level 6 is reached (B16.1)"]
    assert (state.actor, state.legal_actions()) == (None, [])


@rule("B16.1")
def test_a_share_at_375_ends_the_game_if_it_stands_there_then() -> None:
    text = "players 3 \n business 2 \n B&O value {} shares 3 0 0 treasury 15 equipment 1 net {}"
    said = tell(position(text.format(341, 0)), "done", "pay")
    assert said[-1] == "The game ends: a railroad is valued at $375 (B16.1)"
    state = do(position(text.format(375, 50)), "done", "pay")  # falls to 341
    assert state.actor is not None
    state = do(position(text.format(375, 50).replace("business 2", "business 1")), "done", "pay")
    assert state.round.business == 2


@rule("B16.2")
def test_the_score_is_cash_and_shares() -> None:
    state = position(
        "players 3 \n cash 10 20 30 \n B&O value 74 shares 3 2 0 orphans 2 treasury 999 \n PA value 34 shares 1 0 0"
    )
    assert state.scores() == [10 + 222 + 34, 20 + 148, 30]


@rule("B16.3")
@pytest.mark.parametrize(("order", "winner"), [("0 1 2", 1), ("2 1 0", 2), ("0 2 1", 2)])
def test_the_lower_card_wins_a_tie(order: str, winner: int) -> None:
    state = position(f"players 3 \n order {order} \n cash 100 200 200")
    assert state.winners() == [winner]


@rule("B16.4")
def test_the_state_never_ends_by_its_length_but_simulations_stop() -> None:
    state = opened()
    for _ in range(99):
        do(state, "pass", "pass", "pass")
    assert (state.round.sets, state.too_long) == (100, False)
    do(state, "pass", "pass", "pass")
    assert (state.round.sets, state.too_long, state.actor) == (101, True, 0)
    before = state.legal_actions()
    assert playout(state, Random(1)) == 0
    assert state.legal_actions() == before
    do(state, "start B&O 3 at 60")


# The whole game


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_random_games_end_by_themselves(players: int) -> None:
    """125 of each number of players, 500 in all; none needs the limit of simulations."""
    start = fresh(players)
    rng = Random(players)
    for _ in range(125):
        state = start.copy()
        playout(state, rng)
        assert state.actor is None
        assert state.round.sets <= 100


@pytest.mark.parametrize(
    "option",
    [{"timber_hex": "B29"}, {"tech1_city_limit": "1"}, {"restart": "50"}, {"sale_drop": "round"}, {"losses": "paid"}],
)
def test_games_with_each_option_keep_their_accounts(option: dict[str, str]) -> None:
    rng = Random(str(option))
    for players in (3, 6):
        state = fresh(players, **option)
        while state.actor is not None:
            state.play(pick(state, rng))
            check(state)


def test_only_legal_actions_are_carried_out() -> None:
    state = opened()
    with pytest.raises(IllegalAction, match=r"^sell B&O 1 is not legal now. B5.1"):
        do(state, "sell B&O 1")
    assert isinstance(state.phase, MarketTurn)
