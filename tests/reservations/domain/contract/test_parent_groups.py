"""Parent groups across the events of one package (R-22; reservations-domain.md section 7)."""

import pytest

from tests.reservations.domain.builders import (
    child,
    codes,
    event,
    judged,
    package,
    parent,
    relation,
    releases,
    review,
    split,
    unclear,
)

INCOMPLETE, DUPLICATE = "PARENT_SPLIT_INCOMPLETE", "PARENT_DUPLICATE"


def test_a_whole_split_makes_a_card_of_every_event():
    assert [card.route.position for card in judged(package(*split())).cards] == [3, 3, 21]


def test_the_parent_may_stand_before_its_children():
    assert codes(parent(relationships=releases(2, 3)), child("A", 1), child("B", 1)) == {}


def test_a_child_in_review_is_a_child():
    asked = child("B", 3, manual_review=review("/extracted_fields/arrival_date"))
    assert codes(child("A", 3), asked, parent(relationships=releases(1, 2))) == {}


@pytest.mark.parametrize(
    "broken",
    [
        child("B", 3, contract_errors=["x"]),
        child("B", 3, manual_review=...),
        child("B", 3, extracted_fields={"preflight": 1}),
        child("B", 3, manual_review=review()),
        child("B", 3, case_keys={"group_code": 5}),
    ],
)
def test_a_child_that_is_a_contract_error_takes_its_parent_with_it_and_no_sibling(broken):
    """R-22."""
    found = codes(child("A", 3), broken, parent(relationships=releases(1, 2)))
    assert (list(found), found[3]) == ([2, 3], INCOMPLETE)


@pytest.mark.parametrize(
    "events",
    [
        (child("A", 3), child("B", 3), parent(relationships=releases(1))),
        (child("A", 3), child("B", None), parent(relationships=releases(1, 2))),
        (child("A", 3), child("B", 3), parent(relationships=releases(1, 2, 9))),
        (child("A", 3), child("B", 3), parent(relationships=releases(1, 1, 2))),
        (child("A", 3), child("B", 3), parent(relationships=[*releases(1, 2), *releases(1, 2)])),
        (child("A", 3), child("B", 3), parent()),
        (child("A", 9), child("B", 9), parent(relationships=releases(1, 2))),
        (child("A", None), child("B", None), parent(relationships=releases())),
        (child("A", None), child("B", None), parent(relationships=releases(3))),
        (child("A", 3), child("B", 3), parent(case_keys={"block_code": "OTHER"}, relationships=releases(1, 2))),
    ],
)
def test_the_parent_fails_and_the_children_go_on(events):
    assert codes(*events) == {3: INCOMPLETE}


def test_a_child_of_another_type_fails_the_parent():
    trace = event(relationships=[relation("child", parent_event_index=2)])
    assert codes(trace, parent(relationships=releases(1))) == {2: INCOMPLETE}


def test_the_parent_code_of_the_case_keys_must_agree_too():
    other = child("A", 2, case_keys={"group_code": "A", "parent_group_code": "OTHER"})
    assert codes(other, parent(relationships=releases(1))) == {2: INCOMPLETE}
    same = child("A", 2, case_keys={"group_code": "A", "parent_group_code": " alt-lks"})
    assert codes(same, parent(relationships=releases(1))) == {}


def test_a_child_whose_parent_is_not_there_goes_on():
    assert codes(child("A", 7)) == {}


def test_a_child_whose_parent_is_retired_goes_on():
    """R-20."""
    old = event("Cancel Booking", "linked_parent_release_after_child_split", relationships=releases(1))
    assert codes(child("A", 2), old) == {2: "RETIRED_PARENT_CANCEL_BOOKING"}


def test_relations_of_another_kind_neither_make_nor_break_a_split():
    other = [{"relationship_type": "see_also", "role": "child", "parent_event_index": 2}]
    assert codes(event(relationships=other), parent(relationships=other)) == {}


def test_the_second_parent_of_a_key_is_a_duplicate_in_whatever_spelling():
    second = parent(case_keys={"block_code": " ａｌｔ－lks "})
    assert codes(parent(), second, parent(), parent(case_keys={"group_code": "B"})) == {2: DUPLICATE, 3: DUPLICATE}


def test_a_review_of_the_same_parent_is_a_duplicate_too():
    assert codes(parent(), parent(manual_review=review("/extracted_fields/cancel_reason_code"))) == {2: DUPLICATE}


@pytest.mark.parametrize(
    "illegal",
    [
        parent(relationships=releases(9)),
        parent(extracted_fields={"cancel_scope": "part"}),
        parent(contract_errors=["x"]),
        parent(manual_review=review()),
    ],
)
def test_an_illegal_parent_does_not_use_up_its_key(illegal):
    assert list(codes(illegal, parent(), parent())) == [1, 3]


def test_parents_without_a_settled_key_are_no_duplicates():
    asked = parent(case_keys={"group_code": "A", "block_code": "B"}, manual_review=unclear("/case_keys/group_code"))
    assert codes(asked, asked, parent(case_keys={"group_code": "A"})) == {}


def test_children_of_an_unclear_parent_may_name_either_key():
    asked = parent(
        case_keys={"group_code": "ALT-LKS", "block_code": "BLK"},
        manual_review=unclear("/case_keys/group_code"),
        relationships=releases(1),
    )
    assert codes(child("A", 2), asked) == {}
    other = child("A", 2, relationships=[relation("child", parent_event_index=2, parent_group_code="THIRD")])
    assert codes(other, asked) == {2: INCOMPLETE}


def test_two_parents_cannot_share_a_child():
    both = [relation("child", parent_event_index=2), relation("child", parent_event_index=3)]
    second = parent(case_keys={"group_code": "B"}, relationships=releases(1))
    assert codes(child("A", None, relationships=both), parent(relationships=releases(1)), second) == {
        2: INCOMPLETE,
        3: INCOMPLETE,
    }


def test_five_hundred_events_of_parents_and_children_are_judged():
    events = [
        child(f"C{n}", 251 + n, relationships=[relation("child", parent_event_index=251 + n)]) for n in range(250)
    ]
    events += [parent(case_keys={"group_code": f"P{n}"}, relationships=releases(n + 1)) for n in range(250)]
    assert len(judged(package(*events)).cards) == 500
