"""What a player sees of Credit Mobilier."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cuberails.core.scene import Area, Company, Dice, Link, Map, Piece, Scene, Seat, Tile
from cuberails.core.state import CHANCE, State
from cuberails.titles.credit_mobilier.board import BUILD, COAST, MOVE
from cuberails.titles.credit_mobilier.rules import CreditMobilier, Drawing, More, Rolling, Turn, dice_of

PITCH: Final = 1.75
"""From the middle of a square to the middle of the next, in sides of a square: room for a piece of track."""
COAST_WIDTH: Final = 1.2
SIDE_WIDTH: Final = 0.5


def scene(state: State, names: Sequence[str]) -> Scene:
    """The table of a position, with these names at the seats."""
    assert isinstance(state, CreditMobilier)
    game: CreditMobilier = state
    board = game.board
    pieces = [
        Piece(letter, color, name) for letter, color, name in zip(board.letters, board.colors, board.names, strict=True)
    ]
    return Scene(
        title=board.name,
        note=board.reconstructed,
        prompt=_prompt(game, names),
        map=_map(game, pieces),
        tracks=[],
        companies=[_company(game, c, pieces[c]) for c in range(board.companies)],
        seats=[_seat(game, seat, name, pieces) for seat, name in enumerate(names)],
        facts=_facts(game),
        dice=_dice(game, names, pieces),
    )


def _prompt(game: CreditMobilier, names: Sequence[str]) -> str:
    if game.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in game.winners()) + " won"
    if game.actor != CHANCE:
        return f"{names[game.actor]}: {game.prompt}"
    return game.prompt if isinstance(game.phase, Drawing) else f"{names[game.turn]} rolls the dice"


def _facts(game: CreditMobilier) -> list[tuple[str, str]]:
    free = len(game.board.slots) - game.built.bit_count()
    return [("Turn", str(game.turns)), ("Colors on the way", str(game.colors_out())), ("Track to build", str(free))]


def _dice(game: CreditMobilier, names: Sequence[str], pieces: list[Piece]) -> Dice | None:
    phase = game.phase
    if isinstance(phase, (Turn, More)):
        faces = [pieces[c] for c in dice_of(game.board, phase.roll)]
        return Dice("dice", f"{names[game.turn]} rolled", faces)
    return Dice("dice", f"{names[game.turn]} is about to roll", []) if isinstance(phase, Rolling) else None


# The map


def _map(game: CreditMobilier, pieces: list[Piece]) -> Map:
    board = game.board
    at_square: list[list[str]] = [[] for _ in board.squares]
    at_slot: list[list[str]] = [[] for _ in board.slots]
    for action in game.legal_actions():
        if action.kind == MOVE:
            at_square[action.b].append(action.text)
        elif action.kind == BUILD:
            at_slot[action.b].append(action.text)
    return Map(
        flat=False,
        tiles=[_tile(game, n, pieces, at_square[n]) for n in range(board.size)],
        water=[],
        square=True,
        links=[_link(game, slot, pieces, at_slot[slot]) for slot in range(len(board.slots))],
        areas=_areas(game, pieces),
    )


def _center(game: CreditMobilier, n: int) -> tuple[float, float]:
    row, column = divmod(n, game.board.columns)
    return column * PITCH, row * PITCH


def _tile(game: CreditMobilier, n: int, pieces: list[Piece], targets: list[str]) -> Tile:
    board = game.board
    x, y = _center(game, n)
    goods = [_pawn(pieces[c]) for c in range(board.railways) for _ in range(game.goods[c * board.size + n])]
    id = board.squares[n]
    return Tile(f"square-{id}", id, x, y, "square", cubes=goods, targets=targets)


def _pawn(company: Piece) -> Piece:
    return Piece(company.letter, company.color, f"{company.color} goods", pawn=True)


def _link(game: CreditMobilier, slot: int, pieces: list[Piece], targets: list[str]) -> Link:
    board = game.board
    one, other = board.ends[slot]
    x, y = _center(game, one)
    there = (x - PITCH, y) if other == COAST else _center(game, other)
    owner = game.track[slot]
    id = board.slots[slot]
    return Link(f"slot-{id}", id, (x, y), there, pieces[owner] if owner >= 0 else None, targets)


def _areas(game: CreditMobilier, pieces: list[Piece]) -> list[Area]:
    """The coast in the west, where goods arrive, and the eastern side."""
    board = game.board
    height = (board.rows - 1) * PITCH + 1
    middle = (board.rows - 1) * PITCH / 2
    arrived = [_pawn(pieces[c]) for c in range(board.railways) for _ in range(game.coast[c])]
    edge = 0.5 - PITCH  # as far from the first squares as they are from the second
    east = (board.columns - 1) * PITCH + 0.5 + 0.1 + SIDE_WIDTH / 2
    return [
        Area("coast", "Pacific Coast", edge - COAST_WIDTH / 2, middle, COAST_WIDTH, height, True, arrived),
        Area("east", "Eastern side", east, middle, SIDE_WIDTH, height),
    ]


# Companies and seats


def _company(game: CreditMobilier, c: int, piece: Piece) -> Company:
    board = game.board
    facts = [
        ("Treasury", f"${game.treasury[c]}"),
        ("Shares held", f"{game.held(c)} of {board.shares}"),
        ("Per share", _share_of(game.treasury[c], game.held(c))),
        ("Diluted", _share_of(game.treasury[c], game.held(c) + 1) if game.held(c) < board.shares else "–"),
    ]
    if c == board.builder:
        return Company(f"company-{piece.color}", piece, facts)
    out, arrived = game.goods_out(c), game.coast[c]
    facts += [("Goods to go", str(out)), ("At the coast", str(arrived)), ("Track", str(game.track.count(c)))]
    drawn = not isinstance(game.phase, Drawing)
    return Company(f"company-{piece.color}", piece, facts, "all goods have arrived" if drawn and not out else "")


def _share_of(treasury: int, held: int) -> str:
    """What a treasury holds for each of so many shares."""
    return f"${treasury / held:.2f}" if held else "–"


def _seat(game: CreditMobilier, seat: int, name: str, pieces: list[Piece]) -> Seat:
    board = game.board
    shares = [(pieces[c], game.shares[seat * board.companies + c]) for c in range(board.companies)]
    over = game.actor is None
    return Seat(
        key=f"seat-{seat}",
        name=name,
        facts=[("Cash", f"${game.cash[seat]}"), ("Shares", str(game.stock_of(seat)))],
        shares=[(piece, held) for piece, held in shares if held],
        deciding=game.actor == seat,
        winner=over and seat in game.winners(),
    )
