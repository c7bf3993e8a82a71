"""Lists as people say them."""

from __future__ import annotations

from cuberails.core.wording import either, sentence


def test_choices_have_or_before_the_last() -> None:
    assert either(["sell", "buy", "pass"]) == "sell, buy, or pass"
    assert (either(["sell", "pass"]), either(["pass"]), either([])) == ("sell or pass", "pass", "")


def test_a_sentence_begins_with_a_capital() -> None:
    assert (sentence("sell or pass"), sentence("B&O runs"), sentence("")) == ("Sell or pass", "B&O runs", "")
