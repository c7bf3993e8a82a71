"""What a player sees of Wabash Cannonball: what shares pay and what builds bring."""

from __future__ import annotations

import cuberails
from cuberails.core.scene import Scene
from tests.titles.wabash.position import position

TABLE = """
    players 3
    cash 30 30 30
    PA treasury 9 shares 2 0 0 track Q5 P4
    NYC shares 1 0 0
"""


def pa(seen: Scene) -> dict[str, str]:
    return dict(next(company.facts for company in seen.companies if company.piece.name == "PA"))


def test_a_railroad_shows_its_dividend_now_and_diluted_by_one_more_share() -> None:
    shown = pa(cuberails.scene(position(TABLE)))
    assert (shown["Income"], shown["Shares sold"]) == ("7", "2 of 3")
    assert (shown["Dividend now"], shown["Diluted"], shown["Minimum bid"]) == ("$4", "$3", "$3")


def test_nothing_is_diluted_when_all_shares_are_sold() -> None:
    shown = pa(cuberails.scene(position(TABLE.replace("shares 2 0 0", "shares 2 1 0"))))
    assert (shown["Dividend now"], shown["Diluted"], shown["Minimum bid"]) == ("$3", "–", "–")


def test_an_auction_shows_what_the_share_pays() -> None:
    state = position(TABLE)
    state.apply(state.parse("capitalize PA"))
    assert dict(cuberails.scene(state).facts)["PA pays"] == "$4 a share now, $3 with this one sold"
    state = position(TABLE)
    state.apply(state.parse("capitalize B&O"))
    assert dict(cuberails.scene(state).facts)["B&O pays"] == "$6 with this one sold"


def test_a_place_to_build_shows_its_income_for_each_dollar() -> None:
    state = position(TABLE)
    assert not any(tile.gain for tile in cuberails.scene(state).map.tiles)
    state.apply(state.parse("expand PA"))
    gains = {tile.id: tile.gain for tile in cuberails.scene(state).map.tiles if tile.targets}
    assert gains["O4"] == "income +1 for $2, $0.50 a dollar"  # Harrisburg
    assert gains["P5"] == "no income for $1"
