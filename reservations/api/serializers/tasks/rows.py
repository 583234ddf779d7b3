"""One card as it is listed."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import MailReferenceSerializer, Row, mail_reference
from reservations.models import ReviewStatusChoice, TaskStatusChoice
from reservations.selectors.routes import shown_pair


class TaskRowSerializer(serializers.Serializer):
    """One card, without payloads: what the agent said, how the system treats it, how it is shown (R-19)."""

    id = serializers.UUIDField()
    hotel = serializers.CharField(help_text="Code of the hotel.")
    order_id = serializers.UUIDField(allow_null=True, help_text="Null for a notice (R-10).")
    order_number = serializers.CharField(allow_null=True)
    source_message_id = serializers.CharField(help_text="The outer id of the mail.")
    source_message = MailReferenceSerializer()
    submission_id = serializers.UUIDField()
    order_task_id = serializers.UUIDField(allow_null=True, help_text="The V4 order task that shows the card.")
    source_event_index = serializers.IntegerField(min_value=0, help_text="One-based; 0 for a notice.")
    array_index = serializers.IntegerField(min_value=0, allow_null=True)
    result_type = serializers.CharField()
    ai_task_type = serializers.CharField()
    ai_task_subtype = serializers.CharField()
    task_type = serializers.CharField(help_text="As shown: of a retired pair, the one that took its place (R-21).")
    task_subtype = serializers.CharField(help_text="As shown (R-21).")
    route_code = serializers.CharField(help_text="As received.")
    route_display_code = serializers.CharField()
    system_process_category = serializers.CharField()
    system_task_type = serializers.CharField()
    queue_participation = serializers.BooleanField()
    readonly = serializers.BooleanField()
    card_display_type = serializers.CharField()
    card_title_code = serializers.CharField()
    task_status = serializers.ChoiceField(TaskStatusChoice.choices)
    review_status = serializers.ChoiceField(ReviewStatusChoice.choices, allow_null=True)
    claimed_by = serializers.CharField(allow_null=True)
    claim_expires_at = serializers.DateTimeField(allow_null=True)
    blocked = serializers.BooleanField(help_text="An earlier card of its order is not finished (R-27).")
    version = serializers.IntegerField(min_value=1)
    received_at = serializers.DateTimeField(help_text="When the mail was received.")
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "hotel": row["hotel__code"],
            **_order(row),
            "source_message_id": row["source_message__external_message_id"],
            "source_message": mail_reference(row),
            "submission_id": row["submission_id"],
            "order_task_id": row["order_task_id"],
            "source_event_index": row["source_event_index"],
            "array_index": row["array_index"],
            **_layers(row),
            "task_status": row["task_status"],
            "review_status": row["review_status"],
            "claimed_by": row["claimed_by__username"],
            "claim_expires_at": row["claim_expires_at"],
            "blocked": row["blocked"],
            "version": row["version"],
            "received_at": row["received_at"],
            "created_at": row["created_at"],
        }


def _order(row: Row) -> dict[str, Any]:
    hidden = row["order__hidden"]
    return {
        "order_id": None if hidden else row["order_id"],
        "order_number": None if hidden else row["order__order_number"],
    }


def _layers(row: Row) -> dict[str, Any]:
    shown_type, shown_subtype = shown_pair(task_type=row["ai_task_type"], task_subtype=row["ai_task_subtype"])
    return {
        "result_type": row["ai_result_type"],
        "ai_task_type": row["ai_task_type"],
        "ai_task_subtype": row["ai_task_subtype"],
        "task_type": shown_type,
        "task_subtype": shown_subtype,
        "route_code": row["route_code"],
        "route_display_code": row["route_display_code"],
        "system_process_category": row["system_process_category"],
        "system_task_type": row["system_task_type"],
        "queue_participation": row["queue_participation"],
        "readonly": row["readonly"],
        "card_display_type": row["card_display_type"],
        "card_title_code": row["card_title_code"],
    }
