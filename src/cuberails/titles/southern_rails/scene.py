"""What a player sees of Southern Rails."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, TOWN, Look
from cuberails.core.scene import Company, Fact, Map, Piece, Scene, Seat, Sheet, Tile, Track
from cuberails.core.state import State
from cuberails.titles.southern_rails.board import PLACE, RURAL
from cuberails.titles.southern_rails.rules import Draft
from cuberails.titles.southern_rails.state import SouthernRails

LAST_BOX = 24
"""The revenue track ends here; it is continued for a higher revenue."""

LOOKS = {
    RURAL: FIELDS,
    "green": Look("#c3d9b8", "triangle", "▲", 65, "green"),
    "blue": Look("#c1d3e2", "square", "■", 67, "blue"),
    "red": Look("#ebc7bb", "diamond", "◆", 131, "red"),
    "yellow": Look("#f2dd9f", "star", "★", 136, "yellow"),
}
"""By kind, each with a shape, so that none looks like a railroad of its colour. One that only another board has gets
its initial and, if it is a colour, that."""


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
        [*_progress_board(state, pieces), _turn_order(state, names), _scorings(state)],
        [_company(state, rr, piece) for rr, piece in enumerate(pieces)],
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        [],
        progress=_progress(state),
        sheets=[_categories(state)],
        labels=_labels(state),
    )


def _progress(state: SouthernRails) -> list[Fact]:
    """The scoring round that comes next, and which railroad is nearest to bringing it about [S6.1, S8.1]."""
    board = state.board
    number = min(state.scorings + 1, board.rounds)
    facts = [("Scoring round", f"{number} of {board.rounds}")]
    return [*facts, ("Comes with", _next_scoring(state))] if state.actor is not None else facts


def _next_scoring(state: SouthernRails) -> str:
    board = state.board
    built = [(state.built(rr), rr) for rr in range(board.count)]
    most = max([number for number, _ in built if number < board.scoring_cube], default=-1)
    if most < 0:
        return "the end: nobody can place a cube"
    nearest = ", ".join(board.railroads[rr] for number, rr in built if number == most > 0)
    return f"cube {board.scoring_cube} of a railroad" + (f" (now {most}: {nearest})" if nearest else "")


def _labels(state: SouthernRails) -> dict[str, str]:
    board = state.board
    labels = {tier.capitalize(): f"{tier} cities connected; the most score" for tier in board.tiers}
    labels |= {
        "Revenue": "the highest scores",
        "Cubes": f"cubes on the map; the most score from {board.track_least} on",
        "Shares": "shares in players' hands; the fewest score",
        "Points": "what each share would score now",
        "Now": "what the player would score now",
    }
    return labels


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


def _progress_board(state: SouthernRails, pieces: list[Piece]) -> list[Track]:
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


def _categories(state: SouthernRails) -> Sheet:
    """Who would score what if there were a scoring round now [S6.3-S6.7]."""
    board = state.board
    rows = [
        [name.capitalize(), str(board.points[category]), *_lead_of(state, category)]
        for category, name in enumerate(board.categories)
    ]
    return Sheet("sheet-categories", "Scoring now", ["Category", "Points", "Leader", "With"], rows)


def _lead_of(state: SouthernRails, category: int) -> list[str]:
    """The leader of a category and its figure, or why nobody leads."""
    board, leader, ahead = state.board, state.leader(category), _ahead(state, category)
    figure = str(state.standing(category)[ahead[0]])
    if leader >= 0:
        return [board.railroads[leader], figure]
    if category == board.by_track and int(figure) < board.track_least:
        return [f"nobody: {board.track_least} needed", figure]
    tied = ", ".join(board.railroads[rr] for rr in ahead) if len(ahead) < board.count else "all"
    return [f"tied: nothing ({tied})", figure]


def _ahead(state: SouthernRails, category: int) -> list[int]:
    """The railroads with the best figure of a category."""
    standing = state.standing(category)
    best = min(standing) if category == state.board.by_shares else max(standing)
    return [rr for rr, figure in enumerate(standing) if figure == best]


def _company(state: SouthernRails, rr: int, piece: Piece) -> Company:
    board = state.board
    tiers = board.tier_count
    cities = [(name.capitalize(), str(state.cities[rr * tiers + tier])) for tier, name in enumerate(board.tiers)]
    facts = [
        *cities,
        ("Revenue", f"${state.revenue[rr]}"),
        ("Cubes", str(state.built(rr))),
        ("Shares", str(state.owned(rr))),
        ("Points", str(_points(state, rr))),
    ]
    # The categories come in the order of these facts
    leads = [facts[category][0] for category in _led(state, rr)]
    ties = [facts[category][0] for category in range(len(board.categories)) if _tied(state, category, rr)]
    held = staging.holdings_of(state.shares[rr :: board.count])
    return Company(f"company-{piece.name}", piece, facts, _note(state, rr), leads, ties, held)


def _tied(state: SouthernRails, category: int, rr: int) -> bool:
    """Whether a railroad is level with the leaders of a category, unless all of them are [S6.7]."""
    ahead = _ahead(state, category)
    return rr in ahead and 1 < len(ahead) < state.board.count


def _points(state: SouthernRails, rr: int) -> int:
    """What a share of a railroad would score now [S6.2]."""
    return sum(state.board.points[category] for category in _led(state, rr))


def _led(state: SouthernRails, rr: int) -> list[int]:
    """The categories that a scoring round would give to a railroad now."""
    return [category for category in range(len(state.board.categories)) if state.leader(category) == rr]


def _note(state: SouthernRails, rr: int) -> str:
    """Whether a share lies ready."""
    phase = state.phase
    return "a share lies ready" if isinstance(phase, Draft) and phase.laid >> rr & 1 else ""


def _seat(state: SouthernRails, seat: int, name: str, pieces: list[Piece]) -> Seat:
    count = state.board.count
    shares = [(piece, state.shares[seat * count + rr]) for rr, piece in enumerate(pieces)]
    facts = [
        ("Points", str(state.points[seat])),
        ("Last round", f"+{state.earned[seat]}" if state.scorings else "–"),
        ("Now", f"+{sum(count * _points(state, rr) for rr, (_, count) in enumerate(shares))}"),
        ("Turn", str(state.order.index(seat) + 1)),
    ]
    return staging.seat_of(state, seat, name, facts, shares)
