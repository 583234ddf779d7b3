"""The desk as the audit tells it, against the desk as the tables hold it."""

from __future__ import annotations

from config.audit.models import AuditEvent
from config.jsontext import JsonValue
from reservations.models import CardKind, OperaOperation, Order, OrderTask, SourceNotification, Task, TaskCard
from reservations.services.audited import (
    CARD,
    NOTIFICATION,
    OPERATION,
    ORDER,
    ORDER_TASK,
    TASK,
    card_state,
    notification_state,
    operation_state,
    order_state,
    order_task_state,
    task_state,
)

State = dict[tuple[str, str], JsonValue]
KINDS = (TASK, ORDER, OPERATION, ORDER_TASK, CARD, NOTIFICATION)


def told() -> State:
    """The last state of each object, from the audit alone. A refused attempt changes nothing."""
    events = AuditEvent.objects.filter(object_type__in=KINDS).exclude(action__endswith="_REFUSED").order_by("id")
    return {(kind, key): after for kind, key, after in events.values_list("object_type", "object_id", "after")}


def held() -> State:
    """The same from the tables; hidden orders of notices included. Of cards Basic Information alone has a state."""
    basic = TaskCard.objects.filter(kind=CardKind.BASIC_INFORMATION)
    return {
        **{(TASK, str(row.pk)): task_state(row) for row in Task.objects.all()},
        **{(ORDER, str(row.pk)): order_state(row) for row in Order.objects.all()},
        **{(OPERATION, str(row.pk)): operation_state(row) for row in OperaOperation.objects.all()},
        **{(ORDER_TASK, str(row.pk)): order_task_state(row) for row in OrderTask.objects.all()},
        **{(CARD, str(row.pk)): card_state(row) for row in basic},
        **{(NOTIFICATION, str(row.pk)): notification_state(row) for row in SourceNotification.objects.all()},
    }
