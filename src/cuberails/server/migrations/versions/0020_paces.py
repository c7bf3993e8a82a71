"""How each seat of a finished game kept time."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("results", sa.Column("pace", sa.String(14), nullable=False, server_default=""))
    op.add_column("results", sa.Column("decisions", sa.Integer, nullable=False, server_default="0"))
    op.add_column("results", sa.Column("timeouts", sa.Integer, nullable=False, server_default="0"))
    op.add_column("results", sa.Column("answer", sa.Double))
