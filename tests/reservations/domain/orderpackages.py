"""Valid V4 packages, to be bent by the tests, and a short way to judge them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

from reservations.data import catalog, matrix
from reservations.domain.contract import Generation, Judgement, MailFacts, RootKind, classify, read_identity
from reservations.domain.contract.events import Rules
from reservations.domain.contract.v4 import judge_v4, judge_v4_notice
from reservations.domain.errors import AdapterContractRefused, AdapterDetail
from tests.reservations.domain.builders import FILES, entry_review, relation, review, source_message

Json = Any
LITERALS = {"catalog_code": "M002V4", "skill_id": "booking-desk-event-v4", "field_contract_version": "20260718-v4"}
SCOPE = {"cancel_scope": "entire_allotment_control_block"}


def without_absent(members: dict[str, Json]) -> Json:
    """Keys given as `...` are left out."""
    return {key: value for key, value in members.items() if value is not ...}


def order(order_ref: str = "O1", order_type: str = "FIT", /, **changes: Json) -> Json:
    """An order context whose one identifier is a key of its kind."""
    name = "BOOKING_CODE" if order_type == "FIT" else "GROUP_CODE"
    plain = {
        "order_ref": order_ref,
        "order_type": order_type,
        "identifiers": {name: f"{order_type}-{order_ref}"},
        "display_name": "Guest A",
        "arrival_date": "2026-08-03",
        "departure_date": None,
        "account_code": "AC100",
        "market_code": "LEI",
        "source_code": "EML",
    }
    return without_absent({**plain, **changes})


def order_event(
    event_type: str = "TRACE_RESERVATION_NOTES", task_subtype: Json = "add_reservation_note", /, **changes: Json
) -> Json:
    plain = {
        "order_ref": "O1",
        "event_type": event_type,
        "task_subtype": task_subtype,
        "result_type": "normal_task" if changes.get("manual_review") is None else "manual_review",
        "manual_review": None,
        "extracted_fields": {},
        "relevant_message_excerpt": "please note",
    }
    return without_absent({**plain, **changes})


def update(task_subtype: Json = "update_stay_dates", /, **changes: Json) -> Json:
    plain = {"before": {"arrival_date": "2026-08-03"}, "after": {"arrival_date": "2026-08-04"}}
    return order_event("UPDATE_BOOKING", task_subtype, **{**plain, **changes})


def payment(task_subtype: Json = "record_deposit_payment", /, **changes: Json) -> Json:
    return order_event("PAYMENT", task_subtype, **{"attachment_ids": ["att-1"], **changes})


def release(**changes: Json) -> Json:
    """The release of the parent group of the order P."""
    plain = {"order_ref": "P", "extracted_fields": SCOPE}
    return order_event("CANCEL_BOOKING", "cancel_allotment_control_block", **{**plain, **changes})


def order_package(*events: Json, orders: Json = None, **changes: Json) -> Json:
    """A package of one FIT order, or of the given ones."""
    plain = {
        "route_code": None,
        **LITERALS,
        "source_message": source_message(attachments=[{"id": "att-1"}, {"id": "att-2"}]),
        "order_contexts": [order()] if orders is None else orders,
        "message_events": list(events),
    }
    return without_absent({**plain, **changes})


def order_notice(route_code: str = "S10", **changes: Json) -> Json:
    plain = {"route_code": route_code, "manual_review": entry_review() if route_code == "S99" else None}
    return order_package(**{"orders": [], **plain, **changes})


def split_package() -> Json:
    """Two children, the release of their parent, and a trace on the first child."""
    orders = [order("A", "GROUP"), order("B", "GROUP"), order("P", "ALLOTMENT")]
    family = {"parent_event_index": 3, "parent_group_code": "ALLOTMENT-P"}
    children = [
        order_event("NEW_BOOKING", "new_group_block", order_ref=ref, relationships=[relation("child", **family)])
        for ref in ("A", "B")
    ]
    parent = release(relationships=[relation("parent", child_event_indexes=[1, 2])])
    return order_package(*children, parent, order_event(order_ref="A", applies_to_event_indexes=[1]), orders=orders)


def every_order_package() -> list[Json]:
    """For each subtype, order type and kind of result a package with one valid event."""
    return [
        order_package(_of_subtype(subtype, reviewed), orders=[order("O1", order_type)])
        for subtype in catalog().subtypes
        for order_type in subtype.v4.order_types
        for reviewed in (False, True)
    ]


def _of_subtype(subtype: Any, reviewed: bool) -> Json:
    changes: dict[str, Json] = {}
    if subtype.task_subtype == "register_payment_voucher":
        changes["attachment_ids"] = ["att-1"]
    if reviewed:
        card = matrix().card(subtype.task_type, subtype.task_subtype)
        assert card is not None
        changes["manual_review"] = review(next(row.field_pointer for row in card.rows if row.editable))
    return order_event(subtype.v4.event_type, subtype.task_subtype, **changes)


def judged(body: Json, *, files: tuple[str, ...] = FILES) -> Judgement:
    """The way of a body through identity, root and judgement; the body must come out as it went in."""
    before = deepcopy(body)
    judgement = judge_as_sent(body, files=files)
    assert body == before
    return judgement


def judge_as_sent(body: Json, *, files: tuple[str, ...] = FILES) -> Judgement:
    read_identity(body)
    root = classify(body)
    if root.generation is not Generation.V4:
        raise AdapterContractRefused("No V4.", detail_code=AdapterDetail.ROOT_UNKNOWN)
    if root.kind is RootKind.NOTICE:
        return judge_v4_notice(body, catalog=catalog())
    return judge_v4(body, Rules(catalog(), matrix(), MailFacts(frozenset(files))))


def codes(*events: Json, files: tuple[str, ...] = FILES, **changes: Json) -> dict[int, str]:
    """The faults of a package by index; events that are absent here became cards."""
    judgement = judged(order_package(*events, **changes), files=files)
    return {fault.source_event_index: str(fault.code) for fault in judgement.faults}


def card_of(event: Json, *orders: Json, files: tuple[str, ...] = FILES) -> Any:
    """The only card of a package."""
    (card,) = judged(order_package(event, orders=list(orders) or None), files=files).cards
    return card
