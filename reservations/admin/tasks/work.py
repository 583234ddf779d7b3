"""What the card page shows of the work on a task: its form, its operations, who holds it, what may be done."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

from config.backoffice.base import Access
from config.jsontext import JsonValue
from reservations.admin.tasks.acts import ACTS
from reservations.admin.tasks.filling import Attempt, Form, fill
from reservations.domain.fieldcontract import CardState
from reservations.models import Order, Task
from reservations.selectors.desk import cards


class Person(NamedTuple):
    """Who looks at the page, and when."""

    user_id: int
    access: Access
    at: datetime


@dataclass(slots=True, kw_only=True)
class Work(Form):
    """The form of a task, who holds it, its operations, and the card that has to be finished first."""

    varies: ClassVar[bool] = True

    task: Task
    held: bool
    mine: bool
    operations: Sequence[Any] = ()
    in_the_way: Task | None = None


def work_on(task: Task, person: Person, addresses: Mapping[str, str], attempt: Attempt | None = None) -> Work:
    """All of it. Statements: one for the fields, two where they name files; and for operations, orders, the queue."""
    state = cards.state_of(task)
    work = Work(
        attempt=attempt,
        may=_offered(task, person, attempt, state),
        addresses=addresses,
        task=task,
        held=cards.is_held(task, person.at),
        mine=task.claimed_by_id == person.user_id,
    )
    if state is not None:
        values = fill(work, state)
        if "resolve" in work.may:
            work.orders = _orders(work, values)
    work.operations = cards.operations_of(task)
    work.in_the_way = cards.in_the_way(task)
    return work


def _offered(task: Task, person: Person, attempt: Attempt | None, state: CardState | None) -> frozenset[str]:
    """What state, holder and role allow. Whoever was refused may try the same again, with what was typed."""
    possible = set(cards.possible_actions(task, person.user_id, person.at))
    if attempt is not None and state is not None and state.open:
        possible |= {"draft"} | ({attempt.act.name} if attempt.act.uses_fields else set())
    return frozenset(name for name in possible if person.access.allows(ACTS[name].permission))


def _orders(work: Work, values: Mapping[str, JsonValue]) -> list[tuple[Order, bool]]:
    offered = cards.orders_to_choose(work.task, values)
    wanted = work.typed_into("confirmed_order_id")
    chosen = wanted if wanted in {str(order.pk) for order in offered} else str(work.task.order_id)
    return [(order, str(order.pk) == chosen) for order in offered]
