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
    assert (shown["Income"], shown["Sold"]) == ("7", "2 of 3")
    assert (shown["Pays"], shown["Min bid"]) == ("$4", "$3")


def test_nothing_is_diluted_when_all_shares_are_sold() -> None:
    shown = pa(cuberails.scene(position(TABLE.replace("shares 2 0 0", "shares 2 1 0"))))
    assert (shown["Pays"], shown["Min bid"]) == ("$3", "–")


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


def test_the_way_to_the_end_follows_the_rules() -> None:
    """[W10.1, W11.1]"""
    seen = cuberails.scene(position(TABLE.replace("shares 2 0 0", "shares 2 1 0")))
    assert seen.progress == [
        ("Dividend", "0 of 2 decisions used up"),
        ("Sold out", "1 of 3"),
        ("Out of cubes", "0 of 3"),
        ("Development cubes", "20, ends at 3"),
        ("Detroit", "1 of 8"),
    ]


def test_a_wabash_that_has_not_opened_is_not_started() -> None:
    """[W9.1]"""
    companies = cuberails.scene(position(TABLE)).companies
    assert [company.started for company in companies] == [company.piece.name != "Wabash" for company in companies]


def test_leaders_and_what_seats_hold() -> None:
    companies = {company.piece.name: company for company in cuberails.scene(position(TABLE)).companies}
    assert (companies["NYC"].leads, companies["PA"].leads) == (["Income", "Pays"], ["Treasury"])
    assert (companies["PA"].holdings, companies["B&O"].holdings) == (["2", "", ""], ["", "", ""])


def test_who_builds_is_told_while_it_builds() -> None:
    state = position(TABLE)
    assert cuberails.scene(state).acting is None
    state.apply(state.parse("expand PA"))
    seen = cuberails.scene(state)
    assert seen.acting == next(company.piece for company in seen.companies if company.piece.name == "PA")
    assert seen.prompt.endswith("Build track for PA: up to 3 hexes, treasury $9")


def test_a_seat_shows_what_a_general_dividend_would_pay_it() -> None:
    """[W10.2]"""
    state = position(TABLE)
    assert [dict(seat.facts)["Dividend"] for seat in cuberails.scene(state).seats] == ["$16", "$0", "$0"]  # 2 x 4 + 8
