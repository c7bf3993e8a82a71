"""Undo and redo: freely while nobody else is concerned, otherwise the other people are asked.

Consent belongs to people, not to seats: who played a seat at any time since then is asked, whoever plays it now, or may
play it too. `own` are the seats of the `person` who asks, also those that a bot plays at present; without a name that
is anybody who has these seats.
"""

from __future__ import annotations

from cuberails.core.state import CHANCE, NOBODY
from cuberails.server.acceptance import check_own, check_seat, check_seq
from cuberails.server.history import Consent, consents_text
from cuberails.server.refusal import Refused
from cuberails.server.requests import AnswerRequest, UndoRequest
from cuberails.server.store import ACT, ASK, NO, REDO, SEAT, TIMEOUT, UNDO, YES
from cuberails.server.table import Table

RATED = (
    "This game counts for ratings: what a bot has answered is not taken back, and what the dice have answered, or the"
    " end of the game, only if other people agree."
)
"""What is said to whoever wants to go back in a rated game, and cannot."""


async def undo(table: Table, own: list[int], request: UndoRequest, person: str = "") -> None:
    """Go back: at once if nobody else is concerned, otherwise the others are asked."""
    async with table.lock:
        check_seat(table, own, request.seat)
        await check_seq(table, request.seq)
        target = _skip_chance_back(table, _last_own(table, own) if request.to is None else request.to)
        if not 0 <= target < table.game.count:
            raise Refused(422, "nothing", "There is nothing to take back.")
        consents = set() if _free(table, own, target, person) else await _consents(table, own, target, person)
        _check_rated(table, target, bool(consents))
        if consents:
            await table.note(ASK, f"{target} {consents_text(consents)}", request.seat, person)
        else:
            await table.note(UNDO, str(target), request.seat, person)


async def answer(table: Table, own: list[int], request: AnswerRequest, person: str = "") -> None:
    """Agree to go back, or not; whoever asked can withdraw the request."""
    async with table.lock:
        check_own(table, own, request.seat)
        await check_seq(table, request.seq)
        pending = table.history.pending_undo
        if pending is None or (request.agree and not pending.asked & set(own)):
            raise Refused(409, "nothing_asked", "Nobody waits for your answer.")
        if not request.agree:
            await table.note(NO, "", request.seat, person)
            return
        given = {(seat, whose) for seat, whose in pending.consents if seat in own and whose in ("", person)}
        if not given:
            name = table.game.seats[min(pending.asked.intersection(own))]
            raise Refused(403, "not_your_answer", f"Only who has played for {name} can agree, in the same browser.")
        if given == pending.consents:
            await table.note(UNDO, str(pending.to), pending.seat, person)
        else:
            await table.note(YES, consents_text(given), request.seat, person)


async def redo(table: Table, own: list[int], request: UndoRequest, person: str = "") -> None:
    """Play again what was taken back, up to the next own decision; but nobody plays again for another person."""
    async with table.lock:
        check_seat(table, own, request.seat)
        await check_seq(table, request.seq)
        start = table.game.count
        target = _skip_chance_forward(table, _next_own(table, own) if request.to is None else request.to)
        if not start < target < len(table.history.branch):
            raise Refused(422, "nothing", "There is nothing to play again.")
        actors = {table.game.at(count).phase.actor for count in range(start, target)}
        others = sorted(actors.intersection(seat for seat, _ in await _consents(table, own, start, person)))
        if others:
            name = table.game.seats[others[0]]
            raise Refused(403, "not_your_move", f"{name} decides whether to do that again.")
        await table.note(REDO, str(target), request.seat, person)


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


def _free(table: Table, own: list[int], target: int, person: str) -> bool:
    """No dice were rolled since then, and nobody else has acted; what a rated game came to belongs to all."""
    if table.rated and table.actor == NOBODY:
        return False
    seats = {step.seat for step in table.game.steps[target:]}
    return seats <= set(own) and {whose for _, whose in table.history.players_since(target)} <= {"", person}


def _check_rated(table: Table, target: int, asked: bool) -> None:
    """In a rated game others agree only who are people: against bots alone anybody would win in the end."""
    if not table.rated:
        return
    since = table.history.players_since(target)
    bots = any(seat != CHANCE and not whose for seat, whose in since)
    dice = any(seat == CHANCE for seat, _ in since)
    if bots or (not asked and (dice or table.actor == NOBODY)):
        raise Refused(403, "rated", RATED)


async def _consents(table: Table, own: list[int], count: int, person: str) -> set[Consent]:
    """Who must agree, for they have played since the position after `count` actions: all who have acted at a seat since
    then, or whose seat it is if nobody has. Bots always agree, and so does an empty seat.
    """
    await table.refresh_claims()
    seq = max(0, table.history.branch[count])
    acted = {player for player in table.history.players_since(count) if player[1]}
    found = {player for player in acted if player[1] != person}
    for seat in {seat for seat in table.claimed() if _person_since(table, seat, seq)} - {seat for seat, _ in acted}:
        owner = _owner(table, seat) if person else ""
        if owner != person if owner else seat not in own:
            found.add((seat, owner))
    return found


def _owner(table: Table, seat: int) -> str:
    """Whose a seat is, of all who may play it: who acted there last, or who came first; "" if that is not known."""
    for entry in reversed(table.history.log):
        if entry.kind == ACT and entry.seat == seat and entry.person:
            return entry.person
    first = table.first_claimants(seat)
    return first.pop() if len(first) == 1 else ""


def _person_since(table: Table, seat: int, seq: int) -> bool:
    """Whether a person has played a seat at any time since this number of the log."""
    changes = [entry for entry in table.history.log if entry.kind in (SEAT, TIMEOUT) and entry.seat == seat]
    before = [entry for entry in changes if entry.seq <= seq]
    after = changes[len(before) :]
    if not table.seats[seat].bot or any(not entry.text for entry in after):
        return True
    return not before[-1].text if before else bool(after)  # what a bot was given first, a person had before
