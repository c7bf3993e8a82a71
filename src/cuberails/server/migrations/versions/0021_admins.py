"""Admins, what they did, what is to be done for them at tables, and why and until when somebody was banned."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.add_column("bans", sa.Column("reason", sa.Text, nullable=False, server_default=""))
    op.add_column("bans", sa.Column("until", sa.DateTime, nullable=True))
    op.create_table(
        "admins",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "moderation_log",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False, index=True),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("admin", sa.Text, nullable=False),
        sa.Column("what", sa.String(20), nullable=False),
        sa.Column("whom", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    op.create_table(
        "chores",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("kind", sa.String(12), nullable=False),
        sa.Column("whom", sa.String(64), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
