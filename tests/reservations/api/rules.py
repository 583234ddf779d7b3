"""What holds for every endpoint that is read; each test file inherits it, so that none forgets a case.

A class sets `make(hotel)`: rows in a hotel, and the path that reads them. Lists and details add what differs.
"""

import uuid

import pytest

from tests import factories

DESK = "/api/reservation"
SESSION_STATEMENTS = 2  # token and user; what the user may and where


class Readable:
    """Read by people of the hotel, by nobody else."""

    def make(self, hotel) -> str:
        raise NotImplementedError

    def test_an_anonymous_caller_gets_401(self, client, hotel):
        response = client.get(self.make(hotel))
        assert (response.status_code, response.json()["error_code"]) == (401, "NOT_AUTHENTICATED")

    @pytest.mark.parametrize("role", ["agent", "gateway"])
    def test_a_machine_that_posts_reads_nothing(self, role, hotel, client_of):
        response = client_of(factories.user(role, hotel)).get(self.make(hotel))
        assert (response.status_code, response.json()["error_code"]) == (403, "PERMISSION_DENIED")

    @pytest.mark.parametrize("role", ["reviewer", "lead", "auditor", "developer"])
    def test_every_role_of_the_hotel_reads_it(self, role, hotel, client_of):
        assert client_of(factories.user(role, hotel)).get(self.make(hotel)).status_code == 200

    @pytest.mark.parametrize("method", ["put", "patch", "delete"])
    def test_other_methods_get_405_as_a_problem(self, method, hotel, reviewer_client):
        response = getattr(reviewer_client, method)(self.make(hotel))
        assert (response.status_code, response["Content-Type"]) == (405, "application/problem+json")

    def test_it_answers_head_and_options(self, hotel, reviewer_client):
        path = self.make(hotel)
        assert (reviewer_client.head(path).status_code, reviewer_client.options(path).status_code) == (200, 200)


class HotelList(Readable):
    """A list of a hotel's rows, by keyset."""

    statements = SESSION_STATEMENTS + 1

    def rows(self, client, path):
        return client.get(path).json()["results"]

    def test_rows_of_another_hotel_are_absent(self, other_hotel, reviewer_client):
        assert self.rows(reviewer_client, self.make(other_hotel)) == []

    def test_a_user_of_no_hotel_sees_no_rows(self, hotel, client_of):
        assert self.rows(client_of(factories.user("reviewer")), self.make(hotel)) == []

    def test_a_user_of_two_hotels_sees_the_rows_of_both(self, hotel, other_hotel, client_of):
        path = self.make(hotel)
        self.make(other_hotel)
        rows = self.rows(client_of(factories.user("reviewer", hotel, other_hotel)), path)
        assert {row["hotel"] for row in rows} == {"HOTEL1", "HOTEL2"}

    @pytest.mark.parametrize("count", [1, 3])
    def test_the_number_of_statements_does_not_depend_on_the_rows(
        self, count, hotel, reviewer_client, django_assert_num_queries
    ):
        paths = {self.make(hotel) for _ in range(count)}
        with django_assert_num_queries(self.statements):
            assert len(self.rows(reviewer_client, paths.pop())) >= count

    def test_pages_lead_through_all_rows_once(self, hotel, reviewer_client):
        path = [self.make(hotel) for _ in range(3)][-1]
        page = reviewer_client.get(path, {"page_size": 2}).json()
        rest = reviewer_client.get(page["next"]).json()
        walked = [row["id"] for row in [*page["results"], *rest["results"]]]
        assert walked == [row["id"] for row in self.rows(reviewer_client, path)]

    @pytest.mark.parametrize(
        "query",
        [
            "unheard=1",
            "cursor=nonsense",
            "cursor=",
            "page_size=0",
            "page_size=201",
            "page_size=99999999999999999999",
            "page_size=1&page_size=2",
        ],
    )
    def test_a_bad_query_is_refused_with_its_place(self, query, hotel, reviewer_client):
        response = reviewer_client.get(f"{self.make(hotel)}?{query}")
        assert (response.status_code, response.json()["error_code"]) == (400, "FILTER_INVALID")
        assert [fault["pointer"] for fault in response.json()["errors"]] == [query.partition("=")[0]]


class HotelDetail(Readable):
    """One row of a hotel."""

    statements = SESSION_STATEMENTS + 1

    def test_another_hotels_row_does_not_exist(self, other_hotel, reviewer_client):
        response = reviewer_client.get(self.make(other_hotel))
        assert (response.status_code, response.json()["error_code"]) == (404, "NOT_FOUND")

    @pytest.mark.parametrize("row_id", [str(uuid.UUID(int=7)), "1", "%00", "..%2f", "x" * 3000])
    def test_an_id_of_no_row_is_404(self, row_id, hotel, reviewer_client):
        collection = self.make(hotel).rpartition("/")[0]
        assert reviewer_client.get(f"{collection}/{row_id}").status_code == 404

    def test_the_number_of_statements_is_fixed(self, hotel, reviewer_client, django_assert_num_queries):
        path = self.make(hotel)
        with django_assert_num_queries(self.statements):
            reviewer_client.get(path)
