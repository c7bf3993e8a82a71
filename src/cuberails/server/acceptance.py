"""Acceptance of actions: a visible row of checks, each with its own refusal, then the action and its dice."""

from __future__ import annotations

from collections.abc import Sequence
from random import SystemRandom

from cuberails.core.action import Action, UnknownAction
from cuberails.core.game import MOST_ACTIONS, Move, advance
from cuberails.core.playout import sample
from cuberails.core.state import CHANCE, NOBODY
from cuberails.server.lessons import next_action
from cuberails.server.refusal import Refused
from cuberails.server.requests import ActRequest
from cuberails.server.store import ACT
from cuberails.server.table import Table

MOST_ENTRIES = 4 * MOST_ACTIONS
"""The longest log of a table, with all that was taken back and discussed."""

DICE = SystemRandom()
"""At a served table the operating system rolls, so that nobody can predict it."""


async def act(table: Table, own: list[int], request: ActRequest, person: str = "") -> None:
    """Accept an action if and only if it is legal, for that seat (one of `own`), at that sequence number."""
    async with table.lock:
        check_seat(table, own, request.seat)
        _check_not_repeated(table, request)
        await check_seq(table, request.seq)
        _check_turn(table, request.seat)
        await play(table, _legal_action(table, request.action), person)


def check_seat(table: Table, own: list[int], seat: int) -> None:
    check_number(table, seat)
    if table.seats[seat].bot:
        back = "take your seat back first" if seat in own else "the host can hand it back"
        raise Refused(403, "bot_plays", f"A bot plays for {table.game.seats[seat]} now; {back}.")
    check_own(table, own, seat)


def check_own(table: Table, own: list[int], seat: int) -> None:
    check_number(table, seat)
    if seat not in own:
        raise Refused(401, "not_your_seat", f"{table.game.seats[seat]}'s seat is not yours to play.")


def check_number(table: Table, seat: int) -> None:
    if not 0 <= seat < len(table.seats):
        raise Refused(404, "no_seat", f"There is no seat {seat}; the seats are 0 to {len(table.seats) - 1}.")


def _check_not_repeated(table: Table, request: ActRequest) -> None:
    """A double click deserves a better answer than that the table has moved on."""
    seq, text = table.history.beyond_names(request.seq), request.action
    done = table.history.log[seq] if 0 <= seq < table.seq else None
    if done is not None and (done.kind, done.text, done.seat) == (ACT, text, request.seat):
        raise Refused(409, "done_already", f"“{text}” was done already; the table is at {table.seq}.")


async def check_seq(table: Table, seq: int) -> None:
    """Whoever asks may have heard from another process what this one has not. A new name makes nothing stale."""
    if seq > table.seq:
        await table.refresh()
    if not table.history.still_at(seq):
        raise Refused(409, "stale", f"The table has moved on: it is at {table.seq}, your request was made at {seq}.")
    check_room(table)


def check_room(table: Table) -> None:
    """No table grows without end: what is kept of it in memory and on the disk has a limit."""
    if table.seq >= MOST_ENTRIES:
        raise Refused(422, "too_long", f"This table is full: {MOST_ENTRIES} things happened here. Fork it to continue.")


def _check_turn(table: Table, seat: int) -> None:
    actor, names = table.actor, table.game.seats
    if actor == NOBODY:
        raise Refused(409, "over", "The game is over; nothing more can be done here.")
    if actor != seat:
        whose = "Dice decide" if actor == CHANCE else f"{names[actor]} decides"
        raise Refused(403, "out_of_turn", f"It is not {names[seat]}'s turn. {whose}.")


def _legal_action(table: Table, text: str) -> Action:
    state = table.state
    try:
        action = state.parse(text)
    except UnknownAction as error:
        raise Refused(400, "unknown", f"That is no action: {error}") from None
    if action not in state.legal_actions():
        raise Refused(422, "illegal", str(state.phase.refuse(state, action)))
    return action


async def play(table: Table, action: Action, person: str = "", ordered: bool = False) -> None:
    """Carry out a legal action of a person, perhaps by a standing order, or of a bot, and the dice that it rolls."""
    check_room(table)
    if table.game.count >= MOST_ACTIONS:
        raise Refused(422, "too_long", f"The game has {MOST_ACTIONS} actions, and no table holds more.")
    moves = [advance(table.state, action)]
    while moves[-1].state.phase.actor == CHANCE:
        moves.append(advance(moves[-1].state, _outcome(table, moves)))
    await table.play(moves, person, ordered)


def _outcome(table: Table, moves: Sequence[Move]) -> Action:
    """What dice show after these moves; in a lesson that is what its script wants."""
    state = moves[-1].state if moves else table.state
    steps = [*table.game.steps, *(move.step for move in moves)] if table.lesson else []
    return next_action(table.lesson, steps, state) or sample(state, DICE)


async def roll(table: Table) -> None:
    """Let dice decide where it is up to them."""
    if table.actor == CHANCE:
        async with table.lock:
            if table.actor == CHANCE:
                await play(table, _outcome(table, []))
