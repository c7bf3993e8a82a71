"""Games of an older rules version continue by it, new games follow the newest, and what is unknown is refused."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

import cuberails
from cuberails.core.game import Game
from cuberails.core.record import RecordError
from cuberails.core.title import SetupError
from slate_lines import title
from slate_lines.events import SeasonEnded

RECORDS = Path(__file__).parent / "records"
OLD, NEW = ((RECORDS / f"version-{version}.txt").read_text("utf-8") for version in (1, 2))


@pytest.mark.parametrize(("record", "version"), [(OLD, 1), (NEW, 2)])
def test_a_record_plays_to_the_letter_by_its_own_version(record: str, version: int) -> None:
    game = cuberails.read(record)
    assert game.state.rules_version == version
    assert game.to_text() == record
    assert pickle.loads(pickle.dumps(game)).to_text() == record


def test_the_versions_differ_at_the_first_dividend() -> None:
    old = cuberails.read(OLD)
    count = 1 + next(n for n, events in enumerate(old.events()) if any(isinstance(e, SeasonEnded) for e in events))
    today = Game(title.board, old.seats)
    for step in old.steps[:count]:
        today.apply(step.action.text)
    assert today.at(count - 1).scores() == old.at(count - 1).scores()
    assert sum(today.state.scores()) > sum(old.at(count).scores())


def test_new_games_follow_the_newest_version() -> None:
    assert cuberails.new("slate_lines", 3).rules_version == title.rules_version == 2


def test_a_version_that_is_not_known_yet_is_refused() -> None:
    with pytest.raises(RecordError, match="follows rules version '3' of Slate Lines; this version knows 1 to 2"):
        cuberails.read(NEW.replace("rules: 2", "rules: 3"))
    with pytest.raises(SetupError, match="rules version 3 of Slate Lines is unknown here; known: 1 to 2"):
        title.new(3, {}, rules_version=3)
