"""The game in a terminal: people and bots at one table."""

from __future__ import annotations

from cuberails.terminal.game import TerminalGame

__all__ = ["TerminalGame"]
