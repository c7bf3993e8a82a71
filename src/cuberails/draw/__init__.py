"""Scenes as pictures and as text. Knows no rules and no title: it draws what a scene says."""

from __future__ import annotations

from cuberails.core.state import State
from cuberails.draw.svg import svg
from cuberails.draw.text import text
from cuberails.titles import scene

__all__ = ["picture", "plain", "svg", "text"]


def picture(state: State) -> str:
    """A position as SVG, with the seats numbered: what a notebook shows."""
    return svg(scene(state))


def plain(state: State) -> str:
    """A position as plain text, with the seats numbered: what `str(state)` says."""
    return text(scene(state))
