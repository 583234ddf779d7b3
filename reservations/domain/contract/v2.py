"""V2: `source_message_id` and `ai_task_results[]` (contracts.md section 5). The item schema is checked first."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from typing import Final

from config.errors import Fault
from reservations.domain import pointers
from reservations.domain.catalog import Catalog
from reservations.domain.contract.events import Draft, Rules, judge_events
from reservations.domain.contract.results import business_judgement
from reservations.domain.contract.verdicts import Generation, Intent, Judgement
from reservations.domain.errors import AdapterContractRefused, AdapterDetail
from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.jsonvalues import JsonObject, JsonValue, as_object, as_text
from reservations.domain.routing import Claim
from reservations.domain.shapes import V2ItemShape, faults_in

RESULTS: Final = "ai_task_results"
MOST_FAULTS: Final = 100  # of one answer; what is wrong with the rest shows when these are mended
_SHOWN_KEY: Final = 100
_DETAILS: Final = {"missing": "Is required.", "extra_forbidden": "Is no key of the schema."}


def judge_v2(body: JsonObject, rules: Rules) -> Judgement:
    """Judge a V2 package. An empty list is a package that asks for nothing.

    raises  AdapterContractRefused: ITEM_INVALID for the whole request when one item is outside the schema, then
            RETIRED_PARENT_CANCEL_BOOKING or RETIRED_TASK when one item is retired (R-20)
    """
    items = read_items(body)
    _refuse_retired(items, rules.catalog)
    intents = tuple(Intent(place, item) for place, item in enumerate(items) if _is_intent(item, rules.catalog))
    unhandled = {intent.array_index for intent in intents}
    events = [(place, item) for place, item in enumerate(items) if place not in unhandled]
    verdicts = judge_events(events, _read, rules)
    return business_judgement(Generation.V2, verdicts, intents)


def read_items(body: JsonObject) -> list[JsonObject]:
    """The items, if each follows the schema.

    raises  AdapterContractRefused ITEM_INVALID with the places that are wrong, in reading order, at most MOST_FAULTS
    """
    results = body.get(RESULTS)
    faults = [Fault(f"/{RESULTS}", AdapterDetail.ITEM_INVALID, "Must be an array.")]
    if isinstance(results, list):
        found = (_item_faults(item, f"/{RESULTS}/{place}") for place, item in enumerate(results))
        faults = list(islice(chain.from_iterable(found), MOST_FAULTS))
    if faults or not isinstance(results, list):
        raise AdapterContractRefused(
            "Items of the request do not follow the schema.", detail_code=AdapterDetail.ITEM_INVALID, errors=faults
        )
    return [item for item in results if isinstance(item, dict)]


def _item_faults(item: JsonValue, pointer: str) -> Iterator[Fault]:
    if not isinstance(item, dict):
        yield _item_fault(pointer, "Must be an object.")
        return
    place_of = {name: place for place, name in enumerate(item)}  # what is missing has none and comes first
    for name, kind in sorted(faults_in(V2ItemShape, item).items(), key=lambda fault: place_of.get(fault[0], -1)):
        detail = _DETAILS.get(kind, "Has a wrong type or value.")
        yield _item_fault(pointer + pointers.build([name[:_SHOWN_KEY]]), detail)


def _item_fault(pointer: str, detail: str) -> Fault:
    return Fault(pointer, AdapterDetail.ITEM_INVALID, detail)


def _refuse_retired(items: list[JsonObject], catalog: Catalog) -> None:
    found = [
        (place, code)
        for place, item in enumerate(items)
        if (code := catalog.retired_code(as_text(item["task_type"]), as_text(item["task_subtype"]))) is not None
    ]
    if found:
        raise AdapterContractRefused(
            "Items of the request use a type or subtype that is kept for history only.",
            detail_code=AdapterDetail(found[0][1]),
            errors=[Fault(f"/{RESULTS}/{place}", code, "Retired.", place + 1) for place, code in found],
        )


def _is_intent(item: JsonObject, catalog: Catalog) -> bool:
    """An item of R42: the exact triple, no review, and no other route code."""
    unhandled = catalog.unhandled
    said = (item["result_type"], item["task_type"], item["task_subtype"])
    return (
        said == (unhandled.result_type, unhandled.task_type, unhandled.task_subtype)
        and item.get("manual_review") is None
        and item.get("route_code") in (None, unhandled.route_code)
    )


def _read(item: JsonValue, array_index: int) -> Draft:
    """Step 4a; the steps 4b and 4c are done for the whole request. A missing review is null."""
    event = as_object(item) or {}
    if event.get("missing_fields"):
        raise EventFault(FaultCode.ROOT_MISSING_FIELDS, "missing_fields")
    review = as_object(event.get("manual_review"))
    return Draft(
        array_index=array_index,
        event=event,
        event_type=None,
        claim=Claim(
            task_type=as_text(event["task_type"]) or "",
            task_subtype=as_text(event["task_subtype"]) or "",
            reviewed=review is not None,
            stated_result_type=as_text(event["result_type"]),
            stated_route_code=as_text(event.get("route_code")),
        ),
        manual_review=review,
        case_keys=as_object(event["case_keys"]) or {},
        extracted_fields=as_object(event["extracted_fields"]) or {},
    )
