"""The transcripts of Wabash Cannonball: every number of players and every way to end."""

from __future__ import annotations

from random import Random

from cuberails.core.action import Action
from cuberails.core.state import State
from tests.records.make import bent, bot, play, search, write

BUILT_OUT = "3 or more railroads have built all their track"
SOLD_OUT = "3 or more railroads have sold all their shares"
DEVELOPED = "3 or fewer development cubes are left"
DETROIT = "Detroit was fully developed"
ENDINGS = {BUILT_OUT, SOLD_OUT, DEVELOPED, DETROIT}


def write_all() -> None:
    greedy, lucky = bot("greedy"), bot("random")
    for players in (2, 3, 4, 5, 6):
        write("wabash", f"{players}-players-greedy", play("wabash", players, players, [greedy]))
    write("wabash", "4-players-mixed", play("wabash", 4, 7, [greedy, lucky]))
    idle = bent(capitalize=0.3, capitalize_nothing=3, develop=0.1, develop_nothing=5, expand=1, expand_nothing=1)
    write("wabash", "3-players-detroit", search("wabash", 3, [idle], DETROIT))
    farmer = bent(capitalize=0.2, capitalize_nothing=1, develop=8, expand=2, bid=2)
    write("wabash", "2-players-developed", search("wabash", 2, [farmer], DEVELOPED))
    seller = bent(capitalize=9, capitalize_nothing=0, develop=0.1, bid=9)
    write("wabash", "5-players-sold-out", search("wabash", 5, [seller], SOLD_OUT))
    write("wabash", "2-players-built-out", search("wabash", 2, [builder], BUILT_OUT))
    write("wabash", "3-players-detroit-by-players", play("wabash", 3, 5, [farmer], detroit="players"))


def builder(state: State, rng: Random) -> Action:
    """Sells dear and builds wherever it can, so that cubes run out."""
    for word in ("build", "expand", "bid", "capitalize", "develop"):
        found = [action for action in state.legal_actions() if action.word == word and "Wabash" not in action.text]
        useful = [action for action in found if action.a >= 0 and action.text != "build A2"]
        if useful and word != "bid":
            return rng.choice(useful)
        if useful:
            return useful[len(useful) // 2]
    return rng.choice(state.legal_actions())
