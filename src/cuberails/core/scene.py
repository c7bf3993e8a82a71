"""Scenes: what a player sees of a position, as keyed parts without any drawing.

A title's `scene.py` makes one, with `staging` for what all titles show alike; `draw` renders it. Parts are equal
exactly if they look the same, so that a table can send only what changed.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from cuberails.core.looks import Look

Fact = tuple[str, str]
"""A label and a value."""

Point = tuple[float, float]


@dataclass
class Piece:
    """A cube, share or counter: what a colour says, the letter says too. A `pawn` has the shape of one.

    On the map a letter is one sign, on tracks up to two. Shares and companies may have a longer one: where railroads
    share a colour, the short name of the railroad.
    """

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
    """A railroad: its piece and what there is to know about it, as pairs of label and value.

    All companies of a scene have the same labels in the same order, so that they make the columns of a table. `leads`
    are the labels of the facts in which this company alone is ahead, `ties` those in which it is level with the leader.
    `holdings` says what each seat has of it, "" where that is nothing. One that has not `started` may be folded away.
    """

    key: str
    piece: Piece
    facts: list[Fact]
    note: str = ""
    leads: list[str] = field(default_factory=list)
    ties: list[str] = field(default_factory=list)
    holdings: list[str] = field(default_factory=list)
    started: bool = True


@dataclass
class Sheet:
    """A small table about this decision, or a `reference` to look things up in; `now` is the row in force, or -1."""

    key: str
    caption: str
    head: list[str]
    rows: list[list[str]]
    now: int = -1
    reference: bool = False


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
    """The whole table.

    `progress` tells the way to the end of the game: ("Sold out", "2 of 3"). `acting` is the piece of the railroad that
    builds or acts at this decision, if one does. `labels` explains labels of facts that are short for something.
    """

    title: str
    note: str
    prompt: str
    map: Map
    tracks: list[Track]
    companies: list[Company]
    seats: list[Seat]
    facts: list[Fact]
    dice: Dice | None = None
    progress: list[Fact] = field(default_factory=list)
    sheets: list[Sheet] = field(default_factory=list)
    acting: Piece | None = None
    labels: dict[str, str] = field(default_factory=dict)
