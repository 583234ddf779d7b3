"""V4 order tasks: the list, and one with its cards, each with the fields it serves."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.db.models import BooleanField, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from reservations.data import catalog, matrix
from reservations.domain.fieldcontract import CardState, FieldSet, Options, read_fields
from reservations.domain.jsonvalues import as_object
from reservations.domain.orderkeys import OrderKeys, OrderKind, table_keys
from reservations.domain.states import ReviewStatus
from reservations.models import CardKind, Order, OrderStatus, OrderTask, Task, TaskCard
from reservations.selectors.columns import MAIL_REFERENCE, Row, rows_of
from reservations.selectors.fieldstate import (
    STATE_COLUMNS,
    basic_information_state,
    card_state,
    cards_of,
    context_values,
    read_options_of,
)
from reservations.selectors.inbox import list_attachments
from reservations.selectors.queue import FINISHED, is_blocked
from reservations.selectors.routes import shown_pair

FIELD_CONTRACT: Final = "20260718-v4"
MOST_CANDIDATES: Final = 50
ORDER_TASK_ROW = (
    "id",
    "hotel__code",
    "order_id",
    "order__order_number",
    "order__hidden",
    *MAIL_REFERENCE,
    "submission_id",
    "order_ref",
    "order_context_index",
    "order_type",
    "display_name",
    "status",
    "blocked",
    "version",
    "received_at",
    "created_at",
)
CANDIDATE_ROW = (
    "id",
    "order_number",
    "kind",
    "display_name",
    "booking_code",
    "confirmation_number",
    "group_code",
    "created_at",
)
_SHOWN_FIRST = {CardKind.SOURCE_MESSAGE: 0, CardKind.BASIC_INFORMATION: 1, CardKind.BUSINESS: 2}


@dataclass(frozen=True, slots=True)
class ShownCard:
    """One card with its fields; those of the mail itself have none.

    candidates  the orders a person may choose from, of a Basic Information in review (R-60)
    """

    card: TaskCard
    fields: FieldSet | None
    candidates: Sequence[Row] = ()


@dataclass(frozen=True, slots=True)
class OrderTaskDetail:
    """One order task with its cards in the order of R-56. `catalog_code` and `skill_id` are those of its tasks."""

    row: Row
    order_task: OrderTask
    cards: list[ShownCard]


def list_order_tasks(*, hotel_ids: Collection[int]) -> QuerySet[OrderTask, Row]:
    """Order tasks without their cards."""
    of_hotels = OrderTask.objects.filter(hotel_id__in=hotel_ids)
    return rows_of(of_hotels.annotate(blocked=order_task_blocked()), *ORDER_TASK_ROW)


def order_task_blocked() -> Coalesce:
    """For a queryset of order tasks: an earlier order task or card of its order is not finished (R-58).

    A subquery for one value is asked of each row that is shown; PostgreSQL would answer an EXISTS for all rows first.
    """
    own = Task.objects.filter(card__order_task=OuterRef("pk")).exclude(task_status__in=FINISHED)
    waiting = own.filter(is_blocked()).order_by().annotate(waits=Value(True)).values("waits")[:1]
    return Coalesce(Subquery(waiting), Value(False), output_field=BooleanField())


def find_order_task(*, hotel_ids: Collection[int], order_task_id: UUID) -> OrderTaskDetail | None:
    """Five statements, however many cards there are; one more for the candidates of a review."""
    row = list_order_tasks(hotel_ids=hotel_ids).filter(id=order_task_id).first()
    if row is None:
        return None
    order_task = OrderTask.objects.get(pk=order_task_id)
    cards = list(
        TaskCard.objects.filter(order_task_id=order_task_id).select_related(
            "draft_by", "decided_by", "task__submission", "task__draft_by", "task__decided_by", "task__claimed_by"
        )
    )
    cards.sort(key=lambda card: (_SHOWN_FIRST[CardKind(card.kind)], card.source_event_index))
    options = _options(order_task, cards)
    return OrderTaskDetail(row, order_task, [_shown(card, order_task, options) for card in cards])


def find_card(*, hotel_ids: Collection[int], order_task_id: UUID, card_id: UUID) -> TaskCard | None:
    """A card of this order task."""
    return TaskCard.objects.filter(hotel_id__in=hotel_ids, order_task_id=order_task_id, pk=card_id).first()


def order_candidates(*, hotel_id: int, booking_code: str | None) -> QuerySet[Order]:
    """The active individual orders of the hotel with this booking code: what a review chooses from (R-60)."""
    if not booking_code:
        return Order.objects.none()
    key = table_keys(OrderKeys(booking_code=booking_code)).booking
    found = Order.objects.filter(hotel_id=hotel_id, booking_key=key, kind=OrderKind.FIT, hidden=False)
    return found.filter(status=OrderStatus.ACTIVE).order_by("created_at", "id")


def _options(order_task: OrderTask, cards: Iterable[TaskCard]) -> Options:
    files = [
        (row["external_id"], row["file_name"]) for row in list_attachments(message_id=order_task.source_message_id)
    ]
    pairs = {
        shown_pair(task_type=card.task.ai_task_type, task_subtype=card.task.ai_task_subtype)
        for card in cards
        if card.task
    }
    asked = [matrix().basic_information, *(found for pair in sorted(pairs) for found in cards_of(pair))]
    return read_options_of(hotel_id=order_task.hotel_id, cards=asked, files=files)


def _shown(card: TaskCard, order_task: OrderTask, options: Options) -> ShownCard:
    state = _state(card, order_task, options)
    if state is None:
        return ShownCard(card, None)
    fields = read_fields(state, matrix=matrix(), catalog=catalog())
    asks = card.kind == CardKind.BASIC_INFORMATION and card.review_status == ReviewStatus.PENDING
    return ShownCard(card, fields, _candidates(order_task) if asks else ())


def _state(card: TaskCard, order_task: OrderTask, options: Options) -> CardState | None:
    if card.kind == CardKind.BASIC_INFORMATION:
        return basic_information_state(card, order_task, options)
    task = card.task
    if task is None:
        return None
    return card_state(
        columns={name: getattr(task, name) for name in STATE_COLUMNS},
        generation=task.submission.generation,
        options=options,
        order_type=order_task.order_type,
    )


def _candidates(order_task: OrderTask) -> list[Row]:
    code = (as_object(context_values(order_task)) or {}).get("booking_code")
    found = order_candidates(hotel_id=order_task.hotel_id, booking_code=code.strip() if isinstance(code, str) else None)
    return list(rows_of(found, *CANDIDATE_ROW)[:MOST_CANDIDATES])
