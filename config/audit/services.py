"""Writing the audit, and sealing it.

`record` is called inside the service's own transaction: no change without its line, no line without the change. It takes
no lock. `seal` comes after the commit, from any number of processes at any time.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from secrets import token_hex
from typing import TYPE_CHECKING

import structlog
from django.db import connection, transaction
from django.db.models import QuerySet, Value
from django.utils import timezone

from config.audit.domain import Event, Seal, seal_of
from config.audit.models import SEAL, AuditChain, AuditEvent, Door
from config.audit.selectors import unsealed_tails, written
from config.inserts import insert
from config.jsontext import JsonValue

if TYPE_CHECKING:
    from config.accounts.models import Tenant, User

__all__ = ["Change", "Door", "purge", "record", "record_many", "seal"]

SEAL_BATCH = 500
SET_SEAL = f"UPDATE audit_auditevent SET {', '.join(f'{name} = %s' for name in SEAL)} WHERE id = %s"  # noqa: S608  # names of ours


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


def seal(*, batch: int = SEAL_BATCH) -> int:
    """Give every committed event that has none its place in the chain of its tenant. Returns how many got one.

    Call it outside a transaction. Each batch is one transaction that holds the lock of the chain's row: killed anywhere,
    it leaves nothing half; a chain that another process is sealing at this moment is left to that one. What is written
    while it runs waits for the next call. An event that commits later than one with a larger key comes after it.
    """
    return sum(_seal_chain(tenant_id, newest, batch) for tenant_id, newest in unsealed_tails())


def _seal_chain(tenant_id: int | None, newest: int, batch: int) -> int:
    if not AuditChain.objects.filter(tenant=tenant_id).exists():
        AuditChain.objects.bulk_create([AuditChain(tenant_id=tenant_id)], ignore_conflicts=True)
    waiting = AuditEvent.objects.filter(tenant=tenant_id, position=None, id__lte=newest).order_by("id")
    total = sealed = _seal_batch(tenant_id, waiting[:batch])
    while sealed == batch:
        sealed = _seal_batch(tenant_id, waiting[:batch])
        total += sealed
    return total


@transaction.atomic
def _seal_batch(tenant_id: int | None, waiting: QuerySet[AuditEvent]) -> int:
    chain = AuditChain.objects.select_for_update(skip_locked=True).filter(tenant=tenant_id).first()
    links = _links(chain, list(written(waiting))) if chain else []
    if not chain or not links:
        return 0
    last = links[-1][1]
    with connection.cursor() as cursor:
        cursor.executemany(SET_SEAL, [(*(getattr(link, name) for name in SEAL), event.id) for event, link in links])
    AuditChain.objects.filter(pk=chain.pk).update(length=last.position, head_hash=last.hash)
    return len(links)


def _links(chain: AuditChain, events: list[Event]) -> list[tuple[Event, Seal]]:
    """The seals of these events, one after the other."""
    position, previous = chain.length, chain.head_hash
    links = []
    for event in events:
        position += 1
        link = seal_of(event, position=position, previous_hash=previous, nonce=token_hex(16))
        links.append((event, link))
        previous = link.hash
    return links


def purge(*, tenant_id: int | None, until: datetime) -> int:
    """Empty before, after and reason of the sealed events of one tenant that were written before this moment.

    Their hashes stay, and with them the chain; the nonce goes, so that no guess at a content can be tried against its
    hash. Returns how many were emptied.
    """
    old = AuditEvent.objects.filter(tenant=tenant_id, position__isnull=False, at__lt=until).exclude(nonce="")
    nothing = Value("")
    return old.update(before=nothing, after=nothing, reason=nothing, nonce=nothing)
