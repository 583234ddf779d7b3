"""The shapes of the contract as pydantic models: what is checked at the door, and what their JSON Schema tells others.

They look and never convert: what is stored, hashed and judged is the value as received. Types are strict, so a text is
no number and true is none either; 1.0 is the integer 1 (R-51). Null stands for absent wherever a key is optional in V3 and V4.
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from reservations.domain.jsonvalues import JsonObject, JsonValue, as_integer, is_blank


def _whole(value: Any) -> Any:
    number = as_integer(value)
    return value if number is None else number


def _not_blank(value: str) -> str:
    if is_blank(value):
        raise ValueError("blank")
    return value


Whole = Annotated[int, BeforeValidator(_whole)]
Number = Annotated[int | Decimal, WithJsonSchema({"type": "number"})]
Share = Annotated[int | Decimal, Field(ge=0, le=1), WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Filled = Annotated[str, Field(min_length=1)]
Spoken = Annotated[str, AfterValidator(_not_blank)]
CaseKeys = dict[str, str | None]
Object = dict[str, Any]


class Shape(BaseModel):
    """Unknown keys are kept and ignored."""

    model_config = ConfigDict(strict=True, extra="ignore", frozen=True)


class RelationShape(Shape):
    """How an event belongs to others of its package. Indexes are one-based."""

    relationship_type: str
    role: str | None = None
    parent_event_index: Whole | None = None
    child_event_indexes: list[Whole] | None = None
    parent_group_code: str | None = None


class SourceRowShape(Shape):
    """The row of an attachment that an event was read from."""

    attachment_id: str | None = None
    row_number: Whole | None = None


class V3EventShape(Shape):
    """One event of a mail. Null stands for absent where a key is optional; unknown keys are kept and ignored."""

    event_type: str
    task_subtype: str
    result_type: str | None = None
    task_type: str | None = None
    route_code: str | None = None
    case_keys: CaseKeys | None = None
    extracted_fields: Object | None = None
    relevant_message_excerpt: str
    manual_review: Object | None
    relationships: list[RelationShape] | None = None
    source_row: SourceRowShape | None = None
    contract_errors: list[Any] | None = None
    missing_fields: list[Any] | None = None
    source_event_index: Whole | None = None
    applies_to_event_indexes: list[Whole] | None = None


class V4EventShape(Shape):
    """One event of one order. Null stands for absent where a key is optional; unknown keys are kept and ignored."""

    order_ref: str
    event_type: str
    task_subtype: str | None = None
    result_type: str | None = None
    task_type: str | None = None
    route_code: str | None = None
    case_keys: CaseKeys | None = None
    before: Object | None = None
    after: Object | None = None
    extracted_fields: Object | None = None
    attachment_ids: list[str] | None = None
    relevant_message_excerpt: str
    manual_review: Object | None
    relationships: list[RelationShape] | None = None
    source_row: SourceRowShape | None = None
    contract_errors: list[Any] | None = None
    missing_fields: list[Any] | None = None
    source_event_index: Whole | None = None
    applies_to_event_indexes: list[Whole] | None = None


class V4OrderContextShape(Shape):
    """One order a mail speaks of. Identifiers are BOOKING_CODE, CONFIRMATION_NUMBER, GROUP_CODE and BLOCK_CODE."""

    order_ref: Spoken
    order_type: Literal["FIT", "GROUP", "ALLOTMENT"]
    identifiers: CaseKeys | None = None
    display_name: str | None = None
    arrival_date: str | None = None
    departure_date: str | None = None
    account_code: str | None = None
    market_code: str | None = None
    source_code: str | None = None


class V2ItemShape(Shape):
    """One result of the older generation: no other key, and null only where it is named."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    result_type: Literal["normal_task", "manual_review", "unhandled_current_intent"]
    task_type: Filled
    task_subtype: Filled
    case_keys: CaseKeys
    extracted_fields: Object
    visible_reason: Filled
    route_code: str = ""
    relevant_message_excerpt: str = ""
    manual_review: Object | None = None
    missing_fields: list[str] = []
    confidence: Number = 0


class EvidenceShape(Shape):
    """One quote of a review and where it was read."""

    excerpt: str
    source: str


class ReviewShape(Shape):
    """The nine fields of a review, all of them. The pointers in it are looked at apart."""

    review_type: Literal["type_known_review", "business_event_review", "main_agent_entry_review"]
    reason_code: Literal[
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
    ]
    reason_summary: Spoken
    missing_fields: list[Any]
    uncertain_fields: list[Any]
    evidence: list[EvidenceShape]
    context_used: Object
    suggested_actions: list[str]
    confidence: Share


def faults_in(shape: type[Shape], value: JsonObject) -> Mapping[str, str]:
    """The keys of an object that do not fit, each with pydantic's name of its first fault ("missing", ...), in the order
    of the shape, unknown keys last. {} when it fits."""
    try:
        shape.model_validate(value)
    except ValidationError as refusal:
        found: dict[str, str] = {}
        for fault in refusal.errors(include_url=False, include_context=False, include_input=False):
            found.setdefault(str(fault["loc"][0]), fault["type"])
        return found
    return {}


def read_relation_shape(value: JsonValue) -> RelationShape | None:
    """One relation, or None when its shape is wrong."""
    try:
        return RelationShape.model_validate(value)
    except ValidationError:
        return None
