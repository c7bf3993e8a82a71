"""The tables of the database, as SQLAlchemy models. The migrations make them."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import BigInteger, Double, ForeignKey, Index, LargeBinary, String, Text, false, true
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column


class Base(DeclarativeBase):
    """The tables of the database."""


class BoardRow(Base):
    """A board file that tables play on, by the digest of its content."""

    __tablename__ = "boards"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    title: Mapped[str] = mapped_column(String(40))
    text: Mapped[str] = mapped_column(Text)


class TableRow(Base):
    """A table: what is played, by whom, and who decides next (a seat, -1 for chance, -2 when it is over).

    The digest of its board is "" for the built-in one at tables from before boards were stored. `parent` is the table
    that it was forked from after `parent_count` actions, or with -1 that it is a rematch of. `actions` are in force.
    `help` says whether people may ask for hints there, `visibility` who finds it, `rated` whether the game counts for
    ratings. `time_control` is "" if time does not matter; the clock that runs is not over before `deadline`.
    """

    __tablename__ = "tables"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    title: Mapped[str] = mapped_column(String(40))
    board_digest: Mapped[str] = mapped_column("board", String(64), server_default="")
    rules: Mapped[int]
    options: Mapped[str] = mapped_column(Text)
    seats: Mapped[str] = mapped_column(Text)
    host: Mapped[str] = mapped_column(String(64))
    origin: Mapped[str] = mapped_column(Text)
    waiting: Mapped[int] = mapped_column(index=True)
    created: Mapped[dt.datetime]
    changed: Mapped[dt.datetime] = mapped_column(index=True)
    parent: Mapped[str] = mapped_column(String(32), server_default="")
    parent_count: Mapped[int] = mapped_column(server_default="-1")
    actions: Mapped[int] = mapped_column(server_default="0")
    help: Mapped[bool] = mapped_column(server_default=true())
    visibility: Mapped[str] = mapped_column(String(10), server_default="unlisted")
    rated: Mapped[bool] = mapped_column(server_default=false())
    time_control: Mapped[str] = mapped_column(Text, server_default="")
    deadline: Mapped[dt.datetime | None]
    __table_args__ = (
        Index("tables_by_host", "host"),
        Index("tables_by_visibility", "visibility", "changed"),
        Index("tables_by_deadline", "deadline"),
    )


class EntryRow(Base):
    """One entry of a table's log. (table, seq) is unique: of two writers only one can win (optimistic concurrency)."""

    __tablename__ = "entries"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    text: Mapped[str] = mapped_column(Text)
    seat: Mapped[int]
    at: Mapped[dt.datetime]
    person: Mapped[str] = mapped_column(String(64), server_default="")
    """Who made it; "" for bots, dice, and entries from before that was noted."""
    ordered: Mapped[bool] = mapped_column(server_default=false())
    """Whether it was carried out for a standing order."""
    spent: Mapped[float | None] = mapped_column(Double)
    """Seconds that it took of the clock that ran before it; None if none ran."""


class ChatRow(Base):
    """What somebody at a seat (-1: the host without one) says to the others; numbered apart from the log."""

    __tablename__ = "chat"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    seat: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[dt.datetime]


class NoteRow(Base):
    """What somebody notes about a table for nobody else."""

    __tablename__ = "notes"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class ClaimRow(Base):
    """A browser or program that may play a seat."""

    __tablename__ = "claims"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[dt.datetime | None]
    """Since when; None if that was not noted."""
    __table_args__ = (Index("claims_by_person", "person"),)


class OpenTableRow(Base):
    """A table that waits for players: what was asked for, as JSON, and what has become of it. The table that starts has
    the same id."""

    __tablename__ = "open_tables"
    id: Mapped[str] = mapped_column(String(32), primary_key=True)
    version: Mapped[int]
    """The number of the last change."""
    state: Mapped[str] = mapped_column(String(10))
    visibility: Mapped[str] = mapped_column(String(10))
    request: Mapped[str] = mapped_column(Text)
    title: Mapped[str] = mapped_column(String(40))
    board: Mapped[str] = mapped_column(String(64))
    board_name: Mapped[str] = mapped_column(Text)
    host: Mapped[str] = mapped_column(String(64))
    created: Mapped[dt.datetime]
    changed: Mapped[dt.datetime]
    __table_args__ = (Index("open_tables_by_state", "state", "created"),)


class OpenChangeRow(Base):
    """A change of an open table. (table, version) is unique: of two that are made at once only one is written."""

    __tablename__ = "open_changes"
    table_id: Mapped[str] = mapped_column(ForeignKey("open_tables.id"), primary_key=True)
    version: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    what: Mapped[str] = mapped_column(String(10))
    person: Mapped[str] = mapped_column(String(64))
    at: Mapped[dt.datetime]


class OpenSeatRow(Base):
    """Somebody who has a seat at an open table, and under which name."""

    __tablename__ = "open_seats"
    table_id: Mapped[str] = mapped_column(ForeignKey("open_tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[dt.datetime]
    __table_args__ = (Index("open_seats_by_person", "person"),)


class InvitationRow(Base):
    """Somebody whom the host of an open table has invited, and under which name."""

    __tablename__ = "invitations"
    table_id: Mapped[str] = mapped_column(ForeignKey("open_tables.id"), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[dt.datetime]


class FriendRow(Base):
    """What somebody thinks of somebody else: they are friends if both rows are there and both have `agreed`. `name` is
    how the friend is called."""

    __tablename__ = "friends"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    friend: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    agreed: Mapped[bool]
    at: Mapped[dt.datetime]


class BlockRow(Base):
    """Somebody whom a person has muted or blocked, and what they were called then."""

    __tablename__ = "blocks"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    other: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    kind: Mapped[str] = mapped_column(String(8))
    at: Mapped[dt.datetime]


class ReportRow(Base):
    """What somebody has reported about another at a table: a `line` of the chat, or "" if it is something else."""

    __tablename__ = "reports"
    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    at: Mapped[dt.datetime]
    person: Mapped[str] = mapped_column(String(64))
    other: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(Text)
    table_id: Mapped[str] = mapped_column(String(32))
    line: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    done: Mapped[bool] = mapped_column(server_default=false())
    __table_args__ = (Index("reports_by_person", "person"), Index("reports_by_other", "other"))


class BanRow(Base):
    """Somebody who cannot take part any more, what they were called then, and why; for good, or until some day."""

    __tablename__ = "bans"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(Text)
    at: Mapped[dt.datetime]
    reason: Mapped[str] = mapped_column(Text, server_default="")
    until: Mapped[dt.datetime | None]


class AdminRow(Base):
    """Somebody with an account whom the host of the server has made an admin."""

    __tablename__ = "admins"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    at: Mapped[dt.datetime]


class ModerationRow(Base):
    """What an admin has done for order in the house, or with `person` "" the host of the server: a log.

    `whom` is a person or a table that is called `name`; `text` says more, such as why.
    """

    __tablename__ = "moderation_log"
    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    at: Mapped[dt.datetime] = mapped_column(index=True)
    person: Mapped[str] = mapped_column(String(64))
    admin: Mapped[str] = mapped_column(Text)
    what: Mapped[str] = mapped_column(String(20))
    whom: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(Text)
    text: Mapped[str] = mapped_column(Text)


class ChoreRow(Base):
    """What is to be done at tables for order in the house, about a person or a table: the server that runs does it, or
    the next one that starts."""

    __tablename__ = "chores"
    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    at: Mapped[dt.datetime]
    kind: Mapped[str] = mapped_column(String(12))
    whom: Mapped[str] = mapped_column(String(64))
    text: Mapped[str] = mapped_column(Text)


class AccountRow(Base):
    """Somebody who wants to be known on several devices: `person` is who they are wherever that is noted.

    An address stands here after its owner has used a link that was sent there; `password` is a hash, or "".
    """

    __tablename__ = "accounts"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    name: Mapped[str] = mapped_column(String(40))
    name_key: Mapped[str] = mapped_column(String(160), unique=True)
    """The name as it is compared: no two accounts have names that look alike."""
    email: Mapped[str | None] = mapped_column(String(254), unique=True)
    password: Mapped[str] = mapped_column(String(200))
    created: Mapped[dt.datetime]
    visible: Mapped[bool] = mapped_column(server_default=false())
    """Whether others see what they have played, and where they stand."""


class PasskeyRow(Base):
    """A passkey of an account: the public half of it."""

    __tablename__ = "passkeys"
    id: Mapped[str] = mapped_column(String(1400), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), index=True)
    public_key: Mapped[bytes] = mapped_column(LargeBinary)
    sign_count: Mapped[int] = mapped_column(BigInteger)
    label: Mapped[str] = mapped_column(String(40))
    created: Mapped[dt.datetime]
    used: Mapped[dt.datetime | None]


class SessionRow(Base):
    """A device where somebody is signed in; the token that it shows is stored as its digest."""

    __tablename__ = "sessions"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), index=True)
    device: Mapped[str] = mapped_column(String(80))
    created: Mapped[dt.datetime]
    seen: Mapped[dt.datetime]


class MailLinkRow(Base):
    """A link that was sent by mail and works once: for what, to whom, and who wanted it."""

    __tablename__ = "mail_links"
    digest: Mapped[str] = mapped_column(String(64), primary_key=True)
    purpose: Mapped[str] = mapped_column(String(10))
    email: Mapped[str] = mapped_column(String(254), index=True)
    person: Mapped[str] = mapped_column(String(64))
    name: Mapped[str] = mapped_column(String(40))
    expires: Mapped[dt.datetime]


class OutsideLoginRow(Base):
    """An account elsewhere (OpenID Connect) with which somebody signs in here."""

    __tablename__ = "outside_logins"
    issuer: Mapped[str] = mapped_column(String(200), primary_key=True)
    subject: Mapped[str] = mapped_column(String(255), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), index=True)


class AnalysisRow(Base):
    """What an analysis with a budget has found out about the finished game of a table: JSON, compressed by zlib.

    `record` is the digest of the game that was analysed: it may have been taken back since, and ended in another way.
    """

    __tablename__ = "analyses"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    budget: Mapped[str] = mapped_column(String(16), primary_key=True)
    record: Mapped[str] = mapped_column(String(16))
    complete: Mapped[bool]
    data: Mapped[bytes] = mapped_column(LargeBinary)
    changed: Mapped[dt.datetime]


class OrderRow(Base):
    """A standing order that somebody has given for a seat when the log of its table had reached `seq`."""

    __tablename__ = "orders"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    id: Mapped[str] = mapped_column(String(16), primary_key=True)
    seat: Mapped[int]
    person: Mapped[str] = mapped_column(String(64))
    seq: Mapped[int]
    text: Mapped[str] = mapped_column(Text)


class WayRow(Base):
    """A way to call a person: a device, a webhook, or their e-mail address.

    `target` is where it leads, `secret` what its messages are encrypted or signed with, `base` the address of this
    server as the person knows it, for links. With `digest_hour` (UTC) all calls of a day come together, with -1 each by
    itself. After `failures` in a row the next call waits until `retry_at`; in the end the way is `stopped`, and
    `trouble` says why in words.
    """

    __tablename__ = "ways"
    id: Mapped[str] = mapped_column(String(22), primary_key=True)
    person: Mapped[str] = mapped_column(String(64), index=True)
    kind: Mapped[str] = mapped_column(String(8))
    target: Mapped[str] = mapped_column(Text)
    secret: Mapped[str] = mapped_column(Text)
    label: Mapped[str] = mapped_column(String(80))
    base: Mapped[str] = mapped_column(String(300))
    since: Mapped[dt.datetime]
    digest_hour: Mapped[int] = mapped_column(server_default="-1")
    failures: Mapped[int] = mapped_column(server_default="0")
    retry_at: Mapped[dt.datetime | None]
    stopped: Mapped[bool] = mapped_column(server_default=false())
    trouble: Mapped[str] = mapped_column(Text, server_default="")
    session: Mapped[str] = mapped_column(String(64), server_default="")
    """With which session a device was signed in that is called; it is not called any more when that has ended."""


class CallRow(Base):
    """The outbox: the newest call of a kind about a table, by each way of a person.

    Without `due` there is nothing to do. `tries` rises whenever somebody takes it to deliver it, under a `lease`;
    `sent_seq` is the number of the log that the last delivered one was about.
    """

    __tablename__ = "calls"
    way_id: Mapped[str] = mapped_column(String(22), primary_key=True)
    table_id: Mapped[str] = mapped_column(String(32), primary_key=True)
    kind: Mapped[str] = mapped_column(String(8), primary_key=True)
    seq: Mapped[int]
    seat: Mapped[int]
    text: Mapped[str] = mapped_column(Text)
    due: Mapped[dt.datetime | None] = mapped_column(index=True)
    tries: Mapped[int]
    lease: Mapped[str] = mapped_column(String(22), index=True)
    sent_seq: Mapped[int]


class MuteRow(Base):
    """A table about which somebody does not want to be called."""

    __tablename__ = "mutes"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    table_id: Mapped[str] = mapped_column(String(32), primary_key=True)


class AliveRow(Base):
    """When a server was last seen at work with this database; there is one row."""

    __tablename__ = "alive"
    id: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[dt.datetime]


class OutageRow(Base):
    """A stretch of time when no server was at work: no clock ran in it."""

    __tablename__ = "outages"
    began: Mapped[dt.datetime] = mapped_column(primary_key=True)
    ended: Mapped[dt.datetime]


class RestRow(Base):
    """The quiet hours and holidays of a person from a moment on; earlier ones hold for the time before it."""

    __tablename__ = "rests"
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    since: Mapped[dt.datetime] = mapped_column(primary_key=True)
    text: Mapped[str] = mapped_column(Text)


class ResultRow(Base):
    """How a seat came out of a finished game: for a person, or a bot of a level; `place` is 1 for who won.

    `pace` is the kind of time control, "" if time did not matter; by the clock the seat made so many `decisions`, let
    its time run out so often (`timeouts`), and usually took `answer` seconds to answer.
    """

    __tablename__ = "results"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    title: Mapped[str] = mapped_column(String(40))
    person: Mapped[str] = mapped_column(String(64), index=True)
    bot: Mapped[str] = mapped_column(String(40))
    score: Mapped[int]
    place: Mapped[int]
    ended: Mapped[dt.datetime]
    rated: Mapped[bool]
    pace: Mapped[str] = mapped_column(String(14), server_default="")
    decisions: Mapped[int] = mapped_column(server_default="0")
    timeouts: Mapped[int] = mapped_column(server_default="0")
    answer: Mapped[float | None] = mapped_column(Double)
    __table_args__ = (Index("results_by_title", "title", "rated", "ended"),)
