"""The parts of a scene as HTML, for a page: each is one element with the part's key as its id.

No styles and no scripts inside: colours are classes, which `stylesheet()` defines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Final
from urllib.parse import quote

from cuberails.core.scene import Area, Company, Dice, Link, Map, Piece, Scene, Seat, Sheet, Tile, Track
from cuberails.core.staging import seat_letters
from cuberails.draw.board import DOUBTFUL, POSSIBLE, area, board, form_of, link, signs, tile
from cuberails.draw.palette import PAINTS, Paint
from cuberails.draw.pen import Block, clean, supplies
from cuberails.draw.svg import STYLE

MAP_WIDTH: Final = 976.0
_SHORT: Final = 5
"""Names of players with so many letters fit over a column."""
_LONG: Final = 14
"""Of a track with more boxes than this only those with pieces are shown in narrow places."""


@dataclass
class Box:
    """One box of a track with the pieces on it."""

    key: str
    label: str
    pieces: list[Piece]


@dataclass
class Row:
    """A track: as long as it has as many boxes, only those change from which and to which pieces go."""

    label: str
    boxes: int
    track: Track = field(compare=False)


@dataclass
class Head:
    """The heads of the columns of a table: of the railroads, or of the players."""

    key: str
    first: str
    labels: list[str]
    seats: list[str]


@dataclass
class Line:
    """A railroad or a player as a row of its table, with the labels of the columns."""

    what: Company | Seat
    labels: list[str]


@dataclass
class Goals:
    """The way to the end of the game."""

    pairs: list[tuple[str, str]]


Part = Tile | Link | Area | Row | Box | Head | Line | Dice | Sheet | Goals | list[tuple[str, str]]


def parts(scene: Scene) -> dict[str, Part]:
    """Everything in a scene that can change by itself, by its key."""
    found: dict[str, Part] = {each.key: each for each in scene.map.tiles}
    found.update({each.key: each for each in scene.map.links})
    found.update({each.key: each for each in scene.map.areas})
    for row in scene.tracks:
        found[row.key] = Row(row.label, len(row.boxes), row)
        found.update({box.key: box for box in _boxes(row)})
    found.update(ledger(scene))
    found.update(players(scene))
    found.update({each.key: each for each in scene.sheets})
    found["facts"] = scene.facts
    found["progress"] = Goals(scene.progress)
    if scene.dice:
        found[scene.dice.key] = scene.dice
    return found


def part(what: Part, form: str) -> str:
    """One part as the markup that replaces it on the page; `form` is that of the map's tiles."""
    if isinstance(what, Tile):
        return tile(what, form)
    if isinstance(what, Link):
        return link(what, form)
    if isinstance(what, Area):
        return area(what, form)
    if isinstance(what, list):
        return facts(what)
    if isinstance(what, Row):
        return track(what.track)
    return _DRAWN[type(what)](what)


def changes(before: Scene, after: Scene) -> dict[str, str]:
    """The parts of `after` that look different from `before`; a part that is gone is empty."""
    old, new, form = parts(before), parts(after), form_of(after.map)
    changed = {key: part(what, form) for key, what in new.items() if old.get(key) != what}
    return changed | {key: "" for key in old if key not in new}


def map_svg(table: Map, label: str) -> str:
    """The map as an SVG element for a page."""
    drawn = _drawn(table)
    return (
        f'<svg class="cuberails" id="board" viewBox="{_box_of(drawn)}" role="group" aria-label="{_text(label)}">'
        f"{supplies()}{drawn.body}</svg>"
    )


def map_picture(table: Map, label: str) -> str:
    """The map alone as a standalone SVG picture, for a menu."""
    drawn = _drawn(table)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="cuberails" viewBox="{_box_of(drawn)}" role="img" '
        f'aria-label="{_text(label)}"><style>{STYLE}</style>{supplies()}{drawn.body}</svg>'
    )


def _drawn(table: Map) -> Block:
    return board(table, MAP_WIDTH) if table.tiles else Block(MAP_WIDTH, MAP_WIDTH / 2, "")


def _box_of(drawn: Block) -> str:
    return f"-4 -4 {drawn.width + 8:.0f} {drawn.height + 8:.0f}"


# Tables to compare railroads and players in


def ledger(scene: Scene) -> dict[str, Part]:
    """The railroads as a table: a row each, a column for each fact, and what each player has of them."""
    labels = _labels([row.facts for row in scene.companies])
    holders = [seat.name for seat in scene.seats] if any(row.holdings for row in scene.companies) else []
    head = Head("ledger-head", "Railroad", labels, holders)
    return {head.key: head, **{row.key: Line(row, labels) for row in scene.companies}}


def players(scene: Scene) -> dict[str, Part]:
    """The players as a table: a row each, a column for each fact, and their shares."""
    labels = _labels([who.facts for who in scene.seats])
    head = Head("players-head", "Player", [*labels, "Holds"], [])
    return {head.key: head, **{who.key: Line(who, labels) for who in scene.seats}}


def _labels(rows: list[list[tuple[str, str]]]) -> list[str]:
    """The labels of all rows, in the order of those that have most."""
    longest = sorted(rows, key=len, reverse=True)
    return list(dict.fromkeys(label for row in longest for label, _ in row))


def _head(head: Head) -> str:
    sort = "".join(
        f'<th scope="col"><button data-sort="{_text(each)}">{_text(each)}</button></th>' for each in head.labels
    )
    signs = zip(head.seats, seat_letters(head.seats))
    seats = "".join(_holder(n, name, letter) for n, (name, letter) in enumerate(signs))
    first = f'<th scope="col"><button data-sort="">{head.first}</button></th>'
    return f'<thead id="{head.key}"><tr>{first}{sort}{seats}</tr></thead>'


def _holder(n: int, name: str, letter: str) -> str:
    """The head of a player's column: short names as they are, long ones as a letter."""
    short = name if len(name) <= _SHORT else letter
    return f'<th scope="col" class="who" data-seat="{n}"><abbr title="{_text(name)}">{_text(short)}</abbr></th>'


def _line(line: Line) -> str:
    return company(line.what, line.labels) if isinstance(line.what, Company) else seat(line.what, line.labels)


def seat(who: Seat, labels: list[str]) -> str:
    """A player with cash and shares. Whose turn it is, a page marks itself: that changes with every action."""
    held = "".join(f"<li>{chip(p)}{'' if n == 1 else f'×{n}'}</li>" for p, n in who.shares)
    shares = f'<ul class="shares" aria-label="shares">{held}</ul>' if held else ""
    state = " winner" if who.winner else ""
    name = f'<th scope="row">{_text(who.name)}</th>'
    cells = _cells(dict(who.facts), labels, {})
    return (
        f'<tbody class="seat{state}" id="{_text(who.key)}"><tr>{name}{cells}<td class="held">{shares}</td></tr></tbody>'
    )


def company(row: Company, labels: list[str]) -> str:
    """A railroad: what there is to know about it, where it leads or is level with the leader, and who has how much."""
    same = row.piece.letter == row.piece.name
    name = f'<th scope="row">{chip(row.piece)} {"" if same else _text(row.piece.name)}</th>'
    held = "".join(f'<td class="who" data-seat="{n}">{_text(text)}</td>' for n, text in enumerate(row.holdings))
    if row.note and not row.started:  # there are no figures yet
        cells, note = f'<td class="remark" colspan="{len(labels)}">{_text(row.note)}</td>', ""
    else:
        signs = dict.fromkeys(row.ties, "tie") | dict.fromkeys(row.leads, "lead")
        cells, note = _cells(dict(row.facts), labels, signs), _note(row.note, 1 + len(labels) + len(row.holdings))
    state = "company" if row.started else "company idle"
    return f'<tbody class="{state}" id="{_text(row.key)}"><tr>{name}{cells}{held}</tr>{note}</tbody>'


def _note(note: str, across: int) -> str:
    return f'<tr class="remark"><td colspan="{across}">{_text(note)}</td></tr>' if note else ""


_SIGNS: Final = {"lead": ("▲", "leads"), "tie": ("=", "tied")}
"""How a figure is marked that leads or is tied, and how that is said."""


def _cells(facts: dict[str, str], labels: list[str], signs: dict[str, str]) -> str:
    return "".join(_cell(label, facts.get(label, ""), signs.get(label, "")) for label in labels)


def _cell(label: str, value: str, sign: str) -> str:
    if not sign:
        return f'<td data-fact="{_text(label)}">{_text(value)}</td>'
    letter, said = _SIGNS[sign]
    mark = f'<abbr title="{said}">{letter}</abbr>'
    return f'<td data-fact="{_text(label)}" class="{sign}">{_text(value)}{mark}</td>'


def sheet(table: Sheet) -> str:
    """A small table about this decision, or to look things up in."""
    head = "".join(f'<th scope="col">{_text(label)}</th>' for label in table.head)
    rows = "".join(
        ('<tr class="now">' if n == table.now else "<tr>")
        + "".join(f"<td>{_text(cell)}</td>" for cell in row)
        + "</tr>"
        for n, row in enumerate(table.rows)
    )
    body = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    summary = f"<summary>{_text(table.caption)}</summary>"
    return f'<details class="sheet" id="{_text(table.key)}" open="">{summary}{body}</details>'


def _goals(goals: Goals) -> str:
    """The way to the end of the game, as a row of figures."""
    items = "".join(f"<li>{_text(label)} <b>{_text(value)}</b></li>" for label, value in goals.pairs)
    return f'<ul class="progress" id="progress" aria-label="The way to the end">{items}</ul>'


def track(row: Track) -> str:
    """A row of boxes with pieces on some of them."""
    boxes = "".join(_box(each) for each in _boxes(row))
    length = "long" if len(row.boxes) > _LONG else "short"
    caption = f"<figcaption>{_text(row.label)}</figcaption>"
    return f'<figure class="track {length}" id="{_text(row.key)}">{caption}<ol>{boxes}</ol></figure>'


def _boxes(row: Track) -> list[Box]:
    both = enumerate(zip(row.boxes, row.pieces, strict=True))
    return [Box(f"{row.key}-{n}", label, pieces) for n, (label, pieces) in both]


def _box(box: Box) -> str:
    taken = ' class="taken"' if box.pieces else ""
    return f'<li{taken} id="{_text(box.key)}">{_text(box.label)}{"".join(map(chip, box.pieces))}</li>'


def dice(roll: Dice) -> str:
    """A roll of dice."""
    faces = "".join(
        f'<li class="die c-{_text(f.color)}" title="{_text(f.name)}">{_text(f.letter)}</li>' for f in roll.faces
    )
    return f'<div class="dice" id="{_text(roll.key)}"><h2>{_text(roll.label)}</h2><ul>{faces}</ul></div>'


def facts(pairs: list[tuple[str, str]]) -> str:
    """What else there is to know about the table."""
    return f'<div class="facts" id="facts">{_pairs(pairs)}</div>'


_DRAWN: Final[dict[type, Callable[..., str]]] = {
    Box: _box,
    Head: _head,
    Line: _line,
    Dice: dice,
    Sheet: sheet,
    Goals: _goals,
}


def chip(what: Piece) -> str:
    """A piece: its colour and its letter, and its name for those who do not see it."""
    return f'<abbr class="chip c-{_text(what.color)}" title="{_text(what.name)}">{_text(what.letter)}</abbr>'


def legend(scene: Scene) -> str:
    """What the signs, colours, marks and short labels of a table mean."""
    frame = '<svg class="cuberails" viewBox="-13 -13 26 26" aria-hidden="true">'
    drawn = [
        f"<li>{frame}{sign}</svg> {_text(MEANINGS.get(label, label))}</li>" for label, sign in signs(scene.map, True)
    ]
    colors = [f"<li>{chip(piece)} {_text(piece.name)}</li>" for piece in _told_by_chips(scene)]
    words = "".join(f"<dt>{_text(label)}</dt><dd>{_text(said)}</dd>" for label, said in (MARKS | scene.labels).items())
    return f'<ul class="legend">{"".join(drawn + colors)}</ul><dl class="labels">{words}</dl>'


def _told_by_chips(scene: Scene) -> list[Piece]:
    """The railroads; or where they have signs of their own, the colours of their cubes."""
    pieces = [company.piece for company in scene.companies if company.piece.letter != company.piece.name]
    supply = [piece for track in scene.tracks for box in track.pieces for piece in box if piece.name == piece.color]
    return pieces or list({piece.name: piece for piece in supply}.values())


MEANINGS: Final = {
    DOUBTFUL: "Doubtful: we are not sure of what is printed there; point at the place to read why",
    POSSIBLE: "Possible now; a press shows what it would bring",
}
MARKS: Final = {"▲": "leads alone", "=": "is level with the leader"}
"""What stands beside figures."""


def _pairs(pairs: list[tuple[str, str]]) -> str:
    rows = "".join(f"<dt>{_text(label)}</dt><dd>{_text(value)}</dd>" for label, value in pairs)
    return f"<dl>{rows}</dl>" if rows else ""


def _text(text: str) -> str:
    return escape(clean(text))


def stylesheet() -> str:
    """The colours and patterns of pieces and the look of the map, for a page's own style sheet to build on."""
    colors = "".join(
        f".c-{p.name}{{background:{p.fill}{_woven(p)};color:{p.ink};border-color:{p.dark}}}\n" for p in PAINTS.values()
    )
    return colors + STYLE


def _woven(colors: Paint) -> str:
    """The pattern of a colour as the background image of a style sheet."""
    if not colors.weave:
        return ""
    image = (
        "<svg xmlns='http://www.w3.org/2000/svg' width='6' height='6' viewBox='0 0 4 4'>"
        f"<path d='{colors.weave}' fill='none' stroke='{colors.thread}'/></svg>"
    )
    return f' url("data:image/svg+xml,{quote(image)}")'
