"""Wabash Cannonball: auctions, expansion, development, and the Wabash that opens at Chicago."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.wabash.board import WabashBoard
from cuberails.titles.wabash.judge import WabashJudge
from cuberails.titles.wabash.rules import set_up
from cuberails.titles.wabash.scene import scene

title = Title(
    package=__name__,
    read=reader(__name__),
    key="wabash",
    name="Wabash Cannonball",
    players=(2, 6),
    minutes=45,
    options={"detroit": ("automatic", "players")},
    board=WabashBoard,
    new=set_up,
    scene=scene,
    judge=WabashJudge,
)
