"""A request that changes nothing, and what is said to whoever made it."""

from __future__ import annotations

from starlette.exceptions import HTTPException

NO_HELP = "No help at this table: hints and fair prices were switched off when it was opened."
"""What is said to whoever asks for help at such a table."""


class Refused(HTTPException):
    """A request that changes nothing: its HTTP status, a word for programs and a sentence for people."""

    def __init__(self, status: int, code: str, sentence: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(status, sentence, headers)
        self.code = code

    def __str__(self) -> str:
        return self.detail
