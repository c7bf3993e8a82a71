"""The page and the JSON interface for quiet hours and holidays: anybody can set them, with an account or without."""

from __future__ import annotations

import asyncio
import datetime as dt
from contextlib import suppress
from typing import Annotated, Any
from zoneinfo import available_timezones

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response
from pydantic import BaseModel, ConfigDict, Field

from cuberails.server.club.rest import MOST_HOLIDAYS, MOST_QUIET, Rest, at_present, holidays_taken, most_quiet
from cuberails.server.club.time_store import rest_changed, resting, rests, timed_tables
from cuberails.server.limits import ACTING, Limits
from cuberails.server.pages import account_of, templates
from cuberails.server.people import Address, Who, issued_person, set_person_cookie
from cuberails.server.refusal import Refused
from cuberails.server.requests import REFUSALS
from cuberails.server.tables import Tables

MOST_RANGES = 20
"""So many holidays can be listed."""

_HOUR = r"^([01]\d|2[0-3]):[0-5]\d$"
_DAY = r"^\d{4}-\d\d-\d\d$"


class RestRequest(BaseModel):
    """Quiet hours of each day, from and to ("22:00"; none if both are the same), and holidays, each from a first to a
    last day ("2026-12-24"), in a time zone ("Europe/Berlin")."""

    model_config = ConfigDict(extra="forbid", strict=True)
    zone: str = Field(max_length=64)
    quiet_from: str = Field(default="00:00", pattern=_HOUR)
    quiet_to: str = Field(default="00:00", pattern=_HOUR)
    holidays: list[list[Annotated[str, Field(pattern=_DAY)]]] = Field(default_factory=list, max_length=MOST_RANGES)


def add_rests(app: FastAPI, tables: Tables, limits: Limits) -> None:
    def known(who: str) -> list[tuple[float, Rest]]:
        return rests(tables.store.engine, [who]).get(who, []) if who else []

    async def present(who: str) -> dict[str, Any]:
        return rest_view(at_present(await asyncio.to_thread(known, who), tables.store.timing.clock.now()))

    @app.get("/rest", response_class=HTMLResponse)
    async def rest_page(request: Request, who: Who) -> Response:
        page = {"rest": await present(who), "zones": sorted(_zones()), "most": MOST_HOLIDAYS}
        page["account"] = await asyncio.to_thread(account_of, request, who)
        answer = templates.TemplateResponse(request, "rest.html", page)
        return set_person_cookie(answer, tables, await issued_person(tables, who))

    @app.get("/api/rest")
    async def see_rest(who: Who) -> dict[str, Any]:
        """See your quiet hours and holidays: in correspondence games your time does not run in them."""
        return await present(who)

    @app.post("/api/rest", responses=REFUSALS)
    async def set_rest(request: RestRequest, who: Who, at: Address) -> Response:
        """Set your quiet hours (12 hours a day at most) and holidays (60 days within a year of today), from now on."""
        limits.take(ACTING, who, at)
        me = await issued_person(tables, who)
        now = tables.store.timing.clock.now()
        rest = _checked(request, await asyncio.to_thread(known, me), now)
        await tables.writer.write(resting(me, now, rest))
        for id in await asyncio.to_thread(timed_tables, tables.store.engine, me):
            await renew_rests(tables, id)
        return set_person_cookie(JSONResponse(rest_view(rest)), tables, me)


async def renew_rests(tables: Tables, id: str) -> None:
    """Somebody with a seat at a table rests at other times than before."""
    await tables.writer.write(rest_changed(id))
    with suppress(Refused):  # a table that cannot be read keeps nobody from resting
        table = await tables.find(id)
        await table.refresh_rests()
        await table.renew_deadline()


def rest_view(rest: Rest) -> dict[str, Any]:
    """Quiet hours and holidays as they are asked for."""
    return {
        "zone": rest.zone,
        "quiet_from": _hour(rest.quiet_from),
        "quiet_to": _hour(rest.quiet_to),
        "holidays": [[first.isoformat(), last.isoformat()] for first, last in rest.holidays],
    }


def _checked(request: RestRequest, before: list[tuple[float, Rest]], now: float) -> Rest:
    if request.zone not in _zones():
        raise Refused(400, "bad_request", f"There is no time zone {request.zone!r}; Europe/Berlin is one, or UTC.")
    holidays = tuple(_holiday(days) for days in request.holidays)
    rest = Rest(request.zone, _minutes(request.quiet_from), _minutes(request.quiet_to), holidays)
    if rest.quiet_minutes > MOST_QUIET:
        sentence = f"Quiet hours can last {MOST_QUIET // 60} hours of a day; others would wait too long."
        raise Refused(422, "too_much_rest", sentence)
    hours = most_quiet(before, rest, now) / 3600
    if hours > MOST_QUIET / 60 + 1:  # the day when summer time ends has an hour more
        sentence = (
            f"With those until now that would be {hours:.0f} quiet hours within a day, {MOST_QUIET // 60} at most"
        )
        raise Refused(422, "too_much_rest", f"{sentence}; change them at another time of the day.")
    today = dt.datetime.fromtimestamp(now, dt.UTC).date()
    if any(last > today + dt.timedelta(365) for _, last in holidays):
        raise Refused(422, "too_much_rest", "Holidays can be set for the coming year.")
    taken = holidays_taken(before, rest, now)
    if taken > MOST_HOLIDAYS:
        sentence = f"That would be {taken} days off within a year of today, and {MOST_HOLIDAYS} can be taken."
        raise Refused(422, "too_much_rest", sentence)
    return rest


def _holiday(days: list[str]) -> tuple[dt.date, dt.date]:
    try:
        first, last = (dt.date.fromisoformat(day) for day in days)
    except ValueError:
        raise Refused(400, "bad_request", "A holiday has a first and a last day, such as 2026-12-24.") from None
    if not dt.timedelta(0) <= last - first <= dt.timedelta(366):
        raise Refused(400, "bad_request", f"A holiday ends after it begins, which {first} to {last} does not.")
    return first, last


def _zones() -> set[str]:
    return available_timezones() | {"UTC"}


def _minutes(hour: str) -> int:
    return int(hour[:2]) * 60 + int(hour[3:])


def _hour(minutes: int) -> str:
    return f"{minutes // 60:02}:{minutes % 60:02}"
