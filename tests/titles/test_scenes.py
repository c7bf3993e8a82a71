"""What the scene of every title promises, on random games of every number of players."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import chain
from random import Random

import pytest

import cuberails
from cuberails.core.playout import pick
from cuberails.core.scene import Company, Piece, Scene
from cuberails.core.state import CHANCE, State
from cuberails.draw import html, svg, text
from cuberails.draw.palette import PAINTS

NAMES = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo"]
TABLES = [
    (key, players)
    for key in cuberails.TITLES
    for players in range(cuberails.load(key).least_players, cuberails.load(key).most_players + 1)
]
EVERY = 9
"""Each position of so many is looked at, and the last."""

every_table = pytest.mark.parametrize(("key", "players"), TABLES)


@cache
def positions(key: str, players: int) -> list[tuple[State, Scene]]:
    """Positions of a random game, with what players see of them."""
    state, rng, found = cuberails.new(key, players), Random(f"{key} {players}"), []
    for number in range(100_000):
        if number % EVERY == 0 or state.actor is None:
            found.append((state.copy(), cuberails.scene(state, NAMES[:players])))
        if state.actor is None:
            break
        state.play(pick(state, rng))
    return found


def pieces(seen: Scene) -> Iterator[Piece]:
    """Every piece that is shown."""
    for tile in seen.map.tiles:
        yield from tile.cubes
        yield from [tile.home] if tile.home else []
    yield from (link.piece for link in seen.map.links if link.piece)
    yield from chain.from_iterable(area.cubes for area in seen.map.areas)
    yield from chain.from_iterable(chain.from_iterable(track.pieces) for track in seen.tracks)
    yield from (company.piece for company in seen.companies)
    yield from (piece for seat in seen.seats for piece, _ in seat.shares)
    yield from seen.dice.faces if seen.dice else []


def check_comparison(seen: Scene) -> None:
    """The railroads make one table: the same columns, at most one leader a column, and what each seat holds."""
    columns = [label for label, _ in seen.companies[0].facts]
    assert columns
    assert len(set(columns)) == len(columns)
    assert all([label for label, _ in company.facts] == columns for company in seen.companies)
    for label in columns:
        check_leader(seen, label)
    assert all({*company.leads, *company.ties} <= set(columns) for company in seen.companies)
    assert all(company.started or not (company.leads or company.ties) for company in seen.companies)
    for company in seen.companies:
        shares = [shares_of(seen, seat, company) for seat in range(len(seen.seats))]
        assert [count_of(held) for held in company.holdings] == shares
    assert seen.progress
    assert all(label and value for label, value in seen.progress)
    for sheet in seen.sheets:
        assert all(len(row) == len(sheet.head) for row in sheet.rows)
        assert -1 <= sheet.now < len(sheet.rows)
    assert seen.acting is None or seen.acting in [company.piece for company in seen.companies]


def check_leader(seen: Scene, label: str) -> None:
    """One railroad leads alone, or several tie with the same figure, or nobody is ahead."""
    leaders = [company for company in seen.companies if label in company.leads]
    tied = [company for company in seen.companies if label in company.ties]
    assert len(leaders) <= 1
    assert len(tied) != 1
    assert not (leaders and tied)
    assert len({dict(company.facts)[label] for company in tied}) <= 1


def count_of(held: str) -> int:
    """How many shares a holding is: "★3" are three, "charter, common" two."""
    return int(held.lstrip("★")) if held.lstrip("★").isdecimal() else len(held.split(", ")) if held else 0


def shares_of(seen: Scene, seat: int, company: Company) -> int:
    names = [company.piece.name, f"{company.piece.name} charter", f"{company.piece.name} common share"]
    return sum(count for piece, count in seen.seats[seat].shares if piece.name in names)


@every_table
def test_every_part_has_a_key_of_its_own(key: str, players: int) -> None:
    for _, seen in positions(key, players):
        keys = ["facts", *([seen.dice.key] if seen.dice else [])]
        keys += [each.key for each in seen.map.tiles] + [each.key for each in seen.map.links]
        keys += [each.key for each in seen.map.areas] + [each.key for each in seen.tracks]
        keys += [each.key for each in seen.companies] + [each.key for each in seen.seats]
        keys += [each.key for each in seen.sheets]
        keys += [f"{track.key}-{n}" for track in seen.tracks for n in range(len(track.boxes))]
        assert len(set(keys)) == len(keys)
        assert set(keys) | {"ledger-head", "players-head", "progress"} == set(html.parts(seen))
        assert not any(" " in part for part in keys)


@every_table
def test_targets_are_the_legal_actions_that_point_at_the_map(key: str, players: int) -> None:
    for state, seen in positions(key, players):
        places = {tile.id: tile.targets for tile in seen.map.tiles} | {link.id: link.targets for link in seen.map.links}
        pointing = {
            action.text: [word for word in action.text.split() if word in places] for action in state.legal_actions()
        }
        for action, words in pointing.items():
            assert all(action in places[word] for word in words)
        offered = list(chain.from_iterable(places.values()))
        assert len(set(offered)) == len(offered)
        for id, targets in places.items():
            assert all(pointing[target] in ([id], []) for target in targets)  # [] is what has one place: the timber


@every_table
def test_every_piece_has_a_letter_a_colour_and_a_name(key: str, players: int) -> None:
    for _, seen in positions(key, players):
        for piece in pieces(seen):
            assert (bool(piece.letter), piece.color in PAINTS, bool(piece.name)) == (True, True, True), piece
        assert {len(piece.letter) for tile in seen.map.tiles for piece in tile.cubes} <= {1}
        on_tracks = chain.from_iterable(chain.from_iterable(track.pieces) for track in seen.tracks)
        assert {len(piece.letter) for piece in on_tracks} <= {1, 2}


@every_table
def test_tracks_have_pieces_for_their_boxes_and_railroads_have_facts(key: str, players: int) -> None:
    for _, seen in positions(key, players):
        assert all(len(track.boxes) == len(track.pieces) > 0 and track.label for track in seen.tracks)
        assert seen.companies
        check_comparison(seen)


@every_table
def test_seats_say_who_decides_and_who_has_won(key: str, players: int) -> None:
    for state, seen in positions(key, players):
        assert [seat.name for seat in seen.seats] == NAMES[:players]
        assert [seat.deciding for seat in seen.seats] == [state.actor == seat for seat in range(players)]
        winners = state.winners() if state.actor is None else []
        assert [seat.winner for seat in seen.seats] == [seat in winners for seat in range(players)]
        for seat in seen.seats:
            assert seat.facts
            assert all(held > 0 for _, held in seat.shares)


@every_table
def test_the_prompt_names_who_decides_or_who_has_won(key: str, players: int) -> None:
    for state, seen in positions(key, players):
        if state.actor is None:
            assert seen.prompt == f"The game is over. {' and '.join(NAMES[seat] for seat in state.winners())} won"
        elif state.actor == CHANCE:
            assert seen.prompt
        else:
            assert seen.prompt == f"{NAMES[state.actor]}: {state.prompt}"


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_players_are_told_what_is_doubtful_about_the_board(key: str) -> None:
    state, seen = positions(key, cuberails.load(key).most_players)[0]
    note = state.board.provenance.note
    assert (seen.title, seen.note) == (state.title.name, note)
    assert note in " ".join(text(seen, 80).split())
    assert all(word in svg(seen) for word in note.split())


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_hex_has_the_look_of_its_terrain(key: str) -> None:
    _, seen = positions(key, cuberails.load(key).most_players)[-1]
    looks = {(tile.terrain, tile.look) for tile in seen.map.tiles}
    assert None not in [look for _, look in looks]
    assert len(looks) == len({terrain for terrain, _ in looks})
