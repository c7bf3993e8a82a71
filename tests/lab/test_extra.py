"""numpy and scipy are an extra: nobody who plays or serves loads them, and who needs them is told how to get them."""

from __future__ import annotations

import subprocess
import sys

import pytest


def output(script: str) -> list[str]:
    """The lines that a script prints, in a process of its own."""
    command = [sys.executable, "-c", "import sys\n" + script]
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, timeout=60)
    return shown.stdout.splitlines()


def test_playing_simulating_and_serving_need_neither_numpy_nor_scipy() -> None:
    script = "import cuberails.cli, cuberails.lab, cuberails.server.app\nprint({'numpy', 'scipy'} & {*sys.modules})"
    assert output(script) == ["set()"]


@pytest.mark.parametrize(
    ("missing", "commands"), [("numpy", ["arena", "lab tune", "lab climb"]), ("scipy", ["arena", "lab tune"])]
)
def test_without_the_extra_one_sentence_says_how_to_install_it(missing: str, commands: list[str]) -> None:
    script = (
        f"sys.modules[{missing!r}] = None\n"  # as if it were not installed
        "from cuberails.cli import main\n"
        f"for command in {commands}:\n"
        "    assert main((*command.split(), 'wabash')) != 0"
    )
    sentence = f'this needs {missing}, which is not installed: pip install "cuberails[lab]"'
    lines = output(script)
    assert len(lines) == len(commands)
    assert all(line.endswith(sentence) for line in lines)
