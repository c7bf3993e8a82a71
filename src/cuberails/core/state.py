"""The contract: a State answers everything about a position, and its phase is the point of decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar, Final, Generic, Self

from cuberails.core import TypeVar, mypyc_attr
from cuberails.core.action import Action, UnknownAction
from cuberails.core.board import Board
from cuberails.core.event import Event, Forced
from cuberails.core.title import Title
from cuberails.core.value import Value

CHANCE: Final = -1
"""The actor where dice or a draw decide."""

NOBODY: Final = -2
"""The actor of a phase after the end of the game; `State.actor` says None."""


B = TypeVar("B", bound=Board, covariant=True, default=Board)
"""The board of a state: a title's own kind of it, or any."""


class IllegalAction(ValueError):
    """An action that is not legal now; the message cites the rule."""


class Refusal(Value):
    """Why an action is not legal: the number of the rule and the reason in a player's words."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule: Final = rule
        self.reason: Final = reason

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


@mypyc_attr(allow_interpreted_subclasses=True)
class State(Generic[B]):
    """A position on a board. Everything that plays, shows or stores a game speaks only to this.

    `rules_version` is the version of the title's rules by which it is played.

    >>> import cuberails
    >>> state = cuberails.new("wabash", players=3)
    >>> state.actor, state.prompt
    (0, 'Bid $7 or more for PA, or pass')
    >>> state
    <wabash with 3 players, seat 0: Bid $7 or more for PA, or pass>
    >>> state.apply("bid 12")[0].say(["Ann", "Bob", "Cy"])
    'Ann bids $12 for PA'
    """

    board: B
    phase: Phase[Self]
    players: int
    options: dict[str, str]
    rules_version: int
    _legal: list[Action]
    listening: bool
    """Whether events are wanted. In search they are not, and then none is made."""
    events: list[Event]
    """While `listening`: what has happened so far."""
    remembered: ClassVar[tuple[str, ...]] = ()
    """Attributes that only remember answers: positions that differ in nothing else are the same."""

    def set_up(self, players: int, options: dict[str, str], rules_version: int) -> None:
        """What every title sets up alike, beside its board."""
        self.players = players
        self.options = options
        self.rules_version = rules_version
        self.listening = False

    def copy_common(self: Self, other: Self) -> None:
        """Copy the attributes that every title has. A copy does not listen until `apply` is called on it."""
        self.board = other.board
        self.players = other.players
        self.options = other.options
        self.rules_version = other.rules_version
        self.phase = other.phase
        self._legal = other._legal
        self.listening = False

    def tell(self, event: Event) -> None:
        """Add an event. Test `listening` before making it."""
        self.events.append(event)

    @property
    def title(self) -> Title:
        return self.board.title

    @property
    def actor(self: Self) -> int | None:
        """The seat to decide, CHANCE when dice decide, None when the game is over."""
        actor = self.phase.actor
        return None if actor == NOBODY else actor

    @property
    def prompt(self: Self) -> str:
        """What the actor must do now, in one sentence."""
        return self.phase.prompt(self)

    @property
    def rule(self: Self) -> str:
        """The number of the rule that governs what is to be decided now."""
        # By its name: compiled code would not see a class attribute of an interpreted phase.
        rule: str = getattr(self.phase, "rule")  # noqa: B009
        return rule

    def legal_actions(self) -> list[Action]:
        """Every legal action, in a fixed order; empty when the game is over. Nobody may change this list."""
        return self._legal

    def chance_outcomes(self: Self) -> list[tuple[Action, float]]:
        """Where CHANCE decides: every outcome with its probability."""
        weights = self.phase.weights(self)
        total = sum(weights)
        return [(action, weight / total) for action, weight in zip(self._legal, weights, strict=True)]

    @property
    def too_long(self) -> bool:
        """Whether simulations, bots and environments should stop here. The rules never end a game for its length."""
        return False

    def parse(self, text: str) -> Action:
        """The action with this text, legal or not; UnknownAction if the board has none."""
        return self.board.actions.parse(text)

    def apply(self: Self, action: Action | str) -> list[Event]:
        """Carry out a legal action, given as itself or as its text, and the forced steps after it.

        Returns what happened; IllegalAction cites the rule if it is not legal.
        """
        chosen = self.parse(action) if isinstance(action, str) else action
        if chosen not in self._legal:
            raise IllegalAction(f"{chosen} is not legal now. {self.phase.refuse(self, chosen)}")
        events: list[Event] = []
        self.events = events
        self.listening = True
        try:
            self.play(chosen)
        finally:
            self.listening = False
            self.events = []
        return events

    def play(self: Self, action: Action) -> None:
        """The same for search: the action must come from `legal_actions()`; nothing is checked, no event is made."""
        self.phase.take(self, action)
        legal = self.phase.legal(self)
        self._legal = legal if len(legal) != 1 else self._take_forced(legal)

    def settle(self: Self) -> None:
        """Take the steps that are forced, then keep the list of what is legal: a new game begins with this."""
        self._legal = self._take_forced(self.phase.legal(self))

    def _take_forced(self: Self, legal: list[Action]) -> list[Action]:
        """Take steps while there is one legal action only; returns what is legal then."""
        while len(legal) == 1:
            count = len(self.events) if self.listening else 0
            self.phase.take(self, legal[0])
            if self.listening:
                self.events[count] = Forced(self.events[count])
            legal = self.phase.legal(self)
        return legal

    def why_not(self: Self, text: str) -> str | None:
        """Why this action is not legal now ("W4.6: L5 is a mine and PA is there already"), or None if it is."""
        try:
            action = self.parse(text)
        except UnknownAction as error:
            return str(error)
        refusal = self.phase.refuse(self, action)
        return None if refusal is None else str(refusal)

    def copy(self) -> State:
        """An independent copy; cheap, since search makes millions. It begins with `copy_common`."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """The score of each seat as it stands now."""
        raise NotImplementedError

    def winners(self) -> list[int]:
        """The seats that win, or would if the game ended now; more than one share the win."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    def win_shares(self) -> list[float]:
        """For each seat its share of the win, all together 1."""
        winners = self.winners()
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]

    def __getstate__(self) -> dict[str, object]:
        """All attributes, be they declared in compiled classes (which list them) or in interpreted ones."""
        names: tuple[str, ...] = getattr(type(self), "__mypyc_attrs__", ())
        found: dict[str, object] = {name: getattr(self, name) for name in names if hasattr(self, name)}
        found.pop("__dict__", None)
        own: dict[str, object] = getattr(self, "__dict__", {})
        found.update(own)
        return found

    def __setstate__(self, found: dict[str, object]) -> None:
        for name, value in found.items():
            setattr(self, name, value)

    def __repr__(self: Self) -> str:
        return f"<{self.title.key} with {self.players} players, seat {self.actor}: {self.prompt}>"

    def __str__(self) -> str:
        return _renderers.text(self)

    def _repr_svg_(self) -> str:
        return _renderers.svg(self)


class Renderers:
    """How a position shows itself in a terminal and in a notebook. `cuberails.draw` fills this in."""

    def __init__(self) -> None:
        self.text: Callable[[State], str] = repr
        self.svg: Callable[[State], str] = repr


_renderers: Final = Renderers()


def set_renderers(text: Callable[[State], str], svg: Callable[[State], str]) -> None:
    """Positions show themselves by these from now on. The core itself cannot draw."""
    _renderers.text = text
    _renderers.svg = svg


S = TypeVar("S", bound=State, contravariant=True, default=State)


@mypyc_attr(allow_interpreted_subclasses=True)
class Phase(Value, Generic[S]):
    """A point of decision: an immutable value that knows who decides, what is legal and what it does.

    A step replaces it in the state; copies of the state share it.
    """

    actor: int
    rule: str
    """The number of the rule that governs this decision."""

    def prompt(self, state: S) -> str:
        raise NotImplementedError

    def legal(self, state: S) -> list[Action]:
        """Every legal action, as a fast list in a fixed order; nobody changes it."""
        raise NotImplementedError

    def take(self, state: S, action: Action) -> None:
        """Carry out a legal action; the state gets its next phase."""
        raise NotImplementedError

    def refuse(self, state: S, action: Action) -> Refusal | None:
        """The specification in a player's words: None exactly if the action is legal here, else the rule against it."""
        raise NotImplementedError

    def weights(self, state: S) -> list[int]:
        """Where CHANCE decides: the weight of each legal action."""
        raise ValueError("chance does not decide here: a seat does")

    def outcome(self, state: S, point: float) -> Action:
        """Where CHANCE decides: the outcome at a point from 0 to 1. A phase with many outcomes can look it up."""
        legal, weights = state.legal_actions(), self.weights(state)
        left = point * sum(weights)
        for action, weight in zip(legal, weights):
            left -= weight
            if left < 0:
                return action
        return legal[-1]


class Over(Phase[S]):
    """The game has ended, by this rule."""

    def __init__(self, rule: str) -> None:
        self.actor = NOBODY
        self.rule = rule

    def prompt(self, state: S) -> str:
        return "The game is over"

    def legal(self, state: S) -> list[Action]:
        return []

    def refuse(self, state: S, action: Action) -> Refusal:
        return Refusal(self.rule, "the game is over")
