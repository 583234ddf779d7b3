"""What confirming and resolving have in common: the card becomes READY with its payload, its order learns the keys, two
operations are written, and the audit keeps it all, in one transaction (R-37, R-39, R-47).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeVar
from uuid import UUID

from django.utils import timezone

from config.audit.services import Change
from config.errors import Conflict, Fault, Invalid, Malformed, Outdated
from config.inserts import insert
from config.jsontext import JsonValue
from config.transactions import retried
from reservations.data import catalog, matrix
from reservations.domain import pointers
from reservations.domain.errors import TaskStateInvalid
from reservations.domain.fieldcontract import CardState, Confirmed, Resolved, given_keys, version_once_written
from reservations.domain.orderkeys import OrderKind, order_kind
from reservations.domain.states import Action
from reservations.models import OperaOperation, Order, Task, TaskCard
from reservations.opera.plan import OrderFacts, plan_operations
from reservations.services.audited import CARD, OPERATION, TASK, operation_state, record_refusal, task_change
from reservations.services.orderkeys import Clash, settle_keys
from reservations.services.writes import Writer, record, save_task

OPERATION_CREATE = "OPERATION_CREATE"
DECISION_COLUMNS = (
    "task_status",
    "confirmed_payload_json",
    "decided_by",
    "decided_at",
    "draft_payload_json",
    "draft_by",
    "draft_at",
    "field_contract_version",
    "warnings",
)


@dataclass(frozen=True, slots=True)
class Decision:
    """A card that is READY, and the two operations it leads to, in sequence."""

    task: Task
    operations: Sequence[OperaOperation]


@dataclass(frozen=True, slots=True)
class Kind:
    """One kind of decision: what moves the card, and what the audit calls it."""

    action: Action
    name: str


Decided = TypeVar("Decided")
CONFIRM = Kind(Action.CONFIRM, "TASK_CONFIRM")
RESOLVE = Kind(Action.RESOLVE, "MANUAL_REVIEW_RESOLVE")


def attempt(
    *, writer: Writer, key: UUID, kind: Kind, work: Callable[[], Decided], of: type[Task | TaskCard] = Task
) -> Decided:
    """Do the work of a decision; a refusal leaves the line of the attempt and nothing else (R-41).

    key, of  the row that is decided on
    """
    try:
        return retried(work)
    except (Conflict, Outdated, Invalid, Malformed) as refusal:
        rows = of._default_manager.filter(pk=key, hotel_id__in=writer.hotel_ids)
        hotels = rows.values_list("hotel_id", flat=True)
        for hotel_id in hotels:
            record_refusal(
                hotel_id=hotel_id,
                actor_id=writer.user.pk,
                door=writer.door,
                action=kind.name,
                object_type=TASK if of is Task else CARD,
                object_id=str(key),
                code=refusal.code,
                at=timezone.now(),
            )
        raise


def decide(
    *,
    task: Task,
    before: JsonValue,
    writer: Writer,
    kind: Kind,
    state: CardState,
    confirmed: Confirmed,
    pair: tuple[str, str],
    reason: str,
    at: datetime,
    columns: Sequence[str] = (),
    also: Sequence[Change] = (),
) -> Decision:
    """Make an open, locked and checked card READY.

    before   its state in the audit before anything of it was set
    pair     task type and subtype the card stands for
    columns  further columns of the task that the caller has set
    also     lines of what moved with it
    raises   KeysClash (R-28)
    """
    settled = settle_keys(
        order=task.order,
        keys=given_keys(confirmed),
        kind_of=lambda keys: order_kind(task_type=pair[0], task_subtype=pair[1], keys=keys),
    )
    task.order = settled.order
    task.warnings = [*task.warnings, *settled.warnings]
    task.decide(kind.action, payload=confirmed.payload(), by=writer.user, at=at)
    task.field_contract_version = version_once_written(task.field_contract_version, state, matrix=matrix())
    save_task(task, writer=writer, at=at, columns=[*DECISION_COLUMNS, *columns])
    operations = _operations(task, confirmed, pair, at)
    insert(operations)
    changes = [task_change(task, kind.name, before, reason), *map(_creation, operations)]
    record(writer, task.hotel_id, [*changes, *([settled.change] if settled.change else []), *also], at)
    return Decision(task, operations)


def resolution(resolved: Resolved, order: Order | None, reason: str, writer: Writer, at: datetime) -> JsonValue:
    """What a review settled, as it is stored and answered (R-39). No order: one of its own was asked for (R-60)."""
    return {
        "field_overrides": list(resolved.overrides),
        "confirmed_order_id": str(order.pk) if order is not None else None,
        "reason": reason,
        "resolved_by": writer.user.username,
        "resolved_at": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
    }


def clash_faults(clashes: Sequence[Clash], confirmed: Confirmed, *, root: str = "case_keys") -> list[Fault]:
    """Keys that belong to another order, each with that order: in the request, else at the field. root: of the card's keys."""
    paths = [f"{root}.{clash.key}" for clash in clashes]
    return [
        Fault(
            confirmed.places.get(path, pointers.from_path(path)),
            "ORDER_KEY_TAKEN",
            f"Order {clash.order_number} ({clash.order_id}) has this key.",
        )
        for path, clash in zip(paths, clashes, strict=True)
    ]


def _operations(task: Task, confirmed: Confirmed, pair: tuple[str, str], at: datetime) -> list[OperaOperation]:
    subtype = catalog().subtype(*pair)
    if subtype is None:  # history that the catalogue no longer knows cannot be decided
        raise TaskStateInvalid
    order = task.order
    planned = plan_operations(
        subtype=subtype,
        effective_payload=confirmed.effective_payload,
        hotel_code=task.hotel.code,
        order=OrderFacts(OrderKind(order.kind), order.group_code, order.confirmation_number, order.booking_code),
    )
    return [
        OperaOperation(
            hotel_id=task.hotel_id,
            task=task,
            sequence=plan.sequence,
            external_id=f"{task.pk.hex}-{plan.sequence}",
            operation_id=plan.operation_id,
            role=plan.role,
            spec=plan.spec,
            method=plan.method,
            path=plan.path,
            body_schema=plan.body_schema,
            request_body=plan.request_body,
            dry_run=plan.dry_run,
            created_at=at,
        )
        for plan in planned
    ]


def _creation(operation: OperaOperation) -> Change:
    return Change(OPERATION_CREATE, OPERATION, str(operation.pk), after=operation_state(operation))
