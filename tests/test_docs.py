"""What README and docs/architecture.md say is true, as far as a program can tell."""

from __future__ import annotations

import doctest
import re
from importlib import import_module
from pathlib import Path

import pytest

import cuberails
from cuberails.cli import main
from cuberails.titles import keys

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")


def test_the_lines_of_the_readme_run(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.findall(r"```python\n(.*?)```", README, re.DOTALL)
    assert len(code) == 1
    exec(code[0], {})
    assert capsys.readouterr().out.count("[") == 2


@pytest.mark.parametrize("module", ["cuberails", "cuberails.core.state", "cuberails.core.game"])
def test_the_examples_in_docstrings_run(module: str) -> None:
    assert doctest.testmod(import_module(module)).failed == 0


def test_the_picture_of_the_readme_is_what_its_command_draws(tmp_path: Path) -> None:
    (command,) = re.findall(r"`cuberails (replay .*?--svg) (\S+)`", README)
    arguments = [str(ROOT / word) if word.startswith("docs/") else word for word in command[0].split()]
    assert main([*arguments, str(tmp_path / "drawn.svg")]) == 0
    assert (tmp_path / "drawn.svg").read_bytes() == (ROOT / command[1]).read_bytes()


def test_the_readme_lists_the_titles_as_they_are() -> None:
    for key in keys():
        title = cuberails.load(key)
        players = f"{title.least_players}–{title.most_players}"
        assert f"| {title.name} | `{key}` | {players} |" in README


@pytest.mark.parametrize("key", sorted(keys()))
def test_what_is_told_of_the_analyses_is_in_them(key: str) -> None:
    """A sentence names decisions by their signs, and of whom it tells there; the record is that of the text."""
    name, folder = cuberails.load(key).name, ROOT / "docs" / "analyses"
    (said,) = re.findall(
        rf"^- \*\*{name}\*\*: (.*?)(?=^- |^!|\Z)", (folder / "README.md").read_text("utf-8"), re.DOTALL | re.M
    )
    text = (folder / f"{key}.md").read_text("utf-8")
    told = dict(re.findall(r"^### (\w)\. Action \d+: (\w+) plays", text, re.M))
    named = {sign: sentence for sentence in re.split(r"(?<=[.;]) ", said) for sign in re.findall(r"\((\w)\)", sentence)}
    assert named
    for sign, sentence in named.items():
        assert told[sign] in sentence
    game = cuberails.read((folder / f"{key}.txt").read_text("utf-8"))
    assert f"has its {game.count} actions" in text
    assert (ROOT / "docs" / "pictures" / f"analysis-{key}.svg").read_text("utf-8").count('class="turning"') == len(told)


def test_links_lead_somewhere() -> None:
    for file in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", file.read_text("utf-8")):
            assert (file.parent / link).exists(), f"{file.name} links to {link}"


def test_all_titles_have_the_same_rooms() -> None:
    rooms = set(re.findall(r"^    ([a-z]+\.(?:py|md|toml))   ", ARCHITECTURE, re.MULTILINE))
    assert len(rooms) == 12
    for key in keys():
        package = ROOT / "src" / "cuberails" / "titles" / key
        assert rooms <= {file.name for file in package.iterdir()}


def test_the_house_is_as_it_is_drawn() -> None:
    drawn = ARCHITECTURE.partition("```\n")[2].partition("```")[0]
    for folder in re.findall(r"^  ([a-z]+)/ ", drawn, re.MULTILINE):
        assert (ROOT / "src" / "cuberails" / folder).is_dir(), folder
    core = drawn.partition("  core/")[2].partition("  titles/")[0]
    for module in re.findall(r"^    ([a-z]+) ", core, re.MULTILINE):
        assert (ROOT / "src" / "cuberails" / "core" / f"{module}.py").is_file(), module
