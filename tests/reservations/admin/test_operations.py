"""Operations in the back-office (R-75): a list and a page to read."""

from __future__ import annotations

import pytest

from tests import factories
from tests.background import operation, ready
from tests.reservations.admin.pages import list_of, page_of, text_of

LIST = list_of("reservations_operaoperation")


def found(desk, **query):
    return [row.sequence for row in desk.get(LIST, query).context["cl"].result_list]


@pytest.mark.parametrize(("status", "sequences"), [("FAILED", [2]), ("PENDING", [1]), ("UNKNOWN", [])])
def test_the_status_filter_narrows(status, sequences, hotel, desk):
    card = ready(hotel)
    card.operations.filter(sequence=2).update(status="FAILED", finished_at=factories.NOON)
    assert found(desk, status=status) == sequences


def test_a_search_finds_operation_external_id_and_order(hotel, desk):
    card = ready(hotel, calls=("postBlock", "getBlock"))
    first, second = card.operations.order_by("sequence")
    assert [found(desk, q=word) for word in ("getBlock", first.external_id)] == [[2], [1]]
    assert found(desk, q=card.order.order_number) == [second.sequence, first.sequence]


def test_the_page_shows_body_and_receipt_and_leads_to_the_card(hotel, desk):
    card = ready(hotel)
    card.operations.filter(sequence=1).update(receipt={"id": "<b>R-7</b>"}, last_error="TIMED_OUT")
    page = text_of(desk.get(page_of(card.operations.get(sequence=1))))
    words = ("Autumn Leaves", "&lt;b&gt;R-7&lt;/b&gt;", "TIMED_OUT", page_of(card))
    assert [word in page for word in words] == [True] * 4


def test_a_read_has_no_body(hotel, desk):
    read = operation(factories.card(hotel, task_status="READY"), request_body=None)
    assert "It sends no body" in text_of(desk.get(page_of(read)))
