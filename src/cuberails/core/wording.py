"""Wording: lists as people say them."""

from __future__ import annotations

from collections.abc import Sequence


def either(choices: Sequence[str]) -> str:
    """The choices in a row, with "or" before the last: "sell, buy, or pass"."""
    return " or ".join(choices) if len(choices) < 3 else f"{', '.join(choices[:-1])}, or {choices[-1]}"


def sentence(text: str) -> str:
    """The text with a capital at its beginning."""
    return text[:1].upper() + text[1:]
