"""The pages for people."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any
from urllib.parse import parse_qs, quote

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from fastapi.templating import Jinja2Templates
from markupsafe import Markup

import cuberails
from cuberails import draw
from cuberails.bots import LEVELS, USUAL
from cuberails.core.board import Board
from cuberails.core.playout import sample
from cuberails.core.rulebook import Rulebook
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE, State
from cuberails.draw import html
from cuberails.draw.board import form_of
from cuberails.server import prose, seating, story_view
from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.blocks import blocks_of, hidden_seats
from cuberails.server.club.friends import companions
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.lobby_view import title_name, waiting_view
from cuberails.server.club.open_tables import OpenTable
from cuberails.server.club.orders import orders_view
from cuberails.server.club.waiting import waiting_for
from cuberails.server.ending import ending
from cuberails.server.identity import hashed
from cuberails.server.limits import ACTING, Limits
from cuberails.server.naming import clean
from cuberails.server.opening import checked_moment
from cuberails.server.people import (
    Address,
    Who,
    issued_person,
    own_seats,
    seat_link,
    seat_of_key,
    set_person_cookie,
)
from cuberails.server.refusal import NO_HELP, Refused
from cuberails.server.store import StoredTable
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.view import (
    board_view,
    clocks_view,
    course,
    decision,
    neutral,
    news,
    presence,
    status,
    time_control_view,
    title_view,
)
from cuberails.titles import load, scene

RECENT = 60
"""How many of the last actions are in the log at first; the earlier ones are loaded on demand."""

NEWEST = 3
"""How many open tables the home page shows; the lobby shows all."""

MOST_CLAIMS = 100
"""So many browsers can take one seat: a person has a few of them."""

CHARACTERS = {name: level.character for name, level in LEVELS.items()}
"""What people read about the bots."""

templates = Jinja2Templates(Path(__file__).parent / "templates")
templates.env.filters["profile"] = lambda name: f"/people/{quote(name, safe='')}"


def add_pages(app: FastAPI, tables: Tables, lobby: Lobby, limits: Limits) -> None:
    _home(app, tables, lobby)
    _join(app, tables, limits)
    _tables(app, tables)
    _files(app)


def _home(app: FastAPI, tables: Tables, lobby: Lobby) -> None:
    @app.get("/", response_class=HTMLResponse)
    async def home(request: Request, who: Who) -> Response:
        answer = await asyncio.to_thread(home_page, request, who, await lobby.listed())
        return set_person_cookie(answer, tables, await issued_person(tables, who))

    def home_page(request: Request, who: str, waiting: list[OpenTable]) -> Response:
        found = waiting_view(waiting, who)
        theirs = [table for table in found["open"] if table["mine"] or table["hosting"] or table["invited"]]
        offered = [table for table in found["open"] if table not in theirs]
        waits = [table.id for table in waiting_for(tables.store, who)] if who else []
        played = tables.store.tables_of(who, first=waits) if who else []
        others = companions(tables.store, who, [stored.id for stored, _ in played if stored.waiting < CHANCE])
        own = [_card(stored, seats, others.get(stored.id, 0), stored.id in waits) for stored, seats in played]
        own.sort(key=lambda card: not card["yours"])
        offers = [_offer(key, tables.boards.values()) for key in cuberails.TITLES]
        page: dict[str, Any] = {"titles": offers, "own": own, "levels": CHARACTERS, "usual": USUAL}
        page |= {
            "waits": len(waits),
            "closed": found["closed"],
            "waiting": theirs,
            "open": offered[:NEWEST],
            "count": len(offered),
        }
        page["account"] = account_of(request, who)
        return templates.TemplateResponse(request, "home.html", page)

    @app.get("/rules/{key}", response_class=HTMLResponse)
    def rules_page(request: Request, key: str) -> Response:
        title = load(key)
        page = {"title": title, "preface": _preface(title.rulebook), "chapters": chapters(title.rulebook)}
        return templates.TemplateResponse(request, "rules.html", page)


def _join(app: FastAPI, tables: Tables, limits: Limits) -> None:
    async def invited(id: str, key: str) -> tuple[Table, int]:
        """The table and the seat that a link is for."""
        table = await tables.find(id)
        seat = seat_of_key(table, hashed(key))
        if seat is None:
            raise Refused(404, "no_key", "This link fits no seat of the table; ask for a new one.")
        return table, seat

    @app.get("/join/{id}/{key}")
    async def invitation(request: Request, id: str, key: str, who: Who) -> Response:
        """A link as a key. Programs that show what is behind a link come here too, so that this changes nothing."""
        table, seat = await invited(id, key)
        if seat in await own_seats(table, who):
            return RedirectResponse(f"/t/{id}", 303)
        claimed = table.claimed()
        who_plays = [_who_plays(place.bot, n in claimed) for n, place in enumerate(table.seats)]
        page = {"title": table.game.title, "id": id, "names": table.game.seats, "seat": seat, "who": who_plays}
        return templates.TemplateResponse(request, "join.html", page | {"taken": seat in claimed, "table": table})

    @app.post("/join/{id}/{key}")
    async def join(request: Request, id: str, key: str, who: Who, at: Address) -> Response:
        """Whoever takes the seat may play it from now on."""
        limits.take(ACTING, who, at)
        table, seat = await invited(id, key)
        if sum(claimed == seat for claimed, _ in table.claims) >= MOST_CLAIMS:
            raise Refused(
                403, "crowded", f"{MOST_CLAIMS} browsers have taken this seat, and there is no room for more."
            )
        me = await issued_person(tables, who)
        name = await _form_value(request, "name")
        await table.claim(seat, me)
        if clean(name):
            await seating.rename(table, me, [seat], seat, name)
        return set_person_cookie(RedirectResponse(f"/t/{id}", 303), tables, me)


def _who_plays(bot: str, claimed: bool) -> str:
    return f"a bot ({bot})" if bot else "" if claimed else "not come yet"


async def _form_value(request: Request, name: str) -> str:
    """The value of a field of a form; "" if there is none."""
    if not request.headers.get("content-type"):
        return ""
    try:
        fields = parse_qs((await request.body()).decode("utf-8", "replace"), max_num_fields=20)
    except ValueError:
        raise Refused(400, "bad_request", "The form has too many fields.") from None
    return fields.get(name, [""])[0][:200]


def _tables(app: FastAPI, tables: Tables) -> None:
    @app.get("/t/{id}", response_class=HTMLResponse)
    async def table_page(request: Request, id: str, who: Who) -> Response:
        try:
            table = await tables.visit(id)
        except Refused as refusal:
            if refusal.code == "not_started":
                return RedirectResponse(f"/lobby/{id}", 303)
            raise
        links = [seat_link(tables, table, n) for n in range(len(table.seats))]
        page = _table(table, await own_seats(table, who), links, table.host == who)
        answer = await asyncio.to_thread(drawn, request, page, who, table)
        known = bool(who) and await issued_person(tables, who) == who
        return set_person_cookie(answer, tables, who) if known else answer

    def drawn(request: Request, page: dict[str, Any], who: str, table: Table) -> Response:
        page |= drawings(page["scene"], page["title"].rulebook)
        page["account"] = account_of(request, who)
        page["next"] = _next(tables, who, page["first"]["id"])
        blocks = blocks_of(tables.store.engine, who) if who else {}
        page["first"]["hidden"] = hidden_seats(table, blocks.values())
        page["muted"] = bool(page["first"]["mine"]) and tables.store.is_muted(who, page["first"]["id"])
        return templates.TemplateResponse(request, "table.html", page)

    @app.get("/t/{id}/text", response_class=PlainTextResponse)
    async def text_board(id: str, at: int | None = None) -> str:
        """The table in words, for those who do not see the board; now, or after so many actions."""
        table = await tables.find(id)
        count = checked_moment(table.game, table.game.count if at is None else at)
        board, text = table.game.board, draw.text(table.scenes.after(count))
        return text if board.built_in else f"Own board: {clean(board.name)}\n\n{text}"

    @app.get("/t/{id}/course", response_class=HTMLResponse)
    async def how_it_went(id: str) -> str:
        """Standings, their sources and scores over time, as a part of the page."""
        game = (await tables.find(id)).game.fork()
        return await asyncio.to_thread(lambda: ending(game, course(game)))


def _files(app: FastAPI) -> None:
    @app.get("/picture/{key}.svg")
    def picture(key: str) -> Response:
        """The board of a title before the first decision, for a menu."""
        title, dice = load(key), Random(key)
        state = title.new(title.least_players, {})
        while state.actor == CHANCE:
            state.play(sample(state, dice))
        return board_picture(state, f"The map of {title.name}")

    @app.get("/look.css")
    def look() -> Response:
        return Response(html.stylesheet(), media_type="text/css", headers={"Cache-Control": "public, max-age=3600"})


def board_picture(state: State, label: str) -> Response:
    """The board alone as it stands in a position, for a menu."""
    body = html.map_picture(neutral(scene(state)).map, label)
    return Response(body, media_type="image/svg+xml", headers={"Cache-Control": "public, max-age=86400"})


def account_of(request: Request, who: str) -> Account | None:
    """The account of whoever asks for a page; to be called in a thread."""
    accounts: Accounts = request.app.state.accounts
    return accounts.account_of(who)


# Home


def _offer(key: str, boards: Iterable[Board]) -> dict[str, Any]:
    """A title for the home page. Three seats make a good first game of any of them."""
    title = load(key)
    usual = min(max(3, title.least_players), title.most_players)
    long = f"{title.minutes} minutes" if title.minutes < 100 else f"{title.minutes / 60:g} hours"
    return title_view(key, boards) | {"preface": _preface(title.rulebook), "usual": usual, "length": long}


def _preface(rulebook: Rulebook) -> str:
    """What the game is about, without the number of players, which is shown apart."""
    text = " ".join(" ".join(rulebook.preface).split())
    first, _, rest = text.partition(". ")
    return rest if first.startswith("For ") else text


def _card(stored: StoredTable, seats: list[int], others: int, waits: bool) -> dict[str, Any]:
    """A table in the list of one's own, at which so many `others` have played if its game is over, and which perhaps
    waits for oneself: to decide, or to answer a request."""
    waiting = stored.waiting
    decides = waiting in seats and not stored.seats[waiting].bot
    if waiting < CHANCE:
        turn = "over"
    elif waits and not decides:
        turn = "your answer"
    elif decides:
        turn = "your turn" if len(seats) == 1 else f"your turn ({stored.seats[waiting].name})"
    else:
        turn = f"{stored.seats[waiting].name} decides" if waiting >= 0 else "dice decide"
    names = ", ".join(seat.name for seat in stored.seats)
    return {
        "id": stored.id,
        "name": title_name(stored.title),
        "turn": turn,
        "yours": waits,
        "seats": names,
        "actions": f"{stored.actions} action{'' if stored.actions == 1 else 's'}",
        "changed": stored.changed,
        "from": _from(stored.parent, stored.parent_count),
        "help": stored.help,
        "others": others,
        "key": stored.title,
        "time": stored.time_control.words,
        "time_control": time_control_view(stored.time_control),
        "until": stored.deadline if decides else None,
    }


def _from(parent: str, count: int) -> str:
    """Where a table comes from, in words."""
    if not parent:
        return ""
    return f"from another table, move {count}" if count >= 0 else "a rematch"


# The table


def _table(table: Table, seats: list[int], links: list[str], host: bool) -> dict[str, Any]:
    """What the page of a table shows at first, but for its drawings. `links` lead to its seats."""
    count, claimed = table.game.count, table.claimed()
    earlier = max(0, count - RECENT)
    recent = story_view.since(table, table.played_by_people(seats))
    first = {
        "id": table.id,
        "title": table.game.title.key,
        "seq": table.seq,
        "count": count,
        "mine": seats,
        "names": list(table.game.seats),
        "host": host,
        "prompt": table.state.prompt,
        "rule": table.state.rule,
        "usual": USUAL,
        "levels": CHARACTERS,
        "you": decision(table, seats),
        "status": status(table, seats),
        "orders": orders_view(table, seats),
        "presence": presence(table),
        "time_control": time_control_view(table.time_control),
        "clocks": clocks_view(table),
        "no_help": "" if table.help else NO_HELP,
        "rated": table.rated,
        "invites": [{"seat": n, "link": link} for n, link in enumerate(links) if link and host],
        "story": recent,
        "cards": story_view.deal(table.game, table.scenes.after(count), recent["start"]) if recent else [],
    }
    return {
        "title": table.game.title,
        "board": board_view(table.game.board),
        "scene": neutral(table.scenes.after(count)),
        "earlier": earlier,
        "log": news(table.game, earlier, count, table.history.ordered_since(earlier)),
        "first": first,
        "parent": _parent(table.parent, table.parent_count),
        "names": list(table.game.seats),
        "seats": [_place(table, n, links[n], host, claimed) for n in range(len(table.seats))],
    }


def _parent(id: str, count: int) -> dict[str, str] | None:
    """The table that a table comes from, as a link with a label."""
    if not id:
        return None
    if count < 0:
        return {"link": f"/t/{id}", "label": "Rematch: to the game before"}
    return {"link": f"/t/{id}#at={count}", "label": f"From another table, move {count}"}


def table_drawings(seen: Scene) -> dict[str, Any]:
    """The board and what stands beside it."""
    return {
        "map": Markup(html.map_svg(seen.map, f"The map of {seen.title}")),
        "parts": {kind: Markup("".join(drawn)) for kind, drawn in _panels(seen).items()},
    }


def drawings(seen: Scene, rulebook: Rulebook) -> dict[str, Any]:
    """The parts of a page that take longest, made of what never changes."""
    return table_drawings(seen) | {
        "chapters": chapters(rulebook),
        "preface": _preface(rulebook),
    }


def _place(table: Table, n: int, link: str, host: bool, claimed: list[int]) -> dict[str, Any]:
    """A seat in the list of seats, with what the host can do about it."""
    change = host and (bool(link) or n in claimed)
    return {"n": n, "name": table.seats[n].name, "link": link if host else "", "change": change}


def _next(tables: Tables, who: str, here: str) -> str:
    """The table that has waited longest for this person, but for the one they are at; or nothing."""
    waiting = waiting_for(tables.store, who) if who else []
    return next((table.id for table in waiting if table.id != here), "")


def _panels(seen: Scene) -> dict[str, list[str]]:
    """The parts beside the map, by the panel that they stand in."""
    form = form_of(seen.map)
    return {
        "seats": [html.part(each, form) for each in html.players(seen).values()],
        "companies": [html.part(each, form) for each in html.ledger(seen).values()],
        "tracks": [html.track(each) for each in seen.tracks],
        "sheets": [html.sheet(each) for each in seen.sheets if not each.reference],
        "references": [html.sheet(each) for each in seen.sheets if each.reference],
        "dice": [html.dice(seen.dice)] if seen.dice else [],
        "facts": [html.facts(seen.facts)],
        "progress": [html.part(html.Goals(seen.progress), form)],
        "legend": [html.legend(seen)],
    }


# Rules


def chapters(rulebook: Rulebook) -> list[dict[str, Any]]:
    """The sections of a rulebook with their rules as HTML."""
    return [
        {
            "number": number,
            "name": name,
            "rules": [(n, prose.paragraphs(text)) for n, text in rulebook.rules.items() if n.startswith(f"{number}.")],
        }
        for number, name in rulebook.sections.items()
    ]
