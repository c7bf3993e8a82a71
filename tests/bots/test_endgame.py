"""The end is searched to the end: positions near it with a known answer, one or more of each title."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from random import Random

import pytest

import cuberails
from cuberails.bots import advice, advise, make
from cuberails.bots.endgame import Endgame, Outcome, Positions, decisions_left, final
from cuberails.bots.players import EXPERT, SearchBot
from cuberails.bots.search import Search, SearchConfig
from cuberails.core.playout import after, pick
from cuberails.core.state import CHANCE, NOBODY, State
from cuberails.titles import judge_for


@pytest.fixture(autouse=True)
def no_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hints take as long as they need, also on a busy machine: only the number of nodes ends their search."""
    monkeypatch.setattr(advice, "EXPERT", replace(EXPERT, seconds=inf))


def patient(level: str, seed: int) -> SearchBot:
    """A bot of a level, without its limit in seconds."""
    bot = make(level, seed)
    assert isinstance(bot, SearchBot)
    bot.config = replace(bot.config, seconds=inf)
    return bot


RECORDS = Path(__file__).parents[1] / "records"


def recorded(name: str, back: int) -> State:
    """A recorded game so many actions before its end."""
    game = cuberails.read((RECORDS / f"{name}.txt").read_text())
    return game.at(len(game.steps) - back).copy()


def played(key: str, seed: int, count: int) -> State:
    """A game of three random players after so many actions."""
    state, rng = cuberails.new(key, 3), Random(seed)
    for _ in range(count):
        state.play(pick(state, rng))
    return state


def last_colour() -> State:
    """GM&O: the railroad of the sixth colour is being built. Its president gets two points more."""
    state = recorded("gmo/4-players-greedy", 2)
    seat = state.phase.actor
    state.points = [points + 2 * (n == seat) for n, points in enumerate(state.points)]  # type: ignore[attr-defined]
    return state


def last_charter() -> State:
    """GM&O: the charter that brings the sixth colour is sold. After it cash is worth nothing."""
    state = recorded("gmo/4-players-greedy", 5)
    seat = state.phase.actor
    state.points = [points + 3 * (n == seat) for n, points in enumerate(state.points)]  # type: ignore[attr-defined]
    return state


def last_service() -> State:
    """B&O: the last railroad of the last set. Its president gets $950 more: each dollar counts."""
    state = recorded("baltimore_ohio/4-players-greedy", 2)
    seat = state.phase.actor
    state.cash = [cash + 950 * (n == seat) for n, cash in enumerate(state.cash)]  # type: ignore[attr-defined]
    return state


@dataclass(frozen=True)
class Known:
    """A position, the only good actions there, the share of the win that they bring, and the best of all others."""

    state: State
    best: set[str]
    share: float
    others: float


def known(name: str) -> Known:
    """The positions with a known answer."""
    if name == "wabash: who sells the last share of the round ends the game, and must not buy it":
        return Known(played("wabash", 56, 117), {"pass"}, 1.0, 0.0)
    if name == "wabash: the third build of the last expansion decides":
        return Known(played("wabash", 15, 161), {"build K4"}, 1.0, 0.0)
    if name == "gmo: the last build wins alone, or only shares the win":
        return Known(last_colour(), {"build F13", "build G15"}, 1.0, 0.5)
    if name == "gmo: the last charter wins at any price":
        return Known(last_charter(), {f"bid {amount}" for amount in range(14, 25)}, 1.0, 0.0)
    if name == "southern_rails: one cube before the fourth scoring":
        return Known(played("southern_rails", 34, 78), {"place yellow H6", "place yellow K6"}, 1.0, 0.0)
    if name == "southern_rails: who cannot win alone shares the win":
        state = recorded("southern_rails/3-players-nobody-can-place", 3)
        red = {action.text for action in state.legal_actions() if action.text.startswith("place red")}
        return Known(state, red - {"place red D8"} | {"place yellow F12", "place yellow G13"}, 0.5, 0.0)
    if name == "baltimore_ohio: the last railroad of the last set must serve its best cities":
        return Known(last_service(), {"serve F25", "serve best"}, 1.0, 0.0)
    assert name == "credit_mobilier: one pawn to go"
    return Known(recorded("credit_mobilier/3-players-random", 3), {"move red D1 west"}, 1.0, 0.0)


NAMES = [
    "wabash: who sells the last share of the round ends the game, and must not buy it",
    "wabash: the third build of the last expansion decides",
    "gmo: the last build wins alone, or only shares the win",
    "gmo: the last charter wins at any price",
    "southern_rails: one cube before the fourth scoring",
    "southern_rails: who cannot win alone shares the win",
    "baltimore_ohio: the last railroad of the last set must serve its best cities",
    "credit_mobilier: one pawn to go",
]


def by_brute_force(state: State, memory: dict[object, list[float]]) -> list[float]:
    """Each seat's share of the win if every seat takes what is best for it, then for its lead. Nothing is left out."""
    if state.phase.actor == NOBODY:
        scores = state.scores()
        leads = [score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores)]
        return [share + lead / 1e6 for share, lead in zip(state.win_shares(), leads, strict=True)]
    assert state.phase.actor != CHANCE
    key = Positions(state).key(state)
    if key not in memory:
        found = [by_brute_force(after(state, action), memory) for action in state.legal_actions()]
        memory[key] = max(found, key=lambda each: each[state.phase.actor])
    return memory[key]


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("credit", "wabash: the third"))])
def test_the_answer_is_right(name: str) -> None:
    """By a search of all that can follow."""
    case, memory = known(name), dict[object, list[float]]()
    seat = case.state.phase.actor
    found = {a.text: by_brute_force(after(case.state, a), memory)[seat] for a in case.state.legal_actions()}
    assert {text for text, worth in found.items() if round(worth, 3) == case.share} == case.best
    assert round(max(worth for text, worth in found.items() if text not in case.best), 3) == case.others


def test_with_one_pawn_to_go_moving_it_ends_the_game_with_the_most_cash() -> None:
    """Credit Mobilier: two colours are left outside the coast then [C8.1]; otherwise it goes on."""
    case = known("credit_mobilier: one pawn to go")
    seat = case.state.phase.actor
    for action in case.state.legal_actions():
        there = after(case.state, action)
        if action.text in case.best:
            while there.phase.actor == seat:
                there.play(there.legal_actions()[0])
            assert there.actor is None
            assert there.winners() == [seat]
        else:
            assert there.actor is not None


LONG = "wabash: the third build of the last expansion decides"
"""Too much for the few nodes of easy."""


@pytest.mark.parametrize(
    ("name", "level"),
    [(name, level) for name in NAMES for level in ("easy", "medium", "hard") if (name, level) != (LONG, "easy")],
)
def test_every_level_takes_it(name: str, level: str) -> None:
    case = known(name)
    assert {patient(level, seed).choose(case.state).text for seed in range(2)} <= case.best


@pytest.mark.parametrize("name", NAMES)
def test_a_hint_names_it_with_the_exact_chance_and_says_how_it_ends(name: str) -> None:
    case = known(name)
    seat = case.state.phase.actor
    first, *others = advise(case.state)
    assert first.action in case.best
    assert first.chances[seat] == case.share
    assert sum(first.chances) == pytest.approx(1)
    assert first.why.startswith("searched to the end: you " + ("win" if case.share == 1.0 else "share the win"))
    for idea in others:
        assert (idea.action in case.best) == (idea.chances[seat] == case.share)
        assert idea.chances[seat] > 0.0, "what loses by force is not advised where something else does not"
    if not name.startswith("credit"):
        worse = [idea for idea in others if idea.action not in case.best]
        assert all(idea.chances[seat] <= case.others for idea in worse)


def before_the_last_expansion() -> tuple[State, set[str]]:
    """Wabash: too far from the end for few nodes, but whoever does one of these things has lost."""
    return played("wabash", 15, 160), {"capitalize NYC", "capitalize nothing"}


def test_what_loses_by_force_is_known_where_the_rest_is_too_long() -> None:
    state, losing = before_the_last_expansion()
    end = Endgame(state, 600, inf)
    assert end.solve(state, 4) == []
    assert {action.text for action in end.losing} == losing
    for action in end.losing:
        assert by_brute_force(after(state, action), {})[state.phase.actor] < 0.5


@pytest.mark.parametrize("seed", range(3))
def test_what_loses_by_force_is_not_searched_where_something_else_can_be_done(seed: int) -> None:
    state, losing = before_the_last_expansion()
    root = Search(judge_for(state.board), SearchConfig(simulations=3), Random(seed)).think(state)
    assert not root.results
    found = {action.text for action in root.actions}
    assert "expand C&O" in found  # which wins
    assert not found & losing


def test_if_all_that_was_to_be_searched_loses_the_other_actions_are() -> None:
    """Of many bids only some are candidates."""
    state = cuberails.new("wabash", 3)
    search = Search(judge_for(state.board), SearchConfig(simulations=3), Random(1))
    root = search.think(state)
    some, everything = set(root.actions), set(state.legal_actions())
    assert some < everything
    search._leave_out(root, everything)
    assert set(root.actions) == some  # all lose: they are as good as each other
    search._leave_out(root, some)
    assert set(root.actions) == everything - some
    assert len(root.rounds) == len(root.children) == len(root.actions)


def test_a_lost_game_is_still_played_well() -> None:
    """GM&O: who builds the last railroad cannot win; two cubes lose by a point, all others by two."""
    state = recorded("gmo/4-players-greedy", 2)
    seat, memory = state.phase.actor, dict[object, list[float]]()
    worth = {a.text: round(1e6 * by_brute_force(after(state, a), memory)[seat]) for a in state.legal_actions()}
    best = {"build F13": -1, "build G15": -1}
    assert {text: lead for text, lead in worth.items() if lead > -2} == best
    assert patient("medium", 1).choose(state).text in best
    assert advise(state)[0].why.startswith("searched to the end: you lose by 1 point, as with build ")


def test_money_that_will_be_worth_nothing_is_spent() -> None:
    """GM&O: in the last build of the game a president goes on while a cube brings a point [G10.3]."""
    state = recorded("gmo/5-players-greedy", 4)
    seat = state.phase.actor
    bots = [patient("medium", number) for number in range(5)]
    while state.actor is not None:
        assert state.phase.actor == seat
        state.play(bots[seat].choose(state))
    memory: dict[object, list[float]] = {}
    most = by_brute_force(recorded("gmo/5-players-greedy", 4), memory)[seat]
    assert final(state).margins[seat] == round((most - 1.0) * 1e6)


def test_far_from_the_end_nothing_is_searched_to_it() -> None:
    for key in cuberails.TITLES:
        state, rng = cuberails.new(key, 3), Random(1)
        while state.actor == CHANCE:
            state.play(pick(state, rng))
        assert decisions_left(state, rng) == 0


def test_a_long_auction_is_too_deep_and_not_an_error() -> None:
    """With bids dollar by dollar, thousands of decisions can be left."""
    state = known(NAMES[0]).state
    state.cash = [3000, 3000, 3000]  # type: ignore[attr-defined]
    auction = after(state, state.legal_actions()[0])
    assert Endgame(auction, 3000, inf).solve(auction, 4) == []


def test_without_enough_nodes_nothing_is_claimed() -> None:
    state = known(NAMES[0]).state
    assert Endgame(state, 40, inf).solve(state, 4) == []


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_positions_are_told_apart_by_all_that_matters(key: str) -> None:
    """A position is itself again after a detour by a copy, and no other position of the game is."""
    state, rng, seen = cuberails.new(key, 3), Random(4), set()
    positions = Positions(state)
    for count in range(60):
        if state.actor is None:
            break
        assert positions.key(state) == positions.key(state.copy())
        assert positions.changes(state, state.copy()) == 0
        seen.add(positions.key(state))
        before = state.copy()
        state.play(pick(state, rng))
        assert positions.key(before) != positions.key(state)
        assert len(seen) == count + 1


def test_of_what_is_equal_to_others_the_worst_is_expected() -> None:
    """Nobody relies on the favour of a seat that has nothing to lose by withholding it."""
    state = known(NAMES[4]).state
    asking = Endgame(state, 100, inf)
    other = (asking.seat + 1) % 3
    shares = [[0.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    shares[0][asking.seat], shares[1][3 - asking.seat - other] = 1.0, 1.0
    kind, unkind = (Outcome(each, [0.0, 0.0, 0.0]) for each in shares)
    assert asking._is_worse_tie(unkind, kind, other)
    assert not asking._is_worse_tie(kind, unkind, other)


def test_dice_with_few_outcomes_are_averaged() -> None:
    half = Outcome([0.5, 0.5], [0.0, 0.0])
    better = Outcome([0.5, 0.5], [1.0, -1.0])
    assert better.better(half, 0)
    assert half.better(better, 1)
    assert not half.better(half, 0)
    assert not half.wins(0)
