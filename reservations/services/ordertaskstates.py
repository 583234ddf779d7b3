"""Where an order task stands, as its cards move (R-58, R-59). Called with the card that has just moved locked."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

from config.audit.services import Change
from config.jsontext import JsonValue
from reservations.domain.errors import BasicInformationNotConfirmed
from reservations.domain.states import CardStatus, TaskStatus, order_task_status
from reservations.models import CardKind, Order, OrderTask, OrderTaskStatusChoice, Task, TaskCard
from reservations.services.audited import ORDER_TASK, order_task_state, task_change, task_state

ORDER_TASK_MOVE, TASK_ORDER_CHANGE = "ORDER_TASK_MOVE", "TASK_ORDER_CHANGE"
WAITING = (OrderTaskStatusChoice.PENDING_CONFIRM, OrderTaskStatusChoice.PENDING_REVIEW)


def check_basic_information(task: Task) -> None:
    """R-59: the Basic Information of an order task comes before its other cards.

    raises  BasicInformationNotConfirmed
    """
    if task.order_task is not None and task.order_task.status in WAITING:
        raise BasicInformationNotConfirmed


def follow(order_task_id: UUID | None) -> list[Change]:
    """Let the order task follow its cards; the line of the audit where it moved. None for a card without one."""
    if order_task_id is None:
        return []
    order_task = OrderTask.objects.select_for_update().get(pk=order_task_id)
    return _moved(order_task)


def move_to_order(*, order_task: OrderTask, order: Order, except_task: Task | None = None) -> list[Change]:
    """The order task and its tasks go to another order (R-39, R-60). The order task is locked by the caller or here."""
    changes = [_task_to(task, order) for task in _others(order_task, except_task)]
    row = OrderTask.objects.select_for_update().get(pk=order_task.pk)
    before = order_task_state(row)
    row.order = order
    row.version += 1
    row.save(update_fields=["order", "version"])
    return [*changes, _change(row, before)]


def _others(order_task: OrderTask, except_task: Task | None) -> Sequence[Task]:
    tasks = Task.objects.select_for_update().filter(order_task=order_task).order_by("id")
    return list(tasks.exclude(pk=except_task.pk) if except_task is not None else tasks)


def _task_to(task: Task, order: Order) -> Change:
    before = task_state(task)
    task.order = order
    task.version += 1
    task.save(update_fields=["order", "version"])
    return task_change(task, TASK_ORDER_CHANGE, before)


def _moved(order_task: OrderTask) -> list[Change]:
    basic = TaskCard.objects.get(order_task=order_task, kind=CardKind.BASIC_INFORMATION)
    statuses = Task.objects.filter(order_task=order_task).values_list("task_status", flat=True)
    status = order_task_status(CardStatus(str(basic.card_status)), map(TaskStatus, statuses))
    if order_task.status == status:
        return []
    before = order_task_state(order_task)
    order_task.status = status
    order_task.version += 1
    order_task.save(update_fields=["status", "version"])
    return [_change(order_task, before)]


def _change(order_task: OrderTask, before: JsonValue) -> Change:
    return Change(ORDER_TASK_MOVE, ORDER_TASK, str(order_task.pk), before, order_task_state(order_task))
