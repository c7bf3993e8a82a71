"""What a player sees of Southern Rails."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.hexes import center_of
from cuberails.core.scene import Company, Map, Piece, Scene, Seat, Tile, Track
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import PLACE, RURAL
from cuberails.titles.southern_rails.rules import Draft, SouthernRails

LAST_BOX = 24
"""The revenue track is drawn to here; more than that is counted on."""


def scene(state: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(state, SouthernRails)
    game: SouthernRails = state
    board = game.board
    pieces = [Piece(letter, name, name) for letter, name in zip(board.letters, board.railroads, strict=True)]
    return Scene(
        title=board.name,
        note=board.reconstructed,
        prompt=_prompt(game, names),
        map=_map(game, pieces),
        tracks=[*_progress(game, pieces), _turn_order(game, names), _scorings(game)],
        companies=[_company(game, rr, piece) for rr, piece in enumerate(pieces)],
        seats=[_seat(game, seat, name, pieces) for seat, name in enumerate(names)],
        facts=[],
    )


def _prompt(game: SouthernRails, names: Sequence[str]) -> str:
    if game.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in game.winners()) + " won"
    return f"{names[game.actor]}: {game.prompt}"


def _map(game: SouthernRails, pieces: list[Piece]) -> Map:
    board = game.board
    targets: list[list[str]] = [[] for _ in range(board.grid.size)]
    for action in game.legal_actions():
        if action.kind == PLACE:
            targets[action.b].append(action.text)
    tiles = [_tile(game, n, pieces, targets[n]) for n in range(board.grid.size)]
    water = [center_of(board.layout, cell.col, cell.row) for cell in board.water]
    return Map(board.layout == "flat", tiles, water)


def _tile(game: SouthernRails, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = game.board
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
        cubes=[piece for piece, track in zip(pieces, game.track, strict=True) if track & bit],
        room=board.room[n],
        targets=targets,
    )


def _progress(game: SouthernRails, pieces: list[Piece]) -> list[Track]:
    """The progress board: revenue, the cities of each colour, and the cubes on the map."""
    board = game.board
    built = game.standing(board.by_track)
    cubes = [f"{n}★" if n == board.scoring_cube else str(n) for n in range(max(board.cubes) + 1)]
    return [
        _standing("revenue", "Revenue", _boxes(max(LAST_BOX, *game.revenue)), game.revenue, pieces),
        *(_cities(game, tier, name, pieces) for tier, name in enumerate(board.tiers)),
        _standing("cubes", "Cubes on the map (★ brings a scoring round)", cubes, built, pieces),
    ]


def _cities(game: SouthernRails, tier: int, name: str, pieces: list[Piece]) -> Track:
    last = game.board.tier.count(tier)
    return _standing(f"cities-{name}", f"{name.capitalize()} cities", _boxes(last), game.standing(tier), pieces)


def _boxes(last: int) -> list[str]:
    return [str(n) for n in range(last + 1)]


def _standing(key: str, label: str, boxes: list[str], figures: list[int], pieces: list[Piece]) -> Track:
    stand: list[list[Piece]] = [[] for _ in boxes]
    for piece, figure in zip(pieces, figures, strict=True):
        stand[figure].append(piece)
    return Track(key, label, boxes, stand)


def _turn_order(game: SouthernRails, names: Sequence[str]) -> Track:
    markers = _markers(game, names)
    return Track("order", "Turn order", _boxes(game.players)[1:], [[markers[seat]] for seat in game.order])


def _markers(game: SouthernRails, names: Sequence[str]) -> list[Piece]:
    """The seats' pieces: the initial of a name or, where another has it too, its last sign; else the seat's number."""
    initials = [name[:1].upper() for name in names]
    letters = [name[-1:] if initials.count(name[:1].upper()) > 1 else name[:1].upper() for name in names]
    if len(set(letters)) < len(letters):
        letters = [str(seat) for seat in range(len(names))]
    colors = game.board.seat_colors
    return [Piece(letters[seat], colors[seat], name) for seat, name in enumerate(names)]


def _scorings(game: SouthernRails) -> Track:
    boxes = ["start", *_boxes(game.board.rounds)[1:]]
    marker = Piece("●", "tan", "Scoring rounds")
    return Track(
        "scorings", "Scoring rounds", boxes, [[marker] if n == game.scorings else [] for n in range(len(boxes))]
    )


def _company(game: SouthernRails, rr: int, piece: Piece) -> Company:
    board = game.board
    tiers = board.tier_count
    cities = [(name.capitalize(), str(game.cities[rr * tiers + tier])) for tier, name in enumerate(board.tiers)]
    facts = [
        ("Revenue", f"${game.revenue[rr]}"),
        *cities,
        ("Cubes left", str(game.cubes[rr])),
        ("Shares owned", f"{game.owned(rr)} of {board.shares[rr]}"),
        ("Points a share", str(sum(board.points[category] for category in _led(game, rr)))),
    ]
    return Company(f"company-{piece.name}", piece, facts, _note(game, rr))


def _led(game: SouthernRails, rr: int) -> list[int]:
    """The categories that a scoring round would give to a railroad now."""
    return [category for category in range(len(game.board.categories)) if game.leader(category) == rr]


def _note(game: SouthernRails, rr: int) -> str:
    """Whether a share lies ready, and what a scoring round would bring now."""
    phase, board = game.phase, game.board
    notes = ["a share lies ready"] if isinstance(phase, Draft) and phase.laid >> rr & 1 else []
    leads = [board.categories[category] for category in _led(game, rr)]
    if leads and game.actor is not None:
        notes.append(f"leads {', '.join(leads)}")
    return "; ".join(notes)


def _seat(game: SouthernRails, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = game.board.count
    shares = [(piece, game.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=[
            ("Points", str(game.points[seat])),
            ("Last round", f"+{game.earned[seat]}" if game.scorings else "–"),
            ("Turn", str(game.order.index(seat) + 1)),
        ],
        shares=[(piece, held) for piece, held in shares if held],
        deciding=game.actor == seat,
        winner=game.actor is None and seat in game.winners(),
    )
