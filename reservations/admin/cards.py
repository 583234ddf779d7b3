"""The cards of all order tasks as one list. They are worked on where they belong: on their order task or task."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import FieldFilter, PeriodFilter
from config.backoffice.marks import link_to, two_lines
from reservations.admin.base import DeskAdmin, HotelFilter, card_pill, moment_of, person, task_kind, task_title
from reservations.admin.ordertasks.lists import name_of
from reservations.models import CardKind, CardStatusChoice, TaskCard
from reservations.selectors.desk.ordertasks import HEAVY


class KindFilter(FieldFilter):
    title = _("kind")
    parameter_name = "kind"
    choices_of = CardKind


class StatusFilter(FieldFilter):
    title = _("Basic Information")
    parameter_name = "card_status"
    choices_of = CardStatusChoice


class ReceivedFilter(PeriodFilter):
    title = _("received")
    parameter_name = "received"
    moment = "order_task__received_at"


@admin.register(TaskCard)
class CardAdmin(DeskAdmin):
    intro = _("Every card of every order task: the mail, the Basic Information, and one for each event.")
    list_display = ("received", "called", "status", "order_task_link", "decided", "hotel_code")
    list_display_links = ("called",)
    list_filter = (KindFilter, StatusFilter, HotelFilter, ReceivedFilter)
    list_defer = (
        "draft_payload_json",
        "confirmed_payload_json",
        "review_resolution",
        "order_task__order_context",
        *(f"task__{column}" for column in (*HEAVY, "evidence", "warnings")),
    )
    list_select_related = ("hotel", "order_task", "task", "decided_by", "task__decided_by")
    tenant_path = "order_task__hotel_id"  # its index gives the order of the list
    ordering = ("-order_task__received_at", "-order_task_id", "id")
    search_fields = ("order_task__display_name", "order_task__order_ref", "order_task__order__order_number")
    search_help_text = _("Name, reference or order number")
    detail_related = list_select_related
    detail_defer = tuple(column for column in list_defer if column.startswith(("task__", "order_task__")))
    detail_template = "reservations/card.html"

    @admin.display(description=_("received"))
    def received(self, row: TaskCard) -> SafeString:
        return moment_of(row, row.order_task.received_at)

    @admin.display(description=_("card"))
    def called(self, row: TaskCard) -> SafeString:
        return two_lines(self.title_of(row), task_kind(row.task) if row.task else "")

    @admin.display(description=_("status"))
    def status(self, row: TaskCard) -> SafeString:
        return card_pill(row)

    @admin.display(description=_("order task"))
    def order_task_link(self, row: TaskCard) -> SafeString:
        return link_to(row.order_task, name_of(row.order_task))

    @admin.display(description=_("decided by"))
    def decided(self, row: TaskCard) -> SafeString | str:
        return person(row.task.decided_by if row.task else row.decided_by)

    def title_of(self, row: TaskCard) -> str:
        return task_title(row.task) if row.task else str(CardKind(row.kind).label)

    def detail(self, request: HttpRequest, row: TaskCard) -> dict[str, Any]:
        return {"status_pill": card_pill(row), "order_task": name_of(row.order_task)}
