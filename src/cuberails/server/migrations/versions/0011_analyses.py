"""What an analysis has found out about a finished game, kept with its table."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "analyses",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("tables.id"), primary_key=True),
        sa.Column("budget", sa.String(16), primary_key=True),
        sa.Column("record", sa.String(16), nullable=False),
        sa.Column("complete", sa.Boolean, nullable=False),
        sa.Column("data", sa.LargeBinary, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
    )
