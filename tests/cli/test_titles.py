"""titles and rules."""

from __future__ import annotations

import pytest

import cuberails
from tests.cli.calling import says


def test_titles(capsys: pytest.CaptureFixture[str]) -> None:
    printed = says(capsys, "titles")
    for expected in ("wabash", "Wabash Cannonball, 2–6 players", "--option detroit=automatic|players"):
        assert expected in printed
    plain = " ".join(printed.split())
    for title in map(cuberails.load, cuberails.TITLES):
        assert f"board: {title.board.name}. {title.board.provenance.note}" in plain
        assert all(f"--option {name}=" in plain for name in title.options)


def test_rules_by_number_section_and_word(capsys: pytest.CaptureFixture[str]) -> None:
    assert "Timber and mines" in says(capsys, "rules", "wabash", "w4.6")
    assert says(capsys, "rules", "wabash", "4.6") == says(capsys, "rules", "Wabash", "W4.6")
    section = says(capsys, "rules", "wabash", "W8")
    assert "W8.1" in section
    assert "W9.1" not in section
    assert "W6.3" in says(capsys, "rules", "wabash", "timber", "pays")
    assert "W11.3" in says(capsys, "rules", "wabash")
