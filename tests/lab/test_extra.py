"""numpy, scipy and ray are extras: nobody who plays or serves loads them; who needs them is told how to get them."""

from __future__ import annotations

import subprocess
import sys

import pytest


def output(script: str) -> list[str]:
    """The lines that a script prints, in a process of its own."""
    command = [sys.executable, "-c", "import sys\n" + script]
    shown = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=True, timeout=60)
    return shown.stdout.splitlines()


def test_playing_simulating_and_serving_need_none_of_them() -> None:
    modules = "{'numpy', 'scipy', 'ray'} & {*sys.modules}"
    script = f"import cuberails.cli, cuberails.lab, cuberails.server.app\nprint({modules})"
    assert output(script) == ["set()"]


@pytest.mark.parametrize(
    ("missing", "extra", "commands"),
    [
        ("numpy", "lab", ["arena", "lab learn"]),
        ("scipy", "lab", ["arena", "lab learn --hand"]),
        ("ray", "ray", ["simulate --ray auto", "arena --ray auto", "lab learn --ray auto"]),
    ],
)
def test_without_the_extra_one_sentence_says_how_to_install_it(missing: str, extra: str, commands: list[str]) -> None:
    script = (
        f"sys.modules[{missing!r}] = None\n"  # as if it were not installed
        "from cuberails.cli import main\n"
        f"for command in {commands}:\n"
        "    assert main((*command.split(), 'wabash')) != 0"
    )
    sentence = f'this needs {missing}, which is not installed: pip install "cuberails[{extra}]"'
    lines = output(script)
    assert len(lines) == len(commands)
    assert all(line.endswith(sentence) for line in lines)
