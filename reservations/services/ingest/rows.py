"""The rows that one judged package adds, their saving, their lines in the audit, and the summary of it all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from config import jsontext
from config.accounts.models import User
from config.audit.services import Change, Door, record_many
from config.inserts import insert
from reservations import data
from reservations.domain.contract import (
    Generation,
    Judgement,
    Notice,
    OrderContext,
)
from reservations.domain.corrections import Digests, Plan
from reservations.models import (
    AiTransition,
    OrderTask,
    SourceNotification,
    Submission,
    SubmissionOutcome,
    Task,
)
from reservations.models.orders import Order
from reservations.services import verdicts
from reservations.services.audited import (
    NOTIFICATION,
    ORDER,
    SUBMISSION,
    TASK,
    notification_state,
    order_state,
    submission_state,
    task_state,
)
from reservations.services.ingest.earlier import Earlier
from reservations.services.ingest.reading import Package
from reservations.services.orders import attach_cards, technical_order
from reservations.services.ordertasks import (
    OrderTaskRows,
    business_card,
    order_task_changes,
    order_task_line,
    place_contexts,
    queue_key,
    reopen,
)
from reservations.services.verdicts import Source


@dataclass(slots=True)
class Rows:
    """Everything one package adds."""

    transitions: list[AiTransition] = field(default_factory=list)
    orders: list[Order] = field(default_factory=list)
    unsaved_orders: list[Order] = field(default_factory=list)
    tasks: list[Task] = field(default_factory=list)
    order_tasks: OrderTaskRows | None = None
    notifications: list[SourceNotification] = field(default_factory=list)


def build_rows(
    source: Source,
    planned: Plan,
    contexts: Sequence[OrderContext],
    digests: Digests,
    earlier: Earlier,
    payload: str,
) -> Rows:
    rows = Rows()
    if source.generation is Generation.V4:
        _add_order_tasks(rows, source, planned, contexts, digests, earlier)
    else:
        _add_cards(rows, source, planned, digests, earlier)
    if planned.notice is not None:
        _add_notice(rows, source, planned.notice, payload, digests.notice or "")
    for fault in planned.faults:
        rows.transitions.append(
            verdicts.fault_transition(source, fault, digests.events.get(fault.source_event_index, ""))
        )
    for intent in planned.intents:
        rows.transitions.append(
            verdicts.intent_transition(source, intent, jsontext.digest(intent.intent), data.catalog())
        )
    return rows


def _add_cards(rows: Rows, source: Source, planned: Plan, digests: Digests, earlier: Earlier) -> None:
    attachment = attach_cards(
        hotel_id=source.message.hotel_id,
        cards=planned.cards,
        accepted_orders={
            task["source_event_index"]: task["order_id"] for task in earlier.tasks if task["source_event_index"]
        },
        sender_domain=source.message.sender_domain,
        at=source.at,
    )
    rows.orders.extend(attachment.new_orders)
    for card in planned.cards:
        transition = verdicts.card_transition(source, card, digests.events[card.source_event_index])
        rows.transitions.append(transition)
        rows.tasks.append(verdicts.card_task(source, card, transition, attachment.cards[card.array_index]))


def _add_order_tasks(
    rows: Rows,
    source: Source,
    planned: Plan,
    contexts: Sequence[OrderContext],
    digests: Digests,
    earlier: Earlier,
) -> None:
    """R-56: the cards of each order reference, on the order of its context."""
    found = place_contexts(source=source, cards=planned.cards, contexts=contexts, existing=earlier.order_tasks)
    rows.order_tasks = found
    rows.orders.extend(found.orders)
    for card in planned.cards:
        place = found.places[card.order_ref or ""]
        transition = verdicts.card_transition(source, card, digests.events[card.source_event_index])
        task = verdicts.card_task(
            source, card, transition, place.attached, order_task=place.order_task, queue_key=queue_key(place)
        )
        rows.transitions.append(transition)
        rows.tasks.append(task)
        found.cards.append(business_card(source, place, task))


def _add_notice(rows: Rows, source: Source, notice: Notice, payload: str, digest: str) -> None:
    """R-10: a task on a hidden order; of a V4 package one notification and nothing else (R-11)."""
    transition = verdicts.notice_transition(source, notice, payload, digest)
    rows.transitions.append(transition)
    if source.generation is Generation.V4:
        rows.notifications.append(verdicts.notification(source, notice, transition))
        return
    order = technical_order(hotel_id=source.message.hotel_id, display_name=source.message.subject, at=source.at)
    rows.orders.append(order)
    rows.unsaved_orders.append(order)
    rows.tasks.append(verdicts.notice_task(source, notice, transition, order.id))


def summary_of(
    source: Source, package: Package, judgement: Judgement, earlier: Earlier, rows: Rows
) -> dict[str, object]:
    """The verdict of every index, those accepted before with their first ids (R-52, api.md)."""
    tasks = sorted(
        [*earlier.tasks, *map(verdicts.task_values, rows.tasks)], key=lambda task: task["source_event_index"]
    )
    return {
        "accepted": True,
        "generation": judgement.generation,
        "submission_id": str(source.submission_id),
        "source_message_id": package.source_message_id,
        "replayed": False,
        "tasks": [verdicts.task_line(task) for task in tasks if task["source_event_index"]],
        "order_tasks": [order_task_line(row) for row in _order_tasks(earlier, rows)],
        "notices": [
            *(verdicts.notice_line(task) for task in tasks if not task["source_event_index"]),
            *map(verdicts.notification_line, [earlier.notification] if earlier.notification else rows.notifications),
        ],
        "adapter_contract_errors": verdicts.error_lines(rows.transitions),
        "unhandled_intents": len(judgement.intents),
    }


def _order_tasks(earlier: Earlier, rows: Rows) -> list[OrderTask]:
    """Those made before and those made now, in the order of their contexts (R-58)."""
    new = rows.order_tasks.new if rows.order_tasks else []
    return sorted([*earlier.order_tasks.values(), *new], key=lambda row: (row.order_context_index, str(row.pk)))


def save_rows(submission: Submission, rows: Rows) -> None:
    insert([submission])
    insert(rows.unsaved_orders)
    insert(rows.transitions)
    if rows.order_tasks is not None:
        insert(rows.order_tasks.new)
        rows.order_tasks.moves = reopen(rows.order_tasks.reopened)
    insert(rows.tasks)
    if rows.order_tasks is not None:
        insert(rows.order_tasks.cards)
    insert(rows.notifications)


def audit_rows(submission: Submission, rows: Rows, caller: User, door: Door) -> None:
    """One line per row that people will see, after everything else (R-50)."""
    accepted = submission.outcome == SubmissionOutcome.ACCEPTED
    changes = [
        Change(
            action="PACKAGE_INGEST" if accepted else "PACKAGE_CONFLICT",
            object_type=SUBMISSION,
            object_id=str(submission.id),
            after=submission_state(submission, rows.transitions),
        )
    ]
    changes += [Change("ORDER_CREATE", ORDER, str(row.id), after=order_state(row)) for row in rows.orders]
    if rows.order_tasks is not None:
        changes += order_task_changes(rows.order_tasks)
    changes += [Change("TASK_CREATE", TASK, str(row.id), after=task_state(row)) for row in rows.tasks]
    changes += [
        Change("NOTIFICATION_CREATE", NOTIFICATION, str(row.id), after=notification_state(row))
        for row in rows.notifications
    ]
    record_many(tenant_id=submission.hotel_id, actor_id=caller.pk, door=door, changes=changes, at=submission.created_at)
