"""Catalogues: the values a select offers, for each hotel."""

from __future__ import annotations

from collections.abc import Iterable

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, Option
from config.backoffice.marks import code, pill, two_lines
from reservations.admin.base import DeskAdmin, HotelFilter
from reservations.data import matrix
from reservations.models import CatalogEntry


class CatalogFilter(ChoiceFilter):
    title = _("catalogue")
    parameter_name = "catalog"

    def options(self, request: HttpRequest) -> Iterable[Option]:
        return [(name, name) for name in matrix().catalogs]


class ActiveFilter(ChoiceFilter):
    title = _("state")
    parameter_name = "active"

    def options(self, request: HttpRequest) -> Iterable[Option]:
        return [("1", _("Active")), ("0", _("Inactive"))]


@admin.register(CatalogEntry)
class CatalogEntryAdmin(DeskAdmin):
    heading = _("Catalogues")
    intro = _("The values a field may take. Inactive ones are refused in new decisions and still shown on old cards.")
    list_display = ("entry_code", "label", "catalog", "state", "hotel_code")
    list_display_links = ("entry_code",)
    list_filter = (CatalogFilter, ActiveFilter, HotelFilter)
    ordering = ("catalog", "position", "code", "id")
    search_fields = ("catalog", "code", "label_en", "label_zh")
    search_help_text = _("Catalogue, code or label")
    detail_template = "reservations/catalog_entry.html"

    @admin.display(description=_("code"))
    def entry_code(self, row: CatalogEntry) -> SafeString:
        return code(row.code)

    @admin.display(description=_("label"))
    def label(self, row: CatalogEntry) -> SafeString:
        return two_lines(row.label_en, row.label_zh)

    @admin.display(description=_("state"))
    def state(self, row: CatalogEntry) -> SafeString:
        return pill(_("Active"), "good") if row.active else pill(_("Inactive"), "quiet")
