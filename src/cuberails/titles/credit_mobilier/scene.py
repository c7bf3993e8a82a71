"""What a player sees of Credit Mobilier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cuberails.core import staging
from cuberails.core.looks import Look
from cuberails.core.scene import Area, Company, Dice, Fact, Link, Map, Piece, Scene, Seat, Tile
from cuberails.core.state import State
from cuberails.titles.credit_mobilier.board import BUILD, COAST, MOVE, UNLIMITED
from cuberails.titles.credit_mobilier.rules import Drawing, More, Rolling, Turn, dice_of
from cuberails.titles.credit_mobilier.state import CreditMobilier

PITCH: Final = 1.75
"""From the middle of a square to the middle of the next, in sides of a square: room for a piece of track."""
LOOK: Final = Look("#efe8d4")
COAST_WIDTH: Final = 1.2
SIDE_WIDTH: Final = 0.5
LABELS: Final = {
    "Sold": "shares that players hold",
    "A share": "what the treasury holds for each share",
    "Diluted": "the same with one share more sold",
    "Goods": "pawns that are still on their way",
    "Track": "pieces of track on the board",
}


def scene(position: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(position, CreditMobilier)
    state: CreditMobilier = position
    board = state.board
    pieces = staging.pieces_of(board.letters, board.colors, board.names)
    seen = staging.scene_of(
        state,
        names,
        _map(state, pieces),
        [],
        _companies(state, pieces),
        [_seat(state, seat, name, pieces) for seat, name in enumerate(names)],
        _facts(state),
        _dice(state, names, pieces),
        progress=_progress(state),
        acting=pieces[state.phase.railway] if isinstance(state.phase, More) else None,
        labels=LABELS,
    )
    if isinstance(state.phase, Rolling):
        seen.prompt = f"{names[state.turn]} rolls the dice"
    return seen


def _facts(state: CreditMobilier) -> list[tuple[str, str]]:
    free = len(state.board.slots) - state.built.bit_count()
    return [("Turn", str(state.turns)), ("Track to build", str(free))]


def _progress(state: CreditMobilier) -> list[Fact]:
    """How many colors have goods on the way, and the fewest pawns that must arrive before the game ends [C8.1]."""
    board = state.board
    if isinstance(state.phase, Drawing):
        return [("Goods drawn", f"{state.phase.square} of {board.size}")]
    on_the_way = sorted(state.goods_out(c) for c in range(board.railways) if state.goods_out(c))
    least = sum(on_the_way[: max(0, len(on_the_way) - board.end_colors)])
    return [
        ("Colors with goods on the way", f"{len(on_the_way)}, ends at {board.end_colors}"),
        ("Pawns to arrive until then", f"{least} or more" if least else "0"),
    ]


def _dice(state: CreditMobilier, names: Sequence[str], pieces: list[Piece]) -> Dice | None:
    phase = state.phase
    if isinstance(phase, (Turn, More)):
        faces = [pieces[c] for c in dice_of(state.board, phase.roll)]
        return Dice("dice", f"{names[state.turn]} rolled", faces)
    return Dice("dice", f"{names[state.turn]} is about to roll", []) if isinstance(phase, Rolling) else None


# The map


def _map(state: CreditMobilier, pieces: list[Piece]) -> Map:
    board = state.board
    at_square: list[list[str]] = [[] for _ in board.squares]
    at_slot: list[list[str]] = [[] for _ in board.slots]
    for action in state.legal_actions():
        if action.kind == MOVE:
            at_square[action.b].append(action.text)
        elif action.kind == BUILD:
            at_slot[action.b].append(action.text)
    return Map(
        flat=False,
        tiles=[_tile(state, n, pieces, at_square[n]) for n in range(board.size)],
        water=[],
        square=True,
        links=[_link(state, slot, pieces, at_slot[slot]) for slot in range(len(board.slots))],
        areas=_areas(state, pieces),
    )


def _center(state: CreditMobilier, n: int) -> tuple[float, float]:
    row, column = divmod(n, state.board.columns)
    return column * PITCH, row * PITCH


def _tile(state: CreditMobilier, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = state.board
    x, y = _center(state, n)
    goods = [_pawn(pieces[c]) for c in range(board.railways) for _ in range(state.goods[c * board.size + n])]
    id = board.squares[n]
    return Tile(f"square-{id}", id, x, y, "square", cubes=goods, targets=targets, look=LOOK)


def _pawn(company: Piece) -> Piece:
    return Piece(company.letter, company.color, f"{company.color} goods", pawn=True)


def _link(state: CreditMobilier, slot: int, pieces: list[Piece], targets: list[str]) -> Link:
    board = state.board
    one, other = board.ends[slot]
    x, y = _center(state, one)
    there = (x - PITCH, y) if other == COAST else _center(state, other)
    owner = state.track[slot]
    id = board.slots[slot]
    return Link(f"slot-{id}", id, (x, y), there, pieces[owner] if owner >= 0 else None, targets)


def _areas(state: CreditMobilier, pieces: list[Piece]) -> list[Area]:
    """The coast in the west, where goods arrive, and the eastern side."""
    board = state.board
    height = (board.rows - 1) * PITCH + 1
    middle = (board.rows - 1) * PITCH / 2
    arrived = [_pawn(pieces[c]) for c in range(board.railways) for _ in range(state.coast[c])]
    edge = 0.5 - PITCH  # as far from the first squares as they are from the second
    east = (board.columns - 1) * PITCH + 0.5 + 0.1 + SIDE_WIDTH / 2
    return [
        Area("coast", "Pacific Coast", edge - COAST_WIDTH / 2, middle, COAST_WIDTH, height, True, arrived),
        Area("east", "Eastern side", east, middle, SIDE_WIDTH, height),
    ]


# Companies and seats


def _companies(state: CreditMobilier, pieces: list[Piece]) -> list[Company]:
    found = [_company(state, c, pieces[c]) for c in range(state.board.companies)]
    staging.mark_leader(found, "Treasury", state.treasury)
    shares = [money / held if held else 0.0 for money, held in zip(state.treasury, state.held)]
    staging.mark_leader(found, "A share", shares)
    return found


def _company(state: CreditMobilier, c: int, piece: Piece) -> Company:
    board, money, held = state.board, state.treasury[c], state.held[c]
    of_all = "" if state.certificates == UNLIMITED else f" of {state.certificates}"
    carries = c != board.builder
    facts = [
        ("Treasury", f"${money}"),
        ("Sold", f"{held}{of_all}"),
        ("A share", _share_of(money, held)),
        ("Diluted", _share_of(money, held + 1) if state.for_sale(c) else "–"),
        ("Goods", str(state.goods_out(c)) if carries else "–"),
        ("Track", str(state.track.count(c)) if carries else "–"),
    ]
    holdings = staging.holdings_of(state.shares[c :: board.companies])
    arrived = carries and not isinstance(state.phase, Drawing) and not state.goods_out(c)
    note = "all goods have arrived" if arrived else ""
    return Company(f"company-{piece.color}", piece, facts, note, holdings=holdings)


def _share_of(treasury: int, held: int) -> str:
    """What a treasury holds for each share held."""
    return f"${treasury / held:.2f}" if held else "–"


def _seat(state: CreditMobilier, seat: int, name: str, pieces: list[Piece]) -> Seat:
    board = state.board
    shares = [(pieces[c], state.shares[seat * board.companies + c]) for c in range(board.companies)]
    facts = [("Cash", f"${state.cash[seat]}"), ("Shares", str(state.stock_of(seat)))]
    return staging.seat_of(state, seat, name, facts, shares)
