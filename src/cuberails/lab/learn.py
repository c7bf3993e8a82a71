"""Self-play: a network learns the chance to win by TD(λ) from games in a league, generation by generation.

Each generation plays with what was learned before, and then the network learns anew from all games so far: one that
learns on goes in circles, and forgets how to play against those that it has not met for a while. A checkpoint is kept
only if it holds against the whole league. Everything is in a folder, so that a run that was stopped goes on from there
as if it had not been.
"""

from __future__ import annotations

import json
import pickle
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np

from cuberails.core.board import Board
from cuberails.core.learned import SCORE, WIN, Learned
from cuberails.core.title import SetupError
from cuberails.lab.executor import Executor
from cuberails.lab.league import HAND, HAND_SEARCH, HAND_TURNS, Bar, Lesson, Play, Trial, mean
from cuberails.lab.linefile import open_locked
from cuberails.lab.network import Array, Batch, Network, softmax
from cuberails.titles import features_of

LAMBDA = 0.95
RATE = (1e-3, 2e-4)
"""In the first pass over all games and in the last."""
PASSES = 4
TEMPERATURE = (0.006, 0.002)
WANDER = (0.03, 0.01)
"""At the first generation and at the last."""
BATCH = 256
HELD_OUT = 10
"""One game in this number is not learned from: the loss is measured there."""
CHECKPOINTS = 4
"""How many earlier judges stay in the league."""
RIVALS = (HAND_TURNS, HAND_SEARCH)
ONE_PLY_RIVALS = (HAND,)
"""The members of the league that try a checkpoint, beside the last one that was kept."""
BEFORE = "the one before"
FIRST_GAMES = 4
"""The first generation, in which hand-made bots play, has so many times the games of others: they are quick."""


@dataclass(frozen=True)
class Plan:
    """What a run does.

    `hand_part` 1: the network corrects the hand-made judge by `net_part` of what it says; 0: it stands alone. Where
    games are long, `one_ply` bots try the network instead of quick ones that search.
    """

    generations: int = 3
    games: int = 400
    trials: int = 40
    hidden: tuple[int, ...] = (16,)
    hand_part: float = 1.0
    net_part: float = 1.0
    one_ply: bool = False
    seed: int = 0

    def command(self, title: str) -> str:
        """The command that does this."""
        ways = ("" if self.hand_part else " --alone") + (" --one-ply" if self.one_ply else "")
        ways += "" if self.net_part == 1.0 else f" --part {self.net_part}"
        hidden = " ".join(map(str, self.hidden))
        sizes = f"--generations {self.generations} --games {self.games} --trials {self.trials} --hidden {hidden}"
        return f"cuberails lab learn {title} {sizes}{ways} --seed {self.seed}"


@dataclass(frozen=True)
class Report:
    """How a generation went.

    `loss` is the cross-entropy of the chances in games that were held out; `shares` are the wins of the new judge alone
    against two of each rival.
    """

    generation: int
    loss: float
    shares: dict[str, float]
    kept: bool


@dataclass
class Run:
    """Where a run stands: all that is needed to go on with it."""

    plan: Plan
    network: Network
    score_unit: float
    generation: int = 0
    lessons: list[list[Lesson]] = field(default_factory=list)
    checkpoints: list[Learned] = field(default_factory=list)
    best: Learned | None = None
    best_share: float = 0.0
    reports: list[Report] = field(default_factory=list)


class Learning:
    """A run of a plan on a board, kept in a folder."""

    def __init__(self, board: Board, plan: Plan, folder: Path, executor: Executor, bar: Bar) -> None:
        self.board = board
        self.plan = plan
        self.folder = folder
        self.executor = executor
        self.bar = bar
        self.names = features_of(board).names
        self.shared = features_of(board).shared

    def generations(self) -> Iterator[Report]:
        """The reports of all generations: first those of a run that was stopped, then new ones as they come."""
        self.folder.mkdir(parents=True, exist_ok=True)
        with open_locked(self.folder / "lock"):
            run = self._resumed()
            yield from run.reports
            while run.generation < self.plan.generations:
                report = self._generation(run)
                self._save(run)
                yield report

    def _generation(self, run: Run) -> Report:
        """Play, learn, try."""
        number, plan = run.generation, self.plan
        part = number / max(1, plan.generations - 1)
        latest = run.checkpoints[-1] if run.checkpoints else self.pupil(run.network, run.score_unit)
        from_hand = number == 0 or (number == 1 and not plan.hand_part)
        play = Play(
            self.board,
            plan.seed,
            latest,
            tuple(run.checkpoints),
            between(TEMPERATURE, part),
            between(WANDER, part),
            from_hand,
            plan.one_ply,
        )
        first = 0 if number == 0 else (number - 1 + FIRST_GAMES) * plan.games
        numbers = range(first, (number + FIRST_GAMES) * plan.games)
        what = f"Generation {number + 1} of {plan.generations}"
        played = list(self.bar(self.executor.map(play.lesson, numbers), what, len(numbers)))
        if number == 0:
            run.score_unit = round(max(1.0, mean([float(lesson.scores.mean()) for lesson in played])), 1)
            played = [_rescaled(lesson, run.score_unit) for lesson in played]
        run.lessons.append(played)
        loss = self._learn(run)
        run.generation += 1
        run.checkpoints = [*run.checkpoints, self.pupil(run.network, run.score_unit)][-CHECKPOINTS:]
        tried = run.generation > 1 or plan.generations == 1
        report = self._try(run, loss) if tried else Report(run.generation, loss, {}, False)
        run.reports.append(report)
        return report

    def pupil(self, network: Network, score_unit: float) -> Learned:
        """What a network has learned, as the engine uses it."""
        plan = self.plan
        return Learned(self.names, network.to_net(self.shared), plan.hand_part, plan.net_part, score_unit)

    def _learn(self, run: Run) -> float:
        """A new network learns from all lessons, in random order; returns the loss in games that were held out."""
        rng = np.random.default_rng([self.plan.seed, run.generation])
        run.network = Network.new(len(self.names), self.plan.hidden, rng)
        lessons = [lesson for generation in run.lessons for lesson in generation]
        for number in range(PASSES):
            learned = [lesson for n, lesson in enumerate(lessons) if n % HELD_OUT]
            for batch in _batches(run, learned, LAMBDA, rng):
                run.network.learn(batch, between(RATE, number / (PASSES - 1)))
        return mean([surprise(run.network, lesson) for lesson in lessons[::HELD_OUT]])

    def _try(self, run: Run, loss: float) -> Report:
        """The new judge against its rivals.

        It is kept if it holds against the worst of them as well as the last one that was kept, and against that one.
        """
        pupil = self.pupil(run.network, run.score_unit)
        shares = self._shares(pupil, run.best)
        worst = min(share for name, share in shares.items() if name != BEFORE)
        kept = worst >= run.best_share and shares.get(BEFORE, 1.0) >= 1 / 3
        if kept:
            run.best, run.best_share = pupil, worst
        return Report(run.generation, loss, shares, kept)

    def _shares(self, pupil: Learned, best: Learned | None) -> dict[str, float]:
        """The wins of a judge alone against two of each rival."""
        members = ONE_PLY_RIVALS if self.plan.one_ply else RIVALS
        rivals: dict[str, str | Learned] = {name: name for name in members}
        if best is not None:
            rivals[BEFORE] = best
        shares: dict[str, float] = {}
        for name, rival in rivals.items():
            trial = Trial(self.board, self.plan.seed, pupil, rival, one_ply=self.plan.one_ply)
            games = self.executor.map(trial.game, range(self.plan.trials))
            shares[name] = mean(list(self.bar(games, f"  against {name}", self.plan.trials)))
        return shares

    # The folder

    def _resumed(self) -> Run:
        """The run in the folder, or a new one."""
        file = self.folder / "run.pickle"
        if not file.exists():
            rng = np.random.default_rng(self.plan.seed)
            return Run(self.plan, Network.new(len(self.names), self.plan.hidden, rng), 1.0)
        try:
            run: Run = pickle.loads(file.read_bytes())
        except (pickle.UnpicklingError, EOFError, AttributeError, ImportError, TypeError, ValueError) as error:
            raise SetupError(f"{file} is no run of `cuberails lab learn` ({error}); name another folder") from None
        if asdict(run.plan) | {"generations": 0} != asdict(self.plan) | {"generations": 0}:
            raise SetupError(
                f"{self.folder} holds another run ({run.plan}); name another folder, or go on with that one"
            )
        return run

    def _save(self, run: Run) -> None:
        """Write the run, the best judge so far and the curve; each file is replaced at once, or not at all."""
        self._write("run.pickle", pickle.dumps(run))
        self._write("curve.json", json.dumps([asdict(report) for report in run.reports], indent=1).encode())
        if run.best is not None:
            self._write("learned.json", to_json(run.best, self._about(run)).encode())

    def _about(self, run: Run) -> dict[str, str]:
        kept = [report for report in run.reports if report.kept][-1]
        shares = ", ".join(f"{name} {share:.1%}" for name, share in kept.shares.items())
        return {
            "command": self.plan.command(self.board.title.key),
            "date": date.today().isoformat(),
            "generation": str(kept.generation),
            "trials": f"{self.plan.trials} games alone against two of each: {shares}",
        }

    def _write(self, name: str, content: bytes) -> None:
        new = self.folder / f"{name}.new"
        new.write_bytes(content)
        new.replace(self.folder / name)


def to_json(known: Learned, about: dict[str, str]) -> str:
    """The file `learned.json` of a title."""
    layers = [{"weights": layer.weights, "biases": layer.biases} for layer in known.net.layers]
    found: dict[str, Any] = {
        "about": about,
        "hand_part": known.hand_part,
        "net_part": known.net_part,
        "score_unit": known.score_unit,
        "shared": known.net.shared,
        "features": known.names,
        "layers": layers,
    }
    return json.dumps(found, separators=(",", ":")).replace('],"', '],\n"').replace("],[", "],\n[") + "\n"


def between(ends: tuple[float, float], part: float) -> float:
    return ends[0] + part * (ends[1] - ends[0])


# Targets


def _rescaled(lesson: Lesson, unit: float) -> Lesson:
    """The same with the hand-made judge's scores in the unit that is known now."""
    hand = lesson.hand.copy()
    hand[..., SCORE] /= unit
    return Lesson(lesson.rows, hand, lesson.wandered, lesson.won, lesson.scores)


def _batches(run: Run, lessons: Sequence[Lesson], persistence: float, rng: np.random.Generator) -> Iterator[Batch]:
    """All positions with their targets in random order, those with equally many seats together."""
    tables: dict[int, list[Batch]] = defaultdict(list)
    for lesson in lessons:
        if len(lesson.rows):
            tables[len(lesson.won)].append(with_targets(run, lesson, persistence))
    batches: list[Callable[[], Batch]] = []
    for found in tables.values():
        whole = _joined(found)
        order = rng.permutation(len(whole.rows))
        batches += [_Part(whole, order[first : first + BATCH]) for first in range(0, len(order), BATCH)]
    for n in rng.permutation(len(batches)):
        yield batches[n]()


@dataclass(frozen=True)
class _Part:
    """Some positions of many."""

    whole: Batch
    chosen: Any

    def __call__(self) -> Batch:
        whole, chosen = self.whole, self.chosen
        rows = whole.rows[chosen].astype(np.float32)
        return Batch(rows, whole.hand[chosen], whole.win[chosen], whole.score[chosen])


def _joined(batches: Sequence[Batch]) -> Batch:
    return Batch(
        np.concatenate([each.rows for each in batches]),
        np.concatenate([each.hand for each in batches]),
        np.concatenate([each.win for each in batches]),
        np.concatenate([each.score for each in batches]),
    )


def surprise(network: Network, lesson: Lesson) -> float:
    """The mean of minus the logarithm of the chance that the network gave to the winner of a game."""
    chances = softmax(_said(network, lesson)[..., WIN])
    return float(-np.mean(np.log(np.maximum(chances, 1e-3)) @ lesson.won))


def _said(network: Network, lesson: Lesson) -> Array:
    """Logits and scores of all positions of a game, with what the hand-made judge says."""
    rows = lesson.rows.astype(np.float32)
    said: Array = network.outputs(rows.reshape(-1, rows.shape[-1])).reshape(lesson.hand.shape) + lesson.hand
    return said


def with_targets(run: Run, lesson: Lesson, persistence: float) -> Batch:
    """The λ-returns of a game's positions. What came of an action that nobody wanted teaches nothing before it."""
    said = _said(run.network, lesson)
    chances, scores = softmax(said[..., WIN]), said[..., SCORE]
    win, score = lesson.won, lesson.scores / run.score_unit
    wins, final = np.empty_like(chances), np.empty_like(scores)
    for n in range(len(chances) - 1, -1, -1):
        if lesson.wandered[n]:
            win, score = chances[n], scores[n]
        wins[n], final[n] = win, score
        win = (1.0 - persistence) * chances[n] + persistence * win
        score = (1.0 - persistence) * scores[n] + persistence * score
    return Batch(lesson.rows, lesson.hand, wins, final)  # type: ignore[arg-type]
