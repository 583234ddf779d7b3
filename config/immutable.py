"""What is never changed is held by the database: triggers that refuse UPDATE and DELETE, on both engines.

Used in migrations: `migrations.RunPython(*guard("app_table", frozen=("column", ...)))`. A text column named in
`purgeable` may be emptied, and only that; a column named in `set_once` may get its value later, once. A column of both
is first set and then, perhaps, emptied.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

Operation = Callable[[Any, Any], None]


def guard(
    table: str,
    *,
    frozen: Sequence[str] | None = None,
    purgeable: Sequence[str] = (),
    set_once: Sequence[str] = (),
    deletable: bool = False,
) -> tuple[Operation, Operation]:
    """Forward and backward operation of a migration.

    frozen     columns that keep their value; None: no column of the row may change
    purgeable  text columns among them that may become ''
    set_once   columns among them that may go from NULL to a value
    deletable  rows may be deleted (their frozen columns still never change)
    """
    changes = {column: (column in purgeable, column in set_once) for column in frozen} if frozen is not None else None

    def install(apps: Any, schema_editor: Any) -> None:
        for statement in create_statements(schema_editor.connection.vendor, table, changes, deletable):
            schema_editor.execute(statement)

    def remove(apps: Any, schema_editor: Any) -> None:
        for statement in drop_statements(schema_editor.connection.vendor, table):
            schema_editor.execute(statement)

    return install, remove


def create_statements(
    vendor: str, table: str, frozen: Mapping[str, tuple[bool, bool]] | None, deletable: bool
) -> list[str]:
    """frozen: column -> (may be emptied, may be set once)"""
    distinct = "IS DISTINCT FROM" if vendor == "postgresql" else "IS NOT"
    changes = [_change(column, distinct, *allowed) for column, allowed in (frozen or {}).items()]
    condition = " OR ".join(changes) if frozen is not None else "TRUE" if vendor == "postgresql" else "1"
    return _postgresql(table, condition, deletable) if vendor == "postgresql" else _sqlite(table, condition, deletable)


def drop_statements(vendor: str, table: str) -> list[str]:
    on = f" ON {table}" if vendor == "postgresql" else ""
    statements = [f"DROP TRIGGER IF EXISTS {table}_no_{verb}{on}" for verb in ("update", "delete")]
    return [*statements, f"DROP FUNCTION IF EXISTS {table}_refuse()"] if vendor == "postgresql" else statements


def _change(column: str, distinct: str, purgeable: bool, set_once: bool) -> str:
    """The change that is refused. NULL is compared as a value: what was written is emptied to '', never to NULL."""
    refused = [f'NEW."{column}" {distinct} OLD."{column}"']
    if purgeable:
        refused.append(f"NEW.\"{column}\" {distinct} ''")
    if set_once:
        refused.append(f'OLD."{column}" IS NOT NULL')
    return f"({' AND '.join(refused)})"


def _postgresql(table: str, condition: str, deletable: bool) -> list[str]:
    statements = [
        f"CREATE FUNCTION {table}_refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN "
        f"RAISE EXCEPTION '{table} keeps what was written' USING ERRCODE = 'restrict_violation'; END $$",
        f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} FOR EACH ROW WHEN ({condition}) "
        f"EXECUTE FUNCTION {table}_refuse()",
    ]
    if not deletable:
        statements.append(
            f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION {table}_refuse()"
        )
    return statements


def _sqlite(table: str, condition: str, deletable: bool) -> list[str]:
    body = f"BEGIN SELECT RAISE(ABORT, '{table} keeps what was written'); END"
    statements = [f"CREATE TRIGGER {table}_no_update BEFORE UPDATE ON {table} WHEN {condition} {body}"]
    if not deletable:
        statements.append(f"CREATE TRIGGER {table}_no_delete BEFORE DELETE ON {table} {body}")
    return statements
