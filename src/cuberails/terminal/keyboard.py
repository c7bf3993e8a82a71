"""How lines come from a person: with completion at a terminal, as they are from a pipe."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Sequence

from prompt_toolkit import PromptSession
from prompt_toolkit.completion import CompleteEvent, Completer, Completion
from prompt_toolkit.document import Document
from prompt_toolkit.shortcuts import CompleteStyle

Offers = Callable[[str], Sequence[str]]
"""The whole lines that could be meant by what was typed so far."""


class Keyboard:
    """A source of lines. `ask` raises EOFError when there are no more."""

    def ask(self, prompt: str, offers: Offers) -> str:
        raise NotImplementedError


class Pipe(Keyboard):
    """Lines of the standard input, repeated so that the output can be read on its own."""

    def ask(self, prompt: str, offers: Offers) -> str:
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        print(prompt + line.strip(), flush=True)
        return line.strip()


class Prompt(Keyboard):
    """A line at a terminal with history; the Tab key completes."""

    def __init__(self) -> None:
        self._session: PromptSession[str] = PromptSession()

    def ask(self, prompt: str, offers: Offers) -> str:
        return self._session.prompt(
            prompt,
            completer=_Offered(offers),
            complete_while_typing=False,
            complete_style=CompleteStyle.READLINE_LIKE,
        ).strip()


class _Offered(Completer):
    def __init__(self, offers: Offers) -> None:
        self._offers = offers

    def get_completions(self, document: Document, complete_event: CompleteEvent) -> Iterable[Completion]:
        typed = document.text_before_cursor.lstrip()
        start = typed.casefold()
        for line in self._offers(typed):
            if line.casefold().startswith(start):
                yield Completion(line, start_position=-len(typed))


def keyboard() -> Keyboard:
    """The terminal if both ends are one, otherwise plain lines."""
    return Prompt() if sys.stdin.isatty() and sys.stdout.isatty() else Pipe()
