"""GET /transitions: one verdict per part of a package."""

import pytest

from reservations.models import TransitionKind
from tests import factories
from tests.reservations.api.rules import DESK, HotelDetail, HotelList

LIST = f"{DESK}/transitions"
FAULT = {
    "kind": TransitionKind.CONTRACT_ERROR,
    "source_event_index": 2,
    "array_index": 1,
    "adapter_error_code": "ROUTE_UNRESOLVED",
    "adapter_error_message": "No active route fits this type and subtype.",
    "system_process_category": "ADAPTER_CONTRACT_ERROR",
    "event": '{"event_type":"Note","n":1.0}',
}


class TestList(HotelList):
    def make(self, hotel):
        factories.transition(factories.package(hotel))
        return LIST

    def test_a_contract_error_says_what_is_wrong_in_both_languages(self, desk, reviewer_client):
        """R-18"""
        factories.transition(desk.package, **FAULT)
        row = self.rows(reviewer_client, LIST)[0]
        assert (row["route_code"], row["task_id"], row["adapter_error_code"]) == (None, None, "ROUTE_UNRESOLVED")
        assert (row["adapter_error_message"], row["adapter_error_message_zh"]) == (
            "No active route fits this type and subtype.",
            "此类型与子类型没有对应的有效路由。",
        )

    def test_an_accepted_event_names_its_card_and_no_error(self, desk, reviewer_client):
        task = factories.task(desk.order, desk.package)
        row = self.rows(reviewer_client, LIST)[0]
        assert (row["task_id"], row["adapter_error_code"], row["adapter_error_message_zh"]) == (
            str(task.pk),
            None,
            None,
        )

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"kind": "adapter_contract_error"}, ["fault"]),
            ({"kind": "UNHANDLED_CURRENT_INTENT"}, ["intent"]),
            ({"adapter_error_code": "ROUTE_UNRESOLVED"}, ["fault"]),
            ({"adapter_error_code": "RETIRED_TASK"}, []),
            ({"route_code": "S10"}, ["old notice"]),
            ({"source_message_id": "m1@mail.example", "kind": "source_notification"}, ["old notice"]),
            ({"source_message_id": "other@mail.example"}, ["intent"]),
            ({"since": "2026-07-20T12:00:01Z"}, []),
        ],
    )
    def test_filters_find_exactly_their_rows(self, query, found, desk, agent, reviewer_client):
        elsewhere = factories.submission(factories.message(desk.hotel, "other@mail.example"), agent)
        notice = {"kind": TransitionKind.SOURCE_NOTIFICATION, "route_code": "S000", "source_event_index": 0}
        names = {
            str(factories.transition(desk.package, **FAULT).pk): "fault",
            str(factories.transition(desk.package, **notice).pk): "old notice",
            str(factories.transition(elsewhere, kind=TransitionKind.UNHANDLED_INTENT).pk): "intent",
        }
        rows = reviewer_client.get(LIST, query).json()["results"]
        assert [names[row["id"]] for row in rows] == found

    @pytest.mark.parametrize(
        ("name", "value"), [("kind", "notice"), ("adapter_error_code", "NONE"), ("route_code", "S000")]
    )
    def test_a_value_that_does_not_fit_is_refused(self, name, value, reviewer_client):
        response = reviewer_client.get(LIST, {name: value})
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, name)


class TestDetail(HotelDetail):
    def make(self, hotel):
        return f"{LIST}/{factories.transition(factories.package(hotel)).pk}"

    def test_the_event_goes_out_as_sent(self, desk, reviewer_client):
        verdict = factories.transition(desk.package, **FAULT)
        content = reviewer_client.get(f"{LIST}/{verdict.pk}").content
        assert b'"event":{"event_type":"Note","n":1.0}' in content

    def test_an_old_notice_goes_out_as_text(self, desk, reviewer_client):
        """R-12"""
        verdict = factories.transition(
            desk.package, kind=TransitionKind.SOURCE_NOTIFICATION, route_code="S999", event="S999,m1@mail.example"
        )
        assert reviewer_client.get(f"{LIST}/{verdict.pk}").json()["event"] == "S999,m1@mail.example"
