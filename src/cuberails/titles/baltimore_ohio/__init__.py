"""Baltimore & Ohio: a stock market, six levels of technology, presidents, and railroads that can go broke."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from cuberails.titles.baltimore_ohio.board import BaltimoreOhioBoard
from cuberails.titles.baltimore_ohio.judge import BaltimoreOhioJudge
from cuberails.titles.baltimore_ohio.rules import set_up
from cuberails.titles.baltimore_ohio.scene import scene

title = Title(
    package=__name__,
    read=reader(__name__),
    key="baltimore_ohio",
    name="Baltimore & Ohio",
    players=(3, 6),
    minutes=150,
    board=BaltimoreOhioBoard,
    new=set_up,
    scene=scene,
    judge=BaltimoreOhioJudge,
)
