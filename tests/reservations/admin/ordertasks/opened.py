"""Order tasks whose Basic Information can be decided, and how they stand afterwards."""

from __future__ import annotations

from typing import Any

from reservations.models import CardKind, Hotel, OrderTask, TaskCard
from tests import factories
from tests.decisions import offer_options

NAME = "order_context.display_name"
ACCOUNT = "order_context.account_code"
BOOKING = "order_context.booking_code"
ARRIVAL = "order_context.arrival_date"
CODE = "BK-1"
CONTEXT = {
    "order_ref": "O1",
    "order_type": "FIT",
    "identifiers": {"BOOKING_CODE": CODE, "CONFIRMATION_NUMBER": None, "GROUP_CODE": None, "BLOCK_CODE": None},
    "display_name": "Guest A",
    "arrival_date": "2026-08-03",
    "departure_date": "2026-08-06",
    "account_code": "AC100",
    "market_code": "LEI",
    "source_code": "EML",
}


def opened(hotel: Hotel, **fields: Any) -> OrderTask:
    """An order task that can be confirmed as it was sent, with one business card."""
    offer_options(hotel)
    return factories.opened(hotel, **({"order_context": CONTEXT} | fields))


def in_review(hotel: Hotel) -> tuple[OrderTask, Any, Any]:
    """One whose booking code is on two orders, on a temporary order, and these two."""
    first, second = (factories.order(hotel, booking_code=CODE, display_name=f"Room {n}") for n in (1, 2))
    temporary = factories.order(hotel, order_type="TEMPORARY")
    row = opened(hotel, on=temporary, status="PENDING_REVIEW")
    card = basic_of(row)
    card.card_status, card.review_status = "PENDING_REVIEW", "PENDING"
    card.save(update_fields=["card_status", "review_status"])
    return row, first, second


def basic_of(row: OrderTask) -> TaskCard:
    return TaskCard.objects.get(order_task=row, kind=CardKind.BASIC_INFORMATION)


def now(row: OrderTask) -> OrderTask:
    return OrderTask.objects.get(pk=row.pk)
