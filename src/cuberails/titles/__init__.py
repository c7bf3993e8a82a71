"""The titles: one package each, all with the same rooms, found by their entry points. Here their files are opened.

A title is a package with an attribute `title` and an entry point in the group `cuberails.titles` that names it, under
the title's key. The built-in ones are found the same way as everybody's own.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.resources import files
from math import inf, isfinite

from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.core.features import Features
from cuberails.core.judge import Judge, sharpened
from cuberails.core.learned import Layer, Learned, LearnedJudge, Net
from cuberails.core.scene import Scene
from cuberails.core.share import Shares
from cuberails.core.state import State
from cuberails.core.title import SetupError, Title

GROUP = "cuberails.titles"
BUILT_IN = ("wabash", "southern_rails", "gmo", "baltimore_ohio", "credit_mobilier")
"""The order in which people see the titles; others follow by name."""


class WeightError(ValueError):
    """Weights that a judge cannot use: which one, and what would be right."""


def reader(package: str) -> Callable[[str], str]:
    """What reads the text files of a title's package by their names."""
    return lambda name: (files(package) / name).read_text("utf-8")


# Finding titles


@cache
def _found() -> dict[str, EntryPoint]:
    """The entry points of all installed titles by key."""
    points = {point.name: point for point in entry_points(group=GROUP)}
    ranks = {key: rank for rank, key in enumerate(BUILT_IN)}
    return {key: points[key] for key in sorted(points, key=lambda key: (ranks.get(key, len(ranks)), key))}


def keys() -> tuple[str, ...]:
    """The keys of all installed titles."""
    return tuple(_found())


@cache
def load(key: str) -> Title:
    """The title with this key."""
    if not keys():
        raise SetupError("no title is installed: install cuberails with pip, its source files alone are not enough")
    if key not in keys():
        raise SetupError(f"there is no title {key!r}; the titles are {', '.join(keys())}")
    title: object = _found()[key].load()
    if not isinstance(title, Title) or title.key != key:
        raise SetupError(f"the entry point {key!r} in {GROUP} is no title with that key; it names {title!r}")
    return title


def read_board(file: str, text: str, title: Title | None = None) -> Board:
    """The board in a file of this name with this text, of the title that it names: the given one, or any."""
    found = load(BoardFile(file, text).one_of("title", list(keys())))
    if title not in (None, found):
        raise BoardError(file, "title", f"is {found.key!r}, for {found.name}; {title.name} needs {title.key!r}")
    return found.read_board(file, text)


# The rooms of a title


def scene(state: State, names: Sequence[str] | None = None) -> Scene:
    """What a player sees of a position."""
    return state.title.scene(state, names or [f"Seat {n}" for n in range(state.players)])


def features_of(board: Board) -> Features:
    """What a learner sees of positions on this board; it is made once and kept with it."""
    known = board.derived.get("features")
    if not isinstance(known, Features):
        if board.title.features is None:
            raise SetupError(f"{board.title.name} has no features: a learner cannot see its positions")
        known = board.title.features(board)
        board.derived["features"] = known
    return known


def shares_of(board: Board) -> Shares:
    """What the shares on this board are and pay; it is made once and kept with it."""
    known = board.derived.get("shares")
    if not isinstance(known, Shares):
        if board.title.shares is None:
            raise SetupError(f"{board.title.name} does not say what its shares are: it needs a room shares.py")
        known = board.title.shares(board)
        board.derived["shares"] = known
    return known


def features(state: State, seat: int) -> dict[str, float]:
    """What a learner sees of a position from a seat, by name."""
    seen = features_of(state.board)
    return dict(zip(seen.names, seen.rows(state)[seat], strict=True))


@cache
def judge(key: str) -> Judge:
    """The hand-made judge of a title, with its fitted weights."""
    return judge_with(key, weights(key))


def judge_with(key: str, weights: Mapping[str, float]) -> Judge:
    """The hand-made judge of a title, with these weights."""
    title = load(key)
    try:
        return title.judge(weights)
    except KeyError as missing:
        raise WeightError(
            f"the judge of {key} needs a weight {missing}; it has {', '.join(weights) or 'none'}"
        ) from None


@cache
def weights(key: str) -> Mapping[str, float]:
    """The fitted weights of a title's judge, by name."""
    return read_weights(f"{key}/judge.toml", load(key).read("judge.toml"))


def read_weights(file: str, text: str) -> dict[str, float]:
    """The weights in a file of this name with this text."""
    found: dict[str, float] = {}
    for name, value in tomllib.loads(text).get("weights", {}).items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
            raise WeightError(f"{file}, weights.{name}: found {value!r}; it needs a number")
        found[name] = float(value)
    return found


@cache
def sharpness(key: str) -> float:
    """The power of all chances that people are told in a title, from its judge.toml; 1 where that says nothing."""
    return read_sharpness(f"{key}/judge.toml", load(key).read("judge.toml"))


def read_sharpness(file: str, text: str) -> float:
    """The sharpness in a file of this name with this text: a number above 0, 1 where there is none."""
    value = tomllib.loads(text).get("chances", {}).get("sharpness", 1.0)
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 < value < inf:
        raise WeightError(f"{file}, chances.sharpness: found {value!r}; it needs a number above 0")
    return float(value)


def calibrated(board: Board, chances: list[float]) -> list[float]:
    """Chances to win that a search or a judge has estimated, as people are told them: no surer than they come true.

    `cuberails lab calibrate` fits the sharpness of a title. Bots decide by the chances as they are.
    """
    return sharpened(chances, sharpness(board.title.key))


# What was learned


@cache
def learned(key: str) -> Learned | None:
    """What the bots of a title have learned; None where they have not."""
    try:
        return read_learned(f"{key}/learned.json", load(key).read("learned.json"))
    except FileNotFoundError:
        return None


def read_learned(file: str, text: str) -> Learned:
    """What was learned, from a file of this name with this text, as `cuberails lab learn` writes it."""
    try:
        found = json.loads(text)
        layers = [Layer(_numbers(each["weights"]), _numbers([each["biases"]])[0]) for each in found["layers"]]
        net = Net(layers, int(found["shared"]))
        parts = float(found["hand_part"]), float(found["net_part"]), float(found["score_unit"])
        return Learned([str(name) for name in found["features"]], net, *parts, dict(found["about"]))
    except (ValueError, KeyError, TypeError, IndexError) as error:
        raise WeightError(f"{file} is not what `cuberails lab learn` writes: {error}") from None


def _numbers(rows: list[list[float]]) -> list[list[float]]:
    return [[float(number) for number in row] for row in rows]


def judge_for(board: Board, weights: Mapping[str, float] | None = None, known: Learned | None = None) -> Judge:
    """The judge of bots on a board: what is `known`, or was learned of the title, beside the hand-made judge.

    On a board where the learner would see other features than it has learned, the hand-made judge stands alone.
    """
    key = board.title.key
    hand = judge(key) if weights is None else judge_with(key, weights)
    known = known or learned(key)
    if known is None or board.title.features is None:
        return hand
    seen = features_of(board)
    return LearnedJudge(hand, seen, known) if seen.names == known.names else hand


def worth(state: State) -> list[float]:
    """What a position is worth to each seat, in the unit of its scores."""
    return judge(state.title.key).worth(state)
