"""Southern Rails: no money; shares are drafted, cubes placed one a turn, and ties score nothing."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.southern_rails.board import SouthernRailsBoard
from cuberails.titles.southern_rails.features import SouthernRailsFeatures
from cuberails.titles.southern_rails.habits import SouthernRailsHabits
from cuberails.titles.southern_rails.judge import SouthernRailsJudge
from cuberails.titles.southern_rails.orders import SouthernRailsOrders
from cuberails.titles.southern_rails.rules import set_up
from cuberails.titles.southern_rails.scene import scene
from cuberails.titles.southern_rails.shares import SouthernRailsShares

title = Title(
    package=__name__,
    read=reader(__name__),
    key="southern_rails",
    name="Southern Rails",
    players=(3, 5),
    minutes=60,
    weight="light",
    board=SouthernRailsBoard,
    new=set_up,
    scene=scene,
    judge=SouthernRailsJudge,
    features=SouthernRailsFeatures,
    habits=SouthernRailsHabits,
    shares=SouthernRailsShares,
    orders=SouthernRailsOrders(),
)
