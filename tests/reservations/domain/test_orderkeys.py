"""Order keys and their folding (R-25)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reservations.domain.orderkeys import OrderKeys, OrderKind, fold, order_kind, read_key


@pytest.mark.parametrize("spelling", ["CN-8801305", " cn-8801305 ", "ＣＮ－８８０１３０５", "Cn-8801305\u3000"])
def test_spellings_of_one_key_fold_to_one_form(spelling):
    assert fold(spelling) == "cn-8801305"


@given(st.text() | st.text(alphabet="aAßſKå\u0345\u0301\u0327\u0399ᾳǰΰﬁ\u1e9e\u0130İi\u0307\u3000 "))
def test_folding_twice_changes_nothing(text):
    assert fold(fold(text)) == fold(text)


@given(st.text())
def test_only_blank_texts_fold_to_nothing(text):
    assert (fold(text) == "") is (text.strip() == "")


@given(st.text())
def test_space_and_case_around_a_key_do_not_count(text):
    assert fold(f" {text.swapcase().swapcase()}\t") == fold(text.swapcase().swapcase())


def test_sharp_s_and_double_s_are_one_key():
    assert fold("STRASSE") == fold("straße")


@pytest.mark.parametrize("value", [None, "", "  ", "\u3000"])
def test_a_blank_text_is_no_key(value):
    assert read_key({"group_code": value}, "group_code") is None


def test_a_key_is_kept_as_given_but_trimmed():
    assert read_key({"group_code": " Abc "}, "group_code") == "Abc"


def test_folded_keys_keep_their_places():
    keys = OrderKeys("A ", None, "Ｂ")
    assert keys.folded() == OrderKeys("a", None, "b")


def test_keys_are_empty_only_without_any():
    assert OrderKeys().empty is True
    assert OrderKeys(booking_code="B").empty is False


@pytest.mark.parametrize(
    ("task_type", "task_subtype", "keys", "kind"),
    [
        ("Cancel Allotment", "cancel_allotment_control_block", OrderKeys("G"), OrderKind.ALLOTMENT),
        ("Update Booking", "update_stay_dates", OrderKeys("G", "C"), OrderKind.GROUP),
        ("New Booking", "new_group_block", OrderKeys(), OrderKind.GROUP),
        ("New Booking", "new_fit_booking", OrderKeys(booking_code="B"), OrderKind.FIT),
    ],
)
def test_the_kind_of_a_new_order_follows_card_and_keys(task_type, task_subtype, keys, kind):
    assert order_kind(task_type=task_type, task_subtype=task_subtype, keys=keys) == kind
