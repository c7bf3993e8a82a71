"""What a player sees of Baltimore & Ohio."""

from __future__ import annotations

from cuberails import scene
from cuberails.core.scene import Scene
from tests.titles.baltimore_ohio.position import position

NAMES = ["Ann", "Bob", "Cy"]


def fact(seen: Scene, label: str) -> str:
    return dict(seen.facts)[label]


def test_stacks_show_the_topmost_counter_first() -> None:
    state = position("players 3 \n B&O value 66 shares 3 0 0 \n PA value 66 shares 0 3 0")
    track = scene(state, NAMES).tracks[0]
    stacked = track.pieces[track.boxes.index("$66")]
    assert [piece.name for piece in stacked] == ["B&O", "PA"]


def test_a_city_shows_six_incomes_and_which_is_the_present_one() -> None:
    state = position("players 3 \n deck 7")  # two cards of tech 2 were bought
    york = next(tile for tile in scene(state, NAMES).map.tiles if tile.name == "New York")
    assert (york.income, york.now, york.step) == ("30/40/50/60/70/80", "40", 1)


def test_before_the_choice_the_table_shows_what_paying_and_retaining_bring() -> None:
    state = position(
        """
        players 3
        business 1
        deck 1
        B&O value 66 shares 3 2 0 treasury 0 equipment 1 net 0
        """
    )
    state.apply(state.parse("done"))
    seen = scene(state, NAMES)
    before = state.scores()
    assert fact(seen, "If paid") == "Ann $3, Bob $2, treasury $5; B&O goes to $74"
    assert fact(seen, "If retained") == "treasury $10; B&O stays at $66"
    state.apply(state.parse("pay"))
    assert [now - then for now, then in zip(state.scores(), before, strict=True)] == [3 + 3 * 8, 2 + 2 * 8, 0]


def test_before_buying_the_table_shows_service_and_maintenance() -> None:
    state = position("players 3 \n business 1 \n deck 4 \n B&O value 66 shares 3 2 0 treasury 400 equipment 1")
    assert fact(scene(state, NAMES), "With the next card") == (
        "B&O serves 1 of 1 cities; maintenance $20, at level 2 $40"
    )


def test_who_acts_next_is_told() -> None:
    state = position("players 3 \n order 2 0 1 \n B&O value 66 shares 3 0 0")
    assert fact(scene(state, NAMES), "Then, by their cards") == "Ann, Bob"


def test_counters_lie_on_the_map_until_they_are_taken() -> None:
    state = position("players 3 \n taken G18")
    here = {tile.id: [piece.name for piece in tile.cubes] for tile in scene(state, NAMES).map.tiles}
    assert (here["G18"], here["H17"], here["A30"]) == ([], ["coal counter"], ["timber counter"])


def test_a_place_to_build_shows_what_the_equipment_would_earn_there() -> None:
    state = position(
        """
        players 3
        business 1
        deck 2
        B&O value 66 shares 3 2 0 treasury 200 equipment 1 1 net 70 track I22
        C&O value 55 shares 0 3 0 track K22
        """
    )
    gains = {tile.id: tile.gain for tile in scene(state, NAMES).map.tiles if tile.targets}
    assert gains["J21"] == "income +10 for $20, $0.50 a dollar"  # Richmond, served instead of Washington
    assert gains["I24"] == "no income for $10"  # Dover earns no more than the two that are served
    assert gains["H21"] == "no income for $10"
