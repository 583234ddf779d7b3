"""What a write on a card of an order task answers."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import StoredJSON, exact
from reservations.api.serializers.tasks.fields import ConfirmedPayloadSerializer
from reservations.api.serializers.tasks.writes import OperationBriefSerializer
from reservations.models import CardStatusChoice, ReviewStatusChoice, TaskCard


class CardDecisionSerializer(serializers.Serializer):
    """Basic Information after a write. A business card answers as its task does."""

    card_id = serializers.UUIDField()
    card_key = serializers.CharField()
    order_task_id = serializers.UUIDField()
    status = serializers.ChoiceField(CardStatusChoice.choices)
    review_status = serializers.ChoiceField(ReviewStatusChoice.choices, allow_null=True)
    review_resolution = StoredJSON(help_text="Null without a review.")
    confirmed_payload = ConfirmedPayloadSerializer(allow_null=True)
    opera_operations = OperationBriefSerializer(many=True, help_text="None: Basic Information leads to no call.")
    warnings = StoredJSON(help_text="[{code, detail}]")
    version = serializers.IntegerField(min_value=1)

    def to_representation(self, card: TaskCard) -> dict[str, Any]:
        return {
            "card_id": card.pk,
            "card_key": card.card_key,
            "order_task_id": card.order_task_id,
            "status": card.card_status,
            "review_status": card.review_status,
            "review_resolution": exact(card.review_resolution),
            "confirmed_payload": exact(card.confirmed_payload_json),
            "opera_operations": [],
            "warnings": exact(card.warnings),
            "version": card.version,
        }
