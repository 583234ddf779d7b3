"""Which two calls of a subtype a card leads to (R-47)."""

from __future__ import annotations

from typing import Final

from reservations.domain.catalog import Operation, Subtype
from reservations.domain.conditions import Condition
from reservations.domain.jsonvalues import JsonValue
from reservations.domain.orderkeys import OrderKind
from reservations.opera.card import Card

SCOPE: Final = "extracted_fields.booking_scope"
INDIVIDUAL: Final = "individual"
GROUP: Final = "group"


def pick_operations(subtype: Subtype, card: Card) -> tuple[Operation, Operation]:
    """The two calls, in the order in which they are sent.

    A card that does not say whether an individual or a group booking is meant goes by the kind of its order.

    raises  ValueError: the catalogue leads to another number of calls
    """
    picked = tuple(row for row in subtype.operations if row.when is None or row.when.holds(_asked(row.when, card)))
    if len(picked) != 2:
        raise ValueError(f"{subtype.task_type} / {subtype.task_subtype} leads to {len(picked)} calls instead of two")
    return picked


def _asked(when: Condition, card: Card) -> JsonValue:
    value = card.value(when.field)
    if when.field != SCOPE or value in (INDIVIDUAL, GROUP):
        return value
    return INDIVIDUAL if card.order.kind == OrderKind.FIT else GROUP
