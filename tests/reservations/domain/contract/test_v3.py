"""V3 packages: shape, order of the checks, one verdict per event (R-16, R-17; contracts.md section 2)."""

from decimal import Decimal

import pytest

from reservations.data import catalog, matrix
from reservations.domain.contract import Generation, MailFacts, Root, RootKind, judge
from reservations.domain.errors import AdapterContractRefused
from tests.reservations.domain.builders import (
    PARENT,
    VOUCHER,
    child,
    codes,
    event,
    every_event,
    fallback,
    judged,
    package,
    parent,
    review,
    source_message,
)

SHAPE = "EVENT_SHAPE_INVALID"


def test_every_business_route_can_be_reached_and_cards_keep_the_order_of_the_array():
    """R-15, R-16."""
    judgement = judged(package(*every_event()))
    assert judgement.faults == ()
    assert [card.route.position for card in judgement.cards] == [*range(1, 37), 41]
    assert [(card.array_index, card.source_event_index) for card in judgement.cards] == [(n, n + 1) for n in range(37)]


def test_a_package_without_events_is_judged_to_nothing():
    judgement = judged(package())
    assert (judgement.cards, judgement.faults, judgement.intents, judgement.notice) == ((), (), (), None)


def test_a_bad_event_touches_no_sibling():
    """R-17."""
    judgement = judged(package(event(), event("Note"), 5, event(), {}))
    assert [card.source_event_index for card in judgement.cards] == [1, 4]
    assert [(fault.source_event_index, fault.array_index, fault.event) for fault in judgement.faults] == [
        (2, 1, event("Note")),
        (3, 2, 5),
        (5, 4, {}),
    ]


@pytest.mark.parametrize("value", [None, [], 5, "x", True, Decimal("1.5"), [{}]])
def test_an_event_that_is_no_object_is_misshapen(value):
    assert codes(value) == {1: SHAPE}


@pytest.mark.parametrize("key", ["event_type", "task_subtype", "relevant_message_excerpt"])
@pytest.mark.parametrize("value", [..., None, 5, [], {}, True])
def test_required_texts_are_texts(key, value):
    assert codes(event(**{key: value})) == {1: SHAPE}


@pytest.mark.parametrize("value", [..., [], "x", 5, False])
def test_the_review_is_a_required_key_of_null_or_an_object(value):
    assert codes(event(manual_review=value)) == {1: SHAPE}


@pytest.mark.parametrize(
    "changes",
    [
        {"result_type": 1},
        {"task_type": []},
        {"route_code": {}},
        {"case_keys": []},
        {"case_keys": "x"},
        {"case_keys": {"confirmation_number": 8801305}},
        {"case_keys": {"group_code": "G", "unknown": 1}},
        {"case_keys": {"group_code": ["G"]}},
        {"extracted_fields": []},
        {"extracted_fields": "x"},
        {"relationships": {}},
        {"relationships": [1]},
        {"relationships": [{}]},
        {"applies_to_event_indexes": 0},
        {"applies_to_event_indexes": ""},
        {"applies_to_event_indexes": {}},
        {"applies_to_event_indexes": ["1"]},
        {"source_row": []},
        {"source_row": {"attachment_id": 1}},
        {"source_row": {"row_number": "1"}},
        {"source_row": {"row_number": Decimal("1.5")}},
        {"contract_errors": "x"},
        {"missing_fields": {}},
    ],
)
def test_a_wrong_type_is_misshapen(changes):
    assert codes(event(**changes), event()) == {1: SHAPE}


@pytest.mark.parametrize(
    "changes",
    [
        dict.fromkeys(
            ("result_type", "task_type", "route_code", "case_keys", "extracted_fields", "relationships"), None
        ),
        dict.fromkeys(("applies_to_event_indexes", "source_row", "contract_errors", "missing_fields"), None),
        {"case_keys": ..., "extracted_fields": ...},
        {"case_keys": {"group_code": None, "confirmation_number": "1", "unknown": None}},
        {"contract_errors": [], "missing_fields": [], "relationships": [], "applies_to_event_indexes": []},
        {"source_row": {"attachment_id": "att-9", "row_number": Decimal("2.0"), "sheet": 1}},
        {"source_row": {}},
        {"event_id": 5, "unknown": {"a": [None]}, "": "x", "客": 1},
        {"relevant_message_excerpt": ""},
        {"extracted_fields": {"note_text": 5, "anything": [None]}},
        {"relationships": [{"relationship_type": "other", "role": "x", "parent_event_index": 99}]},
    ],
)
def test_null_is_absent_and_unknown_keys_are_ignored(changes):
    assert codes(event(**changes)) == {}


@pytest.mark.parametrize("index", [1, Decimal("1.0"), None, ...])
def test_an_index_equals_its_place_or_is_absent(index):
    assert codes(event(source_event_index=index)) == {}


@pytest.mark.parametrize("index", [0, 2, -1, "1", True, [1], Decimal("1.5"), 10**40, Decimal("1e300")])
def test_any_other_index_is_misshapen(index):
    assert codes(event(source_event_index=index), event()) == {1: SHAPE}


@pytest.mark.parametrize("indexes", [[2], [3, 2], [Decimal("3.0")]])
def test_a_trace_may_apply_to_other_events(indexes):
    judgement = judged(package(event(applies_to_event_indexes=indexes), event(), event()))
    assert judgement.cards[0].applies_to == tuple(int(index) for index in indexes)


@pytest.mark.parametrize("indexes", [[1], [2, 2], [0], [4], [-1], [2, 10**40], [None], [True]])
def test_a_dangling_repeated_or_own_reference_is_misshapen(indexes):
    assert codes(event(applies_to_event_indexes=indexes), event(), event()) == {1: SHAPE}


def test_an_event_may_apply_to_one_that_is_a_contract_error():
    """The reference is whole; where the card then sits is for the order rules."""
    assert codes(event(applies_to_event_indexes=[2]), event("Note")) == {2: "RETIRED_TASK"}


BAD_REVIEW = {"review_type": "x"}


@pytest.mark.parametrize(
    ("wrong", "code"),
    [
        (event("Note", 5, contract_errors=["x"], missing_fields=["y"]), "EXPLICIT_CONTRACT_ERRORS"),
        (event("Note", 5, missing_fields=["y"]), "ROOT_MISSING_FIELDS"),
        (event("Note", 5, extracted_fields={"preflight": 1}), "RETIRED_TASK"),
        (
            event("Cancel Booking", "linked_parent_release_after_child_split", case_keys=[]),
            "RETIRED_PARENT_CANCEL_BOOKING",
        ),
        (event(5, "update_allotment_control_block"), "RETIRED_TASK"),
        (event("x", "y", case_keys=[], extracted_fields={"preflight": 1}), SHAPE),
        (event("x", "y", extracted_fields={"preflight": 1}), "PREFLIGHT_LOCK_NOT_FROZEN"),
        (event(*VOUCHER, route_code="x", manual_review=None), "VOUCHER_FILE_MISSING"),
        (event("x", "y", route_code="z", manual_review=BAD_REVIEW), "ROUTE_UNRESOLVED"),
        (event(route_code="z", manual_review=BAD_REVIEW), "ROUTE_MISMATCH"),
        (event("Fallback", "x", route_code="z"), "FALLBACK_WITHOUT_REVIEW"),
        (parent(manual_review=BAD_REVIEW, extracted_fields={"cancel_scope": "x"}), "MANUAL_REVIEW_INCOMPLETE"),
        (parent(case_keys={}, extracted_fields={"cancel_scope": "x"}), "CANCEL_SCOPE_INVALID"),
        (parent(case_keys={}, relationships=[]), "PARENT_KEY_MISSING"),
    ],
)
def test_the_first_check_that_fails_gives_the_code(wrong, code):
    """Step 4 of the routing, a to h."""
    assert codes(wrong) == {1: code}


def test_a_duplicate_is_found_before_its_relations():
    """Step 4h."""
    second = parent(relationships=[{"relationship_type": "linked_parent_release_after_child_split"}])
    assert codes(parent(), second) == {2: "PARENT_DUPLICATE"}


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"missing_fields": ["x"]}, "ROOT_MISSING_FIELDS"),
        ({"missing_fields": [None]}, "ROOT_MISSING_FIELDS"),
        ({"contract_errors": ["x"]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{"source_event_index": 3}]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{"source_event_index": 0}]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{"source_event_index": "1"}]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{"source_event_index": 1}, {}]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": [{}], "missing_fields": ["x"]}, "EXPLICIT_CONTRACT_ERRORS"),
        ({"contract_errors": {}, "missing_fields": ["x"]}, SHAPE),
        ({"missing_fields": "x"}, SHAPE),
        ({"message_events": {}}, SHAPE),
        ({"message_events": "[]"}, SHAPE),
        ({"case_candidates": {}}, SHAPE),
        ({"extraction_warnings": 1}, SHAPE),
        ({"unhandled_current_intents": "x"}, SHAPE),
        ({"source_message": source_message(attachments={})}, SHAPE),
    ],
)
def test_a_fault_of_the_package_is_the_only_verdict(changes, code):
    """Step 3 of the routing; decisions 5 and 6."""
    body = package(event(), event("Note"), **{"unhandled_current_intents": [{}], **changes})
    judgement = judged(body)
    (fault,) = judgement.faults
    assert judgement.package_fault == fault
    assert (fault.source_event_index, fault.array_index, fault.event, str(fault.code)) == (0, None, None, code)
    assert (judgement.cards, judgement.intents) == ((), ())


def test_root_contract_errors_with_an_index_belong_to_that_event():
    """Decision 6."""
    errors = [{"source_event_index": 2, "code": "x"}, {"source_event_index": Decimal("2.0")}]
    assert codes(event(), event(), contract_errors=errors) == {2: "EXPLICIT_CONTRACT_ERRORS"}


def test_null_members_of_the_root_are_absent():
    members = (
        "case_candidates",
        "extraction_warnings",
        "unhandled_current_intents",
        "contract_errors",
        "missing_fields",
    )
    body = package(event(), source_message=source_message(attachments=None), **dict.fromkeys(members, None))
    assert len(judged(body).cards) == 1


def test_every_unhandled_intent_is_kept_whatever_its_shape():
    """R-09."""
    sent = [{"intent": "x"}, "y", None, 5, []]
    judgement = judged(package(event("Note"), unhandled_current_intents=sent))
    assert [(intent.array_index, intent.intent) for intent in judgement.intents] == list(enumerate(sent))


def test_candidates_and_warnings_make_no_verdict():
    """R-08."""
    judgement = judged(package(case_candidates=[1, {}], extraction_warnings=["x"]))
    assert (judgement.cards, judgement.faults, judgement.intents) == ((), (), ())


@pytest.mark.parametrize(
    ("body", "root"),
    [([], Root(Generation.V3, RootKind.BUSINESS)), ({}, Root(Generation.V3, RootKind.INFRASTRUCTURE_ERROR))],
)
def test_what_cannot_be_judged_is_refused(body, root):
    with pytest.raises(AdapterContractRefused):
        judge(body, root, catalog=catalog(), matrix=matrix(), mail=MailFacts())


@pytest.mark.parametrize("pair", [("Cancel Allotment", "x"), ("cancel allotment", PARENT[1]), ("Fallback", "x")])
def test_names_are_compared_exactly(pair):
    """R-17."""
    asked = review("/case_keys/group_code", review_type="business_event_review")
    assert codes(event(*pair, manual_review=asked)) == {1: "ROUTE_UNRESOLVED"}


@pytest.mark.parametrize(
    "stated",
    [
        {"result_type": "manual_review"},
        {"task_type": "Update Booking"},
        {"route_code": "R24_TRACE_RESERVATION_NOTES_ADD_DEPARTMENT_TRACE_REVIEW"},
    ],
)
def test_what_an_event_states_must_agree_with_what_follows_from_it(stated):
    """Decision 2."""
    assert codes(event(**stated)) == {1: "ROUTE_MISMATCH"}


def test_a_fallback_keeps_its_type_and_a_child_its_own():
    """R-17: no contract error ever becomes a Fallback."""
    judgement = judged(package(fallback(), child("A", None), event("Unknown")))
    assert [card.route.task_type for card in judgement.cards] == ["Fallback", "New Booking"]
    assert [str(fault.code) for fault in judgement.faults] == ["ROUTE_UNRESOLVED"]
