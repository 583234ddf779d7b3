"""Which packages are in the tables, and whether each of them is whole."""

from __future__ import annotations

from collections import Counter
from typing import Any, Protocol

from django.db import connection

# Rows of each mail: submissions, verdicts, cards, and lines of the audit about any of them. SQLite keeps keys without
# hyphens, the audit with them.
QUERY = """
SELECT m.external_message_id,
       (SELECT count(*) FROM reservations_submission s WHERE s.source_message_id = m.id),
       (SELECT count(*) FROM reservations_aitransition v WHERE v.source_message_id = m.id),
       (SELECT count(*) FROM reservations_task t WHERE t.source_message_id = m.id),
       (SELECT count(*) FROM audit_auditevent a WHERE a.object_type = 'task' AND replace(a.object_id, '-', '') IN
           (SELECT replace(CAST(t.id AS text), '-', '') FROM reservations_task t WHERE t.source_message_id = m.id)),
       (SELECT count(*) FROM audit_auditevent a WHERE a.object_type = 'submission' AND replace(a.object_id, '-', '') IN
           (SELECT replace(CAST(s.id AS text), '-', '') FROM reservations_submission s WHERE s.source_message_id = m.id))
FROM reservations_sourcemessage m
"""
WITHOUT_TASKS = """
SELECT count(*) FROM reservations_order o
WHERE NOT EXISTS (SELECT 1 FROM reservations_task t WHERE t.order_id = o.id)
"""
NOTHING = (0, 0, 0, 0, 0)


class Cursor(Protocol):
    """Django's, or psycopg's own for a database that Django does not know."""

    def execute(self, query: str, /) -> Any: ...

    def fetchall(self) -> list[Any]: ...


def whole(events: int) -> tuple[int, ...]:
    """The rows of a mail whose one package was taken."""
    return (1, events, events, events, 1)


def rows_by_mail(cursor: Cursor | None = None) -> dict[str, tuple[int, ...]]:
    """Outer id of every mail -> rows: submissions, verdicts, cards, audit of cards, audit of submissions."""
    return {message_id: tuple(counts) for message_id, *counts in rows(QUERY, cursor)}


def tally() -> Counter[tuple[int, ...]]:
    return Counter(rows_by_mail().values())


def orders_without_tasks(cursor: Cursor | None = None) -> int:
    return int(rows(WITHOUT_TASKS, cursor)[0][0])


def rows(query: str, cursor: Cursor | None) -> list[Any]:
    """What the query finds, in the test database or where the cursor is."""
    if cursor is not None:
        cursor.execute(query)
        return cursor.fetchall()
    with connection.cursor() as ours:
        ours.execute(query)
        return list(ours.fetchall())
