"""Whole games as transcripts: read again, they tell the same story to the letter."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

import cuberails
from tests.records.make import ending

RECORDS = Path(__file__).parent.parent / "records"
FILES = sorted(file.relative_to(RECORDS).as_posix() for file in RECORDS.glob("*/*.txt"))


@pytest.mark.parametrize("file", FILES)
def test_a_transcript_plays_out_as_written(file: str) -> None:
    text = (RECORDS / file).read_text("utf-8")
    game = cuberails.read(text)
    assert game.to_text() == text
    assert game.state.actor is None
    assert cuberails.read(game.to_json()).to_text() == text


@pytest.mark.parametrize("file", FILES)
def test_an_option_that_a_record_does_not_name_has_its_default(file: str) -> None:
    """So the records of a time before there was the option are still read."""
    text = (RECORDS / file).read_text("utf-8")
    options = cuberails.read(text).board.options
    usual = {f"option: {name} {values[0]}" for name, values in options.items()}
    older = "\n".join(line for line in text.split("\n") if line not in usual)
    assert cuberails.read(older).to_text() == text


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_a_record_older_than_an_option_reads_with_the_default(key: str) -> None:
    defaults = {name: values[0] for name, values in cuberails.load(key).options.items()}
    texts = [(RECORDS / file).read_text("utf-8") for file in FILES if file.startswith(f"{key}/")]
    text = next(text for text in texts if cuberails.read(text).state.options == defaults)
    older = [line for line in text.splitlines(keepends=True) if not line.startswith("option: ")]
    assert cuberails.read("".join(older)).to_text() == text


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_number_of_players_and_every_way_to_end_is_recorded(key: str) -> None:
    title = cuberails.load(key)
    games = [cuberails.read((RECORDS / file).read_text("utf-8")) for file in FILES if file.startswith(f"{key}/")]
    assert {len(game.seats) for game in games} == set(range(title.least_players, title.most_players + 1))
    assert {ending(game) for game in games} == importlib.import_module(f"tests.titles.{key}.records").ENDINGS
