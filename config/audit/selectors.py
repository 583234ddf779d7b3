"""Reading the audit: events, and whether the chain they are sealed in is whole."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, ExpressionWrapper, F, Max, Min, QuerySet, TextField

from config.accounts.models import Tenant
from config.audit.domain import GENESIS, Event, Flaw, Seal, flaw_of, is_purged
from config.audit.models import SEAL, AuditChain, AuditEvent

BATCH = 1000
LISTED = (
    "id",
    "tenant__code",
    "at",
    "actor__username",
    "door",
    "action",
    "object_type",
    "object_id",
    "before_text",
    "after_text",
    "reason",
    "request_id",
    "position",
    "previous_hash",
    "content_sha256",
    "hash",
)
WRITTEN = (
    "id",
    "tenant_id",
    "at",
    "actor_id",
    "door",
    "action",
    "object_type",
    "object_id",
    "request_id",
    "before_text",
    "after_text",
    "reason",
)


@dataclass(frozen=True, slots=True)
class ChainFault:
    """The first broken place of a chain; no event id where an event is missing at the end."""

    position: int
    event_id: int | None
    what: Flaw


@dataclass(frozen=True, slots=True)
class ChainReport:
    """Whether the chain of one tenant is whole.

    tenant         code; None: the events of no tenant
    sealed_length  events in the chain
    unsealed_tail  committed events that the sealer has not come to
    purged         events whose content was emptied and can no longer be checked; where the chain is broken, those before
    head_hash      hash of the last event: whoever kept it elsewhere can tell that nothing before it was changed since
    """

    tenant: str | None
    sealed_length: int
    unsealed_tail: int
    purged: int
    head_hash: str
    fault: ChainFault | None

    @property
    def valid(self) -> bool:
        return self.fault is None


def list_events(*, tenant_ids: Collection[int]) -> QuerySet[AuditEvent, dict[str, Any]]:
    """Events of these tenants, before and after as the texts they are stored as."""
    rows: QuerySet[AuditEvent, dict[str, Any]] = (
        AuditEvent.objects.filter(tenant_id__in=tenant_ids)
        .annotate(before_text=_text("before"), after_text=_text("after"))
        .values(*LISTED)
    )
    return rows


def unsealed_tails() -> list[tuple[int | None, int]]:
    """(tenant or None, newest key) of every chain with events that are not sealed."""
    tails = AuditEvent.objects.filter(position=None).order_by("tenant_id")
    return list(tails.values("tenant_id").annotate(newest=Max("id")).values_list("tenant_id", "newest"))


def written(rows: QuerySet[AuditEvent]) -> Iterator[Event]:
    """These events as the chain sees them."""
    texts = rows.annotate(before_text=_text("before"), after_text=_text("after"))
    return (Event(*row) for row in texts.values_list(*WRITTEN))


def verify(*, tenant_id: int | None) -> ChainReport:
    """Compute the chain of one tenant again, from its first event to the end its record names."""
    chain = AuditChain.objects.filter(tenant=tenant_id).first() or AuditChain(tenant_id=tenant_id)
    events = AuditEvent.objects.filter(tenant=tenant_id)
    purged, fault = _walk(events, chain)
    return ChainReport(
        tenant=Tenant.objects.values_list("code", flat=True).get(pk=tenant_id) if tenant_id is not None else None,
        sealed_length=chain.length,
        unsealed_tail=events.filter(position=None).count(),
        purged=purged,
        head_hash=chain.head_hash,
        fault=fault or _surplus(events, chain),
    )


def verify_all(*, code: str | None = None) -> list[ChainReport]:
    """The chains of all tenants that have events, and that of no tenant; or those of the tenants with this code.

    raises  Tenant.DoesNotExist: there is none with this code
    """
    if code is not None:
        tenants = list(Tenant.objects.filter(code=code).values_list("pk", flat=True))
        if not tenants:
            raise Tenant.DoesNotExist
        return [verify(tenant_id=tenant_id) for tenant_id in tenants]
    reports = [verify(tenant_id=tenant_id) for tenant_id in (*Tenant.objects.values_list("pk", flat=True), None)]
    return [report for report in reports if report.sealed_length or report.unsealed_tail or report.fault]


def _walk(events: QuerySet[AuditEvent], chain: AuditChain) -> tuple[int, ChainFault | None]:
    """How many sealed events are purged, and the first fault."""
    purged, position, last = 0, 0, GENESIS
    for event, seal in _sealed(events, chain.length):
        position += 1
        if flaw := flaw_of(event, seal, position=position, previous_hash=last):
            return purged, ChainFault(position, event.id, flaw)
        purged += is_purged(event, seal)
        last = seal.hash
    if position < chain.length:
        return purged, ChainFault(position + 1, None, Flaw.POSITION)
    return purged, None if last == chain.head_hash else ChainFault(position, None, Flaw.HEAD)


def _sealed(events: QuerySet[AuditEvent], length: int) -> Iterator[tuple[Event, Seal]]:
    """The sealed events up to this position, in the order of the chain, a batch at a time."""
    reached = 0
    rows = events.filter(position__lte=length).order_by("position")
    rows = rows.annotate(before_text=_text("before"), after_text=_text("after"))
    while reached < length:
        batch = list(rows.filter(position__gt=reached).values_list(*WRITTEN, *SEAL)[:BATCH])
        if not batch:
            return
        for row in batch:
            yield Event(*row[: len(WRITTEN)]), Seal(*row[len(WRITTEN) :])
        reached = batch[-1][len(WRITTEN)]


def _surplus(events: QuerySet[AuditEvent], chain: AuditChain) -> ChainFault | None:
    """A seal that no sealer gave. The chain may have grown since it was read; so its length is read again, last."""
    sealed = events.filter(position__isnull=False)
    found = sealed.aggregate(count=Count("id"), first=Min("position"), last=Max("position"))
    length = AuditChain.objects.filter(tenant=chain.tenant_id).values_list("length", flat=True).first() or 0
    if found["count"] <= length and (found["first"] or 1) > 0 and (found["last"] or 0) <= length:
        return None
    return ChainFault(length + 1, sealed.order_by("position").values_list("pk", flat=True).last(), Flaw.HEAD)


def _text(name: str) -> ExpressionWrapper[F]:
    return ExpressionWrapper(F(name), output_field=TextField())
