"""Time controls of tables, the time that entries took, when the server was away, and the quiet hours of people."""

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    op.add_column("tables", sa.Column("time_control", sa.Text(), nullable=False, server_default=""))
    op.add_column("tables", sa.Column("deadline", sa.DateTime(), nullable=True))
    op.create_index("tables_by_deadline", "tables", ["deadline"])
    op.add_column("entries", sa.Column("spent", sa.Double(), nullable=True))
    op.create_table(
        "alive",
        sa.Column("id", sa.Integer(), primary_key=True, autoincrement=False),
        sa.Column("at", sa.DateTime(), nullable=False),
    )
    op.create_table(
        "outages",
        sa.Column("began", sa.DateTime(), primary_key=True),
        sa.Column("ended", sa.DateTime(), nullable=False),
    )
    op.create_table(
        "rests",
        sa.Column("person", sa.String(64), primary_key=True),
        sa.Column("since", sa.DateTime(), primary_key=True),
        sa.Column("text", sa.Text(), nullable=False),
    )
