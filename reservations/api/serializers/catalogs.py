"""Routes, and the options of a select."""

from __future__ import annotations

from typing import Any

from drf_spectacular.utils import extend_schema_serializer
from rest_framework import serializers

from reservations.api.serializers.shapes import Row
from reservations.models import Route, RouteStatus
from reservations.selectors.routes import shown_pair


class RouteSerializer(serializers.Serializer):
    """One route: what the agent says, how the system treats it, how it is shown (R-19)."""

    route_code = serializers.CharField()
    position = serializers.IntegerField(min_value=1)
    status = serializers.ChoiceField(RouteStatus.choices)
    result_type = serializers.CharField()
    task_type = serializers.CharField()
    task_subtype = serializers.CharField()
    shown_task_type = serializers.CharField(help_text="Of a retired pair, the one that took its place (R-21).")
    shown_task_subtype = serializers.CharField()
    system_process_category = serializers.CharField()
    system_task_type = serializers.CharField(allow_null=True)
    queue_participation = serializers.BooleanField()
    readonly = serializers.BooleanField()
    card_display_type = serializers.CharField()
    card_title_code = serializers.CharField()
    route_display_code = serializers.CharField()
    title_en = serializers.CharField()
    title_zh = serializers.CharField()

    def to_representation(self, route: Route) -> dict[str, Any]:
        shown_type, shown_subtype = shown_pair(task_type=route.task_type, task_subtype=route.task_subtype)
        return {
            "route_code": route.route_code,
            "position": route.position,
            "status": route.status,
            "result_type": route.result_type,
            "task_type": route.task_type,
            "task_subtype": route.task_subtype,
            "shown_task_type": shown_type,
            "shown_task_subtype": shown_subtype,
            "system_process_category": route.system_process_category,
            "system_task_type": route.system_task_type or None,
            "queue_participation": route.queue_participation,
            "readonly": route.readonly,
            "card_display_type": route.card_display_type,
            "card_title_code": route.card_title_code,
            "route_display_code": route.route_display_code,
            "title_en": route.title_en,
            "title_zh": route.title_zh,
        }


@extend_schema_serializer(many=False)
class RouteListSerializer(serializers.Serializer):
    """All routes on one page."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = RouteSerializer(many=True)


class OptionSerializer(serializers.Serializer):
    """One value a select offers at one hotel."""

    hotel = serializers.CharField(help_text="Code of the hotel.")
    code = serializers.CharField()
    label_en = serializers.CharField()
    label_zh = serializers.CharField()
    active = serializers.BooleanField()

    def to_representation(self, row: Row) -> dict[str, Any]:
        return {
            "hotel": row["hotel__code"],
            "code": row["code"],
            "label_en": row["label_en"],
            "label_zh": row["label_zh"],
            "active": row["active"],
        }


class OptionListSerializer(serializers.Serializer):
    """The options of a select. Not connected: a field of it is read-only, and there are none (R-32)."""

    name = serializers.CharField()
    connected = serializers.BooleanField()
    options = OptionSerializer(many=True)
