"""Pages and interface of standings: leaderboards of the titles, and profiles of people who want to be seen."""

from __future__ import annotations

import asyncio
from dataclasses import asdict
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response

import cuberails
from cuberails.server.club.clocks import CORRESPONDENCE, LIVE, about
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.profile import PaceRecord, PlayedGame, Profile, Profiles, TitleRecord
from cuberails.server.club.standing import BOT, LEAST_GAMES, Standing, Standings
from cuberails.server.limits import LOOKING, Limits
from cuberails.server.pages import account_of, templates
from cuberails.server.people import Address, Who
from cuberails.server.refusal import Refused

NOBODY_SEEN = Refused(404, "no_person", "There is nobody of this name here who wants to be seen.")


PACES = {LIVE: "live", CORRESPONDENCE: "by correspondence", "": "without a clock"}
"""How a kind of time control is called."""


def add_standings(app: FastAPI, standings: Standings, profiles: Profiles, limits: Limits) -> None:
    async def boards(who: str) -> list[dict[str, Any]]:
        return await asyncio.to_thread(lambda: [_board(standings, key, who) for key in cuberails.TITLES])

    async def profile(name: str, who: str) -> dict[str, Any]:
        found = await asyncio.to_thread(profiles.of, name[:200], who)
        if found is None:
            raise NOBODY_SEEN
        return _profile(found)

    @app.get("/api/standings")
    async def leaderboards(who: Who, at: Address) -> Response:
        """List who stands where in each title, by rated games; bots are rated by games against people."""
        limits.take(LOOKING, who, at)
        return JSONResponse(await boards(who))

    @app.get("/api/people/{name:path}")
    async def person(name: str, who: Who, at: Address) -> Response:
        """See what somebody has played who wants that to be seen."""
        limits.take(LOOKING, who, at)
        return JSONResponse(await profile(name, who))

    @app.get("/standings", response_class=HTMLResponse)
    async def standings_page(request: Request, who: Who, at: Address) -> Response:
        limits.take(LOOKING, who, at)
        account = await asyncio.to_thread(account_of, request, who)
        page = {"boards": await boards(who), "least": LEAST_GAMES, "account": account}
        return templates.TemplateResponse(request, "standings.html", page)

    @app.get("/people/{name:path}", response_class=HTMLResponse)
    async def person_page(request: Request, name: str, who: Who, at: Address) -> Response:
        limits.take(LOOKING, who, at)
        account = await asyncio.to_thread(account_of, request, who)
        page = {"person": await profile(name, who), "paces": PACES, "account": account}
        return templates.TemplateResponse(request, "person.html", page)


def _board(standings: Standings, key: str, who: str) -> dict[str, Any]:
    """Who stands where in a title, and where somebody stands whom perhaps nobody else sees."""
    lines = [_standing(each) for each in standings.leaderboard(key)]
    own = standings.of(key).get(who)
    listed = own is not None and own.games >= LEAST_GAMES and who in standings.names([who])
    mine = {**_standing(own), "who": "", "listed": listed} if own else None
    return {"title": key, "name": title_name(key), "standings": lines, "own": mine}


def _standing(each: Standing) -> dict[str, Any]:
    """A line of a leaderboard; a bot is named by its level."""
    bot = each.who.startswith(BOT)
    return {**asdict(each), "who": each.who.removeprefix(BOT), "bot": bot, "at_least": each.at_least}


def _profile(found: Profile) -> dict[str, Any]:
    """All that is shown of somebody; `visible` says whether to others, too."""
    reliability = found.reliability
    return {
        "name": found.name,
        "visible": found.visible,
        "since": f"{found.since:%Y-%m-%d}",
        "titles": [_title_record(each) for each in found.titles],
        "games": [_played(each) for each in found.games],
        "paces": [_pace(each) for each in found.paces],
        "reliability": {**asdict(reliability), "percent": reliability.percent} if reliability else None,
        "opponents": [{"name": name, "games": games} for name, games in found.opponents],
    }


def _title_record(each: TitleRecord) -> dict[str, Any]:
    """Games of one title; without a rated one among them there is no rating."""
    rating, uncertainty = (each.rating.rating, each.rating.uncertainty) if each.rating else (None, None)
    shown = {"title": each.title, "name": title_name(each.title), "games": each.games, "wins": each.wins}
    return {**shown, "rating": rating, "uncertainty": uncertainty}


def _played(each: PlayedGame) -> dict[str, Any]:
    return {**asdict(each), "name": title_name(each.title), "ended": f"{each.ended:%Y-%m-%d}"}


def _pace(each: PaceRecord) -> dict[str, Any]:
    return {**asdict(each), "answers_in": "" if each.answer is None else about(each.answer)}
