"""Friends: what people say at a table, private notes, where a table comes from, and how long its game is."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "chat",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "notes",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.add_column("tables", sa.Column("parent", sa.String(32), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("parent_count", sa.Integer, nullable=False, server_default="-1"))
    op.add_column("tables", sa.Column("actions", sa.Integer, nullable=False, server_default="0"))
    _count_actions(op.get_bind())


def _count_actions(connection: sa.Connection) -> None:
    """How many actions are in force at the tables that are there."""
    moving = "kind IN ('act', 'undo', 'redo')"
    entries = sa.text(f"SELECT kind, text FROM entries WHERE table_id = :id AND {moving} ORDER BY seq")
    change = sa.text("UPDATE tables SET actions = :actions WHERE id = :id")
    for id, origin in connection.execute(sa.text("SELECT id, origin FROM tables")).all():
        try:
            count = len(json.loads(origin))
            for kind, text in connection.execute(entries, {"id": id}):
                count = count + 1 if kind == "act" else int(text)
        except (TypeError, ValueError):  # the table is damaged; it will say so itself
            continue
        connection.execute(change, {"actions": count, "id": id})
