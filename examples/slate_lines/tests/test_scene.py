"""What a player sees of Slate Lines."""

from __future__ import annotations

import cuberails
from cuberails.core.scene import Tile
from cuberails.core.state import State

QUARRY = ("bid 9", "pass", "pass", "pass", "pass", "pass")  # the first auctions, two players: only North is sold


def tile(state: State, id: str) -> Tile:
    return next(tile for tile in cuberails.scene(state).map.tiles if tile.id == id)


def start(*actions: str, **options: str) -> State:
    state = cuberails.load("slate_lines").new(2, options)
    for action in (*QUARRY, *actions):
        state.apply(action)
    return state


def test_terrain_has_looks_of_its_own() -> None:
    looks = {tile.terrain: tile.look for tile in cuberails.scene(start()).map.tiles}
    assert set(looks) == {"meadow", "bog", "village", "town", "quarry", "harbour"}
    assert len(set(looks.values())) == 6


def test_places_to_build_are_targets_with_their_gain() -> None:
    state = start("extend North")
    assert [tile.targets for tile in cuberails.scene(state).map.tiles if tile.targets] == [["build C2"], ["build D1"]]
    assert tile(state, "C2").gain == "no income for $1"


def test_a_quarry_shows_what_the_die_can_bring_and_then_what_it_brought() -> None:
    state = start("extend North", "build C2", "build B2", "pass", "extend North")
    assert (tile(state, "A2").income, tile(state, "A2").now) == ("2–6", "")
    assert tile(state, "A2").gain == "income +2–6 for $3"
    assert cuberails.scene(state).prompt == "Seat 0: Build for North, which has $6"
    state.apply("build A2")
    assert cuberails.scene(state).prompt == "Roll for the slate in A2 Old Grey"
    state.apply("seam 5")
    assert (tile(state, "A2").income, tile(state, "A2").now) == ("5", "5")
    assert tile(start(seams="even"), "A2").income == "4"


def test_companies_and_seats_tell_what_they_have() -> None:
    scene = cuberails.scene(start("offer North"), ["Ann", "Bob"])
    north = scene.companies[0]
    assert north.note == "a share is being auctioned"
    assert dict(north.facts) == {
        "Income": "2",
        "Treasury": "$9",
        "Sold": "1 of 4",
        "Pays": "$2",
        "Diluted": "$1",
        "Cubes": "8",
    }
    assert scene.seats[0].facts == [("Cash", "$27"), ("Auction", "–")]
    assert [(piece.name, count) for piece, count in scene.seats[0].shares] == [("North", 1)]
    assert scene.progress[1] == ("Turns until the dividend", "4")
    assert north.holdings == ["1", ""]
