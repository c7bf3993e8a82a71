"""A file that grows line by line while games are played, so that a run that was stopped can be resumed."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Self

from cuberails.core.title import SetupError

if sys.platform == "win32":
    import msvcrt

    BEYOND = 1 << 40  # Windows locks bytes; this one nobody reads or writes

    def _lock(file: IO[bytes]) -> None:
        file.seek(BEYOND)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _lock(file: IO[bytes]) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


def open_locked(path: Path) -> IO[bytes]:
    """Open a file for one run at a time, or make it. The lock ends with the process, however that ends."""
    file = path.open("a+b")
    try:
        _lock(file)
    except (BlockingIOError, PermissionError):
        file.close()
        raise SetupError(f"another run uses {path} now; wait until it ends, or name another file") from None
    return file


class LineFile:
    """JSON values, one a line, in a file for one run at a time."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file = open_locked(path)
        self._end = 0

    def resume(self, header: Mapping[str, Any], **older: Any) -> list[Any]:
        """The lines after the first, which is the header; a new file gets it now. What was cut off does not count.

        SetupError if the file belongs to something else. `older` has what a header means that lacks these values.
        """
        self._file.seek(0)
        content = self._file.read()
        self._end = content.rfind(b"\n") + 1 or len(content)
        lines = self._parsed(content[: self._end])
        if not lines:
            self.append(header)
            return []
        found = {**older, **lines[0]} if isinstance(lines[0], dict) else {}
        others = [name for name, value in json.loads(json.dumps(header)).items() if found.get(name) != value]
        if others:
            problem = f"{self._path} belongs to another run ({', '.join(others)})"
            raise SetupError(f"{problem}; name another file, or resume that run")
        return lines[1:]

    def _parsed(self, content: bytes) -> list[Any]:
        try:
            return [json.loads(line) for line in content.decode("utf-8").splitlines()]
        except ValueError as error:
            raise SetupError(f"{self._path} is not a file of results: {error}; name another file") from None

    def append(self, entry: Any) -> None:
        """Add a line, in place of one that was cut off."""
        line = json.dumps(entry).encode() + b"\n"
        self._file.truncate(self._end)
        self._file.write(line)
        self._file.flush()
        self._end += len(line)

    def close(self) -> None:
        self._file.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self.close()
