"""Boards of one's own on the command line: checked, shown, copied, played on, and carried by records."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

import cuberails
from cuberails.core.boardfile import BoardError
from tests.cli.calling import own_board, random_game, refuses, says, type_in

Output = pytest.CaptureFixture[str]


# board copy


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_a_copy_is_the_built_in_board_to_the_letter(capsys: Output, home: Path, key: str) -> None:
    printed = says(capsys, "board", "copy", key, "my.toml")
    assert f"cuberails play {key} --board my.toml" in printed
    assert (home / "my.toml").read_bytes().decode() == cuberails.load(key).read("board.toml")
    assert "the built-in board" in says(capsys, "board", "check", "my.toml")


def test_a_copy_replaces_nothing(capsys: Output, home: Path) -> None:
    (home / "letter.txt").write_text("Dear Ann,\n")
    assert "letter.txt is there already" in refuses(capsys, "board", "copy", "wabash", "letter.txt")
    assert (home / "letter.txt").read_text() == "Dear Ann,\n"
    assert "No such file or directory" in refuses(capsys, "board", "copy", "wabash", "no/where.toml")
    assert "did you mean wabash?" in refuses(capsys, "board", "copy", "wabsh", "other.toml")
    assert not (home / "other.toml").exists()


# board check


def test_a_good_board_is_described(capsys: Output, home: Path) -> None:
    file = own_board(home)
    printed = says(capsys, "board", "check", "my.toml")
    board = cuberails.read_board("my.toml", file.read_text())
    for expected in ("my.toml can be played on", "Wabash Cannonball (wabash)", "Rich start", "160 spaces", "2–6"):
        assert expected in printed
    assert board.digest in printed
    assert "some values are doubtful" in printed


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("money = 600", 'money = "much"', "my.toml, components.money: found 'much'; it needs a whole number"),
        ("money = 600\n", "", "my.toml, components.money: is missing"),
        ('title = "wabash"', 'title = "chess"', "my.toml, title: found 'chess'; it needs one of wabash"),
        ("money = 600", "money = ", "my.toml: is not valid TOML"),
        ("money = 600", "money = 600\nmoon = 1", "my.toml, components.moon: is not known here"),
    ],
)
def test_a_bad_board_names_file_entry_and_fix(capsys: Output, home: Path, old: str, new: str, complaint: str) -> None:
    """It is the sentence of the library, the page and the API."""
    file = own_board(home)
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(BoardError) as error:
        cuberails.read_board("my.toml", file.read_text())
    assert complaint in str(error.value)
    sentence = f"cuberails: {error.value}\n"
    for command in ("board check my.toml", "board show my.toml", "play wabash --board my.toml --record game.txt"):
        assert refuses(capsys, *command.split(), code=1) == sentence
    assert sorted(path.name for path in home.iterdir()) == ["my.toml"]


@pytest.mark.parametrize("command", ["board check", "board show", "play wabash --board", "simulate wabash --board"])
def test_what_cannot_be_read_is_no_board(capsys: Output, home: Path, command: str) -> None:
    (home / "folder").mkdir()
    (home / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xfe")
    (home / "large.toml").write_bytes(b"#" * 1_000_000)
    printed = [refuses(capsys, *command.split(), name, code=1) for name in ("none.toml", "folder", "picture.png")]
    assert [line.partition(";")[0].strip() for line in printed] == [
        "cuberails: none.toml: cannot be read: No such file or directory",
        "cuberails: folder: cannot be read: Is a directory",
        "cuberails: picture.png: is not text in UTF-8",
    ]
    assert "may have 100000 characters at most" in refuses(capsys, *command.split(), "large.toml", code=1)


def test_a_board_of_another_title_is_refused(capsys: Output, home: Path) -> None:
    own_board(home)
    assert refuses(capsys, "play", "gmo", "--board", "my.toml", code=1) == (
        "cuberails: my.toml, title: is 'wabash', for Wabash Cannonball; Gulf, Mobile & Ohio needs 'gmo'\n"
    )


def test_nothing_in_a_board_file_can_command_the_terminal(capsys: Output, home: Path) -> None:
    file = own_board(home)
    text = file.read_text()
    file.write_text(text.replace('source = "', 'source = "\\u001b[31mRed '))
    printed = says(capsys, "board", "check", "my.toml")
    assert "Red A public" in printed
    file.write_text(text.replace("[components]", '[components]\n"\\u001b[31mRed" = 1'))
    printed += refuses(capsys, "board", "check", "my.toml", code=1)
    assert "\x1b" not in printed


def test_a_byte_order_mark_does_no_harm(capsys: Output, home: Path) -> None:
    file = own_board(home)
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert "can be played on" in says(capsys, "board", "check", "my.toml")


def test_a_colour_that_cannot_be_drawn_is_named(capsys: Output, home: Path) -> None:
    file = own_board(home)
    assert "colour " not in says(capsys, "board", "check", "my.toml")
    file.write_text(file.read_text().replace('color = "red"', 'color = "reddish"'))
    assert "reddish is drawn gray; the colours are red, blue" in says(capsys, "board", "check", "my.toml")


# board show


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_any_board_can_be_shown(capsys: Output, home: Path, key: str) -> None:
    title = cuberails.load(key)
    assert f"{title.name}: {title.board.name}" in says(capsys, "board", "show", key)
    own_board(home, "My own", key)
    assert f"{title.name}: My own" in says(capsys, "board", "show", "my.toml")
    says(capsys, "board", "show", "my.toml", "--svg", "my.svg")
    assert (home / "my.svg").read_text().startswith("<svg")


def test_a_picture_never_replaces_its_board(capsys: Output, home: Path) -> None:
    file = own_board(home)
    text = file.read_text()
    assert "would overwrite the file" in refuses(capsys, "board", "show", "my.toml", "--svg", "./my.toml")
    assert file.read_text() == text


# Games on it


def test_a_game_on_an_own_board_is_complete_in_its_record(
    capsys: Output, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The record is read in another process, and the board file is gone by then."""
    file = own_board(home)
    type_in(monkeypatch, "bid 150")
    printed = says(
        capsys, "play", "wabash", "--board", "my.toml", "--seats-as-listed", "--seed", "1", "--record", "game.txt"
    )
    assert "Wabash Cannonball on Rich start: Player" in printed
    assert "$200" in printed
    file.unlink()
    program = (
        "import cuberails, sys; game = cuberails.read(open(sys.argv[1]).read()); "
        "print(game.board.name, game.steps[0].action, sum(game.at(0).cash))"
    )
    run = subprocess.run([sys.executable, "-c", program, "game.txt"], capture_output=True, text=True, check=True)
    assert run.stdout == "Rich start bid 150 600\n"


def test_a_game_on_an_own_board_is_resumed_by_itself(
    capsys: Output, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = own_board(home)
    command = ("play", "wabash", "--seed", "1", "--record", "game.txt")
    type_in(monkeypatch, "pass")
    says(capsys, *command, "--board", "my.toml")
    file.rename(home / "elsewhere.toml")
    type_in(monkeypatch, "pass")
    assert "Wabash Cannonball on Rich start" in says(capsys, *command)
    kept = (home / "game.txt").read_text()
    assert sum(step.action.text == "pass" for step in cuberails.read(kept).steps) >= 2
    type_in(monkeypatch)
    assert "The game is resumed" in says(capsys, *command, "--board", "elsewhere.toml")
    assert (home / "game.txt").read_text() == kept


def test_a_game_on_another_board_is_not_resumed(capsys: Output, home: Path) -> None:
    record = random_game(20).to_text()
    (home / "game.txt").write_text(record)
    own_board(home)
    printed = refuses(capsys, "play", "wabash", "--board", "my.toml", "--record", "game.txt")
    assert "holds a game on another board, 'Queen edition, corrected'" in printed
    assert (home / "game.txt").read_text() == record


def test_simulations_and_the_arena_play_on_it(capsys: Output, home: Path) -> None:
    """Mean scores with five times the money are far from those on the built-in board, in other processes too."""
    own_board(home)
    command = ("simulate", "wabash", "--games", "2", "--bots", "random")
    usual = says(capsys, *command).splitlines()[:-1]
    one = says(capsys, *command, "--board", "my.toml").splitlines()[:-1]
    assert one != usual
    assert one == says(capsys, *command, "--board", "my.toml", "--jobs", "2").splitlines()[:-1]
    arena = ("arena", "wabash", "--bots", "random", "--games", "3", "--file", "games.jsonl", "--board", "my.toml")
    assert json.loads(says(capsys, *arena, "--json"))["games"] == 3
    assert "another run" in refuses(capsys, *arena[:-2])


# Records that only name their board


def named_only(home: Path) -> str:
    """A record on an own board from which somebody has cut the board's text."""
    board = cuberails.read_board("my.toml", own_board(home).read_text())
    game = cuberails.Game(board, ["Ann", "Bob", "Cy"])
    game.apply("bid 150")
    return "".join(line for line in game.to_text().splitlines(keepends=True) if not line.startswith("|"))


def test_a_record_that_names_its_board_can_be_given_it(capsys: Output, home: Path) -> None:
    (home / "game.txt").write_text(named_only(home))
    assert "was played on board 'Rich start'" in refuses(capsys, "replay", "game.txt")
    assert "Ann bids $150 for PA" in says(capsys, "replay", "game.txt", "--board", "my.toml")


def test_a_record_is_given_no_other_board(capsys: Output, home: Path) -> None:
    (home / "game.txt").write_text(named_only(home).replace("Rich start", "Lost"))
    printed = refuses(capsys, "hint", "game.txt", "--board", "my.toml")
    assert (
        "game.txt: the record was played on board 'Lost', not on 'Rich start', and does not carry its text" in printed
    )
    (home / "usual.txt").write_text(random_game(3).to_text())
    printed = refuses(capsys, "hint", "usual.txt", "--board", "my.toml")
    assert "was played on the built-in board, not on the given 'Rich start'" in printed
