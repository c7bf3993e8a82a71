"""A table as it stood, saved beside its log, so that a long game need not be played again to resume it.

The log remains the truth: a snapshot of another program, or one that cannot be read, is as good as none.
"""

from __future__ import annotations

import hashlib
import io
import logging
import pickle
import sys
import zlib
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from sqlalchemy.exc import DatabaseError

from cuberails.core import title as core_title
from cuberails.core.title import Title
from cuberails.server.history import History
from cuberails.server.store import Store
from cuberails.titles import keys, load

_OWN = ("cuberails.core", "cuberails.titles", "cuberails.server")
_CODE = (".py", ".toml", ".so", ".pyd")
_log = logging.getLogger(__name__)


def restore(store: Store, id: str) -> History | None:
    """The history of a table from its last snapshot, if this program can read one."""
    packed = store.snapshot(id, program())
    found = unpack(packed) if packed else None
    return found if isinstance(found, History) else None


def save(store: Store, id: str, history: History) -> None:
    """Save a table as it stands. A failure costs time later, and nothing else."""
    try:
        store.save_snapshot(id, program(), pack(history))
    except DatabaseError:
        _log.exception("table %s: no snapshot was saved", id)


@cache
def program() -> str:
    """A digest of this very program and the installed titles, which every change of their code changes."""
    digest = hashlib.sha256(sys.version.encode())
    for package in dict.fromkeys((*_OWN, *_title_packages())):
        for file in _files(package):
            digest.update(f"{package} {file.name} ".encode())
            digest.update(file.read_bytes())
    return digest.hexdigest()


def _files(package: str) -> Iterator[Path]:
    """The files of a package that decide what it does."""
    spec = find_spec(package)
    for folder in (spec.submodule_search_locations if spec else None) or ():
        yield from sorted(file for file in Path(folder).rglob("*") if file.suffix in _CODE)


@cache
def _title_packages() -> frozenset[str]:
    """The packages of the installed titles."""
    return frozenset(load(key).package for key in keys())


def pack(content: object) -> bytes:
    return zlib.compress(pickle.dumps(content, pickle.HIGHEST_PROTOCOL), 1)


def unpack(packed: bytes) -> Any:
    """What was packed; None if that cannot be read."""
    try:
        return _SafeUnpickler(io.BytesIO(zlib.decompress(packed))).load()
    except Exception:
        _log.exception("a snapshot cannot be read; the table is played again from its log")
        return None


class _SafeUnpickler(pickle.Unpickler):
    """A pickle can call anything; this one finds only what cuberails and the installed titles have defined."""

    def find_class(self, module: str, name: str) -> Any:
        found = super().find_class(module, name) if _trusted(module) else None
        if not _trusted(str(getattr(found, "__module__", ""))):
            raise pickle.UnpicklingError(f"{module}.{name} does not belong in a snapshot")
        return _installed_title if found is core_title._restore else found


def _trusted(module: str) -> bool:
    return any(module == package or module.startswith(f"{package}.") for package in ("cuberails", *_title_packages()))


def _installed_title(package: str) -> Title:
    """A title by its package, which is imported only if it is installed as a title."""
    if package not in _title_packages():
        raise pickle.UnpicklingError(f"{package} is the package of no installed title")
    return core_title._restore(package)
