"""Writing the audit. Called inside the service's own transaction: no change without its line, no line without the change."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

import structlog
from django.utils import timezone

from config.audit.models import AuditEvent, Door
from config.inserts import insert
from config.jsontext import JsonValue

if TYPE_CHECKING:
    from config.accounts.models import Tenant, User

__all__ = ["Change", "Door", "record", "record_many"]


@dataclass(frozen=True, slots=True)
class Change:
    """One change of one object; before or after is None where the object was not or is no more."""

    action: str
    object_type: str
    object_id: str
    before: JsonValue = None
    after: JsonValue = None
    reason: str = ""


def record(
    *,
    tenant: Tenant | None,
    actor: User | None,
    door: Door,
    action: str,
    object_type: str,
    object_id: str,
    before: JsonValue = None,
    after: JsonValue = None,
    reason: str = "",
    at: datetime | None = None,
) -> None:
    """Write one event."""
    change = Change(action, object_type, object_id, before, after, reason)
    record_many(
        tenant_id=tenant.pk if tenant else None,
        actor_id=actor.pk if actor else None,
        door=door,
        changes=[change],
        at=at,
    )


def record_many(
    *, tenant_id: int | None, actor_id: int | None, door: Door, changes: Iterable[Change], at: datetime | None = None
) -> None:
    """Write events with one statement, in the order given."""
    request_id = str(structlog.contextvars.get_contextvars().get("request_id", ""))[:64]
    moment = at or timezone.now()
    events = [
        AuditEvent(
            tenant_id=tenant_id,
            actor_id=actor_id,
            door=door,
            action=change.action,
            object_type=change.object_type,
            object_id=change.object_id,
            before=change.before,
            after=change.after,
            reason=change.reason,
            request_id=request_id,
            at=moment,
        )
        for change in changes
    ]
    insert(events)
