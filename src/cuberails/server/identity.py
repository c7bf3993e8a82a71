"""Who people are: names that only this server gives, and the keys of seats, all made with one secret of the server.

What stands in the database lets nobody in: persons by their names, seats by numbers that their keys are made from
(HMAC). The secret is in the settings, or in a file of its own beside the database.
"""

from __future__ import annotations

import hashlib
import hmac
import os
import re
import secrets
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable, Sequence
from pathlib import Path

from cuberails.core.title import SetupError

VALID_DAYS = 400
"""So long somebody who never comes is remembered; browsers forget cookies after that time, too."""

HASHED = "~"
"""What a name begins with that is the digest of a secret: the key of a seat, or the cookie of release 0.1."""

ACCOUNT = "@"
"""What the name of a person with an account begins with: no token that this server signs says so, only a session."""

GONE = "-"
"""In place of somebody who has left for good; nobody is called so."""

SESSION = "session."
"""What the token of a session begins with."""

_TOKEN = re.compile(r"(~?[\w-]{20,43})\.(\d{1,6})\.([\w-]{22})", re.ASCII)
_SECRET = re.compile(r"[\w.~-]{16,64}", re.ASCII)
"""What can be a secret: long enough that nobody guesses it."""


class Identities:
    """Names people and makes the keys of seats. `today` is a number of days."""

    def __init__(self, secret: bytes, today: Callable[[], int] = lambda: int(time.time() // 86400)) -> None:
        self._secret = secret
        self._today = today

    def new_person(self) -> str:
        """A name for somebody who comes for the first time."""
        return secrets.token_urlsafe(15)

    def new_account(self) -> str:
        """A name for somebody with an account."""
        return ACCOUNT + self.new_person()

    def token(self, person: str) -> str:
        """What somebody shows to be known again: the name, the day and a signature. There is a new one every day.

        "" for whoever has an account: they sign in.
        """
        if has_account(person):
            return ""
        return self._signed(person, self._today())

    def who(self, given: str) -> str:
        """Whose token that is. Of any other secret the digest, which may be that of a key; "" if it is neither."""
        found = _TOKEN.fullmatch(given)
        if given.startswith(SESSION):
            return ""
        if found is None:
            return hashed(given) if _SECRET.fullmatch(given) else ""
        person, day = found[1], int(found[2])
        genuine = hmac.compare_digest(self._signed(person, day), given)
        return person if genuine and 0 <= self._today() - day <= VALID_DAYS else ""

    def challenge(self, state: str) -> bytes:
        """What a passkey has to sign that belongs to this state: nobody else can make one."""
        return hmac.digest(self._secret, f"passkey\0{state}".encode("utf-8", "replace"), "sha256")

    def seed(self, purpose: str) -> bytes:
        """What keys for another purpose can be made from."""
        return hmac.digest(self._secret, f"seed\0{purpose}".encode(), "sha256")

    def mail_token(self, id: str) -> str:
        """What ends the mail with this id, in a link: it names nobody, and lets nobody in."""
        return f"{id}.{self._mac('mail', id, length=16)}"

    def seat_key(self, table: str, seat: int, nonce: str) -> str:
        """The key in the link of a seat."""
        return self._mac("seat", table, str(seat), nonce, length=18)

    def seats_by_key(self, table: str, nonces: Sequence[str]) -> dict[str, int]:
        """The seats of a table by the digests of their keys; a nonce is "" where no link leads.

        A nonce that is a digest itself is that of a key of release 0.1, which still opens the seat.
        """
        links = [(n, nonce) for n, nonce in enumerate(nonces) if nonce]
        made = {hashed(self.seat_key(table, n, nonce)): n for n, nonce in links}
        return made | {nonce: n for n, nonce in links if nonce.startswith(HASHED)}

    def contact(self, viewer: str, person: str) -> str:
        """What a person is called in what `viewer` is told of people: it says to nobody else who that is."""
        return self._mac("contact", viewer, person, length=12)

    def _signed(self, person: str, day: int) -> str:
        return f"{person}.{day}.{self._mac('person', person, str(day), length=16)}"

    def _mac(self, *words: str, length: int) -> str:
        digest = hmac.digest(self._secret, "\0".join(words).encode("utf-8", "replace"), "sha256")
        return urlsafe_b64encode(digest[:length]).rstrip(b"=").decode()


def hashed(secret: str) -> str:
    """The digest of a secret, as a name."""
    digest = hashlib.sha256(secret.encode("utf-8", "replace")).digest()
    return HASHED + urlsafe_b64encode(digest).rstrip(b"=").decode()


def has_account(person: str) -> bool:
    """Whether that is the name of somebody with an account."""
    return person.startswith(ACCOUNT)


def stored_secret(file: Path) -> bytes:
    """The secret of a server in this file, which only its owner can read; a new one if there is none yet."""
    try:
        made = secrets.token_urlsafe(32)
        _write_once(file, made)
        found = file.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SetupError(f"{file} cannot hold the secret of the server: {error}") from None
    if len(found) < 32:
        raise SetupError(f"{file} holds no secret of a server; restore it, or remove it to have all people start anew")
    return found.encode()


def _write_once(file: Path, text: str) -> None:
    """Make a file with its whole content at once, unless it is there: several servers may start together."""
    if file.exists():
        return
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        with open(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
            out.write(text + "\n")
        os.link(draft, file)
    except FileExistsError:
        pass  # another one was quicker
    finally:
        draft.unlink(missing_ok=True)
