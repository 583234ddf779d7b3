"""Which rows of each kind are asked for."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet

from reservations.models import OrderTask, OrderTaskStatusChoice, SourceNotification, Task, TaskCard, TaskStatusChoice
from reservations.selectors.ordertasks import order_task_blocked
from reservations.selectors.queue import is_blocked
from reservations.selectors.search import Matches
from reservations.selectors.workbench.shape import NOTIFICATION_WAITS, ORDER_TASK_WAITS, TASK_WAITS, ItemKind


@dataclass(frozen=True, slots=True)
class Wanted:
    """What of the workbench is asked for; None: everything."""

    kind: str | None = None
    status: str | None = None
    route_codes: tuple[str, ...] | None = None
    hotel: str | None = None
    order: UUID | None = None
    claimed: bool | None = None
    claimed_by: str | None = None
    blocked: bool | None = None
    acknowledged: bool | None = None
    received_since: datetime | None = None
    waiting_since: datetime | None = None
    search: Matches | None = None


def rows_of_kinds(hotel_ids: Collection[int], wanted: Wanted) -> Mapping[ItemKind, QuerySet[Any]]:
    """The rows of each kind that can have any."""
    found = {kind: _LISTS[kind](hotel_ids, wanted) for kind in ItemKind if wanted.kind in (None, kind)}
    return {kind: rows for kind, rows in found.items() if rows is not None}


def _tasks(hotel_ids: Collection[int], wanted: Wanted) -> QuerySet[Task] | None:
    if wanted.status is not None and wanted.status not in TaskStatusChoice.values:
        return None
    rows = Task.objects.filter(_shared(hotel_ids, wanted), _of_order(wanted), order_task__isnull=True).filter(
        _given(
            task_status=wanted.status,
            route_code__in=wanted.route_codes,
            claimed_by__isnull=_not(wanted.claimed),
            claimed_by__username=wanted.claimed_by,
            acknowledged_at__isnull=_not(wanted.acknowledged),
        )
    )
    if wanted.acknowledged is not None:
        rows = rows.filter(task_status=TaskStatusChoice.NOTICE)
    if wanted.blocked is not None:
        rows = rows.alias(blocked=is_blocked()).filter(blocked=wanted.blocked)
    return rows.filter(TASK_WAITS) if wanted.waiting_since is not None else rows


def _order_tasks(hotel_ids: Collection[int], wanted: Wanted) -> QuerySet[OrderTask] | None:
    if wanted.status is not None and wanted.status not in OrderTaskStatusChoice.values:
        return None
    if wanted.claimed or wanted.claimed_by is not None or wanted.acknowledged is not None:
        return None
    rows = OrderTask.objects.filter(_shared(hotel_ids, wanted), _of_order(wanted), _given(status=wanted.status))
    if wanted.route_codes is not None:
        rows = rows.filter(with_card_of(hotel_ids, wanted.route_codes))
    if wanted.blocked is not None:
        rows = rows.alias(blocked=order_task_blocked()).filter(blocked=wanted.blocked)
    return rows.filter(ORDER_TASK_WAITS) if wanted.waiting_since is not None else rows


def with_card_of(hotel_ids: Collection[int], route_codes: Collection[str]) -> Q:
    """Order tasks that have a card of one of these routes."""
    cards = TaskCard.objects.filter(task__hotel_id__in=hotel_ids, task__route_code__in=route_codes)
    return Q(pk__in=cards.values("order_task_id"))


def _notifications(hotel_ids: Collection[int], wanted: Wanted) -> QuerySet[SourceNotification] | None:
    never = (wanted.claimed, wanted.blocked, wanted.claimed_by is not None, wanted.order is not None)
    if any(never) or wanted.status not in (None, TaskStatusChoice.NOTICE):
        return None
    said = _given(route_code__in=wanted.route_codes, acknowledged_at__isnull=_not(wanted.acknowledged))
    rows = SourceNotification.objects.filter(_shared(hotel_ids, wanted, has_order=False), said)
    return rows.filter(NOTIFICATION_WAITS) if wanted.waiting_since is not None else rows


def _shared(hotel_ids: Collection[int], wanted: Wanted, *, has_order: bool = True) -> Q:
    narrowed = Q(hotel_id__in=hotel_ids) & _given(
        hotel__code=wanted.hotel, received_at__gte=wanted.received_since, created_at__lte=wanted.waiting_since
    )
    if wanted.search is not None:
        narrowed &= wanted.search.either if has_order else wanted.search.mails
    return narrowed


def _of_order(wanted: Wanted) -> Q:
    """Of one order, which is not a hidden one (R-10)."""
    return Q(order_id=wanted.order, order__hidden=False) if wanted.order is not None else Q()


def _given(**conditions: Any) -> Q:
    """Those that are asked for."""
    return Q(**{name: value for name, value in conditions.items() if value is not None})


def _not(flag: bool | None) -> bool | None:
    return None if flag is None else not flag


_LISTS: Mapping[ItemKind, Callable[[Collection[int], Wanted], QuerySet[Any] | None]] = {
    ItemKind.TASK: _tasks,
    ItemKind.ORDER_TASK: _order_tasks,
    ItemKind.NOTIFICATION: _notifications,
}
