"""A scene as text for a terminal: the map in small cells, then tables. Colour adds comfort and no information."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from itertools import zip_longest
from math import ceil, sqrt
from textwrap import wrap
from typing import Final, NamedTuple
from unicodedata import combining, east_asian_width

from cuberails.core.scene import Area, Company, Dice, Fact, Link, Map, Piece, Scene, Seat, Sheet, Tile, Track
from cuberails.draw.palette import look_of, paint
from cuberails.draw.pen import DISC, clean, told_by_letter

_WIDEST_CELL: Final = 6
_LONG: Final = 12
"""Of tracks with more boxes than this only the boxes with pieces are listed."""

_BOLD: Final = "1"
_DIM: Final = "38;5;245"
_SEA: Final = "38;5;73"
_REVERSE: Final = "7"


class Span(NamedTuple):
    """Some text and how a terminal shows it, as the codes between `ESC[` and `m`."""

    text: str
    codes: str = ""


Line = list[Span]
Rows = dict[int, list[tuple[int, Line]]]
"""Cells of the map by line, each with the column in which it begins."""


def text(scene: Scene, width: int = 100, color: bool = False, brief: bool = False) -> str:
    """The scene in lines of at most `width` characters; with colours for terminals that have 256 of them.

    If `brief`, what never changes is left out: the note, the legend and the list of cities.
    """
    parts = text_parts(scene, width, color)
    shown = [lines for name, lines in parts.items() if lines and not (brief and name in UNCHANGING)]
    return "\n\n".join("\n".join(lines) for lines in shown)


UNCHANGING: Final = ("title", "legend", "cities")
"""The parts of a text that are the same all through a game."""


def text_parts(scene: Scene, width: int = 100, color: bool = False) -> dict[str, list[str]]:
    """The same by parts, for a screen that has not room for all: the lines of each by its name, from top to bottom."""
    parts = {
        "title": [[Span(clean(scene.title), _BOLD)], *_paragraph(scene.note, width, _DIM)],
        "map": _map(scene.map, width) if scene.map.tiles else [],
        "legend": _legend(scene, width),
        "tracks": _tracks(scene, width),
        "companies": _companies(scene, width),
        "seats": _seats(scene.seats, width),
        **{sheet.key.removeprefix("sheet-"): _sheet(sheet, width) for sheet in scene.sheets},
        "cities": _cities(scene.map.tiles, width),
        "progress": _progress(scene.progress, width),
        "prompt": [*_dice(scene.dice), *_paragraph(scene.prompt, width, _BOLD)],
    }
    return {name: [_shown(_clipped(line, width), color) for line in lines] for name, lines in parts.items()}


# Lines of spans


def cells(text: str) -> int:
    """How many columns of a terminal a text takes."""
    return sum(0 if combining(char) else 2 if east_asian_width(char) in "WF" else 1 for char in text)


def clip(text: str, width: int) -> str:
    """The text, cut off with an ellipsis if it takes more columns than that."""
    text = clean(text)
    if cells(text) <= width:
        return text
    while text and cells(text) >= width:
        text = text[:-1]
    return text + "…" if width > 0 else ""


def _length(line: Line) -> int:
    return sum(cells(span.text) for span in line)


def _clipped(line: Line, width: int) -> Line:
    kept: Line = []
    for span in line:
        kept.append(Span(clip(span.text, width), span.codes))
        width -= cells(kept[-1].text)
    return kept


def _padded(line: Line, width: int) -> Line:
    return [*line, Span(" " * (width - _length(line)))]


def _shown(line: Line, color: bool) -> str:
    if not color:
        return "".join(span.text for span in line).rstrip()
    return "".join(f"\x1b[{span.codes}m{span.text}\x1b[0m" if span.codes else span.text for span in line)


def _paragraph(text: str, width: int, codes: str) -> list[Line]:
    return [[Span(line, codes)] for line in wrap(clean(text), width)]


def _packed(items: list[Line], width: int, gap: int) -> list[Line]:
    """Items side by side in as few lines as possible; one that needs several lines has them for itself."""
    lines: list[Line] = []
    alone = True
    for item in items:
        if not alone and _length(lines[-1]) + gap + _length(item) <= width:
            lines[-1] = [*lines[-1], Span(" " * gap), *item]
        else:
            lines += _folded(item, width)
            alone = _length(item) > width
    return lines


def _folded(line: Line, width: int) -> list[Line]:
    """A line broken before blanks where it would be wider than that."""
    if _length(line) <= width:
        return [line]
    lines: list[Line] = [[]]
    for word in _words(line):
        if lines[-1] and _length(lines[-1]) + _length(word) > width:
            lines.append([Span(" ")])
        lines[-1] += word
    return lines


def _words(line: Line) -> list[Line]:
    """A line in parts that stay together, each but the first with a blank before it; a blank alone joins its sides."""
    words: list[Line] = [[]]
    for span in line:
        for text in re.split(r"(?<=.)(?= )", span.text):
            if text.startswith(" ") and text != " " and words[-1]:
                words.append([])
            words[-1].append(Span(text, span.codes))
    return words


def _letter(piece: Piece) -> Span:
    """A piece: its letter, in its colour."""
    colors = paint(piece.color)
    ink = 15 if colors.ink == "#fff" else 16
    return Span(piece.letter, f"1;38;5;{ink};48;5;{colors.ansi}")


# The map


def _map(table: Map, width: int) -> list[Line]:
    return _squares(table, width) if table.square else _hexes(table, width)


def _hexes(table: Map, width: int) -> list[Line]:
    """Cells of two lines; in flat maps every second column is a line lower, in others every second row shifted."""
    places = [_place(table.flat, tile.x, tile.y) for tile in table.tiles]
    sea = [_place(table.flat, x, y) for x, y in table.water]
    left, top = min(half for half, _ in places + sea), min(line for _, line in places + sea)
    wide = _cell_width(max(half for half, _ in places + sea) - left, width)
    short = _abbreviations([tile.name for tile in table.tiles if tile.name], wide - 1)
    room = wide if table.flat else wide - 1  # cells of flat maps have no neighbours in their own line
    drawn = [(place, _cell(tile, short.get(tile.name, ""), wide, room)) for place, tile in zip(places, table.tiles)]
    drawn += [(place, _waves(wide)) for place in sea]
    rows: Rows = defaultdict(list)
    for (half, line), cell in drawn:
        for k, content in enumerate(cell):
            rows[line - top + k].append(((half - left) * wide // 2, content))
    return _sheets(rows, wide, width)


def _squares(table: Map, width: int) -> list[Line]:
    """Cells of two lines with the places for track between them, then what lies around."""
    middles = [((link.start[0] + link.end[0]) / 2, (link.start[1] + link.end[1]) / 2) for link in table.links]
    spots = [(tile.x, tile.y) for tile in table.tiles]
    left, top = min(x for x, _ in spots + middles), min(y for _, y in spots)
    pitch = min((abs(x - x2) + abs(y - y2) for x, y in spots for x2, y2 in spots if (x, y) != (x2, y2)), default=1)
    last = (max(x for x, _ in spots) - left) / pitch
    wide = max(5, min(_WIDEST_CELL, int(width / (2 * last + 1))))
    rows: Rows = defaultdict(list)
    for tile, (x, y) in zip(table.tiles, spots):
        for k, content in enumerate(_cell(tile, clip(tile.name, wide - 1), wide, wide)):
            rows[round((y - top) / pitch * 3) + k].append((round((x - left) / pitch * 2 * wide), content))
    for link, (x, y) in zip(table.links, middles):
        rows[ceil((y - top) / pitch * 3)].append((round((x - left) / pitch * 2 * wide), _link(link)))
    around = [line for area in table.areas if area.cubes for line in _folded(_area(area), width)]
    return _sheets(rows, wide, width) + around


def _link(link: Link) -> Line:
    """Track as its letter between dashes, a free place as its id."""
    if link.piece is not None:
        return [Span("─", _DIM), _letter(link.piece), Span("─", _DIM)]
    return [Span(f">{link.id}", _REVERSE)] if link.targets else [Span(f"·{link.id}", _DIM)]


def _area(area: Area) -> Line:
    return [Span(f"{area.name}: ", _DIM), *(_letter(cube) for cube in area.cubes)]


def _dice(dice: Dice | None) -> list[Line]:
    if dice is None or not dice.faces:
        return []
    faces = [span for face in dice.faces for span in (Span(" "), _letter(face))]
    return [[Span(f"{clean(dice.label)}:"), *faces]]


def _place(flat: bool, x: float, y: float) -> tuple[int, int]:
    """Where a hex begins: in half cells across and in lines down."""
    if flat:
        return 2 * round(x / 1.5), round(y / (sqrt(3) / 2))
    return round(x / (sqrt(3) / 2)), 2 * round(y / 1.5)


def _cell_width(halves: int, width: int) -> int:
    """As wide as the map allows; below three characters not even the ids would fit."""
    return max(3, min(_WIDEST_CELL, 2 * width // (halves + 2)))


def _sheets(rows: Rows, wide: int, width: int) -> list[Line]:
    """The lines of the map; of one that is too wide first the western part, then below it the next."""
    step = width - wide + 1  # so far apart are the beginnings of the sheets: no cell is cut
    last = max(start for row in rows.values() for start, _ in row)
    lines: list[Line] = []
    for west in range(0, last + 1, step):
        inside = {n: [(start - west, cell) for start, cell in rows[n] if west <= start < west + step] for n in rows}
        lines += [*([[]] if west else []), *(_row(inside.get(n, [])) for n in range(max(rows) + 1))]
    return lines


def _row(found: list[tuple[int, Line]]) -> Line:
    line: Line = []
    for start, content in sorted(found):
        line = [*_padded(line, start), *content]
    return line


def _cell(tile: Tile, short: str, wide: int, room: int) -> tuple[Line, Line]:
    """Two lines: id, terrain and cost (or else room); then the cubes, or else the name.

    A cost that does not fit into the `room` of the first line stands at the end of the second, and a mark that does
    not fit before the id stands before all that.
    """
    look = look_of(tile)
    mark = ">" if tile.targets else ""
    below = mark if len(mark + tile.id) > wide else ""
    mark = "" if below else mark
    figure = tile.cost.lstrip("$") or (str(tile.room) if tile.room else "")
    head = f"{mark}{tile.id}{look.symbol}"
    if len(head + figure) <= room:
        head, figure = head + figure, ""
    codes = f"38;5;{look.ansi}" + (f";{_REVERSE}" if tile.targets else "")
    grown = "+" if tile.developed else ""
    inside: Line = [_letter(cube) for cube in tile.cubes] if tile.cubes else [Span(short, _BOLD)]
    body = [*inside, Span(grown)] if _length(inside) < wide else inside
    if not tile.cubes:
        body = [Span(short[: room - len(figure) - 1], _BOLD)] if figure else body
    if figure and _length(body) + len(figure) <= room:
        body = [*_padded(body, room - len(figure)), Span(figure, codes)]
    body = [Span(below, codes), *body] if below else body
    return _padded([Span(head[:wide], codes)], wide), _padded(_clipped(body, wide), wide)


def _waves(wide: int) -> tuple[Line, Line]:
    return [Span(" ~ ~  "[:wide], _SEA)], [Span("~ ~ ~ "[:wide], _SEA)]


def _abbreviations(names: list[str], most: int) -> dict[str, str]:
    """Short names, no two alike if letters further on in the name can tell them apart."""
    short: dict[str, str] = {}
    for name in names:
        letters = clean(name).replace(" ", "")
        tries = [letters[:most], *(letters[: most - 1] + letter for letter in letters[most:])]
        short[name] = next((each for each in tries if each not in short.values()), tries[0])
    return short


def _legend(scene: Scene, width: int) -> list[Line]:
    """What the signs in the map mean."""
    tiles = scene.map.tiles
    counts = Counter((look_of(tile).symbol, tile.terrain) for tile in tiles)
    signs = [sign for sign, _ in counts.most_common() if sign[0].strip()]
    signs += [("2", "cost")] * any(tile.cost for tile in tiles) + [("2", "room")] * any(tile.room for tile in tiles)
    signs += [("+", "developed")] * any(tile.developed for tile in tiles)
    possible = any(tile.targets for tile in tiles) or any(link.targets for link in scene.map.links)
    signs += [(">", "possible now")] * possible
    signs += [("*", "leads")] * any(company.leads for company in scene.companies)
    signs += [("=", "ties")] * any(company.ties for company in scene.companies)
    items = [[Span(sign, _BOLD), Span(f" {meaning}", _DIM)] for sign, meaning in signs]
    pieces = [company.piece for company in scene.companies if company.piece.letter != company.piece.name]
    items += [[_letter(piece), Span(f" {piece.name}", _DIM)] for piece in pieces]
    return _packed(items, width, 2)


# The tables


def _tracks(scene: Scene, width: int) -> list[Line]:
    facts = [[Span(f"{label} ", _DIM), Span(value, _BOLD)] for label, value in scene.facts]
    return _packed([*(_track(track) for track in scene.tracks), *facts], width, 4)


def _track(track: Track) -> Line:
    """A track in a line: `Expand start [1] 2 3 4 end`; where pieces stand, a box has brackets."""
    line = [Span(track.label, _DIM)]
    for box, pieces in zip(track.boxes, track.pieces):
        if pieces:
            letters = [_letter(piece) for piece in pieces if piece.letter != DISC]
            line += [Span(" ["), Span(box, _BOLD), *([Span(" ")] if letters else []), *letters, Span("]")]
        elif len(track.boxes) <= _LONG:
            line.append(Span(f" {box}", _DIM))
    return line


def _progress(facts: list[Fact], width: int) -> list[Line]:
    """The way to the end of the game."""
    if not facts:
        return []
    items = [[Span(f"{clean(label)} ", _DIM), Span(clean(value), _BOLD)] for label, value in facts]
    return _packed([[Span("The way to the end:", _DIM)], *items], width, 3)


def _companies(scene: Scene, width: int) -> list[Line]:
    """A table of those that have started, with what each seat has of them if that fits; the others in a few lines."""
    started = [company for company in scene.companies if company.started]
    labels = list(dict.fromkeys(label for company in started for label, _ in company.facts))
    heads, rows = ["Railroad", *labels], [[_named(company.piece), *_figures(company, labels)] for company in started]
    held = [[*row, *_held(company)] for row, company in zip(rows, started)]
    names = [*heads, *(clip(seat.name, 10) for seat in scene.seats)]
    if started and started[0].holdings and sum(_wides(names, held)) + 2 * len(names) <= width:
        heads, rows = names, held  # else the certificates of the players tell it
    notes = [clean(f"{company.piece.name}: {company.note}") for company in started if company.note]
    return [
        *_table(heads, rows, width, words={0}),
        *_packed([[Span(note, _DIM)] for note in notes], width, 4),
        *_unstarted([company for company in scene.companies if not company.started], width),
    ]


def _figures(company: Company, labels: list[str]) -> list[Line]:
    """Its facts under each of these labels; in which it leads, and in which it ties."""
    known = dict(company.facts)
    return [[Span(clip(known.get(label, ""), 24)), *_mark(company, label)] for label in labels]


def _held(company: Company) -> list[Line]:
    return [[Span(clip(held, 15))] for held in company.holdings]


def _mark(company: Company, label: str) -> Line:
    return [Span("*", _BOLD)] if label in company.leads else [Span("=")] if label in company.ties else []


def _unstarted(companies: list[Company], width: int) -> list[Line]:
    if not companies:
        return []
    items = [
        [*_named(company.piece), Span(f": {clean(company.note)}" if company.note else "", _DIM)]
        for company in companies
    ]
    return _packed([[Span("Not started:", _DIM)], *items], width, 3)


def _sheet(sheet: Sheet, width: int) -> list[Line]:
    """A table to look things up in; the row that holds now has a mark."""
    rows = [
        [
            [Span("> " if n == sheet.now else "  "), Span(clip(row[0], 30))],
            *([Span(clip(value, 40))] for value in row[1:]),
        ]
        for n, row in enumerate(sheet.rows)
    ]
    head = [f"  {sheet.head[0]}", *sheet.head[1:]]
    return [[Span(clean(sheet.caption), _DIM)], *_table(head, rows, width, words={0})] if rows else []


def _values(facts: list[Fact], labels: list[str]) -> list[Line]:
    """What facts say under each of these labels."""
    known = dict(facts)
    return [[Span(clip(known.get(label, ""), 24))] for label in labels]


def _named(piece: Piece) -> Line:
    return [_letter(piece), Span("" if piece.letter == piece.name else f" {clip(piece.name, 16)}")]


def _seats(seats: list[Seat], width: int) -> list[Line]:
    """A table; what does not fit of the certificates stands in lines of its own below it."""
    labels = list(dict.fromkeys(label for seat in seats for label, _ in seat.facts))
    facts = [[_person(seat), *_values(seat.facts, labels)] for seat in seats]
    shares = [[span for each in _certificates(seat) for span in (*each, Span("  "))] for seat in seats]
    first = max((_length(row[0]) for row in facts), default=0)
    if max(map(_length, shares), default=0) <= width - first - 2:
        rows = [[*row, held] for row, held in zip(facts, shares)]
        return _table(["  Player", *labels, "Certificates"], rows, width, words={0, len(labels) + 1})
    lines = _table(["  Player", *labels], facts, width, words={0})
    for seat in seats:
        lines += _packed([[Span(f"{clip(seat.name, 24)}:", _DIM)], *_certificates(seat)], width, 2)
    return lines


def _person(seat: Seat) -> Line:
    mark = "* " if seat.winner else "> " if seat.deciding else "  "
    status = " (winner)" if seat.winner else " (to decide)" if seat.deciding else ""
    return [Span(mark + clip(seat.name, 24) + status, _BOLD if status else "")]


def _certificates(seat: Seat) -> list[Line]:
    names = ["" if told_by_letter(piece) else f" {clip(piece.name, 16)} " for piece, _ in seat.shares]
    return [[_letter(piece), Span(f"{name}×{held}")] for name, (piece, held) in zip(names, seat.shares)]


def _table(labels: list[str], rows: list[list[Line]], width: int, words: set[int]) -> list[Line]:
    """Columns under labels of several lines; what does not fit beside the first column follows below.

    The columns in `words` are written from the left, those of figures from the right.
    """
    if not rows:
        return []
    heads, wides = _heads(labels), _wides(labels, rows)
    lines: list[Line] = []
    for columns in _chunks(wides, width):
        tall = max(len(heads[n]) for n in columns)
        padded = [([""] * tall + head)[-tall:] for head in heads]
        above = [[[Span(padded[n][k], _DIM)] for n in range(len(heads))] for k in range(tall)]
        lines += [_cells_of(row, columns, wides, words) for row in [*above, *rows]]
    return lines


def _heads(labels: list[str]) -> list[list[str]]:
    """The words of the labels, one below the other but in the first column."""
    return [label.split() or [""] if n else [label] for n, label in enumerate(labels)]


def _wides(labels: list[str], rows: list[list[Line]]) -> list[int]:
    """How wide each column is."""
    wides = [max(map(cells, head)) for head in _heads(labels)]
    return [max([wide, *(_length(row[n]) for row in rows)]) for n, wide in enumerate(wides)]


def _chunks(wides: list[int], width: int) -> list[list[int]]:
    """The columns of each table that fits, all with the first column."""
    chunks = [[0]]
    for n in range(1, len(wides)):
        if sum(wides[k] + 2 for k in chunks[-1]) + wides[n] > width and len(chunks[-1]) > 1:
            chunks.append([0])
        chunks[-1].append(n)
    return chunks


def _cells_of(row: list[Line], columns: list[int], wides: list[int], words: set[int]) -> Line:
    line: Line = []
    for n in columns:
        room = Span(" " * (wides[n] - _length(row[n])))
        line += [*row[n], room, Span("  ")] if n in words else [room, *row[n], Span("  ")]
    return line


def _cities(tiles: list[Tile], width: int) -> list[Line]:
    """The named hexes in columns that read downwards."""
    rows = [_city(tile) for tile in sorted(tiles, key=lambda tile: tile.name) if tile.name]
    if not rows:
        return []
    wides = [max(_length(row[n]) for row in rows) for n in range(len(rows[0]))]
    entries = [_joined(row, wides, 1) for row in rows]
    long = max(map(_length, entries))
    across = max(1, (width + 2) // (long + 2))
    tall = -(-len(entries) // across)
    columns = [entries[n : n + tall] for n in range(0, len(entries), tall)]
    return [_joined(list(line), [long] * across, 2) for line in zip_longest(*columns, fillvalue=[])]


def _city(tile: Tile) -> list[Line]:
    """Id, name, cost, income and who is there; the home of a railroad that is not there yet in brackets."""
    here = [_letter(cube) for cube in tile.cubes]
    if tile.home is not None and tile.home not in tile.cubes:
        here += [Span("("), _letter(tile.home), Span(")")]
    income = _income(tile) + ("+" if tile.developed else "")
    return [[Span(tile.id, _DIM)], [Span(clip(tile.name, 14))], [Span(tile.cost)], [Span(income)], here]


def _income(tile: Tile) -> str:
    """The printed incomes with the present one in brackets; of a long row only its ends."""
    steps = tile.income.split("/")
    if len(steps) > 3:
        return f"[{tile.now}] {steps[0]}–{steps[-1]}"
    return "/".join(f"[{step}]" if step == tile.now and len(steps) > 1 else step for step in steps)


def _joined(contents: list[Line], wides: list[int], gap: int) -> Line:
    line: Line = []
    for n, (content, wide) in enumerate(zip(contents, wides)):
        line += [*([Span(" " * gap)] if n else []), *_padded(content, wide)]
    return line
