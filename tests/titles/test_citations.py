"""Every numbered rule is shown by a test, and every number that is cited exists."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import cuberails

HERE = Path(__file__).parent
SOURCE = HERE.parent.parent / "src" / "cuberails" / "titles"


def cited_by_tests(key: str) -> set[str]:
    return {number for file in (HERE / key).glob("test_*.py") for number in marked(ast.parse(file.read_text("utf-8")))}


def marked(tree: ast.Module) -> Iterator[str]:
    """The arguments of `@rule(...)` above test functions."""
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
            for call in node.decorator_list:
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and call.func.id == "rule":
                    yield from (str(arg.value) for arg in call.args if isinstance(arg, ast.Constant))


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_every_rule_has_a_test(key: str) -> None:
    rules = set(cuberails.load(key).rulebook.rules)
    assert rules - cited_by_tests(key) == set(), "rules without a test"
    assert cited_by_tests(key) - rules == set(), "tests of rules that do not exist"


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_the_code_cites_rules_that_exist(key: str) -> None:
    book = cuberails.load(key).rulebook
    letter = re.match(r"[A-Z]+", next(iter(book.rules)))
    assert letter
    text = "".join(file.read_text("utf-8") for file in (SOURCE / key).glob("*.py"))
    cited = set(re.findall(rf"\b{letter.group()}\d+\.\d+\b", text))
    assert len(cited) > 10
    assert cited - set(book.rules) == set()


@pytest.mark.parametrize("key", cuberails.TITLES)
def test_rules_are_numbered_in_order(key: str) -> None:
    """W1.1, W1.2 … without gaps, each under its section."""
    book = cuberails.load(key).rulebook
    expected: list[str] = []
    for section in book.sections:
        size = sum(1 for number in book.rules if number.partition(".")[0] == section)
        expected += [f"{section}.{n}" for n in range(1, size + 1)]
    assert list(book.rules) == expected
    letter = next(iter(book.sections)).rstrip("0123456789")
    assert list(book.sections) == [f"{letter}{n}" for n in range(1, len(book.sections) + 1)]
