"""From what was typed to the body of a write (R-33, R-36, R-37, R-39), without rows."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.admin.tasks.forms import (
    Answer,
    Answers,
    Typed,
    confirmation_body,
    draft_body,
    fingerprint,
    read_answers,
    read_form,
    resolution_body,
    same,
    texts_of,
    value_of,
)
from tests.reservations.admin.tasks.served import field, numbers, served_by_count

TEXT, INTEGER, DECIMAL = field("string"), field("integer"), field("decimal")
TRUTH, SEVERAL = field("boolean"), field("string[]")
values = st.none() | st.booleans() | st.text(max_size=20) | numbers | st.lists(st.text(max_size=5), max_size=4)


@pytest.mark.parametrize(
    ("served", "text", "value"),
    [
        (TEXT, "12", "12"),
        (TEXT, " a ", " a "),
        (TEXT, " ", None),
        (INTEGER, " 12 ", 12),
        (INTEGER, "12.0", Decimal("12.0")),
        (INTEGER, "007", "007"),
        (INTEGER, "two", "two"),
        (INTEGER, "true", "true"),
        (INTEGER, "[1]", "[1]"),
        (INTEGER, "", None),
        (DECIMAL, "880.50", Decimal("880.50")),
        (DECIMAL, "1" * 50, "1" * 50),
        (DECIMAL, "NaN", "NaN"),
        (TRUTH, "true", True),
        (TRUTH, "false", False),
        (TRUTH, "", None),
        (TRUTH, "maybe", "maybe"),
    ],
)
def test_r33_a_text_becomes_what_its_field_takes_or_stays_a_text(served, text, value):
    found = value_of(served, (text,), None)
    assert (found, type(found)) == (value, type(value))


@pytest.mark.parametrize(("texts", "value"), [((), None), (("B", "A", "B"), ["B", "A"])])
def test_several_choices_are_a_list_without_repetitions(texts, value):
    assert value_of(SEVERAL, texts, None) == value


@pytest.mark.parametrize("reference", [["B", "A"], {"a": 1}, [{"a": 1}], "a\r\nb", " a"])
def test_a_reference_that_looks_the_same_is_returned_as_it_is(reference):
    served = SEVERAL if isinstance(reference, list) else TEXT
    assert value_of(served, texts_of(served, reference)[::-1], reference) is reference


def test_a_number_written_as_a_text_is_mended_and_not_kept():
    assert value_of(INTEGER, ("2",), "2") == 2


@given(value=values)
def test_what_a_control_shows_is_read_as_an_equal_value(value):
    for served in (TEXT, SEVERAL):
        if isinstance(value, list) == (served is SEVERAL):
            shown = texts_of(served, value)
            assert texts_of(served, value_of(served, shown, value)) == (shown or ())


@given(number=numbers)
def test_r33_a_number_comes_back_exactly(number):
    assert same(value_of(DECIMAL, texts_of(DECIMAL, number), None), number)


@given(text=st.text(alphabet="a\r\n", max_size=8))
def test_line_ends_are_no_difference(text):
    as_posted = text.replace("\r\n", "\n").replace("\r", "\n").replace("\n", "\r\n")
    assert fingerprint([text]) == fingerprint([as_posted])


@pytest.mark.parametrize(
    ("a", "b", "equal"),
    [(1, Decimal("1.0"), True), ("1", 1, False), (None, [], True), (" ", None, True), (False, None, False)],
)
def test_values_are_equal_as_the_contract_sees_them(a, b, equal):
    assert same(a, b) is equal


def test_a_form_says_what_was_there_and_what_was_touched():
    shown = fingerprint(["2"])
    form = {"shown:a": [shown], "value:a": ["2"], "shown:b": [shown], "value:b": ["3"], "shown:c": [shown], "x": ["y"]}
    assert read_form(form) == {"a": Typed(("2",), False), "b": Typed(("3",), True), "c": Typed((), True)}


def test_a_control_without_its_companion_is_touched():
    assert read_form({"value:a": ["2"]}) == {"a": Typed(("2",), True)}


def answers(*given):
    return Answers({answer.field.row.field_path: answer for answer in given}, ())


AGENT_2 = field("integer", path="f.adults", ai_value=2)


@pytest.mark.parametrize(
    ("shown", "value", "draft", "confirmation"),
    [
        (2, 2, {}, {}),
        (2, 3, {"f.adults": 3}, {"f.adults": 3}),
        (3, 3, {"f.adults": 3}, {}),
        (3, 2, {}, {"f.adults": 2}),
        (2, None, {"f.adults": None}, {"f.adults": None}),
        (None, None, {"f.adults": None}, {}),
    ],
)
def test_r36_r37_a_draft_differs_from_the_agent_and_a_confirmation_from_the_card(shown, value, draft, confirmation):
    said = answers(Answer(AGENT_2, shown, value))
    assert draft_body(said) == {"field_values": draft}
    assert confirmation_body(said, "why") == {"field_values": confirmation, "reason": "why"}


@pytest.mark.parametrize(
    ("missing", "value", "sent"),
    [(True, 2, [2]), (True, None, []), (False, 2, []), (False, 3, [3]), (False, None, [None])],
)
def test_r39_a_resolution_overrides_what_is_missing_and_what_differs_from_the_agent(missing, value, sent):
    said = answers(Answer(field("integer", path="f.adults", ai_value=2, missing=missing), 2, value))
    body = resolution_body(said, "o-1", "why")
    assert body == {
        "confirmed_order_id": "o-1",
        "reason": "why",
        "field_overrides": [{"field_path": "f.adults", "value": value} for value in sent],
    }


# Fields that others show or hide. The made-up card has the fields f0 to f<number in f0>.


def test_r29_fields_that_a_typed_value_shows_are_answered_too():
    typed = {"f0": Typed(("2",), True), "f1": Typed(("2",), True), "f2": Typed(("7",), True), "f3": Typed(("1",), True)}
    found = read_answers(typed, served_by_count({}), served_by_count)
    assert ({path: answer.value for path, answer in found.given.items()}, found.left_out) == (
        {"f0": 2, "f1": 2, "f2": 7},
        ("f3",),
    )


def test_what_nobody_touched_follows_the_card():
    found = read_answers({"f0": Typed(("9",), False)}, served_by_count({"f0": 0}), served_by_count)
    assert found.given["f0"].value == 0


@given(counts=st.dictionaries(st.sampled_from(["f0", "f1", "f2", "f3"]), st.integers(0, 9), min_size=1))
def test_answers_are_asked_of_fields_that_are_served_with_them(counts):
    typed = {path: Typed((str(count),), True) for path, count in counts.items()}
    found = read_answers(typed, served_by_count({}), served_by_count)
    served = served_by_count({path: answer.value for path, answer in found.given.items()})
    assert set(found.given) == set(typed) & set(served)
