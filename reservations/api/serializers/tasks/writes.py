"""Bodies and answers of the writes on a card. Shapes only: the bodies are read by the domain, in the order of R-45."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from reservations.api.serializers.shapes import StoredJSON, exact
from reservations.api.serializers.tasks.fields import ConfirmedPayloadSerializer
from reservations.domain.fieldcontract import BulkAction
from reservations.models import OperaOperation, OperationStatus, ReviewStatusChoice, Task, TaskStatusChoice
from reservations.services.bulk import Outcome
from reservations.services.decisions import Decision


class DraftRequestSerializer(serializers.Serializer):
    """Replaces the draft whole."""

    field_values = serializers.DictField(child=StoredJSON(), help_text="Path to value; null clears the agent's.")


class ConfirmRequestSerializer(serializers.Serializer):
    """What the person changes beside the draft; {} confirms the card as it stands."""

    field_values = serializers.DictField(child=StoredJSON(), required=False)
    reason = serializers.CharField(required=False, allow_null=True, max_length=2000)


class OverrideSerializer(serializers.Serializer):
    """One field by pointer, by path, or both; then both mean the same field."""

    field_pointer = serializers.CharField(required=False, allow_null=True, help_text="RFC 6901.")
    field_path = serializers.CharField(required=False, allow_null=True, help_text="Main or old flat path.")
    value = StoredJSON()


class ResolveRequestSerializer(serializers.Serializer):
    """Every missing field needs an override with a value."""

    confirmed_order_id = serializers.CharField(
        help_text="The card's own order; while that is TEMPORARY, also an active one that a key of the review names."
    )
    reason = serializers.CharField(required=False, allow_null=True, max_length=2000)
    field_overrides = OverrideSerializer(many=True, required=False)


class ReasonSerializer(serializers.Serializer):
    reason = serializers.CharField(max_length=2000)


class OptionalReasonSerializer(serializers.Serializer):
    reason = serializers.CharField(required=False, allow_null=True, max_length=2000)


class BulkRequestSerializer(serializers.Serializer):
    """Up to 200 cards; `terminate` needs a reason."""

    action = serializers.ChoiceField([(action.value, action.value) for action in BulkAction])
    task_ids = serializers.ListField(child=serializers.CharField(), min_length=1, max_length=200)
    reason = serializers.CharField(required=False, allow_null=True, max_length=2000)


class TaskStateSerializer(serializers.Serializer):
    """Where a card stands after a write."""

    task_id = serializers.UUIDField()
    task_status = serializers.ChoiceField(TaskStatusChoice.choices)
    review_status = serializers.ChoiceField(ReviewStatusChoice.choices, allow_null=True)
    claimed_by = serializers.CharField(allow_null=True)
    claim_expires_at = serializers.DateTimeField(allow_null=True)
    acknowledged_by = serializers.CharField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    version = serializers.IntegerField(min_value=1)

    def to_representation(self, task: Task) -> dict[str, Any]:
        return {
            "task_id": task.pk,
            "task_status": task.task_status,
            "review_status": task.review_status,
            "claimed_by": task.claimed_by.username if task.claimed_by else None,
            "claim_expires_at": task.claim_expires_at,
            "acknowledged_by": task.acknowledged_by.username if task.acknowledged_by else None,
            "acknowledged_at": task.acknowledged_at,
            "version": task.version,
        }


class OperationBriefSerializer(serializers.Serializer):
    """One operation as a decision answers it."""

    id = serializers.UUIDField()
    sequence = serializers.IntegerField(min_value=1, max_value=2)
    operation_id = serializers.CharField(help_text="The operation of the OHIP specification.")
    status = serializers.ChoiceField(OperationStatus.choices)
    dry_run = StoredJSON(help_text="{valid, errors[{pointer, detail}]} against the published schema.")

    def to_representation(self, operation: OperaOperation) -> dict[str, Any]:
        return {
            "id": operation.pk,
            "sequence": operation.sequence,
            "operation_id": operation.operation_id,
            "status": operation.status,
            "dry_run": exact(operation.dry_run),
        }


class OperationSerializer(OperationBriefSerializer):
    """One operation: what it would send, and what became of it."""

    external_id = serializers.CharField(help_text="Under this id the call is made, however often it is tried.")
    role = serializers.CharField(help_text="write or verify.")
    method = serializers.CharField()
    path = serializers.CharField()
    request_body = StoredJSON(help_text="Ids that only a PMS could supply begin with PLACEHOLDER. Null for a read.")
    attempts = serializers.IntegerField(min_value=0)
    next_try_at = serializers.DateTimeField(allow_null=True)
    last_error = serializers.CharField(allow_null=True)
    receipt = StoredJSON(help_text="What the PMS answered.")
    created_at = serializers.DateTimeField()
    finished_at = serializers.DateTimeField(allow_null=True)

    def to_representation(self, operation: OperaOperation) -> dict[str, Any]:
        return {
            **super().to_representation(operation),
            "external_id": operation.external_id,
            "role": operation.role,
            "method": operation.method,
            "path": operation.path,
            "request_body": exact(operation.request_body),
            "attempts": operation.attempts,
            "next_try_at": operation.next_try_at,
            "last_error": operation.last_error or None,
            "receipt": exact(operation.receipt),
            "created_at": operation.created_at,
            "finished_at": operation.finished_at,
        }


@extend_schema_serializer(many=False)
class OperationListSerializer(serializers.Serializer):
    """All operations of a card, in sequence: two, or none before its decision."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = OperationSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        return {"next": None, "previous": None, "results": OperationSerializer(instance["results"], many=True).data}


class DecisionSerializer(TaskStateSerializer):
    """A card that is READY: what was decided, and the two operations it leads to."""

    order_id = serializers.UUIDField()
    review_resolution = StoredJSON(help_text="Null without a review.")
    confirmed_payload = ConfirmedPayloadSerializer()
    opera_operations = OperationBriefSerializer(many=True)
    warnings = StoredJSON(help_text="[{code, detail}]")

    def to_representation(self, instance: Any) -> dict[str, Any]:
        decision: Decision = instance
        task = decision.task
        return {
            **super().to_representation(task),
            "order_id": task.order_id,
            "review_resolution": exact(task.review_resolution),
            "confirmed_payload": exact(task.confirmed_payload_json),
            "opera_operations": OperationBriefSerializer(decision.operations, many=True).data,
            "warnings": exact(task.warnings),
        }


class OutcomeSerializer(serializers.Serializer):
    """What became of one item of a bulk write."""

    task_id = serializers.CharField(help_text="As sent.")
    done = serializers.BooleanField()
    task_status = serializers.ChoiceField(TaskStatusChoice.choices, allow_null=True)
    version = serializers.IntegerField(min_value=1, allow_null=True)
    error_code = serializers.CharField(allow_null=True)
    detail = serializers.CharField(allow_null=True)

    def to_representation(self, outcome: Outcome) -> dict[str, Any]:
        task, refusal = outcome.task, outcome.refusal
        return {
            "task_id": outcome.task_id,
            "done": task is not None,
            "task_status": task.task_status if task else None,
            "version": task.version if task else None,
            "error_code": refusal.code if refusal else None,
            "detail": refusal.detail if refusal else None,
        }


class BulkAnswerSerializer(serializers.Serializer):
    """One outcome per item, in the order sent."""

    outcomes = OutcomeSerializer(many=True)
