"""Boards for tests of many games: the built-in one of Wabash Cannonball, a rich one, and two with short games."""

from __future__ import annotations

from cuberails import Board, load, read_board

WABASH = load("wabash").board


def changed(name: str, *changes: tuple[str, str]) -> Board:
    """The built-in board under another name, with some of its lines changed."""
    text = WABASH.text.replace(f'name = "{WABASH.name}"', f'name = "{name}"')
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return read_board(f"{name}.toml", text)


def rich() -> Board:
    return changed("rich", ("money = 120", "money = 600"))


def ending(name: str, sold_out: int, cubes_left: int) -> Board:
    """A board whose games end after so many railroads are sold out, or with so many development cubes left."""
    return changed(
        name,
        ("railroads_sold_out = 3", f"railroads_sold_out = {sold_out}"),
        ("development_cubes_left = 3", f"development_cubes_left = {cubes_left}"),
    )


SHORT = ending("short", 2, 9)
"""Two thirds of the usual decisions, and still a game that the better player wins."""
TINY = ending("tiny", 1, 14)
"""A third of them."""
