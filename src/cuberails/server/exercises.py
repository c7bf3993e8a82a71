"""Positions to be solved: the puzzles of each day, and the moments of a finished game where its players lost most.

An exercise has a position, what deep searches said of the main actions there, and an answer to any other one, which a
short search gives when it is asked for.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta
from functools import lru_cache
from typing import Any

from cuberails.bots.advice import Idea
from cuberails.bots.analysis import Analysis
from cuberails.bots.decision import AS_GOOD, Decision, line_in_words
from cuberails.bots.puzzle import puzzle_of_day, puzzles_of
from cuberails.core.game import Game
from cuberails.core.menu import menu
from cuberails.core.preview import preview
from cuberails.server.queueing import ADVICE, Asker
from cuberails.server.refusal import Refused
from cuberails.server.story_view import story_lines
from cuberails.server.thinking import Judging, Thinkers, question_at
from cuberails.server.view import groups
from cuberails.titles import calibrated, scene

SIMULATIONS = 96
"""How deeply an action is searched that was not among the main ones."""

MOST_TOLD = 40
"""The story before a position is told from so many actions ago at most."""

FIRST_DAY = date(2025, 1, 1)
"""Puzzles of earlier days nobody can have missed."""


@dataclass(frozen=True)
class Exercise:
    """A position to be solved. `path` is its place in the interface, `page` that of its page.

    `ideas` are the best action and others that were searched, each with everybody's chances and why; those in `also`
    are as good as the best. `line` is the best with its likely continuation, `played` what was done in the game, if
    somebody wants to know what was wrong with that. `hindsight`: the best was found in hindsight.
    """

    heading: str
    path: str
    page: str
    game: Game
    ideas: list[Idea]
    also: list[str]
    line: list[str]
    played: str = ""
    hindsight: bool = False

    @property
    def seat(self) -> int:
        return self.game.state.phase.actor

    @property
    def best(self) -> Idea:
        return self.ideas[0]

    @property
    def record(self) -> dict[str, Any]:
        """The game up to the position, to be opened at a table."""
        record: dict[str, Any] = json.loads(self.game.to_json())
        return record


# Where they come from


def today() -> date:
    return datetime.now(UTC).date()


def checked_day(text: str) -> date:
    """The day that an address names; a puzzle of tomorrow is not shown yet."""
    try:
        day = date.fromisoformat(text)
    except ValueError:
        raise Refused(404, "no_day", "A puzzle has a day, written as 2026-11-18.") from None
    if not FIRST_DAY <= day <= today():
        raise Refused(404, "no_day", f"There are puzzles from {FIRST_DAY} to {today()}.")
    return day


@lru_cache(maxsize=20)
def daily(key: str, day: date) -> Exercise:
    """The puzzle of a title on a day."""
    if not puzzles_of(key):
        raise Refused(404, "no_puzzle", "This title has no puzzles.")
    puzzle = puzzle_of_day(key, day)
    heading = f"Puzzle of {day.day} {day:%B %Y}"
    path, page, game = f"/api/puzzles/{key}/{day}", f"/puzzle/{key}/{day}", puzzle.game()
    ideas = [replace(idea, chances=calibrated(game.board, idea.chances)) for idea in puzzle.ideas]
    return Exercise(heading, path, page, game, ideas, puzzle.also, puzzle.line)


def mistakes_of(analysis: Analysis, seat: int) -> list[Decision]:
    """Where a seat lost most, in the order of the game: turning points and mistakes."""
    wrong = ("turning point", "mistake")
    return [each for each in analysis.decisions if each.seat == seat and each.verdict in wrong]


def mistake(id: str, game: Game, analysis: Analysis, at: int) -> Exercise:
    """A moment of a table's game where an action lost much of the chance to win."""
    decision = next((each for each in analysis.decisions if each.at == at), None)
    found = mistakes_of(analysis, decision.seat) if decision else []
    if decision is None or decision not in found:
        raise Refused(404, "no_mistake", "The analysis of this game knows of no mistake there.")
    heading = f"{decision.verdict.capitalize()} {found.index(decision) + 1} of {len(found)}"
    earlier = Game(game.board, game.seats, game.state.options, game.state.rules_version)
    for step in game.steps[:at]:
        earlier.apply(step.action)
    ideas = [Idea(decision.best, decision.before, decision.why), Idea(decision.action, decision.after, decision.words)]
    path, page = f"/api/tables/{id}/mistakes/{at}", f"/t/{id}/mistakes/{at}"
    heading = f"{heading}: {game.seats[decision.seat]}"
    return Exercise(heading, path, page, earlier, ideas, [], decision.line, decision.action, decision.hindsight)


# What is told


def question_view(exercise: Exercise) -> dict[str, Any]:
    """The position and what can be chosen, without the answer."""
    game, state, seat = exercise.game, exercise.game.state, exercise.seat
    seen = scene(state, game.seats)
    return {
        "path": exercise.path,
        "page": exercise.page,
        "title": game.title.key,
        "names": list(game.seats),
        "seat": seat,
        "count": game.count,
        "prompt": state.prompt,
        "rule": state.rule,
        "story": story_lines(game, seen, _turn_before(game, seat)),
        "task": _task(exercise),
        "you": {
            "seat": seat,
            "groups": groups(menu(state, seen)),
            "acting": asdict(seen.acting) if seen.acting else None,
        },
    }


def _turn_before(game: Game, seat: int) -> int:
    """After how many actions a seat was last done with a turn before the present one; not too long ago."""
    steps, n = game.steps, game.count
    while n and steps[n - 1].seat == seat:
        n -= 1
    while n and steps[n - 1].seat != seat:
        n -= 1
    return max(n, game.count - MOST_TOLD)


def _task(exercise: Exercise) -> str:
    if not exercise.played:
        return "One action is clearly best. Which?"
    return f"In the game it was “{exercise.played}”. What would have been better?"


def effect_of(exercise: Exercise, text: str) -> list[str]:
    """What an action would bring about, in sentences, or why it is not legal."""
    state = exercise.game.state
    reason = state.why_not(text)
    return [reason] if reason is not None else preview(state, state.parse(text), exercise.game.seats)


def answer_view(exercise: Exercise, chosen: Idea | None, solved: bool) -> dict[str, Any]:
    """Whether an action is the best, and what it comes to.

    Once the best was found, or somebody wants to see the answer (and chooses nothing), also the main actions and why.
    Before, why another one is worse would give the best away.
    """
    if chosen is not None and not solved:
        lost = max(0.0, exercise.best.chances[exercise.seat] - chosen.chances[exercise.seat])
        return {"solved": False, "chosen": {"action": chosen.action, "chances": chosen.chances}, "lost": lost}
    ideas = [{**asdict(idea), "effect": effect_of(exercise, idea.action)} for idea in exercise.ideas]
    line = line_in_words(exercise.game.state, exercise.line, exercise.game.seats)
    answer = {"answer": exercise.best.action, "ideas": ideas, "line": line, "played": exercise.played}
    return {"solved": solved, "chosen": None if chosen is None else asdict(chosen), **answer}


async def answered(exercise: Exercise, thinkers: Thinkers, text: str, person: str) -> dict[str, Any]:
    """What is told to somebody who chose this action; "" to see the answer."""
    if not text:
        return answer_view(exercise, None, False)
    state = exercise.game.state
    reason = state.why_not(text)
    if reason is not None:
        raise Refused(422, "illegal", reason)
    action = state.parse(text).text
    for idea in exercise.ideas:
        if idea.action == action:
            return answer_view(exercise, idea, idea is exercise.best)
    if action in exercise.also:
        return answer_view(exercise, Idea(action, exercise.best.chances, "it comes to the same"), True)
    decision = await _judged(exercise, thinkers, action, person)
    return answer_view(exercise, _compared(exercise, decision), decision.loss < AS_GOOD)


async def _judged(exercise: Exercise, thinkers: Thinkers, action: str, person: str) -> Decision:
    """What a short search says of an action that was not among the main ones."""
    game = exercise.game
    work = Judging(game.state.parse(action).id, SIMULATIONS, 0, list(game.seats), exercise.hindsight)
    asker = Asker(person, lambda: ADVICE)
    try:
        return await asyncio.wrap_future(
            thinkers.judge(question_at(game, game.count, "analysis", exercise.path), work, asker)
        )
    except Exception:
        raise Refused(503, "no_advice", "The bot could not make up its mind; ask again.") from None


def _compared(exercise: Exercise, decision: Decision) -> Idea:
    """An action as the short search compares it with the best: by so much it falls short of what is known of that."""
    seat, best = exercise.seat, exercise.best.chances
    own = max(0.0, best[seat] - decision.loss)
    others = 1.0 - best[seat]
    chances = [
        own if n == seat else (1.0 - own) * (each / others if others else 1.0 / (len(best) - 1))
        for n, each in enumerate(best)
    ]
    return Idea(decision.action, chances, "it is as good, as far as a short search can tell")


def neighbours(day: date) -> tuple[date | None, date | None]:
    """The days before and after, as far as there are puzzles."""
    before, after = day - timedelta(days=1), day + timedelta(days=1)
    return before if before >= FIRST_DAY else None, after if after <= today() else None


def following(items: Sequence[str], item: str) -> str:
    """The item after this one, round and round; "" if there is no other."""
    if item not in items or len(items) < 2:
        return ""
    return items[(items.index(item) + 1) % len(items)]
