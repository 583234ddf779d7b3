"""V3: `source_message` and `message_events[]` (contracts.md section 2)."""

from __future__ import annotations

from functools import partial

from reservations.domain.contract.events import Draft, Rules, judge_events
from reservations.domain.contract.packages import check_package, read_intents
from reservations.domain.contract.results import business_judgement
from reservations.domain.contract.verdicts import Generation, Judgement, RootKind, package_fault
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_integer, as_object, as_text
from reservations.domain.parents import read_indexes, read_relation
from reservations.domain.routing import Claim, check_not_retired
from reservations.domain.shapes import V3EventShape, faults_in


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
    wrong = dict.fromkeys(faults_in(V3EventShape, event))
    applies_to = read_indexes(event.get("applies_to_event_indexes")) or ()
    if not _fits_place(event, array_index + 1):
        wrong["source_event_index"] = None
    if not _are_references(applies_to, array_index + 1, count):
        wrong["applies_to_event_indexes"] = None
    if wrong:
        raise _shape(", ".join(wrong))
    return _draft(event, array_index, applies_to)


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
