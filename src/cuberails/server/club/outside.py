"""Requests to receivers out there: people's webhooks, and the push services of their browsers.

All of it happens on an event loop in a thread of its own, so that no name that is slow to look up, no handshake and no
receiver that hangs can hold the tables up. Nobody reaches the network of the server itself by way of it (SSRF): every
address that a name stands for must be on the public internet, the connection is made to an address that was looked at
and not to the name, which may stand for another one by then, httpx-secure looks at it once more, and redirects are not
followed. Of an answer only its status is read.
"""

from __future__ import annotations

import asyncio
import logging
import socket
from collections.abc import Coroutine, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Lock, Thread
from typing import TYPE_CHECKING, NamedTuple, TypeVar
from urllib.parse import SplitResult, urlsplit

if TYPE_CHECKING:
    import httpx

TIMEOUT = 10.0
"""Seconds for all of a request, from looking the name up to the status of the answer."""

MOST_REQUESTS = 16
"""So many requests at once."""

LOOKUP_TIMEOUT = 5.0
"""Seconds of that for looking the name up."""

LOOKUPS = 64
"""So many names can be looked up at once. A lookup that hangs keeps its thread for as long as the system lets it, and
nobody else may wait for that."""

CONNECT_TIMEOUT = 3.0
"""Seconds of that for a connection to one address, before the next one of a name is tried."""

MOST_ADDRESSES = 3
"""So many addresses of a name are tried."""

MOST_URL = 1000
"""Letters of an address."""

IpAddress = IPv4Address | IPv6Address
Result = TypeVar("Result")

_NAT64 = ip_network("64:ff9b::/96")
_PUBLIC_IPV6 = ip_network("2000::/3")
"""All that the IANA has opened for the public internet (RFC 4291): no other IPv6 addresses lead there, such as those
of sites, of networks' own translators (RFC 8215), or old forms that have an IPv4 address inside."""


class Forbidden(Exception):
    """An address that nobody here asks; the sentence says why."""


class UnknownName(Forbidden):
    """A name that cannot be looked up, perhaps only now."""


class Answer(NamedTuple):
    """The status of an answer, or 0 if there was none; for how many seconds one should wait; and what went wrong."""

    status: int
    retry_after: float = 0
    trouble: str = ""


class Outside:
    """Asks receivers. `own_networks` are those of the host that may be asked, too, and without https."""

    def __init__(self, own_networks: Sequence[str] = ()) -> None:
        self._own = [ip_network(network) for network in own_networks]
        self._lock = Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._client: httpx.AsyncClient | None = None

    async def run(self, work: Coroutine[None, None, Result]) -> Result:
        """Have something done on that other loop, and wait for it on this one."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._started()))

    def _started(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                self._loop = asyncio.new_event_loop()
                self._loop.set_default_executor(ThreadPoolExecutor(LOOKUPS, "outside"))
                Thread(target=_serve, args=(self._loop,), name="outside", daemon=True).start()
            return self._loop

    async def close(self) -> None:
        """Break off what is under way, and end."""
        with self._lock:
            loop, self._loop = self._loop, None
        if loop is not None:
            await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(self._end(), loop))
            loop.call_soon_threadsafe(loop.stop)

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        if self._client is not None:
            await self._client.aclose()

    # On that loop

    async def post(self, url: str, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Send something; whatever goes wrong is told in the answer, but for what is Forbidden."""
        import httpx
        from httpx_secure import SSRFProtectionError

        try:
            async with asyncio.timeout(TIMEOUT):
                addresses = await self.check(url)
                return await self._post(httpx.URL(url), addresses[:MOST_ADDRESSES], body, headers)
        except UnknownName as error:
            return Answer(0, trouble=str(error))
        except SSRFProtectionError:
            raise Forbidden(_NOT_PUBLIC) from None
        except TimeoutError:
            return Answer(0, trouble=f"it did not answer within {TIMEOUT:g} seconds")
        except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
            return Answer(0, trouble=f"it cannot be reached ({type(error).__name__})")

    async def _post(
        self, url: httpx.URL, addresses: Sequence[IpAddress], body: bytes, headers: Mapping[str, str]
    ) -> Answer:
        """Send something to the first of these addresses that takes the connection."""
        import httpx

        there = url.copy_with(host=str(addresses[0]))
        named = {**headers, "Host": url.netloc.decode()}
        name = {"sni_hostname": url.raw_host.decode()}
        try:
            async with self._asking().stream("POST", there, content=body, headers=named, extensions=name) as answer:
                return Answer(answer.status_code, _seconds(answer.headers.get("retry-after", "")))
        except (httpx.ConnectError, httpx.ConnectTimeout):
            if len(addresses) == 1:
                raise
        return await self._post(url, addresses[1:], body, headers)

    def _asking(self) -> httpx.AsyncClient:
        """The client of that loop; httpx is loaded when somebody is called for the first time."""
        if self._client is None:
            import httpx
            from httpx_secure import httpx_ssrf_protection

            logging.getLogger("httpx").setLevel(logging.WARNING)  # it would log addresses, which are secrets
            logging.getLogger("httpcore").setLevel(logging.WARNING)
            timeout = httpx.Timeout(TIMEOUT, connect=CONNECT_TIMEOUT)
            # None is kept: connections are known by their address, and two names may have the same.
            limits = httpx.Limits(max_connections=MOST_REQUESTS, max_keepalive_connections=0)
            client = httpx.AsyncClient(timeout=timeout, limits=limits, trust_env=False, follow_redirects=False)
            self._client = httpx_ssrf_protection(
                client,
                check_globally_reachable=False,
                custom_validator=lambda _, address, __: self._allowed(address),
                dns_cache_ttl=0,
            )
        return self._client

    async def check(self, url: str) -> list[IpAddress]:
        """The addresses that the name in a URL stands for; Forbidden unless all of them may be asked."""
        parts = _parts(url)
        addresses = await _looked_up(parts)
        if not all(self._allowed(address) for address in addresses):
            raise Forbidden(_NOT_PUBLIC)
        if parts.scheme != "https" and not all(self._is_own(address) for address in addresses):
            raise Forbidden("the address must begin with https://")
        return addresses

    def _allowed(self, address: IpAddress) -> bool:
        return self._is_own(address) or all(map(_is_public, _meanings(address)))

    def _is_own(self, address: IpAddress) -> bool:
        return any(address in network for network in self._own)


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    loop.run_forever()
    loop.close()


_NOT_PUBLIC = "that address is not on the public internet"


def _parts(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        usable = parts.scheme in ("https", "http") and parts.hostname and not parts.username and parts.port != 0
    except ValueError:
        usable = False
    if not usable or len(url) > MOST_URL or not url.isprintable() or " " in url:
        raise Forbidden("the address must look like https://example.org/…")
    return parts


async def _looked_up(parts: SplitResult) -> list[IpAddress]:
    """All addresses that the name in a URL stands for."""
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        async with asyncio.timeout(LOOKUP_TIMEOUT):
            found = await asyncio.get_running_loop().getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except TimeoutError:  # before OSError, of which it is one
        raise UnknownName(f"the name {parts.hostname} could not be looked up within {LOOKUP_TIMEOUT:g} s") from None
    except (OSError, UnicodeError):
        raise UnknownName(f"nobody knows the name {parts.hostname}") from None
    return list(dict.fromkeys(_address(str(each[4][0])) for each in found))


def _address(text: str) -> IpAddress:
    return ip_address(text.partition("%")[0])


def _meanings(address: IpAddress) -> list[IpAddress]:
    """What is asked under an address: those of the older kind that it carries inside, too (6to4, Teredo), or they alone
    (mapped, NAT64)."""
    if isinstance(address, IPv4Address):
        return [address]
    if address.ipv4_mapped:
        return [address.ipv4_mapped]
    if address in _NAT64:
        return [IPv4Address(address.packed[-4:])]
    inside = [address.sixtofour, *(address.teredo or ())]
    return [address, *(each for each in inside if each is not None)]


def _is_public(address: IpAddress) -> bool:
    somewhere = isinstance(address, IPv4Address) or address in _PUBLIC_IPV6
    return somewhere and address.is_global and not address.is_multicast


def _seconds(text: str) -> float:
    """What an answer says in Retry-After; dates are not read."""
    return float(text) if text.isdecimal() and len(text) < 9 else 0.0
