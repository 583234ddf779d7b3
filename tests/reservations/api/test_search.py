"""?search=: words of the mail, or of the order. Chinese is found by any run of characters."""

import pytest
from django.db import connection

from reservations.selectors import search
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS

MAIL = {"subject": "Booking BK-77120 for Élodie", "sender": "Ops <ops@lakeside-travel.example>"}
CHINESE = {"subject": "预订两间豪华大床房", "sender": "李雷 <lilei@旅行社.example>"}
LISTS = ("tasks", "order-tasks", "workbench-items")


def found(client, name, text):
    response = client.get(f"{DESK}/{name}", {"search": text})
    assert response.status_code == 200
    return len(response.json()["results"])


@pytest.mark.parametrize(
    ("text", "hits"),
    [
        ("booking", 1),
        ("BOOKING bk-77120", 1),
        ("book", 1),
        ("77120", 1),
        ("lakeside-travel", 1),
        ("ops@lakeside-travel.example", 1),
        ("<ops@lakeside", 1),
        ("ＢＫ-77120", 1),
        ("booking absent", 0),
        ("bk-77121", 0),
        ("---", 0),
        ("'; DROP TABLE x; --", 0),
        ("booking & !absent | ':*", 0),
        ("%", 0),
        ("豪华", 0),
    ],
)
def test_words_of_subject_and_sender_find_the_mail(text, hits, hotel, reviewer_client):
    factories.message(hotel, **MAIL)
    assert found(reviewer_client, "source-messages", text) == hits


@pytest.mark.parametrize(
    ("text", "hits"),
    [("豪华", 1), ("大床房", 1), ("两间豪华", 1), ("李雷", 1), ("豪华 预订", 1), ("华豪", 0), ("豪床", 0)],
)
def test_chinese_is_found_by_any_run_of_characters(text, hits, hotel, reviewer_client):
    factories.message(hotel, **CHINESE)
    assert found(reviewer_client, "source-messages", text) == hits


@pytest.mark.parametrize("text", ["예약", "予約", "ホテル"])
def test_japanese_and_korean_too(text, hotel, reviewer_client):
    factories.message(hotel, subject="ホテルの予約 / 호텔예약")
    assert found(reviewer_client, "source-messages", text) == 1


@pytest.mark.parametrize("text", ["lks", "LKS-1", "T000", "autumn leaves", "秋叶", "bk 9"])
def test_number_name_and_keys_find_the_order(text, hotel, reviewer_client):
    factories.order(
        hotel, order_number="T000001", display_name="Autumn Leaves 秋叶团", group_code="LKS-1", booking_code="BK-9"
    )
    factories.order(hotel, order_number="X1")
    assert found(reviewer_client, "orders", text) == 1


def test_r10_a_hidden_order_is_found_nowhere(hotel, reviewer_client):
    notice = factories.notice(factories.package(hotel))
    number = notice.order.order_number
    assert [found(reviewer_client, name, number) for name in ("orders", *LISTS)] == [0, 0, 0, 0]


def test_items_are_found_by_their_mail_or_their_order(hotel, reviewer_client):
    by_order = factories.opened(hotel, on=factories.order(hotel, display_name="秋叶团"))
    package = factories.package(hotel)
    type(package.source_message).objects.filter(pk=package.source_message_id).update(**MAIL)
    factories.task(factories.order(hotel), package)
    assert [found(reviewer_client, name, "秋叶") for name in LISTS] == [1, 1, 1]
    assert [found(reviewer_client, name, "77120") for name in LISTS] == [1, 0, 1]
    assert found(reviewer_client, "workbench-items", by_order.source_message.subject) == 1


def test_a_notification_is_found_by_its_mail(hotel, reviewer_client):
    row = factories.notification(factories.v4_package(hotel))
    assert found(reviewer_client, "workbench-items", row.source_message.subject) == 1


def test_the_words_stand_in_one_of_both(hotel, reviewer_client):
    row = factories.opened(hotel, on=factories.order(hotel, display_name="Autumn"))
    subject = row.source_message.subject
    assert [found(reviewer_client, "order-tasks", text) for text in (subject, f"{subject} Autumn")] == [1, 0]


@pytest.mark.parametrize("few", [1000, 0])
def test_words_that_stand_everywhere_find_the_same_rows(few, hotel, reviewer_client, monkeypatch):
    monkeypatch.setattr(search, "FEW", few)
    for _ in range(3):
        factories.opened(hotel)
        factories.card(hotel)
    assert [found(reviewer_client, name, "mail") for name in LISTS] == [6, 3, 6]


def test_r77_another_hotels_mail_is_not_found(other_hotel, reviewer_client):
    factories.message(other_hotel, **MAIL)
    factories.opened(other_hotel)
    assert [found(reviewer_client, name, "booking mail") for name in ("source-messages", *LISTS)] == [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("name", "statements"), [("source-messages", 1), ("orders", 1), ("tasks", 3), ("workbench-items", 3)]
)
def test_the_number_of_statements_is_fixed(name, statements, hotel, reviewer_client, django_assert_num_queries):
    """Mails and orders are looked for first, where the list has both."""
    factories.opened(hotel)
    with django_assert_num_queries(SESSION_STATEMENTS + statements):
        found(reviewer_client, name, "mail")


@pytest.mark.parametrize("name", ["source-messages", "orders", *LISTS])
def test_a_search_without_end_is_refused(name, reviewer_client):
    assert reviewer_client.get(f"{DESK}/{name}", {"search": "x" * 201}).status_code == 400


@pytest.mark.parametrize(
    ("text", "cut"),
    [
        ("BK-77120", [["BK", "77120"]]),
        ("two words", [["two"], ["words"]]),
        ("豪华A1", [["豪", "华", "A1"]]),
        ("'\":*&|!()<>\\", []),
        ("ＢＫ１", [["BK1"]]),
    ],
)
def test_a_search_is_cut_into_words(text, cut):
    assert search.words_of(text) == cut


def test_a_search_is_written_as_neighbours_of_which_the_last_may_go_on():
    assert search.lexemes("BK-77120 豪华") == "('BK' <-> '77120':*) & ('豪' <-> '华')"


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such index")
def test_a_text_of_any_length_can_be_indexed(hotel, reviewer_client):
    factories.message(hotel, subject="Booking " + "长x" * 2_000_000, sender="a" * 5_000)
    assert found(reviewer_client, "source-messages", "booking") == 1
