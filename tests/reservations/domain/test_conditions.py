"""Conditions of the data files."""

import pytest

from reservations.domain.conditions import Condition, ConditionOp, load_condition


@pytest.mark.parametrize(
    ("op", "expected", "value", "holds"),
    [
        ("eq", "group", "group", True),
        ("eq", "group", None, False),
        ("ne", "guest", "company", True),
        ("ne", "guest", "guest", False),
        ("ne", "guest", None, True),
        ("in", ["company", "travel_agent"], "company", True),
        ("in", ["company", "travel_agent"], "guest", False),
        ("present", None, 0, True),
        ("present", None, " ", False),
        ("present", None, [], False),
        ("absent", None, None, True),
        ("absent", None, "x", False),
    ],
)
def test_a_condition_holds_by_the_value_of_its_field(op, expected, value, holds):
    assert Condition("f", ConditionOp(op), expected).holds(value) is holds


def test_no_condition_is_none():
    assert load_condition(None) is None


def test_an_unknown_operator_is_refused_when_loading():
    with pytest.raises(ValueError, match="like"):
        load_condition({"field": "f", "op": "like"})
