"""Many games between bots: what they tell about the bots, the seats and the title."""

from __future__ import annotations

from cuberails.lab.arena import Report, report, resumed
from cuberails.lab.climb import Climb, Ring, climb
from cuberails.lab.simulate import Match, Result, Share, Summary, play_one, results, simulate, summarize
from cuberails.lab.tune import Fit, tune

__all__ = [
    "Climb",
    "Fit",
    "Match",
    "Report",
    "Result",
    "Ring",
    "Share",
    "Summary",
    "climb",
    "play_one",
    "report",
    "results",
    "resumed",
    "simulate",
    "summarize",
    "tune",
]
