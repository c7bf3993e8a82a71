"""Standing orders as the database keeps them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Engine, select

from cuberails.core.order import Order
from cuberails.server.connections import Write
from cuberails.server.models import OrderRow, TableRow

_ADD = "INSERT INTO orders (table_id, id, seat, person, seq, text) VALUES (?, ?, ?, ?, ?, ?)"
_REMOVE = "DELETE FROM orders WHERE table_id = ? AND id = ?"


@dataclass(frozen=True)
class StandingOrder:
    """An order that somebody has given for a seat when the log of the table had reached `seq`."""

    id: str
    seat: int
    person: str
    seq: int
    order: Order


def giving(table: str, given: StandingOrder, replaced: Sequence[StandingOrder]) -> Write:
    """A new order, in place of others."""
    order = given.order
    text = json.dumps([order.kind, order.stage, order.actions, order.limit, order.words], ensure_ascii=False)
    row = (table, given.id, given.seat, given.person, given.seq, text)
    return Write(table, [*_removing(table, replaced), (_ADD, [row])], announced=True)


def removing(table: str, orders: Sequence[StandingOrder]) -> Write:
    """Orders that are over, or revoked."""
    return Write(table, _removing(table, orders), announced=True)


def _removing(table: str, orders: Sequence[StandingOrder]) -> list[tuple[str, list[tuple[object, ...]]]]:
    return [(_REMOVE, [(table, each.id) for each in orders])] if orders else []


def stored_orders(engine: Engine, table: str) -> list[StandingOrder]:
    """The orders at a table, the earliest first."""
    query = select(OrderRow).where(OrderRow.table_id == table).order_by(OrderRow.seq, OrderRow.id)
    with engine.connect() as connection:
        rows = list(connection.execute(query))
    return [StandingOrder(row.id, row.seat, row.person, row.seq, Order(*json.loads(row.text))) for row in rows]


def tables_with_orders(engine: Engine) -> list[str]:
    """The tables where an order is given for the seat that is to decide."""
    query = select(OrderRow.table_id).join(TableRow, TableRow.id == OrderRow.table_id)
    with engine.connect() as connection:
        return list(connection.scalars(query.where(OrderRow.seat == TableRow.waiting).distinct()))
