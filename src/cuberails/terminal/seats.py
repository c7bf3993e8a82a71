"""Who sits at a table. A seat whose name is a kind of bot and a number belongs to that bot."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from cuberails.bots import LEVELS, USUAL, make
from cuberails.core.title import SetupError

LONGEST_NAME = 16


def bot_of(name: str) -> str | None:
    """The kind of bot that plays a seat of this name, or None for a person: "Greedy 2" is a greedy bot."""
    kind, _, number = name.casefold().partition(" ")
    return kind if kind in LEVELS and number.isdecimal() else None


def seat_names(
    players: int, people: Sequence[str], bots: Sequence[str], shuffled_by: Random | None = None
) -> list[str]:
    """Who sits where: people first, then the kinds of bots in turn, unless the seats are shuffled.

    A bot is called after its kind and its seat.
    """
    count = players - len(people)
    if count < 0:
        raise SetupError(f"{len(people)} people do not fit at a table for {players}")
    if len(bots) > count:
        raise SetupError(
            f"{len(bots)} bots are too many: a table for {players} with {len(people)} human has {count} left"
        )
    for kind in bots:
        make(kind, 0)
    dealt = [bots[n % len(bots)] for n in range(count)] if bots else [USUAL] * count
    seats = [*((name, False) for name in people), *((kind.capitalize(), True) for kind in dealt)]
    if shuffled_by is not None:
        shuffled_by.shuffle(seats)
    return [f"{name} {n}" if is_bot else name for n, (name, is_bot) in enumerate(seats, 1)]


def company(seats: Sequence[str]) -> list[str]:
    """The people and kinds of bots at a table, wherever they sit."""
    return sorted(bot_of(name) or name for name in seats)


def people_names(count: int, given: Sequence[str]) -> list[str]:
    """The names of the people: those given, then Player 2, Player 3 …; a single one is just Player."""
    if count < 0:
        raise SetupError(f"there cannot be {count} humans")
    if len(given) > count:
        raise SetupError(f"{len(given)} names are too many for {count} humans")
    usual = ["Player"] if count == 1 else [f"Player {n + 1}" for n in range(count)]
    names = [_checked(name) for name in given] + usual[len(given) :]
    if len(set(names)) < len(names):
        raise SetupError("two people cannot have the same name")
    return names


def _checked(name: str) -> str:
    plain = " ".join(name.split())
    if not plain or len(plain) > LONGEST_NAME or not plain.isprintable() or "#" in plain:
        raise SetupError(f"{name!r} cannot be a name; it needs 1 to {LONGEST_NAME} letters and no #")
    if bot_of(plain):
        raise SetupError(f"{name!r} is the name of a bot; choose another")
    return plain
