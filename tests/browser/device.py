"""A browser besides Chromium, as little of it as a game needs, and a person who follows what its page offers."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from random import Random
from typing import Any

LONGEST_WAIT = 60.0
"""Seconds. What a page has not done by then it never will."""

_HEARING = """
    if (!window.complaints) {
        window.complaints = [];
        const hear = (what) => window.complaints.push(String(what));
        addEventListener('error', (event) => hear(event.message));
        addEventListener('unhandledrejection', (event) => hear(event.reason));
        addEventListener('securitypolicyviolation', (event) => hear(event.violatedDirective));
        for (const level of ['error', 'warn']) console[level] = (...words) => hear(words.join(' '));
    }
"""
_OFFERS = """
    const inside = document.querySelector('#chooser')?.checkVisibility() ? '#chooser button[data-action]' : null;
    const seen = (node) => node.checkVisibility() && !node.disabled;
    const at = (css) => [...document.querySelectorAll(css)].flatMap((node, n) => seen(node) ? [[css, n]] : []);
    return inside ? at(inside) : [...at('#board .target .aim'), ...at('#choices button:not(.step)')];
"""
_MIDDLE = """
    const node = document.querySelectorAll(arguments[0])[arguments[1]];
    node.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' });
    const box = node.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
"""
_READY = """
    return document.body.matches('.over') || document.querySelector('#chooser')?.checkVisibility()
        || Boolean(document.querySelector('#choices button') && !document.querySelector('#choices.waiting'));
"""


class NotAnswered(AssertionError):
    """The browser did not do what it was told; while it goes from page to page that is natural."""


class Device(ABC):
    """A real browser with one page."""

    name = ""

    @abstractmethod
    def open(self, address: str) -> None:
        """Open a page and wait until it is loaded."""

    @abstractmethod
    def run(self, script: str, *arguments: str | int) -> Any:
        """Run the body of a function in the page; what it returns."""

    @abstractmethod
    def press(self, x: float, y: float) -> None:
        """Press the main button of the mouse there."""

    @abstractmethod
    def close(self) -> None: ...

    # What is made of these

    def wait_for(self, condition: str) -> None:
        until = time.monotonic() + LONGEST_WAIT
        while not self.run(condition):
            assert time.monotonic() < until, f"{self.name}: in vain waited for {condition}"
            time.sleep(0.05)

    def wait_for_page(self, css: str) -> None:
        """Wait until another page is there, in which this is found."""
        until = time.monotonic() + LONGEST_WAIT
        while not self._has(css):
            assert time.monotonic() < until, f"{self.name}: in vain waited for {css}"
            time.sleep(0.05)

    def _has(self, css: str) -> bool:
        try:
            return bool(self.run("return Boolean(document.querySelector(arguments[0]))", css))
        except NotAnswered:
            return False

    def click(self, css: str, n: int = 0) -> None:
        x, y = self.run(_MIDDLE, css, n)
        self.press(x, y)

    def listen(self) -> None:
        """Hear from now on what goes wrong in this page."""
        self.run(_HEARING)

    def complaints(self) -> list[str]:
        """What went wrong, in words."""
        found: list[str] = self.run("return window.complaints")
        return found


def play_to_the_end(device: Device, rng: Random, most: int) -> int:
    """Take what is offered, at random, until the game is over; how often something was clicked."""
    for clicks in range(most):
        device.wait_for(_READY)
        if device.run("return document.body.matches('.over')"):
            return clicks
        _click_one(device, rng)
    raise AssertionError(f"the game is not over after {most} clicks")


def _click_one(device: Device, rng: Random) -> None:
    """Click one of the offers and wait until it led somewhere: to an action, or to a window with actions."""
    before = device.run("return document.querySelector('#moment').max")
    css, n = rng.choice(device.run(_OFFERS))
    device.click(css, n)
    device.wait_for(f"""return document.querySelector('#moment').max !== '{before}'
        || (!'{css}'.startsWith('#chooser') && document.querySelector('#chooser').checkVisibility())""")
