"""Pointers by RFC 6901 (R-34)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain import pointers
from reservations.domain.pointers import PointerInvalid, PointerUnresolved

TOKENS = st.lists(st.text())
DOCUMENT = {"a": [10, {"b/c": 1, "m~n": 2, "": 3}], "": 4, "-": 5}


@pytest.mark.parametrize("pointer", ["", "/", "//", "/a", "/a/0", "/~0", "/~1", "/a~01b", "/ä/客", "/ ", "/a\n"])
def test_a_pointer_is_empty_or_starts_with_a_slash_and_escapes_the_tilde(pointer):
    assert pointers.is_well_formed(pointer) is True


@pytest.mark.parametrize("pointer", ["a", "#/a", "a/b", " /a", "~", "/~", "/~2", "/a~", "/~~0", "~0/a", "\n", "/a/~x"])
def test_anything_else_is_malformed(pointer):
    assert pointers.is_well_formed(pointer) is False
    with pytest.raises(PointerInvalid):
        pointers.parse(pointer)


@given(TOKENS)
def test_build_and_parse_are_opposites(tokens):
    assert pointers.parse(pointers.build(tokens)) == tuple(tokens)


@given(st.text())
def test_a_well_formed_text_has_one_spelling(text):
    if pointers.is_well_formed(text):
        assert pointers.build(pointers.parse(text)) == text
    else:
        with pytest.raises(PointerInvalid):
            pointers.parse(text)


def test_the_tilde_is_decoded_after_the_slash():
    assert pointers.parse("/~01/~10") == ("~1", "/0")


@pytest.mark.parametrize(
    ("pointer", "value"),
    [("", DOCUMENT), ("/a/0", 10), ("/a/1/b~1c", 1), ("/a/1/m~0n", 2), ("/a/1/", 3), ("/", 4), ("/-", 5)],
)
def test_resolve_leads_to_the_value(pointer, value):
    assert pointers.resolve(DOCUMENT, pointer) == value


@pytest.mark.parametrize(
    "pointer", ["/b", "/a/2", "/a/-", "/a/-1", "/a/+0", "/a/00", "/a/01", "/a/٠", "/a/0.0", "/a/ 0", "/a/0/x", "/a/1/b"]
)
def test_resolve_refuses_places_that_are_not_there(pointer):
    with pytest.raises(PointerUnresolved):
        pointers.resolve(DOCUMENT, pointer)


def test_an_index_of_a_thousand_digits_leads_nowhere():
    assert pointers.array_index("1" * 1000) is None


def test_the_pointer_of_a_field_follows_its_path():
    path = "extracted_fields.room_items.0.room_quantity"
    assert pointers.from_path(path) == "/extracted_fields/room_items/0/room_quantity"
