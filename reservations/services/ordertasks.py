"""V4: order tasks and their cards as a package adds them (R-56, R-58, R-60). New rows are saved with the package's others.

Every order context with a new card gets an order task, or the one that an earlier package of the mail made for its
reference; what that reference said first stays.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from config.audit.services import Change
from config.jsontext import JsonValue
from reservations.domain.contract import Card, OrderContext
from reservations.domain.orderkeys import OrderKeys, OrderKind
from reservations.domain.states import CardStatus, ReviewStatus, TaskStatus, order_task_status
from reservations.models import (
    CardKind,
    CardStatusChoice,
    Order,
    OrderTask,
    OrderTaskStatusChoice,
    Task,
    TaskCard,
)
from reservations.models.ids import new_id
from reservations.services.audited import CARD, ORDER_TASK, card_state, order_task_state
from reservations.services.orders import BOOKING_CODE_AMBIGUOUS, Attached, attach_cards
from reservations.services.verdicts import Source


@dataclass(frozen=True, slots=True)
class ContextPlace:
    """An order context as one that looks for its order (`services.orders.Belonging`)."""

    context: OrderContext

    @property
    def array_index(self) -> int:
        return self.context.order_context_index

    @property
    def source_event_index(self) -> int:
        return 0

    @property
    def applies_to(self) -> tuple[int, ...]:
        return ()

    @property
    def order_keys(self) -> OrderKeys:
        return self.context.keys

    @property
    def keys_conflict(self) -> bool:
        return self.context.keys_conflict

    @property
    def order_kind(self) -> OrderKind:
        return self.context.order_type

    @property
    def display_name(self) -> str:
        return self.context.display_name


@dataclass(frozen=True, slots=True)
class Place:
    """Where the cards of one order reference go."""

    order_task: OrderTask
    warnings: tuple[JsonValue, ...] = ()

    @property
    def attached(self) -> Attached:
        return Attached(self.order_task.order_id, self.warnings)


@dataclass(slots=True)
class OrderTaskRows:
    """What a package adds. `reopened` were done and have a new card now; `moves`: the lines of that."""

    places: Mapping[str, Place]
    orders: Sequence[Order]
    new: list[OrderTask] = field(default_factory=list)
    reopened: list[OrderTask] = field(default_factory=list)
    cards: list[TaskCard] = field(default_factory=list)
    moves: list[Change] = field(default_factory=list)


def place_contexts(
    *, source: Source, cards: Iterable[Card], contexts: Sequence[OrderContext], existing: Mapping[str, OrderTask]
) -> OrderTaskRows:
    """Find or make the order and the order task of every reference that has a new card.

    existing  the order tasks of the mail by reference
    """
    wanted = {card.order_ref for card in cards}
    fresh = [context for context in contexts if context.order_ref in wanted and context.order_ref not in existing]
    attachment = attach_cards(
        hotel_id=source.message.hotel_id,
        cards=[ContextPlace(context) for context in fresh],
        accepted_orders={},
        sender_domain=source.message.sender_domain,
        at=source.at,
    )
    places = {ref: Place(row) for ref, row in existing.items() if ref in wanted}
    rows = OrderTaskRows(places, attachment.new_orders)
    for context in fresh:
        attached = attachment.cards[context.order_context_index]
        order_task = _order_task(source, context, attached)
        places[context.order_ref] = Place(order_task, attached.warnings)
        rows.new.append(order_task)
        rows.cards += _opening_cards(source, order_task, attached)
    rows.reopened += [
        place.order_task for place in places.values() if place.order_task.status == OrderTaskStatusChoice.DONE
    ]
    return rows


def business_card(source: Source, place: Place, task: Task) -> TaskCard:
    """The card by which an order task shows one of its tasks."""
    return TaskCard(
        id=new_id(),
        hotel_id=source.message.hotel_id,
        order_task=place.order_task,
        kind=CardKind.BUSINESS,
        source_event_index=task.source_event_index,
        task=task,
        created_at=source.at,
    )


def order_task_line(row: OrderTask) -> dict[str, object]:
    """One line of `order_tasks` in the summary (api.md)."""
    return {
        "order_task_id": str(row.pk),
        "order_ref": row.order_ref,
        "order_context_index": row.order_context_index,
    }


def queue_key(place: Place) -> str:
    """Cards of one order task share their place in the queue of the order (R-58)."""
    return Task.queue_key_of(place.order_task.submission_id, place.order_task.order_context_index)


def _order_task(source: Source, context: OrderContext, attached: Attached) -> OrderTask:
    review = _is_ambiguous(attached)
    return OrderTask(
        id=new_id(),
        hotel_id=source.message.hotel_id,
        order_id=attached.order_id,
        source_message=source.message,
        submission_id=source.submission_id,
        order_ref=context.order_ref,
        order_context_index=context.order_context_index,
        order_type=context.order_type,
        order_context=context.context,
        display_name=context.display_name,
        status=OrderTaskStatusChoice.PENDING_REVIEW if review else OrderTaskStatusChoice.PENDING_CONFIRM,
        received_at=source.message.received_at,
        created_at=source.at,
    )


def _opening_cards(source: Source, order_task: OrderTask, attached: Attached) -> list[TaskCard]:
    """The mail, and the Basic Information: in review where several orders have the booking code (R-60)."""
    review = _is_ambiguous(attached)
    shared = {"hotel_id": source.message.hotel_id, "order_task": order_task, "created_at": source.at}
    return [
        TaskCard(id=new_id(), kind=CardKind.SOURCE_MESSAGE, **shared),
        TaskCard(
            id=new_id(),
            kind=CardKind.BASIC_INFORMATION,
            card_status=CardStatusChoice.PENDING_REVIEW if review else CardStatusChoice.PENDING_CONFIRM,
            review_status=ReviewStatus.PENDING if review else None,
            warnings=list(attached.warnings),
            **shared,
        ),
    ]


def _is_ambiguous(attached: Attached) -> bool:
    codes = (warning.get("code") for warning in attached.warnings if isinstance(warning, dict))
    return BOOKING_CODE_AMBIGUOUS in codes


def reopen(rows: Sequence[OrderTask]) -> list[Change]:
    """Order tasks that were done and have a new card: back to where their Basic Information stands (R-52, R-58).

    Two statements however many there are. Returns their lines for the audit.
    """
    if not rows:
        return []
    before = [order_task_state(row) for row in rows]
    basic = TaskCard.objects.filter(order_task__in=rows, kind=CardKind.BASIC_INFORMATION)
    stands = dict(basic.values_list("order_task_id", "card_status"))
    for row in rows:
        row.status = order_task_status(CardStatus(str(stands[row.pk])), [TaskStatus.PENDING_CONFIRM])
        row.version += 1
    OrderTask.objects.bulk_update(rows, ["status", "version"])
    return [
        Change("ORDER_TASK_REOPEN", ORDER_TASK, str(row.pk), state, order_task_state(row))
        for row, state in zip(rows, before, strict=True)
    ]


def order_task_changes(rows: OrderTaskRows) -> list[Change]:
    """Their lines in the audit. Only Basic Information has a state of its own."""
    made = [Change("ORDER_TASK_CREATE", ORDER_TASK, str(row.pk), after=order_task_state(row)) for row in rows.new]
    cards = [card for card in rows.cards if card.kind == CardKind.BASIC_INFORMATION]
    return [*made, *rows.moves, *(Change("CARD_CREATE", CARD, str(card.pk), after=card_state(card)) for card in cards)]
