"""A judge that has learned from games: a small neural network on a title's features, beside its hand-made judge."""

from __future__ import annotations

from math import exp
from typing import Final

from cuberails.core.features import Features
from cuberails.core.judge import Judge, softmax
from cuberails.core.state import NOBODY, State
from cuberails.core.value import Value

WIN: Final = 0
SCORE: Final = 1
OUTPUTS: Final = 2
"""What the network says of a row: how much speaks for a win (a logit), and the score that is to be expected."""


class Layer(Value):
    """A fully connected layer: `weights` are a list for each of its units, with a number for each input."""

    def __init__(self, weights: list[list[float]], biases: list[float]) -> None:
        self.weights: Final = weights
        self.biases: Final = biases


def dot(weights: list[float], values: list[float], start: float) -> float:
    """The start plus the weighted sum of the values."""
    total = start
    for weight, value in zip(weights, values):
        total += weight * value
    return total


class Net(Value):
    """Layers of rectified linear units; the last one is linear and has the OUTPUTS.

    The first `shared` inputs are alike in all rows of a position: what they make in the first layer is computed once.
    """

    def __init__(self, layers: list[Layer], shared: int) -> None:
        self.layers: Final = layers
        self.shared: Final = shared
        self._common: Final = [weights[:shared] for weights in layers[0].weights]
        self._own: Final = [weights[shared:] for weights in layers[0].weights]

    def outputs(self, rows: list[list[float]]) -> list[list[float]]:
        """The outputs for each row of a position."""
        shared, biases = self.shared, self.layers[0].biases
        alike = rows[0][:shared]
        starts = [dot(weights, alike, bias) for weights, bias in zip(self._common, biases)]
        found: list[list[float]] = []
        for row in rows:
            own = row[shared:]
            values: list[float] = []
            for weights, start in zip(self._own, starts):
                value = dot(weights, own, start)
                values.append(value if value > 0.0 else 0.0)
            found.append(self._rest(values))
        return found

    def _rest(self, values: list[float]) -> list[float]:
        """The outputs, given the values of the first layer."""
        last = len(self.layers) - 1
        for n in range(1, last + 1):
            layer = self.layers[n]
            sums = [dot(weights, values, bias) for weights, bias in zip(layer.weights, layer.biases)]
            values = sums if n == last else [value if value > 0.0 else 0.0 for value in sums]
        return values


class Learned(Value):
    """What was learned of a title, for boards on which its features have these `names`: a network and how to use it.

    With `hand_part` 0 it stands alone, with 1 it corrects the hand-made judge, by `net_part` of what it says.
    `score_unit` are the points that its output for the score counts. `about` says how it was made: the command, the
    date, and what it won.
    """

    def __init__(
        self,
        names: list[str],
        net: Net,
        hand_part: float,
        net_part: float,
        score_unit: float,
        about: dict[str, str] | None = None,
    ) -> None:
        self.names: Final = names
        self.net: Final = net
        self.hand_part: Final = hand_part
        self.net_part: Final = net_part
        self.score_unit: Final = score_unit
        self.about: Final = about or {}


class LearnedJudge(Judge):
    """Adds what a network has learned to what the hand-made judge of the title says, or replaces it.

    The chance to win is the softmax over the seats of `net_part` times the network's logit and `hand_part` times the
    hand-made one's. A seat's score is the sum of both in the same parts, the network's in units of `score_unit`.
    """

    def __init__(self, hand: Judge, features: Features, learned: Learned) -> None:
        super().__init__({"calm": hand.calm, "doubt": hand.doubt})
        self.hand: Final = hand
        self.features: Final = features
        self.net: Final = learned.net
        self.hand_part: Final = learned.hand_part
        self.net_part: Final = learned.net_part
        self.score_unit: Final = learned.net_part * learned.score_unit

    def worth(self, state: State) -> list[float]:
        return self.assess(state)[0]

    def chances(self, state: State) -> list[float]:
        return self.assess(state)[1]

    def terms(self, state: State, seat: int) -> dict[str, float]:
        """The hand-made judge says it in words."""
        return self.hand.terms(state, seat)

    def assess(self, state: State) -> tuple[list[float], list[float]]:
        if state.phase.actor == NOBODY:
            return self.hand.assess(state)
        outputs = self.net.outputs(self.features.rows(state))
        logits = [self.net_part * output[WIN] for output in outputs]
        values = [self.score_unit * output[SCORE] for output in outputs]
        part = self.hand_part
        if part > 0.0:
            by_hand = self.hand.worth(state)
            scale = part / self.hand.spread(state, by_hand)
            for seat, value in enumerate(by_hand):
                logits[seat] += scale * value
                values[seat] += part * value
        return values, softmax(logits)


class LeaningJudge(Judge):
    """Another judge with an inclination: a seat seems likelier to win the more of a feature it has.

    It is for questions like "would they win more if they were drawn to Chicago?".
    """

    def __init__(self, judge: Judge, features: Features, feature: int, weight: float) -> None:
        super().__init__({"calm": judge.calm, "doubt": judge.doubt})
        self.judge: Final = judge
        self.features: Final = features
        self.feature: Final = feature
        self.weight: Final = weight

    def worth(self, state: State) -> list[float]:
        return self.judge.worth(state)

    def chances(self, state: State) -> list[float]:
        return self.assess(state)[1]

    def terms(self, state: State, seat: int) -> dict[str, float]:
        return self.judge.terms(state, seat)

    def assess(self, state: State) -> tuple[list[float], list[float]]:
        values, chances = self.judge.assess(state)
        if state.phase.actor == NOBODY:
            return values, chances
        rows = self.features.rows(state)
        leaning = [chance * exp(self.weight * row[self.feature]) for chance, row in zip(chances, rows)]
        total = sum(leaning)
        return values, [chance / total for chance in leaning]
