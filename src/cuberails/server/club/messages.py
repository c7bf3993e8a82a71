"""What a call says, and the form in which each kind of receiver wants it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from cuberails.server.club.calls import AGAIN, INVITED, OVER, TAKEN, TURN, UNDO
from cuberails.server.club.lobby_view import title_name
from cuberails.server.club.mail import Mail
from cuberails.server.club.open_tables import OpenTable
from cuberails.server.club.outbox import DISCORD, JSON, SLACK, Call, Way
from cuberails.server.store import StoredTable, now

TEST = "test"
"""The kind of a message that somebody sends to themselves."""

_HEADINGS = {
    TURN: "Your turn",
    OVER: "The game is over",
    UNDO: "Somebody asks to go back",
    TAKEN: "A bot plays for you",
    INVITED: "You are invited",
    AGAIN: "A rematch",
    TEST: "A test",
}


@dataclass(frozen=True)
class Message:
    """What somebody is told: a heading and a sentence, and where that leads.

    `id` is the same however often it is sent; `waiting` is how many tables wait for them, and `name` what they are
    called at the table, if it is about their seat there: in a chat several people may read it.
    """

    id: str
    kind: str
    heading: str
    text: str
    path: str
    table: str = ""
    title: str = ""
    waiting: int = 0
    name: str = ""


@dataclass(frozen=True)
class Letter:
    """A request that brings a message to a receiver."""

    url: str
    body: bytes
    headers: dict[str, str]


def message(call: Call, table: StoredTable, waiting: int) -> Message:
    """What a call about a table says."""
    names = [seat.name for n, seat in enumerate(table.seats) if n != call.seat]
    found = _message(call, table.title, names, f"/t/{call.table}", waiting)
    return replace(found, name=table.seats[call.seat].name) if call.seat >= 0 else found


def invitation(call: Call, table: OpenTable, waiting: int) -> Message:
    """What a call about a table says that waits for its players."""
    names = [seated.name for seated in table.seated.values()]
    return _message(call, table.title, names, f"/lobby/{call.table}", waiting)


def _message(call: Call, title: str, names: list[str], path: str, waiting: int) -> Message:
    id, heading = f"{call.table}.{call.kind}.{call.seq}", f"{_HEADINGS[call.kind]}: {title_name(title)}"
    sentences = [_sentence(call.text), f"With {', '.join(names)}." if names else ""]
    return Message(id, call.kind, heading, " ".join(filter(None, sentences)), path, call.table, title, waiting)


def _sentence(words: str) -> str:
    """Words with a full stop: what a player is asked stands without one on the page."""
    return f"{words}." if words and words[-1] not in ".!?" else words


def test_message(waiting: int) -> Message:
    """What somebody sends to themselves to see whether it arrives."""
    id = f"test.{now():%Y%m%dT%H%M%S}"
    return Message(id, TEST, "cuberails: a test", "You will be called in this way.", "/", waiting=waiting)


# Webhooks


def webhook_letter(way: Way, sent: Message) -> Letter:
    """A message in the form of this kind of webhook."""
    body = json.dumps(_BODIES[way.kind](way, sent), ensure_ascii=False)
    headers = {"Content-Type": "application/json", "User-Agent": "cuberails"}
    if way.kind == JSON:
        headers |= _signature(way, sent, body)
    return Letter(way.target, body.encode(), headers)


def _signature(way: Way, sent: Message, body: str) -> dict[str, str]:
    """The headers of the Standard Webhooks, by which a receiver knows that it comes from here."""
    import datetime as dt

    from standardwebhooks import Webhook

    at = dt.datetime.now(dt.UTC)
    signed = Webhook(way.secret).sign(sent.id, at, body)
    return {"webhook-id": sent.id, "webhook-timestamp": str(int(at.timestamp())), "webhook-signature": signed}


def _plain(way: Way, sent: Message) -> dict[str, object]:
    data = {
        "heading": sent.heading,
        "text": sent.text,
        "link": _link(way, sent),
        "table": sent.table,
        "title": sent.title,
        "name": sent.name,
        "waiting": sent.waiting,
    }
    return {"type": f"cuberails.{sent.kind}", "timestamp": f"{now():%Y-%m-%dT%H:%M:%SZ}", "data": data}


def _discord(way: Way, sent: Message) -> dict[str, object]:
    """Names of other people are in the text: nothing there calls anybody or is formatted."""
    name, text = (re.sub(r"([\\*_~`|<>@#\[\]()-])", r"\\\1", words) for words in (_for(sent), sent.text))
    content = f"**{sent.heading}**{name}\n{text}\n<{_link(way, sent)}>"
    return {"content": content[:1900], "allowed_mentions": {"parse": []}}


def _slack(way: Way, sent: Message) -> dict[str, object]:
    words = f"{sent.heading}{_for(sent)}\n{sent.text}"
    text = words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return {"text": f"{text}\n<{_link(way, sent)}>", "link_names": False}


def _for(sent: Message) -> str:
    return f", for {sent.name}" if sent.name else ""


def _link(way: Way, sent: Message) -> str:
    return way.base + sent.path


_BODIES: dict[str, Callable[[Way, Message], dict[str, object]]] = {JSON: _plain, DISCORD: _discord, SLACK: _slack}


# Mail


def call_mail(to: str, way: Way, messages: Sequence[Message], token: str) -> Mail:
    """One mail with all these messages, which one press ends for good (RFC 8058); the link to that names nobody."""
    end = f"{way.base}/unsubscribe/{token}"
    subject = messages[0].heading if len(messages) == 1 else f"cuberails: {len(messages)} messages"
    sections = "\n\n".join(f"{each.heading}\n{each.text}\n{_link(way, each)}" for each in messages)
    rest = f"No more mail like this: {end}\nHow you are called: {way.base}/notifications"
    headers = {"List-Unsubscribe": f"<{end}>", "List-Unsubscribe-Post": "List-Unsubscribe=One-Click"}
    return Mail(to, subject, f"{sections}\n\n-- \n{rest}\n", headers)
