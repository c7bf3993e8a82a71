"""A real Chromium and a real server for the tests of the pages."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Error, Page, ViewportSize, sync_playwright

from tests.browser.serving import Server

CHROMIUM = os.environ.get("CHROMIUM_PROGRAM", "/usr/bin/chromium")
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Opener = Callable[..., Page]


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    if not Path(CHROMIUM).exists():
        pytest.fail(f"{CHROMIUM} is missing: install Debian's package chromium, or set CHROMIUM_PROGRAM")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """One server for all tests that do not harm it."""
    server = Server(tmp_path_factory.mktemp("tables") / "tables.db")
    server.start()
    yield server
    server.stop()


@pytest.fixture
def person(browser: Browser, server: Server) -> Iterator[Opener]:
    """Opens a page as a person with cookies of its own, who knows the screen unless `new`.

    The seats of a new table are in the order of the list if `listed`, otherwise shuffled.

    What others do is shown at once, unless another `pace` is wanted. Nothing may be said on the console.
    """
    contexts = []
    said: list[str] = []

    def open_page(
        width: int = 1440,
        height: int = 900,
        touch: bool = False,
        path: str = "/",
        new: bool = False,
        listed: bool = True,
        pace: str = "instant",
    ) -> Page:
        context = browser.new_context(viewport=ViewportSize(width=width, height=height), has_touch=touch)
        context.set_default_timeout(15_000)
        contexts.append(context)
        context.add_init_script(f"location.host && (localStorage['cuberails-pace'] ??= '{pace}')")
        if not new:
            context.add_init_script("location.host && localStorage.setItem('cuberails-tour', 'seen')")
        if listed:
            context.add_init_script("location.host && (localStorage['cuberails-listed'] ??= 'on')")
        page = context.new_page()
        page.on("console", lambda message: said.append(_complaint(message)))
        page.on("pageerror", lambda error: said.append(_error(error)))
        page.goto(server.address + path)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [complaint for complaint in said if complaint] == []


def _complaint(message: ConsoleMessage) -> str:
    """Errors and warnings; a refused or broken request is reported by the page itself."""
    harmless = message.type not in ("error", "warning") or "Failed to load resource" in message.text
    return "" if harmless else f"{message.type}: {message.text}"


def _error(error: Error) -> str:
    return f"error: {error.message}"
