"""A board: one edition of a title's map and components, as a value with a name, a provenance and a digest."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from cuberails.core import mypyc_attr
from cuberails.core.action import Actions
from cuberails.core.boardfile import BoardFile, Section

if TYPE_CHECKING:
    from cuberails.core.state import State
    from cuberails.core.title import Title


class Provenance:
    """Where a board comes from, how sure that is, and a sentence for players where it is not the printed one."""

    def __init__(self, section: Section) -> None:
        self.source: Final = section.text("source")
        self.confidence: Final = section.text("confidence")
        self.note: Final = section.text("note")


@mypyc_attr(allow_interpreted_subclasses=True)
class Board:
    """A title's map and components, read from a board file. A title's own subclass adds its tables.

    `digest` identifies the content: two boards with the same one play alike. `options` are the options of a game on
    this board with their permitted values, the default first. `actions` is every action there is on it.
    """

    actions: Actions

    def __init__(self, title: Title, file: BoardFile) -> None:
        self.title: Final = title
        file.one_of("title", [title.key])
        self.name: Final = file.line("name")
        self.text: Final = file.source
        self.digest: Final = file.digest
        self.provenance: Final = Provenance(file.table("provenance"))
        self.options: dict[str, tuple[str, ...]] = title.common_options
        # What judges have worked out of this board, by name: it dies with the board and is not pickled.
        self.derived: Final[dict[str, object]] = {}

    @property
    def built_in(self) -> bool:
        """Whether this is the board that comes with the title."""
        return self.digest == self.title.board.digest

    def new(self, players: int, options: Mapping[str, str] | None = None, rules_version: int = 0) -> State:
        """A position on this board at its first decision, by the newest rules unless another version is given."""
        return self.title.new(players, options or {}, self, rules_version)

    def __repr__(self) -> str:
        return f"<board {self.name!r} of {self.title.key}>"

    def __reduce__(self) -> tuple[object, tuple[Title, str]]:
        # A board is restored from its own text, in whatever process: never the built-in one by mistake.
        return _restore, (self.title, self.text)


def _restore(title: Title, text: str) -> Board:
    return title.read_board("a stored board", text)
