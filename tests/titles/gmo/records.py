"""The transcripts of Gulf, Mobile & Ohio: every number of players, both ways to end, and cancelled charters."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.core.game import Game
from tests.records.make import Player, bot, ending, play, search, write

SIX_COLOURS = "cubes of all 6 colours are on the map"
ALL_PASSED = "all players passed one after the other"
ENDINGS = {SIX_COLOURS, ALL_PASSED}


def write_all() -> None:
    greedy, lucky = bot("greedy"), bot("random")
    for players in (3, 4, 5):
        write("gmo", f"{players}-players-greedy", search("gmo", players, [greedy], SIX_COLOURS))
        write("gmo", f"{players}-players-all-pass", search("gmo", players, [greedy, lucky], ALL_PASSED))
    write("gmo", "4-players-cancelled-charter", cancelled([lucky, greedy]))


def cancelled(choose: Sequence[Player]) -> Game:
    """A game in which a sale is cancelled and that still goes to six colours."""
    for seed in range(300):
        game = play("gmo", 4, seed, choose)
        if "sale cancelled" in game.to_text() and ending(game) == SIX_COLOURS:
            return game
    raise SystemExit("gmo: no game with a cancelled charter went to six colours")
