"""The pages of positions to be solved, and the interface behind them: puzzles of the day, and one's own mistakes."""

from __future__ import annotations

import asyncio
from datetime import date
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, RedirectResponse, Response

import cuberails
from cuberails.bots.puzzle import puzzles_of
from cuberails.server import exercises
from cuberails.server.analysing import Analyses
from cuberails.server.exercises import Exercise
from cuberails.server.limits import LOOKING, SOLVING, Limits
from cuberails.server.pages import account_of, board_picture, drawings, templates
from cuberails.server.people import Address, Who, own_seats
from cuberails.server.refusal import Refused
from cuberails.server.table import Table
from cuberails.server.tables import Tables
from cuberails.server.thinking import Thinkers
from cuberails.server.view import neutral
from cuberails.titles import load, scene


def add_exercises(app: FastAPI, tables: Tables, analyses: Analyses, thinkers: Thinkers, limits: Limits) -> None:
    _puzzles(app, thinkers, limits)
    _mistakes(app, tables, analyses, thinkers, limits)


def keys() -> list[str]:
    """The titles that have puzzles."""
    return [key for key in cuberails.TITLES if puzzles_of(key)]


# Puzzles


def _puzzles(app: FastAPI, thinkers: Thinkers, limits: Limits) -> None:
    @app.get("/puzzles", response_class=HTMLResponse)
    def today(request: Request, who: Who) -> Response:
        return day_page(request, who, exercises.today())

    @app.get("/puzzles/{day}", response_class=HTMLResponse)
    def of_day(request: Request, day: str, who: Who) -> Response:
        return day_page(request, who, exercises.checked_day(day))

    def day_page(request: Request, who: str, day: date) -> Response:
        before, after = exercises.neighbours(day)
        page: dict[str, Any] = {"day": day, "today": exercises.today(), "before": before, "after": after}
        page |= {"daily": [_daily(key, day) for key in keys()], "account": account_of(request, who)}
        return templates.TemplateResponse(request, "puzzles.html", page)

    @app.get("/puzzle/{key}")
    def latest(key: str) -> Response:
        """Today's, whenever the link is followed."""
        return RedirectResponse(f"/puzzle/{load(key).key}/{exercises.today()}", 303)

    @app.get("/puzzle/{key}/{day}", response_class=HTMLResponse)
    def puzzle_page(request: Request, key: str, day: str) -> Response:
        return _page(request, exercises.daily(key, exercises.checked_day(day)), **_around(key, day))

    @app.get("/puzzle/{key}/{day}/board.svg")
    def position(key: str, day: str) -> Response:
        """The board as it stands in a puzzle, for the list of a day."""
        exercise = exercises.daily(key, exercises.checked_day(day))
        return board_picture(exercise.game.state, f"The position of {exercise.game.title.name}")

    @app.get("/api/puzzles/{key}/{day}")
    def puzzle(key: str, day: str) -> dict[str, Any]:
        """See the puzzle of a title on a day (2026-11-18): the position as a record, what is legal, no answer."""
        exercise = exercises.daily(key, exercises.checked_day(day))
        legal = [action.text for action in exercise.game.state.legal_actions()]
        return exercises.question_view(exercise) | {"legal": legal, "record": exercise.record}

    @app.get("/api/puzzles/{key}/{day}/effect")
    def puzzle_effect(key: str, day: str, action: str, who: Who, at: Address) -> list[str]:
        """Ask what an action would bring about in the position of a puzzle, or why it is not legal."""
        limits.take(LOOKING, who, at)
        return exercises.effect_of(exercises.daily(key, exercises.checked_day(day)), action[:80])

    @app.get("/api/puzzles/{key}/{day}/answer")
    async def puzzle_answer(key: str, day: str, who: Who, at: Address, action: str = "") -> dict[str, Any]:
        """Choose an action in a puzzle and be told whether it is the best; without an action, see the answer."""
        limits.take(SOLVING, who, at)
        exercise = await asyncio.to_thread(exercises.daily, key, exercises.checked_day(day))
        return await exercises.answered(exercise, thinkers, action[:80], who or at)


def _daily(key: str, day: date) -> dict[str, Any]:
    """A puzzle in the list of a day."""
    game = (exercise := exercises.daily(key, day)).game
    prompt = f"{game.seats[exercise.seat]}: {game.state.prompt}"
    return {
        "key": key,
        "name": game.title.name,
        "page": exercise.page,
        "prompt": prompt,
        "players": len(game.seats),
        "count": game.count,
    }


def _around(key: str, day: str) -> dict[str, Any]:
    """Where a puzzle leads: to those of its day, to the one of another title, and how its result is kept."""
    following = exercises.following(keys(), key)
    onwards = {"page": f"/puzzle/{following}/{day}", "label": load(following).name} if following else None
    return {
        "back": {"page": f"/puzzles/{day}", "label": "Puzzles of the day"},
        "next": onwards,
        "extra": {"puzzle": f"{key} {day}"},
    }


# Mistakes


def _mistakes(app: FastAPI, tables: Tables, analyses: Analyses, thinkers: Thinkers, limits: Limits) -> None:
    async def found(id: str, at: int) -> tuple[Table, Exercise, list[int]]:
        """The exercise at a moment of a table's game, and the moments of all mistakes of the same seat."""
        table = await tables.find(id)
        analysis = await analyses.found(table)
        if analysis is None:
            raise Refused(404, "no_analysis", "This game was not analysed yet.")
        game = table.game.fork()
        exercise = await asyncio.to_thread(exercises.mistake, id, game, analysis, at)
        return table, exercise, [each.at for each in exercises.mistakes_of(analysis, exercise.seat)]

    @app.get("/t/{id}/mistakes")
    async def first_mistake(id: str, who: Who, seat: int | None = None) -> Response:
        """To the first moment where a seat lost much: this one, or the first own one, or anybody's."""
        table = await tables.find(id)
        analysis = await analyses.found(table)
        seats = [seat] if seat is not None else await own_seats(table, who) or range(len(table.seats))
        places = [each.at for n in seats for each in exercises.mistakes_of(analysis, n)] if analysis else []
        if not places:
            raise Refused(404, "no_mistake", "No mistake is known of; the analysis of the game says what it found.")
        return RedirectResponse(f"/t/{id}/mistakes/{places[0]}", 303)

    @app.get("/t/{id}/mistakes/{at}", response_class=HTMLResponse)
    async def mistake_page(request: Request, id: str, at: int) -> Response:
        _, exercise, places = await found(id, at)
        following = exercises.following([str(place) for place in places], str(at))
        onwards = {"page": f"/t/{id}/mistakes/{following}", "label": "Next mistake"} if following else None
        back = {"page": f"/t/{id}/analysis", "label": "To the analysis"}
        extra = {"fork": {"fork": id, "at": at}}
        return await asyncio.to_thread(_page, request, exercise, back=back, next=onwards, extra=extra)

    @app.get("/api/tables/{id}/mistakes/{count}/effect")
    async def mistake_effect(id: str, count: int, action: str, who: Who, at: Address) -> list[str]:
        """Ask what another action would have brought about at a mistake, or why it is not legal."""
        limits.take(LOOKING, who, at)
        return exercises.effect_of((await found(id, count))[1], action[:80])

    @app.get("/api/tables/{id}/mistakes/{count}/answer")
    async def mistake_answer(id: str, count: int, who: Who, at: Address, action: str = "") -> dict[str, Any]:
        """Choose again at a mistake of an analysed game; without an action, see what was best."""
        limits.take(SOLVING, who, at)
        return await exercises.answered((await found(id, count))[1], thinkers, action[:80], who or at)


# The page


def _page(
    request: Request, exercise: Exercise, back: dict[str, str], next: dict[str, str] | None, extra: dict[str, Any]
) -> Response:
    """The page of an exercise: the table as it stood, and what can be chosen."""
    game = exercise.game
    page = {
        "title": game.title,
        "heading": exercise.heading,
        "first": exercises.question_view(exercise) | extra,
        "back": back,
        "next": next,
    }
    seen = neutral(scene(game.state, game.seats))
    return templates.TemplateResponse(request, "exercise.html", page | drawings(seen, game.title.rulebook))
