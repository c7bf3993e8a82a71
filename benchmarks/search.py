"""Simulations a second of the tree search, side by side in one run with OpenSpiel's. `make bench` runs it.

Ours opens a position in each simulation: it tries every action worth a look and judges it. OpenSpiel's Python search
plays one random game to its end in each. Best of several rounds on one core.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import cuberails
from cuberails.bots.search import Search, SearchConfig
from cuberails.core.playout import pick
from cuberails.core.state import CHANCE
from cuberails.titles import judge

ROUNDS = 3
SIMULATIONS = 300
PLAYERS = 4
PEER = "breakthrough"
COMPILED = Path(__file__).parent.parent / "build" / "compiled"


def rate(think: Callable[[], int]) -> float:
    """Simulations a second: `think()` thinks once and returns how many it took."""
    best = 0.0
    for _ in range(ROUNDS):
        began = time.perf_counter()
        count = think()
        best = max(best, count / (time.perf_counter() - began))
    return best


def ours() -> dict[str, float]:
    """For each title, thinking about a position some way into a game."""
    return {key: rate(thinking(key)) for key in cuberails.TITLES}


def thinking(key: str) -> Callable[[], int]:
    rng, state = random.Random(1), cuberails.new(key, PLAYERS)
    for _ in range(40):
        state.play(pick(state, rng))
    while state.actor == CHANCE or len(state.legal_actions()) < 4:
        state.play(pick(state, rng))

    def think() -> int:
        search = Search(judge(key), SearchConfig(simulations=SIMULATIONS), random.Random(1))
        search.think(state)
        return search.simulations

    return think


def openspiel() -> float:
    """The same of OpenSpiel's Python search, from the start of one of its games."""
    import numpy as np
    import pyspiel
    from open_spiel.python.algorithms import mcts

    game = pyspiel.load_game(PEER)
    seeded = np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, seeded)
    bot = mcts.MCTSBot(game, 1.4, SIMULATIONS, evaluator, random_state=seeded)
    state = game.new_initial_state()

    def think() -> int:
        bot.step(state)
        return SIMULATIONS

    return rate(think)


def compiled() -> dict[str, float]:
    """Our figures with the compiled engine, from another process."""
    command = [sys.executable, __file__, "--ours"]
    environment = os.environ | {"PYTHONPATH": str(COMPILED)}
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return {key: float(figure) for key, figure in json.loads(shown).items()}


def main() -> None:
    peer, plain, fast = openspiel(), ours(), compiled()
    print(f"{PLAYERS} players, {SIMULATIONS} simulations, one core, best of {ROUNDS}\n")
    print("| | simulations/s | times OpenSpiel | compiled simulations/s |")
    print("|" + " --- |" * 4)
    print(f"| OpenSpiel, Python, {PEER} | {peer:,.0f} | 1 | |")
    for key, figure in plain.items():
        print(f"| {key} | {figure:,.0f} | {figure / peer:.1f} | {fast[key]:,.0f} |")


if __name__ == "__main__":
    if "--ours" in sys.argv:
        print(json.dumps(ours()))
    else:
        main()
