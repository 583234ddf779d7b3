"""Mails, their files, their conversations."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from reservations.api.serializers.shapes import Row, StoredJSON, stored
from reservations.api.serializers.submissions import SubmissionBriefSerializer, TransitionBriefSerializer
from reservations.selectors.inbox import MessageDetail


class SourceMessageRowSerializer(serializers.Serializer):
    """One mail, without its texts."""

    id = serializers.UUIDField()
    hotel = serializers.CharField(help_text="Code of the hotel.")
    provider = serializers.CharField()
    channel = serializers.CharField()
    external_message_id = serializers.CharField(help_text="The outer id that packages name (R-01).")
    conversation_id = serializers.CharField(allow_blank=True)
    subject = serializers.CharField(allow_blank=True)
    sender = serializers.CharField(allow_blank=True)
    sender_domain = serializers.CharField(allow_blank=True)
    received_at = serializers.DateTimeField()
    created_at = serializers.DateTimeField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "hotel": row["hotel__code"],
            "provider": row["provider"],
            "channel": row["channel"],
            "external_message_id": row["external_message_id"],
            "conversation_id": row["conversation_id"],
            "subject": row["subject"],
            "sender": row["sender"],
            "sender_domain": row["sender_domain"],
            "received_at": row["received_at"],
            "created_at": row["created_at"],
        }


class AttachmentSerializer(serializers.Serializer):
    """A file of a mail. Without `stored` only its name is known, and it cannot be downloaded."""

    id = serializers.UUIDField()
    external_id = serializers.CharField()
    file_name = serializers.CharField(allow_blank=True)
    media_type = serializers.CharField(allow_blank=True)
    size = serializers.IntegerField(allow_null=True, min_value=0, help_text="Bytes.")
    sha256 = serializers.CharField(allow_blank=True)
    stored = serializers.BooleanField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "id": row["id"],
            "external_id": row["external_id"],
            "file_name": row["file_name"],
            "media_type": row["media_type"],
            "size": row["size"],
            "sha256": row["sha256"],
            "stored": bool(row["file"]),
        }


class ConversationMailSerializer(SourceMessageRowSerializer):
    """One mail of a conversation with the packages that came for it."""

    submissions = SubmissionBriefSerializer(many=True)

    def to_representation(self, row: Row) -> dict[str, Any]:
        packages = self.context["submissions"].get(row["id"], ())
        return {
            **super().to_representation(row),
            "submissions": SubmissionBriefSerializer(packages, many=True).data,
        }


class SourceMessageSerializer(SourceMessageRowSerializer):
    """One mail with its texts, its files, and what came for it. `body_html` is as received: never render it."""

    recipients = StoredJSON()
    headers = StoredJSON()
    body_text = serializers.CharField(allow_blank=True)
    body_html = serializers.CharField(allow_blank=True)
    content_sha256 = serializers.CharField()
    attachments = AttachmentSerializer(many=True)
    conversation = SourceMessageRowSerializer(many=True, help_text="Its mails, oldest first, this one too; at most 50.")
    submissions = SubmissionBriefSerializer(many=True)
    transitions = TransitionBriefSerializer(many=True)

    def to_representation(self, instance: Any) -> dict[str, Any]:
        detail: MessageDetail = instance
        row = detail.message
        return {
            **super().to_representation(row),
            "recipients": stored(row["recipients_text"]),
            "headers": stored(row["headers_text"]),
            "body_text": row["body_text"],
            "body_html": row["body_html"],
            "content_sha256": row["content_sha256"],
            "attachments": AttachmentSerializer(detail.attachments, many=True).data,
            "conversation": SourceMessageRowSerializer(detail.conversation, many=True).data,
            "submissions": SubmissionBriefSerializer(detail.submissions, many=True).data,
            "transitions": TransitionBriefSerializer(detail.transitions, many=True).data,
        }
