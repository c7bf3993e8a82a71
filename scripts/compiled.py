"""The compiled engine in build/compiled: build it, and start cuberails with it where it fits the sources.

    scripts/compiled.py start COMMAND [ARGUMENT ...]   become this command, for example .venv/bin/cuberails serve
    scripts/compiled.py plan                           say which engine that would be, and what would be done
    scripts/compiled.py build                          compile; this Python needs what requirements/compile.txt lists

Where the compiled engine does not fit, `start` takes the interpreted one at once. If there is a C compiler, the engine
is then compiled in the background for the next start: at the lowest priority, in a session of its own, so that Ctrl-C
does not reach it, never twice at once, and with its output in build/compile.log. If that fails, everything stays as it
was, and it is tried again after a day or when the sources have changed.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import time
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = ROOT / "build"
COMPILED = BUILD / "compiled"
SOURCES = "sources"
"""The file in build/compiled with the digest of the sources that it was compiled from."""
FAILED = BUILD / "compile.failed"
"""The digest of sources that could not be compiled."""
RETRY_AFTER = 24 * 60 * 60
"""Seconds. A failure may have had a cause outside the sources: no network, no room on the disk."""

# Nobody replaces the engine's functions from outside, so the C compiler may inline them; and Python's own functions
# are called without a detour.
C_FLAGS = "-fno-semantic-interposition -fvisibility=hidden -fno-plt"

USE = "compiled"
COMPILE = "interpreted; the engine is being compiled for the next start"
BUSY = "interpreted; the engine is being compiled already"
BROKEN = "interpreted; these sources could not be compiled, build/compile.log says why"
NO_COMPILER = "interpreted; there is no C compiler with Python.h"


def digest(folder: Path) -> str:
    """What the package in a folder is compiled from, byte by byte, by what, and for which Python."""
    found = hashlib.sha256(str(sys.implementation.cache_tag).encode())
    for file in (Path(__file__), ROOT / "requirements" / "compile.txt", folder / "pyproject.toml"):
        found.update(file.read_bytes())
    for file in sorted((folder / "src").rglob("*")):
        if file.is_file() and "__pycache__" not in file.parts:
            found.update(f"\0{file.relative_to(folder)}\0".encode())
            found.update(file.read_bytes())
    return found.hexdigest()


def text_of(file: Path) -> str:
    return file.read_text().strip() if file.is_file() else ""


def lock(name: str, wait: bool) -> int | None:
    """A file lock, held until every process that inherits it has ended; None if somebody else has it."""
    BUILD.mkdir(exist_ok=True)
    file = os.open(BUILD / name, os.O_CREAT | os.O_RDWR)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        os.close(file)
        return None
    return file


# Starting


def plan() -> str:
    """Which engine fits the sources, and what there is to do."""
    sources = digest(ROOT)
    if text_of(COMPILED / SOURCES) == sources:
        return USE
    if text_of(FAILED) == sources and time.time() - FAILED.stat().st_mtime < RETRY_AFTER:
        return BROKEN
    free = lock("background.lock", wait=False)
    if free is None:
        return BUSY
    os.close(free)
    return COMPILE if has_compiler() else NO_COMPILER


def has_compiler() -> bool:
    look = [str(ROOT / "scripts" / "compiler.sh"), sys.executable, "look"]
    return subprocess.run(look, capture_output=True).returncode == 0


def start(command: list[str]) -> None:
    """Become this command, with the engine that fits."""
    found = plan()
    if found == COMPILE:
        compile_in_background()
    if found == USE:
        os.environ["PYTHONPATH"] = str(COMPILED)
    os.execv(command[0], command)


def compile_in_background() -> None:
    """Let `make` compile, apart from this process, in an environment of its own."""
    held = lock("background.lock", wait=False)
    if held is None:
        return
    (BUILD / "compiled.stamp").unlink(missing_ok=True)  # `make` itself looks at the engine's modules only
    make = "nice -n 19 make build/compiled.stamp MYPYC=.venv-compile/compile.stamp"
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
    with (BUILD / "compile.log").open("w") as log:
        subprocess.Popen(
            ["/bin/sh", "-c", f"{make} || echo {digest(ROOT)} >build/compile.failed"],
            cwd=ROOT,
            env=inherited,
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=[held],
        )


# Building


def build() -> None:
    """Compile a copy of the sources, because a .so in src/ would be what the tests import; then put it in place."""
    lock("build.lock", wait=True)  # until this process ends
    stage, new, dist = BUILD / "stage", BUILD / "new", ROOT / "dist"
    if text_of(COMPILED / SOURCES) == digest(ROOT) and dist.is_dir():
        return
    for folder in (stage, new, dist):
        shutil.rmtree(folder, ignore_errors=True)
    shutil.copytree(ROOT / "src", stage / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", ".gitignore", "LICENSE", "README.md"):
        shutil.copy(ROOT / name, stage)
    sources = digest(stage)
    make_wheel(stage, dist)
    with zipfile.ZipFile(next(dist.glob("*.whl"))) as wheel:
        wheel.extractall(new)
    check(new)
    (new / SOURCES).write_text(sources)
    shutil.rmtree(COMPILED, ignore_errors=True)
    new.rename(COMPILED)


def make_wheel(stage: Path, dist: Path) -> None:
    flags = f"{os.environ.get('CFLAGS', '')} {C_FLAGS}"
    hatchling = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(dist)]
    environment = os.environ | {"HATCH_BUILD_HOOK_ENABLE_MYPYC": "1", "CFLAGS": flags}
    subprocess.run(hatchling, cwd=stage, env=environment, check=True)


def check(folder: Path) -> None:
    """Only an engine that can be imported, and is compiled, takes the place of the one before."""
    script = str(ROOT / "scripts" / "engine.py")
    environment = os.environ | {"PYTHONPATH": str(folder)}
    subprocess.run([sys.executable, "-S", script, "compiled"], env=environment, check=True)


if __name__ == "__main__":
    if sys.argv[1] == "start":
        start(sys.argv[2:])
    elif sys.argv[1] == "plan":
        print(plan())
    else:
        build()
