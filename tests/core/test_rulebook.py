"""Numbered rules as players read them."""

from __future__ import annotations

import pytest

from cuberails.core.rulebook import Rulebook

TEXT = """# A game

For two.

## X1 First

**X1.1** One.

**X1.2** Two.

More of two.

## X2 Second

**X2.1** Three.
"""


def test_rules_are_found_by_number_and_by_section() -> None:
    book = Rulebook(TEXT)
    assert book.preface == ["For two."]
    assert book.sections == {"X1": "First", "X2": "Second"}
    assert book.find("x1.2") == "**X1.2** Two.\n\nMore of two."
    assert book.find("X1") == "## X1 First\n\n**X1.1** One.\n\n**X1.2** Two.\n\nMore of two."
    assert book.find("X3") is None
    assert book.find("X") is None


def test_a_number_stands_only_once() -> None:
    with pytest.raises(ValueError, match=r"two entries numbered X1\.1"):
        Rulebook("## X1 A\n\n**X1.1** a\n\n**X1.1** b")
