"""What a person can do with one card, and what it shows for that: fields, orders to choose from, operations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime

from django.db.models import Q

from config.errors import DomainError
from config.jsontext import JsonValue
from reservations.data import catalog, matrix
from reservations.domain.fieldcontract import CardState, ServedField, read_fields
from reservations.domain.fieldcontract.givenkeys import keys_among
from reservations.domain.orderkeys import OrderKind
from reservations.domain.states import FINAL, Action, CardStatus, TaskStatus, allowed, check_confirm, check_resolve
from reservations.models import OperaOperation, Order, OrderStatus, Task
from reservations.selectors.desk.mails import CARD_COLUMNS
from reservations.selectors.fieldstate import OPEN, task_card_state
from reservations.selectors.queue import blocked_by

MOST_ORDERS = 20
QUEUED = (TaskStatus.READY, TaskStatus.FAILED)

Fields = Mapping[str, ServedField]


def state_of(task: Task) -> CardState | None:
    """None for a notice, which has no fields. One statement, two where the card names files of the mail."""
    return None if task.status is TaskStatus.NOTICE else task_card_state(task)


def served(state: CardState) -> Fields:
    """The fields of the card as it stands, by main path, in their order."""
    rows = read_fields(state, matrix=matrix(), catalog=catalog()).rows
    return {row.row.field_path: row for row in rows}


def served_with(state: CardState, values: Mapping[str, JsonValue]) -> Fields:
    """The fields it would have with these values of a person (R-29, R-40)."""
    return served(replace(state, draft={**state.draft, **values}))


def possible_actions(task: Task, user_id: int, at: datetime) -> frozenset[str]:
    """What its state and its holder let this person do, whatever the person's role allows."""
    if task.status is TaskStatus.NOTICE:
        return frozenset() if task.acknowledged_by_id else frozenset({"acknowledge"})
    if task.readonly:
        return frozenset()
    if is_held(task, at) and task.claimed_by_id != user_id:
        return frozenset() if task.status in FINAL else frozenset({"take_over"})
    found = {str(action) for action in (Action.TERMINATE, Action.EXECUTE, Action.RETRY) if allowed(task.status, action)}
    if task.status in OPEN:
        found.add("draft")
    if task.status not in FINAL:
        found.add("release" if is_held(task, at) else "claim")
    return frozenset(found | decisions(task.status, task.review_status))


def is_held(task: Task, at: datetime) -> bool:
    """Has anybody a live lease on it? (R-44)"""
    return task.claimed_by_id is not None and task.claim_expires_at is not None and task.claim_expires_at > at


def operations_of(task: Task) -> list[OperaOperation]:
    """The simulated operations in sequence; a card that nobody decided on has none."""
    if task.decided_by_id is None:
        return []
    return list(OperaOperation.objects.filter(task=task).order_by("sequence"))


def in_the_way(task: Task) -> Task | None:
    """The earlier card of the order that has to be finished before this one is executed (R-27)."""
    key = blocked_by(task) if task.status in QUEUED else None
    return None if key is None else Task.objects.defer(*CARD_COLUMNS, "ai_payload_json").filter(pk=key).first()


def orders_to_choose(task: Task, values: Mapping[str, JsonValue]) -> list[Order]:
    """The card's own order; while that is temporary, also the active ones that carry a key among these values (R-39)."""
    keys = keys_among(values).folded()
    if task.order.kind != OrderKind.TEMPORARY or keys.empty:
        return [task.order]
    named = Q(pk=None)
    for column, key in zip(("group_key", "confirmation_key", "booking_key"), keys.given(), strict=True):
        named |= Q(**{column: key}) if key is not None else Q(pk=None)
    others = Order.objects.filter(named, hotel_id=task.hotel_id, status=OrderStatus.ACTIVE, hidden=False)
    return [task.order, *others.exclude(pk=task.order_id).order_by("created_at", "id")[:MOST_ORDERS]]


def decisions(status: TaskStatus | CardStatus, review_status: str | None) -> set[str]:
    """Of `confirm` and `resolve` what the state of a card allows."""
    found = set()
    for name, check in (("confirm", check_confirm), ("resolve", check_resolve)):
        try:
            check(status, review_status)
        except DomainError:
            continue
        found.add(name)
    return found
