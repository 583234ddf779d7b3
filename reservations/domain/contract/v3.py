"""V3: `source_message` and `message_events[]` (contracts.md section 2)."""

from __future__ import annotations

from functools import partial

from reservations.domain.contract.events import Draft, Rules, judge_events
from reservations.domain.contract.eventshape import check_explicit, check_shape, read_relations
from reservations.domain.contract.packages import check_package, read_intents
from reservations.domain.contract.results import business_judgement
from reservations.domain.contract.verdicts import Generation, Judgement, RootKind, package_fault
from reservations.domain.faults import EventFault
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_array, as_object, as_text
from reservations.domain.parents import read_indexes
from reservations.domain.routing import Claim, check_not_retired
from reservations.domain.shapes import V3EventShape


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
    check_explicit(item, named_by_root=array_index + 1 in flagged)
    check_not_retired(rules.catalog, as_text(item.get("event_type")), as_text(item.get("task_subtype")))
    return _draft(check_shape(event, V3EventShape, array_index + 1, count), array_index)


def _draft(event: JsonObject, array_index: int) -> Draft:
    event_type, review = as_text(event["event_type"]) or "", as_object(event["manual_review"])
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
        relations=read_relations(event),
        applies_to=read_indexes(event.get("applies_to_event_indexes")) or (),
    )
