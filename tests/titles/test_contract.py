"""What every title promises, on random games of every number of players."""

from __future__ import annotations

import importlib
import pickle
import re
from collections.abc import Iterator
from itertools import count
from math import isfinite
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import cuberails
from cuberails.core.action import UnknownAction
from cuberails.core.game import Game
from cuberails.core.judge import Judge, sharpened
from cuberails.core.playout import pick, playout
from cuberails.core.state import CHANCE, IllegalAction, Over, Phase, State
from cuberails.core.title import SetupError
from cuberails.titles import (
    WeightError,
    calibrated,
    judge,
    judge_with,
    read_sharpness,
    read_weights,
    sharpness,
    weights,
)

RECORDS = Path(__file__).parent.parent / "records"
TABLES = [
    (key, players)
    for key in cuberails.TITLES
    for players in range(cuberails.load(key).least_players, cuberails.load(key).most_players + 1)
]
every_table = pytest.mark.parametrize(("key", "players"), TABLES)
a_table = st.sampled_from(TABLES)


def check(state: State) -> None:
    """The title's own account of its pieces and money."""
    importlib.import_module(f"tests.titles.{state.title.key}.account").check(state)


def everything(state: State) -> bytes:
    """All that can be told of a position from outside."""
    return repr((state.actor, state.prompt, state.legal_actions(), state.scores(), cuberails.scene(state))).encode()


@every_table
def test_a_thousand_random_games_end_with_every_piece_accounted_for(key: str, players: int) -> None:
    rng = Random(f"{key} {players}")
    start = cuberails.new(key, players)
    for number in range(1000):
        state = start.copy()
        if number % 10:
            playout(state, rng)
            check(state)
        while state.actor is not None:
            legal = state.legal_actions()
            assert len(legal) > 1
            assert len(set(legal)) == len(legal)
            state.play(pick(state, rng))
            check(state)
        assert state.legal_actions() == []
        assert state.winners()


@every_table
def test_every_decision_names_the_rule_that_governs_it(key: str, players: int) -> None:
    rng, state = Random(f"{key} {players}"), cuberails.new(key, players)
    while state.actor is not None:
        assert state.rule in state.title.rulebook.rules, state.prompt
        state.play(pick(state, rng))
    assert state.rule in state.title.rulebook.rules


# What refusals promise

NEAR_THE_END = 10
OPTIONS = [
    (key, name, value)
    for key in cuberails.TITLES
    for name, values in cuberails.load(key).options.items()
    for value in values[1:]
]


@every_table
def test_refusals_and_the_legal_list_agree_on_every_action(key: str, players: int) -> None:
    """At random, greedy, rare and last positions, of chance and of seats; each point of decision is among them."""
    positions = [state for played in recorded_games(key, players) for state in some_of(played, 80)]
    positions += [state for seed in range(20) for state in some_of(random_play(key, players, {}, seed), 15)]
    assert len(positions) >= 200
    for state in positions:
        check_refusals(state)
    assert {type(state.phase) for state in positions} == points_of_decision(key)


@pytest.mark.parametrize(("key", "option", "value"), OPTIONS)
def test_refusals_and_the_legal_list_agree_with_every_option(key: str, option: str, value: str) -> None:
    title = cuberails.load(key)
    for players in range(title.least_players, title.most_players + 1):
        for state in some_of(random_play(key, players, {option: value}, players), 30):
            check(state)
            check_refusals(state)


def check_refusals(state: State) -> None:
    """The specification and the fast list say the same of every action there is, and every refusal cites a rule."""
    legal, rules = set(state.legal_actions()), state.title.rulebook.rules
    for action in state.board.actions.all:
        refusal = state.phase.refuse(state, action)
        assert (refusal is None) == (action in legal), f"{action} at {state.phase!r}: {refusal}"
        assert refusal is None or (refusal.rule in rules and refusal.reason), f"{action}: {refusal}"


def recorded_games(key: str, players: int) -> Iterator[list[State]]:
    """Every position of the transcripts: games of greedy bots, and of others that led to a rare end."""
    for file in sorted((RECORDS / key).glob(f"{players}-players-*.txt")):
        game = cuberails.read(file.read_text("utf-8"))
        yield [game.at(count) for count in range(len(game.steps) + 1)]


def random_play(key: str, players: int, options: dict[str, str], seed: int) -> list[State]:
    """Every position of a random game."""
    rng, state = Random(f"{key} {players} {seed}"), cuberails.load(key).new(players, options)
    played = [state]
    while state.actor is not None:
        state = state.copy()
        state.play(pick(state, rng))
        played.append(state)
    return played


def some_of(played: list[State], count: int) -> list[State]:
    """The first position of a game, so many others, and those near its end."""
    middle = played[1:-NEAR_THE_END]
    return played[:1] + Random(len(played)).sample(middle, min(count, len(middle))) + played[-NEAR_THE_END:]


def points_of_decision(key: str) -> set[type[Phase]]:
    """Every kind of phase of a title, and the end."""
    package = cuberails.load(key).package

    def kinds(phase: type[Phase]) -> set[type[Phase]]:
        below = {kind for sub in phase.__subclasses__() for kind in kinds(sub)}
        return below or ({phase} if phase.__module__.startswith(package) else set())

    return {*kinds(Phase), Over}


@given(a_table, st.integers(), st.data())
def test_legal_actions_are_the_only_gate(table: tuple[str, int], seed: int, data: st.DataObject) -> None:
    """Every legal action can be applied; any other is refused with its rule, and changes nothing."""
    key, players = table
    rng = Random(seed)
    state = cuberails.new(key, players)
    actions = state.board.actions.all
    for _ in range(data.draw(st.integers(0, 150), label="actions played")):
        if state.actor is not None:
            state.play(pick(state, rng))
    legal = state.legal_actions()
    for action in legal:
        assert state.why_not(action.text) is None
        after = state.copy()
        assert after.apply(action)
        check(after)
    before = everything(state)
    for action in rng.sample(actions, 60):
        if action not in legal:
            refusal = state.phase.refuse(state, action)
            assert state.why_not(action.text) == str(refusal)
            with pytest.raises(IllegalAction, match=re.escape(str(refusal))):
                state.apply(action)
    assert everything(state) == before


@given(a_table, st.integers(), st.integers(0, 300))
def test_a_copy_is_independent(table: tuple[str, int], seed: int, count: int) -> None:
    key, players = table
    rng = Random(seed)
    state = cuberails.new(key, players)
    for _ in range(count):
        if state.actor is not None:
            state.play(pick(state, rng))
    before = everything(state)
    twin = state.copy()
    assert everything(twin) == before
    playout(twin, Random(seed))
    assert everything(state) == before
    playout(state, Random(seed))
    assert everything(state) == everything(twin)


@given(a_table, st.integers(), st.booleans())
def test_a_record_plays_out_the_same(table: tuple[str, int], seed: int, as_json: bool) -> None:
    key, players = table
    rng = Random(seed)
    game = Game(cuberails.load(key).board, [f"Seat {n}" for n in range(players)])
    while game.state.actor is not None:
        for event in game.apply(pick(game.state, rng)):
            assert event.say(game.seats)
    again = cuberails.read(game.to_json() if as_json else game.to_text())
    assert again.to_text() == game.to_text()
    assert everything(again.state) == everything(game.state)
    assert again.to_text(comments=False).count("\n") == game.to_text(comments=False).count("\n")


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_action_is_its_text_and_its_number(key: str) -> None:
    actions = cuberails.load(key).board.actions
    for number, action in enumerate(actions.all):
        assert action.id == number
        assert actions.parse(str(action)) is action
        assert actions.parse(f"  {action.text.upper()}  ") is action
    some = actions.all[:: len(actions) // 50]
    assert all(a is b for a, b in zip(pickle.loads(pickle.dumps(some)), some, strict=True))
    assert sorted(actions.all, key=str) != sorted(actions.all) == actions.all


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_what_is_no_action_gets_a_hint(key: str) -> None:
    state = cuberails.new(key, cuberails.load(key).most_players)
    word = state.board.actions.words[0]
    with pytest.raises(UnknownAction, match=f"{word} is written like"):
        state.parse(f"{word} to the moon")
    for text in ("", "fly to the moon", "🚂", "a" * 10_000):
        assert len(state.why_not(text) or "") in range(10, 300)


@every_table
def test_chance_tells_its_odds_and_only_chance_does(key: str, players: int) -> None:
    rng = Random(players)
    state = cuberails.new(key, players)
    while state.actor is not None:
        if state.actor == CHANCE:
            outcomes = state.chance_outcomes()
            assert [action for action, _ in outcomes] == state.legal_actions()
            assert abs(sum(odds for _, odds in outcomes) - 1) < 1e-9
        else:
            with pytest.raises(ValueError, match="a seat does"):
                state.chance_outcomes()
        state.play(pick(state, rng))


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_set_up_refuses_what_the_title_does_not_have(key: str) -> None:
    title = cuberails.load(key)
    for players in (title.least_players - 1, title.most_players + 1, -1):
        with pytest.raises(SetupError, match=f"{title.least_players} to {title.most_players} players"):
            title.new(players, {})
    with pytest.raises(SetupError, match="has no option 'color'"):
        cuberails.new(key, title.most_players, color="red")
    for name, values in title.options.items():
        with pytest.raises(SetupError, match=f"it can be {' or '.join(values)}"):
            title.new(title.most_players, {name: "whichever"})
        for value in values:
            assert title.new(title.most_players, {name: value}).options[name] == value


def test_unknown_titles_are_refused() -> None:
    for ask in (cuberails.load, judge, weights):
        with pytest.raises(SetupError, match="there is no title 'monopoly'; the titles are wabash"):
            ask("monopoly")


# What judges promise


def random_game(key: str, players: int) -> Iterator[State]:
    """Every fifth position of a random game, and the last."""
    rng, state = Random(f"{key} {players}"), cuberails.new(key, players)
    for number in count():
        if number % 5 == 0 or state.actor is None:
            yield state.copy()
        if state.actor is None:
            return
        state.play(pick(state, rng))


@every_table
def test_a_judge_explains_what_it_says_and_knows_the_end(key: str, players: int) -> None:
    says = judge(key)
    for state in random_game(key, players):
        values, chances = says.worth(state), says.chances(state)
        assert all(isfinite(value) for value in values)
        assert [sum(says.terms(state, seat).values()) for seat in range(players)] == pytest.approx(values)
        assert sum(chances) == pytest.approx(1)
    assert values == state.scores()
    winners = state.winners()
    assert chances == [(seat in winners) / len(winners) for seat in range(players)]


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_weight_tells_and_judges_with_other_weights_do_not_mix(key: str) -> None:
    games = [cuberails.read(file.read_text("utf-8")) for file in sorted((RECORDS / key).glob("*.txt"))]
    positions = [game.at(count) for game in games for count in range(0, len(game.steps), 5)]
    fitted = weights(key)

    def opinion(says: Judge) -> list[list[float]]:
        return [says.worth(state) + says.chances(state) for state in positions]

    usual = opinion(judge(key))
    for name, weight in fitted.items():
        less, more = (judge_with(key, {**fitted, name: weight * factor}) for factor in (0.5, 2.0))
        assert opinion(less) != usual or opinion(more) != usual, name
    assert opinion(judge(key)) == opinion(judge_with(key, fitted)) == usual


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_a_judge_names_the_weight_that_it_misses(key: str) -> None:
    fitted = weights(key)
    for missing in fitted:
        others = {name: weight for name, weight in fitted.items() if name != missing}
        with pytest.raises(WeightError, match=f"the judge of {key} needs a weight '{missing}'; it has "):
            judge_with(key, others)


@pytest.mark.parametrize("value", ["'much'", "true", "nan", "[1.0]", "0.0", "-1.5", "inf"])
def test_the_sharpness_of_chances_that_are_told_is_a_number_above_0(value: str) -> None:
    with pytest.raises(WeightError, match=r"x/judge\.toml, chances\.sharpness: found .*; it needs a number above 0"):
        read_sharpness("x/judge.toml", f"[chances]\nsharpness = {value}")


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_chances_are_told_as_sure_as_the_title_says(key: str) -> None:
    """Where a judge.toml does not say it, chances are told as they were found."""
    assert sharpness(key) > 0.0
    assert read_sharpness("x/judge.toml", "[chances]\nsharpness = 0.7") == 0.7
    assert read_sharpness("x/judge.toml", "[weights]\ncalm = 1.0") == 1.0
    found = [0.2, 0.3, 0.5]
    assert calibrated(cuberails.load(key).board, found) == sharpened(found, sharpness(key))


@pytest.mark.parametrize("value", ["'much'", "true", "nan", "[1.0]"])
def test_weights_are_numbers(value: str) -> None:
    with pytest.raises(WeightError, match=r"x/judge\.toml, weights\.calm: found .*; it needs a number"):
        read_weights("x/judge.toml", f"[weights]\ncalm = {value}")
