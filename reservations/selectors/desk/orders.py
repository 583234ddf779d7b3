"""One order and its queue."""

from __future__ import annotations

from dataclasses import dataclass

from reservations.models import Order, Task
from reservations.selectors.desk.mails import CARD_COLUMNS, MOST_SHOWN, TEXT_COLUMNS


@dataclass(frozen=True, slots=True)
class Queue:
    """The tasks of an order as they wait (R-27); `cut` says that there are more."""

    tasks: list[Task]
    cut: bool


def queue_of(order: Order) -> Queue:
    rows = Task.objects.filter(order=order).select_related("source_message")
    light = rows.defer(*CARD_COLUMNS, *(f"source_message__{column}" for column in TEXT_COLUMNS))
    tasks = list(light.order_by("received_at", "submission_id", "array_index")[: MOST_SHOWN + 1])
    return Queue(tasks[:MOST_SHOWN], len(tasks) > MOST_SHOWN)
