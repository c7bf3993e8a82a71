"""What the judge of Southern Rails makes of a position."""

from __future__ import annotations

import pytest

from cuberails.titles import worth
from tests.titles.southern_rails.position import do, fresh, position
from tests.titles.southern_rails.test_rules import NINE_RED


def test_at_the_end_a_position_is_worth_its_points() -> None:
    state = do(position(f"players 3 \n scorings 3 \n {NINE_RED} \n blue shares 0 1 1 track G8"), "place red J10")
    assert worth(state) == [0.0, 2.0, 2.0]


@pytest.mark.parametrize("players", [3, 4, 5])
def test_at_the_start_all_seats_are_alike_and_expect_some_points(players: int) -> None:
    values = worth(fresh(players))
    assert len(set(values)) == 1
    assert 5 < values[0] < 20


def test_a_city_and_the_way_to_one_are_worth_more_than_nowhere() -> None:
    """From C14 red goes to Raleigh, towards Richmond, or into the empty country."""
    text = "players 3 \n red shares 1 0 0 track C14 \n blue shares 0 1 0 track H5 \n yellow shares 0 0 1 track K2"
    raleigh, towards, nowhere = (worth(do(position(text), f"place red {hex}"))[0] for hex in ("D13", "B14", "D14"))
    assert raleigh > towards > nowhere


def test_to_lead_alone_counts_most_when_a_tenth_cube_is_near() -> None:
    def gain(cubes: str) -> float:
        """What it is worth to blue, in Atlanta, that yellow is in Mobile and not in Atlanta too."""
        text = (
            f"players 3 \n red shares 0 0 1 track {cubes} \n blue shares 1 0 0 track G8 \n yellow shares 0 1 0 track "
        )
        return worth(position(text + "K4"))[0] - worth(position(text + "G8"))[0]

    assert gain("C7-C9 C11-C16") > gain("C7") + 1
