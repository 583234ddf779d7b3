"""R-40: deciding what a Fallback card is, through the API."""

import pytest

from reservations.data import catalog, matrix
from tests.reservations.board import (
    answered,
    keys_of,
    only_lines,
    override,
    places,
)
from tests.reservations.domain.builders import fallback
from tests.reservations.opera import payloads

pytestmark = pytest.mark.django_db
CONFIRMATION, GROUP_CODE, BOOKING = "case_keys.confirmation_number", "case_keys.group_code", "case_keys.booking_code"
ADULTS, GUEST_NAME = "extracted_fields.adults", "extracted_fields.guest_name"
DECIDED_TYPE, DECIDED_SUBTYPE = "review_decision.task_type", "review_decision.task_subtype"
DECIDABLE = [one for one in catalog().subtypes if one.task_type in ("New Booking", "Update Booking", "Cancel Booking")]
LINE = "MANUAL_REVIEW_RESOLVE_REFUSED"


def decision(task_type, task_subtype):
    return [override(DECIDED_TYPE, task_type), override(DECIDED_SUBTYPE, task_subtype)]


def pair(subtype):
    return subtype.task_type, subtype.task_subtype


def needed(subtype):
    """An override for everything the card of this subtype requires."""
    card = matrix().card(subtype.task_type, subtype.task_subtype)
    fields = payloads.minimal(subtype)
    wanted = [row for row in card.rows if row.editable and (row.required or in_group(card, row))]
    return [override(row.field_path, found(fields, row)) for row in wanted if found(fields, row) is not None]


def in_group(card, row):
    return any(row.field_path == group.fields[0] for group in card.required_groups)


def found(fields, row):
    value = fields
    for step in row.field_path.split("."):
        value = value[int(step)] if isinstance(value, list) else (value or {}).get(step)
    return value


@pytest.mark.parametrize("subtype", DECIDABLE, ids=lambda subtype: subtype.task_subtype)
def test_r40_every_decision_ends_ready_with_two_operations(board, subtype):
    card = board.card(fallback(case_keys={}))
    response = board.resolve(card, *decision(subtype.task_type, subtype.task_subtype), *needed(subtype))
    assert answered(response) == 200, response.json()
    answer, shown = response.json(), board.get(card)
    assert (answer["task_status"], answer["review_status"], len(answer["opera_operations"])) == (
        "READY",
        "RESOLVED",
        2,
    )
    assert shown["system_task_type"] == catalog().find("manual_review", *pair(subtype)).system_task_type
    assert (shown["ai_task_type"], shown["ai_task_subtype"]) == ("Fallback", "business_event_review")
    assert answer["confirmed_payload"]["field_values"][DECIDED_SUBTYPE] == subtype.task_subtype


@pytest.mark.parametrize("subtype", DECIDABLE, ids=lambda subtype: subtype.task_subtype)
def test_r40_a_decision_without_what_its_card_requires_is_incomplete(board, subtype):
    card = board.card(fallback(case_keys={}))
    with only_lines(LINE):
        refused = board.resolve(card, *decision(*pair(subtype)))
    assert answered(refused) == (422, "TASK_REVIEW_FIELDS_INCOMPLETE")


@pytest.mark.parametrize(
    ("task_type", "task_subtype", "code"),
    [
        ("Cancel Allotment", "cancel_allotment_control_block", "TASK_FIELD_VALUE_INVALID"),
        ("Payment", "record_deposit_payment", "TASK_FIELD_VALUE_INVALID"),
        ("Fallback", "business_event_review", "TASK_FIELD_VALUE_INVALID"),
        ("New Booking", "cancel_fit_booking", "TASK_FIELD_VALUE_INVALID"),
        ("Cancel Booking", "linked_parent_release_after_child_split", "TASK_FIELD_VALUE_INVALID"),
        ("new booking", "new_fit_booking", "TASK_FIELD_VALUE_INVALID"),
        ("New Booking", None, "TASK_REVIEW_FIELDS_INCOMPLETE"),
        (None, "new_fit_booking", "TASK_REVIEW_FIELDS_INCOMPLETE"),
    ],
)
def test_r40_only_new_update_and_cancel_can_be_decided(board, task_type, task_subtype, code):
    card = board.card(fallback(case_keys={}))
    with only_lines(LINE):
        assert answered(board.resolve(card, *decision(task_type, task_subtype))) == (422, code)


def test_r40_without_a_decision_it_is_incomplete(board):
    refused = board.resolve(board.card(fallback(case_keys={})), override(CONFIRMATION, "C-1"))
    assert answered(refused) == (422, "TASK_REVIEW_FIELDS_INCOMPLETE")
    assert places(refused) == ["/review_decision/task_type", "/review_decision/task_subtype"]


def test_r40_a_field_of_a_card_that_was_not_decided_is_no_field(board):
    entries = [*decision("Cancel Booking", "cancel_fit_booking"), override("extracted_fields.note_text", "x")]
    assert answered(board.resolve(board.card(fallback()), *entries)) == (422, "TASK_REVIEW_POINTER_INVALID")


def test_r25_the_kind_of_the_order_follows_the_decision(board):
    subtype = catalog().subtype("New Booking", "new_group_block")
    card = board.card(fallback(case_keys={}))
    board.resolve(card, *decision(*pair(subtype)), *needed(subtype), override(BOOKING, "B-9"))
    assert keys_of(board.order(card)) == ("GROUP", None, None, "B-9")


def test_r40_the_agent_decides_nothing(board):
    claimed = {"review_decision": {"task_type": "New Booking", "task_subtype": "new_fit_booking"}}
    card = board.card(fallback(**claimed))
    assert board.field(card, GUEST_NAME) is None
    assert board.field(card, DECIDED_TYPE)["value"] is None
    assert answered(board.resolve(card)) == (422, "TASK_REVIEW_FIELDS_INCOMPLETE")


def test_r40_a_drafted_decision_does_not_decide(board):
    card = board.card(fallback())
    board.draft(card, {DECIDED_TYPE: "Cancel Booking", DECIDED_SUBTYPE: "cancel_fit_booking"})
    assert answered(board.resolve(card, override("extracted_fields.cancel_reason_code", "PLAN"))) == (
        422,
        "TASK_REVIEW_POINTER_INVALID",
    )


def test_r40_a_resolved_fallback_shows_the_decided_fields_read_only(board):
    subtype = catalog().subtype("Cancel Booking", "cancel_fit_booking")
    card = board.card(fallback(case_keys={}))
    board.resolve(card, *decision(*pair(subtype)), *needed(subtype))
    rows = {row["field_path"]: row for row in board.get(card)["fields"]}
    assert rows["extracted_fields.cancel_reason_code"]["value"] is not None
    assert {row["edit_scope"] for row in rows.values()} == {"readonly"}
