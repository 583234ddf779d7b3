"""Draft and confirmation (R-36 to R-38)."""

from dataclasses import replace
from decimal import Decimal

import pytest

from tests.reservations.domain.builders import event, parent
from tests.reservations.domain.fieldcontract.states import (
    GROUP,
    ROOM_TYPE,
    ROOMS,
    SCOPE,
    block,
    confirm,
    draft,
    field,
    fit,
    refusal,
    rooms,
    state_of,
)

ADULTS = "extracted_fields.adults"
GUEST = "extracted_fields.guest_name"
ARRIVAL = "extracted_fields.arrival_date"
DEPARTURE = "extracted_fields.departure_date"
PATH, VALUE, INCOMPLETE = "TASK_FIELD_PATH_INVALID", "TASK_FIELD_VALUE_INVALID", "TASK_FIELDS_INCOMPLETE"
WRITES = pytest.mark.parametrize("write", [draft, confirm])


def test_r37_a_confirmation_gives_values_in_main_paths_in_the_order_of_the_fields():
    confirmed = confirm(state_of(fit()), {"extracted_fields.room_quantity": 2, ADULTS: 3})
    assert list(confirmed.field_values.items()) == [
        ("case_keys.booking_code", "LT-55012"),
        (GUEST, "Guest A"),
        (ADULTS, 3),
        (ARRIVAL, "2026-08-03"),
        (DEPARTURE, "2026-08-06"),
        (ROOMS, 2),
        ("extracted_fields.room_items.0.room_type_raw", "Deluxe King"),
        (ROOM_TYPE, "DLX"),
        ("relevant_message_excerpt", "please note"),
    ]


def test_r37_the_stored_payload_has_three_forms():
    confirmed = confirm(state_of(fit()), {ROOMS: Decimal("2.0")})
    stored = confirmed.payload()
    assert list(stored) == ["field_values", "legacy_field_values", "effective_payload"]
    assert stored["legacy_field_values"]["extracted_fields.room_quantity"] == 2
    assert type(confirmed.field_values[ROOMS]) is int
    assert confirmed.effective_payload["extracted_fields"]["room_items"][0]["room_quantity"] == 2


def test_r37_values_may_come_from_the_draft_and_the_request_wins():
    state = state_of(fit({"guest_name": ...}), draft={GUEST: "Guest <b>A</b> 客人", ADULTS: 5})
    values = confirm(state, {ADULTS: 4}).field_values
    assert (values[GUEST], values[ADULTS]) == ("Guest <b>A</b> 客人", 4)


def test_r37_null_clears_what_agent_and_draft_gave():
    state = state_of(fit(), draft={ADULTS: 5})
    assert ADULTS not in confirm(state, {ADULTS: None}).field_values


@WRITES
@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("extracted_fields.gone", "NOT_SERVED"),
        ("", "NOT_SERVED"),
        ("/extracted_fields/adults", "NOT_SERVED"),
        ("extracted_fields.room_items.1.room_quantity", "NOT_SERVED"),
        ("extracted_fields.room_items.00.room_quantity", "NOT_SERVED"),
        ("extracted_fields.currency_code", "NOT_SERVED"),
        ("extracted_fields.rate_code", "READ_ONLY"),
        ("extracted_fields.room_type", "READ_ONLY"),
        ("relevant_message_excerpt", "READ_ONLY"),
        ("visible_reason", "NOT_SERVED"),
        ("manual_review", "NOT_SERVED"),
        ("task_type", "NOT_SERVED"),
    ],
)
@pytest.mark.parametrize("value", ["x", None])
def test_r29_only_served_editable_fields_can_be_written(write, path, code, value):
    place = "/field_values/" + path.replace("/", "~1")
    assert refusal(write, state_of(fit()), {path: value}) == (PATH, [(place, code)])


@WRITES
def test_r37_a_field_named_twice_is_refused(write):
    sent = {ROOMS: 1, "extracted_fields.room_quantity": 1, "case_keys.booking_code": "B"}
    assert refusal(write, state_of(fit()), sent) == (
        PATH,
        [("/field_values/extracted_fields.room_quantity", "REPEATED")],
    )


@WRITES
def test_r24_the_alias_path_is_the_same_field(write):
    sent = {"case_keys.block_code": "G", GROUP: "G"}
    assert refusal(write, state_of(rooms()), sent) == (PATH, [(f"/field_values/{GROUP}", "REPEATED")])
    assert draft(state_of(rooms()), {"case_keys.block_code": "G"}) == {GROUP: "G"}


def test_faults_of_the_first_kind_only_and_in_the_order_of_the_request():
    sent = {"extracted_fields.b": 1, ADULTS: "2", "extracted_fields.a": 1}
    assert refusal(confirm, state_of(fit({"guest_name": ...})), sent) == (
        PATH,
        [("/field_values/extracted_fields.b", "NOT_SERVED"), ("/field_values/extracted_fields.a", "NOT_SERVED")],
    )
    sent = {DEPARTURE: "2026-08-03", ROOM_TYPE: "OLD", ADULTS: "2"}
    assert refusal(confirm, state_of(fit({"guest_name": ..., "children": "no"})), sent) == (
        VALUE,
        [
            (f"/field_values/{DEPARTURE}", "DATE_ORDER"),
            (f"/field_values/{ROOM_TYPE}", "NOT_OFFERED"),
            (f"/field_values/{ADULTS}", "WRONG_TYPE"),
            ("/extracted_fields/children", "WRONG_TYPE"),
        ],
    )


@pytest.mark.parametrize("value", [None, "CNY"])
def test_r29_a_value_for_a_field_that_the_request_itself_hides_is_refused(value):
    state = state_of(fit({"rate_amount": 880, "currency_code": "CNY"}))
    sent = {"extracted_fields.rate_amount": None, "extracted_fields.currency_code": value}
    assert refusal(confirm, state, sent) == (PATH, [("/field_values/extracted_fields.currency_code", "NOT_SERVED")])


def test_r29_a_value_for_a_field_that_the_request_itself_shows_is_taken():
    dates = {ARRIVAL: "2026-10-02", DEPARTURE: "2026-10-04"}
    values = confirm(state_of(rooms("individual")), {SCOPE: "group", **dates}).field_values
    assert (values[ARRIVAL], values[DEPARTURE]) == ("2026-10-02", "2026-10-04")


def test_r37_a_wrong_value_of_the_agent_is_refused_where_a_person_can_mend_it():
    state = state_of(fit({"adults": "two"}))
    assert refusal(confirm, state) == (VALUE, [("/extracted_fields/adults", "WRONG_TYPE")])
    assert ADULTS not in confirm(state, {ADULTS: None}).field_values


def test_r37_evidence_is_taken_as_it_is():
    items = [{"room_quantity": 1, "room_type_raw": 5, "pms_room_type_code": "DLX"}]
    confirmed = confirm(state_of(fit({"room_items": items, "rate_code": ["x"]})))
    assert confirmed.field_values["extracted_fields.rate_code"] == ["x"]
    assert confirmed.field_values["extracted_fields.room_items.0.room_type_raw"] == 5


@pytest.mark.parametrize(
    ("sent", "places"),
    [
        ({DEPARTURE: "2026-08-02"}, [f"/field_values/{DEPARTURE}"]),
        ({ARRIVAL: "2026-08-06"}, [f"/field_values/{ARRIVAL}"]),
        ({ARRIVAL: "2026-08-07", DEPARTURE: "2026-08-07"}, [f"/field_values/{DEPARTURE}"]),
    ],
)
def test_r37_arrival_lies_before_departure(sent, places):
    assert refusal(confirm, state_of(fit()), sent) == (VALUE, [(place, "DATE_ORDER") for place in places])


def test_r37_dates_of_the_agent_are_compared_too():
    state = state_of(fit({"departure_date": "2026-08-01"}))
    assert refusal(confirm, state) == (VALUE, [("/extracted_fields/departure_date", "DATE_ORDER")])


def test_r37_a_date_that_is_none_is_compared_with_nothing():
    state = state_of(fit({"departure_date": "soon"}))
    assert refusal(confirm, state) == (VALUE, [("/extracted_fields/departure_date", "WRONG_TYPE")])


@pytest.mark.parametrize(("last", "code"), [("2026-08-01", None), ("2026-07-31", "DATE_ORDER")])
def test_r37_a_span_may_begin_and_end_on_one_day(last, code):
    extracted = {
        "voucher_number": "V-1",
        "voucher_issuer": "Lakeside",
        "attachment_ids": ["att-1"],
        "voucher_valid_from": "2026-08-01",
        "voucher_valid_to": last,
    }
    state = state_of(event("Payment", "register_payment_voucher", extracted_fields=extracted))
    if code is None:
        assert confirm(state).field_values["extracted_fields.voucher_valid_to"] == last
    else:
        assert refusal(confirm, state) == (VALUE, [("/extracted_fields/voucher_valid_to", code)])


def test_r37_required_fields_need_a_value():
    state = state_of(fit({"guest_name": " ", "room_items": ...}))
    assert refusal(confirm, state, {ARRIVAL: None}) == (
        INCOMPLETE,
        [
            (f"/field_values/{ARRIVAL}", "REQUIRED"),
            ("/extracted_fields/guest_name", "REQUIRED"),
            ("/extracted_fields/room_items/0/room_quantity", "REQUIRED"),
            ("/extracted_fields/room_items/0/pms_room_type_code", "REQUIRED"),
        ],
    )


def test_r37_a_group_needs_one_value():
    state = state_of(rooms(case_keys={}))
    places = ["/case_keys/confirmation_number", "/case_keys/group_code", "/case_keys/booking_code"]
    assert refusal(confirm, state) == (INCOMPLETE, [(place, "REQUIRED_GROUP") for place in places])
    assert confirm(state, {"case_keys.booking_code": "B-1"}).field_values["case_keys.booking_code"] == "B-1"


def test_r37_a_required_array_that_is_empty_has_no_value():
    trace = {"departments": [], "trace_text": "late", "trace_date": "2026-08-03"}
    state = state_of(event("Trace Reservation Notes", "add_department_trace", extracted_fields=trace))
    assert refusal(confirm, state) == (INCOMPLETE, [("/extracted_fields/departments", "REQUIRED")])


def test_r23_a_parent_is_confirmed_with_its_derived_object():
    confirmed = confirm(state_of(parent(case_keys={"block_code": "BLK-1"})))
    assert confirmed.field_values == {
        GROUP: "BLK-1",
        "extracted_fields.cancel_object_type": "allotment_control_block",
        "extracted_fields.cancel_scope": "entire_allotment_control_block",
        "relevant_message_excerpt": "please note",
    }
    assert confirmed.effective_payload["case_keys"] == {"group_code": "BLK-1", "block_code": "BLK-1"}


@pytest.mark.parametrize("reason", [..., None, "", " \n"])
def test_r38_the_older_contract_needs_a_visible_reason(reason):
    changes = {} if reason is ... else {"visible_reason": reason}
    state = state_of(fit(**changes), needs_visible_reason=True)
    assert refusal(confirm, state) == (INCOMPLETE, [("/visible_reason", "REQUIRED")])
    assert confirm(replace(state, needs_visible_reason=False)).field_values[ADULTS] == 2


def test_r38_a_visible_reason_is_shown_and_confirmed_as_evidence():
    state = state_of(fit(visible_reason="Please book"), needs_visible_reason=True)
    assert confirm(state).field_values["visible_reason"] == "Please book"


def test_r36_a_draft_is_stored_under_main_paths():
    sent = {"extracted_fields.room_quantity": Decimal("2.0"), ADULTS: None, GUEST: " "}
    assert draft(state_of(fit()), sent) == {ROOMS: 2, ADULTS: None, GUEST: " "}


def test_r36_a_draft_may_lack_what_is_required_and_disagree():
    state = state_of(fit({"guest_name": ..., "children": "no"}))
    assert draft(state, {DEPARTURE: "2026-01-01"}) == {DEPARTURE: "2026-01-01"}


@pytest.mark.parametrize(("value", "code"), [("2", "WRONG_TYPE"), (-1, "TOO_SMALL")])
def test_r36_a_draft_holds_values_its_fields_take(value, code):
    assert refusal(draft, state_of(fit()), {ADULTS: value}) == (VALUE, [(f"/field_values/{ADULTS}", code)])


def test_r36_a_draft_replaces_the_one_before_and_is_served_without_it():
    state = state_of(rooms("individual"), draft={SCOPE: "group", ARRIVAL: "2026-10-02"})
    assert refusal(draft, state, {ARRIVAL: "2026-10-02"}) == (PATH, [(f"/field_values/{ARRIVAL}", "NOT_SERVED")])
    assert draft(state, {}) == {}


def test_r36_a_review_keeps_a_draft_of_what_it_asks_for():
    state = state_of(block())
    drafted = draft(state, {"extracted_fields.pms_room_type_code": "RM3"})
    found = field(replace(state, draft=drafted), ROOM_TYPE)
    assert (drafted, found.value, found.missing) == ({ROOM_TYPE: "RM3"}, "RM3", True)


@WRITES
def test_a_closed_card_takes_nothing(write):
    state = state_of(fit(), open=False)
    assert refusal(write, state, {ADULTS: 2}) == (PATH, [(f"/field_values/{ADULTS}", "READ_ONLY")])
