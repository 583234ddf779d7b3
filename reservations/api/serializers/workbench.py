"""One item of the workbench, whichever kind it is (R-63)."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from rest_framework import serializers

from reservations.api.serializers.shapes import Row
from reservations.models import TaskStatusChoice
from reservations.selectors.desk.faces import face
from reservations.selectors.workbench import STATUSES, ItemKind

DETAILS = {
    ItemKind.TASK: "task-detail",
    ItemKind.ORDER_TASK: "order-task-detail",
    ItemKind.NOTIFICATION: "source-notification-detail",
}


class ItemOrderSerializer(serializers.Serializer):
    id = serializers.UUIDField()
    order_number = serializers.CharField()


class WorkItemSerializer(serializers.Serializer):
    """A task or notice of V2 and V3, an order task or a notification of V4."""

    kind = serializers.ChoiceField([(kind.value, kind.value) for kind in ItemKind])
    id = serializers.UUIDField()
    title = serializers.CharField(help_text="Of the card; of an order task the guest or group.")
    route_display_code = serializers.CharField(allow_null=True, help_text="Null for an order task: it has several.")
    status = serializers.ChoiceField(STATUSES)
    hotel = serializers.CharField(help_text="Code of the hotel.")
    order = ItemOrderSerializer(allow_null=True, help_text="Null for a notice (R-10).")
    received_at = serializers.DateTimeField(help_text="When the mail was received.")
    waiting_since = serializers.DateTimeField(
        allow_null=True, help_text="When it came to the desk; null when no person has to do anything."
    )
    claimed_by = serializers.CharField(allow_null=True)
    blocked = serializers.BooleanField(help_text="An earlier card of its order is not finished (R-27, R-58).")
    acknowledged = serializers.BooleanField(allow_null=True, help_text="Of a notice; else null.")
    url = serializers.URLField(help_text="The whole of it.")

    def to_representation(self, row: Row) -> dict[str, Any]:
        notice = row["status"] == TaskStatusChoice.NOTICE
        known = row["order_key"] is not None
        return {
            "kind": row["kind"],
            "id": row["id"],
            "title": _title(row),
            "route_display_code": row["route_display_code"] or None,
            "status": row["status"],
            "hotel": row["hotel_code"],
            "order": {"id": row["order_key"], "order_number": row["order_number"]} if known else None,
            "received_at": row["received_at"],
            "waiting_since": row["created_at"] if row["waits"] else None,
            "claimed_by": row["claimed_by_name"],
            "blocked": row["blocked"],
            "acknowledged": row["acknowledged_at"] is not None if notice else None,
            "url": self.context["request"].build_absolute_uri(
                reverse(DETAILS[ItemKind(row["kind"])], kwargs={"pk": row["id"]})
            ),
        }


def _title(row: Row) -> str:
    shown = face(row["route_code"]) if row["route_code"] else None
    return shown.title if shown else str(row["display_name"] or row["route_code"])
