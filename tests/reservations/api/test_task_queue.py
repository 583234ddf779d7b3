"""R-27 over the API: which cards wait for an earlier one of their order."""

import pytest

from tests import factories

TASKS = "/api/reservation/tasks"


@pytest.fixture
def queue(hotel):
    """Three cards of one order, in the order of their queue, and one of another order."""
    order, package = factories.order(hotel), factories.package(hotel)
    cards = [factories.task(order, package, source_event_index=index) for index in (1, 2, 3)]
    return [*cards, factories.card(hotel)]


def blocked(client, **query):
    rows = client.get(TASKS, query).json()["results"]
    return {row["id"]: row["blocked"] for row in rows}


def test_r27_cards_behind_an_unfinished_one_are_blocked(queue, reviewer_client):
    first, second, third, other = (str(card.pk) for card in queue)
    assert blocked(reviewer_client) == {first: False, second: True, third: True, other: False}


def test_r27_a_finished_card_blocks_nobody(queue, reviewer_client):
    first, second, *_ = queue
    factories.move(first, "DONE")
    factories.move(second, "TERMINATED")
    assert set(blocked(reviewer_client).values()) == {False}


def test_r27_a_failed_card_blocks_those_behind_it(queue, reviewer_client):
    factories.move(queue[0], "FAILED")
    assert blocked(reviewer_client)[str(queue[1].pk)] is True


def test_r10_a_notice_blocks_nobody_and_is_blocked_by_nobody(hotel, reviewer_client):
    notice = factories.notice(factories.package(hotel))
    assert blocked(reviewer_client) == {str(notice.pk): False}


@pytest.mark.parametrize(("value", "places"), [("true", [1, 2]), ("false", [0, 3])])
def test_the_list_is_narrowed_to_cards_that_wait_or_do_not(queue, reviewer_client, value, places):
    assert set(blocked(reviewer_client, blocked=value)) == {str(queue[place].pk) for place in places}


def test_the_detail_says_so_too(queue, reviewer_client):
    assert reviewer_client.get(f"{TASKS}/{queue[1].pk}").json()["blocked"] is True
