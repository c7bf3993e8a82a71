"""What happened since a viewer acted last, and what changed the game, as JSON."""

from __future__ import annotations

from math import ceil
from typing import Any

from cuberails.core.game import Game
from cuberails.core.scene import Piece, Scene
from cuberails.core.story import Card, Line, Row, asked_again, cards, last_of, story
from cuberails.server.table import Table

JsonObject = dict[str, Any]

MOST_ACTIONS = 300
"""A stretch is told from so many actions ago at most; the log has the rest."""

STRIDE = 100
"""Where a longer stretch is cut off, it begins at a multiple of this: not at another moment with every action, since
pages ask how the table looked then."""


def since(table: Table, own: list[int]) -> JsonObject | None:
    """What happened since a person with these seats acted last; None for those who only watch.

    Where several people share a screen, it is told to the one who decides. `start` is after how many actions that was.
    """
    seats = [table.actor] if table.actor in own else own
    if not seats:
        return None
    start = max(_decided_last(table, seats), _earliest(table.game.count))
    recent: JsonObject = table.rendered(("since", start), lambda: _story(table, start))
    return {**recent, "again": asked_again(table.game, seats[0])} if table.actor in own else recent


def _decided_last(table: Table, seats: list[int]) -> int:
    """After how many actions that was; what a standing order did for them they have not seen."""
    last = last_of(table.game, seats)
    while last and table.history.was_ordered(last):
        last = last_of(table.game, seats, last - 1)
    return last


def _earliest(count: int) -> int:
    """From where on a stretch can be told that ends after so many actions."""
    return max(0, ceil((count - MOST_ACTIONS) / STRIDE) * STRIDE)


def _story(table: Table, start: int) -> JsonObject:
    return {"start": start, "lines": story_lines(table.game, table.scenes.after(table.game.count), start)}


def story_lines(game: Game, seen: Scene, start: int) -> list[JsonObject]:
    """What happened after so many actions, in a few lines; `seen` is what is seen now."""
    chips = _chips(seen)
    return [_line(line, chips) for line in story(game, start)]


def _line(line: Line, chips: dict[str, list[str]]) -> JsonObject:
    return {"n": line.n, "seat": line.seat, "chip": chips.get(line.subject.casefold()), "text": line.text}


def deal(game: Game, seen: Scene, start: int) -> list[JsonObject]:
    """What changed the game after so many actions, as cards; `seen` is what is seen now."""
    dealt = cards(game, start)
    chips = _chips(seen) if dealt else {}
    return [_card(card, chips) for card in dealt]


def _card(card: Card, chips: dict[str, list[str]]) -> JsonObject:
    rows = [{"text": row.text, **_gain(row)} for row in card.rows]
    found = [chips[subject.casefold()] for subject in card.subjects if subject.casefold() in chips]
    return {"n": card.n, "heading": card.heading, "chips": found, "rows": rows}


def _gain(row: Row) -> JsonObject:
    return {"amounts": row.gain.amounts, "points": row.gain.points} if row.gain else {}


def _chips(seen: Scene) -> dict[str, list[str]]:
    """The signs of the railroads, by their names as events tell them: name, letter and colour."""
    return {company.piece.name.casefold(): _chip(company.piece) for company in seen.companies}


def _chip(piece: Piece) -> list[str]:
    return [piece.name, piece.letter, piece.color]
