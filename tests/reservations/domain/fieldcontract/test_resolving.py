"""Resolution of a review (R-31, R-34, R-39)."""

from dataclasses import replace
from decimal import Decimal

import pytest

from reservations.domain.fieldcontract import Override
from reservations.domain.orderkeys import OrderKeys
from tests.reservations.domain.builders import parent, unclear
from tests.reservations.domain.fieldcontract.states import (
    GROUP,
    ROOM_TYPE,
    ROOMS,
    block,
    override,
    refusal,
    resolve,
    rooms,
    state_of,
)

POINTER, DUPLICATE = "TASK_REVIEW_POINTER_INVALID", "TASK_REVIEW_POINTER_DUPLICATE"
VALUE, INCOMPLETE = "TASK_FIELD_VALUE_INVALID", "TASK_REVIEW_FIELDS_INCOMPLETE"
TYPE_POINTER = "/extracted_fields/room_items/0/pms_room_type_code"
LEGACY = "extracted_fields.pms_room_type_code"
ANSWER = {"field_pointer": TYPE_POINTER, "field_path": ROOM_TYPE, "legacy_field_path": LEGACY, "value": "RM3"}


@pytest.mark.parametrize(
    "sent",
    [
        Override(field_pointer=TYPE_POINTER, value="RM3"),
        Override(field_pointer="/extracted_fields/pms_room_type_code", value="RM3"),
        Override(field_path=ROOM_TYPE, value="RM3"),
        Override(field_path=LEGACY, value="RM3"),
        Override(legacy_field_path=LEGACY, value="RM3"),
        Override(field_pointer=TYPE_POINTER, field_path=LEGACY, value="RM3"),
        Override(TYPE_POINTER, ROOM_TYPE, LEGACY, "RM3"),
    ],
)
def test_r31_every_form_means_the_field_and_is_answered_in_main_spelling(sent):
    resolved = resolve(state_of(block()), sent)
    assert resolved.overrides == (ANSWER,)
    assert resolved.confirmed.field_values[ROOM_TYPE] == "RM3"
    assert resolved.confirmed.legacy_field_values[LEGACY] == "RM3"


@pytest.mark.parametrize(
    ("sent", "place", "code"),
    [
        (Override(field_pointer="/extracted_fields/room_items/1/room_quantity"), "/field_pointer", "NOT_SERVED"),
        (Override(field_pointer="/extracted_fields/room_items/-/room_quantity"), "/field_pointer", "NOT_SERVED"),
        (Override(field_pointer="/extracted_fields/room_items/00/room_quantity"), "/field_pointer", "NOT_SERVED"),
        (Override(field_pointer="/extracted_fields/room_items/٠/room_quantity"), "/field_pointer", "NOT_SERVED"),
        (Override(field_pointer=""), "/field_pointer", "NOT_SERVED"),
        (Override(field_pointer=f"#{TYPE_POINTER}"), "/field_pointer", "MALFORMED"),
        (Override(field_pointer=ROOM_TYPE), "/field_pointer", "MALFORMED"),
        (Override(field_pointer="/a~2"), "/field_pointer", "MALFORMED"),
        (Override(field_pointer=5), "/field_pointer", "WRONG_TYPE"),
        (Override(field_pointer=[TYPE_POINTER]), "/field_pointer", "WRONG_TYPE"),
        (Override(field_path=TYPE_POINTER), "/field_path", "NOT_SERVED"),
        (Override(field_path={}), "/field_path", "WRONG_TYPE"),
        (Override(field_path="extracted_fields.gone"), "/field_path", "NOT_SERVED"),
        (Override(TYPE_POINTER, legacy_field_path="extracted_fields.room_typo"), "/legacy_field_path", "NOT_SERVED"),
        (Override(TYPE_POINTER, ROOMS), "", "FORMS_DISAGREE"),
        (Override(TYPE_POINTER, ROOM_TYPE, "extracted_fields.room_quantity"), "", "FORMS_DISAGREE"),
        (Override(), "", "REQUIRED"),
        (Override(field_path="extracted_fields.room_type"), "", "READ_ONLY"),
        (Override(field_path="extracted_fields.rate_code"), "", "READ_ONLY"),
        (Override(field_path="extracted_fields.currency_code"), "", "NOT_SERVED"),
        (Override(field_path="manual_review.missing_fields"), "/field_path", "NOT_SERVED"),
    ],
)
def test_r34_forms_that_mean_no_writable_field_are_refused(sent, place, code):
    assert refusal(resolve, state_of(block()), sent) == (POINTER, [(f"/field_overrides/0{place}", code)])


@pytest.mark.parametrize(
    ("first", "second"), [(TYPE_POINTER, TYPE_POINTER), (TYPE_POINTER, ROOM_TYPE), (LEGACY, ROOM_TYPE)]
)
def test_r39_a_field_is_overridden_once_in_whatever_form(first, second):
    sent = (override(first, "RM3"), override(ROOMS, 2), override(second, "RM3"))
    assert refusal(resolve, state_of(block()), *sent) == (DUPLICATE, [("/field_overrides/2", "REPEATED")])


def test_r24_the_alias_is_the_same_field():
    state = state_of(parent(case_keys={"group_code": "A", "block_code": "B"}, manual_review=unclear()))
    sent = (override("/case_keys/group_code", "A"), override("/case_keys/block_code", "A"))
    assert refusal(resolve, state, *sent) == (DUPLICATE, [("/field_overrides/1", "REPEATED")])
    resolved = resolve(state, override("/case_keys/block_code", "B"))
    assert resolved.confirmed.effective_payload["case_keys"] == {"group_code": "B"}
    assert resolved.override_keys == OrderKeys(group_code="B")


@pytest.mark.parametrize(
    ("value", "code"), [("OLD", "NOT_OFFERED"), ("rm3", "NOT_OFFERED"), (3, "WRONG_TYPE"), (..., "REQUIRED")]
)
def test_r39_the_value_is_one_the_field_takes(value, code):
    assert refusal(resolve, state_of(block()), override(ROOM_TYPE, value)) == (
        VALUE,
        [("/field_overrides/0/value", code)],
    )


def test_r39_kinds_of_faults_come_in_their_order_each_with_all_its_places():
    state = state_of(block("/extracted_fields/cut_off_date"))
    wrong, twice, bad = override("x.y", 1), override(ROOMS, "2"), override("extracted_fields.arrival_date", "soon")
    assert refusal(resolve, state, wrong, twice, twice, bad, wrong)[1] == [
        ("/field_overrides/0/field_path", "NOT_SERVED"),
        ("/field_overrides/4/field_path", "NOT_SERVED"),
    ]
    assert refusal(resolve, state, twice, twice, bad)[0] == DUPLICATE
    assert refusal(resolve, state, bad, twice) == (
        VALUE,
        [
            ("/field_overrides/0/value", "WRONG_TYPE"),
            ("/field_overrides/1/value", "WRONG_TYPE"),
        ],
    )


def test_r39_every_missing_field_is_overridden_with_a_value():
    items = [{"room_quantity": 12, "pms_room_type_code": "DLX"}]
    asked = ("/extracted_fields/room_quantity", "/extracted_fields/cut_off_date", "/extracted_fields/block_status")
    state = state_of(block(*asked, extracted={"room_items": items, "cut_off_date": "2026-08-01"}))
    sent = (override("extracted_fields.block_status", None), override(ROOMS, Decimal("12.0")))
    assert refusal(resolve, state, *sent) == (
        INCOMPLETE,
        [("/field_overrides/0/value", "REQUIRED"), ("/extracted_fields/cut_off_date", "REQUIRED")],
    )
    sent = (
        override("extracted_fields.block_status", "DEF"),
        sent[1],
        override("extracted_fields.cut_off_date", "2026-08-20"),
    )
    assert [given["value"] for given in resolve(state, *sent).overrides] == ["DEF", 12, "2026-08-20"]


def test_r39_what_the_agent_sent_for_a_missing_field_is_not_judged():
    state = state_of(block(extracted={"room_items": [{"room_quantity": 12, "pms_room_type_code": "Lake view"}]}))
    assert refusal(resolve, state) == (INCOMPLETE, [(TYPE_POINTER, "REQUIRED")])


def test_r36_a_draft_does_not_count_for_a_resolution():
    state = state_of(
        block(extracted={"group_name": None}), draft={ROOM_TYPE: "RM3", "extracted_fields.group_name": "G"}
    )
    assert refusal(resolve, state) == (
        INCOMPLETE,
        [("/extracted_fields/group_name", "REQUIRED"), (TYPE_POINTER, "REQUIRED")],
    )


def test_r39_other_fields_may_be_overridden_too_and_what_is_required_is_asked_for():
    state = state_of(block(extracted={"group_name": None}))
    sent = (override(ROOM_TYPE, "RM3"), override("extracted_fields.group_name", "Autumn"))
    assert resolve(state, *sent).confirmed.field_values["extracted_fields.group_name"] == "Autumn"
    cleared = override("extracted_fields.arrival_date", None)
    assert refusal(resolve, state, *sent, cleared) == (INCOMPLETE, [("/field_overrides/2/value", "REQUIRED")])


def test_r39_dates_are_compared():
    sent = (override(ROOM_TYPE, "RM3"), override("extracted_fields.departure_date", "2026-09-10"))
    assert refusal(resolve, state_of(block()), *sent) == (VALUE, [("/field_overrides/1/value", "DATE_ORDER")])


def test_r39_a_group_needs_one_value():
    asked = block().get("manual_review")
    state = state_of(rooms(case_keys={}, manual_review=asked))
    places = ["/case_keys/confirmation_number", "/case_keys/group_code", "/case_keys/booking_code"]
    assert refusal(resolve, state, override(ROOM_TYPE, "RM3")) == (
        INCOMPLETE,
        [(place, "REQUIRED_GROUP") for place in places],
    )


def test_r38_a_resolution_asks_for_no_visible_reason():
    state = state_of(block(), needs_visible_reason=True)
    assert resolve(state, override(ROOM_TYPE, "RM3")).overrides == (ANSWER,)


def test_r39_the_pair_of_a_known_type_is_the_cards_own():
    resolved = resolve(state_of(block()), override(ROOM_TYPE, "RM3"))
    assert (resolved.decided_pair, resolved.pair) == (None, ("New Booking", "new_group_block"))


def test_r60_basic_information_in_review_asks_for_nothing():
    context = {"order_type": "FIT", "display_name": "A", "account_code": "AC100", "market_code": "LEI"}
    state = replace(
        state_of(block()),
        task_type="Basic Information",
        task_subtype="",
        manual_review=None,
        derived_case_keys={},
        event={"order_context": {**context, "source_code": "EML"}},
    )
    assert resolve(state).confirmed.field_values["order_context.display_name"] == "A"


def test_keys_of_an_override_are_trimmed():
    state = state_of(
        block(
            f"/{GROUP.replace('.', '/')}", extracted={"room_items": [{"room_quantity": 1, "pms_room_type_code": "DLX"}]}
        )
    )
    assert resolve(state, override(GROUP, " G-1 ")).override_keys == OrderKeys(group_code="G-1")
