"""The titles: one package each, all with the same rooms. This is the only place that opens their files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from cuberails.core.board import Table, read_board
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


@dataclass(frozen=True)
class Rooms:
    """What a title's package offers: its rules on a board, what a player sees, what a position is worth."""

    title: Callable[[Table, str, Callable[[str], Title]], Title]
    scene: Callable[[State, Sequence[str]], Scene]
    worth: Callable[[State], list[float]]


_ROOMS = {
    "wabash": Rooms(wabash_rules.WabashTitle, wabash_scene.scene, wabash_judge.worth),
    "southern_rails": Rooms(
        southern_rails_rules.SouthernRailsTitle, southern_rails_scene.scene, southern_rails_judge.worth
    ),
    "gmo": Rooms(gmo_rules.GmoTitle, gmo_scene.scene, gmo_judge.worth),
    "baltimore_ohio": Rooms(
        baltimore_ohio_rules.BaltimoreOhioTitle, baltimore_ohio_scene.scene, baltimore_ohio_judge.worth
    ),
    "credit_mobilier": Rooms(
        credit_mobilier_rules.CreditMobilierTitle, credit_mobilier_scene.scene, credit_mobilier_judge.worth
    ),
}
KEYS = tuple(_ROOMS)


@cache
def load(key: str) -> Title:
    """The title with this key, on its own board."""
    if key not in _ROOMS:
        raise SetupError(f"there is no title {key!r}; the titles are {', '.join(KEYS)}")
    room = files(__name__) / key
    board = read_board(f"{key}/board.toml", (room / "board.toml").read_text("utf-8"))
    return _ROOMS[key].title(board, (room / "rules.md").read_text("utf-8"), load)


def scene(game: State, names: Sequence[str] | None = None) -> Scene:
    """What a player sees of a position."""
    return _ROOMS[game.title.key].scene(game, names or [f"Seat {n}" for n in range(game.players)])


def worth(game: State) -> list[float]:
    """What a position is worth to each seat, in the unit of its scores."""
    return _ROOMS[game.title.key].worth(game)
