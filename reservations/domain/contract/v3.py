"""V3: `source_message` and `message_events[]` (contracts.md section 2)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from reservations.domain.contract.events import Draft, Rules, judge_events
from reservations.domain.contract.packages import check_package, read_intents
from reservations.domain.contract.results import business_judgement
from reservations.domain.contract.verdicts import Generation, Judgement, RootKind, package_fault
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_integer, as_object, as_text
from reservations.domain.parents import read_indexes, read_relation
from reservations.domain.routing import Claim, check_not_retired


def judge_v3(body: JsonObject, rules: Rules) -> Judgement:
    """Judge a V3 business package."""
    try:
        flagged = check_package(body)
    except EventFault as fault:
        return package_fault(Generation.V3, RootKind.BUSINESS, fault.code, fault.detail)
    events = as_array(body.get("message_events")) or []
    read = partial(_read, count=len(events), flagged=flagged, rules=rules)
    return business_judgement(Generation.V3, judge_events([*enumerate(events)], read, rules), read_intents(body))


def _read(event: JsonValue, array_index: int, *, count: int, flagged: frozenset[int], rules: Rules) -> Draft:
    """Steps 4a to 4c: what the event says is wrong with it, retired names, shape."""
    item = as_object(event) or {}
    _check_explicit(item, named_by_root=array_index + 1 in flagged)
    check_not_retired(rules.catalog, as_text(item.get("event_type")), as_text(item.get("task_subtype")))
    if not isinstance(event, dict):
        raise _shape("The event is no object.")
    wrong = [name for name, fits in _SHAPE.items() if not fits(event.get(name))]
    if "manual_review" not in event:
        wrong.append("manual_review")
    references = event.get("applies_to_event_indexes")
    applies_to = () if references is None else read_indexes(references)
    if not _fits_place(event, array_index + 1):
        wrong.append("source_event_index")
    if applies_to is None or not _are_references(applies_to, array_index + 1, count):
        wrong.append("applies_to_event_indexes")
    if wrong:
        raise _shape(", ".join(wrong))
    return _draft(event, array_index, applies_to or ())


def _draft(event: JsonObject, array_index: int, applies_to: tuple[int, ...]) -> Draft:
    event_type, review = as_text(event["event_type"]) or "", as_object(event["manual_review"])
    relations = [read_relation(item) for item in as_array(event.get("relationships")) or []]
    return Draft(
        array_index=array_index,
        event=event,
        event_type=event_type,
        claim=Claim(
            task_type=event_type,
            task_subtype=as_text(event["task_subtype"]) or "",
            reviewed=review is not None,
            stated_result_type=as_text(event.get("result_type")),
            stated_task_type=as_text(event.get("task_type")),
            stated_route_code=as_text(event.get("route_code")),
        ),
        manual_review=review,
        case_keys=as_object(event.get("case_keys")) or {},
        extracted_fields=as_object(event.get("extracted_fields")) or {},
        relations=tuple(relation for relation in relations if relation is not None),
        applies_to=applies_to,
    )


def _check_explicit(event: JsonObject, *, named_by_root: bool) -> None:
    if named_by_root or (isinstance(event.get("contract_errors"), list) and event["contract_errors"]):
        raise EventFault(FaultCode.EXPLICIT_CONTRACT_ERRORS, "contract_errors")
    if isinstance(event.get("missing_fields"), list) and event["missing_fields"]:
        raise EventFault(FaultCode.ROOT_MISSING_FIELDS, "missing_fields")


def _fits_place(event: JsonObject, place: int) -> bool:
    index = event.get("source_event_index")
    return index is None or as_integer(index) == place


def _are_references(indexes: tuple[int, ...], own: int, count: int) -> bool:
    """Each to another event of the package, none twice."""
    return len(set(indexes)) == len(indexes) and all(1 <= index <= count and index != own for index in indexes)


def _shape(detail: str) -> EventFault:
    return EventFault(FaultCode.EVENT_SHAPE_INVALID, detail)


def _is_text(value: JsonValue) -> bool:
    return isinstance(value, str)


def _is_text_or_absent(value: JsonValue) -> bool:
    return value is None or isinstance(value, str)


def _is_object_or_absent(value: JsonValue) -> bool:
    return value is None or isinstance(value, dict)


def _is_array_or_absent(value: JsonValue) -> bool:
    return value is None or isinstance(value, list)


def _is_case_keys(value: JsonValue) -> bool:
    return value is None or (isinstance(value, dict) and all(map(_is_text_or_absent, value.values())))


def _is_relationships(value: JsonValue) -> bool:
    return value is None or (isinstance(value, list) and all(read_relation(item) is not None for item in value))


def _is_source_row(value: JsonValue) -> bool:
    if value is None:
        return True
    row = as_object(value)
    if row is None or not _is_text_or_absent(row.get("attachment_id")):
        return False
    return row.get("row_number") is None or as_integer(row["row_number"]) is not None


_SHAPE: Final[dict[str, Callable[[JsonValue], bool]]] = {
    "event_type": _is_text,
    "task_subtype": _is_text,
    "result_type": _is_text_or_absent,
    "task_type": _is_text_or_absent,
    "route_code": _is_text_or_absent,
    "case_keys": _is_case_keys,
    "extracted_fields": _is_object_or_absent,
    "relevant_message_excerpt": _is_text,
    "manual_review": _is_object_or_absent,
    "relationships": _is_relationships,
    "source_row": _is_source_row,
    "contract_errors": _is_array_or_absent,
    "missing_fields": _is_array_or_absent,
}
