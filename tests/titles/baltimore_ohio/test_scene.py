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
    steps = scene(state, NAMES).sheets[0]
    assert steps.head == ["Step", "Price", "Serves", "Income", "Upkeep", "Net"]
    assert steps.caption == "B&O: what it earns now › at tech 2"
    rows = {row[0]: row[1:] for row in steps.rows}
    assert rows["as it is"] == ["–", "1 of 1", "$20 › $30", "$10 › $20", "$10 › $10"]
    assert rows["buy tech 1"] == ["$80", "1 of 1", "$20 › $30", "$20 › $40", "$0 › –$10"]
    assert rows["scrap tech 1"][0] == "+$20"


def test_a_card_that_is_too_dear_is_shown_with_its_price() -> None:
    state = position("players 3 \n business 1 \n deck 4 \n B&O value 66 shares 3 2 0 treasury 10 equipment 1")
    seen = scene(state, NAMES)
    assert ["tech 1, too dear", "$80"] in [row[:2] for row in seen.sheets[0].rows]
    assert seen.prompt == "Ann: Run B&O: scrap, build one hex, or done; treasury $10"
    assert seen.acting is not None
    assert seen.acting.name == "B&O"


def test_the_steps_that_earn_more_come_with_what_they_bring() -> None:
    state = position(
        """
        players 3
        business 1
        deck 2
        B&O value 66 shares 3 2 0 treasury 200 equipment 1 1 net 70 track I22
        C&O value 55 shares 0 3 0 track K22
        """
    )
    rows = {row[0]: row[1:] for row in scene(state, NAMES).sheets[0].rows}
    assert rows["build J21 Richmond"][:1] == ["$20"]
    assert not any("Dover" in step for step in rows)  # it earns no more than the two that are served


def test_the_technology_levels_with_the_present_one() -> None:
    """[B7.2, B10.4]"""
    tech = scene(position("players 3 \n deck 7"), NAMES).sheets[-1]
    assert (tech.caption, tech.now) == ("Technology", 1)
    assert tech.rows[1] == ["2", "2", "2", "$20", "$20", "$60 $66 $74", "3"]
    assert tech.rows[5] == ["6", "6", "6", "$60", "$60", "–", "5"]


def test_holdings_star_the_president_and_what_does_not_run_is_not_started() -> None:
    seen = scene(position("players 3 \n B&O value 66 shares 1 3 0"), NAMES)
    companies = {each.piece.name: each for each in seen.companies}
    assert (companies["B&O"].holdings, companies["B&O"].started) == (["1", "★3", ""], True)
    assert (companies["PA"].holdings, companies["PA"].started) == (["", "", ""], False)


def test_the_way_to_the_end() -> None:
    """[B16.1]"""
    seen = scene(position("players 3 \n deck 7 \n B&O value 66 shares 1 3 0"), NAMES)
    assert seen.progress == [("Tech", "2 of 6"), ("Cards until then", "19"), ("Best stock", "$66, ends at $375")]


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


def test_prompts_name_only_what_is_possible() -> None:
    poor = position("players 3 \n cash 10 10 10 \n B&O value 66 shares 3 2 0 treasury 0")
    assert scene(poor, NAMES).prompt == "Ann: Sell shares or pass; $10 in hand"
    one = position("players 3 \n business 1 \n deck 1 \n B&O value 66 shares 3 2 0 treasury 0 equipment 1 track I22")
    assert scene(one, NAMES).prompt == "Ann: Run B&O: scrap or done; treasury $0"
    one.apply(one.parse("done"))
    assert scene(one, NAMES).prompt == "Ann: Choose one city for B&O to serve (the best, or one by one)"
    assert scene(one, NAMES).sheets[0].caption == "B&O serves 1 of 2"


def test_the_president_has_a_star_in_the_players_hands_too() -> None:
    seen = scene(position("players 3 \n B&O value 66 shares 1 3 0"), NAMES)
    assert [[piece.letter for piece, _ in seat.shares] for seat in seen.seats] == [["B"], ["★B"], []]
