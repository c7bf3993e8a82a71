"""Whoever opens a table can switch all help off there; tables from before that have help."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("tables", sa.Column("help", sa.Boolean(), nullable=False, server_default=sa.true()))
