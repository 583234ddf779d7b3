"""Which subtype of the catalogue a V4 event means (ambiguities 19 and 20)."""

from __future__ import annotations

from collections.abc import Sequence

from reservations.domain.catalog import Catalog, Subtype, V4Rule
from reservations.domain.documents import value_at
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, has_value
from reservations.domain.orderkeys import OrderKind


def subtypes_of(catalog: Catalog, event_type: str | None) -> tuple[Subtype, ...]:
    """The subtypes that an event type can mean, whatever the order."""
    return tuple(subtype for subtype in catalog.subtypes if subtype.v4.event_type == event_type)


def choose_subtype(
    subtypes: Sequence[Subtype], order_type: OrderKind, *, named: str | None, fields: JsonObject, event: JsonObject
) -> Subtype:
    """The one subtype of these that fits the order and is named, or, when none is named, follows from the content.

    fields  the derived `extracted_fields`; a key that has no value there is looked up on the event
    raises  EventFault ROUTE_UNRESOLVED: none, or more than one
    """
    fitting = [subtype for subtype in subtypes if order_type in subtype.v4.order_types]
    if named is not None:
        found = [subtype for subtype in fitting if subtype.task_subtype == named]
    else:
        found = [subtype for subtype in fitting if _has_condition(subtype.v4) and _holds(subtype.v4, fields, event)]
        found = found or [subtype for subtype in fitting if not _has_condition(subtype.v4)]
    if len(found) != 1:
        raise EventFault(FaultCode.ROUTE_UNRESOLVED, "event_type, task_subtype, order_type")
    return found[0]


def _has_condition(rule: V4Rule) -> bool:
    return bool(rule.after_keys) or rule.discriminator is not None


def _holds(rule: V4Rule, fields: JsonObject, event: JsonObject) -> bool:
    if rule.after_keys and not any(has_value(_looked_up(name, fields, event)) for name in rule.after_keys):
        return False
    condition = rule.discriminator
    return condition is None or condition.holds(_looked_up(condition.field, fields, event))


def _looked_up(path: str, fields: JsonObject, event: JsonObject) -> JsonValue:
    value = value_at(fields, path)
    return value if has_value(value) else value_at(event, path)
