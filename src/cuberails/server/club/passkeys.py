"""Passkeys: a device proves by a signature that it holds a key, and by a finger or a code that its owner is there.

What a device is asked to sign (the challenge) is made from a `state` that the page keeps meanwhile and brings back:
what is being done, by whom, and until when. So no process has to remember it, and each works once.
"""

from __future__ import annotations

import datetime as dt
import secrets
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from fastapi import Request
from sqlalchemy import select
from webauthn import (
    generate_authentication_options,
    generate_registration_options,
    verify_authentication_response,
    verify_registration_response,
)
from webauthn.authentication.verify_authentication_response import VerifiedAuthentication
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url, options_to_json_dict
from webauthn.helpers.exceptions import WebAuthnException
from webauthn.helpers.structs import (
    AuthenticatorSelectionCriteria,
    PublicKeyCredentialDescriptor,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)
from webauthn.registration.verify_registration_response import VerifiedRegistration

from cuberails.server.club import once
from cuberails.server.connections import Statement
from cuberails.server.identity import Identities
from cuberails.server.models import PasskeyRow
from cuberails.server.naming import clean
from cuberails.server.refusal import Refused
from cuberails.server.store import Store, now, time_text

SIGN_UP, SIGN_IN, ADD = "sign-up", "sign-in", "add"

PATIENCE = 300
"""Seconds that somebody may take to look for their key."""

_ADD = "INSERT INTO passkeys (id, person, public_key, sign_count, label, created) VALUES (?, ?, ?, ?, ?, ?)"
_USE = "UPDATE passkeys SET sign_count = ?, used = ? WHERE id = ?"
_REMOVE = "DELETE FROM passkeys WHERE id = ? AND person = ?"

_REQUIRED = UserVerificationRequirement.REQUIRED
"""A passkey is all that is asked for, so the device has to make sure that its owner is there."""

NOT_PROVED = Refused(403, "not_proved", "That passkey could not be checked; try again.")
UNKNOWN = Refused(403, "unknown_passkey", "This passkey belongs to no account here; perhaps it was removed.")


@dataclass(frozen=True)
class Passkey:
    """A passkey of an account."""

    id: str
    person: str
    public_key: bytes
    sign_count: int
    label: str
    created: dt.datetime
    used: dt.datetime | None


@dataclass(frozen=True)
class Site:
    """What a passkey is for: the name of the server, and where its pages are. A key for another site is none here."""

    name: str
    origins: tuple[str, ...]


def site_of(request: Request, public_url: str) -> Site:
    """The site that a request is made to. A proxy need not have said that people come by https: browsers know."""
    place = urlsplit(public_url or str(request.base_url))
    origins = (public_url.rstrip("/"),) if public_url else (f"https://{place.netloc}", f"http://{place.netloc}")
    return Site(place.hostname or "", origins)


class Passkeys:
    """The passkeys of a server, and what is asked of their devices. All of this is to be called in a thread."""

    def __init__(self, store: Store, identities: Identities) -> None:
        self._store = store
        self._identities = identities

    def of(self, person: str) -> list[Passkey]:
        """The passkeys of somebody, the oldest first."""
        query = _PASSKEYS.where(PasskeyRow.person == person).order_by(PasskeyRow.created, PasskeyRow.id)
        with self._store.engine.connect() as connection:
            return [Passkey(*row) for row in connection.execute(query)]

    def _with_id(self, id: str) -> Passkey | None:
        with self._store.engine.connect() as connection:
            row = connection.execute(_PASSKEYS.where(PasskeyRow.id == id)).one_or_none()
        return Passkey(*row) if row else None

    # What a device is asked

    def ask_to_make(self, site: Site, purpose: str, name: str, person: str = "") -> dict[str, Any]:
        """Ask a device for a new passkey, for an account to be (`SIGN_UP`) or for this person's (`ADD`)."""
        state = self._state(purpose, person)
        there = [PublicKeyCredentialDescriptor(base64url_to_bytes(key.id)) for key in self.of(person)] if person else []
        options = generate_registration_options(
            rp_id=site.name,
            rp_name="cuberails",
            user_name=name,
            challenge=self._identities.challenge(state),
            timeout=PATIENCE * 1000,
            authenticator_selection=AuthenticatorSelectionCriteria(
                resident_key=ResidentKeyRequirement.REQUIRED, user_verification=_REQUIRED
            ),
            exclude_credentials=there,
        )
        return {"state": state, "options": options_to_json_dict(options)}

    def ask_to_sign(self, site: Site) -> dict[str, Any]:
        """Ask a device for any passkey that it has for this site."""
        state = self._state(SIGN_IN, "")
        options = generate_authentication_options(
            rp_id=site.name,
            challenge=self._identities.challenge(state),
            timeout=PATIENCE * 1000,
            user_verification=_REQUIRED,
        )
        return {"state": state, "options": options_to_json_dict(options)}

    # What it answers

    def made(
        self, site: Site, state: str, purpose: str, credential: dict[str, Any], label: str, owner: str
    ) -> list[Statement]:
        """A new passkey of this owner: what stores it."""
        used = self._use(state, purpose, owner if purpose == ADD else "")
        found = self._checked_registration(site, state, credential)
        id = bytes_to_base64url(found.credential_id)
        row = (id, owner, found.credential_public_key, found.sign_count, clean(label) or "Passkey", time_text(now()))
        return [*used, (_ADD, [row])]

    def signed(self, site: Site, state: str, credential: dict[str, Any]) -> tuple[str, list[Statement]]:
        """Who has signed, and what notes that."""
        used = self._use(state, SIGN_IN, "")
        passkey = self._with_id(str(credential.get("id", "")).replace("\0", "")[:1400])
        if passkey is None:
            raise UNKNOWN
        found = self._checked_signature(site, state, credential, passkey)
        return passkey.person, [*used, (_USE, [(found.new_sign_count, time_text(now()), passkey.id)])]

    def _checked_registration(self, site: Site, state: str, credential: dict[str, Any]) -> VerifiedRegistration:
        try:
            return verify_registration_response(
                credential=credential,
                expected_challenge=self._identities.challenge(state),
                expected_rp_id=site.name,
                expected_origin=list(site.origins),
                require_user_verification=True,
            )
        except _BAD as error:
            raise NOT_PROVED from error

    def _checked_signature(
        self, site: Site, state: str, credential: dict[str, Any], passkey: Passkey
    ) -> VerifiedAuthentication:
        try:
            return verify_authentication_response(
                credential=credential,
                expected_challenge=self._identities.challenge(state),
                expected_rp_id=site.name,
                expected_origin=list(site.origins),
                credential_public_key=passkey.public_key,
                credential_current_sign_count=passkey.sign_count,
                require_user_verification=True,
            )
        except _BAD as error:
            raise NOT_PROVED from error

    def _state(self, purpose: str, person: str) -> str:
        return f"{purpose} {person} {secrets.token_urlsafe(16)} {int(time.time()) + PATIENCE}"

    def _use(self, state: str, purpose: str, person: str) -> list[Statement]:
        """What notes that a state was used: one for this purpose, by this person, that has not expired."""
        words = state.split(" ")
        if len(words) != 4 or words[:2] != [purpose, person] or not words[3].isdecimal() or len(words[3]) > 12:
            raise NOT_PROVED
        expires = int(words[3])
        if not time.time() < expires <= time.time() + PATIENCE:
            raise Refused(403, "too_late", "That took too long; try again.")
        return once.using(state, now() + dt.timedelta(seconds=PATIENCE))


_BAD = (WebAuthnException, ValueError, TypeError, LookupError, AttributeError)
"""What is raised about an answer that proves nothing, or is none."""

_PASSKEYS = select(
    PasskeyRow.id,
    PasskeyRow.person,
    PasskeyRow.public_key,
    PasskeyRow.sign_count,
    PasskeyRow.label,
    PasskeyRow.created,
    PasskeyRow.used,
)


def removing(id: str, person: str) -> Statement:
    """One of somebody's passkeys lets nobody in any more."""
    return _REMOVE, [(id, person)]
