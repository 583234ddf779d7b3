"""What one field takes (R-33, R-37)."""

from dataclasses import replace
from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.data import matrix
from reservations.domain.fieldcontract.values import calendar_day, kept_value, problem_with

ROW = matrix().cards[0].rows[0]


def problem(data_type, value, codes=None, **facts):
    found = problem_with(replace(ROW, data_type=data_type, **{"max_length": None, **facts}), value, codes)
    return None if found is None else found.code


@pytest.mark.parametrize(
    ("data_type", "value"),
    [
        ("string", "客人 <b>A</b> "),
        ("integer", 3),
        ("integer", Decimal("3.0")),
        ("integer", 2**70),
        ("decimal", 880),
        ("decimal", Decimal("880.50")),
        ("date", "2028-02-29"),
        ("time", "00:00"),
        ("time", "23:59:59"),
        ("boolean", False),
        ("string[]", ["a", "b"]),
        ("object[]", [{"name": "Guest A"}, {}]),
    ],
)
def test_r33_values_of_the_type_are_taken(data_type, value):
    assert problem(data_type, value) is None


@pytest.mark.parametrize(
    ("data_type", "value"),
    [
        ("string", 5),
        ("string", ["a"]),
        ("integer", "2"),
        ("integer", Decimal("0.5")),
        ("integer", True),
        ("decimal", "880"),
        ("decimal", False),
        ("date", "2026-02-30"),
        ("date", "03/08/2026"),
        ("date", "2026-8-3"),
        ("date", "20260803"),
        ("date", "2026-08-03T00:00:00Z"),
        ("date", "2026-08-03\n"),
        ("date", "２０２６-08-03"),
        ("date", "0000-01-01"),
        ("date", 20260803),
        ("time", "24:00"),
        ("time", "9:00"),
        ("time", "12:60"),
        ("time", "12:00Z"),
        ("time", "12:00\n"),
        ("boolean", 1),
        ("boolean", "true"),
        ("string[]", "a"),
        ("string[]", ["a", " "]),
        ("string[]", ["a", 1]),
        ("object[]", {"a": 1}),
        ("object[]", ["a"]),
    ],
)
def test_r33_values_of_another_type_are_refused(data_type, value):
    assert problem(data_type, value) == "WRONG_TYPE"


@pytest.mark.parametrize(
    ("data_type", "value", "facts", "code"),
    [
        ("string", "ab", {"max_length": 1}, "TOO_LONG"),
        ("string", "客", {"max_length": 1}, None),
        ("integer", 0, {"minimum": 1}, "TOO_SMALL"),
        ("integer", 1, {"minimum": 1}, None),
        ("decimal", Decimal("-0.01"), {"minimum": 0}, "TOO_SMALL"),
        ("decimal", Decimal("0.00"), {"minimum": 0}, None),
        ("string[]", ["a", "a"], {}, "REPEATED"),
    ],
)
def test_r37_bounds_of_a_field(data_type, value, facts, code):
    assert problem(data_type, value, **facts) == code


@pytest.mark.parametrize(
    ("data_type", "value", "code"),
    [
        ("string", "RM3", None),
        ("string", "rm3", "NOT_OFFERED"),
        ("string", " RM3", "NOT_OFFERED"),
        ("string[]", ["RM3", "SU1"], None),
        ("string[]", ["RM3", "X"], "NOT_OFFERED"),
    ],
)
def test_r37_a_choice_is_one_of_the_codes(data_type, value, code):
    assert problem(data_type, value, frozenset({"RM3", "SU1"})) == code


def test_r37_a_choice_without_options_takes_nothing():
    assert problem("string", "RM3", frozenset()) == "NOT_OFFERED"


@given(st.dates())
def test_r33_every_day_is_read_as_it_is_written(day):
    assert calendar_day(day.isoformat()) == day


@given(st.text(alphabet="0123456789-٣", min_size=8, max_size=10))
def test_r33_a_day_has_one_spelling(text):
    found = calendar_day(text)
    assert found is None or found == date(*map(int, text.split("-"))) == date.fromisoformat(text)


@pytest.mark.parametrize(
    ("value", "kept"),
    [(Decimal("3.0"), 3), (Decimal("3E+2"), 300), (Decimal("0.5"), Decimal("0.5")), ("3.0", "3.0"), (True, True)],
)
def test_r33_an_integer_is_kept_as_one(value, kept):
    row = replace(ROW, data_type="integer")
    assert (kept_value(row, value), type(kept_value(row, value))) == (kept, type(kept))


def test_r33_a_decimal_keeps_its_digits():
    assert str(kept_value(replace(ROW, data_type="decimal"), Decimal("880.00"))) == "880.00"
