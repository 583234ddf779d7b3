"""What an attempt has found out, stored: on the operation, on its card, on its order. One transaction, audited (R-49)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import transaction

from config.audit.services import Change, Door, record_many
from config.delivery.services import call_up, next_try
from config.jsontext import JsonValue
from config.transactions import retried
from reservations.domain.attempts import SETTLED, Answer, OperationState, state_after
from reservations.domain.states import Action
from reservations.models import OperaOperation, Order, OrderStatus, Task
from reservations.services.audited import OPERATION, ORDER, operation_state, order_state, task_change, task_state
from reservations.services.ordertaskstates import follow

OPERATION_REQUEUED = "OPERATION_REQUEUED"
OPERATION_ACTIONS: Final = {
    OperationState.SUCCEEDED: "OPERATION_SUCCEEDED",
    OperationState.FAILED: "OPERATION_FAILED",
    OperationState.UNKNOWN: "OPERATION_UNKNOWN",
    OperationState.PENDING: OPERATION_REQUEUED,
}
TASK_ACTIONS: Final = {Action.OPERATIONS_SUCCEEDED: "TASK_DONE", Action.OPERATION_FAILED: "TASK_FAILED"}
ORDER_CANCEL = "ORDER_CANCEL"
LONGEST_ERROR: Final = 200
CANCELLING: Final = frozenset({"postCancelReservation", "postCancelBlock"})  # of a whole object (R-25a)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What one attempt has found out, with the receipt or what went wrong."""

    answer: Answer
    receipt: JsonValue = None
    error: str = ""


def settle(*, operation: OperaOperation, outcome: Outcome, at: datetime) -> bool:
    """Store the outcome of the attempt that holds this operation's lease. False: it was overtaken, nothing is stored."""
    return retried(lambda: _settle(operation, outcome, at))


@transaction.atomic
def _settle(operation: OperaOperation, outcome: Outcome, at: datetime) -> bool:
    card = Task.objects.select_for_update().get(pk=operation.task_id)
    both = list(OperaOperation.objects.select_for_update().filter(task=card).order_by("sequence"))
    row = next(row for row in both if row.pk == operation.pk)
    if row.lease_token != operation.lease_token:
        return False
    changes = [_store(row, outcome, at), *_consequences(card, both, row, at)]
    record_many(tenant_id=card.hotel_id, actor_id=None, door=Door.SYSTEM, changes=changes, at=at)
    return True


def _store(row: OperaOperation, outcome: Outcome, at: datetime) -> Change:
    before, state = operation_state(row), state_after(outcome.answer, row.attempts)
    settled = state in SETTLED
    row.status, row.receipt, row.last_error = state, outcome.receipt, outcome.error[:LONGEST_ERROR]
    row.finished_at = at if settled else None
    row.next_try_at = None if settled else next_try(attempts=row.attempts, at=at)
    row.lease_token = None
    row.save(update_fields=["status", "receipt", "last_error", "finished_at", "next_try_at", "lease_token"])
    return Change(OPERATION_ACTIONS[state], OPERATION, str(row.pk), before, operation_state(row))


def _consequences(card: Task, both: list[OperaOperation], row: OperaOperation, at: datetime) -> list[Change]:
    """What follows for the card, which is locked: the next call, or its end."""
    if row.status == OperationState.FAILED:
        return [_moved(card, Action.OPERATION_FAILED)]
    if row.status != OperationState.SUCCEEDED:
        if row.status == OperationState.UNKNOWN:
            card.move(Action.OPERATION_UNKNOWN)  # stays where it is, and the table says so
        call_up(row=row, at=row.next_try_at)
        return []
    following = next((other for other in both if other.status != OperationState.SUCCEEDED), None)
    if following is not None:
        following.next_try_at = at
        following.save(update_fields=["next_try_at"])
        call_up(row=following)
        return []
    return [_moved(card, Action.OPERATIONS_SUCCEEDED), *_cancelled(card, both[0]), *follow(card.order_task_id)]


def _moved(card: Task, action: Action) -> Change:
    before = task_state(card)
    card.move(action)
    card.version += 1
    card.save(update_fields=["task_status", "claimed_by", "claim_expires_at", "version"])
    return task_change(card, TASK_ACTIONS[action], before)


def _cancelled(card: Task, first: OperaOperation) -> list[Change]:
    """R-25a: what was cancelled as a whole frees the keys of its order."""
    if first.operation_id not in CANCELLING:
        return []
    order = Order.objects.select_for_update().get(pk=card.order_id)
    if order.hidden or order.status != OrderStatus.ACTIVE:
        return []
    before = order_state(order)
    order.status = OrderStatus.CANCELLED
    order.save(update_fields=["status"])
    return [Change(ORDER_CANCEL, ORDER, str(order.pk), before, order_state(order))]
