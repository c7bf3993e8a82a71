"""Many games between bots: what they tell about the bots, the seats and the title.

`simulate` needs the standard library only. `arena`, `tune` and `climb` compute with numpy and scipy, the extra
`cuberails[lab]`: they are imported where they are used, inside `lab_extra()`.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from cuberails.core.title import SetupError
from cuberails.lab.simulate import Match, Result, Share, Summary, play_one, results, simulate, summarize

__all__ = [
    "Match",
    "Result",
    "Share",
    "Summary",
    "lab_extra",
    "play_one",
    "results",
    "simulate",
    "summarize",
]

EXTRA = ("numpy", "scipy")


@contextmanager
def lab_extra() -> Iterator[None]:
    """Put around an import of a module that needs the extra: SetupError says how to install what is missing."""
    try:
        yield
    except ModuleNotFoundError as missing:
        package = (missing.name or "").partition(".")[0]
        if package not in EXTRA:
            raise
        raise SetupError(f'this needs {package}, which is not installed: pip install "cuberails[lab]"') from None
