"""Boards as values: every title's own board and others keep their identity in records, pickles and other processes."""

from __future__ import annotations

import pickle
import subprocess
import sys
from collections.abc import Callable
from multiprocessing import get_context
from random import Random

import pytest

import cuberails
from cuberails.core.boardfile import BoardError
from cuberails.core.game import Game
from cuberails.core.playout import pick
from cuberails.core.record import RecordError
from cuberails.core.state import State
from cuberails.core.title import MOST_BOARDS, SetupError

WABASH = cuberails.load("wabash")
RICH = WABASH.board.text.replace("money = 120", "money = 600").replace('name = "Queen', 'name = "Rich')


def rich() -> cuberails.Board:
    return cuberails.read_board("rich.toml", RICH)


def played(board: cuberails.Board, actions: int = 30) -> Game:
    game, rng = Game(board, ["Ann", "Bob", "Cy"]), Random(3)
    for _ in range(actions):
        game.apply(pick(game.state, rng))
    return game


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_a_title_has_a_board_with_name_provenance_and_digest(key: str) -> None:
    title = cuberails.load(key)
    board = title.board
    assert (board.title, board.built_in) == (title, True)
    assert board.name
    assert board.provenance.source
    assert len(board.digest) == 64
    state = board.new(title.least_players)
    assert (state.board, state.title, state.rules_version) == (board, title, title.rules_version)


def test_a_digest_is_of_the_content_and_not_of_comments() -> None:
    board = WABASH.read_board("x", "# another comment\n" + WABASH.board.text)
    assert (board.digest, board.built_in) == (WABASH.board.digest, True)
    assert (rich().digest == WABASH.board.digest, rich().built_in) == (False, False)


def test_the_same_text_is_read_once_and_old_boards_are_forgotten() -> None:
    first = rich()
    assert rich() is first
    assert WABASH.read_board("x", WABASH.board.text) is WABASH.board
    for money in range(1000, 1000 + MOST_BOARDS):
        WABASH.read_board("x", RICH.replace("money = 600", f"money = {money}"))
    assert rich() is not first


def test_a_position_is_on_the_board_that_it_was_made_for() -> None:
    state = cuberails.new("wabash", 3, board=rich())
    assert state.scores() == [200, 200, 200]
    assert cuberails.new("wabash", 3).scores() == [40, 40, 40]
    with pytest.raises(SetupError, match="'Rich edition, corrected' is a board of Wabash Cannonball, not of Gulf"):
        cuberails.new("gmo", 3, board=rich())


def test_what_is_no_board_and_no_number_is_refused_with_what_would_be_right() -> None:
    with pytest.raises(SetupError, match=r"board must be a Board, as cuberails.read_board.* gives one, not 'my.toml'"):
        cuberails.new("wabash", 3, board="my.toml")  # type: ignore[arg-type]
    with pytest.raises(SetupError, match="players must be a whole number, not '4'"):
        cuberails.new("wabash", "4")  # type: ignore[arg-type]


def test_a_board_file_must_name_an_installed_title() -> None:
    with pytest.raises(BoardError, match=r"x\.toml, title: found 'chess'; it needs one of wabash, "):
        cuberails.read_board("x.toml", RICH.replace('title = "wabash"', 'title = "chess"'))
    with pytest.raises(BoardError, match=r"x\.toml, title: found 'wabash'; it needs one of gmo"):
        cuberails.load("gmo").read_board("x.toml", RICH)
    with pytest.raises(BoardError, match=r"x\.toml, title: is missing; it needs one of wabash"):
        cuberails.read_board("x.toml", 'name = "nothing"')


@pytest.mark.parametrize("thing", [lambda game: game, lambda game: game.state, lambda game: game.state.phase])
def test_pickles_restore_that_board(thing: Callable[[Game], object]) -> None:
    """A board with $600 once came back from a pickle as the built-in one, with $120."""
    game = played(rich())
    assert pickle.loads(pickle.dumps(rich())) is rich()
    again = pickle.loads(pickle.dumps(thing(game)))
    if isinstance(again, Game):
        assert again.to_text() == game.to_text()
        again = again.state
    if isinstance(again, State):
        assert again.board.digest == rich().digest
        assert (again.scores(), again.legal_actions()) == (game.state.scores(), game.state.legal_actions())
        again.play(again.legal_actions()[0])
        assert again.prompt


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_position_of_a_game_can_be_pickled(key: str) -> None:
    state, rng = cuberails.load(key).board.new(cuberails.load(key).most_players), Random(key)
    while state.actor is not None and not state.too_long:
        again = pickle.loads(pickle.dumps(state))
        assert (again.prompt, again.legal_actions(), again.scores()) == (
            state.prompt,
            state.legal_actions(),
            state.scores(),
        )
        for _ in range(5):
            if state.actor is not None:
                state.play(pick(state, rng))


def test_another_process_plays_on_that_board() -> None:
    with get_context("spawn").Pool(1) as pool:
        digest, scores = pool.apply(_elsewhere, (cuberails.new("wabash", 3, board=rich()),))
    assert (digest, scores) == (rich().digest, [200, 200, 200])


def _elsewhere(state: State) -> tuple[str, list[int]]:
    return state.board.digest, state.scores()


@pytest.mark.parametrize("as_json", [False, True])
def test_a_record_on_another_board_is_complete_by_itself(as_json: bool) -> None:
    game = played(rich())
    record = game.to_json() if as_json else game.to_text()
    again = cuberails.read(record)
    assert (again.board.digest, again.board.text) == (rich().digest, rich().text)
    assert again.to_text() == game.to_text()
    code = "import sys, cuberails; print(cuberails.read(sys.stdin.read()).state.scores())"
    output = subprocess.run([sys.executable, "-c", code], input=record, capture_output=True, text=True, check=True)
    assert output.stdout.strip() == str(game.state.scores())


def test_a_record_on_the_built_in_board_only_names_it() -> None:
    text = played(WABASH.board).to_text(comments=False)
    assert "board: Queen edition, corrected\noption:" in text
    assert "|" not in text


def test_a_record_needs_the_text_of_a_board_that_is_not_built_in() -> None:
    lines = [line for line in played(rich()).to_text().split("\n") if not line.startswith("|")]
    with pytest.raises(RecordError, match=r"played on board 'Rich edition, corrected', not on .* carry its text"):
        cuberails.read("\n".join(lines))


def test_a_bad_board_in_a_record_is_told_with_its_entry() -> None:
    record = played(rich()).to_text().replace("| money = 600", '| money = "much"')
    with pytest.raises(RecordError, match=r"the record's board, components.money: found 'much'; it needs"):
        cuberails.read(record)


def test_rules_versions_that_are_not_known_are_refused() -> None:
    for version in (-1, 2):
        with pytest.raises(SetupError, match=rf"rules version {version} of Wabash Cannonball is unknown here"):
            WABASH.new(3, {}, rules_version=version)
    assert WABASH.new(3, {}, rules_version=1).rules_version == 1
    record = played(WABASH.board).to_text().replace("rules: 1", "rules: 2")
    with pytest.raises(RecordError, match="follows rules version '2' of Wabash Cannonball; this version knows 1"):
        cuberails.read(record)
