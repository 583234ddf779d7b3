"""Which order a card belongs to (R-25, R-26; reservations-domain.md decisions 13, 25, 29, 33)."""

import pytest
from django.db import IntegrityError, transaction

from reservations.models import Order, OrderStatus
from tests import factories
from tests.reservations.domain.builders import child, event, fallback, parent, review, split, unclear
from tests.reservations.services.desk import errors_of, order_of, task_of, warning_codes, with_keys

pytestmark = pytest.mark.django_db
DOMAIN = "lakeside-travel.example"


@pytest.fixture
def known(desk, agent):
    """An ACTIVE order that the sender's mails have been about: known(kind, keys...)."""
    earlier = factories.submission(desk.mail("earlier@mail.example"), agent)

    def make(kind="FIT", **fields):
        order = factories.order(desk.hotel, order_type=kind, **fields)
        factories.task(order, earlier, source_event_index=Order.objects.count())
        return order

    return make


def following(*indexes, **changes):
    """A valid event without a key that applies to others."""
    return event(case_keys={}, applies_to_event_indexes=list(indexes), **changes)


def warning_text(answer, index=1):
    return " ".join(warning["detail"] for warning in task_of(answer, index).warnings)


# Precedence


def test_r25_the_confirmation_number_is_asked_before_group_code_and_booking_code(desk, mail, known):
    by_confirmation = known(confirmation_number="C1")
    known("GROUP", group_code="G1")
    known(booking_code="B1")
    answer = desk.send(with_keys(booking_code="B1", group_code="G1", confirmation_number="C1"))
    assert order_of(answer, 1) == by_confirmation


def test_r25_the_group_code_is_asked_before_the_booking_code(desk, mail, known):
    by_group = known("GROUP", group_code="G1")
    known(booking_code="B1")
    assert order_of(desk.send(with_keys(booking_code="B1", group_code="G1", confirmation_number="C9")), 1) == by_group


def test_r25_a_block_code_is_another_name_of_the_group_code(desk, mail, known):
    by_group = known("GROUP", group_code="G1")
    assert order_of(desk.send(with_keys(block_code="G1")), 1) == by_group


def test_r25_the_booking_code_is_asked_last(desk, mail, known):
    booked = known(booking_code="B1")
    assert order_of(desk.send(with_keys(booking_code="B1", group_code="G9", confirmation_number="C9")), 1) == booked


def test_r25_a_group_code_never_finds_an_order_by_its_other_keys(desk, mail, known):
    known(confirmation_number="X", booking_code="X")
    answer = desk.send(with_keys(group_code="X"))
    assert order_of(answer, 1).group_code == "X"
    assert Order.objects.count() == 2


@pytest.mark.parametrize("kind", ["GROUP", "ALLOTMENT", "TEMPORARY"])
def test_r25_a_booking_code_finds_fit_orders_only(desk, mail, known, kind):
    known(kind, booking_code="B1")
    order = order_of(desk.send(with_keys(booking_code="B1")), 1)
    assert (order.kind, order.booking_code, Order.objects.count()) == ("FIT", "B1", 2)


@pytest.mark.parametrize("status", [OrderStatus.CANCELLED, OrderStatus.CLOSED])
@pytest.mark.parametrize("key", ["confirmation_number", "group_code", "booking_code"])
def test_r25_only_active_orders_count_and_the_keys_of_others_are_free(desk, mail, known, status, key):
    gone = known(status=status, **{key: "K1"})
    order = order_of(desk.send(with_keys(**{key: "K1"})), 1)
    assert order != gone
    assert (order.status, getattr(order, key)) == ("ACTIVE", "K1")


def test_r25_an_order_of_another_hotel_is_never_taken(desk, mail, other_hotel):
    for key in ("confirmation_number", "group_code", "booking_code"):
        factories.order(other_hotel, **{key: "K1"})
    answer = desk.send(*[with_keys(**{key: "K1"}) for key in ("confirmation_number", "group_code", "booking_code")])
    assert {order_of(answer, index).hotel_id for index in (1, 2, 3)} == {desk.hotel.pk}
    assert Order.objects.filter(hotel=desk.hotel).count() == 3


# New orders


@pytest.mark.parametrize(
    ("sent", "kind"),
    [
        (with_keys(confirmation_number="K"), "FIT"),
        (with_keys(booking_code="K"), "FIT"),
        (with_keys(group_code="K"), "GROUP"),
        (with_keys(block_code="K"), "GROUP"),
        (with_keys(group_code="K", confirmation_number="C"), "GROUP"),
        (event("New Booking", "new_group_block", case_keys={"booking_code": "K"}), "GROUP"),
        (event("New Booking", "new_fit_booking", case_keys={"group_code": "K"}), "GROUP"),
        (parent(case_keys={"group_code": "K"}), "ALLOTMENT"),
        (parent(case_keys={"block_code": "K"}), "ALLOTMENT"),
        (fallback(case_keys={"booking_code": "K"}), "FIT"),
        (event("New Booking", "new_group_block", case_keys={}), "TEMPORARY"),
        (event("New Booking", "new_fit_booking", case_keys={}), "TEMPORARY"),
        (event(case_keys=...), "TEMPORARY"),
        (event(case_keys={"parent_group_code": "P"}), "TEMPORARY"),
        (event(case_keys={"group_code": " ", "booking_code": "", "confirmation_number": None}), "TEMPORARY"),
        (event(case_keys={"group_code": "\u3000"}), "TEMPORARY"),
    ],
    ids=repr,
)
def test_r25_the_kind_of_a_new_order_follows_its_card(desk, mail, sent, kind):
    assert order_of(desk.send(sent), 1).kind == kind


def test_r25_a_new_order_has_the_keys_of_its_card_trimmed_and_folded_apart(desk, mail):
    keys = {"group_code": " Ｇ-1 ", "confirmation_number": "Cn-1", "booking_code": "bk Ⅳ"}
    order = order_of(desk.send(event(case_keys=keys)), 1)
    assert (order.group_code, order.confirmation_number, order.booking_code) == ("Ｇ-1", "Cn-1", "bk Ⅳ")
    assert (order.group_key, order.confirmation_key, order.booking_key) == ("g-1", "cn-1", "bk iv")


def test_r25_a_temporary_order_has_no_key(desk, mail):
    order = order_of(desk.send(event(case_keys={})), 1)
    assert (order.group_code, order.confirmation_number, order.booking_code) == (None, None, None)


@pytest.mark.parametrize(
    ("fields", "keys", "name"),
    [
        ({"guest_name": " Guest A "}, {"confirmation_number": "C"}, "Guest A"),
        ({"guest_name": "Guest A", "group_name": "秋叶团"}, {"group_code": "G"}, "秋叶团"),
        ({"guest_name": "Guest A"}, {"group_code": "G"}, "G"),
        ({}, {"booking_code": "B"}, "B"),
        ({"guest_name": 5}, {"booking_code": "B"}, "B"),
        ({"guest_name": "x" * 500}, {"booking_code": "B"}, "x" * 200),
    ],
)
def test_a_new_order_is_named_after_its_guest_or_group_else_by_its_key(desk, mail, fields, keys, name):
    assert order_of(desk.send(event(extracted_fields=fields, case_keys=keys)), 1).display_name == name


def test_an_order_without_name_and_key_is_named_after_the_card(desk, mail):
    assert order_of(desk.send(event(case_keys={})), 1).display_name != ""


def test_order_numbers_are_ten_characters_that_cannot_be_misread(desk, mail):
    answer = desk.send(*[with_keys(booking_code=f"B{number}") for number in range(40)])
    numbers = {order_of(answer, index).order_number for index in range(1, 41)}
    assert len(numbers) == 40
    assert all(len(number) == 10 and set(number) <= set("0123456789ABCDEFGHJKMNPQRSTVWXYZ") for number in numbers)


# Folding, long and odd keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("CN-8801", " cn-8801\t"),
        ("ＣＮ－８８", "cn-88"),
        ("ﬁrst", "FIRST"),
        ("Straße", "STRASSE"),
        ("①", "1"),
        ("İ", "i̇"),
        ("é", "e\u0301"),
        ("\u212a", "k"),
        ("\u2009x\u3000", "X"),
        ("ΣΑΣ", "σας"),
        ("\u1e9e", "ss"),
    ],
)
@pytest.mark.parametrize("key", ["confirmation_number", "group_code", "booking_code"])
def test_r25_keys_compare_folded(desk, mail, key, one, other):
    answer = desk.send(with_keys(**{key: one}), with_keys(**{key: other}))
    assert order_of(answer, 1) == order_of(answer, 2)
    again = desk.another(with_keys(**{key: other}))
    assert order_of(again, 1) == order_of(answer, 1)


@pytest.mark.parametrize(("one", "other"), [("A-1", "A1"), ("a b", "ab"), ("客", "人"), ("0", "O"), ("x\u200b", "x")])
def test_r25_keys_that_differ_after_folding_are_two(desk, mail, one, other):
    answer = desk.send(with_keys(group_code=one), with_keys(group_code=other))
    assert order_of(answer, 1) != order_of(answer, 2)


@pytest.mark.parametrize("key", ["confirmation_number", "group_code", "booking_code"])
@pytest.mark.parametrize("length", [255, 256, 10_000])
def test_r25_long_keys_are_told_apart_to_their_last_letter(desk, mail, key, length):
    stem = "长K" * (length // 2)
    answer = desk.send(with_keys(**{key: f"{stem}1"}), with_keys(**{key: f"{stem}2"}), with_keys(**{key: f" {stem}1"}))
    assert order_of(answer, 1) == order_of(answer, 3)
    assert order_of(answer, 1) != order_of(answer, 2)
    assert getattr(order_of(answer, 1), key) == f"{stem}1"
    assert order_of(desk.another(with_keys(**{key: f"{stem}2"})), 1) == order_of(answer, 2)


def test_r25_no_key_can_be_mistaken_for_a_long_one(desk, mail):
    long = order_of(desk.send(with_keys(group_code="g" * 300)), 1)
    assert order_of(desk.another(with_keys(group_code=long.group_key)), 1) != long


@pytest.mark.parametrize("key", ["'; DROP TABLE x; --", "%", "_", "\\", '"', "\u202eabc", "\U0001f600", "\n", "null"])
def test_r25_odd_keys_find_their_own_order_and_no_other(desk, mail, known, key):
    known("GROUP", group_code="other")
    answer = desk.send(with_keys(group_code=key))
    order = order_of(answer, 1)
    assert order.group_code == (key.strip() or None)
    if key.strip():
        assert order_of(desk.another(with_keys(group_code=key)), 1) == order


# Several hits


def test_r25_a_booking_code_on_several_orders_is_left_to_a_person_who_sees_the_candidates(desk, mail, known):
    one, two = known(booking_code="B1"), known(booking_code="b1")
    answer = desk.send(with_keys(booking_code="B1"))
    order = order_of(answer, 1)
    assert (order.kind, order.booking_code, warning_codes(answer)) == ("TEMPORARY", None, ["BOOKING_CODE_AMBIGUOUS"])
    named = ", ".join(sorted([one.order_number, two.order_number]))
    assert named in warning_text(answer)


def test_r25_a_booking_code_on_several_orders_of_which_one_is_active_finds_that_one(desk, mail, known):
    active = known(booking_code="B1")
    known(booking_code="B1", status=OrderStatus.CANCELLED)
    known("GROUP", booking_code="B1")
    assert order_of(desk.send(with_keys(booking_code="B1")), 1) == active


def test_r25_cards_with_one_ambiguous_booking_code_share_one_temporary_order(desk, mail, known):
    known(booking_code="B1")
    known(booking_code="B1")
    answer = desk.send(with_keys(booking_code="B1"), with_keys(booking_code="b1"), with_keys(confirmation_number="C"))
    assert order_of(answer, 1) == order_of(answer, 2)
    assert order_of(answer, 3).kind == "FIT"


def test_r25_a_confirmation_number_decides_where_the_booking_code_does_not(desk, mail, known):
    meant = known(confirmation_number="C1", booking_code="B1")
    known(booking_code="B1")
    answer = desk.send(with_keys(confirmation_number="C1", booking_code="B1"), with_keys(booking_code="B1"))
    assert (order_of(answer, 1), warning_codes(answer, 1)) == (meant, [])
    assert (order_of(answer, 2).kind, warning_codes(answer, 2)) == ("TEMPORARY", ["BOOKING_CODE_AMBIGUOUS"])


@pytest.mark.parametrize(
    ("other_kind", "other_keys"),
    [("GROUP", {"group_code": "K"}), ("FIT", {"booking_code": "K"})],
    ids=["group code", "booking code"],
)
def test_r25_two_keys_of_two_orders_the_confirmation_number_wins_with_a_warning(
    desk, mail, known, other_kind, other_keys
):
    meant, other = known(confirmation_number="C1"), known(other_kind, **other_keys)
    answer = desk.send(with_keys(confirmation_number="C1", **other_keys))
    assert (order_of(answer, 1), warning_codes(answer)) == (meant, ["ORDER_KEYS_DISAGREE"])
    assert other.order_number in warning_text(answer)


def test_r25_group_code_and_booking_code_of_two_orders_disagree_too(desk, mail, known):
    meant = known("GROUP", group_code="G")
    known(booking_code="B")
    answer = desk.send(with_keys(group_code="G", booking_code="B"))
    assert (order_of(answer, 1), warning_codes(answer)) == (meant, ["ORDER_KEYS_DISAGREE"])


def test_r25_keys_of_one_order_do_not_disagree(desk, mail, known):
    keys = {"confirmation_number": "C1", "group_code": "G1", "booking_code": "B1"}
    known("FIT", **keys)
    assert warning_codes(desk.send(with_keys(**keys))) == []


# One package


@pytest.mark.parametrize("key", ["confirmation_number", "group_code", "booking_code"])
def test_r25_events_of_one_package_with_the_same_key_share_one_new_order(desk, mail, key):
    answer = desk.send(*[with_keys(**{key: f"K{number % 2}"}) for number in range(6)])
    assert [order_of(answer, index).pk for index in (3, 5)] == [order_of(answer, 1).pk] * 2
    assert Order.objects.count() == 2


def test_r25_a_key_learnt_from_one_event_finds_its_order_for_the_next(desk, mail, known):
    group = known("GROUP", group_code="G1")
    answer = desk.send(with_keys(group_code="G1", confirmation_number="C1"), with_keys(confirmation_number="c1"))
    assert (order_of(answer, 1), order_of(answer, 2)) == (group, group)


@pytest.mark.parametrize("first", [0, 1])
def test_r25_a_shared_booking_code_joins_events_in_whatever_order_they_come(desk, mail, first):
    events = [with_keys(group_code="G1", booking_code="B1"), with_keys(booking_code="B1")]
    answer = desk.send(events[first], events[1 - first])
    assert order_of(answer, 1) == order_of(answer, 2)


def test_r25_a_card_and_its_sibling_with_an_error_leave_one_order(desk, mail):
    answer = desk.send(with_keys(group_code="G1"), event("Note", "note", case_keys={"group_code": "G2"}))
    assert (errors_of(answer), Order.objects.count()) == ({2: "RETIRED_TASK"}, 1)


# applies_to


def test_r25_an_event_without_a_key_follows_the_event_it_applies_to(desk, mail):
    answer = desk.send(with_keys(booking_code="B1"), following(1))
    assert order_of(answer, 2) == order_of(answer, 1)
    assert Order.objects.count() == 1


def test_r25_the_event_it_applies_to_may_come_later(desk, mail):
    answer = desk.send(following(2), with_keys(booking_code="B1"))
    assert order_of(answer, 1) == order_of(answer, 2)


def test_r25_a_chain_of_events_ends_at_one_order(desk, mail):
    answer = desk.send(following(2), following(3), following(4), with_keys(group_code="G"), following(1))
    assert {order_of(answer, index) for index in range(1, 6)} == {Order.objects.get()}


def test_r25_an_event_follows_another_onto_its_temporary_order(desk, mail):
    answer = desk.send(event(case_keys={}), following(1))
    assert order_of(answer, 1) == order_of(answer, 2)
    assert order_of(answer, 2).kind == "TEMPORARY"


def test_r25_a_circle_of_events_gives_temporary_orders(desk, mail):
    answer = desk.send(following(2), following(3), following(1), with_keys(booking_code="B"))
    orders = {order_of(answer, index) for index in (1, 2, 3)}
    assert {order.kind for order in orders} == {"TEMPORARY"}


def test_r25_several_targets_are_a_choice_nobody_made(desk, mail):
    answer = desk.send(with_keys(booking_code="A"), with_keys(booking_code="B"), following(1, 2))
    assert order_of(answer, 3).kind == "TEMPORARY"


def test_r25_of_two_targets_only_the_accepted_one_counts(desk, mail):
    answer = desk.send(with_keys(booking_code="A"), event("Note", "note"), following(1, 2))
    assert order_of(answer, 3) == order_of(answer, 1)


def test_r25_a_target_with_a_contract_error_gives_a_temporary_order(desk, mail):
    answer = desk.send(event("Note", "note", case_keys={"group_code": "G"}), following(1))
    assert order_of(answer, 2).kind == "TEMPORARY"


def test_r25_a_key_of_its_own_counts_more_than_the_event_it_applies_to(desk, mail):
    answer = desk.send(
        with_keys(booking_code="A"), event(case_keys={"booking_code": "B"}, applies_to_event_indexes=[1])
    )
    assert order_of(answer, 1) != order_of(answer, 2)


def test_r25_a_target_accepted_by_an_earlier_package_counts(desk, mail):
    first = desk.send(with_keys(booking_code="A"), event("Note", "note"))
    again = desk.send(with_keys(booking_code="A"), following(1))
    assert order_of(again, 2) == order_of(first, 1)


def test_r25_five_hundred_events_in_one_chain_are_placed(desk, mail):
    chain = [following(index + 1) for index in range(1, 500)]
    answer = desk.send(*chain, with_keys(group_code="G"))
    assert len(answer["tasks"]) == 500
    assert Order.objects.count() == 1


# Parents


def test_r25_an_unclear_parent_picks_nothing(desk, mail, known):
    known("ALLOTMENT", group_code="ALT-SPR", confirmation_number="C")
    keys = {"group_code": "ALT-SPR", "block_code": "BLK-SUM", "confirmation_number": "C"}
    answer = desk.send(parent(case_keys=keys, manual_review=unclear()))
    assert (order_of(answer, 1).kind, warning_codes(answer)) == ("TEMPORARY", ["PARENT_KEYS_CONFLICT"])


def test_r25_a_group_code_and_a_block_code_that_differ_pick_nothing(desk, mail, known):
    known("GROUP", group_code="G1")
    answer = desk.send(with_keys(group_code="G1", block_code="G2"))
    assert (order_of(answer, 1).kind, warning_codes(answer)) == ("TEMPORARY", ["PARENT_KEYS_CONFLICT"])


def test_r25_a_split_makes_an_allotment_and_a_group_each(desk, mail):
    answer = desk.send(*split())
    orders = [order_of(answer, index) for index in (1, 2, 3)]
    assert [(order.kind, order.group_code) for order in orders] == [
        ("GROUP", "LKS-A"),
        ("GROUP", "LKS-B"),
        ("ALLOTMENT", "ALT-LKS"),
    ]


def test_r25_a_parent_finds_the_order_of_its_block_code(desk, mail, known):
    allotment = known("ALLOTMENT", group_code="ALT-LKS")
    assert order_of(desk.send(parent(case_keys={"block_code": "alt-lks"})), 1) == allotment


def test_r25_the_parent_group_code_of_a_child_is_no_key_of_its_order(desk, mail, known):
    known("ALLOTMENT", group_code="ALT-LKS")
    lone = child("LKS-A", None, case_keys={"parent_group_code": "ALT-LKS"})
    assert order_of(desk.send(lone), 1).kind == "TEMPORARY"


# The sender


@pytest.mark.parametrize("key", ["confirmation_number", "group_code", "booking_code"])
def test_r25_a_sender_domain_that_the_order_has_not_seen_is_a_warning(desk, known, key):
    known(**{key: "K"})
    answer = desk.another(with_keys(**{key: "K"}), with_keys(group_code="new"), sender_domain="elsewhere.example")
    assert warning_codes(answer, 1) == ["SENDER_DOMAIN_UNSEEN"]
    assert "elsewhere.example" in warning_text(answer)
    assert warning_codes(answer, 2) == []


def test_r25_a_sender_domain_is_seen_after_its_first_mail(desk, known):
    known(confirmation_number="K")
    desk.another(with_keys(confirmation_number="K"), sender_domain="elsewhere.example")
    again = desk.another(with_keys(confirmation_number="K"), message_id="m3@x", sender_domain="elsewhere.example")
    assert warning_codes(again) == []


def test_r25_a_known_or_unknown_sender_domain_is_no_warning_where_it_is_not_new(desk, known):
    known(confirmation_number="K")
    assert warning_codes(desk.another(with_keys(confirmation_number="K"), sender_domain=DOMAIN)) == []
    assert warning_codes(desk.another(with_keys(confirmation_number="K"), message_id="m3@x", sender_domain="")) == []


def test_r25_an_event_that_follows_another_onto_a_known_order_has_the_warning_too(desk, known):
    known(confirmation_number="K")
    answer = desk.another(with_keys(confirmation_number="K"), following(1), sender_domain="elsewhere.example")
    assert warning_codes(answer, 2) == ["SENDER_DOMAIN_UNSEEN"]


# The database


@pytest.mark.parametrize(("one", "other"), [("K1", "k1"), ("ＣＮ", "cn")])
@pytest.mark.parametrize("key", ["confirmation_number", "group_code"])
def test_r26_two_active_orders_of_a_hotel_never_have_one_key(hotel, other_hotel, key, one, other):
    factories.order(hotel, **{key: one})
    factories.order(other_hotel, **{key: other})
    factories.order(hotel, status=OrderStatus.CANCELLED, **{key: other})
    with pytest.raises(IntegrityError), transaction.atomic():
        factories.order(hotel, **{key: other})


def test_r26_booking_codes_are_not_unique(hotel):
    factories.order(hotel, booking_code="B")
    assert factories.order(hotel, booking_code="B").pk


def test_decision_13_a_review_card_without_a_key_waits_on_a_temporary_order(desk, mail):
    asked = event(case_keys={}, manual_review=review("/case_keys/confirmation_number"))
    assert order_of(desk.send(asked), 1).kind == "TEMPORARY"
