"""Sending messages by the ways of a person, each kind in its own manner."""

from __future__ import annotations

from collections.abc import Sequence

from cuberails.server.club.caller import GONE, LATER, REFUSED, SENT, Outcome
from cuberails.server.club.messages import Letter, Message, webhook_letter
from cuberails.server.club.outbox import Way
from cuberails.server.club.outside import Answer, Forbidden, Outside


class Sender:
    """Sends by webhooks. What takes its time happens outside, on another event loop."""

    def __init__(self, outside: Outside) -> None:
        self._outside = outside

    async def __call__(self, way: Way, messages: Sequence[Message]) -> Outcome:
        return await self._outside.run(self._post(way, messages[-1]))

    async def _post(self, way: Way, sent: Message) -> Outcome:
        letter = self._letter(way, sent)
        try:
            return _outcome(await self._outside.post(letter.url, letter.body, letter.headers))
        except Forbidden as error:
            return Outcome(REFUSED, str(error))

    def _letter(self, way: Way, sent: Message) -> Letter:
        return webhook_letter(way, sent)


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
