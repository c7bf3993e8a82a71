"""The settings of a server, all in one place: from the command line, the environment, and a file.

A setting `pace` is `--pace` on the command line where there is such an option, `CUBERAILS_PACE` in the environment, and
`pace = 0.5` in the TOML file that `--settings` or `CUBERAILS_SETTINGS` names. The command line wins over the
environment, and the environment over the file. docs/hosting.md explains each one to hosts.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from difflib import get_close_matches
from email.utils import parseaddr
from ipaddress import ip_network
from pathlib import Path

from cuberails.core.title import SetupError

PREFIX = "CUBERAILS_"
FILE = "settings"
"""The name of the setting that names the file with the others."""

LARGEST_FILE = 100_000
"""Bytes; a file of settings has a hundredth of this."""

METRICS = ("loopback", "everybody", "nobody")
LOG_FORMATS = ("text", "json")
SMTP_SECURITY = ("starttls", "tls", "none")
LOG_LEVELS = ("debug", "info", "warning", "error")

SECRETS = ("secret", "smtp_password", "oidc_client_secret")
"""The settings that nobody should read."""

Value = str | int | float | bool | tuple[str, ...]


class SettingsError(SetupError):
    """A setting that cannot be used: where it was given, what was found, and what would be right."""


@dataclass(frozen=True)
class Settings:
    """How a server runs."""

    host: str = "127.0.0.1"
    """The address to listen at; 0.0.0.0 or :: for everybody."""

    port: int = 8000
    """The port to listen at; 0 for any that is free."""

    host_names: tuple[str, ...] = ()
    """The names of this server, such as play.example.org; requests for any other are refused, unless this is empty."""

    database: str = ""
    """Where tables are stored: a file of SQLite, or the URL of a database. `serve` has one in your data folder."""

    secret: str = ""
    """What the names of people and the keys of seats are made with; if empty, it is made and kept in a file."""

    public_url: str = ""
    """What people call this server, such as https://play.example.org: where links in mails lead."""

    smtp_host: str = ""
    """The mail server that takes the server's mail; without one no mail is sent."""

    smtp_port: int = 587
    """Its port."""

    smtp_security: str = "starttls"
    """How the way there is made safe: starttls, tls (from the start, usually port 465), or none."""

    smtp_user: str = ""
    """Who the mail server knows this one as; empty if it asks nobody."""

    smtp_password: str = ""
    """What it wants to hear from them."""

    mail_from: str = ""
    """Whom mail is from: an address, or a name and an address such as Cube rails <play@example.org>."""

    oidc_issuer: str = ""
    """A provider of OpenID Connect with whose accounts people may sign in, such as https://id.example.org."""

    oidc_client_id: str = ""
    """What this server is called there."""

    oidc_client_secret: str = ""
    """What it shows there to be believed."""

    oidc_name: str = "another account"
    """What people call the provider: "Sign in with …"."""

    processes: int = 1
    """Processes that serve at one port; more than one need PostgreSQL."""

    pace: float = 0.35
    """Seconds between two actions where bots play alone; at other tables they do not wait."""

    open_table_days: int = 14
    """Days after which an open table is closed when nobody comes or goes there any more."""

    bot_processes: int = 0
    """Processes in which bots think; 0 for one less than the machine has cores."""

    trusted_proxies: tuple[str, ...] = ()
    """Addresses or networks of proxies that are believed when they say for whom they ask."""

    connections: int = 1000
    """How many connections can be open at once; beyond that, idle ones are closed first."""

    connections_per_address: int = 200
    """How many of them from one address; this machine and the trusted proxies are not limited."""

    private_receivers: tuple[str, ...] = ()
    """Addresses or networks of your own that people's webhooks may reach; all others must be on the public internet."""

    metrics: str = "loopback"
    """Who may read /metrics: loopback (this machine), everybody, or nobody."""

    log_format: str = "text"
    """text (key=value) or json; either way one line a record."""

    log_level: str = "warning"
    """debug, info, warning or error."""

    access_log: bool = False
    """Whether each request is logged."""

    @property
    def home(self) -> str:
        """Where links to this server begin: https://play.example.org; "" if nobody has said it."""
        named = f"https://{self.host_names[0]}" if self.host_names else ""
        return self.public_url.rstrip("/") or named

    @property
    def database_url(self) -> str:
        """The database as SQLAlchemy wants it."""
        if not self.database:
            raise SettingsError(f"no database was named; set {PREFIX}DATABASE to a file or a URL")
        if self.database.startswith(("postgresql://", "postgres://")):
            return f"postgresql+psycopg://{self.database.partition('://')[2]}"
        if "://" in self.database:
            return self.database
        return f"sqlite:///{Path(os.path.expanduser(self.database)).absolute()}"

    @property
    def secret_file(self) -> Path:
        """Where the secret is kept: beside a file of SQLite, otherwise in the home of whoever runs the server."""
        if self.database_url.startswith("sqlite:///"):
            return Path(self.database_url.removeprefix("sqlite:///") + ".key")
        return Path("~/.cuberails.key").expanduser()

    @property
    def bot_workers(self) -> int:
        return self.bot_processes or max(1, (os.cpu_count() or 2) - 1)


KNOWN = {field.name: field.default for field in fields(Settings)}
"""The settings and what they are unless somebody says otherwise."""


def read_settings(environment: Mapping[str, str], file: str | None = None, **given: object) -> Settings:
    """The settings as a host gave them; `given` is the command line, where None means that nothing was said."""
    named = file or environment.get(f"{PREFIX}{FILE.upper()}", "")
    found = _in_file(named) if named else {}
    found |= _in_environment(environment)
    found |= {name: _checked(name, value, f"--{name}") for name, value in given.items() if value is not None}
    settings = Settings(**found)  # type: ignore[arg-type]  # _checked has compared each with its field
    if settings.smtp_host and not (settings.mail_from and settings.home):
        raise SettingsError("smtp_host needs mail_from (whom mail is from) and public_url (where its links lead)")
    if settings.oidc_issuer and not (settings.oidc_client_id and settings.oidc_client_secret and settings.home):
        raise SettingsError(
            "oidc_issuer needs oidc_client_id, oidc_client_secret and public_url, where people come back"
        )
    return settings


def _in_environment(environment: Mapping[str, str]) -> dict[str, Value]:
    names = {name: name.removeprefix(PREFIX).lower() for name in environment if name.startswith(PREFIX)}
    return {
        setting: _checked(setting, environment[name], name, shown=lambda known: PREFIX + known.upper())
        for name, setting in names.items()
        if setting != FILE
    }


def _in_file(name: str) -> dict[str, Value]:
    try:
        with Path(name).expanduser().open("rb") as file:
            text = file.read(LARGEST_FILE + 1)
        content = tomllib.loads(text[:LARGEST_FILE].decode())
    except OSError as error:
        raise SettingsError(f"settings file {name}: {error.strerror or error}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise SettingsError(f"settings file {name} is not TOML: {error}") from None
    return {setting: _checked(setting, value, f"settings file {name}, {setting}") for setting, value in content.items()}


def _checked(name: str, value: object, where: str, shown: Callable[[str], str] = str) -> Value:
    if name not in KNOWN:
        near = [shown(known) for known in get_close_matches(name, KNOWN, 1)]
        hint = f"did you mean {near[0]}? " if near else ""
        raise SettingsError(f"{where}: there is no such setting; {hint}The settings are {', '.join(map(shown, KNOWN))}")
    try:
        found = _READERS[type(KNOWN[name])](value)
        _CHECKS.get(name, _anything)(found)
    except ValueError as error:
        seen = "what nobody should read" if name in SECRETS else repr(str(value)[:60])
        raise SettingsError(f"{where}: found {seen}; it must be {error}") from None
    return found


# Readers: the value of a setting from what stands in the file (of its own type) or in the environment (text)


def _text(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text")
    return value


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError("a whole number")
    try:
        return int(value)
    except ValueError:
        raise ValueError("a whole number") from None


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise ValueError("a number")
    try:
        return float(value)
    except (ValueError, OverflowError):
        raise ValueError("a number") from None


def _switch(value: object) -> bool:
    known = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
    if isinstance(value, bool):
        return value
    if not isinstance(value, str) or value.strip().lower() not in known:
        raise ValueError("true or false")
    return known[value.strip().lower()]


def _texts(value: object) -> tuple[str, ...]:
    """A list in the file; in the environment the same with commas."""
    found = value.split(",") if isinstance(value, str) else value
    if not isinstance(found, list | tuple) or not all(isinstance(item, str) for item in found):
        raise ValueError("a list of texts")
    return tuple(item.strip() for item in found if item.strip())


_READERS: dict[type, Callable[[object], Value]] = {
    str: _text,
    int: _whole,
    float: _number,
    bool: _switch,
    tuple: _texts,
}


# Checks: what a value must be beyond its type


def _anything(_: Value) -> None:
    return None


def _one_of(*known: str) -> Callable[[Value], None]:
    def check(value: Value) -> None:
        if value not in known:
            raise ValueError(f"one of {', '.join(known)}")

    return check


def _between(least: float, most: float) -> Callable[[Value], None]:
    def check(value: Value) -> None:
        if not isinstance(value, int | float) or not least <= value <= most:
            raise ValueError(f"between {least:g} and {most:g}")

    return check


def _web_address(value: Value) -> None:
    if value and not re.fullmatch(r"https?://[^\s/?#@]+/?", str(value)):
        raise ValueError("an address such as https://play.example.org, with nothing behind it")


def _issuer(value: Value) -> None:
    if value and not re.fullmatch(r"https?://[^\s?#@]+", str(value)):
        raise ValueError("an address such as https://id.example.org")


def _from(value: Value) -> None:
    if value and "@" not in parseaddr(str(value))[1]:
        raise ValueError("an address such as play@example.org, or Cube rails <play@example.org>")


def _long_enough(value: Value) -> None:
    if isinstance(value, str) and 0 < len(value) < 32:
        raise ValueError("32 random letters or more, so that nobody guesses it")


def _networks(value: Value) -> None:
    for item in value if isinstance(value, tuple) else ():
        try:
            ip_network(item)
        except ValueError:
            raise ValueError(f"addresses or networks such as 10.0.0.0/8, which {item!r} is not") from None


_CHECKS: dict[str, Callable[[Value], None]] = {
    "port": _between(0, 65535),
    "public_url": _web_address,
    "oidc_issuer": _issuer,
    "smtp_port": _between(1, 65535),
    "smtp_security": _one_of(*SMTP_SECURITY),
    "mail_from": _from,
    "processes": _between(1, 1000),
    "pace": _between(0, 3600),
    "open_table_days": _between(1, 3650),
    "bot_processes": _between(0, 1000),
    "trusted_proxies": _networks,
    "private_receivers": _networks,
    "connections": _between(10, 1_000_000),
    "connections_per_address": _between(1, 1_000_000),
    "secret": _long_enough,
    "metrics": _one_of(*METRICS),
    "log_format": _one_of(*LOG_FORMATS),
    "log_level": _one_of(*LOG_LEVELS),
}
