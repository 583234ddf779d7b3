"""Simulated OPERA operations: what confirmed cards would send, and what became of it. They are sent again from the card."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import FieldFilter, PeriodFilter
from config.backoffice.marks import NOTHING, link_to, pill, two_lines
from reservations.admin.base import DeskAdmin, HotelFilter, moment_of, task_title
from reservations.models import OperaOperation, OperationStatus
from reservations.selectors.desk import mails

TONES = {
    OperationStatus.PENDING: "plain",
    OperationStatus.SENDING: "todo",
    OperationStatus.SUCCEEDED: "good",
    OperationStatus.FAILED: "bad",
    OperationStatus.UNKNOWN: "ask",
}


class OperationStatusFilter(FieldFilter):
    title = _("status")
    parameter_name = "status"
    choices_of = OperationStatus


class WrittenFilter(PeriodFilter):
    title = _("written")
    parameter_name = "written"
    moment = "created_at"


def operation_pill(row: OperaOperation) -> SafeString:
    status = OperationStatus(row.status)
    return pill(status.label, TONES[status], status.value)


@admin.register(OperaOperation)
class OperationAdmin(DeskAdmin):
    heading = _("Operations")
    intro = _("Two calls for each confirmed card, in sequence. The PMS is simulated: nothing leaves this service.")
    list_display = ("written", "called", "state", "tries", "checked", "card", "order_link", "hotel_code")
    list_display_links = ("called",)
    list_filter = (OperationStatusFilter, HotelFilter, WrittenFilter)
    list_defer = (
        "request_body",
        "receipt",
        *(f"task__{column}" for column in (*mails.CARD_COLUMNS, "relationships")),
    )
    list_select_related = ("hotel", "task", "task__order")
    ordering = ("-created_at", "-id")
    search_fields = ("operation_id", "external_id", "task__order__order_number")
    search_help_text = _("Operation, external id or order number")
    detail_related = ("hotel", "task", "task__order")
    detail_defer = tuple(f"task__{column}" for column in (*mails.CARD_COLUMNS, "relationships"))
    detail_template = "reservations/task_operation_page.html"

    @admin.display(description=_("written"))
    def written(self, row: OperaOperation) -> SafeString:
        return moment_of(row, row.created_at)

    @admin.display(description=_("operation"))
    def called(self, row: OperaOperation) -> SafeString:
        return two_lines(row.operation_id, f"{row.method} {row.path}")

    @admin.display(description=_("status"))
    def state(self, row: OperaOperation) -> SafeString:
        return operation_pill(row)

    @admin.display(description=_("attempts"))
    def tries(self, row: OperaOperation) -> int:
        return row.attempts

    @admin.display(description=_("dry run"))
    def checked(self, row: OperaOperation) -> SafeString:
        return dry_run_pill(row)

    @admin.display(description=_("card"))
    def card(self, row: OperaOperation) -> SafeString:
        return link_to(row.task, task_title(row.task))

    @admin.display(description=_("order"))
    def order_link(self, row: OperaOperation) -> SafeString:
        return NOTHING if row.task.order.hidden else link_to(row.task.order, row.task.order.order_number)

    def title_of(self, row: OperaOperation) -> str:
        return row.operation_id

    def detail(self, request: HttpRequest, row: OperaOperation) -> dict[str, Any]:
        return {
            "operation": row,
            "operation_pill": operation_pill(row),
            "card": task_title(row.task),
        }


def dry_run_pill(row: OperaOperation) -> SafeString:
    """Does the body follow the published schema? (R-48)"""
    valid = isinstance(row.dry_run, dict) and row.dry_run.get("valid") is True
    return pill(_("Valid"), "good") if valid else pill(_("Not valid"), "bad")
