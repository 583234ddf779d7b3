"""Tasks: what the agent proposed, next to the evidence."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.audit.models import Door
from config.backoffice.filters import ChoiceFilter, FieldFilter, Option, PeriodFilter
from config.backoffice.marks import NOTHING, link_to, pill, two_lines
from reservations.admin.base import (
    DeskAdmin,
    HotelFilter,
    ShownRouteFilter,
    ShownTypeFilter,
    card_line,
    moment_of,
    review_pill,
    route_mark,
    status_pill,
    task_kind,
    task_title,
)
from reservations.models import ReviewStatusChoice, Task, TaskStatusChoice
from reservations.selectors.desk import faces, mails, tasks

REVIEW_LABELS = {
    "review_type": _("Kind of review"),
    "reason_code": _("Reason"),
    "reason_summary": _("In words"),
    "missing_fields": _("Missing"),
    "uncertain_fields": _("Uncertain"),
    "evidence": _("Evidence"),
    "context_used": _("Context used"),
    "suggested_actions": _("Suggested"),
    "confidence": _("Confidence"),
}


class StatusFilter(FieldFilter):
    title = _("status")
    parameter_name = "task_status"
    choices_of = TaskStatusChoice


class ReviewFilter(ChoiceFilter):
    title = _("review")
    parameter_name = "review"
    NONE = "none"

    def options(self, request: HttpRequest) -> list[Option]:
        return [*ReviewStatusChoice.choices, (self.NONE, _("No review"))]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(review_status=None if value == self.NONE else value)


class ReceivedFilter(PeriodFilter):
    title = _("received")
    parameter_name = "received"
    moment = "received_at"


@admin.register(Task)
class TaskAdmin(DeskAdmin):
    intro = _(
        "One row for each event the agent proposed, and for each notice. Nothing happens until a person confirms."
    )
    list_display = ("received", "title", "shown_route", "status", "review", "order_link", "mail", "hotel_code")
    list_display_links = ("title",)
    list_filter = (StatusFilter, ReviewFilter, ShownTypeFilter, ShownRouteFilter, HotelFilter, ReceivedFilter)
    list_defer = (
        *mails.CARD_COLUMNS,
        "relationships",
        *(f"source_message__{column}" for column in mails.TEXT_COLUMNS),
    )
    list_select_related = ("hotel", "order", "source_message")
    ordering = ("-received_at", "-id")
    search_fields = (
        "source_message__subject",
        "source_message__sender",
        "order__order_number",
        "case_keys",
        "derived_case_keys",
    )
    search_help_text = _("Subject, sender, order number or key")
    detail_related = ("hotel", "order", "source_message", "submission", "decided_by", "claimed_by")
    detail_defer = (
        *(f"submission__{column}" for column in ("payload", "response", "mapping_diagnostics")),
        *(f"source_message__{column}" for column in ("headers", "recipients")),
    )
    detail_template = "reservations/task.html"

    @admin.display(description=_("received"))
    def received(self, row: Task) -> SafeString:
        return moment_of(row, row.received_at)

    @admin.display(description=_("card"))
    def title(self, row: Task) -> SafeString:
        return two_lines(task_title(row), task_kind(row))

    @admin.display(description=_("route"))
    def shown_route(self, row: Task) -> SafeString:
        return route_mark(row.route_code)

    @admin.display(description=_("status"))
    def status(self, row: Task) -> SafeString:
        return status_pill(row)

    @admin.display(description=_("review"))
    def review(self, row: Task) -> SafeString:
        return review_pill(row)

    @admin.display(description=_("order"))
    def order_link(self, row: Task) -> SafeString:
        return NOTHING if row.order.hidden else link_to(row.order, row.order.order_number)

    @admin.display(description=_("mail"))
    def mail(self, row: Task) -> SafeString:
        return two_lines(row.source_message.subject, row.source_message.sender, 60)

    def title_of(self, row: Task) -> str:
        return task_title(row)

    def detail(self, request: HttpRequest, row: Task) -> dict[str, Any]:
        found = tasks.explained(row)
        return {
            "explained": found,
            "errors": [(error, faces.meaning(error["adapter_error_code"])) for error in found.batch.contract_errors],
            "history": [(event, Door(event["door"]).label) for event in found.history],
            "status_pill": status_pill(row),
            "review_pill": review_pill(row),
            "route_mark": route_mark(row.route_code),
            "notice": found.notice,
            "review": [(REVIEW_LABELS.get(name, name), value, pointed) for name, value, pointed in found.review],
            "relations": [(relation, [card_line(task) for task in relation.cards]) for relation in found.relations],
            "retired_pill": pill(_("Retired"), "quiet") if found.face and found.face.retired else "",
        }
