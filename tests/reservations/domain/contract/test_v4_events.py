"""V4 events: shape, order of the checks, one verdict per event (R-16, R-17, R-20, R-55; contracts.md section 6)."""

from decimal import Decimal

import pytest

from tests.reservations.domain.builders import relation, review, source_message
from tests.reservations.domain.orderpackages import (
    card_of,
    codes,
    every_order_package,
    judged,
    order,
    order_event,
    order_package,
    payment,
    release,
    split_package,
    update,
)

SHAPE, UNRESOLVED, FORBIDDEN = "EVENT_SHAPE_INVALID", "ROUTE_UNRESOLVED", "V4_UPDATE_RATE_CODE_FORBIDDEN"
UNKNOWN_FILE = "V4_PAYMENT_ATTACHMENT_UNKNOWN"
CHILD_SPLIT = "linked_parent_release_after_child_split"


def test_r15_every_business_route_can_be_reached_in_every_order_type_it_fits():
    judgements = [judged(package) for package in every_order_package()]
    assert [judgement.faults for judgement in judgements] == [()] * len(judgements)
    positions = {card.route.position for judgement in judgements for card in judgement.cards}
    assert sorted(positions) == list(range(1, 37))


def test_r16_r17_a_bad_event_touches_no_sibling_and_cards_keep_the_order_of_the_array():
    judgement = judged(order_package(order_event(), order_event("X"), 5, update(), {}))
    assert [card.source_event_index for card in judgement.cards] == [1, 4]
    assert [(fault.source_event_index, fault.array_index, fault.event) for fault in judgement.faults] == [
        (2, 1, order_event("X")),
        (3, 2, 5),
        (5, 4, {}),
    ]


@pytest.mark.parametrize("value", [None, [], 5, "x", True, Decimal("1.5"), [{}]])
def test_an_event_that_is_no_object_is_misshapen(value):
    assert codes(value) == {1: SHAPE}


@pytest.mark.parametrize("key", ["order_ref", "event_type", "relevant_message_excerpt"])
@pytest.mark.parametrize("value", [..., None, 5, [], {}, True])
def test_required_texts_are_texts(key, value):
    assert codes(order_event(**{key: value})) == {1: SHAPE}


@pytest.mark.parametrize("value", [..., [], "x", 5, False])
def test_the_review_is_a_required_key_of_null_or_an_object(value):
    assert codes(order_event(manual_review=value)) == {1: SHAPE}


@pytest.mark.parametrize(
    "changes",
    [
        {"task_subtype": 5},
        {"result_type": 1},
        {"task_type": []},
        {"route_code": {}},
        {"case_keys": []},
        {"case_keys": {"confirmation_number": 8801305}},
        {"extracted_fields": []},
        {"before": []},
        {"after": "x"},
        {"attachment_ids": "att-1"},
        {"attachment_ids": [5]},
        {"relationships": [{}]},
        {"applies_to_event_indexes": ["1"]},
        {"applies_to_event_indexes": [1]},
        {"applies_to_event_indexes": [3]},
        {"applies_to_event_indexes": [2, 2]},
        {"source_row": {"row_number": "1"}},
        {"contract_errors": "x"},
        {"missing_fields": {}},
        {"source_event_index": 2},
        {"source_event_index": "1"},
        {"source_event_index": True},
    ],
)
def test_a_wrong_type_or_index_is_misshapen(changes):
    assert codes({**update(), **changes}, order_event()) == {1: SHAPE}


@pytest.mark.parametrize(
    "changes",
    [
        dict.fromkeys(("result_type", "task_type", "route_code", "case_keys", "extracted_fields", "relationships")),
        dict.fromkeys(("applies_to_event_indexes", "source_row", "contract_errors", "missing_fields", "before")),
        {"case_keys": {"group_code": None, "unknown": None}, "attachment_ids": None},
        {"contract_errors": [], "missing_fields": [], "relationships": [], "applies_to_event_indexes": [2]},
        {"source_event_index": Decimal("1.0"), "source_row": {"attachment_id": "att-9", "row_number": 2}},
        {"event_id": 5, "unknown": {"a": [None]}},
    ],
)
def test_null_is_absent_and_unknown_keys_are_ignored(changes):
    assert codes({**update(), **changes}, order_event()) == {}


@pytest.mark.parametrize("order_ref", ["O2", "o1", " O1", ""])
def test_r55_an_event_names_an_order_of_the_package(order_ref):
    assert codes(order_event(order_ref=order_ref)) == {1: "V4_ORDER_REF_UNKNOWN"}


@pytest.mark.parametrize("event_type", ["X", "", "new_booking", "Update Booking", "Fallback", "NOTE"])
def test_r55_there_are_six_event_types(event_type):
    assert codes(order_event(event_type)) == {1: "V4_EVENT_TYPE_UNKNOWN"}


@pytest.mark.parametrize("place", ["extracted_fields", "after"])
@pytest.mark.parametrize("value", [None, "", "BAR", 5])
def test_r55_an_update_names_no_rate_code(place, value):
    assert codes(update(**{place: {"arrival_date": "2026-08-04", "rate_code": value}})) == {1: FORBIDDEN}


@pytest.mark.parametrize("task_subtype", ["update_stay_dates", "update_rate_or_package", None])
def test_r55_an_update_of_whatever_kind_names_no_rate_code_on_the_event(task_subtype):
    assert codes(update(task_subtype, rate_code=None)) == {1: FORBIDDEN}


def test_r55_other_events_may_name_a_rate_code_and_an_update_the_one_before():
    booking = order_event("NEW_BOOKING", "new_fit_booking", extracted_fields={"rate_code": "BAR"}, rate_code="BAR")
    assert codes(booking, update(before={"rate_code": "BAR"})) == {}


@pytest.mark.parametrize(
    "changes",
    [
        {"attachment_ids": ["att-3"]},
        {"attachment_ids": ["att-1", ""]},
        {"attachment_ids": ["ATT-1"]},
        {"attachment_ids": None, "extracted_fields": {"attachment_ids": ["att-3"]}},
        {"extracted_fields": {"attachment_ids": [None]}},
        {"extracted_fields": {"attachment_ids": [["att-1"]]}},
    ],
)
def test_r55_a_payment_names_attachments_of_the_package(changes):
    assert codes(payment(**changes), files=("att-1", "att-3")) == {1: UNKNOWN_FILE}


@pytest.mark.parametrize("attachments", [None, [], [{"id": 5}, {}, "att-1", None]])
def test_r55_a_package_that_lists_no_attachment_has_none(attachments):
    message = source_message(attachments=attachments)
    assert codes(payment(), payment(attachment_ids=[]), source_message=message) == {1: UNKNOWN_FILE}


def test_r55_events_other_than_payments_may_name_any_attachment():
    assert codes(order_event(extracted_fields={"attachment_ids": ["att-9"]}, attachment_ids=["att-9"])) == {}


@pytest.mark.parametrize(
    ("event_type", "task_subtype", "order_type"),
    [
        ("NEW_BOOKING", "new_group_block", "FIT"),
        ("NEW_BOOKING", "new_fit_booking", "GROUP"),
        ("NEW_BOOKING", "new_group_block", "ALLOTMENT"),
        ("UPDATE_BOOKING", "update_group_block_terms", "FIT"),
        ("CANCEL_BOOKING", "cancel_allotment_control_block", "GROUP"),
        ("CANCEL_BOOKING", "cancel_group_block", "ALLOTMENT"),
        ("ROOMING_LIST", "submit_rooming_list", "FIT"),
        ("PAYMENT", "add_reservation_note", "FIT"),
        ("TRACE_RESERVATION_NOTES", "", "FIT"),
        ("TRACE_RESERVATION_NOTES", "Add_reservation_note", "FIT"),
    ],
)
def test_r55_type_and_subtype_belong_together_and_fit_the_order_type(event_type, task_subtype, order_type):
    event = order_event(event_type, task_subtype)
    assert codes(event, orders=[order("O1", order_type)]) == {1: UNRESOLVED}


@pytest.mark.parametrize(
    ("event_type", "task_subtype", "code"),
    [
        ("Note", "x", "RETIRED_TASK"),
        ("Allotment Maintenance", "x", "RETIRED_TASK"),
        ("UPDATE_BOOKING", "update_allotment_control_block", "RETIRED_TASK"),
        ("CANCEL_BOOKING", CHILD_SPLIT, "RETIRED_PARENT_CANCEL_BOOKING"),
        ("Cancel Booking", CHILD_SPLIT, "RETIRED_PARENT_CANCEL_BOOKING"),
        ("UPDATE_BOOKING", CHILD_SPLIT, UNRESOLVED),
    ],
)
def test_r20_retired_names_are_refused_per_event(event_type, task_subtype, code):
    assert codes(order_event(event_type, task_subtype), order_event()) == {1: code}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (order_event("Note", 5, contract_errors=["x"], missing_fields=["y"]), "EXPLICIT_CONTRACT_ERRORS"),
        (order_event("Note", 5, missing_fields=["y"]), "ROOT_MISSING_FIELDS"),
        (order_event("Note", 5, order_ref="x"), "RETIRED_TASK"),
        (order_event("X", 5, order_ref="x"), SHAPE),
        (order_event("X", "y", order_ref="x"), "V4_ORDER_REF_UNKNOWN"),
        (order_event("X", "y", extracted_fields={"preflight": 1}), "V4_EVENT_TYPE_UNKNOWN"),
        (update("x", rate_code="y", after={"preflight": 1}), FORBIDDEN),
        (payment("x", attachment_ids=["x"]), UNKNOWN_FILE),
        (order_event("PAYMENT", "x", extracted_fields={"preflight": 1}), UNRESOLVED),
        (update(after={"preflight": 1}, result_type="x"), "PREFLIGHT_LOCK_NOT_FROZEN"),
        (update(after={"room": [{"rate_code_source": "manual"}]}), "MANUAL_RATE_CODE_NOT_FROZEN"),
        (payment("register_payment_voucher", attachment_ids=[], result_type="x"), "VOUCHER_FILE_MISSING"),
        (order_event(result_type="manual_review"), "ROUTE_MISMATCH"),
        (order_event(manual_review={"review_type": "x"}, route_code="z"), "ROUTE_MISMATCH"),
        (order_event(manual_review={"review_type": "x"}), "MANUAL_REVIEW_INCOMPLETE"),
        (order_event(manual_review=review("/after/note_text")), "MISSING_FIELDS_POINTER_UNMAPPED"),
    ],
)
def test_the_first_check_that_fails_gives_the_code(wrong, code):
    """Step 4 of the routing; within 4c the table of contracts.md section 6."""
    assert codes(wrong) == {1: code}


def test_a_voucher_names_a_file_of_the_stored_mail_too():
    """R-17: the package's own list of attachments proves nothing."""
    voucher = payment("register_payment_voucher")
    assert codes(voucher, files=("att-1",)) == {}
    assert codes(voucher, files=("att-2",)) == {1: "VOUCHER_FILE_MISSING"}


@pytest.mark.parametrize(
    ("stated", "faults"),
    [
        ({"task_type": "Update Booking"}, {}),
        ({"task_type": "UPDATE_BOOKING"}, {}),
        ({"task_type": "Cancel Booking"}, {1: "ROUTE_MISMATCH"}),
        ({"route_code": "R05_UPDATE_BOOKING_UPDATE_STAY_DATES_NORMAL"}, {}),
        ({"route_code": "R06_UPDATE_BOOKING_UPDATE_STAY_DATES_REVIEW"}, {1: "ROUTE_MISMATCH"}),
        ({"result_type": ...}, {}),
    ],
)
def test_what_an_event_states_must_agree_with_what_follows_from_it(stated, faults):
    """Ambiguity 2; the type may be stated by its name in the catalogue or by the event type."""
    assert codes(update(**stated)) == faults


def test_root_contract_errors_with_an_index_belong_to_that_event():
    """Ambiguity 6."""
    errors = [{"source_event_index": 2}]
    assert codes(order_event(), order_event(), contract_errors=errors) == {2: "EXPLICIT_CONTRACT_ERRORS"}


def test_r62_a_review_is_judged_on_the_card_of_the_subtype():
    asked = review("/extracted_fields/departure_date")
    card = card_of(update(manual_review=asked))
    assert card.route.route_code == "R06_UPDATE_BOOKING_UPDATE_STAY_DATES_REVIEW"
    assert (card.missing_paths, card.manual_review) == (("extracted_fields.departure_date",), asked)


def test_r22_the_release_of_a_parent_is_a_cancel_allotment_with_its_split_relations():
    """Ambiguity 20."""
    judgement = judged(split_package())
    assert judgement.faults == ()
    assert [card.order_ref for card in judgement.cards] == ["A", "B", "P", "A"]
    parent = judgement.cards[2]
    assert parent.route.task_type == "Cancel Allotment"
    assert parent.derived["extracted_fields"]["cancel_object_type"] == "allotment_control_block"
    assert judgement.cards[3].applies_to == (1,)


def test_r22_a_parent_of_a_broken_split_fails_and_its_children_go_on():
    body = split_package()
    body["message_events"][1]["relationships"] = [relation("child", parent_event_index=3, parent_group_code="OTHER")]
    assert {fault.source_event_index: str(fault.code) for fault in judged(body).faults} == {
        3: "PARENT_SPLIT_INCOMPLETE"
    }


def test_r22_a_second_release_of_the_same_parent_is_a_duplicate_even_when_its_key_comes_from_another_order():
    orders = [order("P", "ALLOTMENT"), order("Q", "ALLOTMENT", identifiers={"BLOCK_CODE": "allotment-p"})]
    assert codes(release(), release(order_ref="Q"), orders=orders) == {2: "PARENT_DUPLICATE"}


def test_what_was_sent_is_kept_raw():
    """R-57."""
    event = update(case_keys={"confirmation_number": "8801305"})
    card = card_of(event)
    assert card.event is event
    assert (card.event_type, card.case_keys) == ("UPDATE_BOOKING", {"confirmation_number": "8801305"})
