"""Who was invited to a table that waits for players, and who are friends."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    op.create_table(
        "invitations",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("open_tables.id"), primary_key=True),
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "friends",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("friend", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("agreed", sa.Boolean, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
