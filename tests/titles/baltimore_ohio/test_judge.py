"""What the judge of Baltimore & Ohio knows: how long the game will last, and what railroads can still become."""

from __future__ import annotations

from cuberails.bots import make
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.titles import judge, judge_with, load, weights
from cuberails.titles.baltimore_ohio.judge import BaltimoreOhioJudge
from cuberails.titles.baltimore_ohio.state import BaltimoreOhio
from tests.titles.baltimore_ohio.position import position

LINE = "B&O value 66 shares 4 0 0 treasury {treasury} equipment 2 net 40 track G20 cubes {cubes}"


def some_line(deck: int = 8, treasury: int = 50, cubes: int = 10) -> BaltimoreOhio:
    return position(f"players 3 \n deck {deck} \n {LINE.format(treasury=treasury, cubes=cubes)}")


def title_judge() -> BaltimoreOhioJudge:
    found = judge("baltimore_ohio")
    assert isinstance(found, BaltimoreOhioJudge)
    return found


def test_the_game_is_thought_to_last_as_long_as_cards_are_missing() -> None:
    left = [title_judge().sets_after_this(some_line(deck)) for deck in range(26)]
    assert left == sorted(left, reverse=True)
    assert 6 < left[0] < 9  # greedy players need 8 or 9 sets in all
    assert 0 < left[-1] < 1
    assert title_judge().sets_after_this(some_line(26)) == 0


def test_what_a_railroad_has_does_not_change_how_long_the_game_lasts() -> None:
    assert title_judge().sets_after_this(some_line(22, treasury=0)) == title_judge().sets_after_this(
        some_line(22, treasury=900)
    )


def test_a_railroad_with_cubes_left_can_still_grow() -> None:
    key = "baltimore_ohio"  # a judge each: what one knows about a track it does not work out again
    roomy, full = (judge_with(key, weights(key)).worth(some_line(cubes=cubes)) for cubes in (12, 4))
    assert roomy[0] > full[0]


def test_greedy_players_end_the_game_in_time() -> None:
    for players in (3, 4):
        state = load("baltimore_ohio").new(players, {})
        bots = [make("greedy", f"{players} {seat}") for seat in range(players)]
        while (actor := state.actor) is not None:
            state.play(pick(state, bots[0].rng) if actor == CHANCE else bots[actor].choose(state))
        assert isinstance(state, BaltimoreOhio)
        assert 6 <= state.round.sets <= 14
