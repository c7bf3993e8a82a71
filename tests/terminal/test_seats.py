"""Who sits where, and who is a bot."""

from __future__ import annotations

from random import Random

import pytest

from cuberails.core.title import SetupError
from cuberails.terminal.seats import bot_of, company, people_names, seat_names


def test_a_bot_is_known_by_its_name() -> None:
    assert bot_of("Greedy 2") == "greedy"
    assert bot_of("Greedy Bob") is None
    assert bot_of("Ann") is None


def test_people_sit_first_and_bots_are_dealt_in_turn() -> None:
    assert seat_names(4, ["Ann"], ["greedy", "random"]) == ["Ann", "Greedy 2", "Random 3", "Greedy 4"]
    assert people_names(1, []) == ["Player"]
    assert people_names(3, ["Ann"]) == ["Ann", "Player 2", "Player 3"]
    with pytest.raises(SetupError, match="same name"):
        people_names(2, ["Ann", "Ann"])


def test_seats_drawn_by_lot_keep_the_company_and_number_the_bots_by_seat() -> None:
    drawn = {tuple(seat_names(4, ["Ann", "Bob"], ["greedy", "random"], Random(seed))) for seed in range(40)}
    assert len(drawn) > 8
    for names in drawn:
        assert company(names) == ["Ann", "Bob", "greedy", "random"]
        assert all(name.endswith(str(n)) for n, name in enumerate(names, 1) if bot_of(name))
    assert seat_names(4, ["Ann"], [], Random(3)) == seat_names(4, ["Ann"], [], Random(3))
