"""Web push through a push service of the tests' own: only the device can read what comes, and it knows from whom."""

from __future__ import annotations

import json
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Iterator

import http_ece  # type: ignore[import-untyped]
import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from cuberails.server.club.calls import MOST_LETTERS
from cuberails.server.club.messages import Message
from cuberails.server.club.outbox import PUSH, Way
from cuberails.server.club.push import PushKeys, push_letter
from cuberails.server.store import now
from tests.server.club.conftest import calling_at_once
from tests.server.club.receiver import Received, Receiver
from tests.server.club.test_accounts import Club
from tests.server.house import Guests, House, Json, Person, until


class Device:
    """A browser's push subscription at a service on this machine."""

    def __init__(self, service: Receiver, name: str = "device") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._auth = os.urandom(16)
        point = self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        keys = {"p256dh": text(point), "auth": text(self._auth)}
        self.subscription = {"kind": "push", "target": f"{service.url}/{name}", "keys": keys, "label": "Ann's phone"}

    def read(self, received: Received) -> Json:
        plain = http_ece.decrypt(received.body, private_key=self._key, auth_secret=self._auth, version="aes128gcm")
        found: Json = json.loads(plain)
        return found


def text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()


def data(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


def check_signature(received: Received, key: str) -> Json:
    """What the server says of itself (VAPID), signed with this key."""
    scheme, _, rest = received.headers["authorization"].partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    assert (scheme, parts["k"]) == ("vapid", key)
    head, claims, signature = parts["t"].split(".")
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(key))
    raw = data(signature)
    der = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public.verify(der, f"{head}.{claims}".encode(), ec.ECDSA(hashes.SHA256()))
    found: Json = json.loads(data(claims))
    return found


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    with calling_at_once(tmp_path_factory.mktemp("house") / "house.db") as house:
        yield house


def subscribe(person: Person, device: Device) -> str:
    added: Json = person.post("/api/notifications", device.subscription, 201)
    return str(added["id"])


def test_a_device_gets_what_only_it_can_read(guest: Guests, receiver: Receiver) -> None:
    ann, device = guest(), Device(receiver)
    opened = ann.open()
    bob = guest.with_link(opened["links"][1])
    subscribe(bob, device)
    ann.act(opened["id"], 0, 0, "bid 12")
    (request,) = receiver.wait_for(1)
    assert request.path == "/device"
    words = device.read(request)
    assert (words["heading"], words["path"]) == ("Your turn: Wabash Cannonball", f"/t/{opened['id']}")
    assert words["waiting"] == 1
    assert (request.headers["content-encoding"], request.headers["topic"]) == ("aes128gcm", opened["id"])
    assert int(request.headers["ttl"]) > 3600
    claims = check_signature(request, bob.get("/api/notifications")["push_key"])
    assert claims["aud"] == receiver.url
    assert claims["sub"] == str(bob.http.base_url).rstrip("/")
    with pytest.raises(http_ece.ECEException):
        Device(receiver).read(request)


def test_whatever_people_are_called_a_message_is_no_larger_than_push_services_take(receiver: Receiver) -> None:
    """4,096 bytes (RFC 8030); and the longest names and requests, of letters beyond the first plane."""
    keys = json.dumps(Device(receiver).subscription["keys"])
    way = Way("id", "ann", PUSH, "https://push.example/1", keys, "phone", "https://play.example", now())
    text = "🚂" * MOST_LETTERS + f". With {', '.join(['🚃' * 40] * 5)}."
    sent = Message("id", "undo", "Somebody asks to go back: Baltimore & Ohio", text, "/t/qAYsGAChskom", "qAYsGAChskom")
    assert len(push_letter(way, sent, PushKeys(b"seed")).body) <= 4096


@pytest.mark.parametrize("status", [404, 410])
def test_a_device_that_is_gone_is_removed(guest: Guests, receiver: Receiver, status: int) -> None:
    receiver.status = status
    ann = guest()
    opened = ann.open()
    bob = guest.with_link(opened["links"][1])
    subscribe(bob, Device(receiver))
    ann.act(opened["id"], 0, 0, "bid 12")
    until(lambda: bob.get("/api/notifications")["ways"] == [])


def test_a_device_belongs_to_whoever_uses_it_now(guest: Guests, receiver: Receiver) -> None:
    ann, bob = guest(), guest()
    ann.open()
    bob.open()
    device = Device(receiver)
    subscribe(ann, device)
    subscribe(bob, device)
    assert ann.get("/api/notifications")["ways"] == []
    assert [way["label"] for way in bob.get("/api/notifications")["ways"]] == ["Ann's phone"]


def test_a_device_that_is_signed_out_is_not_called_any_more(house: House, guest: Guests, receiver: Receiver) -> None:
    club = Club(house.tables)
    account = club.account("Bob")
    laptop, phone = guest(club.sign_in(account)), guest(club.sign_in(account))
    here, there = subscribe(laptop, Device(receiver, "laptop")), subscribe(phone, Device(receiver, "phone"))
    stranger = guest()
    subscribe(stranger, Device(receiver, "stranger"))
    assert [way["id"] for way in laptop.get("/api/notifications")["ways"]] == [here, there]
    laptop.post("/api/account/devices/sign-out", {"id": "others"})
    assert [way["id"] for way in laptop.get("/api/notifications")["ways"]] == [here]
    laptop.post("/api/account/sign-out", {})
    again = guest(club.sign_in(account))
    assert again.get("/api/notifications")["ways"] == []
    assert len(stranger.get("/api/notifications")["ways"]) == 1  # guests sign in and out of nothing


@pytest.mark.parametrize(
    "keys", [{}, {"p256dh": "AAAA", "auth": "AAAA"}, {"p256dh": text(b"\4" + bytes(64)), "auth": text(bytes(16))}]
)
def test_keys_that_are_none_are_refused(guest: Guests, receiver: Receiver, keys: dict[str, str]) -> None:
    request = {"kind": "push", "target": receiver.url, "keys": keys}
    assert guest().post("/api/notifications", request, 422)["error"] == "bad_keys"


def test_a_push_service_in_the_network_of_the_server_is_refused(guest: Guests, receiver: Receiver) -> None:
    subscription = {**Device(receiver).subscription, "target": "https://10.0.0.1/push"}
    assert guest().post("/api/notifications", subscription, 422)["error"] == "bad_address"


def test_the_keys_of_a_server_follow_from_its_secret() -> None:
    assert PushKeys(b"a").public == PushKeys(b"a").public != PushKeys(b"b").public
    assert len(data(PushKeys(b"a").public)) == 65
