"""What a learner sees of Credit Mobilier, in positions that a player can count out."""

from __future__ import annotations

from random import Random

import pytest

from cuberails.core.playout import pick
from cuberails.core.state import Phase
from cuberails.titles import features, features_of
from cuberails.titles.credit_mobilier.features import leading_to_coast
from cuberails.titles.credit_mobilier.rules import More, Turn
from cuberails.titles.credit_mobilier.state import CreditMobilier
from tests.titles.credit_mobilier.position import do, drawn, position

TABLE = """
players 3
turn 1
cash 10 20 6
red treasury 12 shares 2 0 1 track A6W A5W goods A6 A5
yellow shares 0 1 0 goods A1 B1
green goods C2
blue coast 1 goods
purple treasury 30 shares 1 1 1
"""
"""Red holds $4 a share; yellow or green need two steps to the coast; of blue, all goods have arrived."""


def test_cash_and_dividends_beside_the_others() -> None:
    anna, beth, cy = (features(position(TABLE), seat) for seat in range(3))
    assert anna["cash beside the richest"] == -10 / 30
    assert cy["cash beside the left"] == -4 / 30
    assert anna["next dividends"] == (2 * 2 + 2) / 20
    assert anna["dividends"] == (2 * 4 + 8) / 40
    assert beth["dividends beside the others"] == pytest.approx((8 - (16 + 12) / 2) / 30)


def test_a_railway_with_its_goods_and_track() -> None:
    """Red, the richest, is railway 1; a pawn in A6 has six steps to go, one in A5 five."""
    seen = features(position(TABLE), 0)
    assert seen["railway 1: treasury"] == 12 / 20
    assert seen["railway 1: steps"] == 11 / 25
    assert seen["railway 1: pawns that can go"] == 2 / 7
    assert seen["railway 1: pawns with track"] == 0
    assert seen["railway 1: income of its track"] == pytest.approx((2 * 2 / 4 + 2 * 1 / 4) / 30)
    assert seen["railway 1: own part of the shares"] == pytest.approx(2 / 3)


def test_how_near_the_end_is() -> None:
    """Three colours are out: one more has to arrive."""
    state = position(TABLE)
    seen = features(state, 0)
    assert (seen["steps to the end"], seen["colors to arrive"]) == (2 / 30, 1 / 2)
    assert sum(seen[f"railway {rank}: brings the end"] for rank in range(1, 5)) == 1
    assert [features(state, seat)["turns until its own"] for seat in (1, 2, 0)] == [0, 1 / 3, 2 / 3]


def test_dice_and_actions_left_are_seen() -> None:
    state = do(position(TABLE), "roll RRRPO")
    beth = features(state, 1)
    assert (beth["railway 1: dice"], beth["orange dice"], beth["Credit Mobilier: dice"]) == (4 / 5, 1 / 5, 1 / 5)
    assert (beth["decides"], features(state, 0)["decides"], beth["rolling"]) == (1, 0, 0)
    more = features(do(state, "move red A6 west"), 1)
    assert (more["moves"], more["builds"], more["actions left"]) == (1, 0, 3 / 5)


def test_track_that_leads_to_the_coast_is_found_round_corners() -> None:
    state = position("players 2 \n red track C1W B1S A1S A2W C2S \n yellow track D3W D1W D2W D4W")
    leads = leading_to_coast(state)
    found = [id for id, bit in zip(state.board.squares, state.board.bit) if leads & bit]
    assert found == ["A1", "A2", "B1", "C1", "C2", "D1", "D2", "D3", "D4"]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_every_seat_looks_at_the_table_in_the_same_way(players: int) -> None:
    """If all move one seat to the left, each sees what its right neighbour saw."""
    state, rng = drawn(players), Random(players)
    while state.actor is not None:
        rows = features_of(state.board).rows(state)
        assert features_of(state.board).rows(turned(state)) == [pytest.approx(row) for row in rows[-1:] + rows[:-1]]
        for _ in range(7):
            if state.actor is not None:
                state.play(pick(state, rng))


def turned(state: CreditMobilier) -> CreditMobilier:
    """The same position with everybody one seat further left."""
    new, count = state.copy(), state.board.companies
    new.turn = (state.turn + 1) % state.players
    new.shares = state.shares[-count:] + state.shares[:-count]
    new.cash = state.cash[-1:] + state.cash[:-1]
    new.phase = turned_phase(state.phase, new.turn)
    return new


def turned_phase(phase: Phase[CreditMobilier], actor: int) -> Phase[CreditMobilier]:
    if isinstance(phase, Turn):
        return Turn(actor, phase.roll, phase.choices)
    return More(actor, phase.roll, phase.kind, phase.railway, phase.left) if isinstance(phase, More) else phase
