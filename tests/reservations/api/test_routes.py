"""GET /routes: the catalogue of routes."""

import pytest

from reservations.data import catalog
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, Readable

LIST = f"{DESK}/routes"


def rows(client, **query):
    return client.get(LIST, query).json()["results"]


class TestRoutes(Readable):
    def make(self, hotel):
        return LIST

    def test_forty_are_active(self, reference, reviewer_client):
        """R-15"""
        codes = [row["route_code"] for row in rows(reviewer_client)]
        assert codes == [route.route_code for route in catalog().active]
        assert len(codes) == 40

    def test_the_retired_are_shown_on_demand_as_what_took_their_place(self, reference, reviewer_client):
        """R-21"""
        listed = rows(reviewer_client, include_retired="true")
        retired = [row for row in listed if row["status"] == "retired"]
        assert len(listed) == 42
        assert [(row["task_type"], row["shown_task_type"], row["shown_task_subtype"]) for row in retired] == [
            ("Cancel Booking", "Cancel Allotment", "cancel_allotment_control_block")
        ] * 2

    def test_false_leaves_them_out(self, reference, reviewer_client):
        assert len(rows(reviewer_client, include_retired="false")) == 40

    def test_it_is_one_page_of_one_statement(self, reference, reviewer_client, django_assert_num_queries):
        with django_assert_num_queries(SESSION_STATEMENTS + 1):
            page = reviewer_client.get(LIST).json()
        assert (page["next"], page["previous"]) == (None, None)

    @pytest.mark.parametrize("query", ["include_retired=yes", "include_retired=", "page_size=2", "cursor=a", "x=1"])
    def test_a_bad_query_is_refused_with_its_place(self, query, reviewer_client):
        response = reviewer_client.get(f"{LIST}?{query}")
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, query.partition("=")[0])
