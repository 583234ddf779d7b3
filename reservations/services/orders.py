"""Which order each card belongs to (R-25, R-26).

`attach_cards` reads the orders of all keys at once, places every card, inserts the new orders in key order ignoring
conflicts, reads them again, and places the cards once more where another package was quicker. The number of statements
does not depend on the number of cards.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db.models import Q

from config.inserts import insert
from config.jsontext import JsonValue
from reservations.domain.errors import OrdersContended
from reservations.domain.orderkeys import Keys, OrderKeys, OrderKind, table_keys
from reservations.models import Order, OrderStatus, Task
from reservations.models.ids import new_id

MAX_CANDIDATES_NAMED = 20
MAX_ROUNDS = 3
_CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"

KEYS_DISAGREE = "ORDER_KEYS_DISAGREE"
BOOKING_CODE_AMBIGUOUS = "BOOKING_CODE_AMBIGUOUS"
PARENT_KEYS_CONFLICT = "PARENT_KEYS_CONFLICT"
SENDER_DOMAIN_UNSEEN = "SENDER_DOMAIN_UNSEEN"


class Belonging(Protocol):
    """What has to find its order: a card, or the order context of a V4 package.

    array_index  its place among the others; source_event_index, applies_to: how cards without a key follow others
    """

    @property
    def array_index(self) -> int: ...

    @property
    def source_event_index(self) -> int: ...

    @property
    def applies_to(self) -> tuple[int, ...]: ...

    @property
    def order_keys(self) -> OrderKeys: ...

    @property
    def keys_conflict(self) -> bool: ...

    @property
    def order_kind(self) -> OrderKind: ...

    @property
    def display_name(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Attached:
    """Where one card belongs. `warnings` are shown on the card: {code, detail}."""

    order_id: UUID
    warnings: tuple[JsonValue, ...] = ()


@dataclass(frozen=True, slots=True)
class Attachment:
    """All cards by array index, and the orders that were made for them."""

    cards: Mapping[int, Attached]
    new_orders: tuple[Order, ...]


@dataclass(slots=True)
class OrderIndex:
    """Active orders by their keys. What this package placed counts as found: events with one key share one order.

    bookings         FIT orders by booking code
    shared_bookings  where this package put the first card with a booking code: counts where no FIT order has the code
    undecided        the TEMPORARY order of this package's cards with a booking code that several FIT orders have
    """

    confirmations: dict[str, Order] = field(default_factory=dict)
    groups: dict[str, Order] = field(default_factory=dict)
    bookings: dict[str, dict[UUID, Order]] = field(default_factory=dict)
    shared_bookings: dict[str, Order] = field(default_factory=dict)
    undecided: dict[str, Order] = field(default_factory=dict)

    def add(self, order: Order) -> None:
        self.learn(order, Keys(order.confirmation_key, order.group_key, None))
        if order.booking_key is not None and order.kind == OrderKind.FIT:
            self.bookings.setdefault(order.booking_key, {})[order.id] = order

    def learn(self, order: Order, keys: Keys) -> None:
        """Later cards with these keys go to this order, unless another one carries them."""
        if keys.confirmation is not None:
            self.confirmations.setdefault(keys.confirmation, order)
        if keys.group is not None:
            self.groups.setdefault(keys.group, order)
        if keys.booking is not None:
            self.shared_bookings.setdefault(keys.booking, order)

    def booked(self, keys: Keys) -> list[Order]:
        return list(self.bookings.get(keys.booking, {}).values()) if keys.booking is not None else []


@dataclass(slots=True)
class Placing:
    """The work of one round: cards placed so far, and orders that have to be made."""

    index: OrderIndex
    make: Callable[[Belonging, OrderKind, Keys], Order]
    placed: dict[int, Order] = field(default_factory=dict)
    warnings: dict[int, list[JsonValue]] = field(default_factory=dict)
    made: list[Order] = field(default_factory=list)

    def place(self, card: Belonging) -> None:
        if card.keys_conflict:
            self._warn(
                card, PARENT_KEYS_CONFLICT, "Group code and block code differ. Give the right one in the review."
            )
            self.temporary(card)
            return
        keys = table_keys(card.order_keys)
        order = self._by_unique_key(card, keys) or self._by_booking_code(card, keys)
        order = order or self._new(card, card.order_kind, keys)
        self.index.learn(order, keys)
        self.placed[card.array_index] = order

    def temporary(self, card: Belonging) -> None:
        self.placed[card.array_index] = self._new(card, OrderKind.TEMPORARY, Keys(None, None, None))

    def _by_unique_key(self, card: Belonging, keys: Keys) -> Order | None:
        confirmed = self.index.confirmations.get(keys.confirmation) if keys.confirmation is not None else None
        grouped = self.index.groups.get(keys.group) if keys.group is not None else None
        found = confirmed or grouped
        if found is not None:
            booked = {order.id: order for order in self.index.booked(keys)}
            others = [] if found.id in booked else list(booked.values())
            self._warn_of_others(card, found, [*others, *([grouped] if grouped not in (None, found) else [])])
        return found

    def _warn_of_others(self, card: Belonging, found: Order, others: Sequence[Order]) -> None:
        if others:
            detail = f"The card is on order {found.order_number}; another key of it belongs to {_named(others)}."
            self._warn(card, KEYS_DISAGREE, detail)

    def _by_booking_code(self, card: Belonging, keys: Keys) -> Order | None:
        """The only order with the code; of several none, but one TEMPORARY order for all cards with the code."""
        if keys.booking is None:
            return None
        candidates = self.index.booked(keys)
        if len(candidates) <= 1:
            return candidates[0] if candidates else self.index.shared_bookings.get(keys.booking)
        self._warn(card, BOOKING_CODE_AMBIGUOUS, f"Several orders have this booking code: {_named(candidates)}.")
        if keys.booking not in self.index.undecided:
            self.index.undecided[keys.booking] = self._new(card, OrderKind.TEMPORARY, Keys(None, None, None))
        return self.index.undecided[keys.booking]

    def _warn(self, card: Belonging, code: str, detail: str) -> None:
        self.warnings.setdefault(card.array_index, []).append({"code": code, "detail": detail})

    def _new(self, card: Belonging, kind: OrderKind, keys: Keys) -> Order:
        order = self.make(card, kind, keys)
        self.made.append(order)
        self.index.add(order)
        return order


def attach_cards(
    *,
    hotel_id: int,
    cards: Sequence[Belonging],
    accepted_orders: Mapping[int, UUID],
    sender_domain: str,
    at: datetime,
) -> Attachment:
    """Find or make the order of every card, and insert the new ones.

    accepted_orders  source_event_index -> order of events of this mail that were accepted before (R-52)
    """
    found = _active_orders(hotel_id, [table_keys(card.order_keys) for card in cards if not card.keys_conflict])
    kept: list[Order] = []
    for _ in range(MAX_ROUNDS):
        placing = _place_all(hotel_id, cards, [*found, *kept], accepted_orders, at)
        keyed = [order for order in placing.made if order.kind != OrderKind.TEMPORARY]
        others = [order for order in placing.made if order.kind == OrderKind.TEMPORARY]
        if not keyed:
            break
        present = _insert_keyed(hotel_id, keyed)
        lost = {order.id for order in keyed} - {order.id for order in present}
        kept += [order for order in keyed if order.id not in lost]
        if not lost:
            break
        found += [order for order in present if order.id not in {own.id for own in kept}]
    else:
        raise OrdersContended
    insert(others)
    warnings = _with_sender_warnings(placing, found, sender_domain)
    attached = {place: Attached(order.id, tuple(warnings.get(place, ()))) for place, order in placing.placed.items()}
    return Attachment(attached, (*kept, *others))


def technical_order(*, hotel_id: int, display_name: str, at: datetime) -> Order:
    """The hidden order of a notice (R-10), not saved."""
    order_id = new_id()
    return Order(
        id=order_id,
        hotel_id=hotel_id,
        order_number=order_number(order_id),
        kind=OrderKind.TECHNICAL,
        display_name=display_name,
        hidden=True,
        created_at=at,
    )


def order_number(order_id: UUID) -> str:
    """A short name for people, from the random part of the id: ten characters without I, L, O, U."""
    value = order_id.int & (1 << 50) - 1
    return "".join(_CROCKFORD[value >> shift & 31] for shift in range(45, -1, -5))


def _named(orders: Iterable[Order]) -> str:
    return ", ".join(sorted(order.order_number for order in orders)[:MAX_CANDIDATES_NAMED])


def _place_all(
    hotel_id: int,
    cards: Sequence[Belonging],
    orders: Iterable[Order],
    accepted_orders: Mapping[int, UUID],
    at: datetime,
) -> Placing:
    index = OrderIndex()
    for order in orders:
        index.add(order)
    placing = Placing(index, lambda card, kind, keys: _new_order(hotel_id, card, kind, keys, at))
    keyless = [card for card in cards if card.order_keys.empty and not card.keys_conflict]
    for card in cards:
        if not card.order_keys.empty or card.keys_conflict:
            placing.place(card)
    _follow(placing, keyless, {card.source_event_index: card.array_index for card in cards}, accepted_orders)
    return placing


def _follow(
    placing: Placing, keyless: Sequence[Belonging], places: Mapping[int, int], accepted_orders: Mapping[int, UUID]
) -> None:
    """A card without a key goes where the one accepted event it applies to goes; else to an order of its own."""
    waiting = list(keyless)
    while waiting:
        left: list[Belonging] = []
        for card in waiting:
            targets = [index for index in card.applies_to if index in places or index in accepted_orders]
            target = targets[0] if len(targets) == 1 else None
            if target is not None and target in accepted_orders:
                placing.placed[card.array_index] = Order(id=accepted_orders[target])
            elif target is not None and places[target] in placing.placed:
                placing.placed[card.array_index] = placing.placed[places[target]]
            elif target is None:
                placing.temporary(card)
            else:
                left.append(card)
        if len(left) == len(waiting):  # they name each other in a circle
            for card in left:
                placing.temporary(card)
            return
        waiting = left


def _new_order(hotel_id: int, card: Belonging, kind: OrderKind, keys: Keys, at: datetime) -> Order:
    order_id = new_id()
    named = card.order_keys if kind != OrderKind.TEMPORARY else OrderKeys()
    return Order(
        id=order_id,
        hotel_id=hotel_id,
        order_number=order_number(order_id),
        kind=kind,
        display_name=card.display_name,
        group_code=named.group_code,
        confirmation_number=named.confirmation_number,
        booking_code=named.booking_code,
        group_key=keys.group,
        confirmation_key=keys.confirmation,
        booking_key=keys.booking,
        created_at=at,
    )


def _active_orders(hotel_id: int, keys: Sequence[Keys]) -> list[Order]:
    wanted = Q()
    for column, values in (
        ("confirmation_key", {key.confirmation for key in keys if key.confirmation is not None}),
        ("group_key", {key.group for key in keys if key.group is not None}),
    ):
        if values:
            wanted |= Q((f"{column}__in", sorted(values)))
    if bookings := {key.booking for key in keys if key.booking is not None}:
        wanted |= Q(booking_key__in=sorted(bookings), kind=OrderKind.FIT)
    if not wanted:
        return []
    return list(Order.objects.filter(wanted, hotel_id=hotel_id, status=OrderStatus.ACTIVE).order_by("id"))


def _insert_keyed(hotel_id: int, orders: Sequence[Order]) -> list[Order]:
    """Insert in key order, so that two packages wait for each other instead of blocking; read what is there now."""
    in_key_order = sorted(
        orders, key=lambda order: (order.confirmation_key or "", order.group_key or "", str(order.id))
    )
    if insert(in_key_order, ignore_conflicts=True) == len(orders):
        return list(orders)
    same = Q(id__in=[order.id for order in orders])
    same |= Q(confirmation_key__in=[order.confirmation_key for order in orders if order.confirmation_key is not None])
    same |= Q(group_key__in=[order.group_key for order in orders if order.group_key is not None])
    return list(Order.objects.filter(same, hotel_id=hotel_id, status=OrderStatus.ACTIVE).order_by("id"))


def _with_sender_warnings(placing: Placing, found: Sequence[Order], sender_domain: str) -> dict[int, list[JsonValue]]:
    """R-25: a sender domain that an order has not seen is a warning on the card."""
    warnings = {place: list(lines) for place, lines in placing.warnings.items()}
    existing = {order.id for order in found} & {order.id for order in placing.placed.values()}
    if not existing or not sender_domain:
        return warnings
    seen: dict[UUID, set[str]] = {}
    rows = (
        Task.objects.filter(order_id__in=existing).values_list("order_id", "source_message__sender_domain").distinct()
    )
    for order_id, domain in rows:
        seen.setdefault(order_id, set()).add(domain)
    for place, order in placing.placed.items():
        if order.id in seen and sender_domain not in seen[order.id]:
            detail = f"No earlier mail of this order came from {sender_domain}."
            warnings.setdefault(place, []).append({"code": SENDER_DOMAIN_UNSEEN, "detail": detail})
    return warnings
