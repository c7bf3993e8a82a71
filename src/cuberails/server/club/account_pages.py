"""The pages where people sign in, and where they see their account."""

from __future__ import annotations

import asyncio
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import RedirectResponse, Response

from cuberails.server.club.account_api import OwnAccounts
from cuberails.server.club.administration import is_admin, report_count
from cuberails.server.pages import templates
from cuberails.server.people import SIGNED_IN, guest_in

NO_STORE = {"Cache-Control": "no-store"}


def add_account_pages(app: FastAPI, own: OwnAccounts, outside: str) -> None:
    """`outside` is what people call the provider elsewhere with whose accounts they can sign in, if there is one."""
    tables = own.entrance.tables

    def guest_tables(request: Request) -> int:
        guest = guest_in(tables.identities, request.scope)
        return len(tables.store.tables_of(guest)) if guest else 0

    def page(request: Request, name: str, more: dict[str, Any]) -> Response:
        return templates.TemplateResponse(request, name, more, headers=NO_STORE)

    @app.get("/sign-in")
    async def sign_in(request: Request) -> Response:
        if request.scope.get(SIGNED_IN):
            return RedirectResponse("/account", 303)
        played = await asyncio.to_thread(guest_tables, request)
        return page(request, "sign_in.html", {"mail": own.links.offered, "played": played, "outside": outside})

    @app.get("/sign-in/link")
    async def link(request: Request) -> Response:
        """Where links in mails lead. Programs that look for harm in mail come here too: nothing is done yet."""
        played = 0 if request.scope.get(SIGNED_IN) else await asyncio.to_thread(guest_tables, request)
        return page(request, "sign_in_link.html", {"played": played})

    @app.get("/account")
    async def account(request: Request) -> Response:
        if not request.scope.get(SIGNED_IN):
            return RedirectResponse("/sign-in", 303)
        view, engine = await own.view(request), own.accounts.store.engine
        admin = await asyncio.to_thread(is_admin, engine, request.scope[SIGNED_IN])
        count = await asyncio.to_thread(report_count, engine) if admin else 0
        more = {"account": view, "mail": own.links.offered, "outside": outside, "admin": admin, "reports": count}
        return page(request, "account.html", more)
