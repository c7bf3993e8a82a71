"""Passwords, for those who can use neither a passkey nor mail: hashed slowly (Argon2id), beside the event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property
from typing import TypeVar

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

from cuberails.server.refusal import Refused

Result = TypeVar("Result")

LEAST, MOST = 10, 200
"""How many letters a password has."""

AT_ONCE = 2
"""How many are hashed at a time."""

HASHER = PasswordHasher(time_cost=2, memory_cost=19_456, parallelism=1)
"""What OWASP recommends for Argon2id: 19 MiB, twice."""

WRONG = Refused(403, "wrong_password", "That name and password do not belong together.")


class Passwords:
    """Makes and compares hashes, in a few threads of its own."""

    def __init__(self) -> None:
        self._hasher = HASHER
        self._threads = ThreadPoolExecutor(AT_ONCE, thread_name_prefix="password")

    async def hashed(self, password: str) -> str:
        """What is stored of a new password."""
        if len(password) < LEAST:
            raise Refused(400, "short_password", f"A password needs {LEAST} letters or more: a few words, for example.")
        return await self._in_thread(self._hasher.hash, password)

    async def fits(self, password: str, stored: str) -> bool:
        """Whether that is the password. It takes as long if there is none: nobody learns by a clock who has one."""
        return await self._in_thread(self._fits, password, stored)

    def is_old(self, stored: str) -> bool:
        """Whether a hash was made with less care than is usual today."""
        return self._hasher.check_needs_rehash(stored)

    def _fits(self, password: str, stored: str) -> bool:
        try:
            return self._hasher.verify(stored or self._of_nobody, password) and bool(stored)
        except (Argon2Error, InvalidHashError):
            return False

    @cached_property
    def _of_nobody(self) -> str:
        return self._hasher.hash("nobody's password")

    async def _in_thread(self, call: Callable[..., Result], *words: str) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *words)
