"""The JSON views: tables, titles and boards for programs, and for viewers what changed and what they may decide."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, pairwise
from typing import Any

from cuberails.bots import LEVELS
from cuberails.core.action import Action
from cuberails.core.board import Board
from cuberails.core.event import Bid, Event, Forced, Passed
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE, State
from cuberails.draw import html
from cuberails.server.store import StoredTable
from cuberails.server.table import Table
from cuberails.titles import load, scene

Update = dict[str, Any]


# Titles, boards and tables


def title_view(key: str) -> Update:
    """A title for a menu."""
    title = load(key)
    return {
        "key": key,
        "name": title.name,
        "least_players": title.least_players,
        "most_players": title.most_players,
        "minutes": title.minutes,
        "options": title.options,
        "board": board_view(title.board),
        "note": title.board.provenance.note,
        "preface": " ".join(" ".join(title.rulebook.preface).split()),
        "bots": list(LEVELS),
    }


def board_view(board: Board) -> Update:
    """A board: what it is called, whether it comes with the title, and what players should know about its origin."""
    return {
        "name": board.name,
        "digest": board.digest,
        "built_in": board.built_in,
        "note": board.provenance.note,
    }


def listed_view(stored: StoredTable, seats: list[int]) -> Update:
    """A table in the list of somebody's own."""
    names = [seat.name for seat in stored.seats]
    return {"id": stored.id, "title": stored.title, "seats": names, "mine": seats, "waiting": stored.waiting}


def table_view(table: Table, mine: list[int]) -> Update:
    """A table with all that there is to know about it, for a person with these seats."""
    with table.lock:
        state = table.state
        return {
            "id": table.id,
            "title": state.title.key,
            "board": board_view(state.board),
            "rules": state.rules_version,
            "options": state.options,
            "seats": table.game.seats,
            "mine": mine,
            "seq": table.seq,
            "count": len(table.game.steps),
            "prompt": state.prompt,
            "scores": state.scores(),
            "winners": state.winners(),
            "legal": [action.text for action in state.legal_actions()],
            "yours": table.actor in mine,
            "status": status(table, mine),
        }


def moment_view(table: Table, count: int) -> Update:
    """The table after so many actions, as the parts that look different from now."""
    then, now = table.game.at(count), table.scene(len(table.game.steps))
    return {
        "count": count,
        "actor": then.phase.actor,
        "prompt": then.prompt,
        "rule": then.rule,
        "parts": html.changes(neutral(now), neutral(table.scene(count))),
    }


# What is new for a viewer


def neutral(seen: Scene) -> Scene:
    """A scene as everybody sees it, without who decides and what is legal, which are sent apart."""
    table = seen.map
    tiles = [replace(tile, targets=[], gain="") if tile.targets else tile for tile in table.tiles]
    links = [replace(link, targets=[]) if link.targets else link for link in table.links]
    seats = [replace(seat, deciding=False) if seat.deciding else seat for seat in seen.seats]
    return replace(seen, map=replace(table, tiles=tiles, links=links), seats=seats)


def update(table: Table, mine: list[int], since: int) -> Update:
    """Everything that is new for a viewer who has seen the table at the sequence number `since`."""
    with table.lock:
        since = min(max(since, 0), table.seq)
        count = len(table.game.steps)
        shared = table.history.unchanged_since(since)
        return {
            "seq": table.seq,
            "count": count,
            "prompt": table.state.prompt,
            "rule": table.state.rule,
            "parts": html.changes(neutral(table.scene_at(since)), neutral(table.scene(count))),
            "shared": shared,
            "news": news(table, shared, count),
            "you": decision(table, mine),
            "status": status(table, mine),
        }


def news(table: Table, start: int, end: int) -> list[Update]:
    """What happened between two moments, step by step."""
    steps = table.game.steps[start:end]
    return [
        {"n": n, "seat": step.seat, "lines": [event.say(table.game.seats) for event in step.events]}
        for n, step in enumerate(steps, start + 1)
    ]


def status(table: Table, mine: list[int]) -> Update:
    """Who decides, who thinks, and whether somebody wants to go back."""
    actor = table.actor
    pending = table.pending_undo
    asked = None
    if pending:
        asked = {"seat": pending.seat, "to": pending.to, "yours": bool(pending.asked.intersection(mine))}
    return {
        "actor": actor,
        "over": actor < CHANCE,
        "winners": table.state.winners() if actor < CHANCE else [],
        "thinking": table.thinking,
        "bots": [seat.bot for seat in table.seats],
        "asked": asked,
        "undo": bool(mine) and any(step.seat in mine for step in table.game.steps),
        "redo": bool(mine) and table.undone > 0,
    }


def decision(table: Table, mine: list[int]) -> Update | None:
    """What the viewer may decide now, in groups; None if it is somebody else's turn, or a bot's."""
    actor = table.actor
    if actor not in mine or table.seats[actor].bot:
        return None
    places: dict[str, str] = {}
    seen = table.scene(len(table.game.steps)).map
    for tile in seen.tiles:
        places.update(dict.fromkeys(tile.targets, tile.key))
    for link in seen.links:
        places.update(dict.fromkeys(link.targets, link.key))
    return {"seat": actor, "groups": groups(table.state.legal_actions(), places)}


def groups(legal: list[Action], places: dict[str, str]) -> list[Update]:
    """Legal actions by their word, and under each word in lines of three kinds:

    `{"text", "at"}` is one action and its place on the map, if it has one;
    `{"head", "from", "to", "step"}` are the actions `head from`, `head from+step` … `head to`;
    `{"head", "in", "ids"}` are the actions `head id`, each at the part of the map with the key `in` + id.
    """
    by_word: dict[str, list[Action]] = {}
    for action in legal:
        by_word.setdefault(action.word, []).append(action)
    return [{"word": word, "lines": _lines(actions, places)} for word, actions in by_word.items()]


def _lines(actions: list[Action], places: dict[str, str]) -> list[Update]:
    found: list[Update] = []
    for head, together in groupby([action.text for action in actions], key=lambda text: text.rpartition(" ")[0]):
        texts = list(together)
        last = [text.rpartition(" ")[2] for text in texts]
        at = [places.get(text, "") for text in texts]
        where = {key.removesuffix(end) for key, end in zip(at, last) if key.endswith(end)}
        if len(texts) > 2 and len(where) == 1 and all(key.endswith(end) for key, end in zip(at, last)):
            found.append({"head": head, "in": where.pop(), "ids": last})
        elif len(texts) > 2 and (step := _step(last)) and not any(at):
            found.append({"head": head, "from": int(last[0]), "to": int(last[-1]), "step": step})
        else:
            found += [{"text": text, "at": key} for text, key in zip(texts, at)]
    return found


def _step(words: list[str]) -> int:
    """By how much each of the numbers is higher than the one before; 0 if that is not the same for all."""
    if not all(word.isdecimal() for word in words):
        return 0
    numbers = [int(word) for word in words]
    steps = {after - before for before, after in pairwise(numbers)}
    return max(0, steps.pop()) if len(steps) == 1 else 0


def effect(table: Table, text: str) -> list[str]:
    """What an action would bring about, in sentences, and which figures it would change.

    A bid is told as if nobody would bid more: what the share costs, what is left, and what shares pay then.
    """
    with table.lock:
        reason = table.state.why_not(text)
        if reason is not None:
            return [reason]
        names = table.game.seats
        after = table.state.copy()
        told = after.apply(after.parse(text))
        if any(isinstance(event, Bid) for event in told):
            told = _unopposed(after, told)
        now = table.scene(len(table.game.steps))
        gains = [tile.gain for tile in now.map.tiles if tile.gain and text in tile.targets]
        return [event.say(names) for event in told] + differences(now, scene(after, names)) + gains


def _unopposed(state: State, told: list[Event]) -> list[Event]:
    """Let everybody pass until the lot is sold; what is told then, without the bid itself and the passing."""
    while state.actor is not None and state.why_not("pass") is None and all(_no_sale(event) for event in told):
        told = told + state.apply(state.parse("pass"))
    return [event for event in told if not _no_sale(event)]


def _no_sale(event: Event) -> bool:
    return isinstance(_bare(event), Bid | Passed)


def _bare(event: Event) -> Event:
    return event.event if isinstance(event, Forced) else event


def differences(before: Scene, after: Scene) -> list[str]:
    """The figures that change, by whom they concern: "PA: Income 9 → 13, Treasury $54 → $50"."""
    old, told = _figures(before), []
    for name, facts in _figures(after).items():
        then = old.get(name, {})
        moved = [(label, value) for label, value in facts.items() if then.get(label, value) != value]
        if moved:
            told.append(f"{name}: " + ", ".join(f"{label} {then[label]} → {value}" for label, value in moved))
    return told


def _figures(seen: Scene) -> dict[str, dict[str, str]]:
    found = {each.piece.name: dict(each.facts) for each in seen.companies}
    found |= {each.name: dict(each.facts) for each in seen.seats}
    return found


def course(table: Table) -> list[list[int]]:
    """The scores of all seats after each action."""
    return [table.game.at(count).scores() for count in range(len(table.game.steps) + 1)]
