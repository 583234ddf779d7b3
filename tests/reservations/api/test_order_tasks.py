"""GET /order-tasks: what a mail asks for one order, with its cards (R-56 to R-60)."""

import base64
import json
import uuid
from datetime import timedelta

import pytest

from reservations.models import CardKind, CatalogEntry
from tests import factories
from tests.decisions import offer_options
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelDetail, HotelList

LIST = f"{DESK}/order-tasks"
STATUS = "order_task_status"


def detail(client, row):
    return client.get(f"{LIST}/{row.pk}").json()


def card(client, row, key):
    return next(card for card in detail(client, row)["cards"] if card["card_key"] == key)


def field(shown, path):
    return next(row for row in shown["fields"] if row["field_path"] == path)


def ids(response):
    return [row["id"] for row in response.json()["results"]]


class TestList(HotelList):
    def make(self, hotel):
        factories.opened(hotel)
        return LIST

    def test_a_row_shows_where_it_belongs_and_how_it_stands(self, hotel, reviewer_client):
        order = factories.order(hotel, order_type="GROUP")
        row = factories.opened(hotel, on=order, order_ref="G", order_context_index=2, status="IN_PROGRESS")
        shown = self.rows(reviewer_client, LIST)[0]
        names = ("id", "order_id", "order_number", "order_ref", "order_context_index", "order_type", STATUS)
        assert [shown[name] for name in names] == [
            str(row.pk), str(order.pk), order.order_number, "G", 2, "GROUP", "IN_PROGRESS",
        ]  # fmt: skip

    def test_rows_carry_no_context_and_no_cards(self, hotel, reviewer_client):
        factories.opened(hotel)
        shown = self.rows(reviewer_client, LIST)[0]
        assert {"order_context", "cards", "fields"} & shown.keys() == set()

    def test_r58_order_tasks_of_one_mail_come_by_their_place_in_it(self, hotel, reviewer_client):
        package = factories.v4_package(hotel)
        late, early = (
            factories.order_task(factories.order(hotel), package, order_context_index=index) for index in (1, 0)
        )
        assert ids(reviewer_client.get(LIST)) == [str(early.pk), str(late.pk)]

    def test_r58_pages_keep_that_order_forward_and_back(self, hotel, reviewer_client):
        package = factories.v4_package(hotel)
        for index in (4, 2, 0, 1, 3):
            factories.order_task(factories.order(hotel), package, order_context_index=index)
        url, seen = f"{LIST}?page_size=2", []
        while url:
            page = reviewer_client.get(url).json()
            seen += [row["order_context_index"] for row in page["results"]]
            url, back = page["next"], page["previous"]
        assert seen == [0, 1, 2, 3, 4]
        before = reviewer_client.get(back).json()
        assert [row["order_context_index"] for row in before["results"]] == [2, 3]

    def test_r58_a_later_order_task_of_the_order_is_blocked_and_its_own_cards_block_nothing(
        self, hotel, reviewer_client
    ):
        order = factories.order(hotel)
        first = factories.opened(hotel, on=order, events=2)
        second = factories.opened(hotel, on=order)
        blocked = {row["id"]: row["blocked"] for row in self.rows(reviewer_client, LIST)}
        assert blocked == {str(first.pk): False, str(second.pk): True}
        assert ids(reviewer_client.get(LIST, {"blocked": "true"})) == [str(second.pk)]

    def test_filters_find_exactly_their_rows(self, hotel, other_hotel, client_of):
        both = client_of(factories.user("reviewer", hotel, other_hotel))
        done = factories.opened(hotel, status="DONE")
        late = factories.opened(other_hotel, received_at=factories.NOON + timedelta(hours=1))
        for query, row in [
            ({"hotel": "HOTEL1"}, done),
            ({"status": "DONE"}, done),
            ({"order": done.order_id}, done),
            ({"source_message_id": done.source_message.external_message_id}, done),
            ({"since": "2026-07-20T12:30:00Z"}, late),
        ]:
            assert ids(both.get(LIST, query)) == [str(row.pk)], query

    @pytest.mark.parametrize("query", ["status=READY", "order=1", "since=monday", "search=", "blocked=yes"])
    def test_a_value_that_is_none_of_the_filter_is_refused(self, query, hotel, reviewer_client):
        response = reviewer_client.get(f"{LIST}?{query}")
        assert (response.status_code, response.json()["error_code"]) == (400, "FILTER_INVALID")

    @pytest.mark.parametrize("second", ['"x"', "null", "1.5", "true", "1" * 60])
    def test_a_cursor_of_another_list_is_refused(self, second, hotel, reviewer_client):
        text = f'[0,"2026-07-20T12:00:00Z",{second},"{uuid.uuid4()}"]'
        cursor = base64.urlsafe_b64encode(text.encode()).decode()
        assert reviewer_client.get(LIST, {"cursor": cursor}).status_code == 400


class TestDetail(HotelDetail):
    statements = SESSION_STATEMENTS + 5  # itself, what it was sent as, cards, options, files

    def make(self, hotel):
        return f"{LIST}/{factories.opened(hotel).pk}"

    @pytest.mark.parametrize("events", [1, 7])
    def test_the_number_of_statements_does_not_depend_on_the_cards(
        self, events, hotel, reviewer_client, django_assert_num_queries
    ):
        path = f"{LIST}/{factories.opened(hotel, events=events).pk}"
        with django_assert_num_queries(self.statements):
            assert len(reviewer_client.get(path).json()["cards"]) == events + 2

    def test_r56_cards_come_as_mail_basic_information_events_by_index(self, hotel, reviewer_client):
        row = factories.order_task(factories.order(hotel), factories.v4_package(hotel))
        for index in (3, 1):
            factories.business_card(row, source_event_index=index)
        factories.task_card(row)
        factories.task_card(row, CardKind.SOURCE_MESSAGE)
        shown = detail(reviewer_client, row)["cards"]
        assert [card["card_key"] for card in shown] == ["SOURCE_MESSAGE", "BASIC_INFORMATION", "EVENT_1", "EVENT_3"]
        assert [card["source_event_index"] for card in shown] == [0, 0, 1, 3]

    def test_r57_it_shows_what_the_package_said_of_itself(self, hotel, reviewer_client):
        shown = detail(reviewer_client, factories.opened(hotel))
        names = ("catalog_code", "skill_id", "field_contract_version")
        assert [shown[name] for name in names] == ["M002V4", "booking-desk-event-v4", "20260718-v4"]
        assert shown["order_context"]["identifiers"]["BOOKING_CODE"] == "BK-1"

    def test_a_business_card_stands_as_its_task_stands(self, hotel, reviewer_client):
        row = factories.opened(hotel, events=0)
        task = factories.business_card(
            row, task_status="PENDING_REVIEW", review_status="PENDING", ai_result_type="manual_review", version=4
        ).task
        shown = card(reviewer_client, row, "EVENT_1")
        names = ("kind", "task_id", "status", "review_status", "version", "route_display_code")
        assert [shown[name] for name in names] == [
            "BUSINESS", str(task.pk), "PENDING_REVIEW", "PENDING", 4, "TASK.new_fit_booking",
        ]  # fmt: skip

    def test_a_business_card_serves_the_fields_of_its_task(self, hotel, reviewer_client):
        offer_options(hotel)
        row = factories.opened(hotel)
        task = reviewer_client.get(f"{DESK}/tasks/{row.tasks.get().pk}").json()
        shown = card(reviewer_client, row, "EVENT_1")
        assert (shown["fields"], task["order_task_id"]) == (task["fields"], str(row.pk))

    def test_the_mail_has_neither_state_nor_fields(self, hotel, reviewer_client):
        shown = card(reviewer_client, factories.opened(hotel), "SOURCE_MESSAGE")
        assert (shown["status"], shown["review_status"], shown["fields"]) == (None, None, [])

    def test_r59_basic_information_serves_the_context_under_the_paths_of_the_matrix(self, hotel, reviewer_client):
        offer_options(hotel)
        shown = card(reviewer_client, factories.opened(hotel), "BASIC_INFORMATION")
        values = {row["field_path"].removeprefix("order_context."): row["value"] for row in shown["fields"]}
        assert values == {
            "order_type": "FIT",
            "booking_code": "BK-1",
            "confirmation_number": None,
            "display_name": "Guest A",
            "arrival_date": "2026-08-03",
            "departure_date": "2026-08-06",
            "account_code": None,
            "market_code": None,
            "source_code": None,
        }

    @pytest.mark.parametrize("name", ["GROUP_CODE", "BLOCK_CODE"])
    def test_r24_a_group_and_a_block_code_are_one_field(self, name, hotel, reviewer_client):
        order = factories.order(hotel, order_type="GROUP")
        context = {"order_type": "GROUP", "identifiers": {name: "LKS"}}
        shown = card(reviewer_client, factories.opened(hotel, on=order, order_context=context), "BASIC_INFORMATION")
        assert field(shown, "order_context.group_code")["value"] == "LKS"

    def test_r59_account_market_and_source_are_chosen_from_the_catalogues(self, hotel, reviewer_client):
        offer_options(hotel)
        shown = card(reviewer_client, factories.opened(hotel), "BASIC_INFORMATION")
        for name in ("account", "market", "source"):
            row = field(shown, f"order_context.{name}_code")
            kept = CatalogEntry.objects.filter(catalog=row["options_source"], active=True).order_by("position")
            assert [option["code"] for option in row["options"]] == [entry.code for entry in kept]
            assert (row["required"], row["write_target"]) == (True, "field_values")

    def test_a_draft_of_basic_information_is_shown_and_counts(self, hotel, reviewer, reviewer_client):
        row = factories.order_task(factories.order(hotel), factories.v4_package(hotel))
        draft = {"order_context.display_name": "Guest B"}
        factories.task_card(row, draft_payload_json=draft, draft_by=reviewer, draft_at=factories.NOON)
        shown = card(reviewer_client, row, "BASIC_INFORMATION")
        assert shown["draft"] == {
            "field_values": draft,
            "saved_by": reviewer.username,
            "saved_at": "2026-07-20T12:00:00Z",
        }
        assert field(shown, "order_context.display_name")["value"] == "Guest B"

    def test_r61_a_confirmed_basic_information_is_read_only(self, hotel, reviewer, reviewer_client):
        row = factories.order_task(factories.order(hotel), factories.v4_package(hotel))
        payload = {"effective_payload": {"order_context": {"order_type": "FIT", "display_name": "Guest C"}}}
        factories.task_card(
            row, card_status="CONFIRMED", decided_by=reviewer, decided_at=factories.NOON, confirmed_payload_json=payload
        )
        shown = card(reviewer_client, row, "BASIC_INFORMATION")
        assert (shown["status"], shown["decided_by"]) == ("CONFIRMED", reviewer.username)
        assert field(shown, "order_context.display_name")["value"] == "Guest C"
        assert {row["edit_scope"] for row in shown["fields"]} == {"readonly"}

    def test_r60_a_review_names_the_orders_it_may_choose(self, hotel, other_hotel, reviewer_client):
        found = [factories.order(hotel, booking_code=code) for code in ("BK-1", " bk-1")]
        factories.order(hotel, booking_code="BK-1", status="CANCELLED")
        factories.order(hotel, booking_code="BK-1", order_type="GROUP")
        factories.order(other_hotel, booking_code="BK-1")
        row = factories.order_task(factories.order(hotel, order_type="TEMPORARY"), factories.v4_package(hotel))
        factories.task_card(row, review_status="PENDING")
        shown = card(reviewer_client, row, "BASIC_INFORMATION")
        assert [order["order_id"] for order in shown["order_candidates"]] == [str(order.pk) for order in found]
        assert shown["order_candidates"][0]["order_number"] == found[0].order_number
        assert (shown["status"], shown["review_status"]) == ("PENDING_REVIEW", "PENDING")

    def test_r60_without_a_review_there_is_nothing_to_choose(self, hotel, reviewer_client):
        factories.order(hotel, booking_code="BK-1")
        assert card(reviewer_client, factories.opened(hotel), "BASIC_INFORMATION")["order_candidates"] == []

    def test_r57_after_and_before_of_an_event_are_the_fields_of_its_card(self, hotel, reviewer_client):
        row = factories.opened(hotel, events=0)
        event = {
            "event_type": "UPDATE_BOOKING",
            "before": {"arrival_date": "2026-08-03"},
            "after": {"arrival_date": "2026-08-04"},
        }
        shown = {"ai_task_type": "Update Booking", "ai_task_subtype": "update_stay_dates"}
        factories.business_card(row, ai_payload_json=json.dumps(event), **shown)
        arrival = field(card(reviewer_client, row, "EVENT_1"), "extracted_fields.arrival_date")
        assert (arrival["value"], arrival["ai_value"]) == ("2026-08-04", "2026-08-04")

    def test_r45_the_tag_names_the_version_and_holds_until_a_card_changes(self, hotel, reviewer_client):
        row = factories.opened(hotel, version=3)
        tag = reviewer_client.get(f"{LIST}/{row.pk}")["ETag"]
        assert tag.startswith('"3.')
        assert reviewer_client.get(f"{LIST}/{row.pk}", headers={"If-None-Match": tag}).status_code == 304
        row.cards.filter(kind=CardKind.BASIC_INFORMATION).update(version=2)
        assert reviewer_client.get(f"{LIST}/{row.pk}", headers={"If-None-Match": tag}).status_code == 200
