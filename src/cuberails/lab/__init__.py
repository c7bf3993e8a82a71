"""Many games between bots: what they tell about the bots, the seats and the title."""

from __future__ import annotations

from cuberails.lab.simulate import Match, Result, Share, Summary, play_one, results, simulate, summarize

__all__ = ["Match", "Result", "Share", "Summary", "play_one", "results", "simulate", "summarize"]
