"""What a player sees of Southern Rails."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, TOWN, Look
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import PLACE, RURAL
from cuberails.titles.southern_rails.rules import Draft
from cuberails.titles.southern_rails.state import SouthernRails

LAST_BOX = 24
"""The revenue track ends here; it is continued for a higher revenue."""

LOOKS = {
    RURAL: FIELDS,
    "green": Look("#c3d9b8", "ring", "g", 65, "green"),
    "blue": Look("#c1d3e2", "ring", "b", 67, "blue"),
    "red": Look("#ebc7bb", "ring", "r", 131, "red"),
    "yellow": Look("#f2dd9f", "ring", "y", 136, "yellow"),
}
"""By kind. Cities of a kind that only another board has get its initial and, if it is a colour, that."""


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, SouthernRails)
    state: SouthernRails = position
    board = state.board
    pieces = staging.pieces_of(board.letters, board.railroads, board.railroads)
    return staging.scene_of(
        state,
        names,
        _map(state, pieces),
        [*_progress(state, pieces), _turn_order(state, names), _scorings(state)],
        [_company(state, rr, piece) for rr, piece in enumerate(pieces)],
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        [],
    )


def _map(state: SouthernRails, pieces: list[Piece]) -> Map:
    board = state.board
    targets: list[list[str]] = [[] for _ in range(board.grid.size)]
    for action in state.legal_actions():
        if action.kind == PLACE:
            targets[action.b].append(action.text)
    return staging.hex_map(board, [_tile(state, n, pieces, targets[n]) for n in range(board.grid.size)])


def _tile(state: SouthernRails, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = state.board
    bit, kind = board.grid.bit[n], board.kind[n]
    tile = staging.hex_tile(board, n, board.terrain[n], LOOKS.get(kind) or TOWN._replace(symbol=kind[0], badge=kind))
    tile.income = tile.now = f"${board.revenue[n]}" if board.revenue[n] else ""
    tile.cubes = [piece for piece, track in zip(pieces, state.track, strict=True) if track & bit]
    tile.room = board.room[n]
    tile.targets = targets
    return tile


def _progress(state: SouthernRails, pieces: list[Piece]) -> list[Track]:
    """The progress board: revenue, the cities of each colour, and the cubes on the map."""
    board = state.board
    built = state.standing(board.by_track)
    cubes = [f"{n}★" if n == board.scoring_cube else str(n) for n in range(max(board.cubes) + 1)]
    return [
        staging.counted_track("revenue", "Revenue", 0, LAST_BOX, list(zip(state.revenue, pieces, strict=True))),
        *(_cities(state, tier, name, pieces) for tier, name in enumerate(board.tiers)),
        _standing("cubes", "Cubes on the map (★ brings a scoring round)", cubes, built, pieces),
    ]


def _cities(state: SouthernRails, tier: int, name: str, pieces: list[Piece]) -> Track:
    boxes = staging.numbered(0, state.board.tier.count(tier))
    return _standing(f"cities-{name}", f"{name.capitalize()} cities", boxes, state.standing(tier), pieces)


def _standing(key: str, label: str, boxes: list[str], figures: list[int], pieces: list[Piece]) -> Track:
    return staging.shared_track(key, label, boxes, list(zip(figures, pieces, strict=True)))


def _turn_order(state: SouthernRails, names: Sequence[str]) -> Track:
    markers = staging.pieces_of(staging.seat_letters(names), state.board.seat_colors[: state.players], list(names))
    return Track("order", "Turn order", staging.numbered(1, state.players), [[markers[seat]] for seat in state.order])


def _scorings(state: SouthernRails) -> Track:
    boxes = ["start", *staging.numbered(1, state.board.rounds)]
    return staging.marked_track("scorings", "Scoring rounds", boxes, state.scorings)


def _company(state: SouthernRails, rr: int, piece: Piece) -> Company:
    board = state.board
    tiers = board.tier_count
    cities = [(name.capitalize(), str(state.cities[rr * tiers + tier])) for tier, name in enumerate(board.tiers)]
    facts = [
        ("Revenue", f"${state.revenue[rr]}"),
        *cities,
        ("Cubes left", str(state.cubes[rr])),
        ("Shares owned", f"{state.owned(rr)} of {board.shares[rr]}"),
        ("Points a share", str(sum(board.points[category] for category in _led(state, rr)))),
    ]
    return Company(f"company-{piece.name}", piece, facts, _note(state, rr))


def _led(state: SouthernRails, rr: int) -> list[int]:
    """The categories that a scoring round would give to a railroad now."""
    return [category for category in range(len(state.board.categories)) if state.leader(category) == rr]


def _note(state: SouthernRails, rr: int) -> str:
    """Whether a share lies ready, and what a scoring round would bring now."""
    phase, board = state.phase, state.board
    notes = ["a share lies ready"] if isinstance(phase, Draft) and phase.laid >> rr & 1 else []
    leads = [board.categories[category] for category in _led(state, rr)]
    if leads and state.actor is not None:
        notes.append(f"leads {', '.join(leads)}")
    return "; ".join(notes)


def _seat(state: SouthernRails, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = state.board.count
    shares = [(piece, state.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    facts = [
        ("Points", str(state.points[seat])),
        ("Last round", f"+{state.earned[seat]}" if state.scorings else "–"),
        ("Turn", str(state.order.index(seat) + 1)),
    ]
    return staging.seat_of(state, seat, name, facts, shares)
