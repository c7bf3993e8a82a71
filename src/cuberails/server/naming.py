"""The names of seats: short, printable, and no two alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

MOST_LETTERS = 40

SOMEBODY = "somebody"
"""What a seat is called whose person has left for good."""


def clean(name: str, most: int = MOST_LETTERS) -> str:
    """A name on one line, without signs that cannot be seen or that turn the text around them."""
    visible = "".join(sign for sign in " ".join(name.split()) if unicodedata.category(sign)[0] != "C")
    return visible[:most].strip()


def distinct(names: Sequence[str]) -> list[str]:
    """The same names; one that was there before gets a number."""
    found: list[str] = []
    for name in names:
        taken = {other.casefold() for other in found}
        spellings = (name if n == 1 else f"{name[: MOST_LETTERS - 3]} {n}" for n in range(1, len(names) + 1))
        found.append(next(spelling for spelling in spellings if spelling.casefold() not in taken))
    return found
