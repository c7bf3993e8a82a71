"""The titles: one package each, all with the same rooms. This is the only place that opens their files."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import isfinite

from cuberails.core.board import Table, read_board
from cuberails.core.judge import Judge
from cuberails.core.scene import Scene
from cuberails.core.state import State
from cuberails.core.title import SetupError, Title
from cuberails.titles.baltimore_ohio import judge as baltimore_ohio_judge
from cuberails.titles.baltimore_ohio import rules as baltimore_ohio_rules
from cuberails.titles.baltimore_ohio import scene as baltimore_ohio_scene
from cuberails.titles.credit_mobilier import judge as credit_mobilier_judge
from cuberails.titles.credit_mobilier import rules as credit_mobilier_rules
from cuberails.titles.credit_mobilier import scene as credit_mobilier_scene
from cuberails.titles.gmo import judge as gmo_judge
from cuberails.titles.gmo import rules as gmo_rules
from cuberails.titles.gmo import scene as gmo_scene
from cuberails.titles.southern_rails import judge as southern_rails_judge
from cuberails.titles.southern_rails import rules as southern_rails_rules
from cuberails.titles.southern_rails import scene as southern_rails_scene
from cuberails.titles.wabash import judge as wabash_judge
from cuberails.titles.wabash import rules as wabash_rules
from cuberails.titles.wabash import scene as wabash_scene


class WeightError(ValueError):
    """Weights that a judge cannot use: which one, and what would be right."""


@dataclass(frozen=True)
class Rooms:
    """What a title's package offers: its rules on a board, what a player sees, what a position is worth."""

    title: Callable[[Table, str, Callable[[str], Title]], Title]
    scene: Callable[[State, Sequence[str]], Scene]
    judge: Callable[[Mapping[str, float]], Judge]


_ROOMS = {
    "wabash": Rooms(wabash_rules.WabashTitle, wabash_scene.scene, wabash_judge.WabashJudge),
    "southern_rails": Rooms(
        southern_rails_rules.SouthernRailsTitle, southern_rails_scene.scene, southern_rails_judge.SouthernRailsJudge
    ),
    "gmo": Rooms(gmo_rules.GmoTitle, gmo_scene.scene, gmo_judge.GmoJudge),
    "baltimore_ohio": Rooms(
        baltimore_ohio_rules.BaltimoreOhioTitle, baltimore_ohio_scene.scene, baltimore_ohio_judge.BaltimoreOhioJudge
    ),
    "credit_mobilier": Rooms(
        credit_mobilier_rules.CreditMobilierTitle,
        credit_mobilier_scene.scene,
        credit_mobilier_judge.CreditMobilierJudge,
    ),
}
KEYS = tuple(_ROOMS)


@cache
def load(key: str) -> Title:
    """The title with this key, on its own board."""
    board = read_board(f"{key}/board.toml", _read(key, "board.toml"))
    return _ROOMS[key].title(board, _read(key, "rules.md"), load)


def _read(key: str, name: str) -> str:
    """The text of a file in the package of a title."""
    _check(key)
    return (files(__name__) / key / name).read_text("utf-8")


def _check(key: str) -> None:
    if key not in _ROOMS:
        raise SetupError(f"there is no title {key!r}; the titles are {', '.join(KEYS)}")


def scene(game: State, names: Sequence[str] | None = None) -> Scene:
    """What a player sees of a position."""
    return _ROOMS[game.title.key].scene(game, names or [f"Seat {n}" for n in range(game.players)])


@cache
def judge(key: str) -> Judge:
    """The judge of a title, with its fitted weights."""
    return judge_with(key, weights(key))


def judge_with(key: str, weights: Mapping[str, float]) -> Judge:
    """The judge of a title, with these weights."""
    _check(key)
    try:
        return _ROOMS[key].judge(weights)
    except KeyError as missing:
        raise WeightError(
            f"the judge of {key} needs a weight {missing}; it has {', '.join(weights) or 'none'}"
        ) from None


@cache
def weights(key: str) -> Mapping[str, float]:
    """The fitted weights of a title's judge, by name."""
    return read_weights(f"{key}/judge.toml", _read(key, "judge.toml"))


def read_weights(file: str, text: str) -> dict[str, float]:
    """The weights in a file of this name with this text."""
    found: dict[str, float] = {}
    for name, value in tomllib.loads(text).get("weights", {}).items():
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not isfinite(value):
            raise WeightError(f"{file}, weights.{name}: found {value!r}; it needs a number")
        found[name] = float(value)
    return found


def worth(game: State) -> list[float]:
    """What a position is worth to each seat, in the unit of its scores."""
    return judge(game.title.key).worth(game)
