"""The list of order tasks: columns, filters, search."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, FieldFilter, Option, PeriodFilter
from config.backoffice.marks import NOTHING, link_to, pill, two_lines
from reservations.admin.base import DeskAdmin, HotelFilter, moment_of
from reservations.models import OrderKindChoice, OrderTask, OrderTaskStatusChoice
from reservations.selectors.desk import mails

STATUS_TONES = {
    OrderTaskStatusChoice.PENDING_CONFIRM: "todo",
    OrderTaskStatusChoice.PENDING_REVIEW: "ask",
    OrderTaskStatusChoice.IN_PROGRESS: "good",
    OrderTaskStatusChoice.DONE: "quiet",
}
KINDS = (OrderKindChoice.FIT, OrderKindChoice.GROUP, OrderKindChoice.ALLOTMENT)


class StatusFilter(FieldFilter):
    title = _("status")
    parameter_name = "status"
    choices_of = OrderTaskStatusChoice


class OrderTypeFilter(ChoiceFilter):
    title = _("order type")
    parameter_name = "order_type"

    def options(self, request: HttpRequest) -> list[Option]:
        return [(kind.value, kind.label) for kind in KINDS]


class ReceivedFilter(PeriodFilter):
    title = _("received")
    parameter_name = "received"
    moment = "received_at"


class OrderTaskList(DeskAdmin):
    intro = _("What one mail asks for one order. Its Basic Information comes first, then its other cards in any order.")
    list_display = ("received", "called", "order_type_pill", "status_pill", "order_link", "mail", "hotel_code")
    list_display_links = ("called",)
    list_filter = (StatusFilter, OrderTypeFilter, HotelFilter, ReceivedFilter)
    list_defer = ("order_context", *(f"source_message__{column}" for column in mails.TEXT_COLUMNS))
    list_select_related = ("hotel", "order", "source_message")
    ordering = ("-received_at", "-id")
    search_fields = (
        "display_name",
        "order_ref",
        "order__order_number",
        "order__booking_code",
        "order__group_code",
        "order__confirmation_number",
        "source_message__subject",
        "source_message__sender",
    )
    search_help_text = _("Name, order number or key, subject, sender")

    @admin.display(description=_("received"))
    def received(self, row: OrderTask) -> SafeString:
        return moment_of(row, row.received_at)

    @admin.display(description=_("name"))
    def called(self, row: OrderTask) -> SafeString:
        return two_lines(name_of(row), row.order_ref)

    @admin.display(description=_("order type"))
    def order_type_pill(self, row: OrderTask) -> SafeString:
        return type_pill(row)

    @admin.display(description=_("status"))
    def status_pill(self, row: OrderTask) -> SafeString:
        return order_task_pill(row)

    @admin.display(description=_("order"))
    def order_link(self, row: OrderTask) -> SafeString:
        return NOTHING if row.order.hidden else link_to(row.order, row.order.order_number)

    @admin.display(description=_("mail"))
    def mail(self, row: OrderTask) -> SafeString:
        return two_lines(row.source_message.subject, row.source_message.sender, 60)


def name_of(row: Any) -> str:
    """The name in the order context, or the reference where it has none."""
    return str(row.display_name or row.order_ref)


def type_pill(row: OrderTask) -> SafeString:
    return pill(OrderKindChoice(row.order_type).label, "plain", row.order_type)


def order_task_pill(row: OrderTask) -> SafeString:
    status = OrderTaskStatusChoice(row.status)
    return pill(status.label, STATUS_TONES[status], status.value)
