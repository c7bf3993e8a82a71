"""Staging: the parts of a scene that all titles show alike."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.auction import Auction
from cuberails.core.hexboard import HexBoard
from cuberails.core.hexes import FLAT, center_of
from cuberails.core.looks import Look
from cuberails.core.scene import Company, Dice, Fact, Map, Piece, Scene, Seat, Sheet, Tile, Track
from cuberails.core.state import CHANCE, State


def scene_of(
    state: State,
    names: Sequence[str],
    table: Map,
    tracks: list[Track],
    companies: list[Company],
    seats: list[Seat],
    facts: list[Fact],
    dice: Dice | None = None,
    *,
    progress: list[Fact] | None = None,
    sheets: list[Sheet] | None = None,
    acting: Piece | None = None,
    labels: dict[str, str] | None = None,
) -> Scene:
    """The whole table, with the name of the game, the note about its board and what is to be decided."""
    board = state.board
    prompt = prompt_of(state, names)
    seen = Scene(board.title.name, board.provenance.note, prompt, table, tracks, companies, seats, facts, dice)
    seen.progress, seen.sheets, seen.acting, seen.labels = progress or [], sheets or [], acting, labels or {}
    return seen


def prompt_of(state: State, names: Sequence[str]) -> str:
    """What is to be decided and by whom, or who has won."""
    if state.actor is None:
        return "The game is over. " + " and ".join(names[seat] for seat in state.winners()) + " won"
    return state.prompt if state.actor == CHANCE else f"{names[state.actor]}: {state.prompt}"


def pieces_of(letters: list[str], colors: list[str], names: list[str]) -> list[Piece]:
    """The pieces of railroads or companies."""
    return [Piece(letter, color, name) for letter, color, name in zip(letters, colors, names, strict=True)]


def hex_map(board: HexBoard, tiles: list[Tile]) -> Map:
    """The map of a board of hexes, with the water around it."""
    return Map(board.layout == FLAT, tiles, [center_of(board.layout, cell.col, cell.row) for cell in board.water])


def hex_tile(board: HexBoard, n: int, terrain: str, look: Look | None) -> Tile:
    """A hex with what is printed in it on every board; what else there is to see, a title adds."""
    id, (x, y) = board.grid.ids[n], board.grid.center(n)
    return Tile(f"hex-{id}", id, x, y, terrain, board.names[n], doubt=board.doubts.get(id, ""), look=look)


def marked_track(key: str, label: str, boxes: list[str], at: int, marker: str = "") -> Track:
    """A track with one round marker on it, which is called like the track unless it has a name."""
    counter = Piece("●", "tan", marker or label)
    return Track(key, label, boxes, [[counter] if n == at else [] for n in range(len(boxes))])


def shared_track(key: str, label: str, boxes: list[str], standing: list[tuple[int, Piece]]) -> Track:
    """A track on which many pieces stand, each with the number of its box."""
    pieces: list[list[Piece]] = [[] for _ in boxes]
    for box, piece in standing:
        pieces[box].append(piece)
    return Track(key, label, boxes, pieces)


def counted_track(key: str, label: str, first: int, last: int, standing: list[tuple[int, Piece]]) -> Track:
    """A track of numbers on which each piece stands at its figure; one below the first number is not on it.

    It continues after the `last` number if a piece does; where one is far beyond, only to the numbers that are taken.
    """
    figures = {figure for figure, _ in standing}
    most = max(figures, default=first)
    beyond = range(last + 1, most + 1) if most <= 4 * last else sorted(n for n in figures if n > last)
    numbers = [*range(first, last + 1), *beyond]
    places = [(numbers.index(figure), piece) for figure, piece in standing if figure >= first]
    return shared_track(key, label, [str(n) for n in numbers], places)


def numbered(first: int, last: int) -> list[str]:
    """The boxes of a track of numbers."""
    return [str(n) for n in range(first, last + 1)]


def seat_of(state: State, seat: int, name: str, facts: list[Fact], shares: list[tuple[Piece, int]]) -> Seat:
    """A player; shares of which it has none are left out."""
    held = [(piece, count) for piece, count in shares if count]
    over = state.actor is None
    return Seat(f"seat-{seat}", name, facts, held, state.actor == seat, over and seat in state.winners())


def bidding(state: State, seat: int) -> list[Fact]:
    """How a player stands in the auction that is under way, if one is."""
    phase = state.phase
    if not isinstance(phase, Auction):
        return []
    bid = f"${phase.highest}" if phase.leader == seat else "–"
    return [("Auction", bid if phase.inside >> seat & 1 else "passed")]


def seat_letters(names: Sequence[str]) -> list[str]:
    """A sign for each seat: its initial, with its number or its second letter where another has the same initial."""
    initials = [name[:1].upper() or "?" for name in names]
    signs = [
        initial if initials.count(initial) == 1 else initial + (name[-1:] if name[-1:].isdecimal() else name[1:2])
        for initial, name in zip(initials, names)
    ]
    return signs if len(set(signs)) == len(signs) else [f"{initial}{n}" for n, initial in enumerate(initials, 1)]


def holdings_of(counts: Sequence[int]) -> list[str]:
    """What each seat has of a railroad, by the number of its shares."""
    return [str(count) if count else "" for count in counts]


def mark_leader(companies: list[Company], label: str, figures: Sequence[float]) -> None:
    """Under a label the company with the highest figure leads; if several have it, they tie. Below 1 nobody does."""
    best = max(figures, default=0)
    ahead = [company for company, figure in zip(companies, figures, strict=True) if figure == best > 0]
    for company in ahead:
        if len(ahead) == 1:
            company.leads.append(label)
        elif len(ahead) < len(companies):
            company.ties.append(label)


def per_dollar(income: int, cost: int) -> str:
    """What a build brings for its price: "income +4 for $4, $1.00 a dollar"."""
    if not income or not cost:
        return f"income +{income} for ${cost}" if income else f"no income for ${cost}"
    return f"income +{income} for ${cost}, ${income / cost:.2f} a dollar"
