"""V2 packages (contracts.md section 5; R-20)."""

from decimal import Decimal

import pytest

from reservations.domain.contract import Generation
from reservations.domain.errors import AdapterContractRefused
from tests.reservations.domain.builders import PARENT, VOUCHER, item, judged, old_package, review

INTENT = ("Unhandled Current Intent", "requires_business_approval_or_unsupported_task_card")


def refusal(*items):
    with pytest.raises(AdapterContractRefused) as caught:
        judged(old_package(*items))
    return caught.value


def faults(*items, files=("att-1",)):
    return {fault.source_event_index: str(fault.code) for fault in judged(old_package(*items), files=files).faults}


def test_every_item_becomes_a_card_in_order():
    judgement = judged(old_package(item(), item("Payment", "record_deposit_payment")))
    assert judgement.generation == Generation.V2
    assert [(card.source_event_index, card.route.position, card.event_type) for card in judgement.cards] == [
        (1, 1, None),
        (2, 31, None),
    ]


def test_an_empty_list_asks_for_nothing():
    judgement = judged(old_package())
    assert (judgement.cards, judgement.faults, judgement.intents) == ((), (), ())


@pytest.mark.parametrize(
    ("changes", "pointer"),
    [
        ({"result_type": ...}, "/result_type"),
        ({"result_type": "Normal_task"}, "/result_type"),
        ({"result_type": None}, "/result_type"),
        ({"task_type": ""}, "/task_type"),
        ({"task_subtype": 5}, "/task_subtype"),
        ({"case_keys": None}, "/case_keys"),
        ({"case_keys": {"group_code": 5}}, "/case_keys"),
        ({"extracted_fields": ...}, "/extracted_fields"),
        ({"extracted_fields": []}, "/extracted_fields"),
        ({"visible_reason": ...}, "/visible_reason"),
        ({"visible_reason": ""}, "/visible_reason"),
        ({"route_code": None}, "/route_code"),
        ({"relevant_message_excerpt": None}, "/relevant_message_excerpt"),
        ({"manual_review": []}, "/manual_review"),
        ({"missing_fields": None}, "/missing_fields"),
        ({"missing_fields": [5]}, "/missing_fields"),
        ({"confidence": "0.5"}, "/confidence"),
        ({"confidence": True}, "/confidence"),
        ({"source_event_index": 1}, "/source_event_index"),
        ({"a/b~c": 1}, "/a~1b~0c"),
    ],
)
def test_one_item_outside_the_schema_refuses_the_request(changes, pointer):
    caught = refusal(item(), item(**changes))
    assert (caught.code, caught.detail_code) == ("ADAPTER_CONTRACT_ERROR", "ITEM_INVALID")
    assert [(fault.pointer, fault.code) for fault in caught.errors] == [
        (f"/ai_task_results/1{pointer}", "ITEM_INVALID")
    ]


@pytest.mark.parametrize("value", [None, [], "x", 5])
def test_an_item_is_an_object(value):
    assert [fault.pointer for fault in refusal(value).errors] == ["/ai_task_results/0"]


@pytest.mark.parametrize("value", [{}, "[]", 5, True])
def test_the_results_are_an_array(value):
    with pytest.raises(AdapterContractRefused) as caught:
        judged({**old_package(), "ai_task_results": value})
    assert [fault.pointer for fault in caught.value.errors] == ["/ai_task_results"]


def test_every_wrong_place_is_named_in_reading_order_up_to_a_limit():
    assert [fault.pointer for fault in refusal(item(x=1, confidence="y"), {}).errors][:3] == [
        "/ai_task_results/0/x",
        "/ai_task_results/0/confidence",
        "/ai_task_results/1/result_type",
    ]
    assert len(refusal(*[5] * 500).errors) == 100


def test_optional_keys_are_taken():
    sound = item(
        route_code="R01_NEW_BOOKING_NEW_FIT_BOOKING_NORMAL",
        relevant_message_excerpt="",
        manual_review=None,
        missing_fields=[],
        confidence=Decimal("7.5"),
        case_keys={"group_code": None, "more": "x"},
        visible_reason=" ",
    )
    assert faults(sound) == {}


@pytest.mark.parametrize(
    ("pair", "code"),
    [
        (("Note", "x"), "RETIRED_TASK"),
        (("Allotment Maintenance", "x"), "RETIRED_TASK"),
        (("x", "update_allotment_control_block"), "RETIRED_TASK"),
        (("Cancel Booking", "linked_parent_release_after_child_split"), "RETIRED_PARENT_CANCEL_BOOKING"),
    ],
)
@pytest.mark.parametrize("result_type", ["normal_task", "manual_review", "unhandled_current_intent"])
def test_one_retired_item_refuses_the_request(pair, code, result_type):
    """R-20; decisions 24 and 30."""
    caught = refusal(item(), item(*pair, result_type=result_type))
    assert (caught.detail_code, [fault.pointer for fault in caught.errors]) == (code, ["/ai_task_results/1"])


def test_the_schema_is_checked_before_retired_names():
    assert refusal(item("Note", "x"), {}).detail_code == "ITEM_INVALID"


def test_a_retired_item_is_refused_even_when_it_reports_missing_fields():
    assert refusal(item("Note", "x", missing_fields=["y"])).detail_code == "RETIRED_TASK"


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (item(missing_fields=["x"]), "ROOT_MISSING_FIELDS"),
        (item(extracted_fields={"fix_charge_code": "x"}), "FIX_CHARGE_NOT_FROZEN"),
        (item(*VOUCHER), "VOUCHER_FILE_MISSING"),
        (item("Unknown", "x"), "ROUTE_UNRESOLVED"),
        (item(result_type="manual_review"), "ROUTE_MISMATCH"),
        (item(result_type="unhandled_current_intent"), "ROUTE_MISMATCH"),
        (item(result_type="normal_task", manual_review=review("/extracted_fields/guest_name")), "ROUTE_MISMATCH"),
        (item(route_code="R03_NEW_BOOKING_NEW_GROUP_BLOCK_NORMAL"), "ROUTE_MISMATCH"),
        (item("Fallback", "business_event_review", result_type="manual_review"), "FALLBACK_WITHOUT_REVIEW"),
        (item(result_type="manual_review", manual_review={}), "MANUAL_REVIEW_INCOMPLETE"),
        (item(*PARENT, extracted_fields={"cancel_scope": "part"}), "CANCEL_SCOPE_INVALID"),
        (item(*PARENT), "PARENT_KEY_MISSING"),
        (item(*INTENT), "ROUTE_UNRESOLVED"),
        (item(*INTENT, result_type="unhandled_current_intent", route_code="R41"), "ROUTE_UNRESOLVED"),
        (item(*INTENT, result_type="unhandled_current_intent", manual_review={}), "ROUTE_UNRESOLVED"),
    ],
)
def test_any_other_fault_is_of_that_item_alone(wrong, code):
    assert faults(item(), wrong, item()) == {2: code}


def test_a_review_names_flat_keys_by_their_legacy_path():
    """R-31."""
    asked = review("/extracted_fields/pms_room_type_code")
    (card,) = judged(old_package(item(result_type="manual_review", manual_review=asked))).cards
    assert card.missing_paths == ("extracted_fields.room_items.0.pms_room_type_code",)


def test_an_unhandled_item_is_an_intent_at_its_place():
    """R-09."""
    intent = item(*INTENT, result_type="unhandled_current_intent", extracted_fields={"preflight": 1})
    judgement = judged(old_package(item(), intent, item()))
    assert [(found.array_index, found.intent) for found in judgement.intents] == [(1, intent)]
    assert [card.source_event_index for card in judgement.cards] == [1, 3]


def test_two_items_that_release_one_parent_are_a_duplicate_across_an_intent():
    """R-22."""
    keys = {"case_keys": {"block_code": "ALT"}}
    intent = item(*INTENT, result_type="unhandled_current_intent")
    assert faults(item(*PARENT, **keys), intent, item(*PARENT, **keys)) == {3: "PARENT_DUPLICATE"}
