"""What happened in a stretch of a game, told shortly: a few lines, and a card for what changes the game.

A turn is told in one line, whatever it was made of: an auction by who took the share, the turn of a railroad by what it
did and earned. Where there are too many turns, those of one railroad are told together.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from cuberails.core.event import Change, Deed, Event, Gain, Passed, Received
from cuberails.core.game import Game

MOST_LINES: Final = 6
"""No stretch is told in more lines than these."""
MOST_NAMED: Final = 3
"""Of more things than these that one did alike, the rest are counted."""


@dataclass
class Line:
    """One line of a story: `n` is the action that it ends with, `seat` who acted, `subject` the railroad, or ""."""

    n: int
    seat: int
    subject: str
    text: str


@dataclass
class Row:
    """One line of a card; with a gain it is a row of a table, and the text says what that was for."""

    text: str
    gain: Gain | None = None


@dataclass
class Card:
    """What changed the game at the action `n`; `subjects` are the railroads that it is about."""

    n: int
    heading: str
    rows: list[Row] = field(default_factory=list)
    subjects: list[str] = field(default_factory=list)


@dataclass
class Happening:
    """An action and what it brought about, with the railroad that it is about, or ""."""

    n: int
    seat: int
    subject: str
    events: list[Event]

    def preliminary(self) -> bool:
        """Whether it only leads up to something."""
        return _only_preliminary(self.events)


def _only_preliminary(events: Sequence[Event]) -> bool:
    for event in events:
        if not event.preliminary():
            return False
    return True


def last_of(game: Game, seats: Sequence[int], count: int | None = None) -> int:
    """After how many of the first `count` actions one of these seats has acted for the last time; 0 if none has."""
    steps = game.steps
    n = len(steps) if count is None else count
    while n and steps[n - 1].seat not in seats:
        n -= 1
    return n


def story(game: Game, start: int) -> list[Line]:
    """What happened after so many actions, in a few lines."""
    turns = _turns(_happenings(game, start))
    if turns and not turns[-1][-1].subject and turns[-1][-1].preliminary():
        del turns[-1]  # dice that were rolled for what comes now
    if len(turns) > MOST_LINES:
        turns = _by_railroad(turns)
    most = MOST_LINES if len(turns) <= MOST_LINES else MOST_LINES - 1
    lines = [_line(turn, game.seats) for turn in turns[len(turns) - most if len(turns) > most else 0 :]]
    earlier = turns[: len(turns) - len(lines)]
    return [_rest(earlier, game.seats), *lines] if earlier else lines


def _happenings(game: Game, start: int) -> list[Happening]:
    steps, events = game.steps[start:], game.events(start)
    return [
        Happening(n, step.seat, _subject(brought), brought)
        for n, step, brought in zip(range(start + 1, start + 1 + len(steps)), steps, events)
    ]


def _subject(events: Sequence[Event]) -> str:
    """The railroad that an action is about: the first that is named."""
    for event in events:
        if event.subject():
            return event.subject()
    return ""


# Turns


def _turns(actions: Iterable[Happening]) -> list[list[Happening]]:
    """The actions, those together that make one turn."""
    turns: list[list[Happening]] = []
    for action in actions:
        if turns and _goes_on(turns[-1][-1], action):
            turns[-1].append(action)
        else:
            turns.append([action])
    return turns


def _goes_on(last: Happening, action: Happening) -> bool:
    """Whether an action belongs to the same turn as the one before it: what leads up to it, or more of the same.

    After an auction the winner, who need not be the last who was asked, goes on with the railroad.
    """
    if last.preliminary() and (not last.subject or last.subject == action.subject):
        return True
    if _idle(last) and _idle(action):
        return True
    auctioned = last.events[:1] != [] and last.events[0].preliminary()
    same_turn = not action.preliminary() if auctioned else last.seat == action.seat  # the next auction is another turn
    return bool(action.subject) and last.subject == action.subject and same_turn


def _idle(action: Happening) -> bool:
    """Whether somebody did nothing."""
    return action.seat >= 0 and len(action.events) == 1 and not action.subject and not action.preliminary()


def _by_railroad(turns: Sequence[list[Happening]]) -> list[list[Happening]]:
    """The turns of one railroad as one turn, at the place of its last; the others stay as they are."""
    found: dict[str, list[Happening]] = {}
    for n, turn in enumerate(turns):
        subject = turn[-1].subject
        key = subject or f"\n{n}"
        found[key] = found.pop(key, []) + turn
    return list(found.values())


# Lines


def _line(turn: Sequence[Happening], names: Sequence[str]) -> Line:
    done = [action for action in turn if not action.preliminary()] or list(turn)
    deeds = [deed for action in done for deed in _deeds(action.events, names)]
    clauses = _clauses(deeds) + _received(done) + _changes(done) + _points(done, names)
    text = "; ".join(clauses) or turn[-1].events[0].say(names)
    named = [names.index(deed.doer) for deed in deeds if deed.doer in names]
    if named:
        return Line(turn[-1].n, named[0], turn[-1].subject, text)
    seat = done[0].seat
    return Line(turn[-1].n, seat, turn[-1].subject, f"{names[seat]}: {text}" if seat >= 0 else text)


def _rest(turns: Sequence[Sequence[Happening]], names: Sequence[str]) -> Line:
    """The turns that are too many, by whom they were."""
    actions = [action for turn in turns for action in turn]
    whom = dict.fromkeys([action.subject for action in actions if action.subject])
    of = f" of {_listed(list(whom))}" if whom else ""
    count = "1 turn" if len(turns) == 1 else f"{len(turns)} turns"
    return Line(actions[-1].n, actions[-1].seat, "", f"Before that: {count}{of}")


def _deeds(events: Sequence[Event], names: Sequence[str]) -> list[Deed]:
    """What an action brought about. Of many events that share a card the heading is enough, or the first sentence."""
    headings = [event.card() for event in events]
    leading_up = _only_preliminary(events)
    deeds: list[Deed] = []
    for n, event in enumerate(events):
        heading = headings[n]
        if (event.preliminary() and not leading_up) or (heading and heading in headings[:n]):
            continue
        deed = event.deed(names)
        if deed is not None:
            shared = heading and headings.count(heading) > 1 and deed.doer
            deeds.append(Deed("", heading) if shared else deed)
    return deeds


def _clauses(deeds: Sequence[Deed]) -> list[str]:
    """What each doer did, a clause for each: "PA buys equipment #5 for $80, builds in K4 and L5"."""
    found: dict[str, dict[str, list[str]]] = {}
    for n, deed in enumerate(deeds):
        key = deed.doer or f"\n{n}"
        found.setdefault(key, {}).setdefault(deed.verb, []).append(deed.what)
    return [_clause("" if doer[0] == "\n" else doer, verbs) for doer, verbs in found.items()]


def _clause(doer: str, verbs: dict[str, list[str]]) -> str:
    said = [f"{verb} {_listed([what for what in whats if what])}".rstrip() for verb, whats in verbs.items()]
    return f"{doer} {', '.join(said)}".lstrip()


def _listed(whats: list[str]) -> str:
    """Things one after the other, the last with "and"; of too many the rest are counted."""
    if len(whats) > MOST_NAMED + 1:
        whats = [*whats[:MOST_NAMED], f"{len(whats) - MOST_NAMED} more"]
    return " and ".join([", ".join(whats[:-1]), whats[-1]]) if len(whats) > 1 else "".join(whats)


def _received(actions: Sequence[Happening]) -> list[str]:
    """The money that railroads got from the bank."""
    totals: dict[str, int] = {}
    for event in [event for action in actions for event in action.events]:
        if isinstance(event, Received):
            totals[event.railroad] = totals.get(event.railroad, 0) + event.amount
    return [f"{railroad} receives ${total}" for railroad, total in totals.items()]


def _changes(actions: Sequence[Happening]) -> list[str]:
    """The figures that have changed from first to last: "income 5 → 8", of several railroads with their names."""
    found: dict[tuple[str, str], Change] = {}
    for event in [event for action in actions for event in action.events]:
        new = event.change()
        if new is not None:
            key = event.subject(), new.name
            before = found[key].before if key in found else new.before
            found[key] = Change(new.name, before, new.after, new.unit)
    alone = {railroad for railroad, _ in found} == {actions[-1].subject}
    return [
        f"{'' if alone else f'{railroad} '}{name} {new.unit}{new.before} → {new.unit}{new.after}"
        for (railroad, name), new in found.items()
        if new.before != new.after
    ]


def _points(actions: Sequence[Happening], names: Sequence[str]) -> list[str]:
    """The points that seats got by what they did; those of a card stand there."""
    totals = [0] * len(names)
    for event in [event for action in actions for event in action.events if not event.card()]:
        for gain in event.gains():
            for seat, amount in enumerate(gain.amounts if gain.points else []):
                totals[seat] += amount
    return [f"{name} scores {total}" for name, total in zip(names, totals) if total]


# Cards


def cards(game: Game, start: int = 0) -> list[Card]:
    """What changed the game after so many actions, in order."""
    return [card for n, events in enumerate(game.events(start), start + 1) for card in _cards(n, events, game.seats)]


def _cards(n: int, events: Sequence[Event], names: Sequence[str]) -> list[Card]:
    """The cards of one action: one for a heading, and for a railroad."""
    found: list[Card] = []
    for event in events:
        heading, subject = event.card(), event.subject()
        if not heading:
            continue
        same = bool(found) and (found[-1].heading == heading or (subject != "" and subject in found[-1].subjects))
        if not same:
            found.append(Card(n, heading))
        found[-1].rows.append(_row(event, names))
        if subject and subject not in found[-1].subjects:
            found[-1].subjects.append(subject)
    return found


def _row(event: Event, names: Sequence[str]) -> Row:
    """What a card says of an event. Who got how much stands in the table, so the sentence ends before it."""
    said = event.say(names)
    for gain in event.gains():
        if max(gain.amounts) > 0:
            what = said.rpartition(": ")[0] or said
            heading = event.card()
            return Row(what.removeprefix(f"{heading}: ").removeprefix(f"{heading[:-1]}: "), gain)  # "Dividend: "
    return Row(said)


# The same question again


def asked_again(game: Game, seat: int) -> str:
    """Why a seat that passed has to decide the same once more: others acted since. "" if that is not so.

    Who passes in an auction is out of it; and where a new round has begun, the question is a new one.
    """
    start = last_of(game, [seat])
    if not start or game.steps[start - 1].action.text != "pass" or game.state.phase.actor != seat:
        return ""
    events = game.events(start - 1)
    if game.at(start - 1).rule != game.state.rule or isinstance(events[0][0], Passed) or _new_round(events):
        return ""
    acted = [step.seat for step in game.steps[start:] if step.seat >= 0 and step.action.text != "pass"]
    others = dict.fromkeys([game.seats[other] for other in acted])
    return f"You passed; {_listed(list(others))} acted since, so you are asked again." if others else ""


def _new_round(events: Sequence[Sequence[Event]]) -> bool:
    """Whether something has happened that concerns all railroads."""
    for event in [event for brought in events for event in brought]:
        if event.card() and not event.subject():
            return True
    return False
