"""Valid packages of every kind, to be bent by the tests, and a short way to judge them."""

from __future__ import annotations

from copy import deepcopy
from decimal import Decimal
from typing import Any

from reservations.data import catalog, matrix
from reservations.domain.contract import Judgement, MailFacts, classify, judge, read_identity

MESSAGE_ID = "m1@lakeside.example"
FILES = ("att-1", "att-2")
SPLIT = "linked_parent_release_after_child_split"
PARENT = ("Cancel Allotment", "cancel_allotment_control_block")
VOUCHER = ("Payment", "register_payment_voucher")

Json = Any


def source_message(**changes: Json) -> dict[str, Json]:
    return {"source_message_id": MESSAGE_ID, "source_channel": "Email", "attachments": [], **changes}


def event(
    task_type: str = "Trace Reservation Notes", task_subtype: str = "add_reservation_note", /, **changes: Json
) -> Json:
    """A valid normal event; keys given as `...` are left out."""
    plain = {
        "event_type": task_type,
        "task_subtype": task_subtype,
        "case_keys": {"confirmation_number": "8801305"},
        "extracted_fields": {},
        "relevant_message_excerpt": "please note",
        "manual_review": None,
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not ...}


def review(*missing: str, **changes: Json) -> Json:
    """Nine complete fields of a type-known review that asks for the given pointers."""
    plain = {
        "review_type": "type_known_review",
        "reason_code": "missing_required_field",
        "reason_summary": "Something is not in the mail.",
        "missing_fields": list(missing),
        "uncertain_fields": [],
        "evidence": [{"excerpt": "as discussed", "source": "email_body"}],
        "context_used": {},
        "suggested_actions": ["Check the source mail"],
        "confidence": Decimal("0.5"),
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not ...}


def fallback(**changes: Json) -> Json:
    asked = review(review_type="business_event_review", reason_code="business_type_unclear")
    return event("Fallback", "business_event_review", **{"manual_review": asked, **changes})


def parent(**changes: Json) -> Json:
    plain = {
        "case_keys": {"group_code": "ALT-LKS"},
        "extracted_fields": {"cancel_scope": "entire_allotment_control_block"},
    }
    return event(*PARENT, **{**plain, **changes})


def child(code: str, parent_index: int | None, **changes: Json) -> Json:
    plain: dict[str, Json] = {"case_keys": {"group_code": code}, "extracted_fields": {"group_name": code}}
    if parent_index is not None:
        plain["relationships"] = [relation("child", parent_event_index=parent_index, parent_group_code="ALT-LKS")]
    return event("New Booking", "new_group_block", **{**plain, **changes})


def relation(role: str, **members: Json) -> Json:
    return {"relationship_type": SPLIT, "role": role, **members}


def releases(*children: int) -> list[Json]:
    """The relations of a parent event."""
    return [relation("parent", child_event_indexes=list(children))]


def split() -> list[Json]:
    """Two children and their parent, whole and one-to-one."""
    return [child("LKS-A", 3), child("LKS-B", 3), parent(relationships=releases(1, 2))]


def unclear(*missing: str, **changes: Json) -> Json:
    """A review that does not know which parent is meant, and names two."""
    candidates = [
        {"group_code": "ALT-SPR", "block_code": None, "source": "email_body", "evidence": "the allotment ALT-SPR"},
        {"group_code": None, "block_code": "BLK-SUM", "source": "system_context", "evidence": "block BLK-SUM"},
    ]
    plain = {"reason_code": "target_object_unclear", "context_used": {"parent_identity_candidates": candidates}}
    return review(*missing, **{**plain, **changes})


def package(*events: Json, **changes: Json) -> Json:
    plain = {
        "source_message": source_message(),
        "message_events": list(events),
        "case_candidates": [],
        "extraction_warnings": [],
        "unhandled_current_intents": [],
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not ...}


def notice(route_code: str = "S10", **changes: Json) -> Json:
    plain = {
        "result_type": "source_message_review_notification",
        "route_code": route_code,
        "source_message": source_message(),
        "agent_assessment": "A thank-you note.",
        "notification": {"title": "Information", "body": "Nothing to do."},
        "manual_review": entry_review() if route_code == "S99" else None,
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not ...}


def entry_review(**changes: Json) -> Json:
    return review(**{"review_type": "main_agent_entry_review", "reason_code": "input_insufficient", **changes})


def item(task_type: str = "New Booking", task_subtype: str = "new_fit_booking", /, **changes: Json) -> Json:
    """A valid V2 item."""
    plain = {
        "result_type": "normal_task",
        "task_type": task_type,
        "task_subtype": task_subtype,
        "case_keys": {"booking_code": "LT-55012"},
        "extracted_fields": {"guest_name": "Guest A"},
        "visible_reason": "Please book",
    }
    return {key: value for key, value in {**plain, **changes}.items() if value is not ...}


def old_package(*items: Json) -> Json:
    return {"source_message_id": MESSAGE_ID, "ai_task_results": list(items)}


def every_event() -> list[Json]:
    """A valid event for each of the 37 routes that an event can take, normal and review."""
    return [
        *(_of_subtype(subtype, reviewed) for subtype in catalog().subtypes for reviewed in (False, True)),
        fallback(),
    ]


def _of_subtype(subtype: Any, reviewed: bool) -> Json:
    changes: dict[str, Json] = {}
    if (subtype.task_type, subtype.task_subtype) == PARENT:
        changes["case_keys"] = {"group_code": f"ALT-{reviewed}"}
    if (subtype.task_type, subtype.task_subtype) == VOUCHER:
        changes["extracted_fields"] = {"attachment_ids": ["att-1"]}
    if reviewed:
        card = matrix().card(subtype.task_type, subtype.task_subtype)
        assert card is not None
        changes["manual_review"] = review(next(row.field_pointer for row in card.rows if row.editable))
    return event(subtype.task_type, subtype.task_subtype, **changes)


def judged(body: Json, *, files: tuple[str, ...] = FILES) -> Judgement:
    """The way of a body through identity, root and judgement; the body must come out as it went in."""
    before = deepcopy(body)
    read_identity(body)
    judgement = judge(body, classify(body), catalog=catalog(), matrix=matrix(), mail=MailFacts(frozenset(files)))
    assert body == before
    return judgement


def codes(*events: Json, files: tuple[str, ...] = FILES, **changes: Json) -> dict[int, str]:
    """The faults of a V3 package by index; events that are absent here became cards."""
    return {
        fault.source_event_index: str(fault.code) for fault in judged(package(*events, **changes), files=files).faults
    }


def card_of(*events: Json, files: tuple[str, ...] = FILES) -> Any:
    """The only card of a V3 package."""
    (card,) = judged(package(*events), files=files).cards
    return card
