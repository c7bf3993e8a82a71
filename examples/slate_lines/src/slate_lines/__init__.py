"""Slate Lines: three tramways, two hands too few to build them all, and hills that may hide slate."""

from __future__ import annotations

from cuberails.core.title import Title
from cuberails.titles import reader
from slate_lines.board import SlateBoard
from slate_lines.judge import SlateJudge
from slate_lines.rules import set_up
from slate_lines.scene import scene

title = Title(
    package=__name__,
    read=reader(__name__),
    key="slate_lines",
    name="Slate Lines",
    players=(2, 4),
    minutes=15,
    weight="light",
    options={"seams": ("rolled", "even")},
    explained={"seams": "What a quarry yields is rolled, or always the same (even)."},
    rules_version=2,
    board=SlateBoard,
    new=set_up,
    scene=scene,
    judge=SlateJudge,
)
