"""The fields of a card as they are served (R-30), and the payload of a decision."""

from __future__ import annotations

from typing import Any

from rest_framework import serializers

from config.jsontext import JsonValue
from reservations.api.serializers.shapes import StoredJSON, exact
from reservations.api.serializers.tasks.parts import EvidenceSerializer
from reservations.domain.fieldcontract import Option, ServedField


class LabelSerializer(serializers.Serializer):
    """A text in both languages."""

    en = serializers.CharField()
    zh = serializers.CharField()


class FieldOptionSerializer(serializers.Serializer):
    """One choice of a select. An inactive one is there only where it is the present value, and is not accepted."""

    code = serializers.CharField()
    label = LabelSerializer()  # type: ignore[assignment]  # a member of the answer, not of the class
    active = serializers.BooleanField()


class FieldSerializer(serializers.Serializer):
    """One field with its control, its scope and where its value is written. Nothing is left for a client to add."""

    field_path = serializers.CharField()
    field_pointer = serializers.CharField()
    legacy_field_path = serializers.CharField(allow_null=True)
    label = LabelSerializer()  # type: ignore[assignment]  # a member of the answer, not of the class
    data_type = serializers.CharField(help_text="string, integer, decimal, date, time, boolean, string[] or object[].")
    control_type = serializers.CharField()
    edit_scope = serializers.ChoiceField([(name, name) for name in ("normal", "manual_review_only", "readonly")])
    write_target = serializers.ChoiceField(
        [(name, name) for name in ("field_values", "review_resolution.field_overrides", "none")]
    )
    options_source = serializers.CharField(allow_null=True)
    options = FieldOptionSerializer(many=True, allow_null=True)
    raw_readonly = serializers.BooleanField(help_text="Evidence: never written.")
    control_hint = LabelSerializer(allow_null=True)
    required = serializers.BooleanField()  # type: ignore[assignment]  # a member of the answer
    required_group = serializers.CharField(allow_null=True, help_text="At least one field of a group needs a value.")
    value = StoredJSON(
        help_text="The effective one: the draft before what the agent sent; once decided, the confirmed one."
    )
    missing = serializers.BooleanField(help_text="The pending review asks for it, whatever value it has.")
    ai_value = StoredJSON(help_text="What the agent sent.")
    evidence = EvidenceSerializer(many=True)


class ConfirmedPayloadSerializer(serializers.Serializer):
    """The values of a decision in three forms."""

    field_values = StoredJSON(help_text="Main path to value.")
    legacy_field_values = StoredJSON(help_text="The same under the old flat paths, where a field has one.")
    effective_payload = StoredJSON(help_text="The whole event with these values, nested.")


def served(field: ServedField) -> dict[str, Any]:
    """One row of `fields[]`."""
    row = field.row
    return {
        "field_path": row.field_path,
        "field_pointer": row.field_pointer,
        "legacy_field_path": row.legacy_field_path,
        "label": _both(row.label),
        "data_type": row.data_type,
        "control_type": field.control_type,
        "edit_scope": field.edit_scope,
        "write_target": field.write_target,
        "options_source": row.options_source,
        "options": [_option(option) for option in field.options] if field.options is not None else None,
        "raw_readonly": row.raw_readonly,
        "control_hint": _both(row.control_hint) if row.control_hint else None,
        "required": field.required,
        "required_group": row.required_group,
        "value": _value(field.value),
        "missing": field.missing,
        "ai_value": _value(field.ai_value),
        "evidence": exact(list(field.evidence)),
    }


def _option(option: Option) -> dict[str, Any]:
    return {"code": option.code, "label": _both(option.label), "active": option.active}


def _both(text: tuple[str, str]) -> dict[str, str]:
    return {"en": text[0], "zh": text[1]}


def _value(value: JsonValue) -> Any:
    return value if value is None or isinstance(value, str | bool) else exact(value)
