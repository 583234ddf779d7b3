"""A person decides what a Fallback card is about (R-40)."""

from dataclasses import replace

import pytest

from reservations.data import catalog, matrix
from tests.reservations.domain.builders import fallback, review
from tests.reservations.domain.fieldcontract.states import (
    GROUP,
    draft,
    field,
    override,
    paths,
    read,
    refusal,
    resolve,
    state_of,
)

TYPE, SUBTYPE = "review_decision.task_type", "review_decision.task_subtype"
CANCEL = {TYPE: "Cancel Booking", SUBTYPE: "cancel_group_block"}
SCOPE, REASON = "extracted_fields.cancel_scope", "extracted_fields.cancel_reason_code"


def card(**changes):
    asked = review(
        "/review_decision/task_type",
        "/review_decision/task_subtype",
        review_type="business_event_review",
        reason_code="business_type_unclear",
    )
    return state_of(fallback(case_keys={"group_code": "NL-0910"}, manual_review=asked, **changes))


def overrides(values):
    return [override(path, value) for path, value in values.items()]


def decided(state):
    return [path for path in paths(state) if path not in paths(card())]


def test_r40_without_a_decision_the_card_asks_for_one():
    state = card()
    assert paths(state) == [
        GROUP,
        "case_keys.confirmation_number",
        "case_keys.booking_code",
        TYPE,
        SUBTYPE,
        "relevant_message_excerpt",
    ]
    assert field(state, SUBTYPE).options == ()


def test_r40_the_types_are_those_of_the_row_and_the_subtypes_those_of_the_type():
    state = replace(card(), draft={TYPE: "Cancel Booking"})
    assert [option.code for option in field(state, TYPE).options] == ["New Booking", "Update Booking", "Cancel Booking"]
    assert [option.code for option in field(state, SUBTYPE).options] == [
        "cancel_fit_booking",
        "cancel_group_block",
        "cancel_partial_rooms",
    ]


def test_r40_a_draft_of_the_decision_shows_the_decided_card():
    state = replace(card(), draft=CANCEL)
    cancel = matrix().card("Cancel Booking", "cancel_group_block")
    shown = [row.field_path for row in cancel.rows if row.display_condition is None]
    assert paths(state) == [TYPE, SUBTYPE, *shown, "case_keys.confirmation_number"]
    assert field(state, REASON).write_target == "review_resolution.field_overrides"
    assert field(state, SUBTYPE).edit_scope == "manual_review_only"


def test_r40_a_draft_may_fill_the_decided_card_at_once():
    sent = {**CANCEL, REASON: "PLAN"}
    assert draft(card(), sent) == sent
    assert field(replace(card(), draft=sent), REASON).value == "PLAN"


def test_r40_a_draft_of_another_card_is_refused():
    place = "/field_values/extracted_fields.adults"
    assert refusal(draft, card(), {**CANCEL, "extracted_fields.adults": 2})[1] == [(place, "NOT_SERVED")]


def test_r40_a_draft_may_hold_half_a_decision():
    assert draft(card(), {SUBTYPE: "cancel_group_block"}) == {SUBTYPE: "cancel_group_block"}
    mixed = {TYPE: "New Booking", SUBTYPE: "cancel_group_block"}
    assert draft(card(), mixed) == mixed
    assert decided(replace(card(), draft=mixed)) == []


@pytest.mark.parametrize(
    ("task_type", "task_subtype"),
    [
        ("Payment", "record_deposit_payment"),
        ("Cancel Allotment", "cancel_allotment_control_block"),
        ("Cancel Booking", "linked_parent_release_after_child_split"),
        ("Fallback", "business_event_review"),
        ("cancel booking", "cancel_group_block"),
    ],
)
def test_r40_other_types_and_retired_subtypes_cannot_be_decided(task_type, task_subtype):
    sent = {TYPE: task_type, SUBTYPE: task_subtype}
    assert refusal(resolve, card(), *overrides(sent))[0] == "TASK_FIELD_VALUE_INVALID"
    assert decided(replace(card(), draft=sent)) == []


def test_r40_the_subtype_belongs_to_the_type():
    sent = {TYPE: "New Booking", SUBTYPE: "cancel_group_block"}
    assert refusal(resolve, card(), *overrides(sent)) == (
        "TASK_FIELD_VALUE_INVALID",
        [("/field_overrides/1/value", "SUBTYPE_OF_OTHER_TYPE")],
    )


def test_r40_the_request_carries_what_the_decided_card_requires():
    assert refusal(resolve, card(), *overrides(CANCEL)) == (
        "TASK_REVIEW_FIELDS_INCOMPLETE",
        [("/extracted_fields/cancel_scope", "REQUIRED"), ("/extracted_fields/cancel_reason_code", "REQUIRED")],
    )


@pytest.mark.parametrize("sent", [{}, {TYPE: "Cancel Booking"}])
def test_r40_the_decision_itself_is_required(sent):
    code, places = refusal(resolve, replace(card(), draft=CANCEL), *overrides(sent))
    asked = [("/review_decision/task_type", "REQUIRED"), ("/review_decision/task_subtype", "REQUIRED")]
    assert (code, places) == ("TASK_REVIEW_FIELDS_INCOMPLETE", asked[len(sent) :])


def test_r40_a_field_of_the_decided_card_needs_the_decision_in_the_same_request():
    state = replace(card(), draft=CANCEL)
    assert refusal(resolve, state, override(REASON, "PLAN"))[0] == "TASK_REVIEW_POINTER_INVALID"


def test_r40_a_decision_is_resolved_with_the_pair_that_operations_follow():
    sent = {**CANCEL, SCOPE: "entire_group_block", REASON: "PLAN"}
    resolved = resolve(card(), *overrides(sent))
    assert resolved.decided_pair == resolved.pair == ("Cancel Booking", "cancel_group_block")
    assert resolved.confirmed.field_values == {**sent, GROUP: "NL-0910", "relevant_message_excerpt": "please note"}
    assert resolved.confirmed.effective_payload["event_type"] == "Fallback"


def test_r40_a_resolved_card_shows_the_decided_fields_read_only():
    sent = {**CANCEL, SCOPE: "entire_group_block", REASON: "PLAN"}
    resolved = resolve(card(), *overrides(sent))
    state = replace(
        card(),
        pending_review=False,
        open=False,
        confirmed=resolved.confirmed.effective_payload,
        decided_pair=resolved.decided_pair,
    )
    assert read(state).field_values == resolved.confirmed.field_values
    assert {row.edit_scope for row in read(state).rows} == {"readonly"}


def test_r67_the_agent_decides_nothing():
    state = card(review_decision={"task_type": "Cancel Booking", "task_subtype": "cancel_group_block"})
    assert decided(state) == []
    assert (field(state, TYPE).value, field(state, TYPE).ai_value) == (None, None)
    assert refusal(resolve, state)[0] == "TASK_REVIEW_FIELDS_INCOMPLETE"


@pytest.mark.parametrize(
    "pair",
    [
        (found.task_type, found.task_subtype)
        for found in catalog().subtypes
        if found.task_type in ("New Booking", "Update Booking", "Cancel Booking")
    ],
    ids=lambda pair: pair[1],
)
def test_r40_every_decision_serves_every_field_once(pair):
    state = replace(card(), draft={TYPE: pair[0], SUBTYPE: pair[1]})
    shown = paths(state)
    assert shown[:2] == [TYPE, SUBTYPE]
    assert len(shown) == len(set(shown))
    assert {GROUP, "case_keys.confirmation_number", "case_keys.booking_code"} <= set(shown)
