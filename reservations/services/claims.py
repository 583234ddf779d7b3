"""Claims: one person holds a card for a while (R-44). Leases that ran out are noted by the system."""

from __future__ import annotations

from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.audit.services import Change
from config.jsontext import JsonValue
from config.transactions import retried
from reservations.domain.errors import TaskClaimed, TaskNotFound, TaskReadonly, TaskStateInvalid
from reservations.domain.fieldcontract import read_reason
from reservations.domain.states import FINAL
from reservations.models import Task
from reservations.services.audited import task_change, task_state
from reservations.services.writes import (
    Writer,
    check_holder,
    check_version,
    expiry,
    lease_end,
    lock_task,
    note_expired,
    record,
    save_task,
    state_before,
)

TASK_CLAIM, TASK_RELEASE, TASK_TAKE_OVER = "TASK_CLAIM", "TASK_RELEASE", "TASK_TAKE_OVER"
EXPIRED_BATCH = 200
MAX_ROUNDS = 3


def claim_task(*, writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    """Hold the card from now on; who holds it already holds it for longer.

    body    {"reason"?}, of all writes here
    raises  TaskNotFound, TaskClaimed naming holder and end, PreconditionFailed, TaskReadonly, TaskStateInvalid (final),
            FieldInvalid (400)
    """
    return retried(lambda: _claim(writer, task_id, body))


@transaction.atomic
def _claim(writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    """One conditional UPDATE decides who gets it; the row is read before, for the checks and the line of the audit.

    Its condition is the lease as it was read, since noting one that ran out does not raise the version.
    """
    at = timezone.now()
    for _ in range(MAX_ROUNDS):
        task = _claimable(writer, task_id, at)
        reason = read_reason(body, required=False)
        as_seen = {"claimed_by": task.claimed_by, "claim_expires_at": task.claim_expires_at, "version": task.version}
        won = Task.objects.filter(pk=task.pk, **as_seen).update(
            claimed_by=writer.user, claim_expires_at=lease_end(at), version=task.version + 1
        )
        if won:
            _record_claim(writer, task, reason, at)
            return task
    raise TaskClaimed("Others keep writing to this card. Read it again.")


def _claimable(writer: Writer, task_id: UUID, at: datetime) -> Task:
    rows = Task.objects.select_related("hotel", "claimed_by")
    task = rows.filter(hotel_id__in=writer.hotel_ids, pk=task_id).first()
    if task is None:
        raise TaskNotFound
    check_holder(task, writer.user, at)
    check_version(task, writer)
    if task.readonly:
        raise TaskReadonly
    if task.status in FINAL:
        raise TaskStateInvalid
    return task


def _record_claim(writer: Writer, task: Task, reason: str, at: datetime) -> None:
    before = state_before(task, at)
    task.claimed_by, task.claim_expires_at, task.version = writer.user, lease_end(at), task.version + 1
    record(writer, task.hotel_id, [task_change(task, TASK_CLAIM, before, reason)], at)


def release_task(*, writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    """Hold it no longer. A card that nobody holds stays as it is.

    raises  TaskNotFound, TaskClaimed, PreconditionFailed, TaskReadonly
    """
    return retried(lambda: _release(writer, task_id, body))


@transaction.atomic
def _release(writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    at = timezone.now()
    task = lock_task(writer=writer, task_id=task_id, at=at)
    reason = read_reason(body, required=False)
    if task.claimed_by_id != writer.user.pk:
        return task
    before = task_state(task)
    task.claimed_by = task.claim_expires_at = None
    save_task(task, writer=writer, at=at, columns=["claimed_by", "claim_expires_at"])
    record(writer, task.hotel_id, [task_change(task, TASK_RELEASE, before, reason)], at)
    return task


def take_over_task(*, writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    """A lead takes the card from whoever holds it (R-44); drafts stay as they are (R-36).

    raises  TaskNotFound, PreconditionFailed, TaskReadonly, TaskStateInvalid (final)
    """
    return retried(lambda: _take_over(writer, task_id, body))


@transaction.atomic
def _take_over(writer: Writer, task_id: UUID, body: JsonValue) -> Task:
    at = timezone.now()
    task = lock_task(writer=writer, task_id=task_id, at=at, held_by_others=True)
    if task.status in FINAL:
        raise TaskStateInvalid
    reason, before = read_reason(body, required=False), state_before(task, at)
    task.claimed_by, task.claim_expires_at = writer.user, lease_end(at)
    save_task(task, writer=writer, at=at, columns=["claimed_by", "claim_expires_at"])
    record(writer, task.hotel_id, [task_change(task, TASK_TAKE_OVER, before, reason)], at)
    return task


def expire_claims(*, at: datetime) -> int:
    """Note the leases that ran out: nobody holds these cards any more. Returns how many.

    The version stays: who held the card and comes back late finds it as it was left.
    """
    return retried(lambda: _expire(at))


@transaction.atomic
def _expire(at: datetime) -> int:
    ended = Task.objects.select_for_update(skip_locked=True).filter(claim_expires_at__lte=at)
    tasks = list(ended.order_by("claim_expires_at")[:EXPIRED_BATCH])
    by_hotel: dict[int, list[Change]] = {}
    for task in tasks:
        change = expiry(task, at)
        if change is not None:
            by_hotel.setdefault(task.hotel_id, []).append(change)
    Task.objects.filter(pk__in=[task.pk for task in tasks]).update(claimed_by=None, claim_expires_at=None)
    for hotel_id, changes in by_hotel.items():
        note_expired(hotel_id, changes, at)
    return len(tasks)
