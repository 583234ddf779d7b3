"""One card with all that is shown on it."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import Row, StoredJSON, exact, sent_event, stored
from reservations.api.serializers.tasks.fields import ConfirmedPayloadSerializer, FieldSerializer, served
from reservations.api.serializers.tasks.parts import (
    CardContractErrorSerializer,
    CardMailSerializer,
    DraftSerializer,
    EvidenceSerializer,
    HistorySerializer,
    LinkSerializer,
    NoticeResultSerializer,
    UnhandledIntentSerializer,
    WarningSerializer,
    warnings_of,
)
from reservations.api.serializers.tasks.rows import TaskRowSerializer
from reservations.models import TaskStatusChoice
from reservations.selectors.tasks import TaskDetail


class TaskSerializer(TaskRowSerializer):
    """One card: the stored keys by their names, and what belongs to it."""

    source_message = CardMailSerializer()
    event_type = serializers.CharField(allow_null=True)
    ai_result_type = serializers.CharField()
    case_keys = StoredJSON(help_text="As sent.")
    effective_payload = StoredJSON(help_text="The values the card stands for, nested; null for a notice.")
    field_values = StoredJSON(help_text="Main path to value, of every served field that has one.")
    legacy_field_values = StoredJSON(help_text="The same under the old flat paths, where a field has one.")
    draft = DraftSerializer(allow_null=True)
    confirmed_payload = ConfirmedPayloadSerializer(allow_null=True)
    decided_by = serializers.CharField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    terminated_by = serializers.CharField(allow_null=True)
    terminated_at = serializers.DateTimeField(allow_null=True)
    termination_reason = serializers.CharField(allow_null=True)
    manual_review = StoredJSON()
    review_resolution = StoredJSON()
    ai_payload_json = StoredJSON(help_text="The event as sent; null once it was purged.")
    ai_payload_sha256 = serializers.CharField()
    field_contract_version = serializers.CharField()
    catalog_code = serializers.CharField(allow_null=True)
    skill_id = serializers.CharField(allow_null=True)
    acknowledged_by = serializers.CharField(allow_null=True)
    acknowledged_at = serializers.DateTimeField(allow_null=True)
    warnings = WarningSerializer(many=True)
    evidence = EvidenceSerializer(many=True)
    relationships = LinkSerializer(many=True)
    case_candidates = StoredJSON(help_text="Of the submission (R-08).")
    extraction_warnings = StoredJSON(help_text="Of the submission (R-08).")
    adapter_contract_errors = CardContractErrorSerializer(many=True)
    unhandled_intents = UnhandledIntentSerializer(many=True)
    source_message_only_result = NoticeResultSerializer(allow_null=True)
    fields = FieldSerializer(many=True)  # type: ignore[assignment]  # a member of the answer, not of the class
    history = HistorySerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        detail: TaskDetail = instance
        row = super().to_representation(detail.task)
        return row | _stored_keys(detail) | _decision(detail.task) | _values(detail) | _belongings(detail)


def _stored_keys(detail: TaskDetail) -> dict[str, Any]:
    row = detail.task
    return {
        "event_type": row["event_type"] or None,
        "ai_result_type": row["ai_result_type"],
        "case_keys": stored(row["case_keys_text"]),
        "manual_review": stored(row["manual_review_text"]),
        "review_resolution": stored(row["review_resolution_text"]),
        "ai_payload_json": sent_event(row["ai_payload_json"], row["route_code"]),
        "ai_payload_sha256": row["ai_payload_sha256"],
        "field_contract_version": row["field_contract_version"],
        "catalog_code": row["catalog_code"] or None,
        "skill_id": row["skill_id"] or None,
        "acknowledged_by": row["acknowledged_by__username"],
        "acknowledged_at": row["acknowledged_at"],
    }


def _decision(row: Row) -> dict[str, Any]:
    draft = row["draft_payload_json_text"]
    return {
        "draft": DraftSerializer(row).data if draft else None,
        "confirmed_payload": stored(row["confirmed_payload_json_text"]),
        "decided_by": row["decided_by__username"],
        "decided_at": row["decided_at"],
        "terminated_by": row["terminated_by__username"],
        "terminated_at": row["terminated_at"],
        "termination_reason": row["termination_reason"],
    }


def _values(detail: TaskDetail) -> dict[str, Any]:
    """The fields and what they hold (R-29 to R-33); a notice has none."""
    found = detail.fields
    if found is None:
        return {"effective_payload": None, "field_values": {}, "legacy_field_values": {}, "fields": []}
    return {
        "effective_payload": exact(found.effective_payload),
        "field_values": exact(found.field_values),
        "legacy_field_values": exact(found.legacy_field_values),
        "fields": [served(field) for field in found.rows],
    }


def _belongings(detail: TaskDetail) -> dict[str, Any]:
    row, batch = detail.task, detail.batch
    notice = row["task_status"] == TaskStatusChoice.NOTICE
    return {
        "source_message": CardMailSerializer(detail).data,
        "warnings": warnings_of(detail),
        "evidence": stored(row["evidence_text"]),
        "relationships": LinkSerializer(detail.links, many=True).data,
        "case_candidates": stored(row["case_candidates_text"]),
        "extraction_warnings": stored(row["extraction_warnings_text"]),
        "adapter_contract_errors": CardContractErrorSerializer(batch.contract_errors, many=True).data,
        "unhandled_intents": UnhandledIntentSerializer(batch.unhandled_intents, many=True).data,
        "source_message_only_result": NoticeResultSerializer(row).data if notice else None,
        "history": HistorySerializer(detail.history, many=True).data,
    }
