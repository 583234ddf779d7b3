"""What there is of the decision on each card, and whether it is whole."""

from __future__ import annotations

from collections import Counter

from tests.reliability.complete import Cursor, rows

# Of each card: decided or not, its operations, lines of the audit about its decision, and about its operations' making.
QUERY = """
SELECT t.id, CASE WHEN t.decided_at IS NULL THEN 0 ELSE 1 END,
       (SELECT count(*) FROM reservations_operaoperation o WHERE o.task_id = t.id),
       (SELECT count(*) FROM audit_auditevent a WHERE a.object_type = 'task' AND a.object_id = CAST(t.id AS text)
           AND a.action IN ('TASK_CONFIRM', 'MANUAL_REVIEW_RESOLVE')),
       (SELECT count(*) FROM audit_auditevent a JOIN reservations_operaoperation o ON a.object_id = CAST(o.id AS text)
           WHERE a.object_type = 'operation' AND a.action = 'OPERATION_CREATE' AND o.task_id = t.id)
FROM reservations_task t
"""
UNDECIDED, DECIDED = (0, 0, 0, 0), (1, 2, 1, 2)


def decisions(cursor: Cursor | None = None) -> dict[str, tuple[int, ...]]:
    """Key of every card -> decided, operations, audit of its decision, audit of its operations."""
    return {str(key): tuple(counts) for key, *counts in rows(QUERY, cursor)}


def tally() -> Counter[tuple[int, ...]]:
    return Counter(decisions().values())
