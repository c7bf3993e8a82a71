"""Which engine `make play` starts. Nothing is compiled here: the project is tiny, and its `make` only pretends."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
COMPILED = "compiled"
COMPILE = "interpreted; the engine is being compiled for the next start"
BUSY = "interpreted; the engine is being compiled already"
BROKEN = "interpreted; these sources could not be compiled, build/compile.log says why"
NO_COMPILER = "interpreted; there is no C compiler with Python.h"


class Project:
    """A project in a folder, with a C compiler and a `make` of which the test says what they do."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.write("src/cuberails/__init__.py", "")
        self.write("pyproject.toml", "")
        self.write("requirements/compile.txt", "")
        shutil.copy(ROOT / "scripts" / "compiled.py", folder / "scripts")
        self.program("scripts/compiler.sh", "exit 0")
        self.program("bin/make", 'echo "$@"; exit 1')

    def write(self, name: str, text: str) -> Path:
        file = self.folder / name
        for folder in (file.parent, self.folder / "scripts", self.folder / "build"):
            folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def program(self, name: str, text: str) -> None:
        self.write(name, f"#!/bin/sh\n{text}\n").chmod(0o755)

    def run(self, *arguments: str) -> str:
        path = f"{self.folder / 'bin'}:{os.environ['PATH']}"
        command = [sys.executable, str(self.folder / "scripts" / "compiled.py"), *arguments]
        return subprocess.run(
            command, env={"PATH": path}, cwd=self.folder, capture_output=True, text=True, check=True
        ).stdout.strip()

    def plan(self) -> str:
        return self.run("plan")

    def wait(self) -> None:
        """Until the compilation in the background has ended, which holds the lock."""
        with (self.folder / "build" / "background.lock").open() as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)

    def pretend_compiled(self) -> None:
        """Start with a `make` that leaves what a compilation leaves."""
        digest = "import sys; sys.path.insert(0, 'scripts'); import compiled; print(compiled.digest(compiled.ROOT))"
        self.program("bin/make", f'mkdir -p build/compiled && "{sys.executable}" -c "{digest}" >build/compiled/sources')
        self.run("start", "/bin/true")
        self.wait()


@pytest.fixture
def project(tmp_path: Path) -> Project:
    return Project(tmp_path)


def test_without_a_compiled_engine_the_interpreted_one_starts_at_once(project: Project) -> None:
    assert project.plan() == COMPILE
    assert "PYTHONPATH" not in project.run("start", "/usr/bin/env")
    project.wait()


def test_the_next_start_uses_what_was_compiled_in_the_background(project: Project) -> None:
    project.pretend_compiled()
    assert project.plan() == COMPILED
    assert f"PYTHONPATH={project.folder}/build/compiled" in project.run("start", "/usr/bin/env").splitlines()


@pytest.mark.parametrize("changed", ["src/cuberails/__init__.py", "src/cuberails/new.html", "pyproject.toml"])
def test_any_change_of_the_sources_makes_the_compiled_engine_unfit(project: Project, changed: str) -> None:
    project.pretend_compiled()
    project.write(changed, "# changed\n")
    assert project.plan() == COMPILE


def test_what_python_itself_caches_is_no_change(project: Project) -> None:
    project.pretend_compiled()
    project.write("src/cuberails/__pycache__/x.pyc", "cache")
    assert project.plan() == COMPILED


def test_without_a_c_compiler_nothing_is_tried(project: Project) -> None:
    project.program("scripts/compiler.sh", '[ "$2" = look ] && exit 1\nexit 0')
    assert project.plan() == NO_COMPILER
    assert "PYTHONPATH" not in project.run("start", "/usr/bin/env")
    assert not (project.folder / "build" / "compile.log").exists()


def test_a_broken_compilation_hurts_nobody_and_is_not_repeated_at_once(project: Project) -> None:
    project.run("start", "/bin/true")
    project.wait()
    log = (project.folder / "build" / "compile.log").read_text()
    assert log == "build/compiled.stamp MYPYC=.venv-compile/compile.stamp\n"
    assert project.plan() == BROKEN
    assert "PYTHONPATH" not in project.run("start", "/usr/bin/env")


def test_a_broken_compilation_is_repeated_after_a_day_or_with_other_sources(project: Project) -> None:
    project.run("start", "/bin/true")
    project.wait()
    long_ago = time.time() - 25 * 60 * 60
    os.utime(project.folder / "build" / "compile.failed", (long_ago, long_ago))
    assert project.plan() == COMPILE
    os.utime(project.folder / "build" / "compile.failed")
    project.write("src/cuberails/__init__.py", "# mended\n")
    assert project.plan() == COMPILE


def test_nothing_is_compiled_twice_at_once(project: Project) -> None:
    project.program("bin/make", "read line <go; exit 1")
    os.mkfifo(project.folder / "go")
    project.run("start", "/bin/true")
    assert project.plan() == BUSY
    assert "PYTHONPATH" not in project.run("start", "/usr/bin/env")
    (project.folder / "go").write_text("on\n")
    project.wait()
    assert project.plan() == BROKEN


def test_make_play_and_make_terminal_start_this_way() -> None:
    for goal, command in (("play", "serve"), ("terminal", "play wabash")):
        shown = subprocess.run(["make", "--dry-run", goal], cwd=ROOT, capture_output=True, text=True, check=True).stdout
        assert f"scripts/compiled.py start .venv/bin/cuberails {command}" in shown


def test_the_check_for_a_compiler_installs_nothing(tmp_path: Path) -> None:
    """With `look` the script only looks, also as root: apt-get would leave its mark here."""
    tools = tmp_path / "bin"
    tools.mkdir()
    for name, text in {"cc": "exit 1", "apt-get": f"touch {tmp_path}/installed", "id": "echo 0"}.items():
        (tools / name).write_text(f"#!/bin/sh\n{text}\n")
        (tools / name).chmod(0o755)
    command = [str(ROOT / "scripts" / "compiler.sh"), sys.executable, "look"]
    looked = subprocess.run(command, env={"PATH": f"{tools}:{os.environ['PATH']}", "CC": "cc"}, capture_output=True)
    assert looked.returncode == 1
    assert not (tmp_path / "installed").exists()
