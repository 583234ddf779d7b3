"""What a decision means for the order of its card: the keys it is given (R-28), and the order a review names (R-39)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet

from config.audit.services import Change
from config.jsontext import JsonValue
from reservations.domain.errors import OrdersContended
from reservations.domain.orderkeys import OrderKeys, OrderKind, fold, table_keys
from reservations.models import Order, OrderStatus, Task
from reservations.services.audited import ORDER, order_state

ORDER_KEY_DIFFERS = "ORDER_KEY_DIFFERS"
ORDER_KEYS_GIVEN = "ORDER_KEYS_GIVEN"
MAX_ROUNDS = 3
KEY_COLUMNS = (
    "kind",
    "group_code",
    "confirmation_number",
    "booking_code",
    "group_key",
    "confirmation_key",
    "booking_key",
)


@dataclass(frozen=True, slots=True)
class Clash:
    """Another active order has this key already."""

    key: str
    order_number: str
    order_id: UUID


class KeysClash(Exception):
    """Keys of the card belong to other active orders; nothing was changed."""

    def __init__(self, clashes: Sequence[Clash]) -> None:
        super().__init__()
        self.clashes = tuple(clashes)


@dataclass(frozen=True, slots=True)
class Settled:
    """What became of it: the order as it is now, warnings for the card, the change of the order for the audit."""

    order: Order
    warnings: tuple[JsonValue, ...] = ()
    change: Change | None = None


def settle_keys(
    *, order: Order, keys: OrderKeys, kind_of: Callable[[OrderKeys], OrderKind], new_order: bool = False
) -> Settled:
    """Give the keys of a decided card to its order while that is TEMPORARY; else compare them.

    kind_of    the kind of the order once it has these keys (R-25)
    new_order  a person said that it is one of its own: then a booking code counts although others carry it (R-60)
    raises     KeysClash, OrdersContended
    """
    if order.kind != OrderKind.TEMPORARY:
        return Settled(order, _differences(order, keys))
    order = Order.objects.select_for_update().get(pk=order.pk)
    if order.kind != OrderKind.TEMPORARY:  # another card of it was decided a moment ago
        return Settled(order, _differences(order, keys))
    before = order_state(order)
    for _ in range(MAX_ROUNDS):
        free = _free_keys(order, keys)
        given = keys if new_order else free
        if given.empty:
            return Settled(order)
        if _give(order, given, kind_of(given)):
            change = Change(ORDER_KEYS_GIVEN, ORDER, str(order.pk), before, order_state(order))
            return Settled(order, change=change)
    raise OrdersContended


def check_keys(*, order: Order, keys: OrderKeys) -> None:
    """May the order be given these keys? One that is not TEMPORARY is given none.

    raises  KeysClash
    """
    if order.kind == OrderKind.TEMPORARY:
        _free_keys(order, keys)


def chosen_order(*, task: Task, confirmed_order_id: JsonValue, overridden: OrderKeys) -> Order | None:
    """The order a review confirms: the card's own, or, while that is TEMPORARY, an active one its overrides name (R-39).

    returns  None where the id is no such order's; another order is locked, so that it stays active
    """
    if confirmed_order_id == str(task.order_id):
        return task.order
    order_id = _uuid(confirmed_order_id)
    if order_id is None or task.order.kind != OrderKind.TEMPORARY or overridden.empty:
        return None
    return _carriers(task.hotel_id, overridden).select_for_update().filter(pk=order_id).first()


def _free_keys(order: Order, keys: OrderKeys) -> OrderKeys:
    """The keys this order may be given. A booking code that several orders carry says nothing (R-28).

    raises  KeysClash
    """
    if keys.empty:
        return keys
    wanted = table_keys(keys)
    others = list(_carriers(order.hotel_id, keys).exclude(pk=order.pk).order_by("id"))
    clashes = [
        Clash(name, other.order_number, other.pk)
        for name, key, column in (
            ("group_code", wanted.group, "group_key"),
            ("confirmation_number", wanted.confirmation, "confirmation_key"),
        )
        for other in others
        if key is not None and getattr(other, column) == key
    ]
    if clashes:
        raise KeysClash(clashes)
    booked = [other for other in others if other.booking_key == wanted.booking]
    shared = wanted.booking is not None and len(booked) > 1
    return OrderKeys(keys.group_code, keys.confirmation_number, None if shared else keys.booking_code)


def _give(order: Order, keys: OrderKeys, kind: OrderKind) -> bool:
    """False: another order took a key since it was looked for. Who it is has to be looked for again."""
    folded = table_keys(keys)
    order.kind = kind
    order.group_code, order.group_key = keys.group_code, folded.group
    order.confirmation_number, order.confirmation_key = keys.confirmation_number, folded.confirmation
    order.booking_code, order.booking_key = keys.booking_code, folded.booking
    try:
        with transaction.atomic():
            order.save(update_fields=KEY_COLUMNS)
    except IntegrityError:
        return False
    return True


def _differences(order: Order, keys: OrderKeys) -> tuple[JsonValue, ...]:
    """R-28: keys an order has are never changed by a card; one that differs is a warning."""
    names = ("group_code", "confirmation_number", "booking_code")
    return tuple(
        {
            "code": ORDER_KEY_DIFFERS,
            "detail": f"The card says {name} {given}; order {order.order_number} keeps {kept}.",
        }
        for name, given in zip(names, keys.given(), strict=True)
        if given is not None and (kept := getattr(order, name)) is not None and fold(kept) != fold(given)
    )


def _carriers(hotel_id: int, keys: OrderKeys) -> QuerySet[Order]:
    """Active orders that carry one of these keys; a booking code counts on individual bookings (R-25)."""
    wanted, named = table_keys(keys), Q(pk=None)
    if wanted.group is not None:
        named |= Q(group_key=wanted.group)
    if wanted.confirmation is not None:
        named |= Q(confirmation_key=wanted.confirmation)
    if wanted.booking is not None:
        named |= Q(booking_key=wanted.booking, kind=OrderKind.FIT)
    return Order.objects.filter(named, hotel_id=hotel_id, status=OrderStatus.ACTIVE, hidden=False)


def _uuid(value: JsonValue) -> UUID | None:
    try:
        return UUID(value) if isinstance(value, str) else None
    except ValueError:
        return None
