"""The contract: a position answers everything about itself, and its phase is the point of decision."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Generic, Self, TypeVar

from cuberails.core.action import Action, UnknownAction
from cuberails.core.event import Event, Forced
from cuberails.core.title import Title

CHANCE: Final = -1
"""The actor where dice or a draw decide."""

NOBODY: Final = -2
"""The actor of a phase in which nobody decides any more; `State.actor` says None."""


class IllegalAction(ValueError):
    """An action that is not legal now; the message cites the rule."""


class Refusal:
    """Why an action is not legal: the number of the rule and the reason in a player's words."""

    def __init__(self, rule: str, reason: str) -> None:
        self.rule: Final = rule
        self.reason: Final = reason

    def __str__(self) -> str:
        return f"{self.rule}: {self.reason}"


class State:
    """A position of a game. Everything that plays, shows or stores a game speaks only to this.

    >>> import cuberails
    >>> game = cuberails.new("wabash", players=3)
    >>> game.actor, game.prompt
    (0, 'Bid $7 or more for PA, or pass')
    >>> game.apply(game.parse("bid 12"))[0].say(["Ann", "Bob", "Cy"])
    'Ann bids $12 for PA'
    """

    phase: Phase[Self]
    players: int
    options: dict[str, str]
    _legal: list[Action]
    heard: list[Event] | None
    """While somebody listens, the rules append what happens; in search this is None."""

    @property
    def title(self) -> Title:
        raise NotImplementedError

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
        return self.phase.rule

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
        """The action with this text, legal or not; UnknownAction if the title has none."""
        return self.title.actions.parse(text)

    def apply(self: Self, action: Action) -> list[Event]:
        """Carry out a legal action, and the forced steps after it; return what happened."""
        if action not in self._legal:
            raise IllegalAction(f"{action} is not legal now. {self._refuse(action)}")
        heard: list[Event] = []
        self.heard = heard
        try:
            self.play(action)
        finally:
            self.heard = None
        return heard

    def play(self: Self, action: Action) -> None:
        """The same for search: the action must come from `legal_actions()`; nothing is checked or told."""
        self.phase.take(self, action)
        self.settle()

    def settle(self: Self) -> None:
        """Take the steps that are forced, then keep the list of what is legal."""
        legal = self.phase.legal(self)
        while len(legal) == 1:
            told = len(self.heard) if self.heard is not None else 0
            self.phase.take(self, legal[0])
            if self.heard is not None:
                self.heard[told] = Forced(self.heard[told])
            legal = self.phase.legal(self)
        self._legal = legal

    def why_not(self, text: str) -> str | None:
        """Why this action is not legal now ("W4.6: L5 is a mine and PA is there already"), or None if it is."""
        try:
            action = self.parse(text)
        except UnknownAction as error:
            return str(error)
        return None if action in self._legal else str(self._refuse(action))

    def _refuse(self: Self, action: Action) -> Refusal:
        return self.phase.refuse(self, action)

    def copy(self) -> State:
        """An independent copy; cheap, since search makes millions."""
        raise NotImplementedError

    def scores(self) -> list[int]:
        """The score of each seat as it stands now."""
        raise NotImplementedError

    def winners(self) -> list[int]:
        """The seats that win, or would if the game ended now; more than one share the win."""
        scores = self.scores()
        best = max(scores)
        return [seat for seat, score in enumerate(scores) if score == best]

    def parts_in_the_win(self) -> list[float]:
        """For each seat its part in the win, all together 1."""
        winners = self.winners()
        return [1.0 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]

    def __str__(self) -> str:
        return _faces.text(self)

    def _repr_svg_(self) -> str:
        return _faces.svg(self)


class Faces:
    """How a position shows itself in a terminal and in a notebook. `cuberails.draw` fills this in."""

    def __init__(self) -> None:
        self.text: Callable[[State], str] = repr
        self.svg: Callable[[State], str] = repr


_faces: Final = Faces()


def show_with(text: Callable[[State], str], svg: Callable[[State], str]) -> None:
    """Positions show themselves by these from now on. The core itself cannot draw."""
    _faces.text = text
    _faces.svg = svg


S = TypeVar("S", bound=State, contravariant=True)


class Phase(Generic[S]):
    """A point of decision: an immutable value that knows who decides, what is legal and what it does.

    A step replaces it in the state; copies of the state share it.
    """

    actor: int
    rule: str
    """The number of the rule that governs this decision."""

    def prompt(self, game: S) -> str:
        raise NotImplementedError

    def legal(self, game: S) -> list[Action]:
        raise NotImplementedError

    def take(self, game: S, action: Action) -> None:
        raise NotImplementedError

    def refuse(self, game: S, action: Action) -> Refusal:
        """The rule that forbids an action which is not legal here."""
        raise NotImplementedError

    def weights(self, game: S) -> list[int]:
        """Where CHANCE decides: the weight of each legal action."""
        raise ValueError("chance does not decide here: a seat does")

    def outcome(self, game: S, point: float) -> Action:
        """Where CHANCE decides: the outcome at a point from 0 to 1. A phase with many outcomes can look it up."""
        legal, weights = game.legal_actions(), self.weights(game)
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

    def prompt(self, game: S) -> str:
        return "The game is over"

    def legal(self, game: S) -> list[Action]:
        return []

    def refuse(self, game: S, action: Action) -> Refusal:
        return Refusal(self.rule, "the game is over")
