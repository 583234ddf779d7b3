"""Places in nested JSON by dotted path (R-31)."""

from copy import deepcopy

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.documents import value_at, with_value, without

ROOMS = "extracted_fields.room_items.0.room_quantity"
DOCUMENT = {"a": [10, {"b": None}], "c": {"d": [], "0": 1}, "e": "text"}

NAMES = st.sampled_from(["a", "b", "room_items"])
PATHS = st.builds(
    lambda head, rest: ".".join((head, *rest)), NAMES, st.lists(st.one_of(NAMES, st.just("0")), max_size=3)
)
DOCUMENTS = st.dictionaries(
    NAMES,
    st.recursive(
        st.none() | st.integers() | st.text(max_size=2),
        lambda inner: st.lists(inner, max_size=2) | st.dictionaries(NAMES | st.just("0"), inner, max_size=2),
    ),
)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("a.0", 10),
        ("a.1.b", None),
        ("e", "text"),
        ("c.d", []),
        ("c.d.0", None),
        ("c.0", None),
        ("a.b", None),
        ("x.y", None),
    ],
)
def test_the_value_at_a_path(path, value):
    assert value_at(DOCUMENT, path) == value


def test_a_number_in_a_path_makes_an_array():
    assert with_value({}, ROOMS, 3) == {"extracted_fields": {"room_items": [{"room_quantity": 3}]}}


@pytest.mark.parametrize("items", [None, "two", {"0": {}}, []])
def test_what_is_no_array_is_replaced_where_the_path_needs_one(items):
    document = {"extracted_fields": {"room_items": items, "adults": 2}}
    assert with_value(document, ROOMS, 3) == {"extracted_fields": {"room_items": [{"room_quantity": 3}], "adults": 2}}


def test_what_lies_beside_the_path_stays():
    document = {"a": [{"x": 1, "b": 2}, 5], "z": 0}
    assert with_value(document, "a.0.b", 3) == {"a": [{"x": 1, "b": 3}, 5], "z": 0}
    assert without(document, "a.0.b") == {"a": [{"x": 1}, 5], "z": 0}


def test_a_gap_in_an_array_is_refused():
    with pytest.raises(IndexError):
        with_value({"a": []}, "a.1", 3)


@given(DOCUMENTS, PATHS, st.integers())
def test_a_value_is_read_where_it_was_put_and_the_document_is_left_alone(document, path, value):
    before = deepcopy(document)
    assert value_at(with_value(document, path, value), path) == value
    assert document == before


@given(DOCUMENTS, PATHS)
def test_taking_a_value_away_leaves_the_document_alone_and_twice_is_once(document, path):
    before = deepcopy(document)
    once = without(document, path)
    assert without(once, path) == once
    assert document == before


@given(DOCUMENTS, st.lists(NAMES, min_size=1, max_size=3))
def test_nothing_is_read_where_a_key_was_taken_away(document, names):
    path = ".".join(names)
    assert value_at(without(document, path), path) is None
