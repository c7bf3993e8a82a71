"""Gulf, Mobile & Ohio: charter auctions, scarce colours, and points for connecting."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.gmo.board import GmoBoard
from cuberails.titles.gmo.judge import GmoJudge
from cuberails.titles.gmo.rules import set_up
from cuberails.titles.gmo.scene import scene

title = Title(
    package=__name__,
    read=reader(__name__),
    key="gmo",
    name="Gulf, Mobile & Ohio",
    players=(3, 5),
    minutes=60,
    options={"connection": ("both", "placer")},
    board=GmoBoard,
    new=set_up,
    scene=scene,
    judge=GmoJudge,
)
