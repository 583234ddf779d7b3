"""The form of the Basic Information of an order task."""

from __future__ import annotations

from collections.abc import Mapping

from config.backoffice.base import Access
from config.jsontext import JsonValue
from reservations.admin.ordertasks.acts import ACTS, NEW_ORDER
from reservations.admin.tasks.filling import Attempt, Form, fill
from reservations.models import Order, TaskCard
from reservations.selectors.desk import ordertasks


def work_on(basic: TaskCard, access: Access, addresses: Mapping[str, str], attempt: Attempt | None = None) -> Form:
    """Its fields as controls; in review the orders to pick from, none picked beforehand (R-60).

    Statements: one, two in review.
    """
    state = ordertasks.state_of(basic)
    possible = ordertasks.possible_actions(basic)
    if attempt is not None and state.open:  # whoever was refused may try the same again
        possible |= {attempt.act.name}
    may = frozenset(name for name in possible if access.allows(ACTS[name].permission))
    work = Form(attempt=attempt, may=may, addresses=addresses)
    values = fill(work, state)
    if "resolve" in may:
        work.picks_order, work.orders = True, _orders(work, basic, values)
        work.new_order = work.typed_into("confirmed_order_id") == NEW_ORDER
    return work


def _orders(work: Form, basic: TaskCard, values: Mapping[str, JsonValue]) -> list[tuple[Order, bool]]:
    wanted = work.typed_into("confirmed_order_id")
    return [(order, str(order.pk) == wanted) for order in ordertasks.orders_to_choose(basic, values)]
