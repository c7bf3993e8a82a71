"""A game with its history: any position can be looked at, and few of them are kept in memory."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from cuberails.core.event import Event
from cuberails.core.game import EVENTS_KEPT, MOST_ACTIONS, RECENT, SNAPSHOT_EVERY, Game
from cuberails.core.record import RecordError, read_record
from cuberails.core.state import State
from cuberails.titles import keys, load

PASSES = "cuberails 1\ntitle: baltimore_ohio\nseat: Ann\nseat: Bob\nseat: Cy\n\norder 0 1 2\n"
"""In Baltimore & Ohio everybody may pass for ever."""


def played(actions: int) -> tuple[Game, list[State]]:
    """A game of random actions, and a copy of each of its positions."""
    game, dice = Game(load("wabash").board, ["Ann", "Bob", "Cy"]), Random(3)
    positions = [game.state.copy()]
    for _ in range(actions):
        game.apply(dice.choice(game.state.legal_actions()))
        positions.append(game.state.copy())
    return game, positions


def same(state: State, other: State) -> bool:
    return (state.prompt, state.scores(), state.legal_actions()) == (
        other.prompt,
        other.scores(),
        other.legal_actions(),
    )


@pytest.mark.parametrize("order", ["forward", "backward", "any"])
def test_every_position_can_be_looked_at_in_any_order(order: str) -> None:
    game, positions = played(90)
    counts = list(range(91)) if order == "forward" else list(range(90, -1, -1))
    if order == "any":
        Random(1).shuffle(counts)
    assert all(same(game.at(count), positions[count]) for count in counts)
    assert same(game.state, positions[90])


def test_only_snapshots_and_recent_positions_are_kept() -> None:
    game, positions = played(90)
    for count in range(91):
        game.at(count)
    assert len(game._snapshots) == 90 // SNAPSHOT_EVERY + 1
    assert len(game._recent) <= RECENT
    assert all(same(state, positions[n * SNAPSHOT_EVERY]) for n, state in enumerate(game._snapshots))


def test_another_way_after_an_undo_is_not_mixed_up_with_the_first() -> None:
    game, positions = played(90)
    for _ in range(60):
        assert game.undo()
    assert (game.count, len(game.steps)) == (30, 30)
    assert same(game.state, positions[30])
    assert same(game.at(90), positions[90])  # until something else is played
    other, replayed = Random(9), [game.state.copy()]
    for _ in range(20):
        game.apply(other.choice(game.state.legal_actions()))
        replayed.append(game.state.copy())
    assert all(same(game.at(count), positions[count]) for count in range(31))
    assert all(same(game.at(30 + n), state) for n, state in enumerate(replayed))
    assert not game.redo()


def test_redo_leads_where_it_was() -> None:
    game, positions = played(60)
    while game.undo():
        assert same(game.state, positions[game.count])
    while game.redo():
        assert same(game.state, positions[game.count])
    assert game.count == 60


def test_a_pickled_game_has_the_same_positions() -> None:
    game, positions = played(50)
    game.undo()
    again = pickle.loads(pickle.dumps(game))
    assert same(again.state, positions[49])
    assert again.redo()
    assert all(same(again.at(count), positions[count]) for count in range(51))


def wander(game: Game, dice: Random, actions: int) -> list[list[Event]]:
    """Play random actions to the end of the game at most; what each of them brought about."""
    told: list[list[Event]] = []
    while len(told) < actions and game.state.legal_actions():
        told.append(game.apply(dice.choice(game.state.legal_actions())))
    return told


@pytest.mark.parametrize("key", keys())
def test_what_happened_can_be_asked_for_at_any_time_and_little_of_it_is_kept(key: str) -> None:
    title, dice = load(key), Random(5)
    game = Game(title.board, ["Ann", "Bob", "Cy", "Dee"][: max(3, title.least_players)])
    told = wander(game, dice, 80)
    count = len(told)
    assert game.events() == told
    for start, end in [(0, 1), (count - 3, count), (count - EVENTS_KEPT - 2, count), (17, 40), (5, 5), (count, 0)]:
        assert game.events(start, end) == told[start:end]
    assert len(game._events) == EVENTS_KEPT
    assert pickle.loads(pickle.dumps(game)).events() == game.fork().events() == told
    assert pickle.loads(pickle.dumps(game)).to_text() == game.to_text()


@pytest.mark.parametrize("back", [1, EVENTS_KEPT - 1, EVENTS_KEPT + 3, 70])
def test_what_happened_on_another_way_is_not_mixed_up_with_the_first(back: int) -> None:
    game = Game(load("wabash").board, ["Ann", "Bob", "Cy"])
    told = wander(game, Random(3), 90)
    for _ in range(back):
        game.undo()
    assert game.events() == told[: 90 - back]
    told[90 - back :] = wander(game, Random(4), 30)
    assert game.events() == told
    assert game.events(len(told) - 31) == told[-31:]
    assert len(game._events) <= EVENTS_KEPT


def test_a_record_has_more_actions_than_any_real_game_but_not_any_number() -> None:
    record = PASSES + "pass\n" * (MOST_ACTIONS - 1)
    assert read_record(record, load).count == MOST_ACTIONS
    with pytest.raises(RecordError, match=r"line 5007: found 'pass' as action 5001; 5000 are the most"):
        read_record(record + "pass\n", load)


def test_a_number_of_thousands_of_digits_is_no_record() -> None:
    with pytest.raises(RecordError, match="this JSON cannot be read"):
        read_record('{"cuberails": ' + "9" * 5000 + "}", load)
