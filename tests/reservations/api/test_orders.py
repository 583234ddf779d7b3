"""GET /orders: what the cards are about. Hidden orders are never shown."""

from datetime import timedelta

import pytest

from reservations.models import Order
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelDetail, HotelList

LIST = f"{DESK}/orders"


class TestList(HotelList):
    def make(self, hotel):
        factories.order(hotel)
        return LIST

    def test_a_row_shows_the_keys_as_given(self, hotel, reviewer_client):
        order = factories.order(hotel, order_type="GROUP", group_code="Lks-1", display_name="Guest A")
        assert self.rows(reviewer_client, LIST) == [
            {
                "id": str(order.pk),
                "hotel": "HOTEL1",
                "order_number": order.order_number,
                "kind": "GROUP",
                "status": "ACTIVE",
                "display_name": "Guest A",
                "group_code": "Lks-1",
                "confirmation_number": None,
                "booking_code": None,
                "created_at": "2026-07-20T12:00:00Z",
            }
        ]

    def test_a_hidden_order_is_not_listed(self, hotel, reviewer_client):
        """R-10"""
        factories.order(hotel, order_type="TECHNICAL")
        assert self.rows(reviewer_client, LIST) == []

    @pytest.mark.parametrize(
        ("query", "found"),
        [({"kind": "GROUP"}, ["GROUP"]), ({"status": "CANCELLED"}, ["FIT"]), ({"hotel": "HOTEL2"}, [])],
    )
    def test_filters_find_exactly_their_rows(self, query, found, hotel, reviewer_client):
        factories.order(hotel, order_type="GROUP")
        factories.order(hotel, order_type="FIT", status="CANCELLED")
        assert [row["kind"] for row in reviewer_client.get(LIST, query).json()["results"]] == found

    def test_the_kind_of_hidden_orders_is_no_option(self, reviewer_client):
        """R-10"""
        assert reviewer_client.get(LIST, {"kind": "TECHNICAL"}).status_code == 400


class TestDetail(HotelDetail):
    def make(self, hotel):
        return f"{LIST}/{factories.order(hotel).pk}"

    def test_a_hidden_order_does_not_exist(self, hotel, reviewer_client):
        """R-10"""
        order = factories.order(hotel, order_type="TECHNICAL")
        assert reviewer_client.get(f"{LIST}/{order.pk}").status_code == 404


class TestTasks(HotelList):
    """The timeline of one order."""

    statements = SESSION_STATEMENTS + 2  # the order, its tasks

    def make(self, hotel):
        order = Order.objects.filter(hotel=hotel).first() or factories.order(hotel)
        factories.task(order, factories.package(hotel))
        return f"{LIST}/{order.pk}/tasks"

    def test_rows_of_another_hotel_are_absent(self, other_hotel, reviewer_client):
        assert reviewer_client.get(self.make(other_hotel)).status_code == 404

    def test_a_user_of_no_hotel_sees_no_rows(self, hotel, client_of):
        assert client_of(factories.user("reviewer")).get(self.make(hotel)).status_code == 404

    def test_a_user_of_two_hotels_sees_the_rows_of_both(self, hotel, other_hotel, client_of):
        """An order belongs to one hotel."""
        client = client_of(factories.user("reviewer", hotel, other_hotel))
        rows = [self.rows(client, self.make(place))[0]["hotel"] for place in (hotel, other_hotel)]
        assert rows == ["HOTEL1", "HOTEL2"]

    def test_tasks_of_other_orders_are_absent(self, desk, reviewer_client):
        task = factories.task(desk.order, desk.package)
        factories.card(desk.hotel)
        assert [row["id"] for row in self.rows(reviewer_client, f"{LIST}/{desk.order.pk}/tasks")] == [str(task.pk)]

    def test_tasks_come_by_time_of_receipt(self, desk, reviewer_client):
        late = factories.task(desk.order, desk.package, received_at=factories.NOON + timedelta(hours=1))
        early = factories.task(desk.order, factories.package(desk.hotel))
        rows = self.rows(reviewer_client, f"{LIST}/{desk.order.pk}/tasks")
        assert [row["id"] for row in rows] == [str(early.pk), str(late.pk)]

    def test_a_hidden_order_has_no_timeline(self, desk, reviewer_client):
        """R-10"""
        notice = factories.notice(desk.package)
        assert reviewer_client.get(f"{LIST}/{notice.order_id}/tasks").status_code == 404
