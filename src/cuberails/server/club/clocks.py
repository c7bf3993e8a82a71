"""Time controls, and the clocks of the seats of a table as its log says: arithmetic without any database.

Each entry of the log says how many seconds it took of the clock that ran before it (`spent`). Everything else follows.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from copy import copy
from dataclasses import asdict, dataclass
from statistics import median

from cuberails.bots import USUAL
from cuberails.core.state import CHANCE
from cuberails.server.clock import Timestamp
from cuberails.server.club.rest import DAY

LIVE, CORRESPONDENCE = "live", "correspondence"

LEAST_AFTER_TIMEOUT = 60.0
"""Whoever takes a seat back has so many seconds at least in a live game."""

MINUTE, HOUR = 60, 3600

ANSWER_WAIT = {LIVE: 5 * MINUTE, CORRESPONDENCE: DAY}
"""So many seconds of each decision the clock stands still while others are asked whether to go back; then it runs, or
the bot whose decision it is plays on: nobody can stop the game by asking."""


@dataclass(frozen=True)
class TimeControl:
    """How much time there is. Live: each seat has a `bank` of seconds, and the `increment` besides each time that it
    hands over to another one (Fischer's clock). Correspondence: `bank` seconds for each decision. Without a kind, time
    does not matter. When time is up, a bot of this level takes the seat."""

    kind: str = ""
    bank: int = 0
    increment: int = 0
    level: str = USUAL

    @property
    def words(self) -> str:
        """As people say it; "" if there is none."""
        if self.kind == LIVE:
            more = f" + {_length(self.increment)} a turn" if self.increment else ", no increment"
            return f"{_length(self.bank)}{more}"
        return f"{_length(self.bank)} for each decision" if self.kind else ""

    def text(self) -> str:
        """As it is stored; "" if there is none."""
        return json.dumps(asdict(self)) if self.kind else ""


UNTIMED = TimeControl()
"""How tables are played where nobody says otherwise."""


def read_time_control(text: str) -> TimeControl:
    """What `TimeControl.text` has written."""
    return TimeControl(**json.loads(text)) if text else TimeControl()


def _length(seconds: int) -> str:
    if seconds and seconds % DAY == 0:
        return f"{seconds // DAY} day{'' if seconds == DAY else 's'}"
    minutes, rest = divmod(seconds, MINUTE)
    return " ".join([f"{minutes} min"] * bool(minutes) + [f"{rest} s"] * (rest > 0 or not minutes))


_SIZES = ((DAY, 36 * HOUR, "days"), (HOUR, 90 * MINUTE, "h"), (MINUTE, 90, "min"), (1, 0, "s"))
"""In which unit a length of time is told, from so many seconds on."""


def about(seconds: float) -> str:
    """A length of time in words, roughly."""
    size, _, word = next(unit for unit in _SIZES if seconds >= unit[1])
    return f"{max(1, round(seconds / size))} {word}"


@dataclass(frozen=True)
class Pace:
    """How a seat kept time in a game: by which kind of time control, how many decisions it made by the clock, how often
    its time was up, and how many seconds it usually took to answer (the median); None if it never did."""

    kind: str = ""
    decisions: int = 0
    timeouts: int = 0
    answer: float | None = None


NO_PACE = Pace()
"""Of a game without a clock."""


class SeatClocks:
    """The clocks of all seats after an entry of a log: what each has `left`, and who is to decide.

    `began` says whether time has run at all; `since` is when the last entry was made. `answers` are the seconds that
    each seat took for its first decisions after others had acted.
    """

    def __init__(self, control: TimeControl, bots: Iterable[bool], actor: int, at: Timestamp) -> None:
        self.control = control
        self.bots = list(bots)
        """Which seats are played by bots."""
        self.left = [float(control.bank)] * len(self.bots)
        self.timeouts = [0] * len(self.bots)
        self.began = False
        self.actor = actor
        self.since = at
        self.asked_at: Timestamp | None = None
        """When somebody asked to go back, until that is answered."""
        self.wait_left = self._answer_wait
        self.answers: list[list[float]] = [[] for _ in self.bots]
        self.decisions = [0] * len(self.bots)
        """How often each seat has decided while its clock ran."""
        self._used = 0.0  # of the decision that is waited for
        self._mover = -1  # the seat whose turn lasts while nobody else decides
        self._credited = -1  # the seat that has its increment: until others act, it has no other one
        self._returned = -1  # the seat that went back unasked: until others act, it has no fresh days

    @property
    def runs(self) -> int:
        """The seat whose clock runs unless something stops it; -1 if none does."""
        return self.actor if self.control.kind and self.actor >= 0 and not self.bots[self.actor] else -1

    @property
    def bot_waits(self) -> bool:
        """Whether a bot is to decide, and waits for an answer whether the game goes back."""
        return self.asked_at is not None and self.actor >= 0 and self.bots[self.actor]

    def copy(self) -> SeatClocks:
        made = copy(self)
        made.bots, made.left, made.timeouts = self.bots[:], self.left[:], self.timeouts[:]
        made.answers, made.decisions = [seconds[:] for seconds in self.answers], self.decisions[:]
        return made

    @property
    def usual(self) -> list[float | None]:
        """How many seconds each seat usually takes to answer (the median); None where it has not answered yet."""
        return [median(seconds) if seconds else None for seconds in self.answers]

    def paces(self) -> list[Pace]:
        """How each seat has kept time."""
        kept = zip(self.decisions, self.timeouts, self.usual, strict=True)
        return [Pace(self.control.kind, decisions, timeouts, answer) for decisions, timeouts, answer in kept]

    # What entries do

    def acted(self, seat: int, actor: int, at: Timestamp, spent: float | None, ordered: bool = False) -> None:
        """A seat, or chance, has acted, and `actor` decides next. What was `ordered` ahead is no answer of a person."""
        self._spend(spent)
        if seat not in (CHANCE, self._returned):
            self._returned = -1
        if seat not in (CHANCE, self._credited):
            self._credited = -1
        if spent is not None:
            self.decisions[seat] += 1
            if self._mover != seat and not ordered:
                self.answers[seat].append(self._used)
            self._mover = seat
        self._next(actor, at)

    def went(self, seat: int, actor: int, at: Timestamp, spent: float | None) -> None:
        """The game went back, or forward again, as a seat wanted. Clocks do not: time that was used is used."""
        self._spend(spent)
        self._mover = -1
        if self.asked_at is None:  # who was asked has agreed that it takes longer
            self._returned = seat
        self._next(actor, at)

    def seated(self, seat: int, bot: bool, at: Timestamp, spent: float | None, in_time: bool = True) -> None:
        """A seat was given to a bot, because time was up unless `in_time`; or back to its person."""
        self._spend(spent)
        self.bots[seat] = bot
        if not in_time:
            self.left[seat] = 0.0
            self.timeouts[seat] += 1
        elif not bot and self.left[seat] <= 0:
            self.left[seat] = self._after_timeout(seat)
        if seat == self.actor:
            self._begin(at)
        else:
            self.noted(at, None, answered=True)

    def asked(self, at: Timestamp, spent: float | None) -> None:
        """Somebody has asked to go back: until that is answered, nobody's time runs."""
        self._spend(spent)
        self.since = self.asked_at = at

    def noted(self, at: Timestamp, spent: float | None, answered: bool) -> None:
        """Something else was noted; `answered` if that was the end of a question whether to go back."""
        self._spend(spent)
        if self.asked_at is not None:
            self.wait_left = max(0.0, self.wait_left - (at - self.since))
        self.since = at
        if answered:
            self.asked_at = None

    # The rules of the clock

    @property
    def _answer_wait(self) -> float:
        return float(ANSWER_WAIT.get(self.control.kind, 0))

    def _spend(self, spent: float | None) -> None:
        if spent is not None and self.actor >= 0:
            self.began = True
            self._used += spent
            self.left[self.actor] = max(0.0, self.left[self.actor] - spent)

    def _next(self, actor: int, at: Timestamp) -> None:
        self.actor = actor
        if actor != CHANCE and actor != self._mover:
            if self._mover not in (-1, self._credited) and self.control.kind == LIVE:
                self.left[self._mover] += self.control.increment
                self._credited = self._mover
            self._mover = -1
        if self.control.kind == CORRESPONDENCE and self.actor >= 0 and self.actor != self._returned:
            self.left[self.actor] = float(self.control.bank)
        self._begin(at)

    def _begin(self, at: Timestamp) -> None:
        """A decision begins, or somebody else is to make it."""
        self.since, self._used = at, 0.0
        self.asked_at, self.wait_left = None, self._answer_wait

    def _after_timeout(self, seat: int) -> float:
        """Half the bank, and each further time half as much: who comes back can play, but nobody waits for ever."""
        if self.control.kind == CORRESPONDENCE:
            return float(self.control.bank)
        halved: int = 2 ** max(1, self.timeouts[seat])
        return max(LEAST_AFTER_TIMEOUT, self.control.bank / halved)
