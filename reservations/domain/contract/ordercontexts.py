"""The orders a V4 package speaks of, and the keys they lend to their events (R-55, R-56; contracts.md section 6)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from reservations.domain.contract.verdicts import NAME_LENGTH, OrderContext
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_object, as_text, filled_text
from reservations.domain.orderkeys import OrderKeys, OrderKind, fold, read_key
from reservations.domain.shapes import V4OrderContextShape, faults_in

KEY_DIFFERS: Final = "ORDER_CONTEXT_KEY_DIFFERS"

# block code and group code are two spellings of one key: either answers for both
_IDENTIFIERS: Final = (
    ("group_code", ("GROUP_CODE", "BLOCK_CODE")),
    ("block_code", ("GROUP_CODE", "BLOCK_CODE")),
    ("confirmation_number", ("CONFIRMATION_NUMBER",)),
    ("booking_code", ("BOOKING_CODE",)),
)


def read_contexts(body: JsonObject) -> tuple[OrderContext, ...]:
    """The order contexts in array order.

    raises  EventFault of the whole package: EVENT_SHAPE_INVALID for the first that is misshapen, then
            V4_ORDER_REF_DUPLICATE
    """
    orders: dict[str, OrderContext] = {}
    repeated: list[str] = []
    for place, context in enumerate(as_array(body.get("order_contexts")) or []):
        order = _read_context(context, place)
        if order.order_ref in orders:
            repeated.append(f"order_contexts.{place}.order_ref")
        orders[order.order_ref] = order
    if repeated:
        raise EventFault(FaultCode.V4_ORDER_REF_DUPLICATE, repeated[0])
    return tuple(orders.values())


def with_identifiers(case_keys: JsonObject, order: OrderContext | None) -> JsonObject:
    """A copy of an event's keys with those of its order context where it has none.

    A block code is a group code, so an event with either lacks neither; identifiers that conflict give no group code.
    """
    if order is None:
        return case_keys
    identifiers, given = _identifiers(order.context), dict(case_keys)
    if not order.keys_conflict and read_key(case_keys, "block_code") is None:
        _fill(given, "group_code", _group_code(identifiers))
    _fill(given, "confirmation_number", read_key(identifiers, "CONFIRMATION_NUMBER"))
    _fill(given, "booking_code", read_key(identifiers, "BOOKING_CODE"))
    return given


def key_warnings(case_keys: JsonObject, order: OrderContext | None) -> tuple[JsonObject, ...]:
    """One `{code, detail}` for each key of the event that disagrees with the identifiers of its order context."""
    return tuple(_differences(case_keys, _identifiers(order.context))) if order is not None else ()


def _read_context(context: JsonValue, place: int) -> OrderContext:
    if not isinstance(context, dict):
        raise EventFault(FaultCode.EVENT_SHAPE_INVALID, f"order_contexts.{place}")
    wrong = faults_in(V4OrderContextShape, context)
    if wrong:
        raise EventFault(FaultCode.EVENT_SHAPE_INVALID, f"order_contexts.{place}: {', '.join(wrong)}")
    order_ref, order_type = as_text(context["order_ref"]) or "", OrderKind(as_text(context["order_type"]) or "")
    identifiers = _identifiers(context)
    keys, conflict = _order_keys(identifiers, order_type)
    named = (filled_text(context.get("display_name")), *keys.given(), order_ref.strip())
    return OrderContext(
        order_ref=order_ref,
        order_context_index=place,
        order_type=order_type,
        context=context,
        keys=keys,
        keys_conflict=conflict,
        display_name=next(filter(None, named))[:NAME_LENGTH],
    )


def _order_keys(identifiers: JsonObject, order_type: OrderKind) -> tuple[OrderKeys, bool]:
    """The keys, and whether they conflict; then there are none, so that nothing can be picked."""
    group, block = read_key(identifiers, "GROUP_CODE"), read_key(identifiers, "BLOCK_CODE")
    if group is not None and block is not None and fold(group) != fold(block):
        return OrderKeys(), True
    keys = OrderKeys(
        group_code=_group_code(identifiers),
        confirmation_number=read_key(identifiers, "CONFIRMATION_NUMBER"),
        booking_code=read_key(identifiers, "BOOKING_CODE") if order_type is OrderKind.FIT else None,
    )
    return keys, False


def _differences(case_keys: JsonObject, identifiers: JsonObject) -> Iterator[JsonObject]:
    for name, spellings in _IDENTIFIERS:
        key = read_key(case_keys, name)
        said = [said for spelling in spellings if (said := read_key(identifiers, spelling)) is not None]
        if key is not None and said and fold(key) not in {fold(identifier) for identifier in said}:
            yield {
                "code": KEY_DIFFERS,
                "detail": f"The event says {name} {key}; its order context says {' and '.join(said)}.",
            }


def _identifiers(context: JsonObject) -> JsonObject:
    return as_object(context.get("identifiers")) or {}


def _group_code(identifiers: JsonObject) -> str | None:
    return read_key(identifiers, "GROUP_CODE") or read_key(identifiers, "BLOCK_CODE")


def _fill(case_keys: JsonObject, name: str, key: str | None) -> None:
    if key is not None and read_key(case_keys, name) is None:
        case_keys[name] = key
