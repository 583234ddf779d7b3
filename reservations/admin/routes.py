"""The routes: 40 active ones and the retired."""

from __future__ import annotations

from django.contrib import admin
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.base import ReadOnlyAdmin
from config.backoffice.filters import FieldFilter
from config.backoffice.marks import code, pill, two_lines
from reservations.models import Route, RouteStatus


class RouteStatusFilter(FieldFilter):
    title = _("status")
    parameter_name = "status"
    choices_of = RouteStatus


@admin.register(Route)
class RouteAdmin(ReadOnlyAdmin):
    intro = _(
        "What an agent may say, how the system treats it, how it is shown. Codes never change; retired ones stay."
    )
    tenant_path = None
    list_display = ("route", "card", "agent_said", "treated_as", "shown_code", "status_pill")
    list_display_links = ("route",)
    list_filter = (RouteStatusFilter,)
    ordering = ("position",)
    search_fields = ("route_code", "task_type", "task_subtype", "title_en", "title_zh")
    search_help_text = _("Code, type, subtype or title")
    detail_template = "reservations/route.html"

    @admin.display(description=_("route"))
    def route(self, row: Route) -> SafeString:
        return code(row.route_code)

    @admin.display(description=_("card"))
    def card(self, row: Route) -> SafeString:
        return two_lines(row.title_en, row.title_zh)

    @admin.display(description=_("agent says"))
    def agent_said(self, row: Route) -> SafeString:
        return two_lines(f"{row.task_type} / {row.task_subtype}", row.result_type)

    @admin.display(description=_("system treats it as"))
    def treated_as(self, row: Route) -> SafeString:
        return two_lines(row.system_process_category, row.system_task_type)

    @admin.display(description=_("shown as"))
    def shown_code(self, row: Route) -> SafeString:
        return code(row.route_display_code)

    @admin.display(description=_("status"))
    def status_pill(self, row: Route) -> SafeString:
        return pill(row.get_status_display(), "good" if row.status == RouteStatus.ACTIVE else "quiet")
