"""The parts of a scene as HTML, for a page: each is one element with the part's key as its id.

No styles and no scripts inside: colours are classes, which `stylesheet()` defines.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from html import escape
from typing import Final
from urllib.parse import quote

from cuberails.core.scene import Area, Company, Dice, Link, Map, Piece, Scene, Seat, Tile, Track
from cuberails.draw.board import area, board, form_of, link, tile
from cuberails.draw.palette import PAINTS, Paint
from cuberails.draw.pen import Block, clean, supplies
from cuberails.draw.svg import STYLE

MAP_WIDTH: Final = 976.0
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


Part = Tile | Link | Area | Row | Box | Company | Seat | Dice | list[tuple[str, str]]


def parts(scene: Scene) -> dict[str, Part]:
    """Everything in a scene that can change by itself, by its key."""
    found: dict[str, Part] = {each.key: each for each in scene.map.tiles}
    found.update({each.key: each for each in scene.map.links})
    found.update({each.key: each for each in scene.map.areas})
    for row in scene.tracks:
        found[row.key] = Row(row.label, len(row.boxes), row)
        found.update({box.key: box for box in _boxes(row)})
    found.update({each.key: each for each in scene.companies})
    found.update({each.key: each for each in scene.seats})
    found["facts"] = scene.facts
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
    drawn: dict[type, Callable[..., str]] = {Box: _box, Company: company, Seat: seat, Dice: dice}
    return drawn[type(what)](what)


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


def seat(who: Seat) -> str:
    """A player with cash and shares. Whose turn it is, a page marks itself: that changes with every action."""
    held = "".join(f"<li>{chip(p)}×{n}</li>" for p, n in who.shares)
    shares = f'<ul class="shares" aria-label="shares">{held}</ul>' if held else ""
    state = " winner" if who.winner else ""
    return (
        f'<article class="seat{state}" id="{_text(who.key)}"><h3>{_text(who.name)}</h3>'
        f"{_pairs(who.facts)}{shares}</article>"
    )


def company(row: Company) -> str:
    """A railroad and what there is to know about it."""
    letter = f'<span class="chip c-{_text(row.piece.color)}">{_text(row.piece.letter)}</span>'
    note = f'<p class="remark">{_text(row.note)}</p>' if row.note else ""
    return (
        f'<article class="company" id="{_text(row.key)}"><h3>{letter} {_text(row.piece.name)}</h3>'
        f"{_pairs(row.facts)}{note}</article>"
    )


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
    return f'<div class="dice" id="{_text(roll.key)}"><h3>{_text(roll.label)}</h3><ul>{faces}</ul></div>'


def facts(pairs: list[tuple[str, str]]) -> str:
    """What else there is to know about the table."""
    return f'<div class="facts" id="facts">{_pairs(pairs)}</div>'


def chip(what: Piece) -> str:
    """A piece: its colour and its letter, and its name for those who do not see it."""
    return f'<abbr class="chip c-{_text(what.color)}" title="{_text(what.name)}">{_text(what.letter)}</abbr>'


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
