"""The one command: cuberails. Each module holds a group of its commands."""

from __future__ import annotations

from cuberails.cli.command import main

__all__ = ["main"]
