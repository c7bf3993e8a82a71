"""One whole game in each of the other engines that people have: Firefox, and WebKit for Safari."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from tests.browser.device import Device, play_to_the_end
from tests.browser.firefox import Firefox
from tests.browser.serving import Server
from tests.browser.webkit import WebKit

MOST_CLICKS = 400


@pytest.fixture(params=["Firefox", "WebKitGTK"])
def device(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Device]:
    device = Firefox(tmp_path, 1366, 700) if request.param == "Firefox" else WebKit(1366, 800)
    yield device
    device.close()


def test_a_whole_game_in_another_browser(device: Device, server: Server) -> None:
    device.open(server.address)
    device.run("localStorage.setItem('cuberails-tour', 'seen'); localStorage.setItem('cuberails-pace', 'instant')")
    device.click("[data-play=wabash]")
    device.wait_for_page("body.ready main.table")
    device.listen()
    clicks = play_to_the_end(device, Random(5), MOST_CLICKS)
    assert clicks > 20
    assert device.complaints() == []
    assert device.run("return document.querySelector('#prompt').textContent").startswith("The game is over")
