"""Cards ready to be executed, and workers in this process: what is due is done, pauses are skipped."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django_tasks import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from config.audit.services import Door
from reservations.models import Hotel, OperaOperation, Order, Submission, Task, TaskStatusChoice
from reservations.services.writes import Writer
from tests import factories

CALLS = ("postBlock", "putBlockAllocationRange")


def ready(
    hotel: Hotel,
    *,
    calls: tuple[str, str] = CALLS,
    order: Order | None = None,
    package: Submission | None = None,
    **fields: Any,
) -> Task:
    """A confirmed card with its two operations."""
    card = factories.task(
        order or factories.order(hotel),
        package or factories.package(hotel),
        **({"task_status": TaskStatusChoice.READY} | fields),
    )
    for sequence, operation_id in enumerate(calls, start=1):
        operation(card, sequence, operation_id)
    return card


def operation(card: Task, sequence: int = 1, operation_id: str = "postBlock", **fields: Any) -> OperaOperation:
    defaults = {
        "external_id": f"{card.pk.hex}-{sequence}",
        "role": "write",
        "spec": "blk",
        "method": "POST",
        "path": "/blk/v1/hotels/{hotelId}/blocks",
        "body_schema": "postBlock",
        "request_body": {"blockName": "Autumn Leaves"},
        "dry_run": {"valid": True, "errors": []},
        "created_at": factories.NOON,
    }
    return OperaOperation.objects.create(
        hotel=card.hotel, task=card, sequence=sequence, operation_id=operation_id, **(defaults | fields)
    )


def writer(card: Task, **fields: Any) -> Writer:
    """Whoever decided on this card."""
    return Writer(**({"user": card.decided_by, "door": Door.API, "hotel_ids": [card.hotel_id]} | fields))


def work(*, patiently: bool = True) -> None:
    """Run the background tasks that wait, as a worker does, inside the transaction of the test.

    patiently  also those that are to wait, and those that these call up, until nothing is left
    """
    while True:
        if patiently:
            now = timezone.now()
            OperaOperation.objects.filter(next_try_at__gt=now).update(next_try_at=now)
            waiting().update(run_after=now)
        while (row := DBTaskResult.objects.ready().first()) is not None:
            row.claim("test")
            row.set_successful(row.task.call(*row.args_kwargs["args"]))
        if not patiently or not waiting().exists():
            return


def waiting() -> Any:
    """Background tasks that no worker has taken."""
    return DBTaskResult.objects.filter(status=TaskResultStatus.READY)
