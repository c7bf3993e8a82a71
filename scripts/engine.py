"""Import every module of the engine and fail unless all are `compiled`, or all `interpreted`.

Run with `python -S`: without site-packages an import from outside the standard library fails too.
"""

import importlib
import pkgutil
import sys
from importlib.machinery import EXTENSION_SUFFIXES

import cuberails


def is_engine(name: str) -> bool:
    return name.split(".")[1] in ("core", "titles") or name in ("cuberails.bots.endgame", "cuberails.bots.search")


def main(form: str) -> None:
    found = 0
    for module in pkgutil.walk_packages(cuberails.__path__, "cuberails."):
        if not is_engine(module.name):
            continue
        file = importlib.import_module(module.name).__file__ or ""
        # Packages stay interpreted: mypyc leaves __init__.py alone.
        if not module.ispkg:
            found += 1
            if file.endswith(tuple(EXTENSION_SUFFIXES)) != (form == "compiled"):
                sys.exit(f"{module.name} should be {form}, but was imported from {file}")
    print(f"{found} engine modules, all {form}, from {cuberails.__path__[0]}")


if __name__ == "__main__":
    main(sys.argv[1])
