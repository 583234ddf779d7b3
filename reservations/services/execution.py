"""Carrying out a confirmed card: a person starts it, workers make its two calls, in sequence (R-47, R-49).

A person's request moves the card to EXECUTING and makes its first call due. From there on every step is one attempt: claim
the operation, ask or send outside any transaction, settle what is known (`reservations.services.outcomes`). A worker may
die anywhere: the operation becomes due again, and the next attempt first asks what was received.
"""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

import structlog
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_tasks import task

from config.audit.services import Change
from config.delivery.services import call_up, claim
from config.jsontext import JsonValue
from config.transactions import retried
from reservations.domain.attempts import Answer, OperationState, asks_first
from reservations.domain.errors import TaskBlocked, TaskPayloadTampered
from reservations.domain.fieldcontract import read_reason
from reservations.domain.states import Action
from reservations.models import OperaOperation, Task
from reservations.opera.gateway import AnswerLost, Call, CallRefused, PmsUnavailable, gateway
from reservations.selectors.queue import blocked_by
from reservations.services.audited import OPERATION, operation_state, task_change, task_state
from reservations.services.outcomes import OPERATION_REQUEUED, Outcome, settle
from reservations.services.writes import NO_BODY, Writer, open_task, record, save_task

TASK_EXECUTE = "TASK_EXECUTE"
TASK_RETRY = "TASK_RETRY"
ANSWER_LOST = "ANSWER_LOST"
NOT_RECEIVED = "NOT_RECEIVED"
UNREACHABLE = "PMS_UNAVAILABLE"

log = structlog.get_logger(__name__)


def execute_task(*, writer: Writer, task_id: UUID, body: JsonValue = NO_BODY) -> Task:
    """READY to EXECUTING: the first call is due now.

    body    {"reason"?}
    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskReadonly, TaskStateInvalid,
            TaskPayloadTampered (R-35), TaskBlocked (R-27), FieldInvalid (400)
    """
    return retried(lambda: _start(writer, task_id, Action.EXECUTE, TASK_EXECUTE, body))


def retry_task(*, writer: Writer, task_id: UUID, body: JsonValue = NO_BODY) -> Task:
    """FAILED to EXECUTING: the call that failed is due again, under the same external id.

    raises  as execute_task
    """
    return retried(lambda: _start(writer, task_id, Action.RETRY, TASK_RETRY, body))


@transaction.atomic
def _start(writer: Writer, task_id: UUID, action: Action, name: str, body: JsonValue) -> Task:
    at = timezone.now()
    card = open_task(writer=writer, task_id=task_id, action=action, at=at)
    if card.is_tampered():
        raise TaskPayloadTampered
    earlier = blocked_by(card)
    if earlier is not None:
        raise TaskBlocked(
            f"Card {earlier} of this order comes first. Finish or terminate that one.", blocked_by=str(earlier)
        )
    reason, before = read_reason(body, required=False), task_state(card)
    card.move(action)
    save_task(card, writer=writer, at=at, columns=["task_status"])
    operation = card.operations.exclude(status=OperationState.SUCCEEDED).order_by("sequence")[:1].get()
    again = _opened_again(operation)
    operation.next_try_at = at
    operation.save(update_fields=["status", "attempts", "last_error", "finished_at", "next_try_at"])
    record(writer, card.hotel_id, [task_change(card, name, before, reason), *again], at)
    call_up(row=operation)
    return card


def _opened_again(operation: OperaOperation) -> list[Change]:
    """A failed call is as good as new, save its external id. None for one that was never tried."""
    if operation.status != OperationState.FAILED:
        return []
    before = operation_state(operation)
    operation.status, operation.attempts, operation.last_error = OperationState.PENDING, 0, ""
    operation.finished_at = None
    return [Change(OPERATION_REQUEUED, OPERATION, str(operation.pk), before, operation_state(operation))]


@task
def attempt_operation(operation_id: str) -> None:
    """One attempt, called by a worker outside any transaction. Nothing happens when it is not due, or another one has it."""
    operation = OperaOperation.objects.select_related("task", "hotel").filter(pk=operation_id).first()
    if operation is None:
        return
    state = OperationState(operation.status)
    asking = asks_first(state)
    taken = state if asking else OperationState.SENDING
    if not claim(row=operation, at=timezone.now(), lease=lease(), status=taken):
        return
    outcome = _found(operation) if asking else _sent(operation)
    retried(lambda: settle(operation=operation, outcome=outcome, at=timezone.now()))


def lease() -> timedelta:
    """How long one attempt may take."""
    return timedelta(seconds=settings.OPERA_LEASE_SECONDS)


def _sent(operation: OperaOperation) -> Outcome:
    """Send it. Whatever goes wrong in a way we do not know leaves open whether it was received."""
    if operation.task.is_tampered():
        return Outcome(Answer.REFUSED, error=TaskPayloadTampered.code)
    try:
        return Outcome(Answer.DONE, receipt=gateway().send(_call(operation)))
    except CallRefused as refusal:
        return Outcome(Answer.REFUSED, error=refusal.reason)
    except PmsUnavailable:
        return Outcome(Answer.NO_EFFECT, error=UNREACHABLE)
    except AnswerLost:
        return Outcome(Answer.OPEN, error=ANSWER_LOST)
    except Exception as fault:
        return _unexplained(operation, fault)


def _found(operation: OperaOperation) -> Outcome:
    """Ask what became of it. Without an answer it stays open."""
    try:
        receipt = gateway().find(_call(operation))
    except (AnswerLost, PmsUnavailable):
        return Outcome(Answer.OPEN, error=UNREACHABLE)
    except Exception as fault:
        return _unexplained(operation, fault)
    if receipt is None:
        return Outcome(Answer.NO_EFFECT, error=NOT_RECEIVED)
    return Outcome(Answer.DONE, receipt=receipt)


def _unexplained(operation: OperaOperation, fault: Exception) -> Outcome:
    log.error("operation_attempt_failed", operation=str(operation.pk), fault=type(fault).__name__, exc_info=fault)
    return Outcome(Answer.OPEN, error=type(fault).__name__)


def _call(operation: OperaOperation) -> Call:
    return Call(
        external_id=operation.external_id,
        hotel_code=operation.hotel.code,
        operation_id=operation.operation_id,
        method=operation.method,
        path=operation.path,
        body=operation.request_body,
    )
