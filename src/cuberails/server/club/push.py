"""Web push: messages that the push service of somebody's browser brings to their device.

They are encrypted so that only that device reads them (RFC 8291), and signed so that the push service knows this server
again (VAPID, RFC 8292). The keys for that are made from the secret of the server: all its processes have the same. The
libraries are large, and loaded when they are needed for the first time; so call these functions in a thread.
"""

from __future__ import annotations

import hashlib
import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from cuberails.server.club.messages import Letter, Message
from cuberails.server.club.outbox import Way
from cuberails.server.refusal import Refused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey

KEEP = 24 * 3600
"""So many seconds a push service keeps a message for a device that is off."""

_P256_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_POINT_BYTES, _AUTH_BYTES = 65, 16


class PushKeys:
    """The keys by which push services know this server, made from this seed."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed

    @cached_property
    def private(self) -> EllipticCurvePrivateKey:
        from cryptography.hazmat.primitives.asymmetric import ec

        number = int.from_bytes(hashlib.sha512(self._seed).digest(), "big") % (_P256_ORDER - 1) + 1
        return ec.derive_private_key(number, ec.SECP256R1())

    @cached_property
    def public(self) -> str:
        """The public key, as browsers want it when a device subscribes."""
        from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return urlsafe_b64encode(point).rstrip(b"=").decode()

    def signature(self, way: Way) -> dict[str, str]:
        """The header that says which server sends, and where its host can be found."""
        from py_vapid import Vapid02  # type: ignore[import-untyped]

        endpoint = urlsplit(way.target)
        claims = {"aud": f"{endpoint.scheme}://{endpoint.netloc}", "sub": way.base}
        headers: dict[str, str] = Vapid02(self.private, {"no-strict": True}).sign(claims)
        return headers


def push_letter(way: Way, sent: Message, keys: PushKeys) -> Letter:
    """A message for one device. One about the same table that still waits at the push service is replaced."""
    from pywebpush import WebPusher  # type: ignore[import-untyped]

    words = {"heading": sent.heading, "text": sent.text, "path": sent.path, "waiting": sent.waiting}
    info = {"endpoint": way.target, "keys": json.loads(way.secret)}
    body: bytes = WebPusher(info).encode(json.dumps(words, ensure_ascii=False).encode(), "aes128gcm")["body"]
    headers = {"Content-Encoding": "aes128gcm", "Content-Type": "application/octet-stream"}
    headers |= {"TTL": str(KEEP), "Urgency": "high", "Topic": sent.table or sent.kind}
    return Letter(way.target, body, headers | keys.signature(way))


def checked_keys(keys: Mapping[str, str]) -> str:
    """The keys of a device as they are stored."""
    from cryptography.hazmat.primitives.asymmetric import ec

    try:
        point, auth = (_decoded(keys[name]) for name in ("p256dh", "auth"))
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), point)
        usable = len(point) == _POINT_BYTES and len(auth) == _AUTH_BYTES
    except (KeyError, ValueError):
        usable = False
    if not usable:
        raise Refused(422, "bad_keys", "These are not the keys of a browser's push subscription: p256dh and auth.")
    return json.dumps({name: keys[name] for name in ("p256dh", "auth")})


def _decoded(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
