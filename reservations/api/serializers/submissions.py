"""Submissions and transitions."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import (
    MailReferenceSerializer,
    Row,
    StoredJSON,
    mail_reference,
    sent_event,
    stored,
)
from reservations.domain.contract import Generation
from reservations.domain.contract.codes import sentence
from reservations.domain.faults import FaultCode
from reservations.models import SubmissionOutcome, TransitionKind
from reservations.selectors.submissions import SubmissionDetail

ERROR_CODES = [(code.value, code.value) for code in FaultCode]
GENERATIONS = [(generation.value, generation.value) for generation in Generation]


class OfMailSerializer(serializers.Serializer):
    """Beside what a brief row says: which mail of which hotel it is about."""

    hotel = serializers.CharField(help_text="Code of the hotel.")
    source_message_id = serializers.CharField(help_text="The outer id of the mail.")
    source_message = MailReferenceSerializer()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            **super().to_representation(row),
            "hotel": row["hotel__code"],
            "source_message_id": row["source_message__external_message_id"],
            "source_message": mail_reference(row),
        }


class SubmissionBriefSerializer(serializers.Serializer):
    """One package, without its payload, as it is listed on its mail."""

    id = serializers.UUIDField()
    generation = serializers.ChoiceField(GENERATIONS)
    root_kind = serializers.CharField()
    outcome = serializers.ChoiceField(SubmissionOutcome.choices)
    canonical_sha256 = serializers.CharField()
    caller = serializers.CharField()
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "generation": row["generation"],
            "root_kind": row["root_kind"],
            "outcome": row["outcome"],
            "canonical_sha256": row["canonical_sha256"],
            "caller": row["caller__username"],
            "created_at": row["created_at"],
        }


class SubmissionRowSerializer(OfMailSerializer, SubmissionBriefSerializer):
    """One package, without its payload."""


class TransitionBriefSerializer(serializers.Serializer):
    """One verdict, without the event it is about, as it is listed on its package."""

    id = serializers.UUIDField()
    submission_id = serializers.UUIDField()
    task_id = serializers.UUIDField(allow_null=True, help_text="The card that came of it.")
    kind = serializers.ChoiceField(TransitionKind.choices)
    source_event_index = serializers.IntegerField(
        min_value=0, help_text="One-based; 0: the whole package or the notice."
    )
    array_index = serializers.IntegerField(min_value=0, allow_null=True)
    ai_result_type = serializers.CharField(allow_blank=True)
    ai_task_type = serializers.CharField(allow_blank=True)
    ai_task_subtype = serializers.CharField(allow_blank=True)
    route_code = serializers.CharField(allow_null=True, help_text="As received; null for a contract error.")
    system_process_category = serializers.CharField()
    event_sha256 = serializers.CharField()
    adapter_error_code = serializers.ChoiceField(ERROR_CODES, allow_null=True)
    adapter_error_message = serializers.CharField(allow_null=True)
    adapter_error_message_zh = serializers.CharField(allow_null=True)
    adapter_error_detail = serializers.CharField(
        allow_null=True, help_text="Which key or what exactly is wrong, without any value of the mail."
    )
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "submission_id": row["submission_id"],
            "task_id": row["task__id"],
            "kind": row["kind"],
            "source_event_index": row["source_event_index"],
            "array_index": row["array_index"],
            "ai_result_type": row["ai_result_type"],
            "ai_task_type": row["ai_task_type"],
            "ai_task_subtype": row["ai_task_subtype"],
            "route_code": row["route_code"] or None,
            "system_process_category": row["system_process_category"],
            "event_sha256": row["event_sha256"],
            **contract_error(row),
            "created_at": row["created_at"],
        }


class TransitionRowSerializer(OfMailSerializer, TransitionBriefSerializer):
    """One verdict, without the event it is about."""


class TransitionSerializer(TransitionRowSerializer):
    """One verdict with the event as sent."""

    event = StoredJSON()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {**super().to_representation(row), "event": sent_event(row["event"], row["route_code"])}


class SubmissionSerializer(SubmissionRowSerializer):
    """One package as received (`payload`), its hash, the answer it got (`response`), and its verdicts."""

    payload = StoredJSON(help_text="As received: JSON, or the text of an old notice; null once it was purged.")
    response = StoredJSON(help_text="The stored answer; null once it was purged.")
    mapping_diagnostics = StoredJSON()
    case_candidates = StoredJSON()
    extraction_warnings = StoredJSON()
    transitions = TransitionBriefSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        detail: SubmissionDetail = instance
        row = detail.submission
        text = row["generation"] == Generation.TEXT
        return {
            **super().to_representation(row),
            "payload": (row["payload"] or None) if text else stored(row["payload"]),
            "response": stored(row["response"]),
            "mapping_diagnostics": stored(row["mapping_diagnostics_text"]),
            "case_candidates": stored(row["case_candidates_text"]),
            "extraction_warnings": stored(row["extraction_warnings_text"]),
            "transitions": TransitionBriefSerializer(detail.transitions, many=True).data,
        }


def contract_error(row: Row) -> dict[str, Any]:
    """The code of a contract error, its two sentences (R-18) and its place; null where there is none."""
    code = row["adapter_error_code"] or None
    return {
        "adapter_error_code": code,
        "adapter_error_message": row["adapter_error_message"] or None,
        "adapter_error_message_zh": sentence(code).zh if code else None,
        "adapter_error_detail": row["adapter_error_detail"] or None,
    }
