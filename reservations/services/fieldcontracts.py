"""Cards of the first field contract that nobody has written to yet take the present one (R-80)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Q, QuerySet

from config.audit.services import Change, Door, record_many
from config.transactions import retried
from reservations.domain.contract import Generation
from reservations.models import Task
from reservations.services.audited import task_change, task_state
from reservations.services.verdicts import FIELD_CONTRACT_VERSIONS

FIELD_CONTRACT_UPGRADE: Final = "FIELD_CONTRACT_UPGRADE"
FIRST_VERSION: Final = FIELD_CONTRACT_VERSIONS[Generation.V2]
PRESENT_VERSION: Final = FIELD_CONTRACT_VERSIONS[Generation.V3]
BATCH: Final = 200
_WRITTEN: Final = Q(draft_payload_json__isnull=False) | Q(confirmed_payload_json__isnull=False)
_HEAVY: Final = ("ai_payload_json", "manual_review", "evidence", "relationships", "case_keys", "derived_case_keys")


@dataclass(frozen=True, slots=True)
class Cards:
    """Cards of the first contract. kept: they have a draft or a confirmed payload, and wait until they are written again."""

    unwritten: int
    kept: int


def count_first_contract() -> Cards:
    counts = _of_first_contract().aggregate(unwritten=Count("pk", filter=~_WRITTEN), kept=Count("pk", filter=_WRITTEN))
    return Cards(counts["unwritten"], counts["kept"])


def upgrade_field_contracts(*, at: datetime, door: Door) -> Iterator[int]:
    """Give the present version to every card without draft and confirmed payload. Yields how many, batch by batch.

    Each batch is a transaction with one line of the audit for each card. Repeating it finds nothing left to do.
    """
    last: UUID | None = None
    while batch := retried(partial(_upgrade, last, at, door)):
        last = batch[-1]
        yield len(batch)


@transaction.atomic
def _upgrade(after: UUID | None, at: datetime, door: Door) -> list[UUID]:
    """The ids of the next cards, which are done now, in ascending order."""
    rows = _of_first_contract().exclude(_WRITTEN).select_for_update().defer(*_HEAVY).order_by("pk")
    tasks = list((rows.filter(pk__gt=after) if after else rows)[:BATCH])
    by_hotel: dict[int, list[Change]] = {}
    for task in tasks:
        before = task_state(task)
        task.field_contract_version, task.version = PRESENT_VERSION, task.version + 1
        by_hotel.setdefault(task.hotel_id, []).append(task_change(task, FIELD_CONTRACT_UPGRADE, before))
    ids = [task.pk for task in tasks]
    Task.objects.filter(pk__in=ids).update(field_contract_version=PRESENT_VERSION, version=F("version") + 1)
    for hotel_id, changes in by_hotel.items():
        record_many(tenant_id=hotel_id, actor_id=None, door=door, changes=changes, at=at)
    return ids


def _of_first_contract() -> QuerySet[Task]:
    return Task.objects.filter(field_contract_version=FIRST_VERSION)
