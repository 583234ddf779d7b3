"""V4 notifications: mails for a person to look at (R-11)."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import QuerySet

from reservations.models import SourceNotification
from reservations.selectors.columns import MAIL_REFERENCE, Row, json_texts, rows_of

NOTIFICATION_ROW = (
    "id",
    "hotel__code",
    *MAIL_REFERENCE,
    "submission_id",
    "transition_id",
    "route_code",
    "route_display_code",
    "acknowledged_by__username",
    "acknowledged_at",
    "version",
    "received_at",
    "created_at",
)
NOTIFICATION_JSON = ("agent_assessment", "notification", "manual_review")
NOTIFICATION_DETAIL = (
    *NOTIFICATION_ROW,
    *(f"{name}_text" for name in NOTIFICATION_JSON),
    "source_message__sender",
    "source_message__conversation_id",
)


def list_notifications(*, hotel_ids: Collection[int]) -> QuerySet[SourceNotification, Row]:
    return rows_of(SourceNotification.objects.filter(hotel_id__in=hotel_ids), *NOTIFICATION_ROW)


def find_notification(*, hotel_ids: Collection[int], notification_id: UUID) -> Row | None:
    """One notification with what the agent said; one statement."""
    wanted = SourceNotification.objects.filter(hotel_id__in=hotel_ids, id=notification_id)
    return rows_of(wanted.annotate(**json_texts(*NOTIFICATION_JSON)), *NOTIFICATION_DETAIL).first()
