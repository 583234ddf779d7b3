"""V4 notifications, and what a person does with them."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import MailReferenceSerializer, Row, StoredJSON, mail_reference, stored
from reservations.domain.fieldcontract.requests import ACKNOWLEDGE, BULK_SIZE
from reservations.models import SourceNotification
from reservations.services.notifications import NotificationOutcome


class NotificationRowSerializer(serializers.Serializer):
    """A mail that a person has to look at (R-11)."""

    id = serializers.UUIDField()
    hotel = serializers.CharField(help_text="Code of the hotel.")
    source_message_id = serializers.CharField(help_text="The outer id of the mail.")
    source_message = MailReferenceSerializer()
    submission_id = serializers.UUIDField()
    transition_id = serializers.UUIDField()
    route_code = serializers.CharField()
    route_display_code = serializers.CharField()
    acknowledged_by = serializers.CharField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(min_value=1)
    received_at = serializers.DateTimeField(help_text="When the mail was received.")
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "hotel": row["hotel__code"],
            "source_message_id": row["source_message__external_message_id"],
            "source_message": mail_reference(row),
            "submission_id": row["submission_id"],
            "transition_id": row["transition_id"],
            "route_code": row["route_code"],
            "route_display_code": row["route_display_code"],
            "acknowledged_by": row["acknowledged_by__username"],
            "acknowledged_at": row["acknowledged_at"],
            "version": row["version"],
            "received_at": row["received_at"],
            "created_at": row["created_at"],
        }


class NotificationSerializer(NotificationRowSerializer):
    """One notification with what the agent said of the mail; its texts are at `/source-messages/{id}`."""

    sender = serializers.CharField(allow_blank=True)
    conversation_id = serializers.CharField(allow_blank=True)
    agent_assessment = StoredJSON()
    notification = StoredJSON()
    manual_review = StoredJSON()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            **super().to_representation(row),
            "sender": row["source_message__sender"],
            "conversation_id": row["source_message__conversation_id"],
            "agent_assessment": stored(row["agent_assessment_text"]),
            "notification": stored(row["notification_text"]),
            "manual_review": stored(row["manual_review_text"]),
        }


class NotificationStateSerializer(serializers.Serializer):
    """Where a notification stands after a write."""

    notification_id = serializers.UUIDField()
    acknowledged_by = serializers.CharField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(min_value=1)

    def to_representation(self, row: SourceNotification) -> dict[str, Any]:
        return {
            "notification_id": row.pk,
            "acknowledged_by": row.acknowledged_by.username if row.acknowledged_by else None,
            "acknowledged_at": row.acknowledged_at,
            "version": row.version,
        }


class NotificationBulkRequestSerializer(serializers.Serializer):
    """Up to 200 notifications."""

    action = serializers.ChoiceField([(ACKNOWLEDGE, ACKNOWLEDGE)])
    notification_ids = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=BULK_SIZE)


class NotificationOutcomeSerializer(serializers.Serializer):
    """What became of one item of a bulk write."""

    notification_id = serializers.CharField(help_text="As sent.")
    done = serializers.BooleanField()
    acknowledged_by = serializers.CharField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(min_value=1, allow_null=True)
    error_code = serializers.CharField(allow_null=True)
    detail = serializers.CharField(allow_null=True)

    def to_representation(self, outcome: NotificationOutcome) -> dict[str, Any]:
        row, refusal = outcome.notification, outcome.refusal
        return {
            "notification_id": outcome.notification_id,
            "done": row is not None,
            "acknowledged_by": row.acknowledged_by.username if row and row.acknowledged_by else None,
            "acknowledged_at": row.acknowledged_at if row else None,
            "version": row.version if row else None,
            "error_code": refusal.code if refusal else None,
            "detail": refusal.detail if refusal else None,
        }


class NotificationBulkAnswerSerializer(serializers.Serializer):
    """One outcome per item, in the order sent."""

    outcomes = NotificationOutcomeSerializer(many=True)
