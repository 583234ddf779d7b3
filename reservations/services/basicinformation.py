"""The Basic Information of an order task: drafted, confirmed or resolved like any card, and locked then (R-59 to R-61).

The checks are those of every card; what follows differs: no operations, but the order of the whole order task.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from config.audit.services import Change
from config.errors import Fault
from config.jsontext import JsonValue
from config.transactions import lock_row, retried
from reservations.data import catalog, matrix
from reservations.domain.errors import (
    TaskFieldValueInvalid,
    TaskNotFound,
    TaskReadonly,
    TaskReviewOrderInvalid,
    TaskStateInvalid,
)
from reservations.domain.fieldcontract import (
    CardState,
    Confirmed,
    check_confirmation,
    check_draft,
    check_resolution,
    given_keys,
    read_confirmation,
    read_draft,
    read_resolution,
)
from reservations.domain.jsonvalues import as_object
from reservations.domain.orderkeys import OrderKind
from reservations.domain.states import CardStatus, ReviewStatus, check_confirm, check_resolve
from reservations.models import CardKind, Order, TaskCard
from reservations.selectors.fieldstate import basic_information_state, read_options_of
from reservations.selectors.ordertasks import order_candidates
from reservations.services.audited import CARD, card_state
from reservations.services.decisions import CONFIRM, RESOLVE, Kind, attempt, clash_faults, resolution
from reservations.services.orderkeys import KeysClash, settle_keys
from reservations.services.ordertaskstates import follow, move_to_order
from reservations.services.writes import Writer, check_version, record

CARD_DRAFT = "CARD_DRAFT"
DECISION_COLUMNS = (
    "card_status",
    "confirmed_payload_json",
    "decided_by",
    "decided_at",
    "draft_payload_json",
    "draft_by",
    "draft_at",
    "review_status",
    "review_resolution",
    "warnings",
    "version",
)
ORDER_POINTER = "/confirmed_order_id"
KEYS = "order_context"


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a person decided on it. new_order: of several orders with the booking code it is none (R-60)."""

    confirmed: Confirmed
    kind: Kind
    reason: str
    order: Order | None = None
    new_order: bool = False


def draft_basic_information(*, writer: Writer, card_id: UUID, body: JsonValue) -> TaskCard:
    """Replace its draft (R-36).

    raises  TaskNotFound, PreconditionFailed, TaskReadonly, TaskStateInvalid, FieldInvalid (400),
            TaskFieldPathInvalid, TaskFieldValueInvalid
    """
    return retried(lambda: _draft(writer, card_id, body))


def confirm_basic_information(*, writer: Writer, card_id: UUID, body: JsonValue) -> TaskCard:
    """Confirm it; the other cards of its order task can be decided then.

    raises  as `services.confirmation.confirm_task`
    """
    return attempt(writer=writer, key=card_id, kind=CONFIRM, work=lambda: _confirm(writer, card_id, body), of=TaskCard)


def resolve_basic_information(*, writer: Writer, card_id: UUID, body: JsonValue) -> TaskCard:
    """Say which of the orders with its booking code it is, or null for one of its own (R-60).

    raises  as `services.review.resolve_review`
    """
    return attempt(writer=writer, key=card_id, kind=RESOLVE, work=lambda: _resolve(writer, card_id, body), of=TaskCard)


@transaction.atomic
def _draft(writer: Writer, card_id: UUID, body: JsonValue) -> TaskCard:
    at, card = timezone.now(), _lock(writer, card_id)
    if card.status is CardStatus.CONFIRMED:
        raise TaskStateInvalid
    values = check_draft(_state(card), read_draft(body), matrix=matrix(), catalog=catalog())
    before = card_state(card)
    card.draft_payload_json, card.draft_by, card.draft_at = values, writer.user, at
    card.version += 1
    card.save(update_fields=["draft_payload_json", "draft_by", "draft_at", "version"])
    record(writer, card.hotel_id, [_change(card, CARD_DRAFT, before)], at)
    return card


@transaction.atomic
def _confirm(writer: Writer, card_id: UUID, body: JsonValue) -> TaskCard:
    at, card = timezone.now(), _lock(writer, card_id)
    check_confirm(card.status, card.review_status)
    request = read_confirmation(body)
    state = _state(card)
    confirmed = check_confirmation(state, request.values, matrix=matrix(), catalog=catalog())
    try:
        return _decide(card, card_state(card), writer, Verdict(confirmed, CONFIRM, request.reason), at)
    except KeysClash as clash:
        raise TaskFieldValueInvalid(errors=clash_faults(clash.clashes, confirmed, root=KEYS)) from clash


@transaction.atomic
def _resolve(writer: Writer, card_id: UUID, body: JsonValue) -> TaskCard:
    at, card = timezone.now(), _lock(writer, card_id)
    check_resolve(card.status, card.review_status)
    request = read_resolution(body)
    state = _state(card)
    resolved = check_resolution(state, request.overrides, matrix=matrix(), catalog=catalog())
    order = _named_order(card, resolved.confirmed, body)
    before = card_state(card)
    card.review_status = ReviewStatus.RESOLVED
    card.review_resolution = resolution(resolved, order, request.reason, writer, at)
    verdict = Verdict(resolved.confirmed, RESOLVE, request.reason, order, new_order=order is None)
    try:
        return _decide(card, before, writer, verdict, at)
    except KeysClash as clash:
        raise TaskReviewOrderInvalid(errors=clash_faults(clash.clashes, resolved.confirmed, root=KEYS)) from clash


def _lock(writer: Writer, card_id: UUID) -> TaskCard:
    """Only Basic Information is written here: a business card is its task, the mail is read."""
    rows = TaskCard.objects.filter(hotel_id__in=writer.hotel_ids, pk=card_id)
    card = lock_row(rows, "order_task__order", "hotel")
    if card is None or card.kind == CardKind.BUSINESS:
        raise TaskNotFound
    check_version(card, writer)
    if card.kind != CardKind.BASIC_INFORMATION:
        raise TaskReadonly
    return card


def _state(card: TaskCard) -> CardState:
    options = read_options_of(hotel_id=card.hotel_id, cards=[matrix().basic_information], files=())
    return basic_information_state(card, card.order_task, options)


def _decide(card: TaskCard, before: JsonValue, writer: Writer, verdict: Verdict, at: datetime) -> TaskCard:
    """Make it CONFIRMED; its order task, and the tasks of that, follow to the order that was named."""
    order_task = card.order_task
    moves: list[Change] = []
    if verdict.order is not None:
        moves = move_to_order(order_task=order_task, order=verdict.order)
        order_task.order = verdict.order
    settled = settle_keys(
        order=order_task.order,
        keys=given_keys(verdict.confirmed),
        kind_of=lambda keys: OrderKind(order_task.order_type),
        new_order=verdict.new_order,
    )
    card.warnings = [*card.warnings, *settled.warnings]
    card.decide(verdict.kind.action, payload=verdict.confirmed.payload(), by=writer.user, at=at)
    card.version += 1
    card.save(update_fields=DECISION_COLUMNS)
    changes = [_change(card, verdict.kind.name, before, verdict.reason), *([settled.change] if settled.change else [])]
    record(writer, card.hotel_id, [*changes, *moves, *follow(order_task.pk)], at)
    return card


def _named_order(card: TaskCard, confirmed: Confirmed, body: JsonValue) -> Order | None:
    """The candidate the request names; None where it says null: a new order (R-60).

    raises  TaskReviewOrderInvalid
    """
    members = as_object(body) or {}
    named = members.get("confirmed_order_id")
    if named is None and "confirmed_order_id" in members:
        return None
    candidates = order_candidates(hotel_id=card.hotel_id, booking_code=given_keys(confirmed).booking_code)
    order = next((row for row in candidates.select_for_update() if str(row.pk) == named), None)  # it stays active
    if order is None:
        detail = "Name one of the order candidates, or null for a new order."
        raise TaskReviewOrderInvalid(errors=[Fault(ORDER_POINTER, TaskReviewOrderInvalid.code, detail)])
    return order


def _change(card: TaskCard, action: str, before: JsonValue, reason: str = "") -> Change:
    return Change(action, CARD, str(card.pk), before, card_state(card), reason)
