"""Players that are programs: they choose from the legal actions of a position, with what its title's judge knows."""

from __future__ import annotations

from cuberails.bots.advice import Idea, advise
from cuberails.bots.analysis import Analysis, Analyst, analyse
from cuberails.bots.decision import Decision, judge_decision
from cuberails.bots.players import LEVELS, STRONGEST, USUAL, Bot, make
from cuberails.bots.search import OnProgress

__all__ = [
    "LEVELS",
    "STRONGEST",
    "USUAL",
    "Analysis",
    "Analyst",
    "Bot",
    "Decision",
    "Idea",
    "OnProgress",
    "advise",
    "analyse",
    "judge_decision",
    "make",
]
