"""A title: a game as published, and the rooms of its package."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Final

from cuberails.core.action import ActionSpaceError
from cuberails.core.board import Board
from cuberails.core.boardfile import BoardError, BoardFile
from cuberails.core.lesson import Lesson
from cuberails.core.rulebook import Rulebook

if TYPE_CHECKING:
    from cuberails.core.features import Features
    from cuberails.core.habits import Habits
    from cuberails.core.judge import Judge
    from cuberails.core.order import Orders
    from cuberails.core.scene import Scene
    from cuberails.core.share import Shares
    from cuberails.core.state import State

MOST_BOARDS: Final = 16
"""How many boards of a title are kept in memory, so that the same text is read only once."""


class SetupError(ValueError):
    """A game that cannot be set up: wrong number of players, unknown title, option or rules version."""


class Title:
    """A published game. Boards, positions, scenes and judges are made by the rooms of its package.

    `minutes` is about how long a game takes people. `common_options` names each option with its permitted values, the
    default first; a board can have more (`Board.options`); `explained` says in a sentence what each is about. `weight`
    is "light", "medium" or "heavy", "" if nobody has said; `also_known_as` another name of the game. `rules_version` is
    the newest; older ones, from 1 on, can still be played. `automatic` are texts of actions that most players want to
    have carried out unasked, where they are legal. `features` makes what a learner sees; None if it cannot be learned.
    `habits` watches a game for what it shows of its players' style; None if that is no more than in any title.
    `shares` says what the shares are and pay; None if nobody can ask what they are worth.
    `orders` says for which stages seats can give orders ahead; None if there are none.
    `package` is where the title lives: an attribute `title` there is this object. `read` reads a file of that package
    by its name.
    """

    def __init__(
        self,
        *,
        package: str,
        read: Callable[[str], str],
        key: str,
        name: str,
        players: tuple[int, int],
        minutes: int,
        board: Callable[[Title, BoardFile], Board],
        new: Callable[[Board, int, dict[str, str], int], State],
        scene: Callable[[State, Sequence[str]], Scene],
        judge: Callable[[Mapping[str, float]], Judge],
        features: Callable[[Board], Features] | None = None,
        habits: Callable[[State], Habits] | None = None,
        shares: Callable[[Board], Shares] | None = None,
        orders: Orders | None = None,
        options: Mapping[str, tuple[str, ...]] | None = None,
        explained: Mapping[str, str] | None = None,
        weight: str = "",
        also_known_as: str = "",
        rules_version: int = 1,
        automatic: Sequence[str] = (),
    ) -> None:
        self.package: Final = package
        self.read: Final = read
        self.key: Final = key
        self.name: Final = name
        self.least_players: Final = players[0]
        self.most_players: Final = players[1]
        self.minutes: Final = minutes
        self.rules_version: Final = rules_version
        self.automatic: Final = tuple(automatic)
        self.common_options: Final = dict(options or {})
        self.explained: Final = dict(explained or {})
        self.weight: Final = weight
        self.also_known_as: Final = also_known_as
        self.scene: Final = scene
        self.judge: Final = judge
        self.features: Final = features
        self.habits: Final = habits
        self.shares: Final = shares
        self.orders: Final = orders
        self._make_board: Final = board
        self._set_up: Final = new
        self._boards: Final[dict[str, Board]] = {}
        self._board: Board | None = None
        self._rulebook: Rulebook | None = None
        self._lesson: Lesson | None = None

    @property
    def board(self) -> Board:
        """The built-in board."""
        if self._board is None:
            self._board = self._read_board(BoardFile(f"{self.key}/board.toml", self.read("board.toml")))
        return self._board

    @property
    def options(self) -> dict[str, tuple[str, ...]]:
        """The options of a game on the built-in board."""
        return self.board.options

    @property
    def rulebook(self) -> Rulebook:
        """The rules in our own words, numbered."""
        if self._rulebook is None:
            self._rulebook = Rulebook(self.read("rules.md"))
        return self._rulebook

    @property
    def lesson(self) -> Lesson | None:
        """A guided first game; None if the title has none."""
        if self._lesson is None:
            try:
                self._lesson = Lesson(f"{self.key}/lesson.toml", self.read("lesson.toml"))
            except FileNotFoundError:
                return None
        return self._lesson

    def read_board(self, file: str, text: str) -> Board:
        """The board of a file of this name with this text; the same text gives the same object while it is kept."""
        if text == self.board.text:
            return self.board
        board = self._boards.pop(text, None)
        if board is None:
            board = self._read_board(BoardFile(file, text))
        self._boards[text] = board
        if len(self._boards) > MOST_BOARDS:
            del self._boards[next(iter(self._boards))]
        return board

    def _read_board(self, file: BoardFile) -> Board:
        try:
            return self._make_board(self, file)
        except ActionSpaceError as error:
            raise BoardError(file.file, "", str(error)) from None

    def new(
        self, players: int, options: Mapping[str, str], board: Board | None = None, rules_version: int = 0
    ) -> State:
        """A position at its first decision, on the built-in board and by the newest rules unless others are given."""
        where = self.board if board is None else board
        if where.title is not self:
            raise SetupError(f"{where.name!r} is a board of {where.title.name}, not of {self.name}")
        self.check_players(players)
        return self._set_up(where, players, _checked(where, options), self.checked_rules(rules_version))

    def check_players(self, players: int) -> None:
        if not self.least_players <= players <= self.most_players:
            raise SetupError(f"{self.name} is for {self.least_players} to {self.most_players} players, not {players}")

    def checked_rules(self, version: int) -> int:
        """A rules version that can be played; 0 stands for the newest."""
        if not 0 <= version <= self.rules_version:
            known = "1" if self.rules_version == 1 else f"1 to {self.rules_version}"
            raise SetupError(f"rules version {version} of {self.name} is unknown here; known: {known}")
        return version or self.rules_version

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return _restore, (self.package,)


def _restore(package: str) -> Title:
    title: object = import_module(package).title
    assert isinstance(title, Title)
    return title


def _checked(board: Board, given: Mapping[str, str]) -> dict[str, str]:
    """The options of a game: those given, the others at their default."""
    for name, value in given.items():
        if name not in board.options:
            known = ", ".join(board.options) or "none"
            raise SetupError(f"{board.title.name} has no option {name!r}; its options: {known}")
        if value not in board.options[name]:
            raise SetupError(f"option {name} cannot be {value!r}; it can be {' or '.join(board.options[name])}")
    return {name: given.get(name, values[0]) for name, values in board.options.items()}
