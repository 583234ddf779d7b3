"""Acknowledging a V4 notification: the one thing that is done to it (R-11)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.audit.services import Change, record_many
from config.errors import DomainError, PreconditionFailed
from config.jsontext import JsonValue
from config.transactions import lock_row, retried
from reservations.domain.errors import NotificationNotFound
from reservations.domain.fieldcontract import read_notification_bulk, read_reason
from reservations.models import SourceNotification
from reservations.services.audited import NOTIFICATION, notification_state
from reservations.services.writes import NO_BODY, Writer

NOTIFICATION_ACKNOWLEDGE = "NOTIFICATION_ACKNOWLEDGE"


@dataclass(frozen=True, slots=True)
class NotificationOutcome:
    """What became of one item: the notification as it is now, or why it was refused."""

    notification_id: str
    notification: SourceNotification | None = None
    refusal: DomainError | None = None


def acknowledge_notification(*, writer: Writer, notification_id: UUID, body: JsonValue = NO_BODY) -> SourceNotification:
    """Note who has seen it, and when. The first one stays: again, by whoever, is no change (R-11).

    raises  NotificationNotFound, PreconditionFailed, FieldInvalid (400)
    """
    return retried(lambda: _acknowledge(writer, notification_id, body))


def acknowledge_many(*, writer: Writer, body: JsonValue) -> Sequence[NotificationOutcome]:
    """One outcome per id, in the order sent, and one line of the audit per notification that changed (R-42).

    body    {"action": "acknowledge", "notification_ids": [...]}
    raises  FieldInvalid (400)
    """
    ids = read_notification_bulk(body)
    keys = [_key(item) for item in ids]  # an id has several spellings
    outcomes = {key: _outcome(writer, key) for key in dict.fromkeys(keys)}
    return [replace(outcomes[key], notification_id=item) for key, item in zip(keys, ids, strict=True)]


@transaction.atomic
def _acknowledge(writer: Writer, notification_id: UUID, body: JsonValue) -> SourceNotification:
    rows = SourceNotification.objects.filter(hotel_id__in=writer.hotel_ids, pk=notification_id)
    row = lock_row(rows, "acknowledged_by")
    if row is None:
        raise NotificationNotFound
    if row.acknowledged_by is not None:  # whatever version was seen: two people acknowledging both succeed
        read_reason(body, required=False)
        return row
    if writer.seen_versions is not None and row.version not in writer.seen_versions:
        raise PreconditionFailed(f"The notification is at version {row.version}, not the one named by If-Match.")
    reason = read_reason(body, required=False)
    before, at = notification_state(row), timezone.now()
    row.acknowledged_by, row.acknowledged_at, row.version = writer.user, at, row.version + 1
    row.save(update_fields=["acknowledged_by", "acknowledged_at", "version"])
    change = Change(NOTIFICATION_ACKNOWLEDGE, NOTIFICATION, str(row.pk), before, notification_state(row), reason)
    record_many(tenant_id=row.hotel_id, actor_id=writer.user.pk, door=writer.door, changes=[change], at=at)
    return row


def _outcome(writer: Writer, key: UUID | None) -> NotificationOutcome:
    if key is None:
        return NotificationOutcome("", refusal=NotificationNotFound())
    try:
        row = acknowledge_notification(writer=writer, notification_id=key)
    except DomainError as refusal:
        return NotificationOutcome("", refusal=refusal)
    return NotificationOutcome("", row)


def _key(notification_id: str) -> UUID | None:
    try:
        return UUID(notification_id)
    except ValueError:
        return None
