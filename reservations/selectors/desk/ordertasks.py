"""One order task as its page shows it: its cards, its Basic Information, what stands in its way (R-56 to R-60)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from config.jsontext import JsonValue
from reservations.data import matrix
from reservations.domain.fieldcontract import CardState
from reservations.domain.fieldcontract.givenkeys import keys_among
from reservations.domain.states import CardStatus
from reservations.models import CardKind, Order, OrderTask, Task, TaskCard
from reservations.selectors.columns import Row
from reservations.selectors.desk.cards import decisions
from reservations.selectors.desk.mails import CARD_COLUMNS
from reservations.selectors.desk.tasks import HISTORY_SHOWN, Part, highlighted
from reservations.selectors.fieldstate import basic_information_state, read_options_of
from reservations.selectors.ordertasks import MOST_CANDIDATES, order_candidates
from reservations.selectors.queue import FINISHED, blocked_by
from reservations.selectors.tasks import list_history

_FIRST: Final = {CardKind.SOURCE_MESSAGE: 0, CardKind.BASIC_INFORMATION: 1, CardKind.BUSINESS: 2}
_SHOWN: Final = ("evidence", "warnings")
HEAVY: Final = (*(name for name in CARD_COLUMNS if name not in _SHOWN), "ai_payload_json", "relationships")


@dataclass(frozen=True, slots=True)
class Explained:
    """
    cards       in the order of R-56
    basic       the Basic Information among them
    parts       of the mail, with the quotes of all its cards
    in_the_way  the earlier card of the order that has to be finished first; None where nothing blocks it (R-58)
    """

    cards: Sequence[TaskCard]
    basic: TaskCard | None
    parts: Sequence[Part]
    in_the_way: Task | None
    history: Sequence[Row]


def explained(order_task: OrderTask) -> Explained:
    """Four statements, one more where it is blocked. It comes with its hotel and mail joined."""
    rows = _cards(order_task)
    tasks = [card.task for card in rows if card.task is not None]
    basic = next((card for card in rows if card.kind == CardKind.BASIC_INFORMATION), None)
    evidence = [mark for task in tasks for mark in (task.evidence or [])]
    return Explained(
        cards=rows,
        basic=basic,
        parts=highlighted(order_task.source_message, evidence),
        in_the_way=_in_the_way(tasks),
        history=_history(order_task, basic),
    )


def basic_information_of(order_task: OrderTask) -> TaskCard | None:
    card = TaskCard.objects.filter(order_task=order_task, kind=CardKind.BASIC_INFORMATION).first()
    if card is not None:
        card.order_task, card.hotel = order_task, order_task.hotel
    return card


def state_of(basic: TaskCard) -> CardState:
    """Its fields, with the options of its hotel: one statement."""
    options = read_options_of(hotel_id=basic.hotel_id, cards=[matrix().basic_information], files=())
    return basic_information_state(basic, basic.order_task, options)


def possible_actions(basic: TaskCard) -> frozenset[str]:
    """What its state allows, whatever the person's role does. Nobody holds it: it has no claim."""
    found = decisions(basic.status, basic.review_status)
    return frozenset(found if basic.status is CardStatus.CONFIRMED else found | {"draft"})


def orders_to_choose(basic: TaskCard, values: Mapping[str, JsonValue]) -> list[Order]:
    """The orders that carry the booking code among these values (R-60)."""
    code = keys_among(values).booking_code
    return list(order_candidates(hotel_id=basic.hotel_id, booking_code=code)[:MOST_CANDIDATES])


def _cards(order_task: OrderTask) -> list[TaskCard]:
    rows = TaskCard.objects.filter(order_task=order_task).select_related("task", "draft_by", "decided_by")
    found = list(rows.defer(*(f"task__{column}" for column in HEAVY)))
    for card in found:
        card.order_task, card.hotel = order_task, order_task.hotel
    return sorted(found, key=lambda card: (_FIRST[CardKind(card.kind)], card.source_event_index))


def _in_the_way(tasks: Sequence[Task]) -> Task | None:
    """The cards of one order task share a place in the queue: the first unfinished one speaks for all."""
    waiting = next((task for task in tasks if task.task_status not in FINISHED), None)
    key = blocked_by(waiting) if waiting is not None else None
    if key is None:
        return None
    return Task.objects.select_related("order_task").defer(*HEAVY, *_SHOWN, "order_task__order_context").get(pk=key)


def _history(order_task: OrderTask, basic: TaskCard | None) -> list[Row]:
    rows = list_history(object_type="order_task", object_id=str(order_task.pk))
    if basic is not None:
        rows += list_history(object_type="card", object_id=str(basic.pk))
    return sorted(rows, key=lambda row: row["at"])[-HISTORY_SHOWN:]
