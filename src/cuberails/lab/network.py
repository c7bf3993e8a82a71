"""The network of a learned judge while it learns: numpy, Adam, and the losses of its two outputs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cuberails.core.learned import OUTPUTS, SCORE, WIN, Layer, Net

Array = NDArray[np.float32]

SCORE_WEIGHT = 2.0
"""What the squared error of the score, in its unit, counts beside the cross-entropy of the win."""
DECAY = 0.1
"""Weight decay: the part of each weight, times the learning rate, that is taken off at a step."""
BETA_1, BETA_2, EPSILON = 0.9, 0.999, 1e-8
"""Adam's."""
DIGITS = 5
"""The decimals of weights in a file."""


@dataclass
class Batch:
    """Positions with equally many seats: `rows` are positions by seats by features.

    `hand` holds the logit and the score of the hand-made judge, as far as they count; `win` and `score` are targets.
    """

    rows: Array
    hand: Array
    win: Array
    score: Array


@dataclass
class Network:
    """Weights by layer, each inputs by units, and biases; with what Adam remembers of their gradients."""

    weights: list[Array]
    biases: list[Array]
    means: list[Array] = field(default_factory=list)
    squares: list[Array] = field(default_factory=list)
    steps: int = 0

    @classmethod
    def new(cls, inputs: int, hidden: Sequence[int], rng: np.random.Generator) -> Network:
        """He's initialization; the last layer is 0, so that it says nothing at first."""
        sizes = [inputs, *hidden, OUTPUTS]
        weights = [
            (rng.standard_normal((below, above)) * np.sqrt(2.0 / below)).astype(np.float32)
            for below, above in pairwise(sizes)
        ]
        weights[-1][:] = 0.0
        return cls(weights, [np.zeros(size, np.float32) for size in sizes[1:]])

    def outputs(self, rows: Array) -> Array:
        """For each row the logit of the win and the score."""
        return self._activations(rows)[-1]

    def _activations(self, rows: Array) -> list[Array]:
        """The rows, and what each layer makes of them."""
        values = [rows]
        last = len(self.weights) - 1
        for n, (weights, biases) in enumerate(zip(self.weights, self.biases, strict=True)):
            sums = values[-1] @ weights + biases
            values.append(sums if n == last else np.maximum(sums, 0.0))
        return values

    def learn(self, batch: Batch, rate: float) -> float:
        """One step of Adam with weight decay; returns the loss before it."""
        positions, seats, size = batch.rows.shape
        values = self._activations(batch.rows.reshape(-1, size))
        said = values[-1].reshape(positions, seats, OUTPUTS) + batch.hand
        chances = softmax(said[..., WIN])
        error = said[..., SCORE] - batch.score
        slope = np.empty_like(said)
        slope[..., WIN] = (chances - batch.win) / positions
        slope[..., SCORE] = 2.0 * SCORE_WEIGHT * error / (positions * seats)
        self._descend(values, slope.reshape(-1, OUTPUTS), rate)
        surprise = -np.sum(batch.win * np.log(np.maximum(chances, 1e-6))) / positions
        return float(surprise + SCORE_WEIGHT * np.mean(error**2))

    def _descend(self, values: list[Array], slope: Array, rate: float) -> None:
        """Back-propagation of the slope of the loss at the outputs, and a step down."""
        gradients: list[Array] = []
        for n in range(len(self.weights) - 1, -1, -1):
            gradients = [values[n].T @ slope, slope.sum(axis=0), *gradients]
            if n:
                slope = (slope @ self.weights[n].T) * (values[n] > 0.0)
        everything = [each for pair in zip(self.weights, self.biases, strict=True) for each in pair]
        if not self.means:
            self.means = [np.zeros_like(each) for each in everything]
            self.squares = [np.zeros_like(each) for each in everything]
        self.steps += 1
        for each, gradient, mean, square in zip(everything, gradients, self.means, self.squares, strict=True):
            mean += (1.0 - BETA_1) * (gradient - mean)
            square += (1.0 - BETA_2) * (gradient**2 - square)
            likely = mean / (1.0 - BETA_1**self.steps)
            size = np.sqrt(square / (1.0 - BETA_2**self.steps)) + EPSILON
            each -= rate * (likely / size + DECAY * each)

    def to_net(self, shared: int) -> Net:
        """The same for the engine, rounded as it will be in a file."""
        pairs = zip(self.weights, self.biases, strict=True)
        return Net([Layer(_rounded(weights.T), _rounded(biases)) for weights, biases in pairs], shared)


def _rounded(numbers: Array) -> Any:
    return np.round(numbers.astype(float), DIGITS).tolist()


def softmax(logits: Array) -> Array:
    """Chances over the last axis."""
    weights = np.exp(logits - logits.max(axis=-1, keepdims=True))
    chances: Array = weights / weights.sum(axis=-1, keepdims=True)
    return chances
