"""Questions asked of JSON values; equal numbers give equal answers (R-51)."""

from decimal import Decimal

import pytest

from config import jsontext
from reservations.domain.jsonvalues import as_integer, filled_text, has_value, is_blank


@pytest.mark.parametrize("value", [1, Decimal("1.0"), Decimal("1"), Decimal("10e-1"), Decimal("0.1e1")])
def test_one_is_one_however_it_is_written(value):
    assert as_integer(value) == 1


@pytest.mark.parametrize("value", [True, False, "1", None, Decimal("1.5"), Decimal("NaN"), Decimal("Infinity"), [], {}])
def test_what_is_no_integer(value):
    assert as_integer(value) is None


def test_integers_keep_every_digit():
    assert as_integer(2**200 + 1) == 2**200 + 1
    assert as_integer(Decimal("1e30")) == 10**30


def test_a_number_too_wide_to_be_an_index_is_not_expanded():
    assert as_integer(Decimal("1e999999")) is None


@pytest.mark.parametrize("text", ["1e38", "-9e38", "123456789012345678901234567890123456789.0"])
def test_r54_every_integer_can_be_written_and_read_again(text):
    assert jsontext.read(jsontext.write(as_integer(Decimal(text))).encode()) == Decimal(text)


@pytest.mark.parametrize("text", ["1e39", "-1e39", "1e308"])
def test_r54_what_could_not_be_read_again_is_no_integer(text):
    assert as_integer(Decimal(text)) is None


@pytest.mark.parametrize("value", [None, "", " ", "\t\n", "\u3000"])
def test_null_and_white_space_are_blank(value):
    assert is_blank(value) is True
    assert has_value(value) is False


def test_an_empty_array_is_no_value_but_zero_and_false_are():
    assert [has_value(value) for value in ([], 0, False, {}, [None])] == [False, True, True, True, True]


def test_filled_text_is_trimmed_and_never_blank():
    assert [filled_text(value) for value in (" a ", " ", 5, None)] == ["a", None, None, None]
