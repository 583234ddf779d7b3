"""/source-notifications: V4 notices, which a person acknowledges and nobody else does (R-11, R-42, R-45)."""

import uuid
from datetime import timedelta

import pytest

from config.audit.models import AuditEvent
from reservations.models import SourceNotification
from tests import factories
from tests.reservations.api.rules import DESK, HotelDetail, HotelList
from tests.reservations.board import answered, places, send

LIST = f"{DESK}/source-notifications"
REVIEW = {"review_type": "main_agent_entry_review", "reason_code": "AMBIGUOUS"}


def path(row, action="acknowledge"):
    return f"{LIST}/{row.pk}/{action}"


def made(hotel, **fields):
    return factories.notification(factories.v4_package(hotel), **fields)


def ids(response):
    return [row["id"] for row in response.json()["results"]]


def lines(row):
    return AuditEvent.objects.filter(object_type="source_notification", object_id=str(row.pk)).count()


class TestList(HotelList):
    def make(self, hotel):
        made(hotel)
        return LIST

    def test_a_row_shows_the_mail_and_who_has_seen_it(self, hotel, lead, reviewer_client):
        row = made(hotel, acknowledged_by=lead, acknowledged_at=factories.NOON)
        shown = self.rows(reviewer_client, LIST)[0]
        assert (shown["source_message_id"], shown["acknowledged_by"]) == (
            row.source_message.external_message_id,
            lead.username,
        )
        assert (shown["route_code"], shown["route_display_code"]) == ("S10", "NOTICE.S10")

    def test_filters_find_exactly_their_rows(self, hotel, other_hotel, lead, client_of):
        both = client_of(factories.user("reviewer", hotel, other_hotel))
        seen = made(hotel, acknowledged_by=lead, acknowledged_at=factories.NOON)
        open_one = made(other_hotel, route_code="S99", received_at=factories.NOON + timedelta(hours=1))
        for query, row in [
            ({"hotel": "HOTEL1"}, seen),
            ({"acknowledged": "true"}, seen),
            ({"acknowledged": "false"}, open_one),
            ({"route": "S99"}, open_one),
            ({"since": "2026-07-20T12:30:00Z"}, open_one),
            ({"source_message_id": seen.source_message.external_message_id}, seen),
        ]:
            assert ids(both.get(LIST, query)) == [str(row.pk)], query

    @pytest.mark.parametrize("query", ["route=S000", "acknowledged=1", "task_status=NOTICE"])
    def test_a_value_that_is_none_of_the_filter_is_refused(self, query, hotel, reviewer_client):
        assert reviewer_client.get(f"{LIST}?{query}").status_code == 400


class TestDetail(HotelDetail):
    def make(self, hotel):
        return f"{LIST}/{made(hotel).pk}"

    def test_it_shows_what_the_agent_said(self, hotel, reviewer_client):
        row = made(hotel, route_code="S99", manual_review=REVIEW, agent_assessment={"intent": "none"}, notification="?")
        shown = reviewer_client.get(f"{LIST}/{row.pk}").json()
        assert (shown["manual_review"], shown["agent_assessment"], shown["notification"]) == (
            REVIEW,
            {"intent": "none"},
            "?",
        )

    def test_r45_the_tag_names_the_version_and_a_known_answer_is_not_sent_again(self, hotel, reviewer_client):
        shown = f"{LIST}/{made(hotel, version=4).pk}"
        tag = reviewer_client.get(shown)["ETag"]
        assert tag.startswith('"4.')
        assert reviewer_client.get(shown, headers={"If-None-Match": tag}).status_code == 304


class TestAcknowledge:
    def test_r11_who_and_when_are_kept_and_audited(self, hotel, reviewer, reviewer_client):
        row = made(hotel)
        answer = send(reviewer_client, path(row), {})
        assert (answer.json()["acknowledged_by"], answer.json()["version"]) == (reviewer.username, 2)
        line = AuditEvent.objects.get(action="NOTIFICATION_ACKNOWLEDGE")
        assert (line.object_id, line.actor, line.tenant_id) == (str(row.pk), reviewer, hotel.pk)
        assert (line.before["version"], line.after["version"]) == (1, 2)

    def test_r11_two_people_acknowledge_and_the_first_is_recorded(self, hotel, client_of, reviewer, reviewer_client):
        row, second = made(hotel), client_of(factories.user("reviewer", hotel))
        first, again = send(reviewer_client, path(row), {}), send(second, path(row), {})
        assert (first.status_code, again.status_code, again.content) == (200, 200, first.content)
        assert (again.json()["acknowledged_by"], lines(row)) == (reviewer.username, 1)

    def test_r11_again_succeeds_whatever_version_was_seen(self, hotel, reviewer_client):
        row = made(hotel)
        tag = reviewer_client.get(f"{LIST}/{row.pk}")["ETag"]
        answers = [send(reviewer_client, path(row), {}, If_Match=tag) for _ in range(2)]
        assert [(answer.status_code, answer["ETag"]) for answer in answers] == [(200, answers[0]["ETag"])] * 2

    def test_r45_a_version_that_is_not_the_present_one_is_412_and_nothing_is_done(self, hotel, reviewer_client):
        row = made(hotel)
        assert answered(send(reviewer_client, path(row), {}, If_Match='"7.x"')) == (412, "PRECONDITION_FAILED")
        assert (SourceNotification.objects.get(pk=row.pk).acknowledged_by, lines(row)) == (None, 0)

    def test_no_body_is_as_good_as_an_empty_one(self, hotel, reviewer_client):
        assert reviewer_client.post(path(made(hotel))).status_code == 200

    def test_a_body_with_something_else_is_refused(self, hotel, reviewer_client):
        answer = send(reviewer_client, path(made(hotel)), {"surprise": 1})
        assert (answered(answer), places(answer)) == ((400, "FIELD_INVALID"), ["/surprise"])

    def test_r77_of_another_hotel_there_is_none(self, other_hotel, reviewer_client):
        assert answered(send(reviewer_client, path(made(other_hotel)), {})) == (404, "NOTIFICATION_NOT_FOUND")

    @pytest.mark.parametrize("role", ["agent", "gateway", "auditor", "developer"])
    def test_r77_only_people_who_decide_acknowledge(self, role, hotel, client_of):
        row = made(hotel)
        assert answered(send(client_of(factories.user(role, hotel)), path(row), {})) == (403, "PERMISSION_DENIED")

    @pytest.mark.parametrize(
        "action", ["claim", "draft", "confirm", "manual-review-resolutions", "terminate", "execute"]
    )
    def test_r14_there_is_no_other_write(self, action, hotel, reviewer_client):
        assert send(reviewer_client, path(made(hotel), action), {}).status_code == 404

    def test_r53_the_same_key_gives_back_the_same_answer(self, hotel, reviewer_client):
        row = made(hotel)
        first, again = (send(reviewer_client, path(row), {}, Idempotency_Key="k1") for _ in range(2))
        assert (again.content, again["Idempotency-Replayed"], lines(row)) == (first.content, "true", 1)


class TestBulk:
    path = f"{LIST}/bulk"

    def bulk(self, client, *notification_ids, **changes):
        return send(client, self.path, {"action": "acknowledge", "notification_ids": notification_ids} | changes)

    def test_r42_each_item_is_answered_in_the_order_sent(self, hotel, other_hotel, reviewer_client):
        mine, theirs = made(hotel), made(other_hotel)
        sent = [str(theirs.pk), str(mine.pk), "no-id", str(uuid.UUID(int=7))]
        outcomes = self.bulk(reviewer_client, *sent).json()["outcomes"]
        assert [row["notification_id"] for row in outcomes] == sent
        assert [row["done"] for row in outcomes] == [False, True, False, False]
        assert {row["error_code"] for row in outcomes} == {"NOTIFICATION_NOT_FOUND", None}

    def test_r42_one_line_for_each_that_changed(self, hotel, lead, reviewer_client):
        seen, open_one = made(hotel, acknowledged_by=lead, acknowledged_at=factories.NOON), made(hotel)
        outcomes = self.bulk(reviewer_client, str(seen.pk), str(open_one.pk), str(open_one.pk).upper()).json()[
            "outcomes"
        ]
        assert [row["done"] for row in outcomes] == [True, True, True]
        assert (outcomes[0]["acknowledged_by"], lines(seen), lines(open_one)) == (lead.username, 0, 1)

    @pytest.mark.parametrize(
        ("change", "place"),
        [
            ({"action": "terminate"}, "/action"),
            ({"notification_ids": []}, "/notification_ids"),
            ({"notification_ids": [7]}, "/notification_ids/0"),
            ({"notification_ids": ["x"] * 201}, "/notification_ids"),
            ({"task_ids": []}, "/task_ids"),
        ],
    )
    def test_a_body_of_another_shape_is_refused(self, change, place, hotel, reviewer_client):
        answer = self.bulk(reviewer_client, "x", **change)
        assert (answered(answer), places(answer)) == ((400, "FIELD_INVALID"), [place])
