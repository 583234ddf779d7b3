"""The nine fields and their pointers (contracts.md section 3; decisions 3, 14, 15, 27)."""

from decimal import Decimal

import pytest

from tests.reservations.domain.builders import card_of, codes, event, fallback, parent, review, unclear

ROOMS = "/extracted_fields/room_items/0/room_quantity"
INCOMPLETE = "MANUAL_REVIEW_INCOMPLETE"


def block(asked):
    return event("New Booking", "new_group_block", case_keys={"group_code": "G"}, manual_review=asked)


def code_of(asked):
    return codes(block(asked)).get(1)


def test_nine_complete_fields_make_a_review_card():
    assert code_of(review(ROOMS, more="kept")) is None


@pytest.mark.parametrize("name", list(review()))
@pytest.mark.parametrize("value", [..., None])
def test_each_of_the_nine_is_needed(name, value):
    """Decision 3."""
    assert code_of(review(ROOMS, **{name: value})) == INCOMPLETE


@pytest.mark.parametrize(
    "changes",
    [
        {"review_type": "business_event_review"},
        {"review_type": "main_agent_entry_review"},
        {"review_type": "Type_known_review"},
        {"review_type": ["type_known_review"]},
        {"reason_code": "other"},
        {"reason_code": []},
        {"reason_summary": ""},
        {"reason_summary": " \n"},
        {"reason_summary": 5},
        {"missing_fields": ROOMS},
        {"missing_fields": {ROOMS: 1}},
        {"uncertain_fields": ""},
        {"evidence": {}},
        {"evidence": ["quote"]},
        {"evidence": [{"excerpt": "x"}]},
        {"evidence": [{"excerpt": 5, "source": "email_body"}]},
        {"context_used": []},
        {"context_used": "x"},
        {"suggested_actions": "x"},
        {"suggested_actions": [5]},
        {"confidence": "0.5"},
        {"confidence": True},
        {"confidence": -1},
        {"confidence": Decimal("1.01")},
    ],
)
def test_a_wrong_type_or_word_is_incomplete(changes):
    assert code_of(review(ROOMS, **changes)) == INCOMPLETE


@pytest.mark.parametrize(
    "changes",
    [
        {"confidence": 0},
        {"confidence": Decimal("1.0")},
        {"confidence": Decimal("1e-300")},
        {"evidence": [], "suggested_actions": []},
        {"evidence": [{"excerpt": "", "source": "attachment", "page": 1}]},
        {"uncertain_fields": [5, "not a pointer", "/a"]},
        {"context_used": {"parent_identity_candidates": "not looked at here"}},
        {"reason_code": "attachment_unreadable"},
    ],
)
def test_what_is_shown_only_is_not_enforced(changes):
    assert code_of(review(ROOMS, **changes)) is None


@pytest.mark.parametrize(
    "pointers", [["x"], [ROOMS, "x"], ["#" + ROOMS], [5], [None], [[ROOMS]], [ROOMS, ROOMS], ["/~2"], ["", ""]]
)
def test_a_malformed_or_repeated_pointer_is_invalid(pointers):
    assert code_of(review(missing_fields=pointers)) == "MISSING_FIELDS_POINTER_INVALID"


@pytest.mark.parametrize(
    "pointer",
    [
        "",
        "/",
        "/extracted_fields/room_items/1/room_quantity",
        "/extracted_fields/room_items/0/room_type_raw",
        "/extracted_fields/rate_code",
        "/extracted_fields/unknown",
        "/extracted_fields",
        "/manual_review/confidence",
        "/case_keys/parent_group_code",
    ],
)
def test_a_pointer_to_no_editable_field_is_unmapped(pointer):
    """Decision 27: rate_code while its catalogue is not connected."""
    assert code_of(review(ROOMS, pointer)) == "MISSING_FIELDS_POINTER_UNMAPPED"


@pytest.mark.parametrize(
    ("pointers", "paths"),
    [
        (
            [ROOMS, "/extracted_fields/cut_off_date"],
            ("extracted_fields.room_items.0.room_quantity", "extracted_fields.cut_off_date"),
        ),
        (["/extracted_fields/room_quantity"], ("extracted_fields.room_items.0.room_quantity",)),
        (["/extracted_fields/room_quantity", ROOMS], ("extracted_fields.room_items.0.room_quantity",)),
        (["/case_keys/block_code"], ("case_keys.group_code",)),
        (["/case_keys/block_code", "/case_keys/group_code"], ("case_keys.group_code",)),
        (["/extracted_fields/currency_code"], ("extracted_fields.currency_code",)),
    ],
)
def test_every_spelling_is_taken_and_a_field_is_asked_for_once(pointers, paths):
    """R-24, decision 14; shown or hidden."""
    assert card_of(block(review(*pointers))).missing_paths == paths


def test_a_review_that_asks_for_nothing_is_incomplete():
    """Decision 15."""
    assert code_of(review()) == INCOMPLETE
    assert code_of(review(reason_code="target_object_unclear")) == INCOMPLETE


def test_an_unclear_target_with_candidates_may_ask_for_nothing():
    """Decision 15."""
    assert code_of(unclear()) is None
    assert card_of(parent(case_keys={}, manual_review=unclear())).missing_paths == ("case_keys.group_code",)


@pytest.mark.parametrize(
    "asked", [(), ("/review_decision/task_type", "/review_decision/task_subtype"), ("/case_keys/block_code",)]
)
def test_a_fallback_asks_for_its_decision_or_for_nothing(asked):
    kind = {"review_type": "business_event_review"}
    assert codes(fallback(manual_review=review(*asked, **kind))) == {}


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (review("/review_decision/task_type"), INCOMPLETE),
        (
            review("/extracted_fields/guest_name", review_type="business_event_review"),
            "MISSING_FIELDS_POINTER_UNMAPPED",
        ),
    ],
)
def test_a_fallback_has_its_own_kind_of_review_and_its_own_fields(asked, code):
    assert codes(fallback(manual_review=asked)) == {1: code}


@pytest.mark.parametrize(("stated", "fault"), [("manual_review", {}), ("normal_task", {1: "ROUTE_MISMATCH"})])
def test_a_review_agrees_with_what_the_event_states(stated, fault):
    """Decision 2."""
    assert codes({**block(review(ROOMS)), "result_type": stated}) == fault
