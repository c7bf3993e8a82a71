"""What players see of Gulf, Mobile & Ohio: supply, shares, homes, connections, marker, score."""

from __future__ import annotations

import cuberails
from cuberails.core.scene import Company, Scene, Tile, Track
from cuberails.titles.gmo.state import Gmo
from tests.titles.gmo.position import do, position, sell

POSITION = """
    players 3
    turn 1
    marker 1
    cash 20 20 20
    points 4 0 9
    GM&O green 0 M5 L5 K6 J6 J7
    SC green 1+2 I15 I14 H13
    CEN red 2 J13 J12 I12
"""


def shown(state: Gmo) -> Scene:
    return cuberails.scene(state, ["Ann", "Bob", "Cy"])


def tile(scene: Scene, id: str) -> Tile:
    return next(tile for tile in scene.map.tiles if tile.id == id)


def company(scene: Scene, name: str) -> Company:
    return next(company for company in scene.companies if company.piece.name == name)


def track(scene: Scene, key: str) -> Track:
    return next(track for track in scene.tracks if track.key == key)


def test_the_supply_by_colour_and_what_comes_next() -> None:
    supply = track(shown(position(POSITION)), "supply")
    assert supply.boxes == ["22", "26★", "16", "16", "12", "6"]
    assert [pieces[0].letter for pieces in supply.pieces] == list("GYRBKP")


def test_who_holds_charters_and_common_shares_and_what_they_pay() -> None:
    scene = shown(position(POSITION))
    assert company(scene, "SC").facts == [
        ("Colour", "green"), ("Pays", "$3"), ("Cities", "2"), ("Met", "–"), ("Left", "22"),
    ]  # fmt: skip
    assert company(scene, "SC").holdings == ["", "charter", "common"]
    assert company(scene, "CEN").facts[1] == ("Pays", "$5")
    assert company(scene, "CEN").holdings == ["", "", "charter"]
    assert (company(scene, "VC").holdings, company(scene, "VC").started) == (["", "", ""], False)
    assert [(piece.letter, piece.name, held) for piece, held in scene.seats[2].shares] == [
        ("SC", "SC common share", 1), ("★CEN", "CEN charter", 1),
    ]  # fmt: skip
    assert [dict(seat.facts)["Dividend"] for seat in scene.seats] == ["$5", "$3", "$8"]


def test_a_railroad_has_its_own_sign_and_its_cubes_the_letter_of_their_colour() -> None:
    scene = shown(position(POSITION))
    assert (company(scene, "CEN").piece.letter, company(scene, "CEN").piece.color) == ("CEN", "red")
    assert [(cube.letter, cube.color, cube.name) for cube in tile(scene, "J13").cubes] == [("R", "red", "CEN")]


def test_the_way_to_the_end() -> None:
    """[G10.1, G10.2]"""
    state = position(POSITION)
    assert shown(state).progress == [("Colours on the board", "2 of 6"), ("Passes in a row", "0 of 3")]
    do(state, "pass")
    assert shown(state).progress[1] == ("Passes in a row", "1 of 3")


def test_where_a_railroad_may_start() -> None:
    scene = shown(position(POSITION))
    assert company(scene, "VC").note == "Virginia Central: starts in Richmond, +1 for its charter"
    assert company(scene, "WP").note == "West Point: starts in Montgomery, not Atlanta (no cube yet)"
    assert company(scene, "SOU").note == "Southern (Mississippi): waits for Vicksburg or Meridian"
    assert company(scene, "SC").note == ""


def test_barred_homes_are_marked_and_why() -> None:
    scene = shown(position(POSITION + "\n gone yellow 5"))  # green comes next
    assert company(scene, "WP").note == "West Point: not Montgomery (green GM&O in it), not Atlanta (no cube yet)"
    assert company(scene, "C&SC").note.endswith("not Charlotte (no cube yet), not Columbia (green SC in it)")
    home = tile(scene, "J7").home
    assert home is not None
    assert (home.letter, home.name) == ("×", "WP ×")
    beside = shown(position("players 3 \n SC green 0 I15 I14 H13"))
    assert company(beside, "CEN").note == "Central: not Savannah (green SC beside it)"


def test_homes_on_the_map() -> None:
    scene = shown(position(POSITION))
    marks = {id: home.letter + home.name for id in ("J7", "H9", "G3", "I15") if (home := tile(scene, id).home)}
    assert marks == {"J7": "⌂WP", "H9": "…WP/W&A", "G3": "…MC/M&T"}  # the SC has started


def test_connections_by_colour_and_all_cubes_of_a_city() -> None:
    state = position("players 3 \n SC green 0 I15 I14 H13 I13 I12 \n CEN red 1 J13 J12 I12 \n GA blue 2 I12 I11 J10")
    scene = shown(state)
    assert ("Met", "RB") in company(scene, "SC").facts
    assert [(cube.letter, cube.name) for cube in tile(scene, "I12").cubes] == [("G", "SC"), ("R", "CEN"), ("B", "GA")]


def test_the_sale_marker_and_the_score() -> None:
    scene = shown(position(POSITION))
    sales, score = track(scene, "sales"), track(scene, "score")
    assert sales.boxes == ["start", "1", "pay"]
    assert [bool(pieces) for pieces in sales.pieces] == [False, True, False]
    assert {score.boxes[n]: pieces[0].letter for n, pieces in enumerate(score.pieces) if pieces} == {
        "0": "B", "4": "A", "9": "C",
    }  # fmt: skip
    assert ("Points", "9") in scene.seats[2].facts


def test_what_goes_on() -> None:
    state = position(POSITION)
    do(state, "charter VC", "bid 9", "bid 12")
    scene = shown(state)
    assert company(scene, "VC").note.startswith("the charter is up for auction; Virginia Central")
    assert ("Auction", "$12") in scene.seats[2].facts
    assert scene.prompt == "Ann: Bid $13 or more for the VC charter, or pass"
    do(state, "pass")
    assert ("Auction", "passed") in shown(state).seats[0].facts
    do(state, "pass")
    scene = shown(state)
    assert company(scene, "VC").note == "is building"
    assert tile(scene, "A16").targets == ["build A16"]
    tied = position("players 3 \n gone green 6")
    sell(tied, "charter VC", 9)
    assert company(shown(tied), "VC").note.startswith("gets its colour; ")


def test_an_auction_shows_what_the_share_pays_and_builds() -> None:
    state = position(POSITION)
    assert shown(state).facts == []
    do(state, "charter N&P")
    pays = "pays $5, $3 once the common share is up; each $3 of the bid is a cube"
    assert shown(state).facts == [("N&P charter", pays)]
    state = position(POSITION)
    do(state, "common CEN")
    pays = "pays $3, and the charter $3 instead of $5; each $3 of the bid is a cube"
    assert shown(state).facts == [("CEN common share", pays)]


def test_a_card_shows_the_colours_that_its_railroad_can_score_no_more() -> None:
    text = "players 3 \n SC green 0 I15 I14 I13 I12 \n CEN red 1 J13 J12 I12"  # CEN came to Augusta second
    for option, first in (("both", "R"), ("placer", "–")):
        scene = shown(position(text, connection=option))
        assert dict(company(scene, "CEN").facts)["Met"] == "G"
        assert dict(company(scene, "SC").facts)["Met"] == first
