"""Firefox, driven over WebDriver BiDi: Debian's own build, without a driver beside it."""

from __future__ import annotations

import json
import re
import subprocess
import time
from pathlib import Path
from typing import Any

import websocket

from tests.browser.device import LONGEST_WAIT, Device, NotAnswered

PROGRAM = "firefox-esr"
_PREFERENCES = {
    "app.normandy.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
}


class Firefox(Device):
    """A window without a screen, with a profile of its own in the given folder."""

    name = "Firefox"

    def __init__(self, folder: Path, width: int, height: int) -> None:
        lines = [f"user_pref({json.dumps(key)}, {json.dumps(value)});\n" for key, value in _PREFERENCES.items()]
        (folder / "user.js").write_text("".join(lines), "utf-8")
        arguments = ["--headless", "--no-remote", "--profile", str(folder), "--remote-debugging-port", "0"]
        self._log = folder / "said"
        with self._log.open("w") as log:
            self._process = subprocess.Popen([PROGRAM, *arguments], stdout=log, stderr=log)
        self._number = 0
        self._complaints: list[str] = []
        self._socket = websocket.create_connection(
            f"{self._address()}/session", timeout=LONGEST_WAIT, suppress_origin=True
        )
        self._send("session.new", capabilities={})
        self._send("session.subscribe", events=["log.entryAdded"])
        self._context = self._send("browsingContext.getTree")["contexts"][0]["context"]
        self._send("browsingContext.setViewport", context=self._context, viewport={"width": width, "height": height})

    def _address(self) -> str:
        """Where it listens, as it says itself."""
        until = time.monotonic() + LONGEST_WAIT
        while not (found := re.search(r"WebDriver BiDi listening on (ws://\S+)\n", self._log.read_text("utf-8"))):
            assert self._process.poll() is None, f"{PROGRAM} ended at once"
            assert time.monotonic() < until, f"{PROGRAM} does not listen"
            time.sleep(0.05)
        return found[1]

    def _send(self, method: str, **parameters: object) -> Any:
        self._number += 1
        self._socket.send(json.dumps({"id": self._number, "method": method, "params": parameters}))
        while True:
            answer = json.loads(self._socket.recv())
            if answer.get("id") == self._number:
                if answer["type"] != "success":
                    raise NotAnswered(answer)
                return answer["result"]
            self._hear(answer["params"])

    def _hear(self, entry: dict[str, Any]) -> None:
        if entry["level"] in ("error", "warn"):
            self._complaints.append(f"{entry['level']}: {entry['text']}")

    def listen(self) -> None:
        """It says by itself what goes wrong, in every page from the beginning."""

    def complaints(self) -> list[str]:
        return self._complaints

    def open(self, address: str) -> None:
        self._send("browsingContext.navigate", context=self._context, url=address, wait="complete")

    def run(self, script: str, *arguments: str | int) -> Any:
        """Values come back as JSON, which needs no translation."""
        inner = f"(function () {{ {script} }}).apply(this, arguments)"
        result = self._send(
            "script.callFunction",
            functionDeclaration=f"function () {{ return JSON.stringify({inner} ?? null) }}",
            arguments=[_value(argument) for argument in arguments],
            target={"context": self._context},
            awaitPromise=False,
        )
        if result["type"] != "success":
            raise NotAnswered(result)
        return json.loads(result["result"]["value"])

    def press(self, x: float, y: float) -> None:
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        mouse = {"type": "pointer", "id": "mouse", "actions": steps}
        self._send("input.performActions", context=self._context, actions=[mouse])

    def close(self) -> None:
        self._send("browser.close")
        self._socket.close()
        self._process.wait(LONGEST_WAIT)


def _value(argument: str | int) -> dict[str, str | int]:
    return {"type": "string" if isinstance(argument, str) else "number", "value": argument}
