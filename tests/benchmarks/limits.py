"""The limit: the very rows that the service writes, written by multi-row INSERTs of plain psycopg in one transaction."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

import psycopg
from django.db import connection
from psycopg import sql

from config.audit.models import AuditEvent
from reservations.models import AiTransition, OperaOperation, Order, SourceMessage, Submission, Task
from reservations.models.ids import new_id
from reservations.services.decisions import DECISION_COLUMNS

DECIDED_COLUMNS = (*DECISION_COLUMNS, "review_status", "review_resolution", "system_task_type", "version")
Rows = list[dict[str, Any]]
Insert = tuple[bytes, list[Any]]


@dataclass(frozen=True, slots=True)
class Written:
    """All rows of one package by table, in the order in which they have to be inserted; or those of one decision.

    message_id  key of the mail, or of the card
    """

    name: str
    message_id: UUID
    tables: Mapping[str, Rows]


def connect() -> psycopg.Connection[Any]:
    """A connection of its own to the same database, planning as ours does, else with psycopg's own defaults."""
    names = {"HOST": "host", "USER": "user", "PASSWORD": "password", "PORT": "port", "NAME": "dbname"}
    settings = connection.settings_dict
    parameters = {ours: settings[theirs] for theirs, ours in names.items() if settings.get(theirs)}
    shared = {name: settings["OPTIONS"][name] for name in ("host", "options") if name in settings["OPTIONS"]}
    return psycopg.connect(**parameters, **shared)


def rows_of(message: SourceMessage, name: str) -> Written:
    """Read back what the service wrote for the one package of a mail."""
    submission = Submission.objects.get(source_message=message)
    orders = Order.objects.filter(tasks__submission=submission).distinct()
    transitions, tasks = submission.transitions.all(), submission.tasks.all()
    ids = [str(row.pk) for rows in ([submission], orders, transitions, tasks) for row in rows]
    return Written(
        name,
        message.id,
        {
            Submission._meta.db_table: _values(Submission.objects.filter(pk=submission.pk)),
            Order._meta.db_table: _values(Order.objects.filter(pk__in=[order.pk for order in orders])),
            AiTransition._meta.db_table: _values(transitions),
            Task._meta.db_table: _values(tasks),
            AuditEvent._meta.db_table: _values(AuditEvent.objects.filter(object_id__in=ids).order_by("id"), "id"),
        },
    )


def renamed(written: Written, name: str, message_id: UUID) -> Written:
    """The same rows for another mail: other ids, other keys of the same length, all else as it was."""
    ids = {written.message_id: message_id}
    for rows in written.tables.values():
        ids |= {row["id"]: new_id() for row in rows if "id" in row}
    texts = {str(old): str(new) for old, new in ids.items()} | {old.hex: new.hex for old, new in ids.items()}
    texts[written.name] = name

    def changed(value: Any) -> Any:
        if isinstance(value, UUID):
            return ids.get(value, value)
        if isinstance(value, str):
            for old, new in texts.items():
                value = value.replace(old, new)
        return value

    tables = {
        table: [{column: changed(value) for column, value in row.items()} for row in rows]
        for table, rows in written.tables.items()
    }
    return Written(name, message_id, tables)


def statements(written: Written) -> list[Insert]:
    """One INSERT for each table, and its values."""
    return [
        (_insert(table, rows), [value for row in rows for value in row.values()])
        for table, rows in written.tables.items()
    ]


def write(raw: psycopg.Connection[Any], writes: Sequence[Insert]) -> None:
    with raw.transaction(), raw.cursor() as cursor:
        for statement, values in writes:
            cursor.execute(statement, values)


def decision_of(task: Task, name: str) -> Written:
    """Read back what the decision on a card wrote: columns of the card, its operations, their audit."""
    operations = task.operations.all()
    ids = [str(task.pk), *(str(operation.pk) for operation in operations)]
    lines = AuditEvent.objects.filter(object_id__in=ids).exclude(action="TASK_CREATE").order_by("id")
    decided = _values(Task.objects.filter(pk=task.pk))[0]
    columns = [Task._meta.get_field(column).column for column in DECIDED_COLUMNS]
    return Written(
        name,
        task.pk,
        {
            Task._meta.db_table: [{column: decided[column] for column in columns}],
            OperaOperation._meta.db_table: _values(operations),
            AuditEvent._meta.db_table: _values(lines, "id"),
        },
    )


def decision_statements(written: Written) -> list[Insert]:
    """Lock the card, change it, insert its operations and the lines of the audit."""
    table, key = Task._meta.db_table, written.message_id
    (card,) = written.tables[table]
    inserts = {name: rows for name, rows in written.tables.items() if name != table}
    places = sql.SQL(", ").join(sql.SQL("{} = %s").format(sql.Identifier(column)) for column in card)
    lock = sql.SQL("SELECT * FROM {} WHERE id = %s FOR UPDATE").format(sql.Identifier(table))
    update = sql.SQL("UPDATE {} SET {} WHERE id = %s").format(sql.Identifier(table), places)
    changes = [(lock.as_bytes(), [key]), (update.as_bytes(), [*card.values(), key])]
    return [*changes, *statements(Written(written.name, key, inserts))]


def _insert(table: str, rows: Rows) -> bytes:
    columns = sql.SQL(", ").join(map(sql.Identifier, rows[0]))
    places = sql.SQL("({})").format(sql.SQL(", ").join([sql.Placeholder()] * len(rows[0])))
    values = sql.SQL(", ").join([places] * len(rows))
    statement = sql.SQL("INSERT INTO {} ({}) VALUES {}").format(sql.Identifier(table), columns, values)
    return statement.as_bytes()


def _values(queryset: Any, *left_out: str) -> Rows:
    """Column values as the database holds them."""
    with connection.cursor() as cursor:
        fields = [field for field in queryset.model._meta.concrete_fields if field.name not in left_out]
        columns = ", ".join(connection.ops.quote_name(field.column) for field in fields)
        ids = list(queryset.values_list("pk", flat=True))
        table = connection.ops.quote_name(queryset.model._meta.db_table)
        cursor.execute(f"SELECT {columns} FROM {table} WHERE id = ANY(%s) ORDER BY id", [ids])
        return [dict(zip((field.column for field in fields), row, strict=True)) for row in cursor.fetchall()]
