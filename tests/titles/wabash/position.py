"""Positions of Wabash Cannonball from a few lines of text, for tests.

    players 3
    turn 1
    cash 10 20 30
    markers 2 0 4
    PA treasury 9 shares 1 0 0 track R4 Q4
    Detroit 8
    developed K7
    supply 4

A line for a railroad gives what differs from the start: `track` adds to its start city, `cubes` are those left.
Incomes follow from the board. The seat on turn is about to take a decision.
"""

from __future__ import annotations

import cuberails
from cuberails.titles.wabash.rules import Turn
from cuberails.titles.wabash.state import Wabash


def position(text: str, **options: str) -> Wabash:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    state = cuberails.load("wabash").new(int(given.pop("players")[0]), options)
    assert isinstance(state, Wabash)
    board = state.board
    if "Wabash" in given:
        state.occupy(board.latecomer, board.start[board.latecomer])
    for name, words in given.items():
        if name in board.railroads:
            _railroad(state, board.railroads.index(name), words)
        else:
            _fact(state, name, words)
    for rr, income in enumerate(incomes(state)):
        state.income[rr] = income
    state.phase = Turn(state.turn)
    state.settle()
    return state


def _railroad(state: Wabash, rr: int, words: list[str]) -> None:
    board = state.board
    lists: dict[str, list[str]] = {}
    for word in words:
        if word in ("treasury", "shares", "track", "cubes"):
            current = lists.setdefault(word, [])
        else:
            current.append(word)
    state.treasury[rr] = int(lists.get("treasury", ["0"])[0])
    for seat, held in enumerate(lists.get("shares", [])):
        state.shares[seat * board.count + rr] = int(held)
        state.unsold[rr] -= int(held)
    for id in lists.get("track", []):
        state.occupy(rr, board.grid.index[id])
        state.cubes[rr] -= 1
    if "cubes" in lists:
        state.cubes[rr] = int(lists["cubes"][0])


def _fact(state: Wabash, name: str, words: list[str]) -> None:
    board = state.board
    numbers = [int(word) for word in words if word.isdecimal()]
    if name == "turn":
        state.turn = numbers[0]
    elif name == "cash":
        state.cash = numbers
    elif name == "markers":
        state.markers = numbers
    elif name == "supply":
        state.supply = numbers[0]
    elif name == "developed":
        state.developed |= board.grid.mask([board.grid.index[id] for id in words])
    else:
        industry = board.industry_of[board.names.index(name)]
        state.industry[industry] = board.tracks[industry].index(numbers[0])
        if numbers[0] == board.tracks[industry][-1]:
            state.developed |= board.grid.bit[board.names.index(name)]


def incomes(state: Wabash) -> list[int]:
    """The income of each railroad, worked out from the cubes on the board alone."""
    board = state.board
    earned = []
    for rr, track in enumerate(state.track):
        home = board.grid.bit[board.start[rr]] if rr != board.latecomer else 0
        own = sum(state.hex_income(n) for n in board.grid.hexes(track & ~home))
        earned.append(board.start_income[rr] + own if track else 0)
    return earned


def do(state: Wabash, *texts: str) -> Wabash:
    """Carry out these actions."""
    for text in texts:
        state.apply(state.parse(text))
    return state


def legal(state: Wabash, word: str = "") -> list[str]:
    """The legal action texts, or those that begin with this word."""
    return [str(action) for action in state.legal_actions() if action.word == word or not word]


def rr(name: str) -> int:
    """The number of a railroad."""
    return ["PA", "B&O", "C&O", "NYC", "Wabash"].index(name)
