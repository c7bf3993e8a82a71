"""Positions of Gulf, Mobile & Ohio from a few lines of text, for tests.

    players 3
    turn 1
    cash 10 20 30
    points 4 0 9
    marker 1
    passes 2
    gone green 5
    SC green 0 I15 I14 I13
    CEN red 1+2 J13 J12 J11

A line for a railroad gives its colour, who holds its charter and perhaps its common share, and its track, home first.
Supply, connections and available charters follow from the cubes; `gone` takes more cubes out of the supply.
The seat on turn is about to act.
"""

from __future__ import annotations

import cuberails
from cuberails.titles.gmo.rules import ShareAuction, Turn
from cuberails.titles.gmo.state import Gmo


def fresh(players: int, **options: str) -> Gmo:
    """A new game."""
    state = cuberails.load("gmo").new(players, options)
    assert isinstance(state, Gmo)
    return state


def position(text: str, **options: str) -> Gmo:
    lines = [line.split() for line in text.splitlines() if line.strip()]
    players = next(int(words[1]) for words in lines if words[0] == "players")
    state = fresh(players, **options)
    for name, *words in lines:
        if name in state.board.railroads:
            _railroad(state, state.board.railroads.index(name), words)
        else:
            _fact(state, name, words)
    state.phase = Turn(state.turn)
    state.settle()
    return state


def _railroad(state: Gmo, rr: int, words: list[str]) -> None:
    board = state.board
    color = board.colors.index(words[0])
    owner, _, holder = words[1].partition("+")
    state.color[rr] = color
    state.barred[rr] = state.shadow(color)
    state.president[rr] = int(owner)
    state.chartered |= 1 << rr
    if holder:
        state.holder[rr] = int(holder)
        state.shared |= 1 << rr
    state.take_cube(color, 1)
    for id in words[2:]:
        n = board.grid.index[id]
        assert not state.track[rr] or state.can_build(rr) & board.grid.bit[n], f"{id} cannot be built"
        state.take_cube(color, 1)
        state.occupy(rr, n)
        if board.names[n]:
            state.connect(rr, n)
        state.opened |= board.opened_by[n]


def _fact(state: Gmo, name: str, words: list[str]) -> None:
    numbers = [int(word) for word in words if word.isdecimal()]
    if name == "turn":
        state.turn = numbers[0]
    elif name == "cash":
        state.cash = numbers
    elif name == "points":
        state.points = numbers
    elif name == "marker":
        state.marker = numbers[0]
    elif name == "passes":
        state.passes = numbers[0]
    elif name == "gone":
        state.take_cube(state.board.colors.index(words[0]), numbers[0])
    else:
        assert name == "players", f"{name} is no line of a position"


def do(state: Gmo, *texts: str) -> list[str]:
    """Carry out these actions; returns the sentences about them, with the names Ann, Bob, Cy, Dee and Eve."""
    names = ["Ann", "Bob", "Cy", "Dee", "Eve"]
    return [event.say(names) for text in texts for event in state.apply(state.parse(text))]


def sell(state: Gmo, action: str, price: int) -> list[str]:
    """The seat on turn puts a share up and takes it at its opening bid."""
    sentences = do(state, action, f"bid {price}")
    while isinstance(state.phase, ShareAuction):
        sentences += do(state, "pass")
    return sentences


def legal(state: Gmo, word: str = "") -> list[str]:
    """The legal action texts, or those that begin with this word."""
    return [str(action) for action in state.legal_actions() if action.word == word or not word]


def rr(name: str) -> int:
    """The number of a railroad."""
    return fresh(3).board.railroads.index(name)


def connected(state: Gmo, name: str) -> set[str]:
    """The colours to which a railroad is connected."""
    return {color for n, color in enumerate(state.board.colors) if state.met[rr(name)] >> n & 1}
