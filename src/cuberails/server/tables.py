"""Live tables: every change goes through one visible row of checks, is kept, and is then told to all who watch."""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from random import SystemRandom
from threading import RLock, Timer

from cuberails.core.action import Action, UnknownAction
from cuberails.core.playout import sample
from cuberails.core.record import Game
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE, NOBODY, IllegalAction, State
from cuberails.core.title import Title
from cuberails.server.refusal import Refused as Refused
from cuberails.server.store import ACT, ASK, NO, REDO, SEAT, UNDO, YES, Entry, Kept, Seat, Store, Taken, now
from cuberails.server.thinking import Question, Thinkers
from cuberails.titles import load, scene

DICE = SystemRandom()
"""At a served table the operating system rolls, so that nobody can predict it."""

MOST_LIVE = 500
"""So many tables are kept in memory; the others are read again when somebody comes."""

MOST_SCENES = 8
"""So many scenes of a table are kept, for viewers who see the same."""

AGAIN = 2.0
"""Seconds until a bot's action is tried again that could not be written."""

_log = logging.getLogger(__name__)


@dataclass
class Request:
    """A seat wants to go back to the position after `to` actions; the seats in `asked` have not agreed yet."""

    seat: int
    to: int
    asked: set[int]


class Table:
    """One table in memory: its game, its log, and those who watch. Whoever looks at more than one thing holds `lock`.

    `seq` is the number of the last entry. `moments[seq]` is how many actions were in force after it.
    """

    def __init__(self, kept: Kept, store: Store) -> None:
        self.id = kept.id
        self.host = kept.host
        self.seats = kept.seats
        self.lock = RLock()
        self.watchers: set[Callable[[], None]] = set()
        self.asked_at = -1
        """The sequence number at which a bot was last asked."""
        self.game = _game(kept)
        self.log: list[Entry] = []
        self.moments = [len(self.game.steps)]
        self.request: Request | None = None
        self._store = store
        self._line = self.moments[0]
        self._states = [self.game.state]
        self._scenes: OrderedDict[int, tuple[State, Scene]] = OrderedDict()
        self.refresh()

    def refresh(self) -> None:
        """Take over what another process has written."""
        with self.lock:
            news = self._store.entries(self.id, self.seq)
            for entry in news:
                self._follow(entry)
        if news:
            self.tell()

    def _follow(self, entry: Entry) -> None:
        """Do to the table what an entry of the log says."""
        count = self.moments[-1]
        if entry.kind == ACT:
            self.game.apply(_actions(self.game.title)[entry.text])
            count = self._line = count + 1
        elif entry.kind in (UNDO, REDO):
            count = int(entry.text)
            self._go_to(count)
        elif entry.kind == SEAT:
            self.seats[entry.seat].bot = entry.text
        if entry.kind == YES and self.request:
            self.request.asked -= _numbers(entry.text)
        else:
            self.request = _request(entry) if entry.kind == ASK else None
        self.log.append(entry)
        self.moments.append(count)
        self._states.append(self.state)

    def _go_to(self, count: int) -> None:
        for _ in range(self.moments[-1] - count):
            self.game.undo()
        for _ in range(count - self.moments[-1]):
            self.game.redo()

    # What a viewer asks

    @property
    def seq(self) -> int:
        return len(self.log)

    @property
    def state(self) -> State:
        return self.game.state

    @property
    def actor(self) -> int:
        """The seat to decide; CHANCE, or NOBODY when the game is over."""
        return self.state.phase.actor

    @property
    def thinking(self) -> bool:
        """Whether a bot is to decide; while people discuss whether to go back, bots wait."""
        actor = self.actor
        return actor >= 0 and self.seats[actor].bot != "" and self.request is None

    def played_by_people(self, seats: list[int]) -> list[int]:
        """Those of these seats that no bot plays at present."""
        return [seat for seat in seats if not self.seats[seat].bot]

    def scene(self, count: int) -> Scene:
        """What is seen after so many actions."""
        return self._scene(self.game.at(count))

    def scene_then(self, seq: int) -> Scene:
        """What was seen when the log was at this number, be it taken back since or not."""
        return self._scene(self._states[seq])

    def _scene(self, state: State) -> Scene:
        kept = self._scenes.get(id(state))
        if kept is None:
            kept = self._scenes[id(state)] = (state, scene(state, self.game.seats))  # holding it keeps its id
            if len(self._scenes) > MOST_SCENES:
                self._scenes.popitem(last=False)
        return kept[1]

    def still_true(self, seq: int) -> int:
        """How many of the actions in force at this number of the log have never been taken back since."""
        return min(self.moments[seq:])

    def tell(self) -> None:
        """Wake everybody who watches."""
        for wake in list(self.watchers):
            wake()

    # What changes a table: a row of checks, then the log, then the game

    def act(self, mine: list[int], seat: int, seq: int, text: str) -> None:
        """An action is accepted if and only if it is legal, for that seat, at that number."""
        with self.lock:
            self._check_seat(mine, seat)
            self._check_not_twice(seat, seq, text)
            self._check_seq(seq)
            self._check_turn(seat)
            self._check_legal(text)
            self._play(self.state.parse(text), seat)

    def _check_seat(self, mine: list[int], seat: int) -> None:
        self._check_number(seat)
        if self.seats[seat].bot:
            raise Refused(403, "bot_plays", f"A bot plays for {self.game.seats[seat]} now; the host can hand it back.")
        if seat not in mine:
            raise Refused(401, "not_your_seat", f"{self.game.seats[seat]}'s seat is not yours to play.")

    def _check_number(self, seat: int) -> None:
        if not 0 <= seat < len(self.seats):
            raise Refused(404, "no_seat", f"There is no seat {seat}; the seats are 0 to {len(self.seats) - 1}.")

    def _check_not_twice(self, seat: int, seq: int, text: str) -> None:
        if 0 <= seq < self.seq and self.log[seq] == Entry(seq + 1, ACT, text, seat):
            raise Refused(409, "done_already", f"“{text}” was done already; the table is at {self.seq}.")

    def _check_seq(self, seq: int) -> None:
        if seq != self.seq:
            raise Refused(409, "stale", f"The table has moved on: it is at {self.seq}, your request was made at {seq}.")

    def _check_turn(self, seat: int) -> None:
        if self.actor == NOBODY:
            raise Refused(409, "over", "The game is over; nothing more can be done here.")
        if self.actor != seat:
            whose = "Dice decide" if self.actor == CHANCE else f"{self.game.seats[self.actor]} decides"
            raise Refused(403, "out_of_turn", f"It is not {self.game.seats[seat]}'s turn. {whose}.")

    def _check_legal(self, text: str) -> None:
        reason = self.state.why_not(text)
        if reason is None:
            return
        try:
            self.state.parse(text)
        except UnknownAction:
            raise Refused(400, "unknown", f"That is no action: {reason}") from None
        raise Refused(422, "illegal", reason)

    def _play(self, action: Action, seat: int) -> None:
        """An action, and the dice that it makes roll."""
        after = self.state.copy()
        after.apply(action)
        texts = [(action.text, seat)]
        while after.phase.actor == CHANCE:
            texts.append((sample(after, DICE).text, CHANCE))
            after.apply(after.parse(texts[-1][0]))
        entries = [Entry(n, ACT, text, who) for n, (text, who) in enumerate(texts, self.seq + 1)]
        self._write(entries, after.phase.actor)

    def _note(self, kind: str, text: str, seat: int) -> None:
        """One entry that is no action."""
        to = int(text) if kind in (UNDO, REDO) else len(self.game.steps)
        self._write([Entry(self.seq + 1, kind, text, seat)], self.game.at(to).phase.actor)

    def _write(self, entries: list[Entry], waiting: int) -> None:
        """Keep the entries, then follow them and tell everybody."""
        seats = [Seat(seat.name, seat.bot, seat.key) for seat in self.seats]
        for entry in entries:
            if entry.kind == SEAT:
                seats[entry.seat].bot = entry.text
        try:
            self._store.append(self.id, entries, waiting, seats)
        except Taken:
            self.refresh()
            raise Refused(409, "stale", f"Somebody was quicker: the table is now at {self.seq}.") from None
        for entry in entries:
            self._follow(entry)
        self.tell()

    # Dice and bots

    def roll(self) -> None:
        """Let dice decide where it is up to them."""
        with self.lock:
            if self.actor == CHANCE:
                self._play(sample(self.state, DICE), CHANCE)

    def play_bot(self, seq: int, text: str) -> None:
        """What a bot has chosen at a number of the log; if the table has moved on since, it is forgotten."""
        with self.lock, suppress(Refused):
            if self.seq == seq and self.thinking:
                self._play(self.state.parse(text), self.actor)

    def question(self) -> Question:
        """What the bot whose turn it is must know."""
        state = self.state
        actions = [step.action.id for step in self.game.steps]
        level = self.seats[self.actor].bot
        return Question(state.title.key, state.players, state.options, actions, level, f"{self.id} {self.seq}")

    # Going back and forth

    def undo(self, mine: list[int], seat: int, seq: int, to: int | None) -> None:
        """Go back: at once if nobody else is concerned, otherwise the others are asked."""
        with self.lock:
            self._check_seat(mine, seat)
            self._check_seq(seq)
            target = self._before_dice(self._last_own(mine) if to is None else to)
            if not 0 <= target < len(self.game.steps):
                raise Refused(422, "nothing", "There is nothing to take back.")
            asked = [] if self._free(mine, target) else self._others(mine)
            if asked:
                self._note(ASK, " ".join(map(str, [target, *asked])), seat)
            else:
                self._note(UNDO, str(target), seat)

    def _last_own(self, mine: list[int]) -> int:
        steps = self.game.steps
        return next((n for n in range(len(steps) - 1, -1, -1) if steps[n].seat in mine), -1)

    def _before_dice(self, target: int) -> int:
        """Where dice decide nobody can stop: go back to the decision that made them roll."""
        while 0 < target < len(self.game.steps) and self.game.at(target).phase.actor == CHANCE:
            target -= 1
        return target

    def _free(self, mine: list[int], target: int) -> bool:
        """No dice were rolled since then, and no other seat has acted."""
        return all(step.seat in mine for step in self.game.steps[target:])

    def _others(self, mine: list[int]) -> list[int]:
        """The seats of other people, who must be asked; bots always agree, and so does an empty seat."""
        return [n for n in self.played_by_people(sorted(self._store.claimed(self.id))) if n not in mine]

    def answer(self, mine: list[int], seat: int, seq: int, agree: bool) -> None:
        """Agree to go back, or not; whoever asked can take the question back."""
        with self.lock:
            self._check_seat(mine, seat)
            self._check_seq(seq)
            request = self.request
            if request is None or (agree and not request.asked & set(mine)):
                raise Refused(409, "nothing_asked", "Nobody waits for your answer.")
            if not agree:
                self._note(NO, "", seat)
            elif request.asked <= set(mine):
                self._note(UNDO, str(request.to), request.seat)
            else:
                self._note(YES, " ".join(map(str, mine)), seat)

    def redo(self, mine: list[int], seat: int, seq: int, to: int | None) -> None:
        """Play again what was taken back, up to the next own decision; but nobody plays again for another person."""
        with self.lock:
            self._check_seat(mine, seat)
            self._check_seq(seq)
            start = len(self.game.steps)
            target = self._next_own(mine) if to is None else to
            if not start < target <= self._line:
                raise Refused(422, "nothing", "There is nothing to play again.")
            actors = {self.game.at(n).phase.actor for n in range(start, target)}
            others = sorted(actors.intersection(self._others(mine)))
            if others:
                name = self.game.seats[others[0]]
                raise Refused(403, "not_your_move", f"{name} decides whether to do that again.")
            self._note(REDO, str(target), seat)

    def _next_own(self, mine: list[int]) -> int:
        ahead = range(len(self.game.steps) + 1, self._line)
        return next((n for n in ahead if self.game.at(n).phase.actor in mine), self._line)

    # Who sits where

    def seat_bot(self, person: str, seat: int, level: str) -> None:
        """The host gives a seat to a bot, or back to its person with no level."""
        with self.lock:
            if person != self.host:
                raise Refused(403, "not_host", "Only the host of the table can change who sits where.")
            self._check_number(seat)
            if not level and not self.seats[seat].key and seat not in self._store.claimed(self.id):
                raise Refused(422, "nobody_there", f"Nobody but a bot can play for {self.game.seats[seat]}.")
            self._note(SEAT, level, seat)


def _game(kept: Kept) -> Game:
    """A table's game at its origin."""
    title = load(kept.title)
    if title.rules_version != kept.rules:
        raise Refused(410, "old_rules", f"This game follows rules {kept.rules}; here it is {title.rules_version}.")
    game = Game(title, [seat.name for seat in kept.seats], kept.options)
    for text in kept.origin:
        game.apply(_actions(title)[text])
    return game


@cache
def _actions(title: Title) -> dict[str, Action]:
    """The actions of a title by their own text, as it stands in every log."""
    return {action.text: action for action in title.actions.all}


def _request(entry: Entry) -> Request:
    to, *asked = map(int, entry.text.split())
    return Request(entry.seat, to, set(asked))


def _numbers(text: str) -> set[int]:
    return {int(word) for word in text.split()}


class Tables:
    """All tables of this server."""

    def __init__(self, store: Store, thinkers: Thinkers, pace: float) -> None:
        self.store = store
        self.pace = pace
        self._thinkers = thinkers
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._lock = RLock()
        self._closed = False

    def open(self, title: str, seats: list[Seat], options: dict[str, str], person: str, origin: list[str]) -> Table:
        """A new table. Seats without a bot and without a key belong to the person who opens it."""
        id = secrets.token_urlsafe(9)
        kept = Kept(id, title, load(title).rules_version, options, seats, person, origin, NOBODY, now())
        state = _game(kept).state
        kept.options, kept.waiting = state.options, state.phase.actor
        self.store.create(kept, [(n, person) for n, seat in enumerate(seats) if not seat.bot and not seat.key])
        return self.find(id)

    def find(self, id: str) -> Table:
        """A table as it stands, with what other processes did to it."""
        with self._lock:
            table = self._live.get(id) or self._read(id)
            self._live[id] = table
            self._live.move_to_end(id)
            if len(self._live) > MOST_LIVE:
                self._forget_idle()
        table.refresh()
        self.drive(table)
        return table

    def _read(self, id: str) -> Table:
        kept = self.store.table(id)
        if kept is None:
            raise Refused(404, "no_table", "There is no such table; check the link.")
        try:
            return Table(kept, self.store)
        except (IllegalAction, KeyError) as error:
            raise Refused(410, "unreadable", f"This table can no longer be read: {error}") from None

    def _forget_idle(self) -> None:
        idle = [id for id, table in self._live.items() if not table.watchers and not table.thinking]
        for id in idle[: len(self._live) - MOST_LIVE]:
            del self._live[id]

    def go_on(self) -> None:
        """After a restart: bots go on where they stood."""
        for id in self.store.unattended():
            try:
                self.find(id)
            except Exception:
                _log.exception("table %s does not go on", id)

    def close(self) -> None:
        self._closed = True
        self._thinkers.close()
        self.store.close()

    # Bots and dice

    def drive(self, table: Table) -> None:
        """Have dice and bots decide while it is up to them."""
        with table.lock:
            with suppress(Refused):  # another process may have rolled
                table.roll()
            if not table.thinking or table.asked_at == table.seq:
                return
            seq = table.asked_at = table.seq
            question = table.question()
        # A short pause lets people see what the one before did.
        self._thinkers.ask(question, lambda text: self._later(self.pace, table, lambda: table.play_bot(seq, text)))

    def _later(self, seconds: float, table: Table, step: Callable[[], None]) -> None:
        """Take a step and go on from there. If it fails (say, the disk is full), it is tried again."""

        def take() -> None:
            if self._closed:
                return
            try:
                step()
                self.drive(table)
            except Exception:
                _log.exception("table %s: a bot's action could not be written; trying again", table.id)
                table.asked_at = -1
                self._later(AGAIN, table, lambda: None)

        timer = Timer(seconds, take)
        timer.daemon = True
        timer.start()
