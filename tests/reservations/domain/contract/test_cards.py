"""What a card carries (R-22 to R-25, R-43)."""

import pytest

from reservations.domain.contract import Excerpt
from reservations.domain.orderkeys import OrderKeys, OrderKind
from tests.reservations.domain.builders import (
    card_of,
    child,
    event,
    fallback,
    judged,
    package,
    parent,
    review,
    split,
    unclear,
)


def test_the_event_stays_as_sent_and_the_copy_is_completed():
    """R-22."""
    sent = parent(case_keys={"block_code": "BLK-NL26"})
    card = card_of(sent)
    assert (card.event, card.case_keys) == (sent, {"block_code": "BLK-NL26"})
    assert card.effective_case_keys == {"block_code": "BLK-NL26", "group_code": "BLK-NL26"}
    assert card.derived["case_keys"] == card.effective_case_keys


def test_a_cancel_allotment_derives_its_object():
    """R-23."""
    card = card_of(parent(extracted_fields={"cancel_object_type": "x", "cancel_reason_code": "SPLIT"}))
    assert card.derived["extracted_fields"] == {
        "cancel_object_type": "allotment_control_block",
        "cancel_reason_code": "SPLIT",
    }
    assert card.event["extracted_fields"]["cancel_object_type"] == "x"


def test_a_block_code_answers_for_the_group_code_of_any_card_that_has_one():
    """R-24."""
    card = card_of(event(case_keys={"block_code": "BLK-1"}))
    assert card.effective_case_keys == {"block_code": "BLK-1", "group_code": "BLK-1"}
    assert (card.order_keys.group_code, card.order_kind) == ("BLK-1", OrderKind.GROUP)


def test_a_card_without_that_field_still_finds_its_order_by_the_block_code():
    """R-25."""
    card = card_of(event("New Booking", "new_fit_booking", case_keys={"block_code": "BLK-1"}))
    assert (card.effective_case_keys, card.order_keys) == ({"block_code": "BLK-1"}, OrderKeys("BLK-1"))


@pytest.mark.parametrize(
    ("case_keys", "keys"),
    [
        ({"confirmation_number": " 8801 ", "group_code": "G", "booking_code": "B"}, OrderKeys("G", "8801", "B")),
        ({"group_code": " ", "block_code": "", "booking_code": None}, OrderKeys()),
        ({"group_code": "G", "block_code": " ｇ "}, OrderKeys("G")),
        ({}, OrderKeys()),
    ],
)
def test_order_keys_are_trimmed_and_blank_is_none(case_keys, keys):
    """R-25."""
    card = card_of(event(case_keys=case_keys))
    assert (card.order_keys, card.keys_conflict) == (keys, False)


def test_group_and_block_code_that_differ_pick_nothing():
    """R-25."""
    card = card_of(event(case_keys={"group_code": "A", "block_code": "B", "booking_code": "C"}))
    assert (card.order_keys, card.keys_conflict) == (OrderKeys(booking_code="C"), True)


def test_a_confirmation_number_wins_over_group_keys_that_differ():
    """R-25."""
    card = card_of(event(case_keys={"group_code": "A", "block_code": "B", "confirmation_number": "8801"}))
    assert (card.order_keys, card.keys_conflict) == (OrderKeys(confirmation_number="8801"), False)


@pytest.mark.parametrize("case_keys", [{"group_code": "ALT-SPR", "block_code": "BLK-SUM"}, {}, {"booking_code": "B"}])
def test_an_unclear_parent_holds_no_key_and_asks_for_one(case_keys):
    """R-22, R-25."""
    card = card_of(parent(case_keys=case_keys, manual_review=unclear("/case_keys/group_code", "/case_keys/block_code")))
    assert (card.order_keys, card.keys_conflict, card.order_kind) == (OrderKeys(), True, OrderKind.ALLOTMENT)
    assert card.missing_paths == ("case_keys.group_code",)
    assert "group_code" not in card.effective_case_keys
    assert card.case_keys == case_keys


def test_an_unclear_parent_asks_for_its_key_even_if_the_review_asks_for_something_else():
    card = card_of(parent(case_keys={}, manual_review=unclear("/extracted_fields/cancel_reason_code")))
    assert card.missing_paths == ("extracted_fields.cancel_reason_code", "case_keys.group_code")


def test_a_review_of_a_parent_whose_key_is_known_keeps_it():
    card = card_of(parent(manual_review=review("/extracted_fields/cancel_reason_code")))
    assert (card.order_keys, card.keys_conflict) == (OrderKeys("ALT-LKS"), False)


@pytest.mark.parametrize(
    ("made", "kind"),
    [
        (parent(), OrderKind.ALLOTMENT),
        (child("A", None), OrderKind.GROUP),
        (child("A", None, case_keys={}), OrderKind.GROUP),
        (fallback(case_keys={"group_code": "G"}), OrderKind.GROUP),
        (event(), OrderKind.FIT),
        (event(case_keys={}), OrderKind.FIT),
    ],
)
def test_the_kind_of_a_new_order(made, kind):
    """R-25."""
    assert card_of(made).order_kind == kind


@pytest.mark.parametrize(
    ("case_keys", "fields", "name"),
    [
        ({"confirmation_number": "8801"}, {"guest_name": " Guest A "}, "Guest A"),
        ({"confirmation_number": "8801"}, {"guest_name": ["Guest A"]}, "8801"),
        ({"group_code": "G"}, {"group_name": "秋叶团", "guest_name": "Guest A"}, "秋叶团"),
        ({"group_code": "G"}, {"guest_name": "Guest A"}, "G"),
        ({}, {"group_name": "秋叶团"}, "秋叶团"),
        ({}, {"guest_name": " "}, "Add reservation note"),
        ({}, {"guest_name": "x" * 300}, "x" * 200),
    ],
)
def test_the_name_of_a_new_order_is_the_best_that_is_known(case_keys, fields, name):
    assert card_of(event(case_keys=case_keys, extracted_fields=fields)).display_name == name


def test_quotes_are_listed_with_their_places_and_blank_ones_left_out():
    """R-43."""
    evidence = [{"excerpt": "one", "source": "s"}, {"excerpt": " ", "source": "s"}, {"excerpt": "two", "source": "s"}]
    card = card_of(event(manual_review=review("/extracted_fields/note_text", evidence=evidence)))
    assert card.excerpts == (
        Excerpt("/relevant_message_excerpt", "please note"),
        Excerpt("/manual_review/evidence/0/excerpt", "one"),
        Excerpt("/manual_review/evidence/2/excerpt", "two"),
    )


def test_relations_are_carried_by_both_sides():
    """R-22."""
    first, _, last = judged(package(*split())).cards
    assert [(relation.role, relation.parent_event_index) for relation in first.relationships] == [("child", 3)]
    assert [relation.child_event_indexes for relation in last.relationships] == [(1, 2)]


def test_absent_members_are_empty_in_the_derived_event():
    card = card_of(event(case_keys=..., extracted_fields=None))
    assert (card.case_keys, card.derived["case_keys"], card.derived["extracted_fields"]) == ({}, {}, {})
    assert "case_keys" not in card.event
