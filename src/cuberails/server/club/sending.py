"""Sending messages by the ways of a person, each kind in its own manner."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from cuberails.server.club.accounts import Accounts
from cuberails.server.club.caller import GONE, LATER, REFUSED, SENT, Outcome
from cuberails.server.club.mail import Mailer, MailFailed
from cuberails.server.club.messages import Letter, Message, call_mail, webhook_letter
from cuberails.server.club.outbox import MAIL, PUSH, Way
from cuberails.server.club.outside import Answer, Forbidden, Outside
from cuberails.server.club.push import PushKeys, push_letter
from cuberails.server.identity import Identities

PUSH_SEED = "push"


class Sender:
    """Sends by push, mail and webhooks. What takes its time happens outside, on another event loop."""

    def __init__(self, outside: Outside, identities: Identities, accounts: Accounts, mailer: Mailer) -> None:
        self._outside = outside
        self._identities = identities
        self._accounts = accounts
        self._mailer = mailer
        self.keys = PushKeys(identities.seed(PUSH_SEED))

    async def __call__(self, way: Way, messages: Sequence[Message]) -> Outcome:
        """Mail brings all messages at once; of the others one comes at a time."""
        if way.kind == MAIL:
            return await self._outside.run(self._mail(way, messages))
        return await self._outside.run(self._post(way, messages[-1]))

    async def _post(self, way: Way, sent: Message) -> Outcome:
        letter = self._letter(way, sent)
        try:
            return _outcome(await self._outside.post(letter.url, letter.body, letter.headers))
        except Forbidden as error:
            return Outcome(REFUSED, str(error))

    def _letter(self, way: Way, sent: Message) -> Letter:
        return push_letter(way, sent, self.keys) if way.kind == PUSH else webhook_letter(way, sent)

    async def _mail(self, way: Way, messages: Sequence[Message]) -> Outcome:
        """To the address that the person has confirmed, which may be another one today."""
        account = await asyncio.to_thread(self._accounts.account_of, way.person)
        if account is None or not account.email or not self._mailer.ready:
            return Outcome(GONE, "you have no confirmed e-mail address here any more")
        try:
            await self._mailer.send(call_mail(account.email, way, messages, self._identities.mail_token(way.id)))
        except MailFailed as error:
            return Outcome(REFUSED if error.final else LATER, str(error))
        return Outcome(SENT)


def _outcome(answer: Answer) -> Outcome:
    """What an answer means for the message, and for those to come."""
    status = answer.status
    if 200 <= status < 300:
        return Outcome(SENT)
    if not status:
        return Outcome(LATER, answer.trouble)
    if status in (404, 410):
        return Outcome(GONE, f"it is gone (it answered {status})")
    if 300 <= status < 400:
        return Outcome(REFUSED, f"it answered with a redirect ({status}), which is not followed")
    if status in (408, 425, 429) or status >= 500:
        return Outcome(LATER, f"it answered {status}", answer.retry_after)
    return Outcome(REFUSED, f"it answered {status}")
