"""How good the expectations of shares are: figures of moments whose answers are known."""

from __future__ import annotations

from pathlib import Path

import pytest

from cuberails import load
from cuberails.bots.worth import paid_so_far
from cuberails.core.record import read_record
from cuberails.core.share import Correction
from cuberails.lab import Match
from cuberails.lab.worth import Moment, accuracy, fitted, moments_in_game, paid_until
from cuberails.titles import shares_of
from tests.lab.boards import WABASH

RECORDS = Path(__file__).parent.parent / "records"
RANDOMS = Match(WABASH, 3, ("random",), seed=3)


def moment(outcomes: list[float], steady: float, paid: float) -> Moment:
    return Moment(0, "PA", outcomes, steady, paid)


def test_what_shares_paid_agrees_with_what_seats_got() -> None:
    game = read_record((RECORDS / "wabash/3-players-greedy.txt").read_text("utf-8"), load)
    by_share, by_seat = paid_until(game)[-1], paid_so_far(game)
    held = {share.name: share.held for share in shares_of(game.board).shares(game.state)}
    for name, seats in by_seat.items():
        for seat, got in enumerate(seats):
            assert got <= by_share[name] * held[name][seat]  # some were bought later
    assert paid_until(game)[0] == {}


def test_moments_are_of_every_share_and_the_same_by_the_same_seed() -> None:
    found = moments_in_game(RANDOMS, 2, 2, 0)
    assert len(found) == 2 * 5
    assert found == moments_in_game(RANDOMS, 2, 2, 0)
    assert all(each.paid >= 0 and len(each.outcomes) == 2 for each in found)


def test_expectations_that_came_true_explain_everything() -> None:
    found = accuracy([moment([paid] * 4, paid, paid) for paid in (2.0, 6.0, 10.0)], Correction())
    assert (found.error, found.held) == (0.0, 1.0)
    assert (found.correlation, found.explained) == pytest.approx((1.0, 1.0))


def test_the_mean_of_all_shares_explains_nothing() -> None:
    found = accuracy([moment([6.0] * 4, 6.0, paid) for paid in (2.0, 6.0, 10.0)], Correction())
    assert (found.explained, found.correlation) == (0.0, 0.0)
    assert found.error == pytest.approx(8 / 3)
    assert found.held == pytest.approx(1 / 3)


def test_a_fit_finds_how_much_more_shares_grow_than_play_outs_say() -> None:
    moments = [moment([told - 1, told, told + 1], 4.0, 4.0 + 1.5 * (told - 4.0)) for told in (4.0, 6.0, 8.0, 10.0)]
    assert fitted(moments).growth == 1.5
