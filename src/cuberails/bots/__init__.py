"""Players that are programs: they choose from the legal actions of a position, with what its title's judge knows."""

from __future__ import annotations

from cuberails.bots.advice import Idea, advise
from cuberails.bots.players import LEVELS, STRONGEST, USUAL, Bot, make
from cuberails.bots.search import OnProgress

__all__ = ["LEVELS", "STRONGEST", "USUAL", "Bot", "Idea", "OnProgress", "advise", "make"]
