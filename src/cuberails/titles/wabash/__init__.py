"""Wabash Cannonball: auctions, expansion, development, and the Wabash that opens at Chicago."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.wabash.board import WabashBoard
from cuberails.titles.wabash.features import WabashFeatures
from cuberails.titles.wabash.habits import WabashHabits
from cuberails.titles.wabash.judge import WabashJudge
from cuberails.titles.wabash.orders import WabashOrders
from cuberails.titles.wabash.rules import set_up
from cuberails.titles.wabash.scene import scene
from cuberails.titles.wabash.shares import WabashShares

title = Title(
    package=__name__,
    read=reader(__name__),
    key="wabash",
    name="Wabash Cannonball",
    players=(2, 6),
    minutes=45,
    options={"detroit": ("automatic", "players")},
    explained={"detroit": "Detroit grows by itself alone (automatic), or players may develop it as well (players)."},
    weight="medium",
    also_known_as="Chicago Express",
    board=WabashBoard,
    new=set_up,
    scene=scene,
    judge=WabashJudge,
    features=WabashFeatures,
    habits=WabashHabits,
    shares=WabashShares,
    orders=WabashOrders(),
)
