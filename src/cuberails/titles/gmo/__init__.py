"""Gulf, Mobile & Ohio: charter auctions, scarce colours, and points for connecting."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.gmo.board import GmoBoard
from cuberails.titles.gmo.features import GmoFeatures
from cuberails.titles.gmo.habits import GmoHabits
from cuberails.titles.gmo.judge import GmoJudge
from cuberails.titles.gmo.orders import GmoOrders
from cuberails.titles.gmo.rules import set_up
from cuberails.titles.gmo.scene import scene
from cuberails.titles.gmo.shares import GmoShares

title = Title(
    package=__name__,
    read=reader(__name__),
    key="gmo",
    name="Gulf, Mobile & Ohio",
    players=(3, 5),
    minutes=60,
    options={"connection": ("both", "placer")},
    explained={
        "connection": "When two colours meet in a city, both railroads are connected (both), or only the one that"
        " placed the cube, so that the other can still score it later (placer)."
    },
    weight="medium",
    board=GmoBoard,
    new=set_up,
    scene=scene,
    judge=GmoJudge,
    features=GmoFeatures,
    habits=GmoHabits,
    shares=GmoShares,
    orders=GmoOrders(),
)
