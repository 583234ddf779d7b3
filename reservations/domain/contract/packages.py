"""Checks of a whole V3 or V4 package, notices included (step 3 of the routing; decisions 5 and 6)."""

from __future__ import annotations

from typing import Final

from reservations.domain.contract.verdicts import Intent
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_integer, as_object

_ARRAYS: Final = (
    "message_events",
    "order_contexts",
    "case_candidates",
    "extraction_warnings",
    "unhandled_current_intents",
    "contract_errors",
    "missing_fields",
)


def check_package(body: JsonObject) -> frozenset[int]:
    """Is the package as a whole in order?

    Members must be of the right type; what stands inside `case_candidates`, `extraction_warnings` and
    `unhandled_current_intents` is evidence and is not looked at.
    returns  indexes of the events that root `contract_errors` name as wrong
    raises   EventFault of the whole package
    """
    _check_shape(body)
    flagged = frozenset(_flagged_index(body, entry) for entry in as_array(body.get("contract_errors")) or [])
    if body.get("missing_fields"):
        raise EventFault(FaultCode.ROOT_MISSING_FIELDS, "missing_fields")
    return flagged


def read_intents(body: JsonObject) -> tuple[Intent, ...]:
    """One entry for each unhandled intent, whatever its shape (R-09)."""
    items = as_array(body.get("unhandled_current_intents")) or []
    return tuple(Intent(place, item) for place, item in enumerate(items))


def _check_shape(body: JsonObject) -> None:
    message = as_object(body.get("source_message"))
    attachments = message.get("attachments") if message is not None else None
    wrong = [name for name in _ARRAYS if not _is_array_or_absent(body.get(name))]
    if message is None:
        wrong.append("source_message")
    if not _is_array_or_absent(attachments):
        wrong.append("source_message.attachments")
    if wrong:
        raise EventFault(FaultCode.EVENT_SHAPE_INVALID, ", ".join(wrong))


def _flagged_index(body: JsonObject, entry: JsonValue) -> int:
    item = as_object(entry) or {}
    index = as_integer(item.get("source_event_index"))
    if index is None or not 1 <= index <= len(as_array(body.get("message_events")) or []):
        raise EventFault(FaultCode.EXPLICIT_CONTRACT_ERRORS, "contract_errors")
    return index


def _is_array_or_absent(value: JsonValue) -> bool:
    return value is None or isinstance(value, list)
