"""Undo and redo: freely while nobody else is concerned, otherwise the other people are asked.

Consent belongs to people, not to seats: who played a seat at any time since then is asked, whoever plays it now. `own`
are the seats of the person who asks, also those that a bot plays at present.
"""

from __future__ import annotations

from cuberails.core.state import CHANCE
from cuberails.server.acceptance import check_own, check_seat, check_seq
from cuberails.server.refusal import Refused
from cuberails.server.requests import AnswerRequest, UndoRequest
from cuberails.server.store import ASK, NO, REDO, SEAT, UNDO, YES
from cuberails.server.table import Table


async def undo(table: Table, own: list[int], request: UndoRequest) -> None:
    """Go back: at once if nobody else is concerned, otherwise the others are asked."""
    async with table.lock:
        check_seat(table, own, request.seat)
        await check_seq(table, request.seq)
        target = _skip_chance_back(table, _last_own(table, own) if request.to is None else request.to)
        if not 0 <= target < table.game.count:
            raise Refused(422, "nothing", "There is nothing to take back.")
        asked = [] if _free(table, own, target) else await _others_since(table, own, target)
        if asked:
            await table.note(ASK, " ".join(map(str, [target, *asked])), request.seat)
        else:
            await table.note(UNDO, str(target), request.seat)


async def answer(table: Table, own: list[int], request: AnswerRequest) -> None:
    """Agree to go back, or not; whoever asked can withdraw the request."""
    async with table.lock:
        check_own(table, own, request.seat)
        await check_seq(table, request.seq)
        pending = table.pending_undo
        if pending is None or (request.agree and not pending.asked & set(own)):
            raise Refused(409, "nothing_asked", "Nobody waits for your answer.")
        if not request.agree:
            await table.note(NO, "", request.seat)
        elif pending.asked <= set(own):
            await table.note(UNDO, str(pending.to), pending.seat)
        else:
            await table.note(YES, " ".join(map(str, own)), request.seat)


async def redo(table: Table, own: list[int], request: UndoRequest) -> None:
    """Play again what was taken back, up to the next own decision; but nobody plays again for another person."""
    async with table.lock:
        check_seat(table, own, request.seat)
        await check_seq(table, request.seq)
        start = table.game.count
        target = _skip_chance_forward(table, _next_own(table, own) if request.to is None else request.to)
        if not start < target < len(table.history.branch):
            raise Refused(422, "nothing", "There is nothing to play again.")
        actors = {table.game.at(count).phase.actor for count in range(start, target)}
        others = sorted(actors.intersection(await _others_since(table, own, start)))
        if others:
            name = table.game.seats[others[0]]
            raise Refused(403, "not_your_move", f"{name} decides whether to do that again.")
        await table.note(REDO, str(target), request.seat)


def _last_own(table: Table, own: list[int]) -> int:
    steps, mine = table.game.steps, table.played_by_people(own)
    return next((n for n in range(len(steps) - 1, -1, -1) if steps[n].seat in mine), -1)


def _next_own(table: Table, own: list[int]) -> int:
    last, mine = len(table.history.branch) - 1, table.played_by_people(own)
    ahead = range(table.game.count + 1, last)
    return next((n for n in ahead if table.game.at(n).phase.actor in mine), last)


def _skip_chance_back(table: Table, target: int) -> int:
    """Where dice decide nobody can stop: go back to the decision that made them roll.

    With dice that opened the game, before anybody decided, stop at the first decision after them.
    """
    while 0 < target < len(table.history.branch) and _chance_decides(table, target):
        target -= 1
    return _skip_chance_forward(table, target)


def _skip_chance_forward(table: Table, target: int) -> int:
    while 0 <= target < len(table.history.branch) and _chance_decides(table, target):
        target += 1
    return target


def _chance_decides(table: Table, count: int) -> bool:
    return table.game.at(count).phase.actor == CHANCE


def _free(table: Table, own: list[int], target: int) -> bool:
    """No dice were rolled since then, and no other seat has acted."""
    return all(step.seat in own for step in table.game.steps[target:])


async def _others_since(table: Table, own: list[int], count: int) -> list[int]:
    """The seats of other people, who must be asked, for they have played since the position after `count` actions.

    Bots always agree, and so does an empty seat.
    """
    await table.refresh_claims()
    seq = max(0, table.history.branch[count])
    return [seat for seat in table.claimed() if seat not in own and _person_since(table, seat, seq)]


def _person_since(table: Table, seat: int, seq: int) -> bool:
    """Whether a person has played a seat at any time since this number of the log."""
    changes = [entry for entry in table.history.log if entry.kind == SEAT and entry.seat == seat]
    before = [entry for entry in changes if entry.seq <= seq]
    after = changes[len(before) :]
    if not table.seats[seat].bot or any(not entry.text for entry in after):
        return True
    return not before[-1].text if before else bool(after)  # what a bot was given first, a person had before
