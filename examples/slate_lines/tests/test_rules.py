"""The rules of Slate Lines, each shown by a test that cites it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import cuberails
from slate_lines import title
from slate_lines.board import SlateBoard
from slate_lines.state import Slate

rule = pytest.mark.rule
BOARD = title.board
assert isinstance(BOARD, SlateBoard)
GRID = BOARD.grid


def start(*actions: str, players: int = 3, rules_version: int = 0, **options: str) -> Slate:
    """A game in which these actions were played."""
    state = title.new(players, options, rules_version=rules_version)
    assert isinstance(state, Slate)
    for action in actions:
        state.apply(action)
    return state


FIRST = ("bid 8", "pass", "pass", "bid 6", "pass", "pass", "pass", "bid 5", "pass")
"""Seat 0 takes North for 8 and South for 6, seat 1 takes East for 5: they have $10, $19 and $24."""


# T1 Setting up


@rule("T1.1")
@pytest.mark.parametrize(("players", "money"), [(2, 36), (3, 24), (4, 18)])
def test_the_money_is_shared(players: int, money: int) -> None:
    assert start(players=players).cash == [money] * players


@rule("T1.2")
def test_tramways_begin_in_their_harbours() -> None:
    state = start()
    assert [GRID.ids[n] for track in state.track for n in GRID.hexes(track)] == ["C1", "F4", "E7"]
    assert (state.income, state.unsold, state.cubes, state.treasury) == ([2] * 3, [4] * 3, [8] * 3, [0] * 3)


@rule("T1.3", "T2.3")
def test_the_first_auctions() -> None:
    state = start("bid 8", "pass", "pass")
    assert state.cash == [16, 24, 24]
    assert (state.treasury, state.unsold) == ([8, 0, 0], [3, 4, 4])
    assert (state.actor, state.prompt) == (0, "Bid $3 or more for South, or pass")
    state.apply("pass")
    state.apply("bid 5")
    state.apply("pass")
    assert (state.actor, state.prompt) == (1, "Bid $3 or more for East, or pass")


# T2 Auctions


@rule("T2.1")
def test_bids_rise_and_who_passes_is_out() -> None:
    state = start("bid 8", "bid 10")
    assert state.why_not("bid 10") == "T2.1: the highest bid is $10, so the next is at least $11"
    assert state.why_not("offer North") == "T2.1: an auction is under way: bid or pass"
    state.apply("pass")
    state.apply("bid 11")
    assert state.actor == 1


@rule("T2.2")
def test_the_first_bid_and_the_last_dollar() -> None:
    state = start()
    assert state.why_not("bid 2") == "T2.2: the minimum bid is $3"
    assert state.why_not("bid 24") is None
    assert state.why_not("bid 25") == "T2.2: $25 is more than the $24 in hand"


@rule("T1.3", "T2.4")
def test_a_share_that_nobody_wants_stays_unsold() -> None:
    state = start("pass", "pass")
    events = [event.say(["Ann", "Bob", "Cy"]) for event in state.apply("pass")]
    assert events == ["Cy passes on North", "Nobody bids; the share of North stays unsold"]
    assert (state.unsold, state.actor) == ([4, 4, 4], 0)


# T3 The turn


@rule("T3.1", "T5.1")
def test_a_turn_is_one_of_three_things() -> None:
    state = start(*FIRST)
    assert state.actor == 0
    assert [str(action) for action in state.legal_actions()] == [
        *("offer North", "offer South", "offer East"),
        *("extend North", "extend South"),
        "pass",
    ]
    assert state.why_not("build C2") == "T3.1: a turn is to offer a share, to extend a tramway, or to pass"
    state.apply("pass")
    assert state.actor == 1


@rule("T3.2")
def test_who_offers_a_share_bids_first() -> None:
    state = start(*FIRST, "pass", "offer East")
    assert (state.actor, state.prompt) == (1, "Bid $3 or more for East, or pass")


@rule("T3.2")
def test_who_has_too_little_cash_offers_nothing() -> None:
    state = start("bid 22", "pass", "pass", "bid 3", "pass", "bid 3", "pass")
    assert (state.actor, state.cash[0]) == (0, 2)
    assert state.why_not("offer South") == "T3.2: who offers a share needs $3 to bid first, and has $2"


@rule("T3.2")
def test_a_share_that_is_sold_is_not_offered() -> None:
    state = start(*FIRST)
    state.unsold = [0, 4, 4]
    state.settle()
    assert state.why_not("offer North") == "T3.2: every share of North is sold"


@rule("T3.3")
def test_only_shareholders_extend() -> None:
    state = start(*FIRST)
    assert state.why_not("extend East") == "T3.3: only a shareholder of East can extend it"
    state.treasury = [0, 6, 5]
    state.settle()
    assert state.why_not("extend North") == "T3.3: North has $0, too little for any hex that it can reach"


# T4 Building


@rule("T4.1")
def test_an_extension_builds_once_or_twice() -> None:
    state = start(*FIRST, "extend North")
    assert state.why_not("done") == "T4.1: a tramway that is extended builds at least once"
    assert state.why_not("pass") == "T4.1: North is being extended: build, or say done"
    state.apply("build C2")
    assert state.why_not("done") is None
    state.apply("build B2")
    assert (state.actor, state.cubes) == (1, [6, 8, 8])


@rule("T4.1")
def test_without_cubes_nothing_is_built() -> None:
    state = start(*FIRST)
    state.cubes = [0, 8, 8]
    state.settle()
    assert state.why_not("extend North") == "T4.1: North has no cube left"


@rule("T4.2")
def test_track_is_built_next_to_track() -> None:
    state = start(*FIRST, "extend North")
    assert state.why_not("build A2") == "T4.2: A2 Old Grey is not next to a cube of North"
    assert state.why_not("build C1") == "T4.2: North is in C1 Saltby already"
    assert state.why_not("build F4") == "T4.2: F4 Gull Bay is a harbour, closed to other tramways"


@rule("T4.3")
def test_a_hex_costs_a_dollar_more_for_each_tramway_in_it_which_gets_that_dollar() -> None:
    state = start(*FIRST, "extend South", "build E5", "done")
    assert state.treasury == [8, 4, 5]
    state.apply("extend East")
    state.apply("build E6")
    assert state.build_cost(2, GRID.index["E5"]) == 3
    state.apply("build E5")
    assert state.treasury == [8, 5, 1]


@rule("T4.3")
def test_no_tramway_owes_money() -> None:
    state = start(*FIRST, "pass", "extend East")
    state.treasury = [8, 6, 1]
    state.settle()
    assert state.why_not("build D7") == "T4.3: D7 costs $2; East has $1"


@rule("T4.4")
def test_places_raise_the_income() -> None:
    state = start(*FIRST, "extend South", "build E5")
    assert state.income == [2, 3, 2]
    state.apply("build E4")
    assert state.income == [2, 3, 2]


@rule("T4.5")
def test_a_die_decides_what_a_quarry_earns() -> None:
    state = start(*FIRST, "extend North", "build C2", "build B2", "pass", "pass", "extend North", "build A2")
    assert (state.actor, state.prompt) == (cuberails.CHANCE, "Roll for the slate in A2 Old Grey")
    assert {str(action): round(6 * odds) for action, odds in state.chance_outcomes()} == {
        "seam 2": 1,
        "seam 3": 1,
        "seam 4": 2,
        "seam 5": 1,
        "seam 6": 1,
    }
    assert state.why_not("pass") == "T4.5: the die decides first how much slate there is"
    events = state.apply("seam 4")
    assert events[0].say([]) == "A seam of 4 in A2 Old Grey; North income 2 → 6"
    assert (state.actor, state.income) == (0, [6, 2, 2])


@rule("T4.5")
def test_even_seams_need_no_die() -> None:
    before = (*FIRST, "extend North", "build C2", "build B2", "pass", "pass", "extend North")
    state = start(*before, "build A2", seams="even")
    assert (state.actor, state.income) == (0, [6, 2, 2])


@rule("T4.5")
def test_a_quarry_has_room_for_one() -> None:
    state = start(*FIRST, "pass", "extend East", "build D7", "done")
    quarry = GRID.index["C7"]
    state.track = [state.track[0] | GRID.bit[quarry], *state.track[1:]]
    state.treasury = [8, 6, 9]
    for action in ("pass", "pass", "extend East"):
        state.apply(action)
    assert state.why_not("build C7") == "T4.5: C7 Seam End is a quarry, and North is there already"


# T5 The season, T6 The end


@rule("T5.1", "T5.2", "T5.3")
@pytest.mark.parametrize(("version", "per_share"), [(1, 1), (2, 2)])
def test_a_season_ends_with_a_dividend(version: int, per_share: int) -> None:
    auction = ("offer North", "bid 3", "pass", "pass")
    state = start(*FIRST, *auction, *["pass"] * 4, rules_version=version)
    state.income = [3, 2, 2]
    said = [event.say(["Ann", "Bob", "Cy"]) for event in state.apply("pass")]
    assert said == [
        "Cy passes",
        "Season 1 ends",
        f"Dividend: North pays ${per_share} a share: Ann ${2 * per_share}",
        "Dividend: South pays $2 a share: Ann $2",
        "Dividend: East pays $2 a share: Bob $2",
    ]
    assert (state.season, state.actor) == (2, 0)


@rule("T5.3")
def test_a_tramway_without_shareholders_pays_nothing() -> None:
    state = start(*["pass"] * 9, *["pass"] * 6)
    assert (state.season, state.cash) == (2, [24] * 3)


@rule("T6.1", "T6.2")
def test_the_game_ends_after_the_last_season() -> None:
    state = start(*FIRST, *["pass"] * 23)
    assert "The game ends: season 4 was the last (T6.1)" in [event.say("ABC") for event in state.apply("pass")]
    assert state.actor is None
    assert state.scores() == state.cash == [10 + 4 * 4, 19 + 4 * 2, 24]
    assert state.winners() == [1]


# The rulebook


def test_every_rule_is_shown_and_every_number_that_is_cited_exists() -> None:
    rules = set(title.rulebook.rules)
    tree = ast.parse(Path(__file__).read_text("utf-8"))
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and ast.unparse(node.func) == "rule"]
    assert {ast.literal_eval(number) for call in calls for number in call.args} == rules
    code = "".join(title.read(f"{room}.py") for room in ("board", "state", "rules", "scene", "judge"))
    assert set(re.findall(r"\bT\d+\.\d+\b", code)) <= rules


def test_the_numbers_of_the_rules_are_those_of_the_board() -> None:
    rules, board = title.rulebook.rules, start().board
    shared = [f"${board.money // players}" for players in (2, 3, 4)]
    words = ["", "once", "twice"]
    claims = {
        "T1.1": [f"share ${board.money} equally: {shared[0]}, {shared[1]} or {shared[2]} each"],
        "T1.2": [f"income of {income}:" for income in board.start_income]
        + [f"{name} in {board.names[start]}" for name, start in zip(board.tramways, board.start, strict=True)]
        + [f"{board.shares} shares, {board.cubes - 1} more cubes"],
        "T2.2": [f"at least ${board.least_bid}."],
        "T4.1": [f"builds once or {words[board.builds]}"],
        "T4.5": [f"faces {', '.join(map(str, board.faces))} is rolled", f"raises it by {board.even}."],
        "T5.2": [f"every seat has had {['', 'one', 'two'][board.turns]} turns", ", ".join(board.tramways)],
        "T6.1": [f"{['', 'first', 'second', 'third', 'fourth'][board.seasons]} season"],
    }
    for number, phrases in claims.items():
        assert [phrase for phrase in phrases if phrase not in rules[number]] == [], number
