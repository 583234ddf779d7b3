"""The steps that events of V3 and V4 begin with: what they say is wrong with them, and their shape (4a, 4c)."""

from __future__ import annotations

from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_integer
from reservations.domain.parents import Relation, read_indexes, read_relation
from reservations.domain.shapes import Shape, faults_in


def check_explicit(event: JsonObject, *, named_by_root: bool) -> None:
    """raises  EventFault EXPLICIT_CONTRACT_ERRORS or ROOT_MISSING_FIELDS: the agent itself says that it is not whole"""
    if named_by_root or (isinstance(event.get("contract_errors"), list) and event["contract_errors"]):
        raise EventFault(FaultCode.EXPLICIT_CONTRACT_ERRORS, "contract_errors")
    if isinstance(event.get("missing_fields"), list) and event["missing_fields"]:
        raise EventFault(FaultCode.ROOT_MISSING_FIELDS, "missing_fields")


def check_shape(event: JsonValue, shape: type[Shape], place: int, count: int) -> JsonObject:
    """The event, if it fits the shape, its place in the array, and the number of events its references may mean.

    place   one-based
    raises  EventFault EVENT_SHAPE_INVALID with the keys that do not fit
    """
    if not isinstance(event, dict):
        raise _misshapen("The event is no object.")
    wrong = dict.fromkeys(faults_in(shape, event))
    if not _fits_place(event, place):
        wrong["source_event_index"] = None
    if not _are_references(read_indexes(event.get("applies_to_event_indexes")) or (), place, count):
        wrong["applies_to_event_indexes"] = None
    if wrong:
        raise _misshapen(", ".join(wrong))
    return event


def read_relations(event: JsonObject) -> tuple[Relation, ...]:
    """The well shaped relations of an event."""
    relations = [read_relation(item) for item in as_array(event.get("relationships")) or []]
    return tuple(relation for relation in relations if relation is not None)


def _fits_place(event: JsonObject, place: int) -> bool:
    index = event.get("source_event_index")
    return index is None or as_integer(index) == place


def _are_references(indexes: tuple[int, ...], own: int, count: int) -> bool:
    """Each to another event of the package, none twice."""
    return len(set(indexes)) == len(indexes) and all(1 <= index <= count and index != own for index in indexes)


def _misshapen(detail: str) -> EventFault:
    return EventFault(FaultCode.EVENT_SHAPE_INVALID, detail)
