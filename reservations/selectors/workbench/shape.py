"""One shape for the three kinds of items of the workbench.

What stands in other tables is asked for by subqueries, so that no database begins a page with the other table.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Final

from django.db.models import Case, CharField, DateTimeField, F, OuterRef, Q, Subquery, TextField, UUIDField, Value, When
from django.db.models.functions import Cast

from reservations.models import Hotel, Order, OrderTaskStatusChoice, TaskStatusChoice
from reservations.selectors.ordertasks import order_task_blocked
from reservations.selectors.queue import is_blocked

ITEM: Final = (
    "kind",
    "id",
    "route_code",
    "route_display_code",
    "display_name",
    "status",
    "hotel_code",
    "order_key",
    "order_number",
    "received_at",
    "created_at",
    "waits",
    "claimed_by_name",
    "blocked",
    "acknowledged_at",
)
WORKING: Final = (TaskStatusChoice.EXECUTING, TaskStatusChoice.DONE, TaskStatusChoice.TERMINATED)
TASK_WAITS: Final = ~Q(task_status__in=WORKING) & Q(acknowledged_at__isnull=True)
ORDER_TASK_WAITS: Final = ~Q(status=OrderTaskStatusChoice.DONE)
NOTIFICATION_WAITS: Final = Q(acknowledged_at__isnull=True)


class ItemKind(StrEnum):
    """In the order of the list among items of one moment."""

    ORDER_TASK = "order_task"
    NOTIFICATION = "source_notification"
    TASK = "task"


def columns_of(kind: ItemKind) -> dict[str, Any]:
    """What makes a row of this kind an item; what is not named is a column of the same name."""
    hotel = Hotel.objects.filter(pk=OuterRef("hotel_id")).values("code")
    return {"kind": _text(kind), "hotel_code": Subquery(hotel), **_COLUMNS[kind]()}


def _text(value: str) -> Value:
    return Value(value, output_field=CharField())


def _yes(condition: Q) -> Case:
    return Case(When(condition, then=Value(True)), default=Value(False))


def _of_order() -> dict[str, Any]:
    """Of a hidden order nothing is shown (R-10)."""
    order = Order.objects.filter(pk=OuterRef("order_id"), hidden=False)
    return {
        "order_key": Subquery(order.values("pk")),
        "order_number": Subquery(order.values("order_number")),
    }


def _task_columns() -> dict[str, Any]:
    return {
        **_of_order(),
        "display_name": Value("", output_field=TextField()),
        "status": F("task_status"),
        "waits": _yes(TASK_WAITS),
        "claimed_by_name": F("claimed_by__username"),
        "blocked": is_blocked(),
    }


def _order_task_columns() -> dict[str, Any]:
    return {
        **_of_order(),
        "route_code": _text(""),
        "route_display_code": _text(""),
        "waits": _yes(ORDER_TASK_WAITS),
        "claimed_by_name": Cast(Value(None), CharField()),
        "blocked": order_task_blocked(),
        "acknowledged_at": Cast(Value(None), DateTimeField()),
    }


def _notification_columns() -> dict[str, Any]:
    return {
        "order_key": Cast(Value(None), UUIDField()),
        "order_number": Cast(Value(None), CharField()),
        "display_name": Value("", output_field=TextField()),
        "status": _text(TaskStatusChoice.NOTICE),
        "waits": _yes(NOTIFICATION_WAITS),
        "claimed_by_name": Cast(Value(None), CharField()),
        "blocked": Value(False),
    }


_COLUMNS: Mapping[ItemKind, Callable[[], dict[str, Any]]] = {
    ItemKind.TASK: _task_columns,
    ItemKind.ORDER_TASK: _order_task_columns,
    ItemKind.NOTIFICATION: _notification_columns,
}
