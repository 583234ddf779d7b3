"""The audit over HTTP, read only. A desk mounts `AuditEventViewSet` with the kind of tenants it works for."""

from __future__ import annotations

from typing import Any, ClassVar

import orjson
from django.db.models import QuerySet
from django.http import Http404
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema, extend_schema_field, extend_schema_serializer
from rest_framework import serializers
from rest_framework.decorators import action
from rest_framework.mixins import ListModelMixin
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import GenericViewSet

from config.api.access import actor
from config.api.filters import MomentFilter, TextFilter
from config.api.paging import IdPage, whole_list
from config.api.schema import answers
from config.audit.domain import Flaw
from config.audit.models import AuditEvent, Door
from config.audit.selectors import ChainReport, list_events, verify
from config.render import raw_json

FLAWS = [(flaw.value, flaw.value) for flaw in Flaw]


@extend_schema_field({"description": "The state as JSON; null where there was none, or where it was purged."})
class StateField(serializers.JSONField):
    """JSON of any form, as it is stored."""


class AuditEventSerializer(serializers.Serializer):
    """One change of one object. The last four members are null until the event is sealed, seconds after its commit."""

    id = serializers.CharField()
    tenant = serializers.CharField(help_text="Code of the hotel or organisation.")
    at = serializers.DateTimeField()
    actor = serializers.CharField(allow_null=True, help_text="Name of the user; null for the system.")
    door = serializers.ChoiceField(Door.choices)
    action = serializers.CharField()
    object_type = serializers.CharField()
    object_id = serializers.CharField()
    before = StateField()
    after = StateField()
    reason = serializers.CharField(allow_blank=True)
    request_id = serializers.CharField(allow_blank=True)
    position = serializers.IntegerField(allow_null=True, min_value=1, help_text="Place in the chain of the tenant.")
    previous_hash = serializers.CharField(allow_null=True)
    content_sha256 = serializers.CharField(allow_null=True, help_text="Hash of before, after and reason; stays.")
    hash = serializers.CharField(allow_null=True)

    def to_representation(self, row: Any) -> dict[str, Any]:
        return {
            "id": str(row["id"]),
            "tenant": row["tenant__code"],
            "at": row["at"],
            "actor": row["actor__username"],
            "door": row["door"],
            "action": row["action"],
            "object_type": row["object_type"],
            "object_id": row["object_id"],
            "before": _state(row["before_text"]),
            "after": _state(row["after_text"]),
            "reason": row["reason"],
            "request_id": row["request_id"],
            "position": row["position"],
            "previous_hash": row["previous_hash"],
            "content_sha256": row["content_sha256"],
            "hash": row["hash"],
        }


class ChainFaultSerializer(serializers.Serializer):
    """The first broken place of a chain."""

    position = serializers.IntegerField()
    event_id = serializers.CharField(allow_null=True, help_text="Null where an event is missing at the end.")
    what = serializers.ChoiceField(FLAWS, help_text="`content`: before, after or reason; `hash`: another column.")


class ChainReportSerializer(serializers.Serializer):
    """Whether the chain of one tenant is whole."""

    tenant = serializers.CharField(help_text="Code of the hotel or organisation.")
    valid = serializers.BooleanField()
    sealed_length = serializers.IntegerField(min_value=0)
    unsealed_tail = serializers.IntegerField(min_value=0, help_text="Committed events that are not sealed yet.")
    purged = serializers.IntegerField(min_value=0, help_text="Events whose content was purged: bound, not readable.")
    head_hash = serializers.CharField(help_text="Hash of the last event. Kept elsewhere, it proves all before it.")
    fault = ChainFaultSerializer(allow_null=True)


@extend_schema_serializer(many=False)
class ChainReportListSerializer(serializers.Serializer):
    """One report for each hotel or organisation that the caller belongs to, on one page."""

    next = serializers.CharField(allow_null=True)
    previous = serializers.CharField(allow_null=True)
    results = ChainReportSerializer(many=True)


class AuditEventFilter(filters.FilterSet):
    object = TextFilter(field_name="object_id", label="Id of the object.")
    object_type = TextFilter(label="Kind of object, such as task.")
    actor = TextFilter(field_name="actor__username", label="Name of the user.")
    action = TextFilter(label="What was done, such as TASK_CONFIRM.")
    door = filters.ChoiceFilter(choices=Door.choices, label="Where it came in.")
    since = MomentFilter(field_name="at", lookup_expr="gte", label="From this moment on.")


class AuditEventViewSet(ListModelMixin, GenericViewSet):
    """A subclass says `tenant_kind`."""

    tenant_kind: ClassVar[str]
    queryset = AuditEvent.objects.none()
    serializer_class, filterset_class, pagination_class = AuditEventSerializer, AuditEventFilter, IdPage
    lookup_value_converter = "int"
    required_permissions = {
        "list": "audit.view_auditevent",
        "retrieve": "audit.view_auditevent",
        "verify": "audit.view_auditevent",
    }

    def get_queryset(self) -> QuerySet[Any, Any]:
        return list_events(tenant_ids=self._tenant_ids())

    @extend_schema(
        operation_id="list_audit_events",
        summary="Every change: who, when, through which door, before and after",
        tags=["Audit"],
        responses=answers(AuditEventSerializer(many=True), 400),
    )
    def list(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        return super().list(request, *args, **kwargs)

    @extend_schema(
        operation_id="get_audit_event",
        summary="One change",
        tags=["Audit"],
        responses=answers(AuditEventSerializer, 404),
    )
    def retrieve(self, request: Request, pk: int) -> Response:
        row = self.get_queryset().filter(id=pk).first()
        if row is None:
            raise Http404
        return Response(AuditEventSerializer(row).data)

    @extend_schema(
        operation_id="verify_audit",
        summary="Compute the chain of each hotel again and compare",
        tags=["Audit"],
        responses=answers(ChainReportListSerializer, 400),
    )
    @action(detail=False, filterset_class=None, pagination_class=None)
    def verify(self, request: Request) -> Response:
        self.filter_queryset(self.get_queryset())  # refuses parameters: there is none
        reports = [verify(tenant_id=tenant_id) for tenant_id in sorted(self._tenant_ids())]
        return Response(whole_list([_shown(report) for report in reports]))

    def _tenant_ids(self) -> tuple[int, ...]:
        ids: tuple[int, ...] = actor(self.request).access.tenant_ids(self.tenant_kind)
        return ids


def _state(text: str | None) -> orjson.Fragment | None:
    return raw_json(text) if text else None


def _shown(report: ChainReport) -> dict[str, Any]:
    fault = report.fault
    return {
        "tenant": report.tenant,
        "valid": report.valid,
        "sealed_length": report.sealed_length,
        "unsealed_tail": report.unsealed_tail,
        "purged": report.purged,
        "head_hash": report.head_hash,
        "fault": fault
        and {
            "position": fault.position,
            "event_id": str(fault.event_id) if fault.event_id is not None else None,
            "what": fault.what,
        },
    }
