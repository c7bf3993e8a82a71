"""Rules as HTML: Markdown in which every rule number is a link."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markupsafe import Markup

_NUMBER = re.compile(r"\b([A-Z]{1,3}\d+\.\d+)\b")


def _link_numbers(state: StateCore) -> None:
    """A rule of the parser: the texts are split where they name a rule, and the number becomes a link."""
    for block in state.tokens:
        if block.children:
            block.children = [part for token in block.children for part in _linked(token)]


def _linked(token: Token) -> list[Token]:
    if token.type != "text":
        return [token]
    pieces = _NUMBER.split(token.content)  # texts, and between them the numbers
    return [part for n, piece in enumerate(pieces) for part in (_link(piece) if n % 2 else [_text(piece)])]


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)


def _link(number: str) -> list[Token]:
    attributes: dict[str, str | int | float] = {"class": "cite", "href": f"#rule-{number}"}
    return [Token("link_open", "a", 1, attrs=attributes), _text(number), Token("link_close", "a", -1)]


_markdown = MarkdownIt("commonmark", {"html": False})
_markdown.core.ruler.push("link_numbers", _link_numbers)


def paragraphs(text: str) -> Markup:
    """A rule of one or more paragraphs."""
    return Markup(_markdown.render(text))
