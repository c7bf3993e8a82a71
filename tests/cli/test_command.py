"""The command as a whole: help, and refusals in one sentence."""

from __future__ import annotations

import re

import pytest

import cuberails
import cuberails.core.state
from tests.cli.calling import refuses, says


def test_version_says_which_engine_runs(capsys: pytest.CaptureFixture[str]) -> None:
    form = "interpreted" if cuberails.core.state.__file__.endswith(".py") else "compiled"
    assert says(capsys, "--version") == f"cuberails {cuberails.__version__}, engine {form}\n"


COMMANDS = "analyse backup check titles play replay rules simulate arena hint worth serve ratings"
GROUPS = {
    "admin": "ban bans delete grant log people rename reports revoke tables",
    "board": "check copy show",
    "lab": "calibrate learn pool puzzles style worth",
}


def test_these_are_all_commands(capsys: pytest.CaptureFixture[str]) -> None:
    def listed(*group: str) -> list[str]:
        return sorted(re.findall(r"^│ ([a-z]+) ", says(capsys, *group, "--help"), re.MULTILINE))

    assert listed() == sorted([*COMMANDS.split(), *GROUPS])
    assert {group: " ".join(listed(group)) for group in GROUPS} == GROUPS


@pytest.mark.parametrize(
    "command",
    ["", *COMMANDS.split(), *(f"{group} {name}" for group, names in GROUPS.items() for name in names.split())],
)
def test_every_help_has_an_example(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert "Example: cuberails" in says(capsys, *command.split(), "--help")


def test_without_a_command_there_is_help(capsys: pytest.CaptureFixture[str]) -> None:
    assert "simulate" in says(capsys)


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ("pley wabash", "Did you mean 'play'"),
        ("play", "Missing argument 'TITLE'"),
        ("play wabsh", "did you mean wabash?"),
        ("play chess", "the titles are wabash"),
        ("play wabash --players 9", "is for 2 to 6 players, not 9"),
        ("play wabash --players 0", "is for 2 to 6 players, not 0"),
        ("play wabash --players many", "'many' is not a whole number"),
        ("play wabash --humans 4", "4 people do not fit at a table for 3"),
        ("play wabash --humans -1", "there cannot be -1 humans"),
        ("play wabash --bots clever", "there is no bot 'clever'"),
        ("play wabash --bots greedy greedy random", "3 bots are too many"),
        ("play wabash --name Ann --name Bob", "2 names are too many for 1 human"),
        ("play wabash --option moon", "must be written as name=value"),
        ("play wabash --option moon=full", "no option 'moon'"),
        ("play wabash --option detroit=sometimes", "cannot be 'sometimes'"),
        ("play wabash --record .", "Is a directory"),
        ("play wabash --record no/such/folder/game.txt", "No such file or directory"),
        ("play wabash --record /dev/null", "the record is empty"),
        ("play wabash --colour red", "No such option: --colour"),
        ("replay missing.txt", "missing.txt: No such file or directory"),
        ("replay .", "Is a directory"),
        ("rules wabash W99.1", "has no rule W99.1; the nearest is W9.1"),
        ("rules wabash zebra", "speaks of 'zebra'"),
        ("simulate wabash --games 0", "must be at least 1, not 0"),
        ("simulate wabash --jobs 0", "must be at least 1, not 0"),
        ("simulate wabash --games 3.5", "'3.5' is not a whole number"),
        ("simulate wabash --players 1", "is for 2 to 6 players, not 1"),
        ("simulate wabash --bots random random random random", "4 bots are too many for 3 seats"),
    ],
)
def test_bad_input_gets_one_sentence(capsys: pytest.CaptureFixture[str], arguments: str, complaint: str) -> None:
    assert complaint in refuses(capsys, *arguments.split())
