"""The simulated operations of a card."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from reservations.models import OperaOperation, Task


def list_operations(*, hotel_ids: Collection[int], task_id: UUID) -> list[OperaOperation] | None:
    """In sequence; none before the decision. None: there is no such card in these hotels."""
    rows = list(OperaOperation.objects.filter(hotel_id__in=hotel_ids, task_id=task_id).order_by("sequence"))
    if not rows and not Task.objects.filter(hotel_id__in=hotel_ids, pk=task_id).exists():
        return None
    return rows
