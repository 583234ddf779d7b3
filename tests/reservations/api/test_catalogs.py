"""GET /catalogs/{name}: the options of a select."""

import pytest

from reservations.models import CatalogEntry
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, Readable

ROOMS = f"{DESK}/catalogs/active_pms_room_type_catalog"


def codes(client, path=ROOMS, **query):
    return [option["code"] for option in client.get(path, query).json()["options"]]


class TestCatalog(Readable):
    def make(self, hotel):
        return ROOMS

    def test_it_offers_the_options_in_their_order(self, reference, reviewer_client):
        assert codes(reviewer_client) == ["SU1", "RM3", "DLX", "TWN", "STD", "FAM"]

    def test_what_is_no_longer_offered_is_shown_on_demand(self, reference, reviewer_client):
        assert codes(reviewer_client, include_inactive="true")[-1] == "OLD"

    def test_an_option_names_its_hotel_and_labels(self, reference, reviewer_client):
        option = reviewer_client.get(ROOMS).json()["options"][0]
        assert option == {
            "hotel": "HOTEL1",
            "code": "SU1",
            "label_en": "Junior suite",
            "label_zh": "普通套房",
            "active": True,
        }

    def test_options_of_another_hotel_are_absent(self, other_hotel, reviewer_client):
        CatalogEntry.objects.create(hotel=other_hotel, catalog="active_pms_room_type_catalog", code="X")
        assert codes(reviewer_client) == []

    @pytest.mark.parametrize("name", ["active_rate_code_catalog", "fix_charge_catalog"])
    def test_a_catalogue_that_is_not_connected_says_so(self, name, hotel, reviewer_client):
        """R-32: and has no options, whatever rows there are."""
        CatalogEntry.objects.create(hotel=hotel, catalog=name, code="X")
        answer = reviewer_client.get(f"{DESK}/catalogs/{name}").json()
        assert answer == {"name": name, "connected": False, "options": []}

    @pytest.mark.parametrize("name", ["rooms", "Active_pms_room_type_catalog", "%00", "a%2fb"])
    def test_an_unknown_name_is_404(self, name, reviewer_client):
        assert reviewer_client.get(f"{DESK}/catalogs/{name}").status_code == 404

    def test_one_statement_reads_it(self, reference, reviewer_client, django_assert_num_queries):
        with django_assert_num_queries(SESSION_STATEMENTS + 1):
            reviewer_client.get(ROOMS)

    @pytest.mark.parametrize("query", ["include_inactive=1", "unheard=1", "page_size=1"])
    def test_a_bad_query_is_refused_with_its_place(self, query, reviewer_client):
        response = reviewer_client.get(f"{ROOMS}?{query}")
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, query.partition("=")[0])
