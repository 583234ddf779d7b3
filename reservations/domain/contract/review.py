"""The nine fields of `manual_review` and its pointers (contracts.md section 3; decisions 3, 4, 15)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final

from reservations.domain.catalog import FALLBACK
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.fields import FieldCard, FieldRow
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_number, as_text, is_blank
from reservations.domain.parents import asks_for_target
from reservations.domain.pointers import is_well_formed


class ReviewType(StrEnum):
    TYPE_KNOWN = "type_known_review"
    BUSINESS_EVENT = "business_event_review"
    ENTRY = "main_agent_entry_review"


REASON_CODES: Final = (
    "target_object_unclear",
    "missing_required_field",
    "room_type_unmapped",
    "rate_code_unclear",
    "quantity_unclear",
    "date_unclear",
    "guest_identity_unclear",
    "evidence_conflict",
    "context_unavailable",
    "attachment_unreadable",
    "business_type_unclear",
    "input_insufficient",
)


def _is_evidence(value: JsonValue) -> bool:
    return isinstance(value, list) and all(
        isinstance(item, dict) and isinstance(item.get("excerpt"), str) and isinstance(item.get("source"), str)
        for item in value
    )


def _is_texts(value: JsonValue) -> bool:
    return isinstance(value, list) and all(isinstance(item, str) for item in value)


def _is_share(value: JsonValue) -> bool:
    number = as_number(value)
    return number is not None and 0 <= number <= 1


_FIELDS: Final[Mapping[str, Callable[[JsonValue], bool]]] = MappingProxyType(
    {
        "review_type": lambda value: value in tuple(ReviewType),
        "reason_code": lambda value: value in REASON_CODES,
        "reason_summary": lambda value: isinstance(value, str) and not is_blank(value),
        "missing_fields": lambda value: isinstance(value, list),
        "uncertain_fields": lambda value: isinstance(value, list),
        "evidence": _is_evidence,
        "context_used": lambda value: isinstance(value, dict),
        "suggested_actions": _is_texts,
        "confidence": _is_share,
    }
)


def incomplete_fields(review: JsonObject, review_type: ReviewType) -> tuple[str, ...]:
    """Which of the nine fields are missing, of a wrong type, or of another kind of review; () when it is complete."""
    wrong = [name for name, fits in _FIELDS.items() if not fits(review.get(name))]
    if "review_type" not in wrong and review["review_type"] != review_type:
        wrong.insert(0, "review_type")
    return tuple(wrong)


def has_well_formed_pointers(review: JsonObject) -> bool:
    """Is every entry of `missing_fields` a pointer of RFC 6901?"""
    return all(isinstance(item, str) and is_well_formed(item) for item in as_array(review.get("missing_fields")) or [])


def check_review(review: JsonObject, *, task_type: str, card: FieldCard | None) -> None:
    """Is the review of an event complete, and does it ask for fields a person can fill?

    A pointer is repeated when the same text stands twice. Two spellings of one field are no repetition: a Parent Group
    review names the group code and its alias, and the card asks once.
    raises  EventFault MANUAL_REVIEW_INCOMPLETE, MISSING_FIELDS_POINTER_INVALID or MISSING_FIELDS_POINTER_UNMAPPED
    """
    expected = ReviewType.BUSINESS_EVENT if task_type == FALLBACK else ReviewType.TYPE_KNOWN
    wrong = incomplete_fields(review, expected)
    if wrong:
        raise _fault(FaultCode.MANUAL_REVIEW_INCOMPLETE, ", ".join(wrong))
    asked = as_array(review["missing_fields"]) or []
    if not asked and expected is ReviewType.TYPE_KNOWN and not asks_for_target(review):
        raise _fault(FaultCode.MANUAL_REVIEW_INCOMPLETE, "missing_fields")
    if not has_well_formed_pointers(review) or len(asked) != len({as_text(pointer) for pointer in asked}):
        raise _fault(FaultCode.MISSING_FIELDS_POINTER_INVALID, "missing_fields")
    if len(asked_rows(review, card)) != len(asked):
        raise _fault(FaultCode.MISSING_FIELDS_POINTER_UNMAPPED, "missing_fields")


def asked_rows(review: JsonObject, card: FieldCard | None) -> tuple[FieldRow, ...]:
    """The editable fields the review asks for, in its order; a pointer that means none is left out."""
    if card is None:
        return ()
    asked = as_array(review.get("missing_fields")) or []
    rows = (card.editable_target(pointer) for pointer in asked if isinstance(pointer, str))
    return tuple(row for row in rows if row is not None)


def _fault(code: FaultCode, place: str) -> EventFault:
    return EventFault(code, f"manual_review: {place}")
