"""Slate Lines, installed as anybody would install it, but in a folder of its own that only these tests see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import cuberails

ROOT = Path(__file__).parent.parent.parent
EXAMPLE = ROOT / "examples" / "slate_lines"


# The environment of the tests has no pip of its own; the Python that made it has.
PIP = [getattr(sys, "_base_executable"), "-m", "pip", "--python", sys.executable]  # noqa: B009


def into(target: Path) -> list[str]:
    """The options of `pip install` with which it writes to this folder only and needs no network."""
    offline = ["--quiet", "--no-deps", "--no-build-isolation", "--no-index", "--disable-pip-version-check"]
    return [*offline, "--target", str(target)]


def environment(*installed: Path) -> dict[str, str]:
    """That of a process in which this cuberails, be it interpreted or compiled, finds the titles of these folders."""
    engine = Path(cuberails.__file__).parent.parent
    return {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (engine, *installed)))}


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of processes in which the title is installed."""
    target = tmp_path_factory.mktemp("installed")
    subprocess.run([*PIP, "install", EXAMPLE, *into(target)], check=True)
    return environment(target)
