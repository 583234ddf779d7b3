"""Which packages are in the tables, and whether each of them is whole."""

from __future__ import annotations

from collections import Counter

from django.db import connection

# Rows of each mail: submissions, verdicts, cards, and lines of the audit about any of them.
QUERY = """
SELECT m.external_message_id,
       (SELECT count(*) FROM reservations_submission s WHERE s.source_message_id = m.id),
       (SELECT count(*) FROM reservations_aitransition v WHERE v.source_message_id = m.id),
       (SELECT count(*) FROM reservations_task t WHERE t.source_message_id = m.id),
       (SELECT count(*) FROM audit_auditevent a WHERE a.object_type = 'task' AND a.object_id IN
           (SELECT CAST(t.id AS text) FROM reservations_task t WHERE t.source_message_id = m.id)),
       (SELECT count(*) FROM audit_auditevent a WHERE a.object_type = 'submission' AND a.object_id IN
           (SELECT CAST(s.id AS text) FROM reservations_submission s WHERE s.source_message_id = m.id))
FROM reservations_sourcemessage m
"""
NOTHING = (0, 0, 0, 0, 0)


def rows_by_mail() -> dict[str, tuple[int, ...]]:
    """Outer id of every mail -> rows: submissions, verdicts, cards, audit of cards, audit of submissions."""
    with connection.cursor() as cursor:
        cursor.execute(QUERY)
        return {message_id: tuple(counts) for message_id, *counts in cursor.fetchall()}


def whole(events: int) -> tuple[int, ...]:
    return (1, events, events, events, 1)


def orders_without_tasks() -> int:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*) FROM reservations_order o "
            "WHERE NOT EXISTS (SELECT 1 FROM reservations_task t WHERE t.order_id = o.id)"
        )
        return int(cursor.fetchone()[0])


def tally() -> Counter[tuple[int, ...]]:
    return Counter(rows_by_mail().values())
