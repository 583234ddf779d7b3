"""The queue of an order: which card has to be finished before which (R-27)."""

from __future__ import annotations

from uuid import UUID

from django.db.models import CharField, Exists, ExpressionWrapper, OuterRef, Q, QuerySet

from reservations.models import Task, TaskStatusChoice

QUEUE_ORDER = ("received_at", "queue_key")
FINISHED = (TaskStatusChoice.DONE, TaskStatusChoice.TERMINATED)


def is_blocked() -> Exists:
    """For a queryset of tasks: an earlier card of the order is not finished. A finished card is not blocked."""
    outer_status = ExpressionWrapper(OuterRef("task_status"), output_field=CharField())
    earlier = _unfinished().filter(
        _before(OuterRef("received_at"), OuterRef("queue_key")),
        order_id=OuterRef("order_id"),
        queue_participation=OuterRef("queue_participation"),
    )
    return Exists(earlier.alias(outer_status=outer_status).exclude(outer_status__in=FINISHED))


def blocked_by(task: Task) -> UUID | None:
    """The first unfinished card before this one; None where nothing stands in its way."""
    if not task.queue_participation or task.task_status in FINISHED:
        return None
    earlier = _unfinished().filter(_before(task.received_at, task.queue_key), order_id=task.order_id)
    return earlier.order_by(*QUEUE_ORDER).values_list("id", flat=True).first()


def _unfinished() -> QuerySet[Task]:
    return Task.objects.filter(queue_participation=True).exclude(task_status__in=FINISHED)


def _before(received_at: object, queue_key: object) -> Q:
    # The bound on received_at alone is what lets the index of the queue end the search.
    return Q(received_at__lte=received_at) & (Q(received_at__lt=received_at) | Q(queue_key__lt=queue_key))
