"""V4 notifications: mails for a person to look at, until somebody acknowledges them (R-11)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from uuid import UUID

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from config.audit.models import Door
from config.backoffice.base import access_of
from config.backoffice.filters import ChoiceFilter, Option, PeriodFilter
from config.backoffice.marks import NOTHING, pill, two_lines
from config.jsontext import JsonValue
from reservations.admin.base import HotelFilter, moment_of, person, review_lines, route_mark
from reservations.admin.tasks.acting import ActingAdmin
from reservations.admin.tasks.acts import Act
from reservations.admin.tasks.filling import Attempt, Form
from reservations.admin.tasks.forms import Answers
from reservations.models import SourceNotification
from reservations.selectors.desk import faces, mails, notifications
from reservations.services.notifications import acknowledge_notification
from reservations.services.writes import Writer

CODES: Final = ("S10", "S99")


def _acknowledge(writer: Writer, key: UUID, body: JsonValue) -> object:
    return acknowledge_notification(writer=writer, notification_id=key)


def _nothing(answers: Answers, form: Mapping[str, Any]) -> JsonValue:
    return {}


ACKNOWLEDGE: Final = Act("acknowledge", _acknowledge, _("The notification is acknowledged."), _nothing, ends_work=True)


class AcknowledgedFilter(ChoiceFilter):
    title = _("acknowledged")
    parameter_name = "acknowledged"
    YES, NO = "yes", "no"

    def options(self, request: HttpRequest) -> list[Option]:
        return [(self.NO, _("Not acknowledged")), (self.YES, _("Acknowledged"))]

    def narrowed(self, rows: QuerySet, value: str) -> QuerySet:
        return rows.filter(acknowledged_at__isnull=value == self.NO)


class CodeFilter(ChoiceFilter):
    title = _("route")
    parameter_name = "route_code"

    def options(self, request: HttpRequest) -> list[Option]:
        return [(code, code) for code in CODES]


class ReceivedFilter(PeriodFilter):
    title = _("received")
    parameter_name = "received"
    moment = "received_at"


@admin.register(SourceNotification)
class NotificationAdmin(ActingAdmin):
    heading = _("Notifications")
    intro = _("Mails that became no card. Each waits for a person to look at it and say so.")
    acts = {ACKNOWLEDGE.name: ACKNOWLEDGE}
    list_display = ("received", "mail", "shown_route", "seen_by", "seen_at", "hotel_code")
    list_display_links = ("mail",)
    list_filter = (AcknowledgedFilter, CodeFilter, HotelFilter, ReceivedFilter)
    list_defer = (
        "agent_assessment",
        "notification",
        "manual_review",
        *(f"source_message__{column}" for column in mails.TEXT_COLUMNS),
    )
    list_select_related = ("hotel", "source_message", "acknowledged_by")
    ordering = ("-received_at", "-id")
    search_fields = ("source_message__subject", "source_message__sender", "source_message__external_message_id")
    search_help_text = _("Subject, sender or message id")
    detail_related = ("hotel", "source_message", "submission", "acknowledged_by")
    detail_defer = (
        *(f"submission__{column}" for column in mails.PAYLOAD_COLUMNS),
        *(f"source_message__{column}" for column in ("headers", "recipients")),
    )
    detail_template = "reservations/notification.html"

    @admin.display(description=_("received"))
    def received(self, row: SourceNotification) -> SafeString:
        return moment_of(row, row.received_at)

    @admin.display(description=_("mail"))
    def mail(self, row: SourceNotification) -> SafeString:
        return two_lines(row.source_message.subject or gettext("(no subject)"), row.source_message.sender)

    @admin.display(description=_("route"))
    def shown_route(self, row: SourceNotification) -> SafeString:
        return route_mark(row.route_code)

    @admin.display(description=_("acknowledged by"))
    def seen_by(self, row: SourceNotification) -> SafeString | str:
        return person(row.acknowledged_by) if row.acknowledged_by else acknowledged_pill(row)

    @admin.display(description=_("at"))
    def seen_at(self, row: SourceNotification) -> SafeString:
        return moment_of(row, row.acknowledged_at) if row.acknowledged_at else NOTHING

    def title_of(self, row: SourceNotification) -> str:
        return title_of_notification(row)

    def detail(self, request: HttpRequest, row: SourceNotification, attempt: Attempt | None = None) -> dict[str, Any]:
        found = notifications.explained(row)
        may = {ACKNOWLEDGE.name} if row.acknowledged_at is None else set()
        allowed = frozenset(name for name in may if access_of(request).allows(ACKNOWLEDGE.permission))
        return {
            "explained": found,
            "notice": found.notice,
            "review": review_lines(found.review),
            "route_mark": route_mark(row.route_code),
            "seen_pill": acknowledged_pill(row),
            "work": Form(attempt=attempt, may=allowed, addresses=self.addresses_of(row)),
            "history": [(event, Door(event["door"]).label) for event in found.history],
        }


def title_of_notification(row: SourceNotification) -> str:
    """What the notice is called in the catalogue."""
    face = faces.face(row.route_code)
    return face.title if face else row.route_code


def acknowledged_pill(row: SourceNotification) -> SafeString:
    seen = row.acknowledged_at is not None
    return pill(_("Acknowledged") if seen else _("Not acknowledged"), "quiet" if seen else "todo")
