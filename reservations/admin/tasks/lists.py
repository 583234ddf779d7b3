"""The task list: columns, filters, search."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from config.backoffice.filters import ChoiceFilter, FieldFilter, Option, PeriodFilter
from config.backoffice.marks import NOTHING, link_to, pill, two_lines
from reservations.admin.base import (
    DeskAdmin,
    HotelFilter,
    ShownRouteFilter,
    ShownTypeFilter,
    moment_of,
    review_pill,
    route_mark,
    status_pill,
    task_kind,
    task_title,
)
from reservations.models import ReviewStatusChoice, Task, TaskStatusChoice
from reservations.selectors.desk import cards, mails


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


class ClaimFilter(ChoiceFilter):
    """By the live lease (R-44): one that ran out holds nothing."""

    title = _("claim")
    parameter_name = "claim"
    MINE, OTHERS, NOBODY = "mine", "others", "nobody"

    def options(self, request: HttpRequest) -> list[Option]:
        self.person: Any = request.user
        return [
            (self.MINE, _("Claimed by me")),
            (self.OTHERS, _("Claimed by others")),
            (self.NOBODY, _("Claimed by nobody")),
        ]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        live = Q(claim_expires_at__gt=timezone.now())
        if value == self.NOBODY:
            return rows.exclude(live)
        mine = Q(claimed_by=self.person.pk)
        return rows.filter(live, mine if value == self.MINE else ~mine)


class TaskList(DeskAdmin):
    intro = _(
        "One row for each event the agent proposed, and for each notice. Nothing happens until a person confirms."
    )
    list_display = (
        "received",
        "title",
        "shown_route",
        "status",
        "review",
        "holder",
        "order_link",
        "mail",
        "hotel_code",
    )
    list_display_links = ("title",)
    list_filter = (
        StatusFilter,
        ReviewFilter,
        ClaimFilter,
        ShownTypeFilter,
        ShownRouteFilter,
        HotelFilter,
        ReceivedFilter,
    )
    list_defer = (
        *mails.CARD_COLUMNS,
        "relationships",
        *(f"source_message__{column}" for column in mails.TEXT_COLUMNS),
    )
    list_select_related = ("hotel", "order", "source_message", "claimed_by")
    ordering = ("-received_at", "-id")
    search_fields = (
        "source_message__subject",
        "source_message__sender",
        "order__order_number",
        "case_keys",
        "derived_case_keys",
    )
    search_help_text = _("Subject, sender, order number or key")

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

    @admin.display(description=_("held by"))
    def holder(self, row: Task) -> SafeString:
        """Whoever has a live lease (R-44)."""
        if row.claimed_by is None or not cards.is_held(row, timezone.now()):
            return NOTHING
        return pill(row.claimed_by.username, "todo")

    @admin.display(description=_("order"))
    def order_link(self, row: Task) -> SafeString:
        return NOTHING if row.order.hidden else link_to(row.order, row.order.order_number)

    @admin.display(description=_("mail"))
    def mail(self, row: Task) -> SafeString:
        return two_lines(row.source_message.subject, row.source_message.sender, 60)
