"""The game in a terminal: people and bots at one table."""

from __future__ import annotations

from cuberails.terminal.table import Table

__all__ = ["Table"]
