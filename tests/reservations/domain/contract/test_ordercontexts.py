"""Order contexts: their keys, what they lend to their events, when they are wanted (R-56, R-60)."""

import pytest

from reservations.domain.orderkeys import OrderKeys, OrderKind
from tests.reservations.domain.builders import unclear
from tests.reservations.domain.orderpackages import (
    card_of,
    codes,
    judged,
    order,
    order_event,
    order_package,
    release,
)

ALL = {"GROUP_CODE": "G-1", "CONFIRMATION_NUMBER": "8801305", "BOOKING_CODE": "LT-1"}
CONFLICT = {"GROUP_CODE": "G-1", "BLOCK_CODE": "B-1", "CONFIRMATION_NUMBER": "8801305"}


def context_of(order_type="FIT", **changes):
    (context,) = judged(order_package(order_event(), orders=[order("O1", order_type, **changes)])).contexts
    return context


def test_r56_an_order_without_a_legal_event_is_not_wanted_and_the_others_keep_their_order():
    orders = [order("O1"), order("O2", "GROUP"), order("O3"), order("O4")]
    events = [order_event(order_ref=ref) for ref in ("O4", "O2", "O4")] + [order_event("X", order_ref="O3")]
    contexts = judged(order_package(*events, orders=orders)).contexts
    assert [(found.order_ref, found.order_context_index, found.order_type) for found in contexts] == [
        ("O2", 1, OrderKind.GROUP),
        ("O4", 3, OrderKind.FIT),
    ]


@pytest.mark.parametrize(
    ("order_type", "identifiers", "keys"),
    [
        ("FIT", ALL, OrderKeys("G-1", "8801305", "LT-1")),
        ("GROUP", ALL, OrderKeys("G-1", "8801305", None)),
        ("GROUP", {"BLOCK_CODE": " B-1 ", "GROUP_CODE": " "}, OrderKeys("B-1")),
        ("GROUP", {"BLOCK_CODE": "ｇ－1", "GROUP_CODE": "G-1"}, OrderKeys("G-1")),
        ("FIT", {"BOOKING_CODE": "", "CONFIRMATION_NUMBER": None}, OrderKeys()),
        ("FIT", {"booking_code": "LT-1"}, OrderKeys()),
        ("FIT", None, OrderKeys()),
    ],
)
def test_r56_the_identifiers_find_the_order_and_the_booking_code_one_of_type_fit(order_type, identifiers, keys):
    context = context_of(order_type if order_type == "FIT" else "GROUP", identifiers=identifiers)
    assert (context.keys, context.keys_conflict) == (keys, False)


def test_r56_group_and_block_code_that_differ_pick_nothing():
    context = context_of("GROUP", identifiers=CONFLICT)
    assert (context.keys, context.keys_conflict) == (OrderKeys(), True)


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"display_name": " 客人 A "}, "客人 A"),
        ({"display_name": " "}, "FIT-O1"),
        ({"display_name": None, "identifiers": ALL}, "G-1"),
        ({"display_name": ..., "identifiers": None}, "O1"),
        ({"display_name": "x" * 201}, "x" * 200),
    ],
)
def test_an_order_is_shown_by_its_name_else_a_key_else_its_reference(changes, name):
    assert context_of(**changes).display_name == name


@pytest.mark.parametrize(
    ("identifiers", "sent", "effective"),
    [
        (ALL, None, {"group_code": "G-1", "confirmation_number": "8801305", "booking_code": "LT-1"}),
        ({"BLOCK_CODE": "B-1"}, {}, {"group_code": "B-1"}),
        ({"GROUP_CODE": "G-1"}, {"group_code": " ", "x": "y"}, {"group_code": "G-1", "x": "y"}),
        ({"GROUP_CODE": "G-1"}, {"group_code": "G-2"}, {"group_code": "G-2"}),
        ({"GROUP_CODE": "G-1"}, {"block_code": "B-2"}, {"group_code": "B-2", "block_code": "B-2"}),
        (CONFLICT, {}, {"confirmation_number": "8801305"}),
        (None, {"booking_code": None}, {"booking_code": None}),
    ],
)
def test_r56_keys_an_event_lacks_are_taken_from_the_identifiers_on_the_derived_copy(identifiers, sent, effective):
    card = card_of(order_event(case_keys=sent), order("O1", "GROUP", identifiers=identifiers))
    assert card.effective_case_keys == effective
    assert (card.case_keys, card.event["case_keys"]) == (sent or {}, sent)
    assert card.derived["case_keys"] == effective


@pytest.mark.parametrize(
    ("identifiers", "sent", "differing"),
    [
        (ALL, {"group_code": "g-1", "confirmation_number": " 8801305", "booking_code": "ＬＴ-1"}, []),
        (ALL, {"group_code": "G-2", "block_code": "G-1", "booking_code": "LT-2"}, ["group_code", "booking_code"]),
        (ALL, {"block_code": "B-2", "confirmation_number": "1"}, ["block_code", "confirmation_number"]),
        (ALL, {"parent_group_code": "X", "group_code": " ", "booking_code": None}, []),
        (CONFLICT, {"group_code": "B-1", "block_code": "G-1", "booking_code": "LT-9"}, []),
        (CONFLICT, {"group_code": "C-1"}, ["group_code"]),
        (None, {"group_code": "G-1"}, []),
    ],
)
def test_r56_a_key_that_disagrees_with_the_identifiers_is_a_warning(identifiers, sent, differing):
    card = card_of(order_event(case_keys=sent), order("O1", "GROUP", identifiers=identifiers))
    assert [warning["code"] for warning in card.warnings] == ["ORDER_CONTEXT_KEY_DIFFERS"] * len(differing)
    assert [warning["detail"].split()[3] for warning in card.warnings] == differing


def test_r56_a_warning_names_both_keys():
    card = card_of(order_event(case_keys={"group_code": "C-1"}), order("O1", "GROUP", identifiers=CONFLICT))
    assert card.warnings == (
        {
            "code": "ORDER_CONTEXT_KEY_DIFFERS",
            "detail": "The event says group_code C-1; its order context says G-1 and B-1.",
        },
    )


@pytest.mark.parametrize("order_type", ["FIT", "GROUP"])
def test_r56_a_new_order_is_of_the_type_of_its_context(order_type):
    card = card_of(order_event(case_keys={"group_code": "X"}), order("O1", order_type, identifiers=None))
    assert (card.order_ref, card.order_kind) == ("O1", OrderKind(order_type))


@pytest.mark.parametrize("identifiers", [{"BLOCK_CODE": "ALT"}, {"GROUP_CODE": "ALT"}])
def test_r22_a_release_without_keys_is_completed_from_its_order(identifiers):
    card = card_of(release(), order("P", "ALLOTMENT", identifiers=identifiers))
    assert (card.case_keys, card.effective_case_keys) == ({}, {"group_code": "ALT", "block_code": "ALT"})
    assert (card.keys_conflict, card.order_kind) == (False, OrderKind.ALLOTMENT)


@pytest.mark.parametrize(
    ("identifiers", "case_keys", "code"),
    [
        (CONFLICT, None, "PARENT_KEY_MISSING"),
        (None, None, "PARENT_KEY_MISSING"),
        ({"GROUP_CODE": "G-1"}, {"group_code": "G-1", "block_code": "B-1"}, "PARENT_KEY_CONFLICT"),
    ],
)
def test_r22_a_release_whose_keys_name_no_parent_is_a_contract_error(identifiers, case_keys, code):
    parent = order("P", "ALLOTMENT", identifiers=identifiers)
    assert codes(release(case_keys=case_keys), orders=[parent]) == {1: code}


def test_r22_an_unclear_target_takes_no_key_from_conflicting_identifiers():
    parent = order("P", "ALLOTMENT", identifiers={"GROUP_CODE": "ALT-SPR", "BLOCK_CODE": "BLK-SUM"})
    card = card_of(release(manual_review=unclear()), parent)
    assert (card.effective_case_keys, card.order_keys, card.keys_conflict) == ({}, OrderKeys(), True)
    assert card.missing_paths == ("case_keys.group_code",)
