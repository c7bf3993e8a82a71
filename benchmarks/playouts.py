"""Random playouts and copies, side by side in one run with catanatron. `make bench` runs it.

Each figure is the best of several rounds on one core, by processor time, so that a machine shared with others does not
spoil the comparison. A decision is one choice among `legal_actions()`; catanatron's are its actions. The compiled
engine is the same source, measured in a process of its own.
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
from cuberails.core.playout import pick, playout

ROUNDS = 5
SECONDS = 1.0
PLAYERS = 4
COPIES = 20_000
BAR_INTERPRETED, BAR_COMPILED, BAR_COPY = 8.0, 30.0, 30.0
"""In every title: decisions a second, interpreted and compiled, and copies, in times of catanatron's."""
COMPILED = Path(__file__).parent.parent / "build" / "compiled"


def rate(play: Callable[[int], int]) -> float:
    """Decisions a second: `play(seed)` plays one game and returns its decisions."""
    best, seed = 0.0, 0
    for _ in range(ROUNDS):
        decisions, start = 0, time.process_time()
        while (taken := time.process_time() - start) < SECONDS:
            decisions += play(seed)
            seed += 1
        best = max(best, decisions / taken)
    return best


def microseconds(copy: Callable[[], object]) -> float:
    """The time of one copy."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = time.process_time()
        for _ in range(COPIES):
            copy()
        best = min(best, time.process_time() - start)
    return best / COPIES * 1e6


def middle(key: str) -> cuberails.State:
    """A position after 60 random decisions."""
    rng = random.Random(1)
    state = cuberails.new(key, PLAYERS)
    for _ in range(60):
        if state.actor is not None:
            state.play(pick(state, rng))
    return state


def ours() -> dict[str, tuple[float, float]]:
    """Decisions a second and microseconds a copy for each title, in the form that is imported here."""
    return {key: (rate(random_games(key)), microseconds(middle(key).copy)) for key in cuberails.TITLES}


def random_games(key: str) -> Callable[[int], int]:
    """Plays a game of a title at random from a seed."""
    start = cuberails.new(key, PLAYERS)
    return lambda seed: playout(start.copy(), random.Random(seed))


def catanatron() -> tuple[float, float]:
    """The same of catanatron, with its own random players and as many of them."""
    from catanatron import Color, Game, RandomPlayer

    def start(seed: int) -> Game:
        return Game([RandomPlayer(color) for color in list(Color)[:PLAYERS]], seed=seed)

    def play(seed: int) -> int:
        game, actions = start(seed), 0
        while game.winning_color() is None and game.state.num_turns < 1000:  # its own limit
            game.play_tick()
            actions += 1
        return actions

    game = start(1)
    for _ in range(60):
        game.play_tick()
    return rate(play), microseconds(game.copy)


def compiled() -> dict[str, tuple[float, float]]:
    """Our figures with the compiled engine, from another process."""
    environment = os.environ | {"PYTHONPATH": str(COMPILED)}
    command = [sys.executable, __file__, "--ours"]
    shown = subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
    return {key: (figures[0], figures[1]) for key, figures in json.loads(shown).items()}


def missed(key: str, times: float, times_compiled: float, cheaper: float) -> list[str]:
    """Which bars a title does not reach, in words."""
    bars = [
        ("interpreted", times, BAR_INTERPRETED),
        ("compiled", times_compiled, BAR_COMPILED),
        ("copy", cheaper, BAR_COPY),
    ]
    return [f"{key} {what}: {reached:.1f} of {bar:g}" for what, reached, bar in bars if reached < bar]


def main() -> None:
    peer = catanatron()
    plain, fast = ours(), compiled()
    print(f"{PLAYERS} players, one core, Python {sys.version.split()[0]}, best of {ROUNDS}\n")
    columns = "decisions/s | times catanatron | copy() µs"
    print(f"| | {columns} | times cheaper | compiled {columns} |")
    print("|" + " --- |" * 8)
    print(f"| catanatron | {peer[0]:,.0f} | 1 | {peer[1]:.1f} | 1 | | | |")
    short: list[str] = []
    for key, (decisions, copy) in plain.items():
        quick, quick_copy = fast[key]
        times, times_compiled, cheaper = decisions / peer[0], quick / peer[0], peer[1] / copy
        print(
            f"| {key} | {decisions:,.0f} | {times:.1f} | {copy:.2f} | {cheaper:.0f} "
            f"| {quick:,.0f} | {times_compiled:.1f} | {quick_copy:.2f} |"
        )
        short += missed(key, times, times_compiled, cheaper)
    print(f"\nThe bars: {BAR_INTERPRETED:g}x interpreted, {BAR_COMPILED:g}x compiled, copies {BAR_COPY:g}x cheaper.")
    print("Not met: " + "; ".join(short) if short else "All are met.")


if __name__ == "__main__":
    if "--ours" in sys.argv:
        print(json.dumps(ours()))
    else:
        main()
