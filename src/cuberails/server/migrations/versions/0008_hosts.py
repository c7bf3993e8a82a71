"""The tables of a host are counted when he opens another."""

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.create_index("tables_by_host", "tables", ["host"])
