"""A mail server on this machine, for the tests of what the server sends."""

from __future__ import annotations

from email import message_from_bytes, policy
from email.message import EmailMessage
from typing import Any

from aiosmtpd.controller import Controller

from tests.browser.serving import free_port
from tests.server.house import until


class Postbox:
    """A mail server that keeps what it gets; with an `answer`, it says that instead of taking a mail."""

    def __init__(self) -> None:
        self.mails: list[EmailMessage] = []
        self.raw: list[bytes] = []
        """The same as they came."""
        self.answer = ""
        self._port = free_port()
        self._controller = Controller(self, hostname="127.0.0.1", port=self._port)
        self._controller.start()

    async def handle_DATA(self, _server: Any, _session: Any, envelope: Any) -> str:
        if self.answer:
            return self.answer
        self.raw.append(envelope.content)
        self.mails.append(message_from_bytes(envelope.content, policy=policy.default))
        return "250 taken"

    @property
    def settings(self) -> dict[str, Any]:
        """What a server that sends its mail here is told."""
        return {
            "smtp_host": "127.0.0.1",
            "smtp_port": self._port,
            "smtp_security": "none",
            "mail_from": "Cube rails <play@example.org>",
            "public_url": "https://play.example.org",
        }

    def mail_to(self, address: str) -> EmailMessage:
        """The last mail to somebody, when it has come."""
        until(lambda: any(mail["To"] == address for mail in self.mails))
        return [mail for mail in self.mails if mail["To"] == address][-1]

    def close(self) -> None:
        self._controller.stop()
