"""A mail as the gateway posts it. Types are strict, texts are kept as they come."""

from __future__ import annotations

import base64
import binascii
from datetime import UTC, datetime
from typing import Any

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from reservations.services.mail import IncomingFile, IncomingMail

MOST_FILES = 1_000
MOST_RECIPIENTS = 10_000


class TextField(serializers.CharField):
    """A string, not trimmed; a number is none."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(trim_whitespace=False, **kwargs)

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return super().to_internal_value(data)


class MomentField(serializers.DateTimeField):
    """A moment with its time zone (RFC 3339)."""

    default_error_messages = {"naive": _("Say the time zone: 2026-07-20T12:00:00Z.")}

    def enforce_timezone(self, value: datetime) -> datetime:
        if value.tzinfo is None:
            self.fail("naive")
        try:
            return value.astimezone(UTC)
        except OverflowError:
            self.fail("overflow", timezone="UTC")


@extend_schema_field({"type": "string", "contentEncoding": "base64"})
class Base64Field(serializers.Field):
    """The bytes of a file."""

    default_error_messages = {"invalid": _("This is no base64.")}

    def to_internal_value(self, data: Any) -> bytes:
        try:
            return base64.b64decode(data, validate=True)
        except (TypeError, ValueError, binascii.Error):
            self.fail("invalid")


class ReceivedFileSerializer(serializers.Serializer):
    """A file of the mail; without `content_base64` only its name is known."""

    external_id = TextField(max_length=255)
    file_name = TextField(allow_blank=True)
    media_type = TextField(max_length=255)
    content_base64 = Base64Field(required=False, allow_null=True)


class ReceivedMessageSerializer(serializers.Serializer):
    """A mail. Provider, channel and outer id together are its identity in the inbox of the hotel."""

    external_message_id = TextField(max_length=512, help_text="The outer id that packages name (R-01).")
    provider = TextField(max_length=64)
    channel = TextField(max_length=64)
    conversation_id = TextField(max_length=512, required=False, allow_blank=True, allow_null=True)
    subject = TextField(allow_blank=True)
    sender = TextField(allow_blank=True)
    recipients = serializers.ListField(child=TextField(allow_blank=True), required=False, max_length=MOST_RECIPIENTS)
    received_at = MomentField()
    body_text = TextField(required=False, allow_blank=True, allow_null=True)
    body_html = TextField(required=False, allow_blank=True, allow_null=True)
    attachments = ReceivedFileSerializer(  # type: ignore[call-arg]  # an argument of the list that many=True makes
        many=True, required=False, max_length=MOST_FILES
    )


def incoming_mail(content: dict[str, Any]) -> IncomingMail:
    """The validated content of a ReceivedMessageSerializer, for the service."""
    return IncomingMail(
        external_message_id=content["external_message_id"],
        conversation_id=content.get("conversation_id") or "",
        subject=content["subject"],
        sender=content["sender"],
        recipients=content.get("recipients", []),
        received_at=content["received_at"],
        body_text=content.get("body_text") or "",
        body_html=content.get("body_html") or "",
        files=[
            IncomingFile(file["external_id"], file["file_name"], file["media_type"], file.get("content_base64"))
            for file in content.get("attachments", [])
        ],
    )
