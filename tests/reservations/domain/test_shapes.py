"""The shapes: strict types, nothing converted, and a JSON Schema that says the same (R-17)."""

from decimal import Decimal

import pytest

from reservations.domain.shapes import RelationShape, ReviewShape, V2ItemShape, V3EventShape, faults_in
from tests.reservations.domain.builders import event, review

ITEM = {
    "result_type": "normal_task",
    "task_type": "New Booking",
    "task_subtype": "new_fit_booking",
    "case_keys": {"booking_code": None},
    "extracted_fields": {},
    "visible_reason": "Please book",
}


def test_what_fits_has_no_faults():
    assert (faults_in(V3EventShape, event()), faults_in(ReviewShape, review()), faults_in(V2ItemShape, ITEM)) == (
        {},
        {},
        {},
    )


def test_every_wrong_key_is_named_once_in_the_order_of_the_shape():
    wrong = {"event_type": 1, "task_subtype": "x", "case_keys": {"a": 1, "b": 2}, "manual_review": None}
    assert list(faults_in(V3EventShape, wrong)) == ["event_type", "case_keys", "relevant_message_excerpt"]


@pytest.mark.parametrize("value", [0, 1, Decimal("0.5"), Decimal("1.0")])
def test_a_confidence_is_a_number_from_0_to_1(value):
    assert faults_in(ReviewShape, review(confidence=value)) == {}


@pytest.mark.parametrize("value", [True, "0.5", -1, 2, Decimal("1.01"), None, 10**400])
def test_nothing_else_is_a_confidence(value):
    assert list(faults_in(ReviewShape, review(confidence=value))) == ["confidence"]


@pytest.mark.parametrize(
    ("value", "faults"), [(Decimal("1.0"), []), (1, []), (Decimal("1.5"), ["child_event_indexes"])]
)
def test_an_index_is_whole_in_whatever_way_it_is_written(value, faults):
    """R-51: equal canonical values give equal verdicts."""
    relation = {"relationship_type": "x", "child_event_indexes": [value]}
    assert list(faults_in(RelationShape, relation)) == faults


def test_an_older_result_has_no_other_key():
    assert faults_in(V2ItemShape, ITEM | {"priority": "high"}) == {"priority": "extra_forbidden"}


def test_the_json_schema_names_the_required_keys_and_closes_the_older_result():
    schema = V2ItemShape.model_json_schema()
    assert (schema["required"], schema["additionalProperties"]) == (list(ITEM), False)
    assert schema["properties"]["confidence"]["type"] == "number"
