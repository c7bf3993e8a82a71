"""Scenes: what a player sees of a position, as keyed parts without any drawing.

A title's `scene.py` makes one, with the functions at the end of this file for what all titles show alike; `draw`
renders it. Parts are equal exactly if they look the same, so that a table can send only what changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from cuberails.core.auction import Auction
from cuberails.core.hexboard import HexBoard
from cuberails.core.hexes import FLAT, center_of
from cuberails.core.looks import Look
from cuberails.core.state import CHANCE, State

Fact = tuple[str, str]
"""A label and a value."""

Point = tuple[float, float]


@dataclass
class Piece:
    """A cube, share or counter: what a colour says, the letter says too. A `pawn` has the shape of one."""

    letter: str
    color: str
    name: str
    pawn: bool = False


@dataclass
class Tile:
    """A hex of the map. `x` and `y` are its middle in a drawing in which a side of a hex is 1 long.

    `cost` and `income` are what is printed in it, `now` what it earns at present; `step`, where it is given, says
    which of many printed incomes that is. `home` is the piece of the railroad that starts there. `room` is how many
    cubes fit in where that is printed, else 0. `targets` are the texts of the legal actions that point at it, and
    `gain` is what building there brings for its price. `look` is how its terrain is drawn, if the title says.
    """

    key: str
    id: str
    x: float
    y: float
    terrain: str
    name: str = ""
    cost: str = ""
    income: str = ""
    now: str = ""
    cubes: list[Piece] = field(default_factory=list)
    developed: bool = False
    home: Piece | None = None
    doubt: str = ""
    room: int = 0
    step: int = -1
    targets: list[str] = field(default_factory=list)
    gain: str = ""
    look: Look | None = None


@dataclass
class Link:
    """A place for track between two spaces of the map, from one point to another; `piece` is the track there."""

    key: str
    id: str
    start: Point
    end: Point
    piece: Piece | None = None
    targets: list[str] = field(default_factory=list)


@dataclass
class Area:
    """A rectangle of the map that is no tile, around its middle: a coast, or a side that has a name."""

    key: str
    name: str
    x: float
    y: float
    width: float
    height: float
    water: bool = False
    cubes: list[Piece] = field(default_factory=list)


@dataclass
class Map:
    """The hexes, and the places of water around them. Or, if `square`, squares with links and areas around them.

    `barriers` are pairs of neighbours between which nothing can be built, by their middles.
    """

    flat: bool
    tiles: list[Tile]
    water: list[Point]
    square: bool = False
    links: list[Link] = field(default_factory=list)
    areas: list[Area] = field(default_factory=list)
    barriers: list[tuple[Point, Point]] = field(default_factory=list)


@dataclass
class Dice:
    """A roll: a piece for each die, of the colour on top. Before the roll there are none."""

    key: str
    label: str
    faces: list[Piece]


@dataclass
class Track:
    """A row of boxes with pieces on some of them: `pieces[n]` stand on `boxes[n]`."""

    key: str
    label: str
    boxes: list[str]
    pieces: list[list[Piece]]


@dataclass
class Company:
    """A railroad: its piece and what there is to know about it, as pairs of label and value."""

    key: str
    piece: Piece
    facts: list[Fact]
    note: str = ""


@dataclass
class Seat:
    """A player: what it owns, as pairs of label and value, and its shares by company."""

    key: str
    name: str
    facts: list[Fact]
    shares: list[tuple[Piece, int]]
    deciding: bool = False
    winner: bool = False


@dataclass
class Scene:
    """The whole table."""

    title: str
    note: str
    prompt: str
    map: Map
    tracks: list[Track]
    companies: list[Company]
    seats: list[Seat]
    facts: list[Fact]
    dice: Dice | None = None


# What all titles show alike


def scene_of(
    state: State,
    names: Sequence[str],
    table: Map,
    tracks: list[Track],
    companies: list[Company],
    seats: list[Seat],
    facts: list[Fact],
    dice: Dice | None = None,
) -> Scene:
    """The whole table, with the name of the game, the note about its board and what is to be decided."""
    board = state.board
    prompt = prompt_of(state, names)
    return Scene(board.title.name, board.provenance.note, prompt, table, tracks, companies, seats, facts, dice)


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

    It goes on after the `last` number if a piece does; but where one is far beyond, only to the numbers that are taken.
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
    """What a player has done in the auction that is under way, if one is."""
    phase = state.phase
    if not isinstance(phase, Auction):
        return []
    if phase.leader == seat:
        return [("Highest bid", f"${phase.highest}")]
    return [] if phase.inside >> seat & 1 else [("Auction", "passed")]


def seat_letters(names: Sequence[str]) -> list[str]:
    """A letter a seat: its initial or, where another has it too, its last sign; else numbers, if any two are alike."""
    initials = [name[:1].upper() for name in names]
    letters = [name[-1:] if initials.count(name[:1].upper()) > 1 else name[:1].upper() for name in names]
    return letters if len(set(letters)) == len(letters) else [str(seat) for seat in range(len(names))]


def per_dollar(income: int, cost: int) -> str:
    """What a build brings for its price: "income +4 for $4, $1.00 a dollar"."""
    if not income or not cost:
        return f"income +{income} for ${cost}" if income else f"no income for ${cost}"
    return f"income +{income} for ${cost}, ${income / cost:.2f} a dollar"
