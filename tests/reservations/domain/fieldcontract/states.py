"""Cards as the field contract sees them, made from judged events, and short ways to ask it."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from reservations.data import catalog, matrix
from reservations.domain.fieldcontract import (
    CardState,
    Confirmed,
    FieldSet,
    Option,
    Override,
    Resolved,
    ServedField,
    check_confirmation,
    check_draft,
    check_resolution,
    read_fields,
)
from tests.reservations.domain.builders import FILES, card_of, event, review

Json = Any

OPTIONS = {
    **{
        name: tuple(Option(option.code, option.label, option.active) for option in found.options)
        for name, found in matrix().catalogs.items()
        if found.connected and not found.dynamic
    },
    "source_message_attachments": tuple(Option(file, (f"{file}.csv", f"{file}.csv")) for file in FILES),
}
RULES = {"matrix": matrix(), "catalog": catalog()}

ROOMS = "extracted_fields.room_items.0.room_quantity"
ROOM_TYPE = "extracted_fields.room_items.0.pms_room_type_code"
GROUP = "case_keys.group_code"
SCOPE = "extracted_fields.booking_scope"


def state_of(sent: Json, **changes: Json) -> CardState:
    """The state of the card that this event becomes."""
    card = card_of(sent)
    plain = {
        "task_type": card.route.task_type,
        "task_subtype": card.route.task_subtype,
        "result_type": card.route.result_type,
        "event": card.event,
        "derived_case_keys": card.effective_case_keys,
        "manual_review": card.manual_review,
        "pending_review": card.manual_review is not None,
        "open": True,
        "draft": {},
        "confirmed": None,
        "decided_pair": None,
        "needs_visible_reason": False,
        "evidence": [],
        "options": OPTIONS,
    }
    return CardState(**{**plain, **changes})


def fit(extracted: Json = None, **changes: Json) -> Json:
    """A complete individual booking. Fields given as `...` are left out."""
    fields = {
        "guest_name": "Guest A",
        "adults": 2,
        "arrival_date": "2026-08-03",
        "departure_date": "2026-08-06",
        "room_items": [{"room_quantity": 1, "room_type_raw": "Deluxe King", "pms_room_type_code": "DLX"}],
    }
    kept = {name: value for name, value in {**fields, **(extracted or {})}.items() if value is not ...}
    plain = {"case_keys": {"booking_code": "LT-55012"}, "extracted_fields": kept}
    return event("New Booking", "new_fit_booking", **{**plain, **changes})


def block(*missing: str, extracted: Json = None, **changes: Json) -> Json:
    """A group block under review; the review asks for these pointers."""
    fields = {
        "group_name": "Autumn",
        "arrival_date": "2026-09-10",
        "departure_date": "2026-09-13",
        "room_items": [{"room_quantity": 12, "room_type_raw": "Lake view", "pms_room_type_code": None}],
        **(extracted or {}),
    }
    asked = review(*(missing or ("/extracted_fields/room_items/0/pms_room_type_code",)))
    plain = {"case_keys": {"group_code": "NL-0910"}, "extracted_fields": fields, "manual_review": asked}
    return event("New Booking", "new_group_block", **{**plain, **changes})


def rooms(scope: str = "individual", extracted: Json = None, **changes: Json) -> Json:
    """A change of rooms, whose dates are shown for a group only."""
    fields = {
        "booking_scope": scope,
        "room_items": [{"room_quantity": 15, "room_type_raw": "TWN", "pms_room_type_code": "TWN"}],
        **(extracted or {}),
    }
    plain = {"case_keys": {"group_code": "GRP-CEDAR"}, "extracted_fields": fields}
    return event("Update Booking", "update_room_items", **{**plain, **changes})


def read(state: CardState) -> FieldSet:
    return read_fields(state, **RULES)


def paths(state: CardState) -> list[str]:
    return [field.row.field_path for field in read(state).rows]


def field(state: CardState, path: str) -> ServedField:
    (found,) = (field for field in read(state).rows if field.row.field_path == path)
    return found


def draft(state: CardState, values: Json) -> dict[str, Json]:
    return _untouched(check_draft, state, values)


def confirm(state: CardState, values: Json = None) -> Confirmed:
    return _untouched(check_confirmation, state, values or {})


def resolve(state: CardState, *overrides: Override) -> Resolved:
    return _untouched(check_resolution, state, overrides)


def override(name: str, value: Json = ..., **forms: Json) -> Override:
    """By pointer if the name starts with a slash, else by path; without a value if none is given."""
    forms = {"field_pointer" if name.startswith("/") else "field_path": name, **forms}
    return Override(**forms, value=None if value is ... else value, given=value is not ...)


def refusal(call: Any, *arguments: Any) -> tuple[str, list[tuple[str, str]]]:
    """The code of the refusal, and its places with their codes."""
    with pytest.raises(Exception) as caught:  # noqa: PT011 - the code is what the test compares
        call(*arguments)
    refused = caught.value
    return refused.code, [(fault.pointer, fault.code) for fault in refused.errors]


def _untouched(check: Any, state: CardState, sent: Json) -> Any:
    before = deepcopy((state, sent))
    try:
        return check(state, sent, **RULES)
    finally:
        assert (state, sent) == before
