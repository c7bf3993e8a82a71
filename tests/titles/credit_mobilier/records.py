"""The transcripts of Credit Mobilier: every number of players; there is one way to end."""

from __future__ import annotations

from tests.records.make import bot, play, write

ARRIVED = "goods of at most 2 colors are left outside the Pacific Coast"
ENDINGS = {ARRIVED}


def write_all() -> None:
    greedy, lucky = bot("greedy"), bot("random")
    for players in (2, 3, 4, 5):
        write("credit_mobilier", f"{players}-players-greedy", play("credit_mobilier", players, players, [greedy]))
    write("credit_mobilier", "4-players-mixed", play("credit_mobilier", 4, 7, [greedy, lucky]))
    write("credit_mobilier", "3-players-random", play("credit_mobilier", 3, 6, [lucky]))  # with a lost turn
