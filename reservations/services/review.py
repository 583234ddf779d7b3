"""Resolving the review of a card, on the same card (R-39, R-40)."""

from __future__ import annotations

from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.audit.services import Change
from config.errors import Fault
from config.jsontext import JsonValue
from reservations.data import catalog, matrix
from reservations.domain.catalog import MANUAL_REVIEW
from reservations.domain.errors import TaskReviewOrderInvalid
from reservations.domain.fieldcontract import (
    Resolved,
    ResolveRequest,
    check_resolution,
    read_resolution,
)
from reservations.domain.orderkeys import OrderKind
from reservations.domain.states import ReviewStatus, check_resolve
from reservations.models import Order, Task
from reservations.selectors.fieldstate import task_card_state
from reservations.services.audited import task_state
from reservations.services.decisions import RESOLVE, Decision, attempt, clash_faults, decide, resolution
from reservations.services.orderkeys import KeysClash, chosen_order
from reservations.services.ordertaskstates import check_basic_information, move_to_order
from reservations.services.writes import Writer, lock_task

REVIEW_COLUMNS = ("order", "review_status", "review_resolution", "system_task_type")
ORDER_POINTER = "/confirmed_order_id"


def resolve_review(*, writer: Writer, task_id: UUID, body: JsonValue) -> Decision:
    """Resolve the review of a card: what the agent could not know, and which order it is about.

    body    {"confirmed_order_id": text, "reason"?: text, "field_overrides": [{"field_pointer"?, "field_path"?, "value"}]}
    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskReadonly, TaskReviewAlreadyResolved,
            TaskReviewNotRequired, TaskStateInvalid, FieldInvalid (400), TaskReviewPointerInvalid,
            TaskReviewPointerDuplicate, TaskFieldValueInvalid, TaskReviewFieldsIncomplete, TaskReviewOrderInvalid
    """
    return attempt(writer=writer, key=task_id, kind=RESOLVE, work=lambda: _resolve(writer, task_id, body))


@transaction.atomic
def _resolve(writer: Writer, task_id: UUID, body: JsonValue) -> Decision:
    at = timezone.now()
    task = lock_task(writer=writer, task_id=task_id, at=at)
    check_resolve(task.status, task.review_status)
    check_basic_information(task)
    request = read_resolution(body)
    state = task_card_state(task)
    resolved = check_resolution(state, request.overrides, matrix=matrix(), catalog=catalog())
    before, own = task_state(task), task.order
    task.order = _confirmed_order(task, request, resolved)
    task.review_status = ReviewStatus.RESOLVED
    task.review_resolution = resolution(resolved, task.order, request.reason, writer, at)
    task.system_task_type = _system_task_type(task, resolved)
    try:
        return decide(
            task=task,
            before=before,
            writer=writer,
            kind=RESOLVE,
            state=state,
            confirmed=resolved.confirmed,
            pair=resolved.pair,
            reason=request.reason,
            at=at,
            columns=REVIEW_COLUMNS,
            also=_siblings_follow(task) if task.order != own else (),
        )
    except KeysClash as clash:
        raise TaskReviewOrderInvalid(errors=clash_faults(clash.clashes, resolved.confirmed)) from clash


def _confirmed_order(task: Task, request: ResolveRequest, resolved: Resolved) -> Order:
    order = chosen_order(task=task, confirmed_order_id=request.confirmed_order_id, overridden=resolved.override_keys)
    if order is None:
        own = f"Confirm {task.order_id}, the card's own order"
        detail = (
            f"{own}, or one that a key of the review names." if task.order.kind == OrderKind.TEMPORARY else f"{own}."
        )
        raise TaskReviewOrderInvalid(errors=[Fault(ORDER_POINTER, TaskReviewOrderInvalid.code, detail)])
    return order


def _siblings_follow(task: Task) -> list[Change]:
    """What one mail asks for one order stays together: the order task, and its other cards."""
    if task.order_task is None:
        return []
    return move_to_order(order_task=task.order_task, order=task.order, except_task=task)


def _system_task_type(task: Task, resolved: Resolved) -> str:
    """R-40: it follows a decided type; what the agent said stays."""
    if resolved.decided_pair is None:
        return task.system_task_type
    route = catalog().find(MANUAL_REVIEW, *resolved.decided_pair)
    return (route.system_task_type if route else None) or task.system_task_type
