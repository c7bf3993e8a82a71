"""The rules of a title in our own words, numbered, as players read them.

A `rules.md` is Markdown in which a section is `## W4 The turn` and a rule is a paragraph `**W4.2** text`.
"""

from __future__ import annotations

import re
from typing import Final

_SECTION: Final = re.compile(r"## ([A-Z]+\d+) (.+)")
_RULE: Final = re.compile(r"\*\*([A-Z]+\d+\.\d+)\*\* ")


class Rulebook:
    """`rules` maps each number to its text, in order; `sections` the same for the headings."""

    def __init__(self, text: str) -> None:
        self.text: Final = text
        self.sections: Final[dict[str, str]] = {}
        self.rules: Final[dict[str, str]] = {}
        self.preface: Final[list[str]] = []
        for block in text.strip().split("\n\n"):
            self._read(block.strip())

    def _read(self, block: str) -> None:
        heading = _SECTION.fullmatch(block)
        rule = _RULE.match(block)
        if heading:
            self._number(self.sections, heading.group(1), heading.group(2))
        elif rule:
            self._number(self.rules, rule.group(1), block[rule.end() :])
        elif self.rules:
            last = list(self.rules)[-1]
            self.rules[last] += "\n\n" + block
        elif not block.startswith("# "):
            self.preface.append(block)

    @staticmethod
    def _number(where: dict[str, str], number: str, text: str) -> None:
        if number in where:
            raise ValueError(f"rules.md has two entries numbered {number}")
        where[number] = text

    def find(self, number: str) -> str | None:
        """A rule as Markdown, or a whole section; None if there is no such number."""
        number = number.upper()
        if number in self.rules:
            return f"**{number}** {self.rules[number]}"
        if number not in self.sections:
            return None
        inside = [f"**{n}** {text}" for n, text in self.rules.items() if n.startswith(number + ".")]
        return "\n\n".join([f"## {number} {self.sections[number]}", *inside])
