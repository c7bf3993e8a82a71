"""The pages for admins, and the interface by which they keep order; the host of the server says who is one.

Whoever is no admin, or no longer, is refused: that is looked up in the database for every request.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, Response
from sqlalchemy.engine import Engine

from cuberails.server.club import administration, moderation
from cuberails.server.club.account_pages import NO_STORE
from cuberails.server.club.accounts import NAME_TAKEN
from cuberails.server.club.bans import ORDER, Bans, bans
from cuberails.server.club.chores import Chores
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.moderation import Doer, Somebody
from cuberails.server.connections import Change, SequenceConflict, Write
from cuberails.server.limits import ACTING, LOOKING, Limits
from cuberails.server.naming import clean
from cuberails.server.pages import templates
from cuberails.server.people import SIGNED_IN, Address, Who, limited
from cuberails.server.refusal import Refused
from cuberails.server.requests import BanRequest, OtherNameRequest, PersonRequest, RemoveRequest
from cuberails.server.tables import Tables

NO_ADMIN = Refused(
    403, "no_admin", "Only admins of this server can do that: sign in with an account that its host has made one."
)
NOBODY = Refused(404, "no_person", "There is nobody like that here any more; look at the list again.")
NO_REPORT = Refused(404, "no_report", "There is no such report; perhaps it went with somebody's account.")
AN_ADMIN = Refused(
    403, "an_admin", "Only the host of the server changes anything about an admin, with the command cuberails admin."
)

LENGTHS = {0: "for good", 1: "for a day", 7: "for a week", 30: "for 30 days", 365: "for a year"}
"""How long bans on the page can be, by days."""

PAGES = {"reports": "Reports", "people": "People", "tables": "Tables", "bans": "Bans", "log": "Log"}


class Admins:
    """What admins see and do."""

    def __init__(self, tables: Tables, bans: Bans, chores: Chores) -> None:
        self.engine = tables.store.engine
        self._tables = tables
        self._bans = bans
        self._chores = chores

    async def check(self, request: Request) -> Doer:
        """The admin who asks."""
        person = request.scope.get(SIGNED_IN, "")
        found = await asyncio.to_thread(self._admin, person) if person else None
        if found is None or self._bans.of(person):
            raise NO_ADMIN
        return Doer(found.person, found.name)

    def _admin(self, person: str) -> Somebody | None:
        return next((each for each in administration.admins(self.engine) if each.person == person), None)

    async def person(self, person: str) -> Somebody:
        """Somebody who is no admin."""
        found = await asyncio.to_thread(administration.somebody, self.engine, person)
        if found is None or found.person != person:
            raise NOBODY
        if found.admin:
            raise AN_ADMIN
        return found

    async def do(self, change: Write) -> None:
        """Store what an admin does, and carry it out here and now."""
        try:
            await self._tables.writer.write(change)
        except SequenceConflict:
            raise NAME_TAKEN from None
        self._tables.announce([Change(ORDER, 0)])
        await asyncio.to_thread(self._bans.load)
        await self._chores.run()


def add_admin(app: FastAPI, admins: Admins, limits: Limits) -> None:
    _pages(app, admins, limits)
    _people(app, admins, limits)
    _things(app, admins, limits)


def _pages(app: FastAPI, admins: Admins, limits: Limits) -> None:
    engine = admins.engine
    views: dict[str, Callable[[str], dict[str, Any]]] = {
        "reports": lambda _: _reports_view(engine),
        "people": lambda find: {"people": administration.people(engine, find)},
        "tables": lambda find: {"tables": administration.tables(engine, find)},
        "bans": lambda _: {"bans": bans(engine).values()},
        "log": lambda _: {"entries": administration.moderation_log(engine)},
    }

    async def page(request: Request, name: str, find: str) -> Response:
        doer = await admins.check(request)
        view = await asyncio.to_thread(views[name], find)
        usual = {"pages": PAGES, "here": name, "find": find, "me": doer, "title_name": title_name}
        usual |= {"lengths": LENGTHS, "most_letters": moderation.MOST_LETTERS}
        return templates.TemplateResponse(request, "admin.html", usual | view, headers=NO_STORE)

    @app.get("/admin", response_class=HTMLResponse)
    async def reports(request: Request, who: Who, at: Address) -> Response:
        limits.take(LOOKING, who, at)
        return await page(request, "reports", "")

    @app.get("/admin/{name}", response_class=HTMLResponse)
    async def part(request: Request, name: str, who: Who, at: Address, find: str = "") -> Response:
        limits.take(LOOKING, who, at)
        if name not in PAGES:
            raise Refused(404, "not_found", "There is no such page.")
        return await page(request, name, clean(find, 200))


def _reports_view(engine: Engine) -> dict[str, Any]:
    waiting, done = administration.reports(engine), administration.reports(engine, done=True)
    persons = {person for each in (*waiting, *done) for person in (each.person, each.other)}
    return {"reports": waiting, "done": done, "known": administration.known(engine, persons)}


def _people(app: FastAPI, admins: Admins, limits: Limits) -> None:
    options = limited(limits, ACTING)

    @app.post("/api/admin/people/ban", **options)
    async def ban(request: Request, body: BanRequest) -> dict[str, str]:
        """As an admin, ban somebody for so many days, with 0 for good: they can look on, and bots play their seats."""
        doer = await admins.check(request)
        whom = await admins.person(body.person)
        await admins.do(moderation.ban(doer, whom, body.reason, body.days))
        return _done(f"{whom.name} is banned, and signed out everywhere.")

    @app.post("/api/admin/people/lift", **options)
    async def lift(request: Request, body: PersonRequest) -> dict[str, str]:
        """As an admin, end a ban."""
        doer = await admins.check(request)
        whom = await admins.person(body.person)
        await admins.do(moderation.lift(doer, whom))
        return _done(f"{whom.name} can take part again.")

    @app.post("/api/admin/people/rename", **options)
    async def rename(request: Request, body: OtherNameRequest) -> dict[str, str]:
        """As an admin, have somebody called otherwise, at all tables too; "" for a name that says nothing."""
        doer = await admins.check(request)
        whom = await admins.person(body.person)
        name = body.name.strip() or await asyncio.to_thread(administration.free_name, admins.engine)
        await admins.do(moderation.rename(doer, whom, name))
        return _done(f"{whom.name} is called {name} now.")

    @app.post("/api/admin/people/delete", **options)
    async def delete(request: Request, body: OtherNameRequest) -> dict[str, str]:
        """As an admin, delete an account, or all about a guest; `name` is theirs, so that nobody does so by mistake."""
        doer = await admins.check(request)
        whom = await admins.person(body.person)
        if body.name.strip() != whom.name:
            raise Refused(400, "not_confirmed", f"Write the name, {whom.name}, to delete all about this person.")
        await admins.do(moderation.delete(doer, whom))
        return _done(f"Nothing remains of {whom.name} but the games.")


def _things(app: FastAPI, admins: Admins, limits: Limits) -> None:
    options = limited(limits, ACTING)

    @app.post("/api/admin/tables/delete", **options)
    async def delete_table(request: Request, body: RemoveRequest) -> dict[str, str]:
        """As an admin, delete a table with its log and its chat, or close one that waits for players."""
        doer = await admins.check(request)
        found = await asyncio.to_thread(administration.table, admins.engine, body.id)
        if found is None:
            raise Refused(404, "no_table", "There is no such table; perhaps somebody has deleted it already.")
        await admins.do(moderation.close(doer, found.id, found.said))
        return _done(f"The table of {found.said} is deleted.")

    @app.post("/api/admin/reports/done", **options)
    async def done(request: Request, body: RemoveRequest) -> dict[str, str]:
        """As an admin, note that you have dealt with a report."""
        doer = await admins.check(request)
        found = await asyncio.to_thread(administration.report, admins.engine, body.id)
        if found is None:
            raise NO_REPORT
        await admins.do(moderation.handle(doer, found.id, found.other, found.name))
        return _done("That is noted.")


def _done(sentence: str) -> dict[str, str]:
    return {"message": sentence}
