"""The JSON views: tables, titles and boards for programs, and for viewers what changed and what they may decide."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from cuberails.bots import LEVELS
from cuberails.core.board import Board
from cuberails.core.game import Game
from cuberails.core.menu import Amounts, Choice, Entry, Group, menu
from cuberails.core.preview import preview
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE
from cuberails.draw import html
from cuberails.server.store import StoredTable
from cuberails.server.table import Table
from cuberails.titles import load

Update = dict[str, Any]


# Titles, boards and tables


def title_view(key: str, offered: Iterable[Board] = ()) -> Update:
    """A title for a menu, with the boards that it can be played on at this server, the built-in one first."""
    title = load(key)
    boards = [title.board, *(board for board in offered if board.title is title)]
    return {
        "key": key,
        "name": title.name,
        "least_players": title.least_players,
        "most_players": title.most_players,
        "minutes": title.minutes,
        "options": title.options,
        "boards": [board_view(board) for board in boards],
        "note": title.board.provenance.note,
        "preface": " ".join(" ".join(title.rulebook.preface).split()),
        "bots": list(LEVELS),
    }


def board_view(board: Board) -> Update:
    """A board: what it is called, whether it comes with the title, and what players should know about its origin."""
    return {
        "title": board.title.key,
        "name": board.name,
        "digest": board.digest,
        "built_in": board.built_in,
        "note": board.provenance.note,
        "options": board.options,
    }


def listed_view(stored: StoredTable, seats: list[int]) -> Update:
    """A table in the list of somebody's own."""
    names = [seat.name for seat in stored.seats]
    return {"id": stored.id, "title": stored.title, "seats": names, "mine": seats, "waiting": stored.waiting}


def table_view(table: Table, own: list[int]) -> Update:
    """A table with all that there is to know about it, for a person with these seats, be they played by bots or not."""
    state, mine = table.state, table.played_by_people(own)
    return {
        "id": table.id,
        "title": state.title.key,
        "board": board_view(state.board),
        "rules": state.rules_version,
        "options": state.options,
        "seats": table.game.seats,
        "mine": mine,
        "seq": table.seq,
        "count": table.game.count,
        "prompt": state.prompt,
        "scores": state.scores(),
        "winners": state.winners(),
        "legal": [action.text for action in state.legal_actions()],
        "yours": table.actor in mine,
        "status": status(table, own),
    }


def moment_view(table: Table, count: int) -> Update:
    """The table after `count` actions, as the parts that look different from now."""
    then, now = table.game.at(count), table.scenes.after(table.game.count)
    return {
        "count": count,
        "actor": then.phase.actor,
        "prompt": then.prompt,
        "rule": then.rule,
        "parts": html.changes(neutral(now), neutral(table.scenes.after(count))),
    }


# What is new for a viewer


def neutral(seen: Scene) -> Scene:
    """A scene as everybody sees it, without who decides and what is legal, which are sent apart."""
    table = seen.map
    tiles = [replace(tile, targets=[], gain="") if tile.targets else tile for tile in table.tiles]
    links = [replace(link, targets=[]) if link.targets else link for link in table.links]
    seats = [replace(seat, deciding=False) if seat.deciding else seat for seat in seen.seats]
    return replace(seen, map=replace(table, tiles=tiles, links=links), seats=seats)


def update(table: Table, own: list[int], since: int) -> Update:
    """Everything that is new for a viewer who has seen the table at the sequence number `since`."""
    since = min(max(since, 0), table.seq)
    common: Update = table.rendered(("news", since), lambda: _common_news(table, since))
    return {**common, "you": decision(table, own), "status": status(table, own)}


def _common_news(table: Table, since: int) -> Update:
    """What is new for all viewers, whoever they are."""
    count = table.game.count
    shared = table.history.unchanged_since(since)
    return {
        "seq": table.seq,
        "count": count,
        "prompt": table.state.prompt,
        "rule": table.state.rule,
        "parts": html.changes(neutral(table.scenes.at(since)), neutral(table.scenes.after(count))),
        "shared": shared,
        "news": news(table.game, shared, count),
    }


def news(game: Game, start: int, end: int) -> list[Update]:
    """What happened between two moments, step by step."""
    steps = game.steps[start:end]
    return [
        {"n": n, "seat": step.seat, "lines": [event.say(game.seats) for event in step.events]}
        for n, step in enumerate(steps, start + 1)
    ]


def status(table: Table, own: list[int]) -> Update:
    """Who decides, who thinks, and whether somebody wants to go back."""
    actor, mine = table.actor, table.played_by_people(own)
    pending = table.pending_undo
    asked = None
    if pending:
        asked = {"seat": pending.seat, "to": pending.to, "yours": bool(pending.asked.intersection(own))}
    return {
        "actor": actor,
        "over": actor < CHANCE,
        "winners": table.state.winners() if actor < CHANCE else [],
        "thinking": table.thinking,
        "bots": [seat.bot for seat in table.seats],
        "asked": asked,
        "undo": bool(mine) and any(step.seat in mine for step in reversed(table.game.steps)),
        "redo": bool(mine) and table.undone > 0,
    }


def decision(table: Table, mine: list[int]) -> Update | None:
    """What the viewer may decide now, in groups; None if it is somebody else's turn, or a bot's."""
    actor = table.actor
    if actor not in mine or table.seats[actor].bot:
        return None
    return {"seat": actor, "groups": groups(menu(table.state, table.scenes.after(table.game.count)))}


def groups(menu: Sequence[Group]) -> list[Update]:
    """A menu as JSON: legal actions by their word, and under each word in lines of three kinds:

    `{"text", "at", "brief"}` is one action, its place on the map and what it brings, each "" if there is none;
    `{"head", "from", "to", "step", "tail", "briefs"}` are the actions `head from tail`, `head from+step tail` … ;
    `{"head", "in", "ids", "briefs"}` are the actions `head id`, each at the part of the map with the key `in` + id.
    `briefs` has one text for each of the actions, or none at all.
    """
    return [{"word": group.word, "lines": [_line(entry) for entry in group.entries]} for group in menu]


def _line(entry: Entry) -> Update:
    if isinstance(entry, Choice):
        return {"text": entry.action.text, "at": entry.place, "brief": entry.brief}
    if isinstance(entry, Amounts):
        amounts = {"from": entry.first, "to": entry.last, "step": entry.step, "tail": entry.tail}
        return {"head": entry.head, **amounts, "briefs": _briefs(entry.choices)}
    return {"head": entry.head, "in": entry.prefix, "ids": entry.ids, "briefs": _briefs(entry.choices)}


def _briefs(choices: Sequence[Choice]) -> list[str]:
    briefs = [choice.brief for choice in choices]
    return briefs if any(briefs) else []


def effect(table: Table, text: str) -> list[str]:
    """What an action would bring about, in sentences, or why it is not legal."""
    reason = table.state.why_not(text)
    return [reason] if reason is not None else preview(table.state, table.state.parse(text), table.game.seats)


def course(game: Game) -> list[list[int]]:
    """The scores of all seats after each action."""
    return [game.at(count).scores() for count in range(game.count + 1)]
