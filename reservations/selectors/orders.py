"""Orders. Hidden ones exist for notices only and are never shown (R-10)."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from reservations.models import Order, OrderKindChoice
from reservations.selectors.columns import Row, rows_of

SHOWN_KINDS = [choice for choice in OrderKindChoice.choices if choice[0] != OrderKindChoice.TECHNICAL]
ORDER_ROW = (
    "id",
    "hotel__code",
    "order_number",
    "kind",
    "status",
    "display_name",
    "group_code",
    "confirmation_number",
    "booking_code",
    "created_at",
)


def list_orders(*, hotel_ids: Collection[int]) -> QuerySet[Order, Row]:
    return rows_of(Order.objects.filter(hotel_id__in=hotel_ids, hidden=False), *ORDER_ROW)


def find_order(*, hotel_ids: Collection[int], order_id: UUID) -> Row | None:
    return list_orders(hotel_ids=hotel_ids).filter(id=order_id).first()
