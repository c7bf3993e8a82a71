"""Mail that the server sends, through a real mail server on this machine."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from cuberails.server.club.mail import Mail, Mailer, MailFailed, mail_address
from cuberails.server.settings import Settings
from tests.browser.serving import free_port
from tests.server.club.postbox import Postbox


@pytest.fixture
def postbox() -> Iterator[Postbox]:
    box = Postbox()
    yield box
    box.close()


def send(settings: dict[str, Any], mail: Mail) -> None:
    asyncio.run(Mailer(Settings(**settings)).send(mail))


def test_a_mail_comes_as_it_was_written(postbox: Postbox) -> None:
    link = "<https://play.example.org/unsubscribe>"
    send(postbox.settings, Mail("ann@example.org", "Your turn, Bjørn", "Grüße\n", {"List-Unsubscribe": link}))
    (mail,) = postbox.mails
    assert (mail["From"], mail["To"]) == ("Cube rails <play@example.org>", "ann@example.org")
    assert (mail["Subject"], mail.get_content().strip()) == ("Your turn, Bjørn", "Grüße")
    assert mail["List-Unsubscribe"] == link
    assert mail["Auto-Submitted"] == "auto-generated"
    assert mail["Message-ID"].endswith("@example.org>")
    assert mail["Date"]


def test_the_link_that_ends_mail_stays_in_one_piece_however_long_it_is(postbox: Postbox) -> None:
    """A header that was broken or encoded would be no link to any mail program (RFC 8058)."""
    header = f"<https://play.example.org/unsubscribe/{'a' * 90}>"
    send(postbox.settings, Mail("ann@example.org", "Your turn", "Hello\n", {"List-Unsubscribe": header}))
    assert f"\r\nList-Unsubscribe: {header}\r\n".encode() in postbox.raw[0]


@pytest.mark.parametrize(
    ("answer", "final"), [("550 nobody@example.org is unknown", True), ("451 nobody@example.org later", False)]
)
def test_a_mail_that_is_refused_says_so_without_the_address(postbox: Postbox, answer: str, final: bool) -> None:
    postbox.answer = answer
    with pytest.raises(MailFailed) as failed:
        send(postbox.settings, Mail("nobody@example.org", "Hello", "Hello"))
    assert failed.value.final is final
    assert "nobody" not in str(failed.value)


def test_a_mail_server_that_does_not_answer_is_no_final_failure(postbox: Postbox) -> None:
    with pytest.raises(MailFailed, match="cannot be reached") as failed:
        send(postbox.settings | {"smtp_port": free_port()}, Mail("ann@example.org", "Hello", "Hello"))
    assert not failed.value.final


def test_a_mail_server_that_hangs_is_given_up(postbox: Postbox, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cuberails.server.club.mail.MOST_TIME", 0.2)
    with (
        socket.create_server(("127.0.0.1", 0)) as silent,
        pytest.raises(MailFailed, match="cannot be reached") as failed,
    ):
        send(postbox.settings | {"smtp_port": silent.getsockname()[1]}, Mail("ann@example.org", "Hello", "Hello"))
    assert not failed.value.final


def test_a_password_is_never_sent_in_the_clear_where_the_way_is_to_be_made_safe(postbox: Postbox) -> None:
    settings = postbox.settings | {"smtp_security": "starttls", "smtp_user": "play", "smtp_password": "hunter2"}
    with pytest.raises(MailFailed):  # this mail server knows no STARTTLS
        send(settings, Mail("ann@example.org", "Hello", "Hello"))
    assert postbox.mails == []


def test_no_line_of_a_header_can_be_smuggled_in(postbox: Postbox) -> None:
    with pytest.raises(ValueError, match="line"):
        send(postbox.settings, Mail("ann@example.org", "Hello\nBcc: eve@example.org", "Hello"))
    assert postbox.mails == []


def test_without_a_mail_server_no_mail_is_offered() -> None:
    assert not Mailer(Settings()).ready


@pytest.mark.parametrize("text", ["ann@example.org", " Ann@Example.ORG ", "a.b+c@x-y.example", "o'neill_1@1.xn--p1ai"])
def test_an_address_is_known_however_it_is_typed(text: str) -> None:
    assert mail_address(text) == text.strip().lower()


@pytest.mark.parametrize(
    "text",
    [
        *("", "ann", "ann@", "@example.org", "ann@localhost", "a b@example.org", "ann@example.org, bob@example.org"),
        *("ann@example.org\nBcc: eve@example.org", "<ann@example.org>", "ann@exa_mple.org", f"{'a' * 250}@example.org"),
        *("ann\u2028@example.org", "ann\x85@example.org", "ann\xa0@example.org", "ann@-example.org", "ann@10.0.0.1"),
        "=?utf-8?q?eve=40example.org=2C?=@example.org",  # read as an address of its own
    ],
)
def test_what_is_no_address_is_none(text: str) -> None:
    assert mail_address(text) == ""
