"""JSON laid out for reading says what was written."""

from __future__ import annotations

import re
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config import jsontext
from config.backoffice.jsonview import laid_out, laid_out_value, scalar

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text('ab{}[],:"\\ ', max_size=4), inner, max_size=3),
    max_leaves=12,
)


def test_one_member_a_line():
    assert (
        laid_out('{"a":[1,{}],"b":{"c":null}}') == '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": {\n    "c": null\n  }\n}'
    )


@pytest.mark.parametrize("number", ["1.0", "1e2", "12345678901234567890.50", "-0.0"])
def test_numbers_stay_as_written(number):
    assert laid_out(f"[{number}]") == f"[\n  {number}\n]"


@pytest.mark.parametrize("text", ["S000,m1", "", '"text"', "12"])
def test_what_is_no_container_comes_back_as_it_is(text):
    assert laid_out(text) == text


@given(VALUES)
def test_only_white_space_changes(value):
    written = jsontext.write(value)
    assert jsontext.read(laid_out(written).encode()) == value
    assert re.sub(r"\s", "", laid_out_value(value)) == re.sub(r"\s", "", written)


def test_a_scalar_reads_as_a_person_would_write_it():
    assert [scalar(value) for value in ("a", 1, Decimal("1.0"), None, ["x"])] == ["a", "1", "1.0", "null", '["x"]']
