"""People are called when it is their turn: the ways to call somebody, the outbox, and the tables that are muted."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    op.create_table(
        "ways",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("person", sa.String(64), nullable=False, index=True),
        sa.Column("kind", sa.String(8), nullable=False),
        sa.Column("target", sa.Text, nullable=False),
        sa.Column("secret", sa.Text, nullable=False),
        sa.Column("label", sa.String(80), nullable=False),
        sa.Column("base", sa.String(300), nullable=False),
        sa.Column("since", sa.DateTime, nullable=False),
        sa.Column("digest_hour", sa.Integer, nullable=False, server_default="-1"),
        sa.Column("failures", sa.Integer, nullable=False, server_default="0"),
        sa.Column("retry_at", sa.DateTime),
        sa.Column("stopped", sa.Boolean, nullable=False, server_default=sa.false()),
        sa.Column("trouble", sa.Text, nullable=False, server_default=""),
    )
    op.create_table(
        "calls",
        sa.Column("way_id", sa.String(22), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
        sa.Column("kind", sa.String(8), primary_key=True),
        sa.Column("seq", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("due", sa.DateTime, index=True),
        sa.Column("tries", sa.Integer, nullable=False),
        sa.Column("lease", sa.String(22), nullable=False, index=True),
        sa.Column("sent_seq", sa.Integer, nullable=False),
    )
    op.create_table(
        "mutes",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("table_id", sa.String(32), primary_key=True),
    )
