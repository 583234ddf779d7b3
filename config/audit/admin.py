"""The audit, to read: who did what, through which door."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.audit.models import AuditEvent, Door
from config.backoffice.base import ReadOnlyAdmin, access_of
from config.backoffice.filters import FieldFilter, PeriodFilter
from config.backoffice.marks import NOTHING, code, pill
from config.backoffice.moments import local_moment


class DoorFilter(FieldFilter):
    title = _("door")
    parameter_name = "door"
    choices_of = Door


class AtFilter(PeriodFilter):
    title = _("when")
    parameter_name = "when"
    moment = "at"


@admin.register(AuditEvent)
class AuditAdmin(ReadOnlyAdmin):
    """Events of one's own tenants; those of no tenant (tokens, people) are for superusers."""

    heading = _("Audit")
    intro = _("Every change: who, when, through which door. Lines are only ever added.")
    tenant_path = None
    list_display = ("when", "action_name", "object_name", "who", "door_pill", "place")
    list_display_links = ("action_name",)
    list_filter = (DoorFilter, AtFilter)
    list_defer = ("before", "after")
    list_select_related = ("tenant", "actor")
    ordering = ("-id",)
    search_fields = ("action", "object_type", "object_id", "actor__username")
    search_help_text = _("Action, object, id or person")
    detail_related = ("tenant", "actor")
    detail_template = "audit/event.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        access = access_of(request)
        own = Q(tenant__in=access.tenant_ids())
        return super().get_queryset(request).filter(own | Q(tenant=None) if access.is_superuser else own)

    @admin.display(description=_("when"))
    def when(self, row: AuditEvent) -> SafeString:
        return local_moment(row.at, row.tenant.time_zone if row.tenant else "UTC")

    @admin.display(description=_("action"))
    def action_name(self, row: AuditEvent) -> SafeString:
        return code(row.action)

    @admin.display(description=_("object"))
    def object_name(self, row: AuditEvent) -> str:
        return f"{row.object_type} {row.object_id[-12:]}"

    @admin.display(description=_("who"))
    def who(self, row: AuditEvent) -> Any:
        return row.actor.username if row.actor else NOTHING

    @admin.display(description=_("door"))
    def door_pill(self, row: AuditEvent) -> SafeString:
        return pill(Door(row.door).label)

    @admin.display(description=_("place"))
    def place(self, row: AuditEvent) -> Any:
        return row.tenant.code if row.tenant else NOTHING

    def detail(self, request: HttpRequest, row: AuditEvent) -> dict[str, Any]:
        return {"zone": row.tenant.time_zone if row.tenant else "UTC"}

    def title_of(self, row: AuditEvent) -> str:
        return row.action
