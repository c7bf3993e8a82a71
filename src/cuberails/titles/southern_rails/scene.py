"""What a player sees of Southern Rails."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import PLACE, RURAL
from cuberails.titles.southern_rails.rules import Draft
from cuberails.titles.southern_rails.state import SouthernRails

LAST_BOX = 24
"""The revenue track is drawn to here; more than that is counted on."""


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, SouthernRails)
    state: SouthernRails = position
    board = state.board
    pieces = [Piece(letter, name, name) for letter, name in zip(board.letters, board.railroads, strict=True)]
    return Scene(
        title=board.title.name,
        note=board.provenance.note,
        prompt=_prompt(state, names),
        map=_map(state, pieces),
        tracks=[*_progress(state, pieces), _turn_order(state, names), _scorings(state)],
        companies=[_company(state, rr, piece) for rr, piece in enumerate(pieces)],
        seats=[_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        facts=[],
    )


def _prompt(state: SouthernRails, names: Sequence[str]) -> str:
    if state.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in state.winners()) + " won"
    return f"{names[state.actor]}: {state.prompt}"


def _map(state: SouthernRails, pieces: list[Piece]) -> Map:
    board = state.board
    targets: list[list[str]] = [[] for _ in range(board.grid.size)]
    for action in state.legal_actions():
        if action.kind == PLACE:
            targets[action.b].append(action.text)
    tiles = [_tile(state, n, pieces, targets[n]) for n in range(board.grid.size)]
    water = [center_of(board.layout, cell.col, cell.row) for cell in board.water]
    return Map(board.layout == "flat", tiles, water)


def _tile(state: SouthernRails, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = state.board
    id, bit, kind = board.grid.ids[n], board.grid.bit[n], board.kind[n]
    x, y = board.grid.center(n)
    revenue = f"${board.revenue[n]}" if board.revenue[n] else ""
    return Tile(
        key=f"hex-{id}",
        id=id,
        x=x,
        y=y,
        terrain=kind if kind == RURAL else f"{kind} city",
        name=board.names[n],
        income=revenue,
        now=revenue,
        cubes=[piece for piece, track in zip(pieces, state.track, strict=True) if track & bit],
        room=board.room[n],
        targets=targets,
    )


def _progress(state: SouthernRails, pieces: list[Piece]) -> list[Track]:
    """The progress board: revenue, the cities of each colour, and the cubes on the map."""
    board = state.board
    built = state.standing(board.by_track)
    cubes = [f"{n}★" if n == board.scoring_cube else str(n) for n in range(max(board.cubes) + 1)]
    return [
        _standing("revenue", "Revenue", _boxes(max(LAST_BOX, *state.revenue)), state.revenue, pieces),
        *(_cities(state, tier, name, pieces) for tier, name in enumerate(board.tiers)),
        _standing("cubes", "Cubes on the map (★ brings a scoring round)", cubes, built, pieces),
    ]


def _cities(state: SouthernRails, tier: int, name: str, pieces: list[Piece]) -> Track:
    last = state.board.tier.count(tier)
    return _standing(f"cities-{name}", f"{name.capitalize()} cities", _boxes(last), state.standing(tier), pieces)


def _boxes(last: int) -> list[str]:
    return [str(n) for n in range(last + 1)]


def _standing(key: str, label: str, boxes: list[str], figures: list[int], pieces: list[Piece]) -> Track:
    stand: list[list[Piece]] = [[] for _ in boxes]
    for piece, figure in zip(pieces, figures, strict=True):
        stand[figure].append(piece)
    return Track(key, label, boxes, stand)


def _turn_order(state: SouthernRails, names: Sequence[str]) -> Track:
    markers = _markers(state, names)
    return Track("order", "Turn order", _boxes(state.players)[1:], [[markers[seat]] for seat in state.order])


def _markers(state: SouthernRails, names: Sequence[str]) -> list[Piece]:
    """The seats' pieces: the initial of a name or, where another has it too, its last sign; else the seat's number."""
    initials = [name[:1].upper() for name in names]
    letters = [name[-1:] if initials.count(name[:1].upper()) > 1 else name[:1].upper() for name in names]
    if len(set(letters)) < len(letters):
        letters = [str(seat) for seat in range(len(names))]
    colors = state.board.seat_colors
    return [Piece(letters[seat], colors[seat], name) for seat, name in enumerate(names)]


def _scorings(state: SouthernRails) -> Track:
    boxes = ["start", *_boxes(state.board.rounds)[1:]]
    marker = Piece("●", "tan", "Scoring rounds")
    return Track(
        "scorings", "Scoring rounds", boxes, [[marker] if n == state.scorings else [] for n in range(len(boxes))]
    )


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
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=[
            ("Points", str(state.points[seat])),
            ("Last round", f"+{state.earned[seat]}" if state.scorings else "–"),
            ("Turn", str(state.order.index(seat) + 1)),
        ],
        shares=[(piece, held) for piece, held in shares if held],
        deciding=state.actor == seat,
        winner=state.actor is None and seat in state.winners(),
    )
