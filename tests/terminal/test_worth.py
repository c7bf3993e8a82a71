"""What shares will pay, drawn with letters."""

from __future__ import annotations

from cuberails.bots.playouts import Expectation
from cuberails.terminal.worth import WIDTH, spread


def test_the_highest_bar_stands_where_most_outcomes_are() -> None:
    found = spread(Expectation(30.0, 20, 40, [(10, 20, 0.1), (20, 30, 0.6), (30, 40, 0.3)], 10), 48).plain
    assert len(found) == WIDTH
    assert found == "_____▂▂▂▂▂█████▄▄▄▄▄____"


def test_a_bar_that_is_narrower_than_a_letter_is_seen_too() -> None:
    found = spread(Expectation(1.0, 1, 2, [(0, 1, 0.25), (1, 2, 0.5), (2, 3, 0.25)], 4), 480).plain
    assert found == "█" + "_" * (WIDTH - 1)


def test_what_is_outside_of_the_range_is_faint() -> None:
    found = spread(Expectation(30.0, 20, 39, [(10, 20, 0.1), (20, 30, 0.6), (40, 50, 0.3)], 10), 48)
    faint = {n for span in found.spans if span.style == "dim" for n in range(span.start, span.end)}
    assert faint == {*range(10), *range(20, WIDTH)}
