"""Wording: lists and amounts as people say them."""

from __future__ import annotations

from collections.abc import Sequence


def either(choices: Sequence[str]) -> str:
    """The choices in a row, with "or" before the last: "sell, buy, or pass"."""
    return " or ".join(choices) if len(choices) < 3 else f"{', '.join(choices[:-1])}, or {choices[-1]}"


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]


def amount(number: float, unit: str) -> str:
    """A number of dollars or points, to a tenth where it is small: "$31", "2.5 points", "1 point"."""
    text = f"{number:.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")
    if unit == "$":
        return f"${text}"
    return "1 point" if text == "1" else f"{text} {unit}"
