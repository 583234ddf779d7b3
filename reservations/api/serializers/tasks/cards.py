"""What a write on a card of an order task answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import exact
from reservations.api.serializers.tasks.fields import ConfirmedPayloadSerializer
from reservations.api.serializers.tasks.writes import (
    DecisionSerializer,
    OperationBriefSerializer,
    ResolveRequestSerializer,
    TaskStateSerializer,
)
from reservations.models import CardStatusChoice, OperaOperation, Task, TaskCard, TaskStatusChoice

CARD_STATUSES = list(dict([*TaskStatusChoice.choices, *CardStatusChoice.choices]).items())


class CardResolveRequestSerializer(ResolveRequestSerializer):
    """As of a task; Basic Information in review names one of its candidates."""

    confirmed_order_id = serializers.CharField(
        allow_null=True,
        help_text="Of Basic Information: one of `order_candidates`, or null for a new order. Else as of a task.",
    )


@dataclass(frozen=True, slots=True)
class WrittenCard:
    """A card after a write: Basic Information by itself, a business card by its task and what that leads to."""

    card: TaskCard
    task: Task | None = None
    operations: Sequence[OperaOperation] = ()

    @property
    def version(self) -> int:
        return self.task.version if self.task else self.card.version


class CardDecisionSerializer(DecisionSerializer):
    """A card after a write, with the keys of a task after one. Basic Information has no task, no holder and no call."""

    card_id = serializers.UUIDField()
    card_key = serializers.CharField()
    order_task_id = serializers.UUIDField()
    task_id = serializers.UUIDField(allow_null=True, help_text="Of a BUSINESS card.")
    task_status = serializers.ChoiceField(CARD_STATUSES, help_text="Of Basic Information: where the card stands.")
    status = serializers.ChoiceField(CARD_STATUSES, help_text="The same, as cards[] of the order task name it.")
    confirmed_payload = ConfirmedPayloadSerializer(allow_null=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        written: WrittenCard = instance
        owner = written.task or written.card
        status = written.task.task_status if written.task else written.card.card_status
        return {
            **_held(written.task),
            "card_id": written.card.pk,
            "card_key": written.card.card_key,
            "order_task_id": written.card.order_task_id,
            "order_id": written.task.order_id if written.task else written.card.order_task.order_id,
            "task_status": status,
            "status": status,
            "review_status": owner.review_status,
            "review_resolution": exact(owner.review_resolution),
            "confirmed_payload": exact(owner.confirmed_payload_json),
            "opera_operations": OperationBriefSerializer(written.operations, many=True).data,
            "warnings": exact(owner.warnings),
            "version": written.version,
        }


def _held(task: Task | None) -> dict[str, Any]:
    """What the state of a task says beside that."""
    return dict(TaskStateSerializer(task).data) if task else dict.fromkeys(TaskStateSerializer().fields)
