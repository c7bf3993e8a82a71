"""WebKitGTK, the engine of Safari as Debian has it: its small browser on a screen of its own, driven over WebDriver.

The protocol is a handful of requests, so no library stands between; Selenium's class for this browser is out of date.
"""

from __future__ import annotations

import os
import subprocess
import time
from glob import glob
from typing import Any

import httpx

from tests.browser.device import LONGEST_WAIT, Device, NotAnswered
from tests.browser.serving import free_port

DRIVER = "WebKitWebDriver"
BROWSERS = "/usr/lib/*/webkit2gtk-4.*/MiniBrowser"


class WebKit(Device):
    """A window of this size on a screen that nobody sees."""

    name = "WebKitGTK"

    def __init__(self, width: int, height: int) -> None:
        size = f"{width}x{height}x24"
        self._screen = subprocess.Popen(
            ["Xvfb", "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        assert self._screen.stdout is not None
        with self._screen.stdout as said:
            display = said.readline().decode().strip()
        assert display, "Xvfb ended at once"
        port = free_port()
        environment = {**os.environ, "DISPLAY": f":{display}"}
        self._driver = subprocess.Popen([DRIVER, "--host=127.0.0.1", f"--port={port}"], env=environment)
        self._http = httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=LONGEST_WAIT, trust_env=False)
        self._session = self._begin(width, height)

    def _begin(self, width: int, height: int) -> str:
        """The path of a session in a window of this size."""
        until = time.monotonic() + LONGEST_WAIT
        while not self._answers():
            assert self._driver.poll() is None, f"{DRIVER} ended at once"
            assert time.monotonic() < until, f"{DRIVER} does not answer"
            time.sleep(0.05)
        browser = {"binary": sorted(glob(BROWSERS))[-1], "args": ["--automation"]}
        wanted = {"alwaysMatch": {"webkitgtk:browserOptions": browser}}
        session = f"/session/{self._post('/session', capabilities=wanted)['sessionId']}"
        self._post(f"{session}/window/rect", width=width, height=height)
        return session

    def _answers(self) -> bool:
        try:
            return self._http.get("/status").is_success
        except httpx.TransportError:
            return False

    def _post(self, path: str, **values: object) -> Any:
        answer = self._http.post(path, json=values)
        if not answer.is_success:
            raise NotAnswered(answer.text)
        return answer.json()["value"]

    def open(self, address: str) -> None:
        self._post(f"{self._session}/url", url=address)

    def run(self, script: str, *arguments: str | int) -> Any:
        return self._post(f"{self._session}/execute/sync", script=script, args=arguments)

    def press(self, x: float, y: float) -> None:
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y), "duration": 0},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._post(f"{self._session}/actions", actions=[{"type": "pointer", "id": "mouse", "actions": steps}])

    def close(self) -> None:
        self._http.delete(self._session)
        self._http.close()
        for process in (self._driver, self._screen):
            process.terminate()
            process.wait(LONGEST_WAIT)
