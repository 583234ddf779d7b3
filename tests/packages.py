"""V3 packages of any size, and the mails that carry their quotes: for benchmarks, statement counts, reliability.

Five kinds of event follow each other; five events together are about six kilobytes and belong to three orders, whose
keys are made of `name`, so that two packages with different names share nothing.
"""

from __future__ import annotations

import json
from typing import Any

from reservations.models import Hotel, SourceMessage
from tests import factories

QUOTES = (
    "Please book 12 rooms Deluxe Lake View for the group, arrival 10 September 2026, departure 13 September 2026.",
    "Guest A, 2 adults, one Deluxe King from 3 to 6 August 2026 at CNY 880 with breakfast.",
    "Concierge: please keep coach parking for two buses on 10 September, arrival about 14:30.",
    "A deposit of CNY 5,000 was paid by bank transfer, reference TT-9001, see the slip.",
    "12 间“湖景大床”, the room type is not in our list.",
)
LETTER = "Dear reservations team,\n\n" + "\n\n".join(QUOTES) + "\n\nKind regards\nOps\n" + "> quoted history\n" * 60


def mail(hotel: Hotel, name: str, **fields: Any) -> SourceMessage:
    """The mail of the package with this name."""
    return factories.message(hotel, message_id(name), **({"body_text": LETTER} | fields))


def message_id(name: str) -> str:
    return f"{name}@lakeside-travel.example"


def package(name: str, *, events: int = 5, message: str = "") -> bytes:
    """A package whose every event is accepted, as an agent sends it. `message` names another mail than its own."""
    return json.dumps(
        {
            "source_message": {
                "source_message_id": message_id(message or name),
                "source_channel": "Email",
                "subject": f"Group and guests {name}",
                "attachments": [],
            },
            "message_events": [_event(name, place) for place in range(events)],
            "case_candidates": [],
            "extraction_warnings": [],
            "unhandled_current_intents": [],
        },
        ensure_ascii=False,
    ).encode()


def _event(name: str, place: int) -> dict[str, Any]:
    kind, block = place % len(KINDS), place // len(KINDS)
    event_type, task_subtype, key, fields = KINDS[kind]
    return {
        "event_type": event_type,
        "task_subtype": task_subtype,
        "case_keys": {key: f"{name}-{block}{'-R' if kind == 4 else ''}"},
        "extracted_fields": fields,
        "relevant_message_excerpt": QUOTES[kind],
        "manual_review": REVIEW if kind == 4 else None,
        "relationships": [],
        "source_event_index": place + 1,
    }


STAY = {"arrival_date": "2026-09-10", "departure_date": "2026-09-13", "currency_code": "CNY", "meal_plan": "BB"}
ROOMS = [
    {"room_quantity": 8, "room_type_raw": "Deluxe Lake View", "pms_room_type_code": "DLX", "rate_amount": 680.00},
    {"room_quantity": 4, "room_type_raw": "Twin Lake View", "pms_room_type_code": "TWN", "rate_amount": 640.50},
]
NOTE = "Late arrival, about 23:00; quiet rooms on a high floor; the invoice goes to the agency, not to the guest. "
GROUP = STAY | {
    "group_name": "Autumn Leaves",
    "room_items": ROOMS,
    "rate_amount": 680,
    "cut_off_date": "2026-08-20",
    "rate_text_raw": "CNY 680 per night with breakfast",
    "special_requests": NOTE * 3,
}
GUEST = STAY | {
    "guest_name": "Guest A",
    "adults": 2,
    "children": 0,
    "room_items": ROOMS[:1],
    "rate_amount": 880,
    "rate_text_raw": "CNY 880 per night with breakfast for two",
    "special_requests": NOTE * 4,
}
TRACE = {"departments": ["CON", "FO", "HSK"], "trace_text": NOTE * 5, "trace_date": "2026-09-10"}
PAYMENT = {
    "payment_amount": 5000,
    "currency_code": "CNY",
    "payment_method": "BT",
    "payment_reference": "TT-9001",
    "payment_text_raw": NOTE * 5,
}
REVIEW = {
    "review_type": "type_known_review",
    "reason_code": "room_type_unmapped",
    "reason_summary": "“湖景大床” is not in the catalogue of room types.",
    "missing_fields": ["/extracted_fields/room_items/0/pms_room_type_code"],
    "uncertain_fields": ["/extracted_fields/room_items/0/room_type_raw"],
    "evidence": [{"excerpt": "12 间“湖景大床”", "source": "email_body"}],
    "context_used": {},
    "suggested_actions": ["Check the source mail"],
    "confidence": 0.5,
}
KINDS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    ("New Booking", "new_group_block", "group_code", GROUP),
    ("New Booking", "new_fit_booking", "booking_code", GUEST),
    ("Trace Reservation Notes", "add_department_trace", "group_code", TRACE),
    ("Payment", "record_deposit_payment", "group_code", PAYMENT),
    ("New Booking", "new_group_block", "group_code", STAY | {"room_items": [ROOMS[0] | {"pms_room_type_code": None}]}),
)
