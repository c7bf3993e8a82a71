"""Tables that wait for players in the lobby, and who finds a table; those from before are found by their links."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("tables", sa.Column("visibility", sa.String(10), nullable=False, server_default="unlisted"))
    op.create_index("tables_by_visibility", "tables", ["visibility", "changed"])
    op.create_table(
        "open_tables",
        sa.Column("id", sa.String(32), primary_key=True),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("state", sa.String(10), nullable=False),
        sa.Column("visibility", sa.String(10), nullable=False),
        sa.Column("request", sa.Text, nullable=False),
        sa.Column("title", sa.String(40), nullable=False),
        sa.Column("board", sa.String(64), nullable=False),
        sa.Column("board_name", sa.Text, nullable=False),
        sa.Column("host", sa.String(64), nullable=False),
        sa.Column("created", sa.DateTime, nullable=False),
        sa.Column("changed", sa.DateTime, nullable=False),
    )
    op.create_index("open_tables_by_state", "open_tables", ["state", "created"])
    op.create_table(
        "open_changes",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("open_tables.id"), primary_key=True),
        sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("what", sa.String(10), nullable=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_table(
        "open_seats",
        sa.Column("table_id", sa.String(32), sa.ForeignKey("open_tables.id"), primary_key=True),
        sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("person", sa.String(64), nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
    )
    op.create_index("open_seats_by_person", "open_seats", ["person"])
