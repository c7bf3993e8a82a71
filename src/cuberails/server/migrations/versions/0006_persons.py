"""Entries say who made them, and claims since when: consent to go back is asked of the people who have played."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.add_column("entries", sa.Column("person", sa.String(64), nullable=False, server_default=""))
    op.add_column("claims", sa.Column("at", sa.DateTime(), nullable=True))
