"""The lobby for people and for programs: its pages, its part of the JSON interface, and its events."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Annotated, Any

import msgspec
from fastapi import FastAPI, Header, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response, StreamingResponse

from cuberails.bots import LEVELS, USUAL
from cuberails.server import stream
from cuberails.server.club.friends import Friends
from cuberails.server.club.lobby import Lobby
from cuberails.server.club.lobby_view import View, lobby_view, open_view
from cuberails.server.club.open_tables import OPEN, OpenTable
from cuberails.server.club.profile import Profiles
from cuberails.server.limits import INVITING, JOINING, LOOKING, OPENING, Limits
from cuberails.server.pages import account_of, templates
from cuberails.server.people import Address, Who, issued_person, limited, set_person_cookie
from cuberails.server.refusal import Refused
from cuberails.server.requests import REFUSALS, FriendRequest, InviteRequest, JoinRequest, StartRequest
from cuberails.server.tables import Tables


def add_lobby(app: FastAPI, tables: Tables, lobby: Lobby, friends: Friends, profiles: Profiles, limits: Limits) -> None:
    _interface(app, tables, lobby, limits)
    _people(app, tables, lobby, friends, limits)
    _pages(app, tables, lobby, friends, profiles)


async def _seen_lobby(tables: Tables, lobby: Lobby, who: str) -> View:
    """What somebody finds in the lobby."""
    running = await asyncio.to_thread(tables.store.public_tables)
    return lobby_view(await lobby.listed(), running, who)


def _interface(app: FastAPI, tables: Tables, lobby: Lobby, limits: Limits) -> None:
    coming, looking = limited(limits, JOINING), limited(limits, LOOKING)

    @app.get("/api/lobby", **looking)
    async def see_lobby(who: Who) -> dict[str, Any]:
        """List the tables that wait for players and the games that everybody may watch, the latest first."""
        return await _seen_lobby(tables, lobby, who)

    @app.get("/api/lobby/events")
    async def follow_lobby(who: Who, accept_encoding: Annotated[str, Header()] = "") -> StreamingResponse:
        """Be told by server-sent events whenever a table in the lobby has changed; then ask for it anew."""
        packer = stream.Packer("gzip" in accept_encoding)
        headers = stream.HEADERS | packer.headers
        return StreamingResponse(_events(tables, lobby, who, packer), media_type="text/event-stream", headers=headers)

    @app.get("/api/lobby/{id}", **looking)
    async def see_open_table(id: str, who: Who) -> dict[str, Any]:
        """See a table that waits for players, or what has become of it."""
        return open_view(await lobby.find(id), who)

    @app.post("/api/lobby/{id}/join", **coming)
    async def join(id: str, request: JoinRequest, who: Who) -> Response:
        """Take a free seat; if the table starts when it is full, the last one starts it."""
        me = await issued_person(tables, who)
        view = open_view(await lobby.join(id, me, request.name), me)
        return set_person_cookie(JSONResponse(view | {"person": tables.identities.token(me)}), tables, me)

    @app.post("/api/lobby/{id}/leave", **coming)
    async def leave(id: str, who: Who) -> dict[str, Any]:
        """Give up your seat. If you are the host, who came next is host from now on; alone, you close the table."""
        return open_view(await lobby.leave(id, who), who)

    @app.post("/api/lobby/{id}/start", responses=REFUSALS)
    async def start(id: str, request: StartRequest, who: Who, at: Address) -> dict[str, str]:
        """As the host, start the game; bots of a level take the seats that are still free."""
        limits.take(OPENING, who, at)
        table = await lobby.start(id, who, request.level)
        return {"id": table.id, "page": f"/t/{table.id}"}


def _people(app: FastAPI, tables: Tables, lobby: Lobby, friends: Friends, limits: Limits) -> None:
    asking = limited(limits, INVITING)

    @app.get("/api/people")
    async def see_people(who: Who) -> list[dict[str, Any]]:
        """List the people whom you know here: friends, those who ask for it or were asked, and whom you played with."""
        return await friends.seen(who, lobby.people_here())

    @app.post("/api/people/{sign}", **asking)
    async def befriend(sign: str, request: FriendRequest, who: Who) -> list[dict[str, Any]]:
        """Ask somebody to be your friend or agree to it, or end or refuse it; both sides have to want it."""
        await friends.set_friend(who, sign, request.friend)
        return await friends.seen(who, lobby.people_here())

    @app.post("/api/lobby/{id}/invite", **asking)
    async def invite(id: str, request: InviteRequest, who: Who) -> dict[str, Any]:
        """As the host, invite somebody to an open table: from the list of your people, or by name."""
        find = friends.find(who, request.person) if request.person else friends.by_name(who, request.name)
        contact = await find
        return open_view(await lobby.invite(id, who, contact.person, contact.name), who)


def _pages(app: FastAPI, tables: Tables, lobby: Lobby, friends: Friends, profiles: Profiles) -> None:
    async def shown(request: Request, page: str, who: str, view: View) -> Response:
        account = await asyncio.to_thread(account_of, request, who)
        more = {"levels": list(LEVELS), "usual": USUAL, "account": account}
        return templates.TemplateResponse(request, page, view | more)

    async def seen_lobby(who: str) -> View:
        people = await friends.seen(who, lobby.people_here())
        return await _seen_lobby(tables, lobby, who) | {"people": people}

    async def seen_room(table: OpenTable, who: str) -> View:
        people = await friends.seen(who, lobby.people_here()) if who == table.host else []
        persons = {n: seated.person for n, seated in table.seated.items()}
        seen = await asyncio.to_thread(profiles.visible, persons.values())
        names = {n: seen[person].name for n, person in persons.items() if person in seen}
        removed = await lobby.has_removed(table, who)
        return {"table": open_view(table, who), "people": people, "profiles": names, "removed": removed}

    @app.get("/lobby", response_class=HTMLResponse)
    async def lobby_page(request: Request, who: Who) -> Response:
        return await shown(request, "lobby.html", who, await seen_lobby(who))

    @app.get("/lobby/list", response_class=HTMLResponse)
    async def lobby_part(request: Request, who: Who) -> Response:
        """What is in the lobby now, as a part of its page."""
        return await shown(request, "_lobby.html", who, await seen_lobby(who))

    @app.get("/lobby/{id}", response_class=HTMLResponse)
    async def open_table_page(request: Request, id: str, who: Who) -> Response:
        """The room where people wait for a game; when it has begun, its table."""
        try:
            table = await lobby.find(id)
        except Refused:  # long ago its game has begun
            return RedirectResponse(f"/t/{id}", 303)
        if table.state != OPEN:
            return RedirectResponse(f"/t/{id}", 303)
        return await shown(request, "waiting.html", who, await seen_room(table, who))

    @app.get("/lobby/{id}/room", response_class=HTMLResponse)
    async def open_table_part(request: Request, id: str, who: Who) -> Response:
        """Who is there now, as a part of its page."""
        return await shown(request, "_waiting.html", who, await seen_room(await lobby.find(id), who))


async def _events(tables: Tables, lobby: Lobby, who: str, packed: stream.Packer) -> AsyncGenerator[bytes]:
    """An event now and with each change, and a comment now and then to keep the connection open."""
    woken = asyncio.Event()
    lobby.watchers.add(woken.set)
    lobby.visitors[who] += 1
    sent = -1
    try:
        yield packed(b"retry: 1000\n\n")
        while not tables.ended:
            woken.clear()
            if sent != lobby.version:
                sent = lobby.version
                yield packed(b"data: %b\n\n" % msgspec.json.encode({"version": sent}))
            with suppress(TimeoutError):
                async with asyncio.timeout(stream.BEAT):
                    await woken.wait()
                continue
            yield packed(b": still here\n\n")
    finally:
        lobby.watchers.discard(woken.set)
        lobby.visitors[who] -= 1
        if not lobby.visitors[who]:
            del lobby.visitors[who]
