"""The nine fields of `manual_review` and its pointers (contracts.md section 3; decisions 3, 4, 15)."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from reservations.domain.catalog import FALLBACK
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.fields import FieldCard, FieldRow
from reservations.domain.jsonvalues import JsonObject, as_array, as_text
from reservations.domain.parents import asks_for_target
from reservations.domain.pointers import is_well_formed
from reservations.domain.shapes import ReviewShape, faults_in

GROUP_CODE: Final = "case_keys.group_code"


class ReviewType(StrEnum):
    TYPE_KNOWN = "type_known_review"
    BUSINESS_EVENT = "business_event_review"
    ENTRY = "main_agent_entry_review"


def incomplete_fields(review: JsonObject, review_type: ReviewType) -> tuple[str, ...]:
    """Which of the nine fields are missing, of a wrong type, or of another kind of review; () when it is complete."""
    wrong = list(faults_in(ReviewShape, review))
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


def missing_paths(review: JsonObject | None, card: FieldCard | None, *, target_unclear: bool) -> tuple[str, ...]:
    """The main paths a review asks for, each once, in its order; the group code too while the target is unclear."""
    if review is None or card is None:
        return ()
    asked = [row.field_path for row in asked_rows(review, card)]
    if target_unclear and card.row_of_path(GROUP_CODE) is not None:
        asked.append(GROUP_CODE)
    return tuple(dict.fromkeys(asked))


def _fault(code: FaultCode, place: str) -> EventFault:
    return EventFault(code, f"manual_review: {place}")
