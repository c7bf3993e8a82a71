"""Which devices are called that somebody has signed in."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("ways", sa.Column("session", sa.String(64), nullable=False, server_default=""))
