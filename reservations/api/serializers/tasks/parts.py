"""The parts of a card: its mail, its links, its warnings, what came with it, what was done to it."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _
from rest_framework import serializers

from config import jsontext
from config.audit.services import Door
from reservations.api.serializers.inbox import AttachmentSerializer
from reservations.api.serializers.shapes import (
    MailReferenceSerializer,
    Row,
    StoredJSON,
    exact,
    mail_reference,
    sent_event,
    stored,
)
from reservations.api.serializers.submissions import ERROR_CODES, contract_error
from reservations.domain.catalog import LEGACY_NOTICE_CODES
from reservations.models import TaskStatusChoice
from reservations.selectors.relations import Link, unfinished_children
from reservations.selectors.tasks import TaskDetail

NEWER_READING = "NEWER_READING"
CHILD_TASK_NOT_DONE = "CHILD_TASK_NOT_DONE"


class CardMailSerializer(MailReferenceSerializer):
    """The mail of a card; its texts are at `/source-messages/{id}`."""

    sender = serializers.CharField(allow_blank=True)
    conversation_id = serializers.CharField(allow_blank=True)
    attachments = AttachmentSerializer(many=True)

    def to_representation(self, detail: TaskDetail) -> dict[str, Any]:
        return {
            **mail_reference(detail.task),
            "sender": detail.task["source_message__sender"],
            "conversation_id": detail.task["source_message__conversation_id"],
            "attachments": AttachmentSerializer(detail.attachments, many=True).data,
        }


class LinkedCardSerializer(serializers.Serializer):
    """A card on the other side of a link."""

    task_id = serializers.UUIDField()
    source_event_index = serializers.IntegerField(min_value=1)
    task_status = serializers.ChoiceField(TaskStatusChoice.choices)


class LinkSerializer(serializers.Serializer):
    """A link between cards of one mail (R-22); shown on both, whichever of them names it."""

    relationship_type = serializers.CharField()
    role = serializers.CharField(allow_null=True, help_text="The part this card has in it.")
    source_event_indexes = serializers.ListField(child=serializers.IntegerField(), help_text="May lead nowhere.")
    tasks = LinkedCardSerializer(many=True)

    def to_representation(self, link: Link) -> dict[str, Any]:
        return {
            "relationship_type": link.relationship_type,
            "role": link.role,
            "source_event_indexes": exact(list(link.source_event_indexes)),
            "tasks": [
                {
                    "task_id": card.task_id,
                    "source_event_index": card.source_event_index,
                    "task_status": card.task_status,
                }
                for card in link.cards
            ],
        }


class WarningSerializer(serializers.Serializer):
    """Something a person should know before deciding."""

    code = serializers.CharField()
    detail = serializers.CharField()


class EvidenceSerializer(serializers.Serializer):
    """One quote and its place in the stored mail (R-43). Offsets are code points of that part's text."""

    pointer = serializers.CharField(help_text="Where in the event the quote stands.")
    text = serializers.CharField(allow_blank=True)
    found = serializers.BooleanField()
    part = serializers.CharField(allow_null=True)
    start = serializers.IntegerField(allow_null=True)
    end = serializers.IntegerField(allow_null=True)


class CardContractErrorSerializer(serializers.Serializer):
    """A part of the same package that broke the contract and became no card."""

    transition_id = serializers.UUIDField()
    source_event_index = serializers.IntegerField(min_value=0)
    adapter_error_code = serializers.ChoiceField(ERROR_CODES)
    adapter_error_message = serializers.CharField()
    adapter_error_message_zh = serializers.CharField()
    adapter_error_detail = serializers.CharField(
        allow_null=True, help_text="Which key or what exactly is wrong, without any value of the mail."
    )
    event = StoredJSON()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "transition_id": row["id"],
            "source_event_index": row["source_event_index"],
            **contract_error(row),
            "event": stored(row["event"]),
        }


class UnhandledIntentSerializer(serializers.Serializer):
    """Something the mail asks for that no card covers (R-09)."""

    transition_id = serializers.UUIDField()
    array_index = serializers.IntegerField(min_value=0, allow_null=True)
    intent = StoredJSON()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {"transition_id": row["id"], "array_index": row["array_index"], "intent": stored(row["event"])}


class HistorySerializer(serializers.Serializer):
    """One thing that was done to the card."""

    action = serializers.CharField()
    actor = serializers.CharField(allow_null=True)
    door = serializers.ChoiceField(Door.choices)
    reason = serializers.CharField(allow_blank=True)
    at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "action": row["action"],
            "actor": row["actor__username"],
            "door": row["door"],
            "reason": row["reason"],
            "at": row["at"],
        }


class DraftSerializer(serializers.Serializer):
    """What a person has filled in so far (R-36)."""

    field_values = StoredJSON(help_text="Main path to value; null clears what the agent sent.")
    saved_by = serializers.CharField()
    saved_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "field_values": stored(row["draft_payload_json_text"]),
            "saved_by": row["draft_by__username"],
            "saved_at": row["draft_at"],
        }


class NoticeResultSerializer(serializers.Serializer):
    """What the agent said of a mail that became no card of its own (R-10)."""

    result_type = serializers.CharField()
    route_code = serializers.CharField(help_text="As received.")
    agent_assessment = StoredJSON()
    notification = StoredJSON()
    manual_review = StoredJSON()
    raw_answer = StoredJSON(help_text="The whole answer: JSON, or the text of an old notice.")

    def to_representation(self, row: Row) -> dict[str, Any]:
        root = _notice_root(row)
        return {
            "result_type": row["ai_result_type"],
            "route_code": row["route_code"],
            "agent_assessment": exact(root.get("agent_assessment")),
            "notification": exact(root.get("notification")),
            "manual_review": stored(row["manual_review_text"]),
            "raw_answer": sent_event(row["ai_payload_json"], row["route_code"]),
        }


def warnings_of(detail: TaskDetail) -> list[Any]:
    """The warnings stored at ingest, then those that depend on how things stand now (R-22, R-52)."""
    task = detail.task
    warnings = jsontext.read(task["warnings_text"].encode())
    found: list[Any] = list(warnings) if isinstance(warnings, list) else []
    children = unfinished_children(detail.links)
    if children:
        numbers = ", ".join(map(str, children))
        found.append({"code": CHILD_TASK_NOT_DONE, "detail": _("Not done yet: event %s.") % numbers})
    notice = task["task_status"] == TaskStatusChoice.NOTICE
    if task["later_package" if notice else "later_conflict"]:
        sentence = _("A later package reads this mail otherwise. It changed nothing here.")
        found.append({"code": NEWER_READING, "detail": sentence})
    return found


def _notice_root(row: Row) -> dict[str, jsontext.JsonValue]:
    text = row["ai_payload_json"]
    root = jsontext.read(text.encode()) if text and row["route_code"] not in LEGACY_NOTICE_CODES else None
    return root if isinstance(root, dict) else {}
