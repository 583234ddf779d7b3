"""What the shapes of several resources share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from config import jsontext
from config.render import raw_json
from reservations.domain.catalog import LEGACY_NOTICE_CODES

Row = Mapping[str, Any]


@extend_schema_field({"description": "JSON as it was sent; null when there is none."})
class StoredJSON(serializers.JSONField):
    """JSON of any form."""


def stored(text: str | None) -> orjson.Fragment | None:
    """Stored JSON text for an answer; None for NULL and for what a purge has emptied."""
    return raw_json(text) if text else None


def exact(value: jsontext.JsonValue) -> orjson.Fragment:
    """A value of config.jsontext for an answer: numbers keep every digit."""
    return raw_json(jsontext.write(value))


def sent_event(text: str, route_code: str) -> orjson.Fragment | str | None:
    """An event as sent: JSON, or for an old notice the text it came as (R-12)."""
    return (text or None) if route_code in LEGACY_NOTICE_CODES else stored(text)


class MailReferenceSerializer(serializers.Serializer):
    """The mail a row came from."""

    id = serializers.UUIDField(help_text="Id of the inbox row.")
    external_message_id = serializers.CharField(help_text="The outer id (R-01).")
    subject = serializers.CharField(allow_blank=True)
    received_at = serializers.DateTimeField()


def mail_reference(row: Row) -> dict[str, Any]:
    return {
        "id": row["source_message_id"],
        "external_message_id": row["source_message__external_message_id"],
        "subject": row["source_message__subject"],
        "received_at": row["source_message__received_at"],
    }
