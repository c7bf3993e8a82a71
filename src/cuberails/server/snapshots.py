"""A table as it stood, kept beside its log, so that nobody need play a long game again to go on with it.

The log remains the truth: a snapshot of another program, or one that cannot be read, is as good as none.
"""

from __future__ import annotations

import hashlib
import io
import logging
import pickle
import sys
import zlib
from functools import cache
from pathlib import Path
from typing import Any

from cuberails.core import record

POSSIBLE = str(record.__file__).endswith(".py")
"""A compiled position cannot be pickled; but then a whole game is played again in a few milliseconds."""

_PACKAGE = Path(__file__).parent.parent
_log = logging.getLogger(__name__)


@cache
def program() -> str:
    """A mark of this very program, which every change of its code changes."""
    digest = hashlib.sha256(sys.version.encode())
    for folder in ("core", "titles", "server"):
        for file in sorted((_PACKAGE / folder).rglob("*")):
            if file.suffix in (".py", ".toml"):
                digest.update(file.read_bytes())
    return digest.hexdigest()


def pack(content: object) -> bytes:
    return zlib.compress(pickle.dumps(content, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> Any:
    """What was packed; None if that cannot be told any more."""
    try:
        return _Careful(io.BytesIO(zlib.decompress(packed))).load()
    except Exception:
        _log.exception("a snapshot cannot be read; the table is played again from its log")
        return None


class _Careful(pickle.Unpickler):
    """A pickle can call anything; this one finds only what cuberails itself has defined."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if module.startswith("cuberails.") else None
        if not str(getattr(found, "__module__", "")).startswith("cuberails."):
            raise pickle.UnpicklingError(f"{module}.{name} does not belong in a snapshot")
        return found
