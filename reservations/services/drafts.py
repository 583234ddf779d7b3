"""Drafts: what a person has filled in so far (R-36). It changes what the card shows, not where it stands."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.jsontext import JsonValue
from config.transactions import retried
from reservations.data import catalog, matrix
from reservations.domain.errors import TaskStateInvalid
from reservations.domain.fieldcontract import check_draft, read_draft, version_once_written
from reservations.domain.states import TaskStatus
from reservations.models import Task
from reservations.selectors.fieldstate import task_card_state
from reservations.services.audited import task_change, task_state
from reservations.services.writes import Writer, lock_task, record, save_task

TASK_DRAFT = "TASK_DRAFT"
OPEN = (TaskStatus.PENDING_CONFIRM, TaskStatus.PENDING_REVIEW)


def save_draft(*, writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    """Replace the draft of a card by these values.

    body    {"field_values": {path: value}}; {} empties the draft
    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskReadonly, TaskStateInvalid, FieldInvalid (400),
            TaskFieldPathInvalid, TaskFieldValueInvalid
    """
    return retried(lambda: _save(writer, task_id, body))


@transaction.atomic
def _save(writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    at = timezone.now()
    task = lock_task(writer=writer, task_id=task_id, at=at)
    if task.status not in OPEN:
        raise TaskStateInvalid
    state = task_card_state(task)
    values = check_draft(state, read_draft(body), matrix=matrix(), catalog=catalog())
    before = task_state(task)
    task.draft_payload_json, task.draft_by, task.draft_at = values, writer.user, at
    task.field_contract_version = version_once_written(task.field_contract_version, state, matrix=matrix())
    columns = ["draft_payload_json", "draft_by", "draft_at", "field_contract_version"]
    save_task(task, writer=writer, at=at, columns=columns)
    record(writer, task.hotel_id, [task_change(task, TASK_DRAFT, before)], at)
    return task
