"""What the root of a V4 package says of itself: its route code and the names of its contract (R-55)."""

from __future__ import annotations

from typing import Final

from reservations.domain.catalog import NOTICE_CODES, NOTIFICATION
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject

LITERALS: Final = (
    ("catalog_code", "M002V4"),
    ("skill_id", "booking-desk-event-v4"),
    ("field_contract_version", "20260718-v4"),
)
_CONTENT: Final = ("order_contexts", "message_events")


def check_business_root(body: JsonObject) -> None:
    """raises  EventFault V4_ROUTE_CODE_INVALID: a route code, or the result type of a notice"""
    if body.get("route_code") is not None:
        raise EventFault(FaultCode.V4_ROUTE_CODE_INVALID, "route_code")
    if body.get("result_type") == NOTIFICATION:
        raise EventFault(FaultCode.V4_ROUTE_CODE_INVALID, "result_type")


def check_notice_root(body: JsonObject) -> None:
    """raises  EventFault V4_ROUTE_CODE_INVALID: another code than S10 or S99, or orders or events beside it"""
    wrong = [name for name in _CONTENT if body.get(name)]
    if body.get("route_code") not in NOTICE_CODES:
        wrong.insert(0, "route_code")
    if wrong:
        raise EventFault(FaultCode.V4_ROUTE_CODE_INVALID, ", ".join(wrong))


def check_literals(body: JsonObject) -> None:
    """raises  EventFault EVENT_SHAPE_INVALID: catalogue, skill or field contract is given and another"""
    wrong = [name for name, literal in LITERALS if body.get(name) not in (None, literal)]
    if wrong:
        raise EventFault(FaultCode.EVENT_SHAPE_INVALID, ", ".join(wrong))
