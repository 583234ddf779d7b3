"""The start page: how much waits, and the newest mails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from reservations.models import (
    AdapterContractError,
    AiTransition,
    OrderTask,
    OrderTaskStatusChoice,
    SourceMessage,
    SourceNotification,
    Task,
    TaskStatusChoice,
    TransitionKind,
)
from reservations.selectors.desk.mails import TEXT_COLUMNS, Tally, tallies

MOST_COUNTED = 1000
NEWEST = 10
COUNTED_STATES = (
    TaskStatusChoice.PENDING_CONFIRM,
    TaskStatusChoice.PENDING_REVIEW,
    TaskStatusChoice.READY,
    TaskStatusChoice.FAILED,
    TaskStatusChoice.NOTICE,
)
BASIC_INFORMATION_STATES = (OrderTaskStatusChoice.PENDING_CONFIRM, OrderTaskStatusChoice.PENDING_REVIEW)


@dataclass(frozen=True, slots=True)
class Count:
    """A number that was counted no further than MOST_COUNTED."""

    number: int
    capped: bool


def bounded(rows: QuerySet[Any, Any]) -> Count:
    found = rows.order_by()[: MOST_COUNTED + 1].count()
    return Count(min(found, MOST_COUNTED), found > MOST_COUNTED)


def states(hotel_ids: Sequence[int]) -> list[tuple[TaskStatusChoice, Count]]:
    """Tasks by state in these hotels, in the order in which people ask for them."""
    tasks = Task.objects.filter(hotel__in=hotel_ids)
    return [(state, bounded(tasks.filter(task_status=state))) for state in COUNTED_STATES]


def basic_information(hotel_ids: Sequence[int]) -> list[tuple[OrderTaskStatusChoice, Count]]:
    """Order tasks whose Basic Information is to be confirmed, or reviewed (R-59)."""
    rows = OrderTask.objects.filter(hotel__in=hotel_ids)
    return [(state, bounded(rows.filter(status=state))) for state in BASIC_INFORMATION_STATES]


def unacknowledged(hotel_ids: Sequence[int]) -> Count:
    """Notifications that nobody has acknowledged yet (R-11)."""
    return bounded(SourceNotification.objects.filter(hotel__in=hotel_ids, acknowledged_at__isnull=True))


def contract_errors(hotel_ids: Sequence[int]) -> Count:
    return bounded(AdapterContractError.objects.filter(hotel__in=hotel_ids))


def unhandled_intents(hotel_ids: Sequence[int]) -> Count:
    """What mails ask for and no card covers (R-09)."""
    return bounded(AiTransition.objects.filter(hotel__in=hotel_ids, kind=TransitionKind.UNHANDLED_INTENT))


def newest_mails(hotel_ids: Sequence[int]) -> list[tuple[SourceMessage, Tally]]:
    """The newest mails of these hotels with what came of each, in three statements."""
    rows = SourceMessage.objects.filter(hotel__in=hotel_ids).select_related("hotel").defer(*TEXT_COLUMNS)
    mails = list(rows.order_by("-received_at", "-id")[:NEWEST])
    found = tallies(mail.pk for mail in mails)
    return [(mail, found[mail.pk]) for mail in mails]
