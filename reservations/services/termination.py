"""Terminating a card that nobody needs, and acknowledging a notice."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.jsontext import JsonValue
from config.transactions import lock_row, retried
from reservations.domain.errors import TaskNotFound, TaskStateInvalid
from reservations.domain.fieldcontract import read_reason
from reservations.domain.states import Action, TaskStatus
from reservations.models import Task
from reservations.services.audited import task_change, task_state
from reservations.services.ordertaskstates import follow
from reservations.services.writes import (
    NO_BODY,
    Writer,
    check_holder,
    check_version,
    open_task,
    record,
    save_task,
    state_before,
)

TASK_TERMINATE, TASK_ACKNOWLEDGE = "TASK_TERMINATE", "TASK_ACKNOWLEDGE"


def terminate_task(*, writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    """End a card for good, with a reason; the next card of its order is free.

    body    {"reason"}
    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskReadonly, TaskStateInvalid, FieldInvalid (400)
    """
    return retried(lambda: _terminate(writer, task_id, body))


@transaction.atomic
def _terminate(writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    at = timezone.now()
    task = open_task(writer=writer, task_id=task_id, action=Action.TERMINATE, at=at)
    reason, before = read_reason(body, required=True), state_before(task, at)
    task.terminate(by=writer.user, at=at, reason=reason)
    columns = ["task_status", "terminated_by", "terminated_at", "termination_reason", "claimed_by", "claim_expires_at"]
    save_task(task, writer=writer, at=at, columns=columns)
    changes = [task_change(task, TASK_TERMINATE, before, reason), *follow(task.order_task_id)]
    record(writer, task.hotel_id, changes, at)
    return task


def acknowledge_notice(*, writer: Writer, task_id: UUID, body: JsonValue = NO_BODY) -> Task:
    """Note who has seen a notice, and when; the first one stays (R-11, R-14). Again is no change.

    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskStateInvalid (no notice), FieldInvalid (400)
    """
    return retried(lambda: _acknowledge(writer, task_id, body))


@transaction.atomic
def _acknowledge(writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    at = timezone.now()
    task = lock_row(Task.objects.filter(hotel_id__in=writer.hotel_ids, pk=task_id), "acknowledged_by", "claimed_by")
    if task is None:
        raise TaskNotFound
    if task.acknowledged_by is not None:  # whatever version was seen: two people acknowledging both succeed
        read_reason(body, required=False)
        return task
    check_holder(task, writer.user, at)
    check_version(task, writer)
    if task.status is not TaskStatus.NOTICE:
        raise TaskStateInvalid
    reason, before = read_reason(body, required=False), task_state(task)
    task.acknowledged_by, task.acknowledged_at = writer.user, at
    save_task(task, writer=writer, at=at, columns=["acknowledged_by", "acknowledged_at"])
    record(writer, task.hotel_id, [task_change(task, TASK_ACKNOWLEDGE, before, reason)], at)
    return task
