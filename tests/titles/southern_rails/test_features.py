"""What a learner sees of Southern Rails, in positions that a player can count out."""

from __future__ import annotations

from random import Random

import pytest

from cuberails.core.playout import pick
from cuberails.titles import features, features_of
from cuberails.titles.southern_rails.rules import Draft, Turn
from cuberails.titles.southern_rails.state import SouthernRails
from tests.titles.southern_rails.position import do, fresh, position

NINE = """
players 3
turn 1
scorings 3
points 4 6 1
red shares 2 0 0 track J1-J9
blue shares 0 1 0 track G8
yellow shares 0 0 1
"""
"""Red needs one cube for the last scoring round; blue, in Atlanta, leads in revenue."""


def test_points_and_what_a_scoring_round_would_add() -> None:
    anna, beth, connor = (features(position(NINE), seat) for seat in range(3))
    assert (anna["points now"], beth["points now"], connor["points now"]) == (0.0, 2 / 5, 0.0)
    assert beth["points beside the best"] == 2 / 8
    assert anna["points after scoring beside the best"] == anna["in the last round"] == (4 - 8) / 8
    assert beth["highest revenue: points now beside the others"] == 2 / 3
    assert beth["highest revenue: own lead"] == 4 / 5
    assert anna["highest revenue: own lead"] == -4 / 5


def test_who_can_bring_about_the_scoring_round() -> None:
    state = position(NINE)
    anna, beth, connor = (features(state, seat) for seat in range(3))
    assert anna["to the scoring cube"] == 1 / 10
    assert (anna["could score"], beth["could score"], connor["could score"]) == (1, 0, 0)
    assert anna["first to score"] == 1
    assert [seen["turns until its own"] for seen in (beth, connor, anna)] == [0, 1 / 3, 2 / 3]
    assert beth["decides"] == 1
    over = features(do(state, "place blue G9", "place yellow A14", "place red J10"), 0)
    assert (over["over"], over["points"], over["points later"]) == (1, 4 / 15, 0)


def test_cities_near_the_track_promise_revenue() -> None:
    far, near = (position(f"players 3 \n red shares 1 0 0 track {hex}") for hex in ("J3", "I10"))
    assert sum(revenue_near(near)) > sum(revenue_near(far))


def revenue_near(state: SouthernRails) -> list[float]:
    return [number for name, number in features(state, 0).items() if name.endswith("revenue near")]


def test_a_draft_shows_what_is_laid_out_and_who_has_yet_to_take() -> None:
    state = do(fresh(3), "take red", "take blue")
    assert [features(state, seat)["shares in this draft"] for seat in range(3)] == [0, 0, 1]
    seen = features(state, 0)
    assert sum(seen[f"railroad {rank}: laid out"] for rank in range(1, 7)) == 4
    assert (seen["first shares"], seen["second shares"], seen["shares to come"]) == (1, 0, 4 / 5)
    state = do(state, "take yellow")
    assert [features(state, seat)["turns until its own"] for seat in (2, 1, 0)] == [0, 1 / 3, 2 / 3]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_every_seat_looks_at_the_table_in_the_same_way(players: int) -> None:
    """If all move one seat to the left, each sees what its right neighbour saw."""
    state, rng = fresh(players), Random(players)
    while state.actor is not None:
        rows = features_of(state.board).rows(state)
        assert features_of(state.board).rows(turned(state)) == [pytest.approx(row) for row in rows[-1:] + rows[:-1]]
        state.play(pick(state, rng))


def turned(state: SouthernRails) -> SouthernRails:
    """The same position with everybody one seat further left."""
    new, count, phase = state.copy(), state.board.count, state.phase
    new.order = [(seat + 1) % state.players for seat in state.order]
    new.shares = state.shares[-count:] + state.shares[:-count]
    new.points = state.points[-1:] + state.points[:-1]
    actor = (phase.actor + 1) % state.players
    new.phase = Draft(actor, phase.occasion, phase.laid) if isinstance(phase, Draft) else Turn(actor)
    return new
