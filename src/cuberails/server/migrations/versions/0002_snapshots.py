"""Snapshots: tables as they stood, to be read quickly."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "snapshots",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("program", sa.String(64), nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
    )
