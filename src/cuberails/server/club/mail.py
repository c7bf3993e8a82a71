"""Mail that the server sends, by the host's own mail server."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import formatdate, make_msgid, parseaddr
from ssl import SSLError

import aiosmtplib

from cuberails.server.settings import Settings

PATIENCE = 20.0
"""Seconds that a mail server may take for each answer."""

MOST_TIME = 60.0
"""Seconds that it may take for all of them."""

_ON_THE_WAY = SMTP.clone(max_line_length=998)
"""Long headers stay in one line, as long as any may be: broken, the link in List-Unsubscribe would be encoded, and no
mail program could read it."""

_ADDRESS = re.compile(
    r"(?!.*=\?)[a-z0-9!#$%&'*+/=?^_`{|}~.-]{1,64}@([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]([a-z0-9-]*[a-z0-9])?"
)
"""An address that every mail server knows: signs of ASCII without quotes, and no encoded word (=?…), for those who read
a header would take what is encoded there for another address."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Mail:
    """A mail to one person; `headers` are any beyond the usual ones, such as List-Unsubscribe."""

    to: str
    subject: str
    text: str
    headers: Mapping[str, str] = field(default_factory=dict)


class MailFailed(Exception):
    """A mail was not accepted, and why; `final` if trying it again would be no use. It names no address."""

    def __init__(self, reason: str, final: bool) -> None:
        super().__init__(reason)
        self.final = final


class Mailer:
    """Sends mail as the settings say; not `ready` if they say nothing."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._domain = parseaddr(settings.mail_from)[1].rpartition("@")[2]

    @property
    def ready(self) -> bool:
        return bool(self._settings.smtp_host)

    async def send(self, mail: Mail) -> None:
        """Returns when the mail server has accepted it; otherwise MailFailed."""
        settings = self._settings
        try:
            async with asyncio.timeout(MOST_TIME):
                await aiosmtplib.send(
                    self._message(mail).as_bytes(policy=_ON_THE_WAY),
                    sender=parseaddr(settings.mail_from)[1],
                    recipients=[mail.to],
                    hostname=settings.smtp_host,
                    port=settings.smtp_port,
                    username=settings.smtp_user or None,
                    password=settings.smtp_password or None,
                    use_tls=settings.smtp_security == "tls",
                    start_tls=settings.smtp_security == "starttls",
                    timeout=PATIENCE,
                )
        except (aiosmtplib.SMTPException, OSError, SSLError) as error:
            failed = _failed(error)
            _log.warning("a mail was not sent: %s", failed)
            raise failed from None

    def _message(self, mail: Mail) -> EmailMessage:
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = self._settings.mail_from, mail.to, mail.subject
        message["Date"], message["Message-ID"] = formatdate(), make_msgid(domain=self._domain)
        message["Auto-Submitted"] = "auto-generated"  # so that holiday notes do not answer
        for name, value in mail.headers.items():
            message[name] = value
        message.set_content(mail.text)
        return message


def _failed(error: Exception) -> MailFailed:
    """What is said about a mail that was not accepted. What mail servers say themselves may quote an address."""
    if isinstance(error, aiosmtplib.SMTPRecipientsRefused):
        return MailFailed("its receiver was refused", all(500 <= each.code < 600 for each in error.recipients))
    if isinstance(error, aiosmtplib.SMTPAuthenticationError):
        return MailFailed("the mail server does not accept smtp_user and smtp_password", False)
    if isinstance(error, aiosmtplib.SMTPResponseException):
        return MailFailed(f"the mail server said {error.code}", 500 <= error.code < 600)
    return MailFailed(f"the mail server cannot be reached ({type(error).__name__})", False)


def mail_address(text: str) -> str:
    """An address for mail as it is stored, "" if it is none. Its case does not matter to any mail server of today."""
    found = text.strip().lower()
    return found if len(found) <= 254 and _ADDRESS.fullmatch(found) else ""
