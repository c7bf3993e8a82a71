"""The map of a scene: hexes with what is printed in them and what stands on them, and the water around."""

from __future__ import annotations

from collections import Counter
from functools import cache
from math import cos, pi, sin, sqrt
from typing import Final
from zlib import crc32

from cuberails.core.looks import Look
from cuberails.core.scene import Area, Link, Map, Piece, Tile
from cuberails.core.wording import sentence
from cuberails.draw.palette import BEYOND, GLYPHS, INK, RIPPLE, SHAPES, WATER, WOOD, look_of, paint
from cuberails.draw.pen import (
    PAIR,
    Block,
    at,
    breadth,
    cube,
    element,
    fit,
    flow,
    front,
    num,
    piece,
    shrink,
    tooltip,
    tooltip_group,
    words,
)

FLAT: Final = "flat"
POINTY: Final = "pointy"
SQUARE: Final = "square"
"""The forms of tiles: hexes that lie on a side or stand on a corner, and squares."""

_SIDES: Final = {FLAT: 34.0, POINTY: 34.0, SQUARE: 64.0}
"""The side of a tile in the units of the map, so that the same things fit into all forms."""

_CUBE_SIZES: Final = (18.0, 17.0, 15.5, 13.0, 10.8, 9.8)
"""The size of one cube, of two, three, four and five in a row, and of more in two rows."""
_MARGIN: Final = 12.0
_NARROWEST: Final = 600.0
"""A map narrower than this stands in the middle of its sheet, so that few tiles do not become huge."""
_TALLEST: Final = 1.2
"""The same for a map that is higher than it is wide by more than this."""
_PLACES: Final = ((-12.5, -21.5), (13.5, -20.5), (23.0, -12.0))
"""Where small signs go: left and right of the id, and one more in the corner."""

_SMALLEST: Final = 4.5
"""Type on a tile: longer names are cut off, and the pointer tells the rest."""

_WIDE_FONT: Final = 1.28
"""So much wider than `breadth` says is the widest usual serif, DejaVu, in bold. What it would push out is squeezed."""

DOUBTFUL: Final = "Doubtful"
POSSIBLE: Final = "Possible"

Point = tuple[float, float]


def form_of(table: Map) -> str:
    """The form of a map's tiles."""
    return SQUARE if table.square else FLAT if table.flat else POINTY


def board(table: Map, width: float) -> Block:
    """The whole map, scaled to a width."""
    form = form_of(table)
    left, top, wide, high = _frame(table)
    height = width * high / wide
    view = f"{num(left)} {num(top)} {num(wide)} {num(high)}"
    ground = element("rect", x=left, y=top, width=wide, height=high, fill=BEYOND)
    shape = element("defs", element("path", d=outline(form, 0, 0, _SIDES[form]), id=f"tile-{form}"))
    inside = shape + ground + _water(table) + "".join(link(each, form) for each in table.links)
    inside += _coast(table) + "".join(area(each, form) for each in table.areas)
    inside += "".join(tile(each, form) for each in table.tiles) + _barriers(table, form)
    sheet = element("svg", inside, viewBox=view, width=width, height=height)
    neatline = element("rect", width=width, height=height, cls="neatline")
    neatline += element("rect", x=-3.5, y=-3.5, width=width + 7, height=height + 7, cls="hairline")
    return Block(width, height, element("g", sheet + neatline, id="map"))


def _barriers(table: Map, form: str) -> str:
    """A heavy line along the side that two hexes share."""
    side, path = _SIDES[form], ""
    for (ax, ay), (bx, by) in table.barriers:
        x, y, across, down = (ax + bx) / 2, (ay + by) / 2, (by - ay) / sqrt(12), (bx - ax) / sqrt(12)
        start = f"M{num((x - across) * side)} {num((y + down) * side)}"
        path += start + f"L{num((x + across) * side)} {num((y - down) * side)}"
    return element("path", d=path, cls="barrier") if path else ""


def _frame(table: Map) -> tuple[float, float, float, float]:
    """Left, top, width and height of the map."""
    form, side = form_of(table), _SIDES[form_of(table)]
    across, down = {FLAT: (1.0, 0.866), POINTY: (0.866, 1.0), SQUARE: (0.5, 0.5)}[form]
    places = [(each.x, each.y) for each in table.tiles] + table.water
    boxes = [(x - across, y - down, x + across, y + down) for x, y in places]
    for each in table.areas:
        half, tall = each.width / 2, each.height / 2
        boxes.append((each.x - half, each.y - tall, each.x + half, each.y + tall))
    left, top = (min(box[n] for box in boxes) * side - _MARGIN for n in (0, 1))
    right, low = (max(box[n] for box in boxes) * side + _MARGIN for n in (2, 3))
    wide = max(right - left, _NARROWEST, (low - top) / _TALLEST)
    return (left + right - wide) / 2, top, wide, low - top


def outline(form: str, x: float, y: float, side: float) -> str:
    """A tile as the data of a path."""
    return "M" + "L".join(f"{num(x + side * across)} {num(y + side * down)}" for across, down in _corners(form)) + "z"


@cache
def _corners(form: str) -> list[Point]:
    """The corners of a tile with sides of 1 around its middle."""
    count, turn, radius = {FLAT: (6, 0.0, 1.0), POINTY: (6, 0.5, 1.0), SQUARE: (4, 0.5, sqrt(0.5))}[form]
    angles = [2 * pi * (k + turn) / count for k in range(count)]
    return [(radius * cos(angle), radius * sin(angle)) for angle in angles]


def _around(flat: bool, place: Point) -> list[Point]:
    """The middles of the six hexes next to a hex, in sides of a hex."""
    turn = pi / 6 if flat else 0.0
    step = sqrt(3)
    angles = [turn + k * pi / 3 for k in range(6)]
    return [_snapped(flat, (place[0] + step * cos(angle), place[1] + step * sin(angle))) for angle in angles]


def _snapped(flat: bool, place: Point) -> Point:
    """The same middle, without what sums of fractions leave behind."""
    across, down = (1.5, sqrt(0.75)) if flat else (sqrt(0.75), 1.5)
    return round(place[0] / across) * across, round(place[1] / down) * down


def _bleed(table: Map) -> list[Point]:
    """The water, continued beyond the outermost hexes so that the sea runs off the sheet."""
    inside = [(each.x, each.y) for each in table.tiles] + table.water
    low = min(x for x, _ in inside), min(y for _, y in inside)
    high = max(x for x, _ in inside), max(y for _, y in inside)
    sea = {_snapped(table.flat, place) for place in table.water}
    for _ in range(2):  # one row fills the margin, the next its corners
        for x, y in [beside for place in sorted(sea) for beside in _around(table.flat, place)]:
            if not (low[0] - 0.1 < x < high[0] + 0.1 and low[1] - 0.1 < y < high[1] + 0.1):
                sea.add((x, y))
    return sorted(sea)


def _shores(table: Map, sea: list[Point]) -> list[Point]:
    """The hexes next to water that are no part of the game: land beyond the map."""
    known = {*sea, *(_snapped(table.flat, (each.x, each.y)) for each in table.tiles)}
    return sorted({beside for wet in sea for beside in _around(table.flat, wet)} - known)


def _water(table: Map) -> str:
    """The water, with the fine lines along the shore that engravers draw."""
    if not table.water:
        return ""
    form, wet = form_of(table), _bleed(table)
    sea = _outlines(form, wet, 0.5)
    mark = f"{crc32(sea.encode()):x}"  # several pictures may share a page, and with it their ids
    beyond = _outlines(form, _shores(table, wet))
    land = element("path", d=_shape(table) + beyond, id=f"land-{mark}")
    lines = "".join(
        element("use", href=f"#land-{mark}", stroke=color, stroke_width=reach) for reach, color in _ripples()
    )
    waves = element("g", lines, fill="none", stroke_linejoin="round") + element("path", d=beyond, cls="shore")
    return (
        element("defs", land + element("clipPath", element("path", d=sea), id=f"sea-{mark}"))
        + element("path", d=sea, fill=WATER)
        + element("g", waves, clip_path=f"url(#sea-{mark})")
    )


def _outlines(form: str, middles: list[Point], wider: float = 0.0) -> str:
    """Tiles as the data of one path."""
    side = _SIDES[form]
    return "".join(outline(form, x * side, y * side, side + wider) for x, y in middles)


def _shape(table: Map) -> str:
    return _outlines(form_of(table), [(each.x, each.y) for each in table.tiles])


def _ripples() -> list[tuple[float, str]]:
    """Strokes from the widest on: each line is a stroke with a slightly narrower one of water over it."""
    reaches = (38.0, 25.0, 14.0)
    return [stroke for reach in reaches for stroke in ((reach, RIPPLE), (reach - 1.4, WATER))]


def _coast(table: Map) -> str:
    return element("path", d=_shape(table), cls="coast")


def area(place: Area, form: str) -> str:
    """A coast or a side: its name along it, its cubes beside the name."""
    side = _SIDES[form]
    wide, high = place.width * side, place.height * side
    fill = WATER if place.water else "none"
    frame = element("rect", x=-wide / 2, y=-high / 2, width=wide, height=high, fill=fill, cls="border")
    name = element("g", words(place.name, 0, 0, "area"), transform=f"translate({num(16 - wide / 2)} 0) rotate(-90)")
    across = max(1, int((wide - 26) / 20))
    down = 28 if any(each.pawn for each in place.cubes) else 20
    heap = "".join(
        piece(each, 38 - wide / 2 + 20 * (n % across), down * 0.8 - high / 2 + down * (n // across), 18)
        for n, each in enumerate(place.cubes)
    )
    where = f"translate({num(place.x * side)} {num(place.y * side)})"
    return element(
        "g", tooltip(_with_cubes(place.name, place.cubes)) + frame + name + heap, id=place.key, transform=where
    )


def link(place: Link, form: str) -> str:
    """Where track can lie between two tiles, and the track that lies there."""
    side = _SIDES[form]
    (x1, y1), (x2, y2) = place.start, place.end
    middle = (x1 + x2) / 2 * side, (y1 + y2) / 2 * side
    line = f"M{num(x1 * side)} {num(y1 * side)}L{num(x2 * side)} {num(y2 * side)}"
    aim = element("circle", cx=middle[0], cy=middle[1], r=13, cls="aim") if place.targets else ""
    if place.piece is None:
        owner = ""
        body = element("path", d=line, cls="way") + aim + words(place.id, middle[0], middle[1] + 2.5, "id halo")
    else:
        owner = f": {place.piece.name}"
        bed = element("path", d=line, cls="bed", stroke=paint(place.piece.color).dark)
        body = bed + element("path", d=line, cls="ties") + aim + at(*middle, _plate(place.piece))
    return element("g", tooltip(place.id + owner + _chances(place.targets)) + body, id=place.key)


def _plate(owner: Piece) -> str:
    """The sign of the railway that owns a track."""
    colors = paint(owner.color)
    plate = element(
        "rect", x=-7.5, y=-7.5, width=15, height=15, rx=3, fill=front(colors), stroke=colors.dark, cls="edge"
    )
    return plate + words(owner.letter, 0, 4.2, "letter", fill=colors.ink, font_size=11.5)


def tile(hex: Tile, form: str) -> str:
    """One tile in its place on the map."""
    side = _SIDES[form]
    look = look_of(hex)
    body = (
        tooltip(describe(hex))
        + element("use", href=f"#tile-{form}", cls="hex", fill=look.tint)
        + _home(hex, form)
        + (_target(form) if hex.targets else "")
        + (_town(hex, look, form) if hex.name else _country(look))
        + words(hex.id, 0, -19.5, "id")
        + _extras(hex, look, form)
        + _foot(hex, form)
        + places(hex, 0, _middle(hex, form), 1.3 if form == SQUARE else 0.85 if hex.step >= 0 else 1.0)
    )
    place = f"translate({num(hex.x * side)} {num(hex.y * side)})"
    return element("g", body, id=hex.key, cls="tile target" if hex.targets else "tile", transform=place)


def describe(hex: Tile) -> str:
    """A hex in a sentence: "K4 Pittsburgh: industrial city, cost $4, earns 6; PA, NYC are here"."""
    facts = [hex.terrain if hex.terrain.lower() != hex.name.lower() else "city"]
    facts += [f"cost {hex.cost}"] if hex.cost else []
    facts += [f"earns {hex.now}"] if hex.now else []
    facts += [f"by level {hex.income}"] if hex.step >= 0 else []
    facts += [f"room for {hex.room}"] if hex.room else []
    facts += ["developed"] if hex.developed else []
    facts += [f"home of {hex.home.name}"] if hex.home else []
    doubt = f" (doubtful: {hex.doubt})" if hex.doubt else ""
    text = f"{hex.id} {hex.name}".rstrip() + ": " + ", ".join(facts)
    return _with_cubes(text, hex.cubes) + doubt + _chances(hex.targets)


def _with_cubes(text: str, cubes: list[Piece]) -> str:
    here = ", ".join(cube.name for cube in cubes)
    return f"{text}; {here} {'is' if len(cubes) == 1 else 'are'} here" if here else text


def _chances(targets: list[str]) -> str:
    return f". Now: {', '.join(targets)}" if targets else ""


def _target(form: str) -> str:
    """Around the frame of a home, so that both are seen."""
    return element("path", d=outline(form, 0, 0, _SIDES[form] - 1.6), cls="aim")


def _home(hex: Tile, form: str) -> str:
    """The frame of the railroad that starts here."""
    if hex.home is None:
        return ""
    colors = paint(hex.home.color)
    inset = 4.6 if hex.targets else 3
    return element("path", d=outline(form, 0, 0, _SIDES[form] - inset), cls="home", stroke=colors.fill)


def _town(hex: Tile, look: Look, form: str) -> str:
    room = 45 if hex.home else 52
    size = max(_SMALLEST, shrink(hex.name, 9.2, room))
    shown = fit(hex.name, size - 0.01, room)
    length = breadth(shown) * size
    exact: dict[str, str | float] = {"textLength": length, "lengthAdjust": "spacingAndGlyphs"}
    name = words(shown, 0, -8.5 + _lower(form), "name", font_size=size, **(exact if length * _WIDE_FONT > room else {}))
    if hex.cubes or hex.room:
        return name
    return name + (_glyph(look, 0, 2.4, 0.75) if hex.step >= 0 else _glyph(look, 0, 4 + _lower(form), 1))


def _country(look: Look) -> str:
    """What grows there, left and right above the cubes."""
    if not look.glyph or look.glyph in GLYPHS:
        return element("use", href=f"#pair-{look.glyph}", cls="glyph") if look.glyph else ""
    return "".join(element("path", d=look.glyph, cls="glyph", transform=place) for place in PAIR)


def _glyph(look: Look, x: float, y: float, scale: float) -> str:
    if not look.glyph:
        return ""
    place = f"translate({num(x)} {num(y)})" + ("" if scale == 1 else f"scale({scale:g})")
    if look.glyph in GLYPHS:
        return element("use", href=f"#glyph-{look.glyph}", cls="glyph", transform=place)
    return element("path", d=look.glyph, cls="glyph", transform=place)


def _extras(hex: Tile, look: Look, form: str) -> str:
    """Beside the id: the badge, the pennant of a home that has figures, the development cube, the mark of doubt."""
    signs = [_badge(look)] if look.badge else []
    if hex.home and (hex.cost or hex.income):
        signs.append(_pennant(hex.home, hex.home.letter))
    if hex.developed:
        signs.append(tooltip_group("developed", cube(WOOD.name, 0, -0.5, 9)))
    if hex.doubt:
        signs += [""] * (not signs)  # always on the right
        signs.append(tooltip_group(f"doubtful: {hex.doubt}", words("?", 0, 2, "doubt")))
    return "".join(at(x, y + _lower(form) / 2, sign) for (x, y), sign in zip(_PLACES, signs) if sign)


def _lower(form: str) -> float:
    """How far down the middle of a hex begins: one that stands on a corner has less room at the top."""
    return 3.0 if form == POINTY else 0.0


def _middle(hex: Tile, form: str) -> float:
    """Where the cubes stand: a row of incomes below them needs room."""
    return 2.4 if hex.step >= 0 else 3.5 + _lower(form) * 0.7


def _badge(look: Look) -> str:
    """The colour of a terrain: its shape in that colour, or a disc with the initial."""
    colors = paint(look.badge)
    paints = {"fill": colors.fill, "stroke": colors.dark, "cls": "edge"}
    if look.glyph in SHAPES:
        return element("use", href=f"#glyph-{look.glyph}", transform="translate(0 -1)scale(.9)", **paints)
    disc = element("circle", r=5, cy=-0.5, **paints)
    return disc + words(look.badge[:1].upper(), 0, 2, "flag", fill=colors.ink, font_size=8)


def _foot(hex: Tile, form: str) -> str:
    """Cost and income at the lower edge, or the pennant of a home."""
    if hex.step >= 0:
        return _incomes_by_level(hex, 18) + words(hex.cost, 0, 26.5, "cost low")
    if hex.cost and hex.income:
        x, y = (10.5, 19.5) if hex.home else (12.7, 22.5)  # the frame of a home leaves less room
        return words(hex.cost, -x - 1, y, "cost") + _income(hex, x - 1, y)
    low = 22.5 + _lower(form)
    if hex.cost:
        return words(hex.cost, 0, low, "cost")
    if hex.income:
        return _income(hex, 0, low)
    return at(0, 20, _pennant(hex.home, hex.home.name)) if hex.home else ""


def _income(hex: Tile, x: float, y: float) -> str:
    """The printed incomes with the present one in bold; of a long row only the present one, and a dot for each."""
    steps = hex.income.split("/")
    if len(steps) > 2:
        return words(hex.now, x, y, "now") + _dots(steps, hex.now)
    spans = [element("tspan", step, cls="now" if step == hex.now else "then") for step in steps]
    gap = element("tspan", "/", cls="then", dx=1)
    return element("text", gap.join(spans), x=x, y=y, cls="income")


def _incomes_by_level(hex: Tile, y: float) -> str:
    """The present income large, and small what it will be at the next level; the pointer tells all of them."""
    steps = hex.income.split("/")
    spans = element("tspan", steps[hex.step], cls="now")
    spans += "".join(element("tspan", f"›{then}", cls="then", dx=1) for then in steps[hex.step + 1 : hex.step + 2])
    return element("text", spans, x=0, y=y, cls="income row")


def _dots(steps: list[str], now: str) -> str:
    reached = steps.index(now) if now in steps else -1
    left = -1.9 * (len(steps) - 1)
    return "".join(
        element("circle", cx=left + 3.8 * n, cy=26.4, r=1.1, cls="dot", fill=INK if n <= reached else "none")
        for n in range(len(steps))
    )


def _pennant(home: Piece, label: str) -> str:
    colors = paint(home.color)
    size = max(_SMALLEST, shrink(label, 8, 42))
    label = fit(label, size - 0.01, 42)
    half = 2.4 + size * 0.53 * breadth(label)
    shape = f"M{num(-half)} -5h{num(2 * half)}v7.5l{num(-half)} 4l{num(-half)} -4z"
    flag = element("path", d=shape, fill=front(colors), stroke=colors.dark, cls="edge")
    mark = words(label, 0, size * 0.29, "flag", fill=colors.ink, font_size=size)
    return tooltip_group(f"home of {home.name}", flag + mark)


def places(hex: Tile, x: float, y: float, scale: float = 1.0) -> str:
    """The cubes of a tile, and an outline for each that still fits in where the board says how many do."""
    count = max(hex.room, len(hex.cubes))
    size = _cube_size(count, scale)
    spots = _spots(count, x, y, size + 0.5)
    empty = "".join(
        element("rect", x=left - size / 2, y=top - size / 2, width=size - 2, height=size - 2, cls="room")
        for left, top in spots[len(hex.cubes) :]
    )
    return empty + "".join(piece(each, left, top, size) for each, (left, top) in zip(hex.cubes, spots))


def _cube_size(count: int, scale: float) -> float:
    most = len(_CUBE_SIZES)
    across = count if count < most else -(-count // 2)
    return min(_CUBE_SIZES[min(count, most) - 1] * scale, 56 / max(across, 1))


def _spots(count: int, x: float, y: float, step: float) -> list[Point]:
    """The centres of `count` cubes side by side around a point, in two rows if there are many."""
    rows = [count] if count < len(_CUBE_SIZES) else [-(-count // 2), count // 2]
    return [
        (x + step * (n - (row - 1) / 2), y + step * (k - (len(rows) - 1) / 2))
        for k, row in enumerate(rows)
        for n in range(row)
    ]


def legend(table: Map, width: float) -> Block:
    """What the tints and signs of the map mean, the commonest first."""
    possible = any(each.targets for each in table.tiles) or any(each.targets for each in table.links)
    block = flow([_sign(label, sign) for label, sign in signs(table, possible)], width, 12)
    return Block(block.width, block.height, element("g", block.body, id="legend"))


def signs(table: Map, possible: bool) -> list[tuple[str, str]]:
    """What can be seen on the map, each with a small drawing of it; if `possible`, the mark of targets too."""
    form, tiles = form_of(table), table.tiles
    counts = Counter((each.terrain, look_of(each)) for each in tiles)
    found = [(sentence(terrain), _swatch(look, form)) for (terrain, look), _ in counts.most_common()]
    found = found if len(found) > 1 else []
    if any("/" in each.income for each in tiles):
        if all(each.step < 0 for each in tiles):
            found.append(("Developed", cube(WOOD.name, 0, 0, 11)))
        found.append(("Earns now", words("4", 0, 4.5, "now")))
    if any(each.room for each in tiles):
        found.append(("Room for a cube", element("rect", x=-6, y=-6, width=12, height=12, cls="room")))
    if any(each.doubt for each in tiles):
        found.append((DOUBTFUL, words("?", 0, 4.5, "doubt")))
    if possible:
        found.append((POSSIBLE, element("path", d=outline(form, 0, 0, 14 if form == SQUARE else 9), cls="aim")))
    return found


def _swatch(look: Look, form: str) -> str:
    shape = element("path", d=outline(form, 0, 0, 16 if form == SQUARE else 10), cls="hex", fill=look.tint)
    return shape + (_badge(look) if look.badge else _glyph(look, 0, 0, 0.8))


def _sign(label: str, sign: str) -> Block:
    text = words(label, 24, 14.5, "small")
    return Block(28 + 13 * breadth(label), 22, at(10, 10.5, sign) + text)
