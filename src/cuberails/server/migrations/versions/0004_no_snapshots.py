"""No snapshots: a log is played again quickly enough, and nothing in the database is run."""

from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.drop_table("snapshots")
