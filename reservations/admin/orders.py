"""Orders: what the tasks are about. Technical ones are never shown (R-10)."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, FieldFilter, Option
from config.backoffice.marks import NOTHING, code, pill
from config.backoffice.untrusted import shortened, visible
from reservations.admin.base import ORDER_TONES, DeskAdmin, HotelFilter, card_line, moment_of
from reservations.models import Order, OrderKindChoice, OrderStatus
from reservations.selectors.desk import orders
from reservations.selectors.orders import SHOWN_KINDS


class OrderStatusFilter(FieldFilter):
    title = _("status")
    parameter_name = "status"
    choices_of = OrderStatus


class KindFilter(ChoiceFilter):
    title = _("kind")
    parameter_name = "kind"

    def options(self, request: HttpRequest) -> list[Option]:
        return SHOWN_KINDS


@admin.register(Order)
class OrderAdmin(DeskAdmin):
    intro = _("What the tasks belong to. A temporary order waits until a person says which booking is meant.")
    list_display = (
        "number",
        "called",
        "kind_pill",
        "status_pill",
        "group",
        "confirmation",
        "booking",
        "made",
        "hotel_code",
    )
    list_display_links = ("number",)
    list_filter = (OrderStatusFilter, KindFilter, HotelFilter)
    ordering = ("-created_at", "-id")
    search_fields = ("order_number", "display_name", "group_code", "confirmation_number", "booking_code")
    search_help_text = _("Number, name or key")
    detail_template = "reservations/order.html"

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        return super().get_queryset(request).filter(hidden=False)

    @admin.display(description=_("order"))
    def number(self, row: Order) -> str:
        return row.order_number

    @admin.display(description=_("name"))
    def called(self, row: Order) -> SafeString:
        return visible(shortened(row.display_name, 60)) if row.display_name else NOTHING

    @admin.display(description=_("kind"))
    def kind_pill(self, row: Order) -> SafeString:
        return pill(row.get_kind_display(), "ask" if row.kind == OrderKindChoice.TEMPORARY else "plain", row.kind)

    @admin.display(description=_("status"))
    def status_pill(self, row: Order) -> SafeString:
        return pill(row.get_status_display(), ORDER_TONES[OrderStatus(row.status)], row.status)

    @admin.display(description=_("group code"))
    def group(self, row: Order) -> SafeString:
        return code(row.group_code)

    @admin.display(description=_("confirmation"))
    def confirmation(self, row: Order) -> SafeString:
        return code(row.confirmation_number)

    @admin.display(description=_("booking code"))
    def booking(self, row: Order) -> SafeString:
        return code(row.booking_code)

    @admin.display(description=_("made"))
    def made(self, row: Order) -> SafeString:
        return moment_of(row, row.created_at)

    def detail(self, request: HttpRequest, row: Order) -> dict[str, Any]:
        queue = orders.queue_of(row)
        return {
            "kind_pill": self.kind_pill(row),
            "status_pill": self.status_pill(row),
            "queue": [card_line(task) for task in queue.tasks],
            "queue_cut": queue.cut,
        }
