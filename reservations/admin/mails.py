"""Mails: what came in, and what the agent made of it."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import FileResponse, Http404, HttpRequest
from django.urls import URLPattern, path
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from config.backoffice.base import access_of
from config.backoffice.filters import PeriodFilter
from config.backoffice.marks import pill, two_lines
from config.backoffice.untrusted import SHOWN_CHARACTERS, frame_document, shortened
from config.downloads import download
from reservations.admin.base import DeskAdmin, HotelFilter, card_line, moment_of
from reservations.admin.notifications import acknowledged_pill, title_of_notification
from reservations.admin.ordertasks.lists import name_of, order_task_pill
from reservations.models import SourceMessage
from reservations.selectors.desk import faces, mails
from reservations.selectors.inbox import find_attachment


class ReceivedFilter(PeriodFilter):
    title = _("received")
    parameter_name = "received"
    moment = "received_at"


@admin.register(SourceMessage)
class MailAdmin(DeskAdmin):
    heading = _("Mails")
    intro = _("Every mail of your hotels, and how much the agent made of it.")
    list_display = ("received", "mail", "hotel_code", "outcome")
    list_display_links = ("mail",)
    list_filter = (HotelFilter, ReceivedFilter)
    list_defer = mails.TEXT_COLUMNS
    ordering = ("-received_at", "-id")
    search_fields = ("subject", "sender", "external_message_id")
    search_help_text = _("Subject, sender or message id")
    detail_template = "reservations/mail.html"

    def completed(self, request: HttpRequest, rows: list[Any]) -> list[Any]:
        found = mails.tallies(row.pk for row in rows)
        for row in rows:
            row.tally = found[row.pk]
        return rows

    @admin.display(description=_("received"))
    def received(self, row: SourceMessage) -> SafeString:
        return moment_of(row, row.received_at)

    @admin.display(description=_("mail"))
    def mail(self, row: SourceMessage) -> SafeString:
        return two_lines(row.subject or gettext("(no subject)"), row.sender)

    @admin.display(description=_("what came of it"))
    def outcome(self, row: Any) -> SafeString:
        return tally_pills(row.tally)

    def title_of(self, row: SourceMessage) -> str:
        return shortened(row.subject or gettext("(no subject)"), 80)

    def detail(self, request: HttpRequest, row: SourceMessage) -> dict[str, Any]:
        reading = mails.reading(row)
        return {
            "attachments": mails.attachments_of(row),
            "conversation": mails.conversation(row),
            "reading": reading,
            "cards": [card_line(task) for task in reading.cards],
            "notices": [card_line(task) for task in reading.notices],
            "order_tasks": [(row, name_of(row), order_task_pill(row)) for row in reading.order_tasks],
            "notifications": [
                (row, title_of_notification(row), acknowledged_pill(row)) for row in reading.notifications
            ],
            "errors": [(error, faces.meaning(error.adapter_error_code)) for error in reading.errors],
            "frame": frame_document(row.body_html) if row.body_html else "",
            "frame_cut": len(row.body_html) > SHOWN_CHARACTERS,
        }

    def extra_urls(self, name: str) -> list[URLPattern]:
        route = "<path:object_id>/attachments/<uuid:attachment_id>/"
        return [path(route, self._door(self.attachment_view), name=f"{name}_attachment")]

    def attachment_view(self, request: HttpRequest, object_id: str, attachment_id: UUID) -> FileResponse:
        """The file as a download, whatever it claims to be; never shown inline."""
        if not access_of(request).allows("reservations.view_attachment"):
            raise PermissionDenied
        mail = self.row(request, object_id)
        found = find_attachment(hotel_ids=[mail.hotel_id], message_id=mail.pk, attachment_id=attachment_id)
        if found is None:
            raise Http404
        return download(found.file.open("rb"), found.download_name)


def tally_pills(tally: mails.Tally) -> SafeString:
    """One label for each kind of verdict that there is."""
    if tally.untouched:
        return format_html('<span class="quiet">{}</span>', gettext("nothing yet"))
    labels = (
        (tally.cards, ngettext("%d card", "%d cards", tally.cards), "good"),
        (tally.notices, ngettext("%d notice", "%d notices", tally.notices), "plain"),
        (tally.errors, ngettext("%d contract error", "%d contract errors", tally.errors), "bad"),
        (tally.intents, ngettext("%d not supported", "%d not supported", tally.intents), "ask"),
        (tally.conflicts, gettext("newer reading"), "ask"),
    )
    pills = ((pill(text % number if "%d" in text else text, tone),) for number, text, tone in labels if number)
    return format_html('<span class="pills">{}</span>', format_html_join("", "{}", pills))
