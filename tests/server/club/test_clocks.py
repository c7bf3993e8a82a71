"""Time controls and the clocks of the seats: what each entry of a log does to them."""

from __future__ import annotations

import pytest

from cuberails.core.state import CHANCE, NOBODY
from cuberails.server.club.clocks import CORRESPONDENCE, LIVE, UNTIMED, SeatClocks, TimeControl, read_time_control
from cuberails.server.club.rest import DAY

FAST = TimeControl(LIVE, 600, 15, "hard")
SLOW = TimeControl(CORRESPONDENCE, 3 * DAY)


def live(bots: str = "...") -> SeatClocks:
    """A live game in which seat 0 begins at second 0; "b" is a bot."""
    return SeatClocks(FAST, [kind == "b" for kind in bots], 0, 0.0)


def test_the_time_of_a_turn_is_used_and_the_increment_comes_with_its_end() -> None:
    clocks = live()
    clocks.acted(0, 0, at=20, spent=20)
    assert clocks.left == [580, 600, 600]  # the same seat decides once more: the turn is not over
    clocks.acted(0, 1, at=30, spent=10)
    assert clocks.left == [585, 600, 600]
    clocks.acted(1, 2, at=31, spent=1)
    assert clocks.left == [585, 614, 600]


def test_a_turn_goes_on_while_dice_roll_and_ends_when_another_seat_decides() -> None:
    clocks = live()
    clocks.acted(0, CHANCE, at=20, spent=20)
    assert clocks.runs == -1
    clocks.acted(CHANCE, 0, at=20, spent=None)
    assert (clocks.left[0], clocks.runs) == (580, 0)
    clocks.acted(0, CHANCE, at=30, spent=10)
    clocks.acted(CHANCE, 1, at=30, spent=None)
    assert clocks.left[0] == 585


def test_bots_have_no_time_and_get_none() -> None:
    clocks = live(".b.")
    clocks.acted(0, 1, at=20, spent=20)
    assert clocks.runs == -1
    clocks.acted(1, 2, at=500, spent=None)
    assert (clocks.left, clocks.runs) == ([595, 600, 600], 2)


def test_no_clock_runs_when_the_game_is_over() -> None:
    clocks = live()
    clocks.acted(0, NOBODY, at=20, spent=20)
    assert clocks.runs == -1


def test_going_back_gives_no_time_back() -> None:
    clocks = live()
    clocks.acted(0, 1, at=20, spent=20)
    clocks.went(0, 0, at=50, spent=30)
    assert (clocks.left, clocks.runs, clocks.since) == ([595, 570, 600], 0, 50)


def test_a_turn_that_is_taken_back_and_ended_again_has_one_increment() -> None:
    clocks = live()
    for n in range(3):
        clocks.acted(0, 1, at=20 + n, spent=20 if n == 0 else 1)
        clocks.went(0, 0, at=20 + n, spent=0)
    clocks.acted(0, 1, at=23, spent=1)
    assert clocks.left[0] == 600 - 23 + 15
    clocks.acted(1, 0, at=24, spent=1)
    clocks.acted(0, 1, at=25, spent=1)
    assert clocks.left[0] == 600 - 24 + 2 * 15


def test_whoever_takes_a_decision_back_within_a_turn_has_its_increment_at_the_end() -> None:
    clocks = live()
    clocks.acted(0, 0, at=10, spent=10)
    clocks.went(0, 0, at=10, spent=0)
    clocks.acted(0, 0, at=15, spent=5)
    clocks.acted(0, 1, at=20, spent=5)
    assert clocks.left[0] == 600 - 20 + 15


def test_each_decision_of_a_correspondence_game_has_its_days() -> None:
    clocks = SeatClocks(SLOW, [False] * 2, 0, 0.0)
    clocks.acted(0, 0, at=DAY, spent=DAY)
    assert clocks.left == [3 * DAY, 3 * DAY]
    clocks.acted(0, 1, at=2 * DAY, spent=DAY)
    clocks.acted(1, 0, at=4 * DAY, spent=2 * DAY)
    assert clocks.left[0] == 3 * DAY


def test_nobody_gains_days_by_going_back_again_and_again() -> None:
    clocks = SeatClocks(SLOW, [False] * 2, 0, 0.0)
    clocks.acted(0, 1, at=2 * DAY, spent=2 * DAY)
    clocks.went(0, 0, at=2 * DAY, spent=0)
    assert clocks.left == [DAY, 3 * DAY]
    clocks.acted(0, 0, at=2.5 * DAY, spent=DAY / 2)  # the first of two decisions
    clocks.went(0, 0, at=2.5 * DAY, spent=0)
    clocks.acted(0, 0, at=2.5 * DAY, spent=0)
    clocks.acted(0, 1, at=3 * DAY, spent=DAY / 2)
    assert clocks.left == [0, 3 * DAY]
    clocks.acted(1, 0, at=3 * DAY, spent=0)
    assert clocks.left == [3 * DAY, 3 * DAY]


def test_who_was_asked_whether_to_go_back_gives_a_decision_its_days_again() -> None:
    clocks = SeatClocks(SLOW, [False] * 2, 0, 0.0)
    clocks.acted(0, 1, at=2 * DAY, spent=2 * DAY)
    clocks.asked(at=2 * DAY, spent=0)
    clocks.went(0, 0, at=2 * DAY, spent=0)
    assert clocks.left == [3 * DAY, 3 * DAY]


def test_nobody_gains_days_by_a_bot_for_a_moment() -> None:
    clocks = SeatClocks(SLOW, [False] * 2, 0, 0.0)
    clocks.seated(0, True, at=2 * DAY, spent=2 * DAY)
    clocks.seated(0, False, at=2 * DAY, spent=None)
    assert clocks.left == [DAY, 3 * DAY]


@pytest.mark.parametrize(("timeouts", "left"), [(1, 300), (2, 150), (3, 75), (4, 60), (9, 60)])
def test_whoever_takes_a_seat_back_has_half_the_bank_then_less_and_never_too_little(timeouts: int, left: int) -> None:
    clocks = live()
    for n in range(timeouts):
        clocks.seated(0, True, at=600 * n, spent=600, in_time=False)
        assert (clocks.left[0], clocks.runs) == (0, -1)
        clocks.seated(0, False, at=600 * n + 5, spent=None)
    assert (clocks.left[0], clocks.runs) == (left, 0)


def test_whoever_takes_a_seat_back_in_a_correspondence_game_has_the_days_of_a_decision() -> None:
    clocks = SeatClocks(SLOW, [False] * 2, 0, 0.0)
    clocks.seated(0, True, at=3 * DAY, spent=3 * DAY, in_time=False)
    clocks.acted(0, 1, at=3 * DAY, spent=None)
    clocks.seated(0, False, at=4 * DAY, spent=DAY)
    assert clocks.left == [3 * DAY, 2 * DAY]  # and the other seat has what it had


def test_a_seat_that_the_host_gave_away_in_time_keeps_what_it_had() -> None:
    clocks = live()
    clocks.seated(0, True, at=100, spent=100)
    clocks.seated(0, False, at=200, spent=None)
    assert (clocks.left[0], clocks.since) == (500, 200)


def test_the_wait_for_an_answer_has_an_end_whatever_is_said_meanwhile() -> None:
    clocks = live()
    clocks.asked(at=10, spent=10)
    assert (clocks.asked_at, clocks.wait_left) == (10, 300)
    clocks.noted(at=110, spent=0, answered=False)  # one of two has agreed
    assert (clocks.asked_at, clocks.wait_left) == (10, 200)
    clocks.noted(at=150, spent=0, answered=True)
    assert (clocks.asked_at, clocks.wait_left, clocks.left[0]) == (None, 160, 590)
    clocks.asked(at=160, spent=10)
    assert clocks.wait_left == 160  # who asks again has not five minutes once more
    clocks.acted(0, 1, at=170, spent=0)
    assert (clocks.asked_at, clocks.wait_left) == (None, 300)


def test_answers_are_the_first_decisions_after_others_have_acted() -> None:
    clocks = live()
    clocks.noted(at=5, spent=5, answered=False)
    clocks.acted(0, 0, at=20, spent=15)
    clocks.acted(0, 1, at=22, spent=2)
    clocks.acted(1, 0, at=30, spent=8)
    clocks.acted(0, 1, at=34, spent=4)
    assert clocks.answers == [[20, 4], [8], []]


def test_nothing_is_counted_where_time_does_not_matter() -> None:
    clocks = SeatClocks(UNTIMED, [False] * 3, 0, 0.0)
    clocks.acted(0, 1, at=20, spent=None)
    assert (clocks.runs, clocks.began) == (-1, False)


@pytest.mark.parametrize(
    ("control", "words"),
    [
        (UNTIMED, ""),
        (FAST, "10 min + 15 s a turn"),
        (TimeControl(LIVE, 1200, 60), "20 min + 1 min a turn"),
        (TimeControl(LIVE, 90, 0), "1 min 30 s, no increment"),
        (SLOW, "3 days for each decision"),
        (TimeControl(CORRESPONDENCE, DAY), "1 day for each decision"),
    ],
)
def test_time_controls_are_said_and_stored(control: TimeControl, words: str) -> None:
    assert control.words == words
    assert read_time_control(control.text()) == control
