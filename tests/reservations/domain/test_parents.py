"""Parent Group rules (R-22, R-23; reservations-domain.md section 7)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.faults import EventFault, FaultCode
from reservations.domain.orderkeys import fold
from reservations.domain.parents import (
    ParentKeys,
    Party,
    Relation,
    check_scope,
    check_split,
    children_by_parent,
    completed_keys,
    identity_candidates,
    read_indexes,
    read_relation,
    settle_keys,
)
from tests.reservations.domain.builders import SPLIT, relation, review, unclear

KEYS = ParentKeys("ALT-LKS", frozenset({"alt-lks"}))
KEY_TEXTS = st.text(min_size=1).filter(fold)


def code_of(check, *arguments):
    with pytest.raises(EventFault) as fault:
        check(*arguments)
    return fault.value.code


@given(KEY_TEXTS)
def test_one_key_fills_the_other(key):
    """R-22: on a copy."""
    for name in ("group_code", "block_code"):
        sent = {name: key, "booking_code": "B"}
        keys = settle_keys(sent, None)
        assert completed_keys(sent, keys) == {"group_code": key, "block_code": key, "booking_code": "B"}
        assert sent == {name: key, "booking_code": "B"}


@given(KEY_TEXTS)
def test_completing_twice_changes_nothing(key):
    once = completed_keys({"block_code": key}, settle_keys({"block_code": key}, None))
    assert completed_keys(once, settle_keys(once, None)) == once


def test_keys_that_fold_alike_are_one_key_and_stay_as_sent():
    sent = {"group_code": "ALT-LKS", "block_code": " ａｌｔ-lks"}
    keys = settle_keys(sent, None)
    assert (keys.group_code, completed_keys(sent, keys)) == ("ALT-LKS", sent)


def test_a_blank_key_counts_as_none():
    sent = {"group_code": "  ", "block_code": "BLK"}
    assert completed_keys(sent, settle_keys(sent, None)) == {"group_code": "BLK", "block_code": "BLK"}


def test_different_keys_conflict_and_none_is_missing():
    assert code_of(settle_keys, {"group_code": "A", "block_code": "B"}, None) == FaultCode.PARENT_KEY_CONFLICT
    assert code_of(settle_keys, {}, None) == FaultCode.PARENT_KEY_MISSING


def test_a_review_that_names_candidates_takes_the_conflict_and_holds_neither_key():
    sent = {"group_code": "ALT-SPR", "block_code": "BLK-SUM", "booking_code": "B"}
    keys = settle_keys(sent, unclear())
    assert keys == ParentKeys(None, frozenset({"alt-spr", "blk-sum"}))
    assert completed_keys(sent, keys) == {"booking_code": "B"}


def test_a_review_without_keys_is_known_by_its_candidates():
    assert settle_keys({}, unclear()) == ParentKeys(None, frozenset({"alt-spr", "blk-sum"}))


@pytest.mark.parametrize(
    "asked",
    [
        review(reason_code="quantity_unclear", context_used=unclear()["context_used"]),
        unclear(context_used={}),
        unclear(context_used={"parent_identity_candidates": []}),
        unclear(context_used={"parent_identity_candidates": "ALT-SPR"}),
    ],
)
def test_a_review_that_does_not_say_whom_it_means_leaves_the_conflict(asked):
    assert code_of(settle_keys, {"group_code": "A", "block_code": "B"}, asked) == FaultCode.PARENT_KEY_CONFLICT
    assert code_of(settle_keys, {}, asked) == FaultCode.PARENT_KEY_MISSING


@pytest.mark.parametrize(
    "candidate",
    [
        {"group_code": None, "block_code": None, "source": "email_body", "evidence": "x"},
        {"group_code": " ", "source": "email_body", "evidence": "x"},
        {"group_code": "A", "source": "guess", "evidence": "x"},
        {"group_code": "A", "source": "email_body"},
        {"group_code": 5, "block_code": "B", "source": "email_body", "evidence": "x"},
        "A",
    ],
)
def test_one_incomplete_candidate_empties_the_list(candidate):
    sound = {"group_code": "A", "source": "attachment", "evidence": "x"}
    context = {"parent_identity_candidates": [sound, candidate]}
    assert identity_candidates(unclear(context_used=context)) == ()


@pytest.mark.parametrize("fields", [{}, {"cancel_scope": None}, {"cancel_scope": "entire_allotment_control_block"}])
def test_the_whole_or_no_scope_is_accepted(fields):
    """R-23."""
    check_scope(fields)


@pytest.mark.parametrize("scope", ["partial_rooms", "", "Entire_allotment_control_block", ["x"], 1, False])
def test_every_other_scope_is_refused(scope):
    """R-23."""
    assert code_of(check_scope, {"cancel_scope": scope}) == FaultCode.CANCEL_SCOPE_INVALID


def test_a_relation_is_read_with_null_as_absent():
    assert read_relation({"relationship_type": "x", "role": None, "child_event_indexes": None, "more": 1}) == Relation(
        "x", None, None, None, None
    )


@pytest.mark.parametrize(
    "value",
    [
        None,
        "x",
        {},
        {"relationship_type": 1},
        relation(3),
        relation("child", parent_event_index="1"),
        relation("child", parent_event_index=True),
        relation("parent", child_event_indexes=1),
        relation("parent", child_event_indexes=["1"]),
        relation("child", parent_group_code=7),
    ],
)
def test_a_relation_of_a_wrong_shape_is_none(value):
    assert read_relation(value) is None


def test_indexes_are_integers_however_written():
    assert read_indexes([1, 2]) == (1, 2)
    assert [read_indexes(value) for value in ([1, None], [1, True], "1", None)] == [None] * 4


def party(index, *relations, legal=True, stated=None):
    return Party(index, tuple(map(relation_of, relations)), legal, stated)


def relation_of(members):
    return Relation(
        SPLIT,
        members.get("role"),
        members.get("parent"),
        members.get("children"),
        members.get("code"),
    )


def names(parent, code="ALT-LKS"):
    return {"role": "child", "parent": parent, "code": code}


def lists(*children):
    return {"role": "parent", "children": children}


def split_fault(parent, *children):
    naming = children_by_parent([parent, *children]).get(parent.source_event_index, [])
    try:
        check_split(parent, KEYS, naming)
    except EventFault as fault:
        return fault.code
    return None


def test_a_cancellation_without_relations_is_legal():
    assert split_fault(party(3)) is None


def test_a_whole_split_is_legal_in_any_order():
    assert split_fault(party(3, lists(2, 1)), party(1, names(3)), party(2, names(3, code=None))) is None


@pytest.mark.parametrize(
    "children",
    [
        [party(1, names(3))],
        [party(1, names(3)), party(2, names(4))],
        [party(1, names(3)), party(2)],
        [party(1, names(3)), party(2, names(3)), party(4, names(3))],
        [party(1, names(3)), party(2, names(3), legal=False)],
        [party(1, names(3)), party(2, names(3, code="OTHER"))],
        [party(1, names(3)), party(2, names(3), stated="OTHER")],
        [party(1, names(3)), party(2, names(3), names(3))],
        [party(1, names(3)), party(2, names(3), names(9))],
        [],
    ],
)
def test_a_split_that_is_not_whole_or_not_one_to_one_fails(children):
    """R-22."""
    assert split_fault(party(3, lists(1, 2)), *children) == FaultCode.PARENT_SPLIT_INCOMPLETE


@pytest.mark.parametrize(
    "relations",
    [
        [lists(1, 1)],
        [lists()],
        [lists(1), lists(1)],
        [{"role": "parent", "children": None}],
        [{"role": "sibling", "children": (1,)}],
        [names(1)],
        [{**lists(1), "code": "OTHER"}],
        [],
    ],
)
def test_a_parent_that_does_not_list_its_child_once_fails(relations):
    """R-22; also the parent without relations that a child names."""
    assert split_fault(party(3, *relations), party(1, names(3))) == FaultCode.PARENT_SPLIT_INCOMPLETE


def test_a_blank_parent_group_code_says_nothing():
    assert split_fault(party(3, lists(1)), party(1, names(3, code=" "), stated="")) is None


def test_the_parent_group_code_is_compared_folded():
    assert split_fault(party(3, lists(1)), party(1, names(3, code=" alt-LKS "), stated="ＡＬＴ-lks")) is None
