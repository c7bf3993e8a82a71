"""The names of seats: short, printable, and no two alike."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

MOST_LETTERS = 40

SOMEBODY = "somebody"
"""What a seat is called whose person has left for good."""


_BLANKS = dict.fromkeys(map(ord, "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\U00016fe4\U0001d159"))
"""Letters and signs, by their category, of which nothing is to be seen."""

_VARIATIONS = dict.fromkeys([*range(0x180B, 0x1810), *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)])
"""How the sign before them is to be drawn, if there is a choice: what stands in a name, and makes it no other name."""

_LOOKALIKES = str.maketrans(
    "авекмнорстухіјѕԁһԛԝ" + "αβεζηικμνορτυχ" + "ı",
    "abekmhopctyxijsdhqw" + "abezhikmnoptyx" + "i",
)
"""Cyrillic and Greek letters of which the small or the capital one looks like a Latin letter."""


MOST_MARKS = 5
"""So many accents and vowel signs can stand at one letter: no script needs more, and piles cover the lines around."""


def clean(name: str, most: int = MOST_LETTERS) -> str:
    """A name on one line, without signs that cannot be seen, turn the text around them, or cover it."""
    kept, marks = list[str](), 0
    for sign in " ".join(name.translate(_BLANKS).split()):
        kind = unicodedata.category(sign)[0]
        marks = marks + 1 if kind == "M" else marks if kind == "C" else 0
        if kind != "C" and marks <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)[:most].strip()


def name_key(name: str) -> str:
    """What names have in common that look alike: another case, other widths of letters, other blanks, or letters of
    another script in place of Latin ones (Unicode calls them confusables)."""
    return _folded(name)[:160]


def _folded(name: str) -> str:
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", clean(name)).casefold())
    return "".join(folded.translate(_VARIATIONS | _LOOKALIKES).split())


def distinct(names: Sequence[str]) -> list[str]:
    """The same names; one that was there before, or looks like it, gets a number."""
    found: list[str] = []
    for name in names:
        taken = {_folded(other) for other in found}
        spellings = (name if n == 1 else f"{name[: MOST_LETTERS - 3]} {n}" for n in range(1, len(names) + 1))
        found.append(next(spelling for spelling in spellings if _folded(spelling) not in taken))
    return found
