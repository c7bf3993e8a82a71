"""What people report to the host, and who was banned."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "reports",
        sa.Column("id", sa.String(22), primary_key=True),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("other", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("table_id", sa.String(32), nullable=False),
        sa.Column("line", sa.Text, nullable=False),
        sa.Column("reason", sa.Text, nullable=False),
        sa.Column("done", sa.Boolean, nullable=False, server_default=sa.false()),
    )
    op.create_index("reports_by_person", "reports", ["person"])
    op.create_index("reports_by_other", "reports", ["other"])
    op.create_table(
        "bans",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
