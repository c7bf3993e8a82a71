"""Boards: the board files that tables play on, by the digest of their content."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    op.create_table(
        "boards",
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("title", sa.String(40), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
    )
    # Tables from before play on the built-in board.
    op.add_column("tables", sa.Column("board", sa.String(64), nullable=False, server_default=""))
