"""V4 order tasks and their cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import MailReferenceSerializer, Row, StoredJSON, exact, mail_reference
from reservations.api.serializers.tasks.cards import CARD_STATUSES
from reservations.api.serializers.tasks.fields import (
    ConfirmedPayloadSerializer,
    FieldSerializer,
    LabelSerializer,
    served,
)
from reservations.api.serializers.tasks.parts import DraftSerializer, WarningSerializer
from reservations.data import matrix
from reservations.domain.orderkeys import OrderKind
from reservations.models import (
    CardKind,
    OrderTaskStatusChoice,
    ReviewStatusChoice,
    Task,
    TaskCard,
)
from reservations.selectors.desk.faces import face
from reservations.selectors.ordertasks import FIELD_CONTRACT, OrderTaskDetail, ShownCard

ORDER_TYPES = [(kind.value, kind.value) for kind in (OrderKind.FIT, OrderKind.GROUP, OrderKind.ALLOTMENT)]
MAIL_TITLE = ("Source message", "来件")


class OrderTaskRowSerializer(serializers.Serializer):
    """What one mail asks for one order, without its cards."""

    id = serializers.UUIDField()
    hotel = serializers.CharField(help_text="Code of the hotel.")
    order_id = serializers.UUIDField()
    order_number = serializers.CharField()
    source_message_id = serializers.CharField(help_text="The outer id of the mail.")
    source_message = MailReferenceSerializer()
    submission_id = serializers.UUIDField()
    order_ref = serializers.CharField(help_text="The name of the order context within the package.")
    order_context_index = serializers.IntegerField(min_value=0, help_text="Zero-based.")
    order_type = serializers.ChoiceField(ORDER_TYPES)
    display_name = serializers.CharField(allow_blank=True)
    order_task_status = serializers.ChoiceField(OrderTaskStatusChoice.choices)
    field_contract_version = serializers.CharField()
    blocked = serializers.BooleanField(help_text="An earlier card of its order is not finished (R-58).")
    version = serializers.IntegerField(min_value=1)
    received_at = serializers.DateTimeField(help_text="When the mail was received.")
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "hotel": row["hotel__code"],
            "order_id": row["order_id"],
            "order_number": row["order__order_number"],
            "source_message_id": row["source_message__external_message_id"],
            "source_message": mail_reference(row),
            "submission_id": row["submission_id"],
            "order_ref": row["order_ref"],
            "order_context_index": row["order_context_index"],
            "order_type": row["order_type"],
            "display_name": row["display_name"],
            "order_task_status": row["status"],
            "field_contract_version": FIELD_CONTRACT,
            "blocked": row["blocked"],
            "version": row["version"],
            "received_at": row["received_at"],
            "created_at": row["created_at"],
        }


class CandidateSerializer(serializers.Serializer):
    """An order that a review of the Basic Information may choose (R-60)."""

    order_id = serializers.UUIDField()
    order_number = serializers.CharField()
    order_type = serializers.CharField()
    display_name = serializers.CharField(allow_blank=True)
    booking_code = serializers.CharField(allow_null=True)
    confirmation_number = serializers.CharField(allow_null=True)
    group_code = serializers.CharField(allow_null=True)
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {"order_id": row["id"], "order_type": row["kind"]} | {
            name: row[name]
            for name in (
                "order_number",
                "display_name",
                "booking_code",
                "confirmation_number",
                "group_code",
                "created_at",
            )
        }


class CardSerializer(serializers.Serializer):
    """One card. A BUSINESS card stands as its task stands; SOURCE_MESSAGE has no state and no fields."""

    card_id = serializers.UUIDField()
    card_key = serializers.CharField(help_text="SOURCE_MESSAGE, BASIC_INFORMATION or EVENT_<source_event_index>.")
    kind = serializers.ChoiceField(CardKind.choices)
    title = LabelSerializer()
    route_display_code = serializers.CharField(allow_null=True)
    source_event_index = serializers.IntegerField(min_value=0, help_text="0 unless from an event.")
    status = serializers.ChoiceField(CARD_STATUSES, allow_null=True)
    review_status = serializers.ChoiceField(ReviewStatusChoice.choices, allow_null=True)
    review_resolution = StoredJSON()
    task_id = serializers.UUIDField(allow_null=True, help_text="Of a BUSINESS card.")
    version = serializers.IntegerField(min_value=1)
    claimed_by = serializers.CharField(allow_null=True)
    draft = DraftSerializer(allow_null=True)
    confirmed_payload = ConfirmedPayloadSerializer(allow_null=True)
    decided_by = serializers.CharField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    warnings = WarningSerializer(many=True)
    effective_payload = StoredJSON(help_text="The values the card stands for, nested.")
    fields = FieldSerializer(many=True)  # type: ignore[assignment]  # a member of the answer, not of the class
    order_candidates = CandidateSerializer(many=True, help_text="Of a Basic Information in review.")

    def to_representation(self, shown: ShownCard) -> dict[str, Any]:
        card, fields = shown.card, shown.fields
        return {
            "card_id": card.pk,
            "card_key": card.card_key,
            "kind": card.kind,
            "title": _title(card),
            "route_display_code": card.task.route_display_code if card.task else None,
            "source_event_index": card.source_event_index,
            **_decision(card.task or card),
            "status": card.task.task_status if card.task else card.card_status,
            "task_id": card.task_id,
            "claimed_by": card.task.claimed_by.username if card.task and card.task.claimed_by else None,
            "effective_payload": exact(fields.effective_payload) if fields else None,
            "fields": [served(field) for field in fields.rows] if fields else [],
            "order_candidates": CandidateSerializer(shown.candidates, many=True).data,
        }


class OrderTaskSerializer(OrderTaskRowSerializer):
    """One order task with its cards: the mail, the Basic Information, then the events by their index."""

    order_context = StoredJSON(help_text="As sent; null once it was purged.")
    catalog_code = serializers.CharField(allow_null=True)
    skill_id = serializers.CharField(allow_null=True)
    cards = CardSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        detail: OrderTaskDetail = instance
        tasks = [shown.card.task for shown in detail.cards if shown.card.task]
        return {
            **super().to_representation(detail.row),
            "order_context": exact(detail.order_task.order_context),
            "catalog_code": _first(tasks, "catalog_code"),
            "skill_id": _first(tasks, "skill_id"),
            "cards": CardSerializer(detail.cards, many=True).data,
        }


def _decision(owner: Task | TaskCard) -> dict[str, Any]:
    """The columns that a task and a Basic Information card have alike."""
    draft = None
    if owner.draft_by is not None:
        draft = {
            "field_values": exact(owner.draft_payload_json),
            "saved_by": owner.draft_by.username,
            "saved_at": owner.draft_at,
        }
    confirmed = owner.confirmed_payload_json
    return {
        "review_status": owner.review_status,
        "review_resolution": exact(owner.review_resolution),
        "version": owner.version,
        "draft": draft,
        "confirmed_payload": exact(confirmed) if confirmed is not None else None,
        "decided_by": owner.decided_by.username if owner.decided_by else None,
        "decided_at": owner.decided_at,
        "warnings": exact(owner.warnings),
    }


def _title(card: TaskCard) -> dict[str, str]:
    if card.task is None:
        title = MAIL_TITLE if card.kind == CardKind.SOURCE_MESSAGE else matrix().basic_information.title
        return {"en": title[0], "zh": title[1]}
    shown = face(card.task.route_code)
    name = f"{card.task.ai_task_type} / {card.task.ai_task_subtype}"
    return {"en": shown.title if shown else name, "zh": shown.title_zh if shown else name}


def _first(tasks: Sequence[Task], name: str) -> str | None:
    return next((getattr(task, name) for task in tasks if getattr(task, name)), None)
