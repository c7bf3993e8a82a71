"""What people did besides acting, in words: going back and answers to that, seats and names, a rematch."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.game import Step
from cuberails.server.history import History, PendingUndo, read_request
from cuberails.server.store import ACT, ASK, LATE, NAME, NO, REDO, REMATCH, REMOVE, SEAT, TIMEOUT, UNDO, YES, Entry

MOST_ACTIONS = 6
"""So many actions are named in a sentence."""

Notice = dict[str, str | int]
"""The number of an entry of the log, and what it says in a sentence."""


def notices(history: History, since: int) -> list[Notice]:
    """What was noted since a number of the log, but for actions."""
    return [{"seq": entry.seq, "text": _sentence(history, entry)} for entry in history.log[since:] if entry.kind != ACT]


def request_sentence(history: History, pending: PendingUndo) -> str:
    """What somebody wants to take back."""
    names, steps = history.game.seats, history.game.steps[pending.to :]
    mixed = any(step.seat != pending.seat for step in steps)
    named = [_action(step, names if mixed else ()) for step in steps[:MOST_ACTIONS]]
    more = ", …" if len(steps) > MOST_ACTIONS else ""
    return f"{names[pending.seat]} wants to take back: {', '.join(named)}{more} ({_actions(len(steps))})"


def _action(step: Step, names: Sequence[str]) -> str:
    """An action, with who did it if there are names."""
    who = "" if not names else f"{names[step.seat] if step.seat >= 0 else 'dice'}: "
    return who + step.action.text


def _actions(count: int) -> str:
    return f"{count} action{'' if count == 1 else 's'}"


def _sentence(history: History, entry: Entry) -> str:
    names, text = history.game.seats, entry.text
    who = names[entry.seat] if entry.seat >= 0 else "The host"
    before, after = history.counts[entry.seq - 1], history.counts[entry.seq]
    if entry.kind == UNDO:
        return _undone(history, entry, before - after)
    if entry.kind == NO and entry.text == LATE:
        return "Nobody has answered in time: the game goes on."
    if entry.kind == NO:
        asked = _request_before(history, entry)
        return f"{who} goes on instead." if asked and asked.seat == entry.seat else f"{who} refused to go back."
    sentences = {
        REDO: f"{who} plays {_actions(after - before)} again.",
        ASK: f"{who} asks to go back.",
        YES: f"{who} agrees to go back.",
        TIMEOUT: f"{who}'s time is up: a bot ({text}) plays for {who} now.",
        SEAT: f"A bot ({text}) plays for {who} now." if text else f"{who} plays without a bot again.",
        REMOVE: f"The host has removed {who} from the table.",
        NAME: f"Seat {entry.seat + 1} is called {text} now.",
        REMATCH: f"{who} has opened a rematch.",
    }
    return sentences[entry.kind]


def _undone(history: History, entry: Entry, count: int) -> str:
    asked = _request_before(history, entry)
    if asked is None:
        return f"{history.game.seats[entry.seat]} took back {_actions(count)}."
    agreed = [history.game.seats[seat] for seat in sorted(read_request(asked).asked)]
    return f"{_and(agreed)} agreed: went back {_actions(count)}."


def _and(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _request_before(history: History, entry: Entry) -> Entry | None:
    """The request to go back that an entry answers."""
    for earlier in reversed(history.log[: entry.seq - 1]):
        if earlier.kind not in (YES, NAME):
            return earlier if earlier.kind == ASK else None
    return None
