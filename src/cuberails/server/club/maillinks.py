"""Links by mail: whoever can read what is sent to an address gets a link that works once, for 15 minutes.

Nothing is done by opening the link, for programs that look for harm in mail open it too: its secret stands behind a
`#`, which no browser sends anywhere, and the page waits for a press.
"""

from __future__ import annotations

import asyncio
import datetime as dt
import secrets
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import select

from cuberails.server.club import once
from cuberails.server.club.accounts import Account, Accounts
from cuberails.server.club.mail import Mail, Mailer, MailFailed
from cuberails.server.connections import Statement
from cuberails.server.identity import hashed
from cuberails.server.models import MailLinkRow
from cuberails.server.refusal import Refused
from cuberails.server.store import now

SIGN_IN, SIGN_UP, CONFIRM = "sign-in", "sign-up", "confirm"

VALID = dt.timedelta(minutes=15)

_FORGET = "DELETE FROM mail_links WHERE email = ? AND purpose = ?"

NO_LINK = Refused(
    403, "no_link", "This link does not work any more: each works once, for 15 minutes. Ask for a new one."
)

_WORDS = {
    SIGN_IN: ("Sign in to cuberails", "Hello {name},\n\nthis link signs you in:"),
    SIGN_UP: (
        "Your account at cuberails",
        "Hello,\n\nthere is no account with this address yet. This link makes one:",
    ),
    CONFIRM: (
        "Your address at cuberails",
        "Hello,\n\nsomebody with an account wants to be written to at this address. This link notes it there:",
    ),
}
"""What a mail says; to an address that nobody has confirmed nothing that a stranger has chosen, such as a name."""

_END = "It works once, for 15 minutes. If you did not ask for it, do nothing: nobody gets in without it."

_IF_NOT_YOU = (
    "If that was not you, sign in at {home}/sign-in, sign all other devices out, and remove what you do not know;"
    " if you cannot sign in any more, write to whoever runs the server."
)


@dataclass(frozen=True)
class MailLink:
    """What a link is for, and who asked for it: "" if that is somebody without an account."""

    purpose: str
    email: str
    person: str
    expires: dt.datetime


class MailLinks:
    """Sends links, and says what they are for when they come back. `clock` is the time in UTC."""

    def __init__(self, accounts: Accounts, mailer: Mailer, home: str, clock: Callable[[], dt.datetime] = now) -> None:
        self._accounts = accounts
        self._mailer = mailer
        self._home = home
        self._clock = clock
        self._sending: set[asyncio.Task[None]] = set()

    @property
    def offered(self) -> bool:
        return self._mailer.ready

    def send_to_sign_in(self, email: str) -> None:
        """Send a link to an address. What is done, and whether it is done, nobody who asks can tell."""
        self._start(email, None)

    def send_to_confirm(self, email: str, account: Account) -> None:
        """Send a link by which somebody shows that they read mail at an address."""
        self._start(email, account)

    def tell(self, account: Account, sentence: str) -> None:
        """Tell the owner of an account, at the address that was noted before, how one gets in now: it may not have been
        the owner who changed that."""
        if self.offered and account.email:
            text = f"Hello {account.name},\n\n{sentence}\n\n{_IF_NOT_YOU.format(home=self._home)}\n"
            self._run(self._deliver(Mail(account.email, "Your account at cuberails was changed", text)))

    def _start(self, email: str, account: Account | None) -> None:
        self._run(self._send(email, account))

    def _run(self, sending: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(sending)
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _send(self, email: str, asking: Account | None) -> None:
        account = asking or await asyncio.to_thread(self._accounts.by_email, email)
        purpose = CONFIRM if asking else SIGN_IN if account else SIGN_UP
        token = secrets.token_urlsafe(24)
        person = account.person if account else ""
        await self._accounts.write(once.adding(hashed(token), purpose, email, person, self._clock() + VALID))
        heading, beginning = _WORDS[purpose]
        text = f"{beginning.format(name=account.name if account else '')}\n\n{self._link(purpose, token)}\n\n{_END}\n"
        await self._deliver(Mail(email, heading, text))

    async def _deliver(self, mail: Mail) -> None:
        with suppress(MailFailed):  # the log says so; whoever waits for the mail can ask again
            await self._mailer.send(mail)

    def _link(self, purpose: str, token: str) -> str:
        return f"{self._home}/sign-in/link#{purpose}.{token}"

    def find(self, token: str) -> MailLink:
        """What a link is for that has not been used; to be called in a thread."""
        query = select(MailLinkRow.purpose, MailLinkRow.email, MailLinkRow.person, MailLinkRow.expires)
        with self._accounts.store.engine.connect() as connection:
            row = connection.execute(query.where(MailLinkRow.digest == hashed(token))).one_or_none()
        if row is None or row.purpose == once.USED or row.expires <= self._clock():
            raise NO_LINK
        return MailLink(*row)


def using(link: MailLink, token: str) -> list[Statement]:
    """What notes that a link was used: no other that was sent for the same works any more."""
    return [*once.using(token, link.expires), (_FORGET, [(link.email, link.purpose)])]
