"""The same write on several cards, one by one: each stands or falls by itself (R-42)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from config.errors import DomainError
from config.jsontext import JsonValue
from reservations.domain.errors import TaskNotFound
from reservations.domain.fieldcontract import BulkAction, BulkRequest, read_bulk
from reservations.models import Task
from reservations.services.claims import claim_task, release_task
from reservations.services.termination import terminate_task
from reservations.services.writes import Writer


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one item: the card as it is now, or why it was refused."""

    task_id: str
    task: Task | None = None
    refusal: DomainError | None = None


def write_many(*, writer: Writer, body: JsonValue) -> Sequence[Outcome]:
    """One outcome per id, in the order sent; an id sent twice is done once and answered twice.

    body    {"action": "claim|release|terminate", "task_ids": [...], "reason"?}
    raises  FieldInvalid (400)
    """
    request = read_bulk(body)
    keys = [_key(task_id) for task_id in request.task_ids]  # an id has several spellings
    outcomes = {key: _write(writer, request, key) for key in dict.fromkeys(keys)}
    return [replace(outcomes[key], task_id=task_id) for key, task_id in zip(keys, request.task_ids, strict=True)]


def _write(writer: Writer, request: BulkRequest, key: UUID | None) -> Outcome:
    if key is None:
        return Outcome("", refusal=TaskNotFound())
    try:
        return Outcome("", task=_WRITES[request.action](writer, key, {"reason": request.reason}))
    except DomainError as refusal:
        return Outcome("", refusal=refusal)


def _key(task_id: str) -> UUID | None:
    try:
        return UUID(task_id)
    except ValueError:
        return None


_WRITES: dict[BulkAction, Callable[[Writer, UUID, JsonValue], Task]] = {
    BulkAction.CLAIM: lambda writer, task_id, body: claim_task(writer=writer, task_id=task_id, body=body),
    BulkAction.RELEASE: lambda writer, task_id, body: release_task(writer=writer, task_id=task_id, body=body),
    BulkAction.TERMINATE: lambda writer, task_id, body: terminate_task(writer=writer, task_id=task_id, body=body),
}
