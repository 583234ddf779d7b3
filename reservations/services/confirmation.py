"""Confirming a card (R-37, R-38)."""

from __future__ import annotations

from typing import cast
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.jsontext import JsonValue
from reservations.data import catalog, matrix
from reservations.domain.errors import TaskFieldsIncomplete, TaskFieldValueInvalid
from reservations.domain.fieldcontract import Confirmed, check_confirmation, given_keys, read_confirmation
from reservations.domain.states import check_confirm
from reservations.models import Task
from reservations.selectors.fieldstate import task_card_state
from reservations.services.audited import task_state
from reservations.services.decisions import CONFIRM, Decision, attempt, clash_faults, decide
from reservations.services.orderkeys import KeysClash, check_keys
from reservations.services.ordertaskstates import check_basic_information
from reservations.services.writes import Writer, lock_task


def confirm_task(*, writer: Writer, task_id: UUID, body: JsonValue) -> Decision:
    """Confirm a card with what the agent sent, what the draft holds and what the request sends, in this order.

    body    {"field_values"?: {path: value}, "reason"?: text}
    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskReadonly, TaskReviewAlreadyResolved,
            TaskReviewResolutionRequired, TaskStateInvalid, FieldInvalid (400), TaskFieldPathInvalid,
            TaskFieldValueInvalid (also a key of another active order, R-28), TaskFieldsIncomplete
    """
    return attempt(writer=writer, key=task_id, kind=CONFIRM, work=lambda: _confirm(writer, task_id, body))


@transaction.atomic
def _confirm(writer: Writer, task_id: UUID, body: JsonValue) -> Decision:
    at = timezone.now()
    task = lock_task(writer=writer, task_id=task_id, at=at)
    check_confirm(task.status, task.review_status)
    check_basic_information(task)
    request, state = read_confirmation(body), task_card_state(task)
    try:
        confirmed = check_confirmation(state, request.values, matrix=matrix(), catalog=catalog())
    except TaskFieldsIncomplete as refusal:
        _prefer_clashes(task, refusal)
        raise
    try:
        return decide(
            task=task,
            before=task_state(task),
            writer=writer,
            kind=CONFIRM,
            state=state,
            confirmed=confirmed,
            pair=(state.task_type, state.task_subtype),
            reason=request.reason,
            at=at,
        )
    except KeysClash as clash:
        raise TaskFieldValueInvalid(errors=clash_faults(clash.clashes, confirmed)) from clash


def _prefer_clashes(task: Task, refusal: TaskFieldsIncomplete) -> None:
    """A key of another order is a wrong value, and those are told before what is missing (contracts.md section 7).

    raises  TaskFieldValueInvalid
    """
    confirmed = cast(Confirmed, refusal.facts["confirmed"])
    try:
        check_keys(order=task.order, keys=given_keys(confirmed))
    except KeysClash as clash:
        raise TaskFieldValueInvalid(errors=clash_faults(clash.clashes, confirmed)) from clash
