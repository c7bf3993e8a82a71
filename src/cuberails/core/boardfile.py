"""Board files: TOML whose entries are taken one by one, so that each error names file, entry and fix."""

from __future__ import annotations

import json
import tomllib
from hashlib import sha256
from typing import Final

from cuberails.core.hexes import Cell, MapError, read_map

MOST_LETTERS: Final = 100_000
"""The longest board file: ten times the longest built-in one."""


MOST_LEVELS: Final = 6
"""How deep tables and lists can be nested, values included."""
MOST_DOTS: Final = 16
LARGEST_NUMBER: Final = 10**9


class BoardError(ValueError):
    """A board file that cannot be used: which file, which entry, and what would be right."""

    def __init__(self, file: str, entry: str, problem: str) -> None:
        super().__init__(f"{file}, {entry}: {problem}" if entry else f"{file}: {problem}")
        self.file: Final = file
        self.entry: Final = entry


LARGEST: Final = 9999
"""No number in a board file is larger: what is meant to be without limit is still played with pieces."""

SIGNS: Final = frozenset("#:$|")
"""What the names in actions cannot have: it has a meaning in records."""

LONGEST_WORD: Final = 24
LONGEST_LINE: Final = 80
_WORD: Final = f"one word of at most {LONGEST_WORD} characters without " + " ".join(sorted(SIGNS))


class Section:
    """One TOML table of a board file. Take what the title needs, then call `end()` once on the whole file."""

    def __init__(self, file: str, entry: str, data: dict[str, object]) -> None:
        self.file: Final = file
        self.entry: Final = entry
        self._data: Final = data
        self._taken: Final[set[str]] = set()
        self._inside: Final[dict[str, Section]] = {}

    def names(self) -> list[str]:
        return list(self._data)

    def text(self, name: str) -> str:
        value = self._take(name, "a text")
        return value if isinstance(value, str) else self._wrong(name, value, "a text")

    def line(self, name: str) -> str:
        """A text in one line that says something: a name."""
        value = self.text(name)
        if not value.strip() or not value.isprintable() or len(value) > LONGEST_LINE:
            self._wrong(name, value, f"a text of one line, with 1 to {LONGEST_LINE} characters")
        return value

    def whole(self, name: str, least: int = 0, most: int = LARGEST) -> int:
        """A whole number, at least and at most this."""
        value = self._take(name, "a whole number")
        if isinstance(value, bool) or not isinstance(value, int) or value < least:
            self._wrong(name, value, f"a whole number, at least {least}")
        assert isinstance(value, int)
        if value > most:
            self._wrong(name, value, f"a whole number, at most {most}")
        return value

    def wholes(self, name: str, count: int = 0, least: int = 0, most: int = LARGEST) -> list[int]:
        """A list of whole numbers; exactly `count` of them unless that is 0."""
        value = self._take(name, "a list of whole numbers")
        size = f"{count} whole numbers" if count else "a list of whole numbers"
        if not isinstance(value, list) or not value or (count and len(value) != count):
            self._wrong(name, value, size)
        assert isinstance(value, list)
        numbers = [item for item in value if isinstance(item, int) and not isinstance(item, bool)]
        if len(numbers) != len(value):
            self._wrong(name, value, size)
        if not all(least <= number <= most for number in numbers):
            self._wrong(name, value, f"{size}, each from {least} to {most}")
        return numbers

    def texts(self, name: str) -> list[str]:
        value = self._take(name, "a list of texts")
        if not isinstance(value, list):
            self._wrong(name, value, "a list of texts")
        assert isinstance(value, list)
        words = [item for item in value if isinstance(item, str)]
        if len(words) != len(value):
            self._wrong(name, value, "a list of texts")
        return words

    def one_of(self, name: str, among: list[str]) -> str:
        wanted = "one of " + ", ".join(among)
        value = self._take(name, wanted)
        return value if isinstance(value, str) and value in among else self._wrong(name, value, wanted)

    def table(self, name: str) -> Section:
        if name not in self._inside:
            value = self._take(name, f"a table [{name}]")
            if not isinstance(value, dict):
                self._wrong(name, value, f"a table [{name}]")
            assert isinstance(value, dict)
            self._inside[name] = Section(self.file, self._path(name), value)
        return self._inside[name]

    def tables(self, name: str) -> list[Section]:
        """The tables inside a table, in the order of the file."""
        inside = self.table(name)
        found = [inside.table(key) for key in inside.names()]
        if not found:
            self.fail(name, "is empty; it needs at least one table")
        return found

    def word(self, name: str) -> str:
        """A text that actions use: a single word."""
        value = self.text(name)
        return value if _is_word(value) else self._wrong(name, value, _WORD)

    def words(self, name: str, reserved: tuple[str, ...] = ()) -> list[str]:
        """The names of the tables inside a table, as the texts of actions use them: single words, no two alike."""
        inside, seen = self.table(name), {word.casefold() for word in reserved}
        for word in inside.names():
            if not _is_word(word):
                inside.fail(word, f"cannot be a name in actions; it needs {_WORD}")
            if word.casefold() in seen:
                taken = "has another meaning in actions" if word.casefold() in reserved else "is another's name too"
                inside.fail(word, f"{taken} (capitals do not count); it needs a name of its own")
            seen.add(word.casefold())
        return inside.names()

    def map(self, name: str, layout: str) -> list[Cell]:
        """The cells of a map drawn in text."""
        text = self.text(name)
        try:
            return read_map(layout, text)
        except MapError as error:
            self.fail(name, str(error))
            return []

    def has(self, name: str) -> bool:
        return name in self._data

    def end(self) -> None:
        """Nothing may be left that was not taken: it would be a misspelling that silently does nothing."""
        for name in self._data:
            if name not in self._taken:
                known = ", ".join(sorted(self._taken))
                self.fail(name, f"is not known here; known are {known}")
        for table in self._inside.values():
            table.end()

    def fail(self, name: str, problem: str) -> None:
        """Refuse the file because of this entry."""
        raise BoardError(self.file, self._path(name), problem)

    def _take(self, name: str, what: str) -> object:
        self._taken.add(name)
        if name not in self._data:
            raise BoardError(self.file, self._path(name), f"is missing; it needs {what}")
        return self._data[name]

    def _wrong(self, name: str, value: object, what: str) -> str:
        raise BoardError(self.file, self._path(name), f"found {_short(value)}; it needs {what}")

    def _path(self, name: str) -> str:
        return f"{self.entry}.{name}" if self.entry else name


def _is_word(text: str) -> bool:
    return text.isprintable() and 0 < len(text) <= LONGEST_WORD and " " not in text and SIGNS.isdisjoint(text)


def letters_of(tables: list[Section]) -> list[str]:
    """The `letter` of each of these tables, which stands on the pieces: no two are alike, capitals do not count."""
    letters: list[str] = []
    for table in tables:
        letter = table.text("letter")
        if len(letter) != 1 or len(letter.casefold()) != 1 or not letter.isalnum():
            table.fail("letter", f"found {letter!r}; it needs one letter or digit")
        if letter.casefold() in [other.casefold() for other in letters]:
            table.fail("letter", f"found {letter!r} again; each needs one that no other has")
        letters.append(letter)
    return letters


class BoardFile(Section):
    """A whole board file: its entries, its text, and a digest of its content, whatever its comments and layout."""

    def __init__(self, file: str, text: str) -> None:
        if len(text) > MOST_LETTERS:
            raise BoardError(file, "", f"is too long; a board file may have {MOST_LETTERS} characters at most")
        data = _parse(file, text)
        super().__init__(file, "", data)
        self.source: Final = text.replace("\r\n", "\n")
        content = json.dumps(data, sort_keys=True, ensure_ascii=False, default=str)
        self.digest: Final = sha256(content.encode()).hexdigest()


def _parse(file: str, text: str) -> dict[str, object]:
    _check_dots(file, text)
    try:
        text.encode()
        data: dict[str, object] = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of thousands of digits is a plain ValueError
        raise BoardError(file, "", f"is not valid TOML: {error}") from None
    _check_values(file, data)
    return data


def _check_dots(file: str, text: str) -> None:
    """A name of thousands of dotted parts would take tomllib minutes: its time grows with their square."""
    for number, line in enumerate(text.split("\n"), 1):
        names = [line] if line.lstrip().startswith("[") else line.split("=")[:-1]
        for name in names:
            if name.count(".") > MOST_DOTS:
                raise BoardError(file, f"line {number}", f"has more than {MOST_DOTS} dots in a name; use fewer")


def _check_values(file: str, data: dict[str, object]) -> None:
    """No board needs deep nesting or huge numbers, and what writes or compares values would fail on them."""
    level: list[object] = [data]
    for _ in range(MOST_LEVELS):
        level = [inner for outer in level for inner in _inside(outer)]
        for value in level:
            if isinstance(value, int) and abs(value) > LARGEST_NUMBER:
                raise BoardError(file, "", f"has a number beyond {LARGEST_NUMBER}; use a smaller one")
    if level:
        raise BoardError(file, "", f"is nested too deep; a board file has {MOST_LEVELS - 1} levels at most")


def _inside(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."
