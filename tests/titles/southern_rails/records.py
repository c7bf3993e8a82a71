"""The transcripts of Southern Rails: every number of players and every way to end."""

from __future__ import annotations

from random import Random

from cuberails.core.action import Action
from cuberails.core.state import State
from tests.records.make import bot, play, write

LAST_ROUND = "scoring round 4 was the last"
NOBODY = "nobody can place a cube"
ENDINGS = {LAST_ROUND, NOBODY}


def write_all() -> None:
    greedy, lucky = bot("greedy"), bot("random")
    for players in (3, 4, 5):
        write("southern_rails", f"{players}-players-greedy", play("southern_rails", players, players, [greedy]))
        write("southern_rails", f"{players}-players-nobody-can-place", play("southern_rails", players, 1, [warden]))
    write("southern_rails", "4-players-mixed", play("southern_rails", 4, 7, [greedy, lucky]))
    write("southern_rails", "5-players-random", play("southern_rails", 5, 2, [lucky]))


DRAFT = ["take red", "take blue", "take yellow", "take purple", "take green"]
SIEGE = [
    *("place red A15", "place blue A15", "place yellow A15", "place purple A14", "place green A14"),
    *("place red B14", "place blue B14", "place red B13", "place blue B13"),
]
WARDENS = ("red", "blue", "yellow")


def warden(state: State, rng: Random) -> Action:
    """Shuts purple and green in at A14, so that with three railroads alone there is no fourth tenth cube."""
    legal = {action.text: action for action in state.legal_actions()}
    wanted = [text for text in SIEGE if text in legal]
    if wanted:
        return legal[wanted[0]]
    taking = [text for text in DRAFT[: state.players] if text in legal]
    free = [text for text in legal if text.split()[1] in WARDENS]
    return legal[taking[0] if taking else rng.choice(free or list(legal))]
