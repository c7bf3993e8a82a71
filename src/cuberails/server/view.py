"""The JSON views: tables, titles and boards for programs, and for viewers what changed and what they may decide."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from cuberails.bots import LEVELS
from cuberails.core.auction import Auction
from cuberails.core.board import Board
from cuberails.core.game import Game
from cuberails.core.menu import Amounts, Choice, Entry, Group, menu
from cuberails.core.order import GIVE_UP
from cuberails.core.preview import preview
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE, State
from cuberails.draw import html
from cuberails.server import story_view
from cuberails.server.chat import ChatLine
from cuberails.server.club.clocks import TimeControl
from cuberails.server.club.orders import can_order, orders_of, orders_view
from cuberails.server.lessons import coach
from cuberails.server.notices import notices, request_sentence
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
        "weight": title.weight,
        "also_known_as": title.also_known_as,
        "lesson": title.lesson is not None,
        "options": title.options,
        "explained": {name: title.explained.get(name, "") for name in title.options},
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
    return {
        "id": stored.id,
        "title": stored.title,
        "seats": names,
        "mine": seats,
        "waiting": stored.waiting,
        "actions": stored.actions,
        "changed": f"{stored.changed:%Y-%m-%dT%H:%M:%SZ}",
        "parent": parent_view(stored.parent, stored.parent_count),
        "help": stored.help,
        "time_control": time_control_view(stored.time_control),
        "deadline": stored.deadline and f"{stored.deadline:%Y-%m-%dT%H:%M:%SZ}",
    }


def time_control_view(control: TimeControl) -> Update | None:
    """How much time there is at a table, also in words; None if time does not matter."""
    return {**asdict(control), "words": control.words} if control.kind else None


def parent_view(id: str, count: int) -> Update | None:
    """The table that a table comes from, and after how many of its actions; -1 if it is a rematch of that one."""
    return {"id": id, "at": count} if id else None


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
        "parent": parent_view(table.parent, table.parent_count),
        "help": table.help,
        "rated": table.rated,
        "orders": orders_view(table, mine),
        "time_control": time_control_view(table.time_control),
        "clocks": clocks_view(table),
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
        "lines": news(table.game, count - 1, count)[0]["lines"] if count else [],
        "parts": html.changes(neutral(now), neutral(table.scenes.after(count))),
        **({"left": table.time.left_after(table.history.branch[count])} if table.time else {}),
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
    mine = table.played_by_people(own)
    return {**common, "you": decision(table, own), "status": status(table, own), "story": story_view.since(table, mine)}


def _common_news(table: Table, since: int) -> Update:
    """What is new for all viewers, whoever they are. Names of seats are sent only if one has changed."""
    count = table.game.count
    shared = table.history.unchanged_since(since)
    names = {"names": list(table.game.seats)} if "" in table.history.names_at(since) else {}
    return {
        **names,
        "seq": table.seq,
        "count": count,
        "prompt": table.state.prompt,
        "rule": table.state.rule,
        "parts": html.changes(neutral(table.scenes.at(since)), neutral(table.scenes.after(count))),
        "shared": shared,
        "news": news(table.game, shared, count, table.history.ordered_since(shared)),
        "cards": story_view.deal(table.game, table.scenes.after(count), shared),
        "notices": notices(table.history, since),
    }


def news(game: Game, start: int, end: int, ordered: Collection[int] = ()) -> list[Update]:
    """What happened between two moments, step by step; `ordered` are those carried out for standing orders."""
    steps = zip(game.steps[start:end], game.events(start, end))
    return [
        {"n": n, "seat": step.seat, "lines": [event.say(game.seats) for event in events], "ordered": n in ordered}
        for n, (step, events) in enumerate(steps, start + 1)
    ]


def presence(table: Table) -> Update:
    """Who is at the table: each seat "here", "away", "open" (nobody has come yet) or "bot"; and how many watch."""
    claimed = table.claimed()

    def state(n: int) -> str:
        if table.presence.is_here(n):
            return "here"
        return "away" if n in claimed else "bot" if table.seats[n].bot else "open"

    return {"seats": [state(n) for n in range(len(table.seats))], "watching": table.presence.watching}


def clocks_view(table: Table) -> Update | None:
    """The clocks of a table: what each seat had `left` at the time `since`, in seconds; None for bots without a person.
    For all but the one that is `running` (-1 if none is) that is so until now, too. That one stands still in the
    `stops`, and is over at the `deadline`. All times are seconds since 1970 by the clock of the server, which shows
    `now`. None if time does not matter."""
    time = table.time
    if not time:
        return None
    end = time.deadline if time.running >= 0 else None
    return {
        "now": round(time.timing.clock.now(), 3),
        "left": [
            None if seat.bot and n not in table.claimed() else round(time.clocks.left[n], 3)
            for n, seat in enumerate(table.seats)
        ],
        "running": time.running,
        "since": round(time.since, 3),
        "stops": [] if end is None else time.stops(time.since, end),
        "deadline": end,
        "asked": time.clocks.asked_at is not None,
        "waiting": not time.began,
        "usual": time.clocks.usual,
    }


def chat_view(line: ChatLine) -> Update:
    """Something that somebody said; the seat is -1 for a host without one."""
    return {"n": line.number, "seat": line.seat, "text": line.text, "at": f"{line.at:%Y-%m-%dT%H:%M:%SZ}"}


def status(table: Table, own: list[int]) -> Update:
    """Who decides, who thinks, and whether somebody wants to go back."""
    actor, mine = table.actor, table.played_by_people(own)
    pending = table.history.pending_undo
    asked = None
    if pending:
        yours = bool(pending.asked.intersection(own))
        words = request_sentence(table.history, pending)
        asked = {"seat": pending.seat, "to": pending.to, "yours": yours, "words": words}
    return {
        "actor": actor,
        "over": actor < CHANCE,
        "winners": table.state.winners() if actor < CHANCE else [],
        "thinking": table.thinking,
        "bots": [seat.bot for seat in table.seats],
        "asked": asked,
        "undo": bool(mine) and any(step.seat in mine for step in reversed(table.game.steps)),
        "redo": bool(mine) and table.history.undone > 0,
        **({"lesson": coach(table.lesson, table.game)} if table.lesson else {}),
        "rematch": table.history.rematch,
        "can_order": bool(mine) and can_order(table),
    }


def decision(table: Table, mine: list[int]) -> Update | None:
    """What the viewer may decide now, in groups; None if it is somebody else's turn, or a bot's."""
    actor = table.actor
    if actor not in mine or table.seats[actor].bot:
        return None
    seen = table.scenes.after(table.game.count)
    return {
        "seat": actor,
        "groups": groups(menu(table.state, seen)),
        "acting": asdict(seen.acting) if seen.acting else None,
        "automatic": _automatic(table.state),
        "passes": _passes(table),
    }


def _automatic(state: State) -> str:
    """The legal action that a page may carry out unasked, if its player wants that; "" if there is none."""
    wanted = state.title.automatic
    return next((action.text for action in state.legal_actions() if action.text in wanted), "") if wanted else ""


def _passes(table: Table) -> str:
    """The stage in which a seat that passes may be asked again, "" if it may not; in an auction, who passes is out."""
    state = table.state
    if isinstance(state.phase, Auction) or all(action.text != GIVE_UP for action in state.legal_actions()):
        return ""
    return orders_of(table).stage(state)


def groups(menu: Sequence[Group]) -> list[Update]:
    """A menu as JSON: legal actions by their word, and under each word in lines of three kinds:

    `{"text", "at", "company", "brief"}` is one action, its place on the map or the railroad that it is about, and what
    it brings, each "" if there is none;
    `{"head", "from", "to", "step", "tail", "company", "briefs"}` are the actions `head from tail`,
    `head from+step tail` … ;
    `{"head", "in", "ids", "briefs"}` are the actions `head id`, each at the part of the map with the key `in` + id.
    `briefs` has one text for each of the actions, or none at all.
    """
    return [{"word": group.word, "lines": [_line(entry) for entry in group.entries]} for group in menu]


def _line(entry: Entry) -> Update:
    if isinstance(entry, Choice):
        return {"text": entry.action.text, "at": entry.place, "company": entry.company, "brief": entry.brief}
    if isinstance(entry, Amounts):
        amounts = {"from": entry.first, "to": entry.last, "step": entry.step, "tail": entry.tail}
        return {"head": entry.head, **amounts, "company": entry.choices[0].company, "briefs": _briefs(entry.choices)}
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
