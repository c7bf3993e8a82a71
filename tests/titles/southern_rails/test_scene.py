"""What a player sees of Southern Rails."""

from __future__ import annotations

import cuberails
from cuberails.core.scene import Scene, Track
from tests.titles.southern_rails.position import do, position
from tests.titles.southern_rails.test_rules import NINE_RED

NAMES = ["Anna", "Beth", "Connor"]


def track(scene: Scene, key: str) -> Track:
    return next(track for track in scene.tracks if track.key == key)


def stand(scene: Scene, key: str) -> dict[str, str]:
    """The letters on each box of a track that has any."""
    found = track(scene, key)
    pairs = zip(found.boxes, found.pieces, strict=True)
    return {box: "".join(piece.letter for piece in pieces) for box, pieces in pairs if pieces}


def test_the_progress_board_shows_every_railroad() -> None:
    state = position("players 3 \n red shares 1 1 1 track J3 K4 K5 K6 J6 I6 H6 G7 G8 \n black track I5")
    scene = cuberails.scene(state, NAMES)
    assert stand(scene, "revenue") == {"0": "BYPG", "1": "K", "10": "R"}
    assert stand(scene, "cities-green") == {"0": "BYPG", "1": "RK"}
    assert stand(scene, "cities-blue") == {"0": "BYPGK", "1": "R"}
    assert stand(scene, "cities-red") == {"0": "BYPGK", "1": "R"}
    assert stand(scene, "cubes") == {"0": "BYPG", "1": "K", "9": "R"}
    assert "10★" in track(scene, "cubes").boxes
    assert dict(scene.companies[0].facts)["Cubes"] == "9"


def test_a_seat_shows_both_scores_and_its_place_in_the_order() -> None:
    state = position(f"players 3 \n points 5 6 7 \n {NINE_RED} \n blue shares 0 2 0 track G8 \n yellow shares 0 0 1")
    assert [dict(seat.facts)["Last round"] for seat in cuberails.scene(state, NAMES).seats] == ["–"] * 3
    scene = cuberails.scene(do(state, "place red J10"), NAMES)
    assert [tuple(value for _, value in seat.facts) for seat in scene.seats] == [
        ("5", "+0", "+0", "1"),
        ("10", "+4", "+4", "3"),
        ("7", "+0", "+0", "2"),
    ]
    assert stand(scene, "order") == {"1": "A", "2": "C", "3": "B"}
    assert stand(scene, "scorings") == {"1": "●"}


def test_railroads_say_what_they_lead_and_which_shares_lie_ready() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 2 0 track G8 \n yellow shares 0 0 1")
    assert cuberails.scene(state).companies[1].leads == ["Revenue"]
    do(state, "place red J10", "take red")
    notes = [company.note for company in cuberails.scene(state).companies]
    assert notes[:3] == ["", "a share lies ready", "a share lies ready"]


def test_the_categories_say_who_leads_who_ties_and_what_they_score() -> None:
    """[S6.3-S6.7]"""
    state = position("players 3 \n red shares 1 1 1 track J3 K4 K5 K6 J6 I6 H6 G7 G8 \n black track I5")
    seen = cuberails.scene(state, NAMES)
    assert seen.sheets[0].rows == [
        ["Most green cities", "1", "tied: nothing (red, black)", "1"],
        ["Most blue cities", "1", "red", "1"],
        ["Most red cities", "1", "red", "1"],
        ["Highest revenue", "2", "red", "10"],
        ["Most track", "1", "nobody: 11 needed", "9"],
        ["Fewest shares", "1", "tied: nothing (blue, yellow, purple, green, black)", "0"],
    ]
    red, *_, black = seen.companies
    assert (red.leads, red.ties) == (["Blue", "Red", "Revenue"], ["Green"])
    assert (black.leads, black.ties) == ([], ["Green", "Shares"])
    assert dict(red.facts)["Points"] == "4"
    assert [dict(seat.facts)["Now"] for seat in seen.seats] == ["+4", "+4", "+4"]


def test_the_way_to_the_end_is_the_next_scoring_round() -> None:
    """[S6.1, S8.1]"""
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 2 0 track G8 \n yellow shares 0 0 1")
    nearest = "cube 10 of a railroad (now 9: red)"
    assert cuberails.scene(state).progress == [("Scoring round", "1 of 4"), ("Comes with", nearest)]


def test_a_hex_shows_its_room_and_what_may_be_placed_there() -> None:
    state = position("players 3 \n red shares 1 1 1 track G9 \n blue shares 1 0 0 track H8")
    tiles = {tile.id: tile for tile in cuberails.scene(state).map.tiles}
    atlanta = tiles["G8"]
    assert (atlanta.terrain, atlanta.room, atlanta.income, atlanta.name) == ("yellow city", 6, "$4", "Atlanta")
    assert atlanta.targets == ["place red G8", "place blue G8"]
    assert [cube.letter for cube in tiles["H8"].cubes] == ["B"]
    assert (tiles["A14"].terrain, tiles["A14"].room, tiles["A14"].targets) == ("rural", 2, [])


def test_a_menu_tells_what_a_cube_brings() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 1 1 1 track G9")
    brought = {
        text: [event.brief() for event in state.copy().apply(state.parse(text))]
        for text in ("place blue G8", "place blue G10")
    }
    assert brought == {"place blue G8": ["+4"], "place blue G10": [""]}
    assert "scoring round" in [event.brief() for event in state.apply(state.parse("place red J10"))]


def test_a_railroad_says_what_a_share_would_score_now() -> None:
    state = position(f"players 3 \n {NINE_RED} \n blue shares 0 2 0 track G8 \n yellow shares 0 0 1")
    points = [dict(company.facts)["Points"] for company in cuberails.scene(state).companies]
    assert points[1] == "2"  # the highest revenue [S6.4]
    assert points.count("0") == len(points) - 1
