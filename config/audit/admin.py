"""The audit, to read: who did what, through which door."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseNotAllowed
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.audit.models import AuditEvent, Door
from config.audit.selectors import verify
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
    list_display = ("when", "action_name", "object_name", "who", "door_pill", "place", "link")
    list_display_links = ("action_name",)
    list_filter = (DoorFilter, AtFilter)
    list_defer = ("before", "after", "previous_hash", "nonce", "content_sha256", "hash")
    list_select_related = ("tenant", "actor")
    ordering = ("-id",)
    search_fields = ("action", "object_type", "object_id", "actor__username")
    search_help_text = _("Action, object, id or person")
    detail_related = ("tenant", "actor")
    detail_template = "audit/event.html"

    def extra_urls(self, name: str) -> list[URLPattern]:
        return [path("chains/", self._door(self.chains_view), name=f"{name}_chains")]

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        check = format_html(
            '{} <a class="plain-link" href="{}">{}</a>',
            self.intro,
            reverse("admin:audit_auditevent_chains"),
            _("Check the chains"),
        )
        return super().changelist_view(request, {"intro": check} | (extra_context or {}))

    def chains_view(self, request: HttpRequest) -> HttpResponse:
        """Every chain that the person may see, computed again; nothing is changed."""
        if request.method not in ("GET", "HEAD"):
            return HttpResponseNotAllowed(["GET", "HEAD"])
        if not self.has_view_permission(request):
            raise PermissionDenied
        access = access_of(request)
        places = [*sorted(access.tenant_ids()), *([None] if access.is_superuser else [])]
        title = _("Chain check")
        own = {
            "title": title,
            "crumbs": [(self.name, self.list_url()), (title, None)],
            "reports": [verify(tenant_id=place) for place in places],
        }
        request.current_app = self.admin_site.name
        return TemplateResponse(request, "audit/chains.html", {**self.admin_site.each_context(request), **own})

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

    @admin.display(description=_("chain"))
    def link(self, row: AuditEvent) -> Any:
        return row.position or NOTHING

    def detail(self, request: HttpRequest, row: AuditEvent) -> dict[str, Any]:
        return {"zone": row.tenant.time_zone if row.tenant else "UTC", "purged": row.nonce == ""}

    def title_of(self, row: AuditEvent) -> str:
        return row.action
