"""Pages and interface of standings: leaderboards of the titles, and profiles of people who want to be seen."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

import cuberails
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.standing import BOT, LEAST_GAMES, Profile, Standing, Standings, TitleRecord
from cuberails.server.limits import LOOKING, Limits
from cuberails.server.pages import templates
from cuberails.server.people import Address, Who
from cuberails.server.refusal import Refused

NOBODY_SEEN = Refused(404, "no_person", "There is nobody of this name here who wants to be seen.")


def add_standings(app: FastAPI, standings: Standings, limits: Limits) -> None:
    async def boards() -> list[dict[str, Any]]:
        return await asyncio.to_thread(lambda: [_board(standings, key) for key in cuberails.TITLES])

    async def profile(name: str) -> dict[str, Any]:
        found = await asyncio.to_thread(standings.profile, name[:200])
        if found is None:
            raise NOBODY_SEEN
        return _profile(found)

    @app.get("/api/standings")
    async def leaderboards(who: Who, at: Address) -> Response:
        """List who stands where in each title, by rated games; bots are rated by games against people."""
        limits.take(LOOKING, who, at)
        return JSONResponse(await boards())

    @app.get("/api/people/{name}")
    async def person(name: str, who: Who, at: Address) -> Response:
        """See what somebody has played who wants that to be seen."""
        limits.take(LOOKING, who, at)
        return JSONResponse(await profile(name))

    @app.get("/standings", response_class=HTMLResponse)
    async def standings_page(request: Request, who: Who, at: Address) -> Response:
        limits.take(LOOKING, who, at)
        page = {"boards": await boards(), "least": LEAST_GAMES}
        return templates.TemplateResponse(request, "standings.html", page)

    @app.get("/people/{name}", response_class=HTMLResponse)
    async def person_page(request: Request, name: str, who: Who, at: Address) -> Response:
        limits.take(LOOKING, who, at)
        return templates.TemplateResponse(request, "person.html", {"person": await profile(name)})


def _board(standings: Standings, key: str) -> dict[str, Any]:
    lines = [_standing(each) for each in standings.leaderboard(key)]
    return {"title": key, "name": title_name(key), "standings": lines}


def _standing(each: Standing) -> dict[str, Any]:
    """A line of a leaderboard; a bot is named by its level."""
    bot = each.who.startswith(BOT)
    return {**asdict(each), "who": each.who.removeprefix(BOT), "bot": bot, "at_least": each.at_least}


def _profile(found: Profile) -> dict[str, Any]:
    opponents = [{"name": name, "games": games} for name, games in found.opponents]
    titles = [_title_record(each) for each in found.titles]
    return {"name": found.name, "since": f"{found.since:%Y-%m-%d}", "titles": titles, "opponents": opponents}


def _title_record(each: TitleRecord) -> dict[str, Any]:
    """Games of one title; without a rated one among them there is no rating."""
    rating, uncertainty = (each.rating.rating, each.rating.uncertainty) if each.rating else (None, None)
    shown = {"title": each.title, "name": title_name(each.title), "games": each.games, "wins": each.wins}
    return {**shown, "rating": rating, "uncertainty": uncertainty}
