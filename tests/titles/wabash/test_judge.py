"""What the judge of Wabash Cannonball knows: what a share will pay until the end, and what makes it pay less."""

from __future__ import annotations

import cuberails
from cuberails.titles import judge, worth
from cuberails.titles.wabash.judge import WabashJudge
from cuberails.titles.wabash.state import Wabash
from tests.titles.wabash.position import position

TABLE = "players 3 \n cash 10 10 10 \n PA treasury {treasury} shares {shares} track {track}"


def table(treasury: int = 0, shares: str = "1 0 0", track: str = "P4", more: str = "") -> Wabash:
    return position(TABLE.format(treasury=treasury, shares=shares, track=track) + more)


def wabash_judge() -> WabashJudge:
    found = judge("wabash")
    assert isinstance(found, WabashJudge)
    return found


def test_a_share_is_worth_more_with_money_to_build_with() -> None:
    assert worth(table(treasury=20))[0] > worth(table())[0] > 10


def test_money_beyond_what_is_useful_or_without_cubes_adds_nothing() -> None:
    assert worth(table(treasury=500)) == worth(table(treasury=400))
    assert worth(position("players 3 \n PA treasury 50 shares 1 0 0 cubes 0")) == worth(
        position("players 3 \n PA shares 1 0 0 cubes 0")
    )


def test_a_share_that_others_hold_too_pays_less() -> None:
    alone, shared = worth(table()), worth(table(shares="1 1 0"))
    assert shared[0] < alone[0]
    assert shared[0] == shared[1] > shared[2] == alone[2] == 10


def test_the_game_is_shorter_the_fewer_cubes_are_left_and_never_over_before_its_last_dividend() -> None:
    left = [wabash_judge().rounds_left(table(more=f"\n supply {supply}")) for supply in range(20, 2, -1)]
    assert left == sorted(left, reverse=True)
    assert left[-1] == 1


def test_nearer_to_chicago_its_dividend_is_likelier() -> None:
    board = table().board
    bonus = []
    for ring in board.chicago_rings[:4]:
        state = table()
        state.track[0] = ring
        bonus.append(wabash_judge().chicago_bonus(state, 0, 10.0))
    assert bonus == sorted(bonus, reverse=True)
    assert bonus[0] > bonus[-1] > 0
    state.track[0] |= board.grid.bit[board.chicago]
    assert wabash_judge().chicago_bonus(state, 0, 10.0) == 0  # it was paid


def test_an_auction_counts_as_won_by_the_leader() -> None:
    state = cuberails.new("wabash", 3)
    before = worth(state)
    state.apply("bid 9")
    assert worth(state)[0] > before[0]
    assert worth(state)[1:] == before[1:]
