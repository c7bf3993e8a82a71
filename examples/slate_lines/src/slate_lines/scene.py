"""What a player sees of Slate Lines."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core import staging
from cuberails.core.looks import FIELDS, METROPOLIS, TOWN, Look
from cuberails.core.scene import Company, Fact, Map, Piece, Scene, Seat, Tile
from cuberails.core.state import State
from slate_lines.board import BUILD
from slate_lines.rules import Extension, ShareAuction
from slate_lines.state import Slate

LOOKS = {
    "meadow": FIELDS,
    "village": TOWN,
    "town": METROPOLIS,
    # This title's own: reeds in a bog, the steps of a quarry, an anchor
    "bog": Look("#c9d3c4", "M-7 3q2-2 4 0t4 0t4 0M-5 6q2-2 4 0t4 0M0 1v-7M3 1q0-4 2-6M-3 1q0-4-2-6", "≈", 66),
    "quarry": Look("#bcc0c9", "M-8 5h4v-3h4v-3h4v-3h4M-8 5h16v-9", "▲", 103),
    "harbour": Look("#dbe7ea", "M0-7v13M-3-4h6M-6 1q1 5 6 5q5 0 6-5", "⌂", 67),
}

LABELS = {
    "Sold": "shares sold, of all there are",
    "Pays": "what a share gets in a dividend now",
    "Diluted": "the same with one share more sold",
    "Cubes": "cubes left to build with",
}
"""What the heads of columns are short for."""


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, Slate)
    state: Slate = position
    board = state.board
    pieces = staging.pieces_of(board.letters, board.colors, board.tramways)
    return staging.scene_of(
        state,
        names,
        _map(state, pieces),
        [staging.marked_track("season", "Season", staging.numbered(1, board.seasons), state.season - 1)],
        _companies(state, pieces),
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        [],
        progress=_progress(state),
        acting=pieces[state.phase.tramway] if isinstance(state.phase, Extension) else None,
        labels=LABELS,
    )


def _map(state: Slate, pieces: list[Piece]) -> Map:
    targets = {action.a: action.text for action in state.legal_actions() if action.kind == BUILD}
    return staging.hex_map(
        state.board, [_tile(state, n, pieces, targets.get(n, "")) for n in range(state.board.grid.size)]
    )


def _tile(state: Slate, n: int, pieces: list[Piece], target: str) -> Tile:
    board, terrain, bit = state.board, state.board.terrain[n], state.board.grid.bit[n]
    tile = staging.hex_tile(board, n, terrain, LOOKS[terrain])
    tile.cost = f"${board.cost[n]}" if terrain != "harbour" else ""
    tile.income = _income(state, n)
    earns = board.printed[n] + state.slate[n]
    tile.now = str(earns) if earns else ""
    tile.cubes = [piece for piece, track in zip(pieces, state.track, strict=True) if track & bit]
    tile.home = next((piece for piece, start in zip(pieces, board.start, strict=True) if start == n), None)
    if target:
        tile.targets = [target]
        tile.gain = _gain(state, n)
    return tile


def _income(state: Slate, n: int) -> str:
    """The income of a hex; before a quarry is known, the least and the most that the die can bring."""
    board = state.board
    if not board.quarries & board.grid.bit[n]:
        return str(board.printed[n]) if board.printed[n] else ""
    if state.options["seams"] == "even":
        return str(board.even)
    return str(state.slate[n]) if state.slate[n] else f"{min(board.faces)}–{max(board.faces)}"


def _gain(state: Slate, n: int) -> str:
    phase = state.phase
    assert isinstance(phase, Extension)
    cost = state.build_cost(phase.tramway, n)
    if state.board.quarries & state.board.grid.bit[n]:
        return f"income +{_income(state, n)} for ${cost}"
    return staging.per_dollar(state.board.printed[n], cost)


def _companies(state: Slate, pieces: list[Piece]) -> list[Company]:
    """The tramways, with who leads in what players compare."""
    found = [_company(state, tramway, piece) for tramway, piece in enumerate(pieces)]
    staging.mark_leader(found, "Income", state.income)
    staging.mark_leader(found, "Treasury", state.treasury)
    return found


def _company(state: Slate, tramway: int, piece: Piece) -> Company:
    sold, total = state.sold(tramway), state.board.shares
    facts = [
        ("Income", str(state.income[tramway])),
        ("Treasury", f"${state.treasury[tramway]}"),
        ("Sold", f"{sold} of {total}"),
        ("Pays", f"${state.dividend(tramway, sold)}" if sold else "–"),
        ("Diluted", f"${state.dividend(tramway, sold + 1)}" if sold < total else "–"),
        ("Cubes", str(state.cubes[tramway])),
    ]
    phase = state.phase
    offered = isinstance(phase, ShareAuction) and phase.tramway == tramway
    note = "a share is being auctioned" if offered else ""
    held = staging.holdings_of([state.holds(seat, tramway) for seat in range(state.players)])
    return Company(f"company-{piece.name}", piece, facts, note, holdings=held)


def _seat(state: Slate, seat: int, name: str, pieces: list[Piece]) -> Seat:
    shares = [(piece, state.holds(seat, tramway)) for tramway, piece in enumerate(pieces)]
    return staging.seat_of(state, seat, name, [("Cash", f"${state.cash[seat]}"), *staging.bidding(state, seat)], shares)


def _progress(state: Slate) -> list[Fact]:
    """The way to the end: the seasons, and what is left of this one."""
    board = state.board
    left = board.turns * state.players - state.turns
    return [("Season", f"{state.season} of {board.seasons}"), ("Turns until the dividend", str(left))]
