"""Orders."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import Row
from reservations.models import OrderStatus
from reservations.selectors.orders import SHOWN_KINDS


class OrderSerializer(serializers.Serializer):
    """One order with its keys as given."""

    id = serializers.UUIDField()
    hotel = serializers.CharField(help_text="Code of the hotel.")
    order_number = serializers.CharField()
    kind = serializers.ChoiceField(SHOWN_KINDS)
    status = serializers.ChoiceField(OrderStatus.choices)
    display_name = serializers.CharField(allow_blank=True)
    group_code = serializers.CharField(allow_null=True)
    confirmation_number = serializers.CharField(allow_null=True)
    booking_code = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "hotel": row["hotel__code"],
            "order_number": row["order_number"],
            "kind": row["kind"],
            "status": row["status"],
            "display_name": row["display_name"],
            "group_code": row["group_code"],
            "confirmation_number": row["confirmation_number"],
            "booking_code": row["booking_code"],
            "created_at": row["created_at"],
        }
