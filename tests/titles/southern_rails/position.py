"""Positions of Southern Rails from a few lines of text, for tests.

    players 3
    order 2 0 1
    turn 1
    scorings 2
    points 4 0 7
    red shares 1 0 0 track G8 J1-J9

A line for a railroad gives the shares of each seat and its cubes on the map; `J1-J9` is a row of them. The progress
board follows from the map. The seat on turn (the first in the order unless said) is about to place a cube.
"""

from __future__ import annotations

import cuberails
from cuberails.core.board import Board
from cuberails.titles.southern_rails.rules import next_turn, place
from cuberails.titles.southern_rails.state import SouthernRails


def fresh(players: int, board: Board | None = None) -> SouthernRails:
    state = (board or cuberails.load("southern_rails").board).new(players, {})
    assert isinstance(state, SouthernRails)
    return state


def position(text: str, board: Board | None = None) -> SouthernRails:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    given = {words[0]: words[1:] for words in lines}
    state = fresh(int(given.pop("players")[0]), board)
    state.order = [int(word) for word in given.pop("order", state.order)]
    state.scorings = int(given.pop("scorings", ["0"])[0])
    state.points = [int(word) for word in given.pop("points", state.points)]
    turn = int(given.pop("turn", [str(state.order[0])])[0])
    for name, words in given.items():
        _railroad(state, rr(name), words)
    next_turn(state, state.order.index(turn))
    state.settle()
    return state


def _railroad(state: SouthernRails, rr: int, words: list[str]) -> None:
    lists: dict[str, list[str]] = {"shares": [], "track": []}
    for word in words:
        if word in lists:
            current = lists[word]
        else:
            current.append(word)
    for seat, held in enumerate(lists["shares"]):
        state.shares[seat * state.board.count + rr] = int(held)
        state.stock[rr] -= int(held)
    for word in lists["track"]:
        for id in _row(word):
            place(state, 0, rr, state.board.grid.index[id])


def _row(word: str) -> list[str]:
    first, _, last = word.partition("-")
    if not last:
        return [first]
    return [f"{first[0]}{number}" for number in range(int(first[1:]), int(last[1:]) + 1)]


def do(state: SouthernRails, *texts: str) -> SouthernRails:
    """Carry out these actions."""
    for text in texts:
        state.apply(state.parse(text))
    return state


def sentences_of(state: SouthernRails, text: str) -> list[str]:
    """Carry out an action and return what players are told."""
    names = ["Anna", "Beth", "Connor", "Dennis", "Eve"][: state.players]
    return [event.say(names) for event in state.apply(state.parse(text))]


def legal(state: SouthernRails, *beginning: str) -> list[str]:
    """What may follow these words: `legal(game, "place", "red")` lists the hexes open to red."""
    start = "".join(f"{word} " for word in beginning)
    return [action.text[len(start) :] for action in state.legal_actions() if action.text.startswith(start)]


def rr(name: str) -> int:
    """The number of a railroad."""
    return ["red", "blue", "yellow", "purple", "green", "black"].index(name)


def progress(state: SouthernRails, name: str) -> tuple[int, int, int, int]:
    """Revenue, green, blue and red cities of a railroad."""
    green, blue, red = (state.standing(tier)[rr(name)] for tier in range(3))
    return state.revenue[rr(name)], green, blue, red
