"""A device with passkeys, for tests of the server alone: it answers what it is asked as a browser would."""

from __future__ import annotations

import json
import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ec import ECDSA, SECP256R1, EllipticCurvePrivateKey, generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256
from webauthn.helpers import encode_cbor

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40
"""What a device says about its owner, and that a new key follows."""

Json = dict[str, Any]


class Device:
    """A device that holds passkeys for one origin; tests may have it say what is not so."""

    def __init__(self, origin: str, site: str = "", flags: int = PRESENT | VERIFIED) -> None:
        self.origin = origin
        self.site = site or origin.partition("://")[2].partition(":")[0]
        self.flags = flags
        self.count = 0
        self.keys: dict[str, EllipticCurvePrivateKey] = {}

    def make(self, asked: Json) -> Json:
        """A new passkey, as the browser hands it on."""
        id, key = secrets.token_bytes(20), generate_private_key(SECP256R1())
        self.keys[text(id)] = key
        numbers = key.public_key().public_numbers()
        public = encode_cbor({1: 2, 3: -7, -1: 1, -2: numbers.x.to_bytes(32, "big"), -3: numbers.y.to_bytes(32, "big")})
        held = bytes(16) + len(id).to_bytes(2, "big") + id + public
        attested = encode_cbor({"fmt": "none", "attStmt": {}, "authData": self._said(ATTESTED) + held})
        response = {"clientDataJSON": text(self._client("create", asked)), "attestationObject": text(attested)}
        return self._credential(text(id), response)

    def sign(self, asked: Json, id: str = "") -> Json:
        """An answer with the last passkey, or another."""
        id = id or list(self.keys)[-1]
        self.count += 1
        said, client = self._said(), self._client("get", asked)
        signature = self.keys[id].sign(said + sha256(client).digest(), ECDSA(SHA256()))
        response = {"clientDataJSON": text(client), "authenticatorData": text(said), "signature": text(signature)}
        return self._credential(id, response)

    def _said(self, more: int = 0) -> bytes:
        return sha256(self.site.encode()).digest() + bytes([self.flags | more]) + self.count.to_bytes(4, "big")

    def _client(self, kind: str, asked: Json) -> bytes:
        said = {"type": f"webauthn.{kind}", "challenge": asked["options"]["challenge"], "origin": self.origin}
        return json.dumps(said).encode()

    def _credential(self, id: str, response: Json) -> Json:
        return {"id": id, "rawId": id, "type": "public-key", "response": response}


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
