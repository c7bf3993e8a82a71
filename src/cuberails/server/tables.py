"""Live tables: every change goes through one visible row of checks, is kept, and is then told to all who watch."""

from __future__ import annotations

import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from random import SystemRandom
from threading import Lock, RLock, Timer

from sqlalchemy.exc import DatabaseError

from cuberails.bots import STRONGEST, Idea
from cuberails.core.action import Action, UnknownAction
from cuberails.core.game import Game
from cuberails.core.playout import sample
from cuberails.core.scene import Scene
from cuberails.core.state import CHANCE, NOBODY, IllegalAction, State
from cuberails.server import snapshots
from cuberails.server.history import History, Request, actions_of
from cuberails.server.refusal import Refused
from cuberails.server.store import ACT, ASK, NO, REDO, SEAT, UNDO, YES, Entry, Kept, Seat, Store, Taken, now
from cuberails.server.thinking import Question, Thinkers
from cuberails.titles import load, scene

DICE = SystemRandom()
"""At a served table the operating system rolls, so that nobody can predict it."""

MOST_LIVE = 200
"""So many tables are kept in memory; the others are read again when somebody comes."""

READERS = 32
"""So many tables can be read at once; each is read only once, however many people come for it."""

OFTEN = 64
"""After so many entries a table is kept as it stands, so that they need not be played again."""

MOST_SCENES = 8
"""So many scenes of a table are kept, for viewers who see the same."""

AGAIN = 2.0
"""Seconds until a bot's action is tried again that could not be written."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Pondering:
    """A question that a bot thinks about, and at which sequence number it was asked.

    A hint is for one seat only; what a bot decides for itself concerns everybody.
    """

    seq: int
    question: Question
    seat: int | None = None


class Table:
    """One table in memory: its history, and those who watch. Whoever looks at more than one thing holds `lock`."""

    def __init__(self, kept: Kept, store: Store, game: Game | None = None) -> None:
        """A table as it is kept; `game` is what it begins with, if somebody has that at hand."""
        self.id = kept.id
        self.host = kept.host
        self.seats = kept.seats
        self.lock = RLock()
        self.watchers: set[Callable[[], None]] = set()
        self.asked_at = -1
        """The sequence number at which a bot was last asked."""
        self.advice: tuple[int, Future[list[Idea]]] = -1, Future()
        """What the strongest bot would do, and at which sequence number."""
        self.pondering: Pondering | None = None
        """What a bot was asked last."""
        self._store = store
        self._scenes: OrderedDict[int, Scene] = OrderedDict()
        _check_rules(kept)
        kept_last = None if game else self._snapshot()
        self.history = kept_last or History(game or _game(kept))
        self._since_kept = 0 if kept_last else len(kept.origin)
        self.refresh()

    def _snapshot(self) -> History | None:
        packed = self._store.snapshot(self.id, snapshots.program())
        found = snapshots.unpack(packed) if packed else None
        return found if isinstance(found, History) else None

    def _keep_snapshot(self) -> None:
        """Now and then, leave the table as it stands for whoever reads it next."""
        if self._since_kept < OFTEN or not snapshots.POSSIBLE:
            return
        self._since_kept = 0
        try:
            self._store.keep_snapshot(self.id, snapshots.program(), snapshots.pack(self.history))
        except DatabaseError:
            _log.exception("table %s: no snapshot was kept", self.id)

    def refresh(self) -> None:
        """Take over what another process has written."""
        with self.lock:
            news = self._store.entries(self.id, self.seq)
            self._follow(news)
        if news:
            self.tell()

    def _follow(self, entries: list[Entry]) -> None:
        for entry in entries:
            self.history.follow(entry)
            if entry.kind == SEAT:
                self.seats[entry.seat].bot = entry.text
        self._since_kept += len(entries)
        self._keep_snapshot()

    # What a viewer asks

    @property
    def seq(self) -> int:
        """The number of the last entry of the log."""
        return len(self.history.log)

    @property
    def game(self) -> Game:
        return self.history.game

    @property
    def request(self) -> Request | None:
        """A wish to go back that waits for answers."""
        return self.history.request

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

    @property
    def undone(self) -> int:
        """How many actions were taken back and can be played again."""
        return len(self.history.line) - 1 - len(self.game.steps)

    def played_by_people(self, seats: list[int]) -> list[int]:
        """Those of these seats that no bot plays at present."""
        return [seat for seat in seats if not self.seats[seat].bot]

    def scene(self, count: int) -> Scene:
        """What is seen after so many actions."""
        return self._scene(self.history.line[count])

    def scene_then(self, seq: int) -> Scene:
        """What was seen when the log was at this number, be it taken back since or not."""
        return self._scene(self.history.been[seq])

    def _scene(self, position: int) -> Scene:
        found = self._scenes.get(position)
        if found is None:
            found = self._scenes[position] = scene(self.history.state(position), self.game.seats)
            if len(self._scenes) > MOST_SCENES:
                self._scenes.popitem(last=False)
        return found

    def still_true(self, seq: int) -> int:
        """How many of the actions in force at this number of the log have never been taken back since."""
        return self.history.still_true(seq)

    def tell(self) -> None:
        """Wake everybody who watches: something has happened, or a bot has begun to think."""
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
        if 0 <= seq < self.seq and self.history.log[seq] == Entry(seq + 1, ACT, text, seat):
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
        self._follow(entries)
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

    def question(self, level: str) -> Question:
        """What a bot must know to decide for the seat whose turn it is."""
        state = self.state
        actions = [step.action.id for step in self.game.steps]
        return Question(state.title.key, state.players, state.options, actions, level, self.id)

    @property
    def endless(self) -> bool:
        """Whether nobody but bots plays a game that has become too long."""
        return self.state.too_long and all(seat.bot for seat in self.seats)

    # Going back and forth

    def undo(self, mine: list[int], seat: int, seq: int, to: int | None) -> None:
        """Go back: at once if nobody else is concerned, otherwise the others are asked."""
        with self.lock:
            self._check_seat(mine, seat)
            self._check_seq(seq)
            target = self._beside_dice(self._last_own(mine) if to is None else to)
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

    def _beside_dice(self, target: int) -> int:
        """Where dice decide nobody can stop: go back to the decision that made them roll.

        With dice that opened the game, before anybody decided, stop at the first decision after them.
        """
        while 0 < target < len(self.history.line) and self._rolls(target):
            target -= 1
        return self._after_dice(target)

    def _after_dice(self, target: int) -> int:
        while 0 <= target < len(self.history.line) and self._rolls(target):
            target += 1
        return target

    def _rolls(self, count: int) -> bool:
        return self.game.at(count).phase.actor == CHANCE

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
            target = self._after_dice(self._next_own(mine) if to is None else to)
            if not start < target < len(self.history.line):
                raise Refused(422, "nothing", "There is nothing to play again.")
            actors = {self.game.at(n).phase.actor for n in range(start, target)}
            others = sorted(actors.intersection(self._others(mine)))
            if others:
                name = self.game.seats[others[0]]
                raise Refused(403, "not_your_move", f"{name} decides whether to do that again.")
            self._note(REDO, str(target), seat)

    def _next_own(self, mine: list[int]) -> int:
        last = len(self.history.line) - 1
        ahead = range(len(self.game.steps) + 1, last)
        return next((n for n in ahead if self.game.at(n).phase.actor in mine), last)

    # Who sits where

    def seat_bot(self, person: str, seat: int, level: str) -> None:
        """The host gives a seat to a bot, or back to its person with no level."""
        with self.lock:
            if person != self.host:
                raise Refused(403, "not_host", "Only the host of the table can change who sits where.")
            self._check_number(seat)
            if not level and not self.seats[seat].key and seat not in self._store.claimed(self.id):
                raise Refused(422, "nobody_there", f"Nobody but a bot can play for {self.game.seats[seat]}.")
            if level != self.seats[seat].bot:
                self._note(SEAT, level, seat)


def _check_rules(kept: Kept) -> None:
    here = load(kept.title).rules_version
    if here != kept.rules:
        raise Refused(410, "old_rules", f"This game follows rules {kept.rules}; here it is {here}.")


def _game(kept: Kept) -> Game:
    """A table's game at its origin."""
    game = Game(load(kept.title).board, [seat.name for seat in kept.seats], kept.options)
    for text in kept.origin:
        game.apply(actions_of(game.title)[text])
    return game


class Tables:
    """All tables of this server."""

    def __init__(self, store: Store, thinkers: Thinkers, pace: float) -> None:
        self.store = store
        self.pace = pace
        self._thinkers = thinkers
        self._live: OrderedDict[str, Table] = OrderedDict()
        self._lock = Lock()
        self._reading = [Lock() for _ in range(READERS)]
        self._closed = False

    def open(self, game: Game, seats: list[Seat], person: str) -> Table:
        """A new table for a game. Seats without a bot and without a key belong to the person who opens it."""
        id, title, state = secrets.token_urlsafe(9), game.title, game.state
        origin = [step.action.text for step in game.steps]
        kept = Kept(id, title.key, title.rules_version, state.options, seats, person, origin, state.phase.actor, now())
        self.store.create(kept, [(n, person) for n, seat in enumerate(seats) if not seat.bot and not seat.key])
        self._live[id] = Table(kept, self.store, game)
        return self.find(id)

    def find(self, id: str) -> Table:
        """A table as it stands, with what other processes did to it."""
        with self._reading[hash(id) % READERS]:
            table = self._live.get(id) or self._read(id)
            with self._lock:
                table = self._live.setdefault(id, table)
                self._live.move_to_end(id)
                if len(self._live) > MOST_LIVE:
                    self._forget_idle()
        table.refresh()
        self.drive(table)
        return table

    def watch(self, id: str, wake: Callable[[], None]) -> Table:
        """A table whose news somebody is told from now on, until `unwatch`."""
        table = self.find(id)
        with self._lock:
            table = self._live.setdefault(id, table)  # it may have been forgotten meanwhile
            table.watchers.add(wake)
        self.drive(table)
        return table

    def unwatch(self, id: str, wake: Callable[[], None]) -> None:
        table = self._live.get(id)
        if table is not None:
            table.watchers.discard(wake)

    def catch_up(self) -> None:
        """Tell viewers what other processes did to their tables, and have bots go on that those have left."""
        with self._lock:
            watched = {id: table for id, table in self._live.items() if table.watchers}
        if not watched:
            return
        newest = self.store.newest(list(watched))
        for id, table in watched.items():
            if newest.get(id, 0) > table.seq:
                table.refresh()
                self.drive(table)

    def _read(self, id: str) -> Table:
        kept = self.store.table(id)
        if kept is None:
            raise Refused(404, "no_table", "There is no such table; check the link.")
        try:
            return Table(kept, self.store)
        except (IllegalAction, KeyError) as error:
            raise Refused(410, "unreadable", f"This table can no longer be read: {error}") from None

    def _forget_idle(self) -> None:
        idle = [id for id, table in self._live.items() if not table.watchers and (not table.thinking or table.endless)]
        for id in idle[: len(self._live) - MOST_LIVE]:
            del self._live[id]

    def go_on(self) -> None:
        """After a restart: bots go on where they stood."""
        for id in self.store.unattended():
            if self._closed:
                return
            try:
                self.find(id)
            except Exception:
                _log.exception("table %s does not go on", id)

    def close(self) -> None:
        self._closed = True
        self._thinkers.close()
        self.store.close()

    # Bots and dice

    def advice(self, table: Table) -> Future[list[Idea]]:
        """What the strongest bot would do for the seat to decide; it thinks about a position once."""
        with table.lock:
            seq, ideas = table.advice
            if seq != table.seq or (ideas.done() and ideas.exception()):
                question = table.question(STRONGEST)
                ideas = self._thinkers.advise(question)
                table.advice = table.seq, ideas
                table.pondering = Pondering(table.seq, question, table.actor)
                table.tell()
            return ideas

    def progress(self, table: Table, own: list[int]) -> float | None:
        """How far a bot is that thinks, from 0 to 1; None if nobody does. Own seats are told about their hints, too.

        This is asked often, and answered without waiting for the lock of the table.
        """
        asked = table.pondering
        if asked is None or asked.seq != table.seq or (asked.seat is not None and asked.seat not in own):
            return None
        return self._thinkers.progress(asked.question)

    def drive(self, table: Table) -> None:
        """Have dice and bots decide while it is up to them."""
        with table.lock:
            with suppress(Refused):  # another process may have rolled
                table.roll()
            if not table.thinking or table.asked_at == table.seq or (table.endless and not table.watchers):
                return
            seq = table.asked_at = table.seq
            question = table.question(table.seats[table.actor].bot)
            table.pondering = Pondering(seq, question)
        # A short pause lets people see what the one before did.
        self._thinkers.ask(question, lambda text: self._later(self.pace, table, lambda: table.play_bot(seq, text)))
        table.tell()

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
