"""Positions to look at: whole random games of every title and number of players, stopped along the way."""

from __future__ import annotations

from functools import cache
from random import Random

import cuberails
from cuberails.core.playout import pick
from cuberails.core.scene import Map, Piece, Scene, Tile

NAMES = [
    "Ann",
    '<script>&"',
    "Maximiliana Konstantinopoulou-Featherstonehaugh",
    "李小龍" * 9,
    "x\x1b[31my\x00",
    "W" * 60,
]
TABLES = [
    (key, players)
    for key in cuberails.TITLES
    for players in range(cuberails.load(key).least_players, cuberails.load(key).most_players + 1)
]


@cache
def along_a_game(key: str, players: int, stops: int = 5) -> list[Scene]:
    """The scenes of a random game: the first, some on the way, the last."""
    state, rng = cuberails.new(key, players), Random(7)
    states = [state.copy()]
    while state.actor is not None:
        state.apply(pick(state, rng))
        states.append(state.copy())
    chosen = [states[n * (len(states) - 1) // (stops - 1)] for n in range(stops)]
    return [cuberails.scene(position, NAMES[:players]) for position in chosen]


def last_scene(key: str, players: int) -> Scene:
    return along_a_game(key, players)[-1]


def pieces(count: int) -> list[Piece]:
    return [Piece("PBCNWXYZ"[n], "red", f"railroad {n}") for n in range(count)]


def small(flat: bool, *tiles: Tile) -> Scene:
    """A scene with nothing but these hexes and a hex of water."""
    return Scene("Small", "", "Go", Map(flat, list(tiles), [(0.0, 0.0)]), [], [], [], [])
