"""The tables of the database, as SQLAlchemy models. The migrations make them."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ForeignKey, Index, String, Text, true
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
    `help` says whether people may ask for hints there.
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
    __table_args__ = (Index("tables_by_host", "host"),)


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
