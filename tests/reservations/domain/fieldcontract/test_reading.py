"""The rows of `fields[]` (R-30, R-32)."""

from dataclasses import replace

import pytest

from reservations.data import matrix
from reservations.domain.fieldcontract import CardState, Option
from tests.reservations.domain.builders import parent, review, unclear
from tests.reservations.domain.fieldcontract.states import (
    GROUP,
    OPTIONS,
    ROOM_TYPE,
    ROOMS,
    block,
    confirm,
    field,
    fit,
    paths,
    read,
    state_of,
)

OVERRIDES = "review_resolution.field_overrides"


def access(state, path):
    found = field(state, path)
    return found.edit_scope, found.write_target


def codes(state, path):
    offered = field(state, path).options
    return None if offered is None else [option.code for option in offered]


def test_r30_rows_come_in_the_order_of_the_matrix():
    state = state_of(fit())
    card = matrix().card("New Booking", "new_fit_booking")
    assert paths(state) == [row.field_path for row in card.rows if row.field_path in set(paths(state))]


def test_r32_access_on_a_card_to_confirm():
    state = state_of(fit())
    assert access(state, ROOMS) == ("normal", "field_values")
    assert access(state, "extracted_fields.room_items.0.room_type_raw") == ("readonly", "none")
    assert access(state, "extracted_fields.rate_code") == ("readonly", "none")


def test_r32_access_on_a_card_in_review():
    state = state_of(block())
    assert access(state, ROOM_TYPE) == ("manual_review_only", OVERRIDES)
    assert access(state, ROOMS) == ("normal", OVERRIDES)
    assert access(state, "extracted_fields.room_items.0.room_type_raw") == ("readonly", "none")


@pytest.mark.parametrize("sent", [fit(), block()])
def test_r32_everything_is_read_only_on_a_card_that_is_closed(sent):
    state = state_of(sent, open=False, pending_review=False)
    assert {access(state, path) for path in paths(state)} == {("readonly", "none")}


def test_r32_a_select_without_its_catalogue_is_text_with_a_hint():
    found = field(state_of(fit({"rate_code": "BAR1"})), "extracted_fields.rate_code")
    assert (found.control_type, found.options, found.value) == ("readonly_text", None, "BAR1")
    assert found.row.control_hint is not None


@pytest.mark.parametrize("drafted", [{}, {ROOM_TYPE: "RM3"}])
def test_r36_a_field_stays_missing_whatever_agent_or_draft_gave(drafted):
    items = [{"room_quantity": 1, "pms_room_type_code": "DLX"}]
    state = state_of(block(extracted={"room_items": items}), draft=drafted)
    found = field(state, ROOM_TYPE)
    assert (found.missing, found.required) == (True, True)
    assert (found.value, found.ai_value) == (drafted.get(ROOM_TYPE, "DLX"), "DLX")


def test_r30_an_optional_field_the_review_asks_for_is_required():
    state = state_of(block("/extracted_fields/cut_off_date"))
    assert field(state, "extracted_fields.cut_off_date").required is True
    assert field(replace(state, pending_review=False), "extracted_fields.cut_off_date").required is False


def test_r32_the_present_value_is_offered_although_it_is_no_longer_active():
    old = fit({"room_items": [{"room_quantity": 1, "pms_room_type_code": "OLD"}]})
    assert "OLD" in codes(state_of(old), ROOM_TYPE)
    assert codes(state_of(fit()), ROOM_TYPE) == ["SU1", "RM3", "DLX", "TWN", "STD", "FAM"]


def test_r32_options_come_from_the_row_the_catalogue_and_the_mail():
    state = state_of(fit(), options={**OPTIONS, "market_code_catalog": (Option("LEI", ("Leisure", "休闲")),)})
    assert codes(state, "extracted_fields.meal_plan") == ["RO", "BB", "HB", "FB", "AI"]
    assert codes(state, "extracted_fields.market_code") == ["LEI"]
    assert codes(replace(state, options={}), "extracted_fields.market_code") == []
    assert codes(state, "extracted_fields.guest_name") is None


def test_r43_quotes_stand_with_the_field_they_are_about_and_with_what_the_review_doubts():
    excerpt = {"pointer": "/relevant_message_excerpt", "text": "12 rooms"}
    quote = {"pointer": "/manual_review/evidence/0/excerpt", "text": "as discussed"}
    asked = review(
        f"/{ROOM_TYPE.replace('.', '/')}", uncertain_fields=["/extracted_fields/room_quantity", 5, "/nowhere"]
    )
    state = state_of(block(manual_review=asked), evidence=[excerpt, quote])
    held = {row.row.field_path: row.evidence for row in read(state).rows if row.evidence}
    assert held == {ROOMS: [quote], ROOM_TYPE: [quote], "relevant_message_excerpt": [excerpt]}


def test_r22_an_unclear_parent_shows_no_key_and_asks_for_the_group_code():
    keys = {"group_code": "ALT-SPR", "block_code": "BLK-SUM"}
    state = state_of(parent(case_keys=keys, manual_review=unclear()))
    found = field(state, GROUP)
    assert (found.value, found.ai_value, found.missing) == (None, None, True)


def test_r22_a_target_that_is_known_is_not_asked_for():
    state = state_of(parent(manual_review=unclear("/extracted_fields/cancel_reason_code")))
    assert field(state, GROUP).missing is False


def test_r23_the_derived_value_is_shown_and_is_not_the_agents():
    found = field(state_of(parent()), "extracted_fields.cancel_object_type")
    assert (found.value, found.ai_value, found.edit_scope) == ("allotment_control_block", None, "readonly")


def test_r30_reading_gives_the_three_forms_of_the_effective_values():
    state = state_of(fit())
    found, confirmed = read(state), confirm(state)
    assert found.field_values == confirmed.field_values
    assert found.legacy_field_values == confirmed.legacy_field_values
    assert found.effective_payload == confirmed.effective_payload


def basic(**context) -> CardState:
    plain = {"order_type": "FIT", "display_name": "Guest A", "account_code": "AC100", "market_code": "LEI"}
    return replace(
        state_of(fit()),
        task_type="Basic Information",
        task_subtype="",
        event={"order_context": {**plain, "source_code": "EML", **context}},
        derived_case_keys={},
    )


@pytest.mark.parametrize(("kind", "key"), [("FIT", "confirmation_number"), ("GROUP", "group_code")])
def test_r59_basic_information_is_a_card_like_the_others(kind, key):
    state = basic(order_type=kind)
    assert f"order_context.{key}" in paths(state)
    confirmed = confirm(state, {f"order_context.{key}": "K-1", "order_context.account_code": "AC200"})
    assert confirmed.field_values[f"order_context.{key}"] == "K-1"
    assert confirmed.effective_payload["order_context"]["account_code"] == "AC200"
    assert codes(state, "order_context.order_type") == ["FIT", "GROUP", "ALLOTMENT"]
