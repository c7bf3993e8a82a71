"""What the log of a table says: the game as it stands, and every position that there ever was."""

from __future__ import annotations

from dataclasses import dataclass

from cuberails.core.game import Game, Move
from cuberails.core.state import State
from cuberails.core.title import SetupError
from cuberails.server.naming import SOMEBODY
from cuberails.server.store import ACT, ASK, KINDS, NAME, REDO, REMATCH, UNDO, YES, Entry

Consent = tuple[int, str]
"""That somebody must agree for a seat; any owner of the seat may if it is "" who."""


@dataclass
class PendingUndo:
    """A seat wants to go back to the position after `to` actions; the `consents` are still missing."""

    seat: int
    to: int
    consents: set[Consent]

    @property
    def asked(self) -> set[int]:
        """The seats that have not agreed yet."""
        return {seat for seat, _ in self.consents}


def actions_in_force(origin: list[str], log: list[Entry]) -> list[str]:
    """The actions that hold after a log, without playing them."""
    branch, count = list(origin), len(origin)
    for entry in log:
        if entry.kind == ACT:
            branch[count:] = [entry.text]
            count += 1
        elif entry.kind in (UNDO, REDO):
            count = int(entry.text)
    return branch[:count]


class History:
    """A log, entry by entry, and the game that it leads to.

    `counts[seq]` is how many actions were in force after an entry. A position is named by the entry that brought it
    about; those of the game that the table began with have numbers up to 0. `branch[count]` is the position after so
    many actions, be they taken back or not; `position_at[seq]` is the one after an entry of the log. `rematch` is the
    table where the same people play once more, or "".
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.log: list[Entry] = []
        self.pending_undo: PendingUndo | None = None
        self.rematch = ""
        self._renamed_at: dict[int, int] = {}  # the seats that have got another name, and when last
        self.origin = [step.action.text for step in game.steps]
        self.counts = [len(self.origin)]
        self.branch = list(range(-len(self.origin), 1))
        self.position_at = [0]

    def follow(self, entry: Entry, move: Move | None = None) -> None:
        """Do to the game what an entry says; with a move, that was computed before."""
        if entry.kind not in KINDS:
            raise SetupError(f"there is no kind of entry {entry.kind!r} in a log")
        count = self.counts[-1]
        if entry.kind == ACT:
            if move is None:
                self.game.apply(entry.text)
            else:
                self.game.push(move)
            count += 1
            self.branch[count:] = [entry.seq]
        elif entry.kind in (UNDO, REDO):
            count = int(entry.text)
            self._go_to(count)
        elif entry.kind == NAME:
            self.game.rename(entry.seat, entry.text)
            self._renamed_at[entry.seat] = entry.seq
        elif entry.kind == REMATCH:
            self.rematch = entry.text
        self._follow_discussion(entry)
        self.log.append(entry)
        self.counts.append(count)
        self.position_at.append(self.branch[count])

    def _go_to(self, count: int) -> None:
        for _ in range(self.counts[-1] - count):
            self.game.undo()
        for _ in range(count - self.counts[-1]):
            self.game.redo()

    def _follow_discussion(self, entry: Entry) -> None:
        """Any entry but an agreement and a name ends the discussion whether to go back."""
        if entry.kind == NAME:
            return
        if entry.kind == YES and self.pending_undo:
            self.pending_undo.consents -= read_consents(entry.text)
        else:
            self.pending_undo = read_request(entry) if entry.kind == ASK else None

    def forget(self, person: str) -> None:
        """Nobody knows any more that it was this person, nor what they called themselves."""
        for entry in self.log:
            if entry.person == person and entry.kind == NAME:
                entry.text = SOMEBODY
        self.hand_over(person, "")

    def forget_names(self, person: str) -> None:
        """Somebody's seats never had another name than now."""
        for entry in self.log:
            if entry.person == person and entry.kind == NAME:
                entry.text = self.game.seats[entry.seat]

    def hand_over(self, old: str, new: str) -> None:
        """One person becomes another: what they did, and what they are asked."""
        for entry in self.log:
            entry.person = new if entry.person == old else entry.person
        if self.pending_undo:
            consents = self.pending_undo.consents
            self.pending_undo.consents = {(seat, new if who == old else who) for seat, who in consents}

    def players_since(self, count: int) -> list[Consent]:
        """The seat of each action in force since the position after `count` actions, and the person whose it was."""
        entries = [self.log[position - 1] for position in self.branch[count + 1 : self.counts[-1] + 1] if position > 0]
        return [(entry.seat, entry.person) for entry in entries]

    def ordered_since(self, count: int) -> list[int]:
        """Which actions in force after the first `count` were carried out for standing orders, by their numbers."""
        return [n for n in range(count + 1, self.counts[-1] + 1) if self.was_ordered(n)]

    def was_ordered(self, n: int) -> bool:
        """Whether the nth action in force was carried out for a standing order."""
        position = self.branch[n]
        return position > 0 and self.log[position - 1].ordered

    @property
    def undone(self) -> int:
        """How many actions were taken back and can be played again."""
        return len(self.branch) - 1 - self.counts[-1]

    def beyond_names(self, seq: int) -> int:
        """The number up to which nothing but names was noted after this one: the game is the same at both."""
        while 0 <= seq < len(self.log) and self.log[seq].kind == NAME:
            seq += 1
        return seq

    def still_at(self, seq: int) -> bool:
        """Whether nothing has happened since this number of the log, but for names that people gave themselves."""
        return self.beyond_names(seq) == len(self.log)

    def names_at(self, seq: int) -> list[str]:
        """The names of the seats; "" for one that was called otherwise at this number of the log."""
        renamed = self._renamed_at
        return [name if renamed.get(n, 0) <= seq else "" for n, name in enumerate(self.game.seats)]

    def unchanged_since(self, seq: int) -> int:
        """How many of the actions in force at this number of the log have never been taken back since."""
        return min(self.counts[seq:])

    def state(self, position: int) -> State:
        """A position by its name. If it is not on the branch, it is played again from where the two part."""
        texts: list[str] = []
        while not self._on_branch(position):
            text, position = self._way_to(position)
            texts.append(text)
        state = self.game.at(self._count(position))
        if texts:
            state = state.copy()
        for text in reversed(texts):
            state.play(state.parse(text))
        return state

    def _count(self, position: int) -> int:
        """How many actions lead to a position."""
        return self.counts[position] if position > 0 else position + len(self.origin)

    def _on_branch(self, position: int) -> bool:
        count = self._count(position)
        return count < len(self.branch) and self.branch[count] == position

    def _way_to(self, position: int) -> tuple[str, int]:
        """The action that led to a position, and the position before it."""
        if position > 0:
            return self.log[position - 1].text, self.position_at[position - 1]
        return self.origin[self._count(position) - 1], position - 1


def read_request(entry: Entry) -> PendingUndo:
    """What an entry asks for."""
    to, _, consents = entry.text.partition(" ")
    return PendingUndo(entry.seat, int(to), read_consents(consents))


def read_consents(text: str) -> set[Consent]:
    """Consents as an entry lists them: `1:person`, or `1` where any owner of the seat may agree."""
    words = [word.partition(":") for word in text.split()]
    return {(int(seat), person) for seat, _, person in words}


def consents_text(consents: set[Consent]) -> str:
    return " ".join(f"{seat}:{person}" if person else str(seat) for seat, person in sorted(consents))
