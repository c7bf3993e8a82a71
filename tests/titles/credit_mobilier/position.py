"""Positions of Credit Mobilier from a few lines of text, for tests.

    players 3
    turn 1
    cash 10 20 30
    red treasury 4 shares 2 0 1 track A6W A5W goods A3 A3 B1 coast 2
    purple treasury 7 shares 1 1 1

A line for a company gives what differs from the start. A railway without `goods` has one pawn, in D6; pawns that
stand nowhere are out of the game. The dice of the seat on turn are about to be rolled.
"""

from __future__ import annotations

from random import Random

import cuberails
from cuberails.core.playout import sample
from cuberails.titles.credit_mobilier.rules import next_turn
from cuberails.titles.credit_mobilier.state import CreditMobilier

WORDS = ("treasury", "shares", "track", "goods", "coast")


def position(text: str, start: CreditMobilier | None = None) -> CreditMobilier:
    """The position; `start` is a new game on another board or with other options."""
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    state = start or fresh(int(given["players"][0]))
    board = state.board
    seat = int(given.get("turn", ["0"])[0])
    state.cash = [int(word) for word in given.get("cash", [])] or state.cash
    for c, color in enumerate(board.colors[: board.companies]):
        _company(state, c, _lists(given.get(color, [])))
    state.turn = seat - 1
    next_turn(state)
    state.settle()
    return state


def fresh(players: int, **options: str) -> CreditMobilier:
    """A new game before the first draw."""
    state = cuberails.load("credit_mobilier").new(players, options)
    assert isinstance(state, CreditMobilier)
    return state


def _lists(words: list[str]) -> dict[str, list[str]]:
    lists: dict[str, list[str]] = {}
    for word in words:
        if word in WORDS:
            current = lists.setdefault(word, [])
        else:
            current.append(word)
    return lists


def _company(state: CreditMobilier, c: int, lists: dict[str, list[str]]) -> None:
    board = state.board
    state.treasury[c] = int(lists.get("treasury", ["0"])[0])
    for seat, held in enumerate(lists.get("shares", [])):
        state.held[c] += int(held) - state.shares[seat * board.companies + c]
        state.shares[seat * board.companies + c] = int(held)
    for id in lists.get("track", []):
        state.lay(c, board.slots.index(id))
    if c != board.builder:
        for id in lists.get("goods", [board.squares[-1]]):
            state.place(c, board.squares.index(id))
            state.lid[c] -= 1
        state.coast[c] = int(lists.get("coast", ["0"])[0])
        state.lid[c] -= state.coast[c]


def do(state: CreditMobilier, *texts: str) -> CreditMobilier:
    """Carry out these actions."""
    for text in texts:
        state.apply(state.parse(text))
    return state


def tell(state: CreditMobilier, text: str, names: str = "Ann Bob Cy") -> list[str]:
    """Carry out an action and tell what happened."""
    return [event.say(names.split()) for event in state.apply(state.parse(text))]


def legal(state: CreditMobilier, start: str = "") -> list[str]:
    """The legal action texts, or those that begin like this."""
    return [str(action) for action in state.legal_actions() if str(action).startswith(start)]


def goods(state: CreditMobilier, color: str) -> list[str]:
    """The squares where pawns of this colour stand, one entry a pawn."""
    board = state.board
    c = board.colors.index(color)
    return [id for n, id in enumerate(board.squares) for _ in range(state.goods[c * board.size + n])]


def treasury(state: CreditMobilier, color: str) -> int:
    return state.treasury[state.board.colors.index(color)]


def drawn(players: int, seed: int = 1) -> CreditMobilier:
    """A new game with its goods on the board."""
    state, rng = fresh(players), Random(seed)
    while legal(state, "draw"):
        state.play(sample(state, rng))
    return state
