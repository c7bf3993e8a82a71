"""analyse: where a recorded game was decided, told, kept, and continued."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cuberails.bots.analysis import BUDGETS, Analysis, Analyst, Budget
from cuberails.bots.decision import Decision
from cuberails.cli import main
from tests.cli.calling import random_game, refuses, says


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """A budget of few simulations: what is found matters little here."""
    monkeypatch.setitem(BUDGETS, "quick", Budget("quick", 0, 6, 6))


def record(home: Path, actions: int, name: str = "game.txt") -> Path:
    file = home / name
    file.write_text(random_game(actions).to_text())
    return file


def test_it_tells_figures_of_each_player_and_the_turning_points(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    """The third random player bids $29 for PA, far more than a share of it will pay."""
    record(home, 3)
    printed = says(capsys, "analyse", "game.txt", "--json", "game.json")
    analysis = Analysis.from_json(json.loads((home / "game.json").read_text()))
    assert analysis.complete
    assert [line.split()[0] for line in printed.splitlines()[1:4]] == ["Ann", "Bob", "Cy"]
    assert [decision.action for decision in analysis.turning_points] == ["bid 29"]
    for decision in analysis.turning_points:
        assert f"(1) action {decision.at + 1}: {decision.words}" in printed
        assert "likely with pass: Cy: pass · Ann: pass · Bob: bid " in printed


def test_a_page_of_it_is_one_file_with_the_words_and_a_board_for_each_turning_point(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    record(home, 3)
    printed = says(capsys, "analyse", "game.txt", "--html", "game.html")
    page = (home / "game.html").read_text()
    assert "No single decision" not in printed
    assert page.count('data-verdict="turning point" data-decisive>') == page.count("data:image/svg+xml;base64") == 1
    assert "bid 29" in page
    assert "the record itself" in refuses(capsys, "analyse", "game.txt", "--html", "game.txt")


def test_what_was_kept_is_not_done_again(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(home, 6)
    whole = says(capsys, "analyse", "game.txt", "--json", "game.json")
    kept = json.loads((home / "game.json").read_text())
    del kept["decisions"][2:5]
    (home / "game.json").write_text(json.dumps(kept | {"complete": False}))
    judged: list[int] = []
    judge = Analyst.judge

    def counted(self: Analyst, at: int) -> Decision:
        judged.append(at)
        return judge(self, at)

    monkeypatch.setattr(Analyst, "judge", counted)
    assert says(capsys, "analyse", "game.txt", "--json", "game.json") == whole
    assert judged == [2, 3, 4]


def test_ctrl_c_keeps_what_is_done(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    record(home, 6)
    judge = Analyst.judge

    def interrupted(self: Analyst, at: int) -> Decision:
        if at == 3:
            raise KeyboardInterrupt
        return judge(self, at)

    monkeypatch.setattr(Analyst, "judge", interrupted)
    assert main(["analyse", "game.txt", "--json", "game.json"]) == 130
    captured = capsys.readouterr()
    assert "Not complete: 3 decisions are judged so far" in captured.out
    assert captured.err == "Stopped.\n"
    kept = Analysis.from_json(json.loads((home / "game.json").read_text()))
    assert [decision.at for decision in kept.decisions] == [0, 1, 2]


def test_processes_find_the_same(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    record(home, 2)
    alone = says(capsys, "analyse", "game.txt", "--budget", "quick")
    assert says(capsys, "analyse", "game.txt", "--processes", "2") == alone


def test_what_cannot_be_analysed_is_said_in_a_sentence(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    record(home, 2)
    record(home, 0, "empty.txt")
    (home / "half.txt").write_text((home / "game.txt").read_text()[:-4] + "\nbid")
    (home / "other.json").write_text("{}")
    assert "has no decision" in refuses(capsys, "analyse", "empty.txt")
    assert "half.txt" in refuses(capsys, "analyse", "half.txt")
    assert "the budgets are quick and deep" in refuses(capsys, "analyse", "game.txt", "--budget", "long")
    assert "at least 1" in refuses(capsys, "analyse", "game.txt", "--processes", "0")
    assert "the record itself" in refuses(capsys, "analyse", "game.txt", "--json", "game.txt")
    assert "has no analysis in it" in refuses(capsys, "analyse", "game.txt", "--json", "other.json")


def test_what_cannot_be_written_is_said_before_anything_is_analysed(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody waits for a deep analysis that is lost at its end."""
    record(home, 2)
    (home / "folder").mkdir()
    monkeypatch.setattr(Analyst, "judge", lambda *_: pytest.fail("it was analysed"))
    for option in ("--json", "--html"):
        assert "No such file or directory" in refuses(capsys, "analyse", "game.txt", option, "nowhere/out")
        assert "it is not a file" in refuses(capsys, "analyse", "game.txt", option, "folder")
    twice = refuses(capsys, "analyse", "game.txt", "--json", "out", "--html", "out")
    assert twice == "cuberails: out is to be written twice; name another file for the analysis\n"
    assert sorted(path.name for path in home.iterdir()) == ["folder", "game.txt"]


def test_the_analysis_of_another_game_is_not_overwritten(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    record(home, 2)
    record(home, 3, "other.txt")
    says(capsys, "analyse", "game.txt", "--json", "game.json")
    before = (home / "game.json").read_text()
    assert "another game" in refuses(capsys, "analyse", "other.txt", "--json", "game.json")
    assert (home / "game.json").read_text() == before
