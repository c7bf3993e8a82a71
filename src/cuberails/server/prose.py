"""Rules as HTML: the little Markdown that rulebooks use, with every rule number as a link."""

from __future__ import annotations

import re
from html import escape

from markupsafe import Markup

_NUMBER = re.compile(r"\b([A-Z]{1,3}\d+\.\d+)\b")
_BOLD = re.compile(r"\*\*(.+?)\*\*")
_SLANTED = re.compile(r"\*(.+?)\*")
_CODE = re.compile(r"`(.+?)`")


def paragraphs(text: str) -> Markup:
    """A rule of one or more paragraphs."""
    return Markup("".join(f"<p>{inline(block)}</p>" for block in text.split("\n\n")))


def inline(text: str) -> str:
    """One paragraph."""
    safe = escape(" ".join(text.split()), quote=False)
    safe = _BOLD.sub(r"<strong>\1</strong>", safe)
    safe = _SLANTED.sub(r"<em>\1</em>", safe)
    safe = _CODE.sub(r"<code>\1</code>", safe)
    return _NUMBER.sub(r'<a class="cite" href="#rule-\1">\1</a>', safe)
