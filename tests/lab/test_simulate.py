"""Many games: the same from the same seed, whoever plays them, and fairly counted."""

from __future__ import annotations

import pickle
from random import Random

import pytest

from cuberails import new
from cuberails.bots import Bot, OnProgress
from cuberails.core.action import Action
from cuberails.core.state import IllegalAction, State
from cuberails.core.title import SetupError
from cuberails.lab import Local, Match, Result, play_one, results, simulate, summarize
from cuberails.lab.simulate import turns
from tests.lab.boards import WABASH, rich

RANDOMS = Match(WABASH, 3, ("random",), seed=7)


def test_the_same_seed_gives_the_same_games() -> None:
    assert simulate(RANDOMS, 5) == simulate(RANDOMS, 5)


def test_another_seed_gives_other_games() -> None:
    other = Match(WABASH, 3, ("random",), seed=8)
    assert list(results(RANDOMS, 5)) != list(results(other, 5))


def test_a_game_depends_on_its_number_alone() -> None:
    assert list(results(RANDOMS, 5))[4] == play_one(RANDOMS, 4)


def test_the_number_of_processes_changes_nothing() -> None:
    with Local(2) as two:
        assert list(results(RANDOMS, 7, two)) == list(results(RANDOMS, 7))


def test_games_are_played_on_the_board_of_the_match_in_other_processes() -> None:
    """Greedy players keep more of $600 than there is on the built-in board. (It once came back with $120.)"""
    with Local(2) as two:
        built_in, rich_one = (next(results(Match(board, 3, ("greedy",)), 1, two)) for board in (WABASH, rich()))
    assert sum(built_in.scores) < 300 < 500 < sum(rich_one.scores)


def test_a_pickled_match_comes_back_with_its_board() -> None:
    match = Match(rich(), 3, ("random",), options={})
    restored = pickle.loads(pickle.dumps(match))
    assert restored == match
    state = restored.board.new(3)
    assert state.cash == [200, 200, 200]
    assert pickle.loads(pickle.dumps(state)).cash == [200, 200, 200]


def test_bots_move_on_by_a_seat_from_game_to_game() -> None:
    match = Match(WABASH, 3, ("greedy", "random"))
    assert match.seating(0) == ("greedy", "random", "greedy")
    assert match.seating(1) == ("random", "greedy", "greedy")
    assert match.seating(3) == match.seating(0)


def test_every_game_shares_out_exactly_one_win() -> None:
    summary = simulate(RANDOMS, 10)
    assert summary.games == 10
    assert sum(share.wins for share in summary.seats) == pytest.approx(10)
    assert sum(share.wins for share in summary.bots.values()) == pytest.approx(10)
    assert summary.bots["random"].games == 30
    assert sum(summary.endings.values()) == 10


def test_a_shared_win_is_split() -> None:
    tied = Result(("random", "greedy", "random"), (20, 20, 5), (0, 1), 100, "why")
    summary = summarize([tied])
    assert [share.win_share for share in summary.seats] == [0.5, 0.5, 0.0]
    assert summary.bots["greedy"].win_share == 0.5
    assert summary.bots["random"].win_share == 0.25
    assert summary.bots["random"].mean_score == 12.5


def test_endings_are_told_by_kind_and_rule() -> None:
    endings = simulate(RANDOMS, 20).endings
    assert "3 or more railroads have sold all their shares (W11.1)" in endings
    assert all("W11.1" in ending for ending in endings)


def test_greedy_beats_random() -> None:
    summary = simulate(Match(WABASH, 2, ("greedy", "random")), 2)
    assert summary.bots["greedy"].win_share > 0.5


@pytest.mark.parametrize(
    ("match", "complaint"),
    [
        (Match(WABASH, 9, ("random",)), "2 to 6 players, not 9"),
        (Match(WABASH, 3, ("clever",)), "there is no bot 'clever'"),
        (Match(WABASH, 2, ("random",) * 3), "3 bots are too many for 2 seats"),
        (Match(WABASH, 3, ()), "at least one bot"),
        (Match(WABASH, 3, ("random",), options={"moon": "full"}), "no option 'moon'"),
    ],
)
def test_an_impossible_match_is_refused_before_any_game(match: Match, complaint: str) -> None:
    with pytest.raises(SetupError, match=complaint):
        results(match, 3)


def test_what_a_bot_chooses_must_be_legal() -> None:
    class Cheat(Bot):
        def choose(self, state: State, on_progress: OnProgress | None = None) -> Action:
            return state.parse("done")

    with pytest.raises(IllegalAction, match="done is not legal now"):
        list(turns(new("wabash", 3), [Cheat(seat) for seat in range(3)], Random(1)))
