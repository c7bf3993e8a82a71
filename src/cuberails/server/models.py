"""The tables of the database, as SQLAlchemy models. The migrations make them."""

from __future__ import annotations

import datetime as dt

from sqlalchemy import ForeignKey, Index, String, Text
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

    The digest of its board is "" for the built-in one at tables from before boards were stored.
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


class EntryRow(Base):
    """One entry of a table's log. (table, seq) is unique: of two writers only one can win (optimistic concurrency)."""

    __tablename__ = "entries"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seq: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    kind: Mapped[str] = mapped_column(String(8))
    text: Mapped[str] = mapped_column(Text)
    seat: Mapped[int]
    at: Mapped[dt.datetime]


class ClaimRow(Base):
    """A browser or program that may play a seat."""

    __tablename__ = "claims"
    table_id: Mapped[str] = mapped_column(ForeignKey("tables.id"), primary_key=True)
    seat: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    person: Mapped[str] = mapped_column(String(64), primary_key=True)
    __table_args__ = (Index("claims_by_person", "person"),)
