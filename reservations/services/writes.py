"""How every write on a card begins and ends: lock it, ask who holds it, which version was seen, what its state allows;
then raise the version and keep the line of the audit.

Checks come in the order of R-45: claim (409), If-Match (412), state (409). Permission was the door's, content comes after.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings

from config.accounts.models import User
from config.audit.services import Change, Door, record_many
from config.errors import PreconditionFailed
from config.jsontext import JsonValue
from config.transactions import lock_row
from reservations.domain.errors import TaskClaimed, TaskNotFound, TaskReadonly
from reservations.domain.states import Action, target
from reservations.models import Task, TaskCard
from reservations.services.audited import TASK, task_state

NO_BODY: Final[JsonValue] = {}
CLAIM_EXPIRED: Final = "CLAIM_EXPIRED"
OF_NO_USE: Final = ("submission__payload", "submission__response", "order_task__order_context")  # long texts
LEASE: Final = ("claimed_by", "claim_expires_at")


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes, through which door, on the cards of which hotels.

    seen_versions  the versions the caller says it has seen (If-Match); None: it does not say, or any will do
    """

    user: User
    door: Door
    hotel_ids: Collection[int]
    seen_versions: Collection[int] | None = None


def lock_task(*, writer: Writer, task_id: UUID, at: datetime, held_by_others: bool = False) -> Task:
    """The card, locked until the transaction ends, after the checks that every write shares.

    held_by_others  a card that somebody else holds will do, too
    raises  TaskNotFound, TaskClaimed (R-44), PreconditionFailed (R-45), TaskReadonly (R-14)
    """
    rows = Task.objects.defer(*OF_NO_USE).filter(hotel_id__in=writer.hotel_ids, pk=task_id)
    task = lock_row(rows, "order", "hotel", "submission", "claimed_by", "order_task")
    if task is None:
        raise TaskNotFound
    if not held_by_others:
        check_holder(task, writer.user, at)
    check_version(task, writer)
    if task.readonly:
        raise TaskReadonly
    return task


def open_task(*, writer: Writer, task_id: UUID, action: Action, at: datetime) -> Task:
    """`lock_task` for a write that moves the card: the move table decides.

    raises  also TaskStateInvalid (R-46)
    """
    task = lock_task(writer=writer, task_id=task_id, at=at)
    target(task.status, action)
    return task


def check_holder(task: Task, user: User, at: datetime) -> None:
    """R-44: a live lease of somebody else keeps all others out."""
    holder, ends = task.claimed_by, task.claim_expires_at
    if holder is None or ends is None or holder.pk == user.pk or ends <= at:
        return
    until = ends.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    raise TaskClaimed(f"{holder.username} holds this card until {until}.", holder=holder.username, until=ends)


def check_version(row: Task | TaskCard, writer: Writer) -> None:
    """R-45: the version alone is compared."""
    if writer.seen_versions is not None and row.version not in writer.seen_versions:
        raise PreconditionFailed(f"The card is at version {row.version}, not the one named by If-Match.")


def lease_end(at: datetime) -> datetime:
    return at + timedelta(minutes=settings.CLAIM_MINUTES)


def save_task(task: Task, *, writer: Writer, at: datetime, columns: Sequence[str]) -> None:
    """Save these columns with the next version; a lease of the writer begins anew (R-44)."""
    task.version += 1
    saved = [*columns, "version"]
    if task.claimed_by_id == writer.user.pk:
        task.claim_expires_at = lease_end(at)
        saved.append("claim_expires_at")
    task.save(update_fields=saved)


def record(writer: Writer, hotel_id: int, changes: Sequence[Change], at: datetime) -> None:
    """The lines of one write, inside its transaction."""
    record_many(tenant_id=hotel_id, actor_id=writer.user.pk, door=writer.door, changes=changes, at=at)


def state_before(task: Task, at: datetime) -> JsonValue:
    """The state of the card in the audit before a write that ends its lease. One that ran out is noted first (R-44)."""
    expired = expiry(task, at)
    if expired is None:
        return task_state(task)
    note_expired(task.hotel_id, [expired], at)
    return expired.after


def expiry(task: Task, at: datetime) -> Change | None:
    """The line of a lease that ran out, and the card as it is without it; None while it lasts or there is none."""
    if task.claim_expires_at is None or task.claim_expires_at > at:
        return None
    before = task_state(task)
    freed = {name: value for name, value in before.items() if name not in LEASE}
    return Change(CLAIM_EXPIRED, TASK, str(task.pk), before, freed)


def note_expired(hotel_id: int, changes: Sequence[Change], at: datetime) -> None:
    """By the system, and never as a decision."""
    record_many(tenant_id=hotel_id, actor_id=None, door=Door.SYSTEM, changes=changes, at=at)
