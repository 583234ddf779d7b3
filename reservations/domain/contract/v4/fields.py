"""The `extracted_fields` of the derived copy of a V4 event (contracts.md section 6)."""

from __future__ import annotations

from typing import Final

from reservations.domain.documents import value_at, with_value
from reservations.domain.fields import FieldCard
from reservations.domain.jsonvalues import JsonObject, as_object, has_value
from reservations.domain.orderkeys import OrderKind

UPDATE_BOOKING: Final = "UPDATE_BOOKING"
PAYMENT: Final = "PAYMENT"

_PREVIOUS: Final = "previous_"
_FIELDS: Final = "extracted_fields"
_FILES: Final = "attachment_ids"
_SCOPE: Final = "extracted_fields.booking_scope"
_INDIVIDUAL, _GROUP = "individual", "group"


def derived_fields(event: JsonObject, order_type: OrderKind, card: FieldCard | None) -> JsonObject:
    """What the card reads as `extracted_fields`; the event, as sent, is not changed and may be of any shape.

    UPDATE_BOOKING  `after.X` is X and `before.X` is `previous_X`. They go before what `extracted_fields` holds, save
                    a null, which says nothing.
    PAYMENT         `attachment_ids` of the event, before those of `extracted_fields`
    any             `booking_scope`, when absent, by the order type

    card  of the subtype; the last two are given to a card that has the field. None: the subtype is not known yet.
    """
    fields = as_object(event.get(_FIELDS)) or {}
    if event.get("event_type") == UPDATE_BOOKING:
        fields = _moved(fields, as_object(event.get("after")) or {}, "")
        fields = _moved(fields, as_object(event.get("before")) or {}, _PREVIOUS)
    derived: JsonObject = {_FIELDS: fields}
    if card is not None:
        derived = _with_files(derived, event, card)
        derived = _with_scope(derived, order_type, card)
    return as_object(derived[_FIELDS]) or {}


def _moved(fields: JsonObject, values: JsonObject, prefix: str) -> JsonObject:
    named = {prefix + name: value for name, value in values.items()}
    return {**fields, **{name: value for name, value in named.items() if value is not None or name not in fields}}


def _with_files(derived: JsonObject, event: JsonObject, card: FieldCard) -> JsonObject:
    path, files = f"{_FIELDS}.{_FILES}", event.get(_FILES)
    if event.get("event_type") != PAYMENT or not has_value(files) or card.row_of_path(path) is None:
        return derived
    return with_value(derived, path, files)


def _with_scope(derived: JsonObject, order_type: OrderKind, card: FieldCard) -> JsonObject:
    if card.row_of_path(_SCOPE) is None or has_value(value_at(derived, _SCOPE)):
        return derived
    return with_value(derived, _SCOPE, _INDIVIDUAL if order_type is OrderKind.FIT else _GROUP)
