"""GET /source-messages: the inbox of the caller's hotels."""

from datetime import timedelta

import pytest
from django.core.files.base import ContentFile

from reservations.models import TransitionKind
from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelDetail, HotelList, Readable

LIST = f"{DESK}/source-messages"


class TestList(HotelList):
    def make(self, hotel):
        factories.message(hotel)
        return LIST

    def test_rows_name_the_mail_without_its_texts(self, desk, reviewer_client):
        row = self.rows(reviewer_client, LIST)[0]
        assert row == {
            "id": str(desk.message.pk),
            "hotel": "HOTEL1",
            "provider": "test",
            "channel": "mail",
            "external_message_id": "m1@mail.example",
            "conversation_id": "c/1@mail.example",
            "subject": "Two rooms",
            "sender": "Ops <ops@lakeside-travel.example>",
            "sender_domain": "lakeside-travel.example",
            "received_at": "2026-07-20T12:00:00Z",
            "created_at": "2026-07-20T12:00:00Z",
        }

    def test_rows_come_by_time_of_receipt(self, hotel, reviewer_client):
        for hours, outer_id in [(2, "late"), (0, "early"), (1, "middle")]:
            factories.message(hotel, outer_id, received_at=factories.NOON + timedelta(hours=hours))
        rows = self.rows(reviewer_client, LIST)
        assert [row["external_message_id"] for row in rows] == ["early", "middle", "late"]

    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ({"external_message_id": "  padded "}, ["  padded "]),
            ({"conversation_id": "c1"}, ["in c1"]),
            ({"sender_domain": "other.example"}, ["other sender"]),
            ({"since": "2026-07-21T00:00:00+08:00"}, ["later"]),
            ({"hotel": "HOTEL2"}, []),
        ],
    )
    def test_filters_find_exactly_their_rows(self, query, found, hotel, other_hotel, reviewer_client):
        factories.message(other_hotel)
        factories.message(hotel, "  padded ")
        factories.message(hotel, "padded")
        factories.message(hotel, "in c1", conversation_id="c1")
        factories.message(hotel, "other sender", sender_domain="other.example")
        factories.message(hotel, "later", received_at=factories.NOON + timedelta(hours=5))
        rows = reviewer_client.get(LIST, query).json()["results"]
        assert [row["external_message_id"] for row in rows] == found

    @pytest.mark.parametrize("since", ["0001-01-01T00:00:00+23:59", "2026-07-20t12:00:00.0000000z"])
    def test_a_moment_at_the_edge_finds_what_is_later(self, since, desk, reviewer_client):
        assert len(reviewer_client.get(LIST, {"since": since}).json()["results"]) == 1

    def test_the_last_moment_finds_nothing(self, desk, reviewer_client):
        assert reviewer_client.get(LIST, {"since": "9999-12-31T23:59:59-23:59"}).json()["results"] == []

    @pytest.mark.parametrize("since", ["yesterday", "2026-07-20", "2026-07-20T12:00:00", "2026-13-01T00:00:00Z"])
    def test_what_is_no_moment_is_refused(self, since, reviewer_client):
        response = reviewer_client.get(LIST, {"since": since})
        assert (response.status_code, response.json()["errors"][0]["pointer"]) == (400, "since")


class TestDetail(HotelDetail):
    statements = SESSION_STATEMENTS + 5

    def make(self, hotel):
        return f"{LIST}/{factories.message(hotel, conversation_id='c1').pk}"

    def test_it_shows_texts_headers_and_files(self, hotel, reviewer_client):
        message = factories.message(hotel, body_html="<b>x</b>", recipients=["a@b.example"], headers=[["X-A", "1"]])
        factories.attachment(message, "att-1", size=7)
        mail = reviewer_client.get(f"{LIST}/{message.pk}").json()
        assert (mail["body_text"], mail["body_html"]) == (message.body_text, "<b>x</b>")
        assert (mail["recipients"], mail["headers"]) == (["a@b.example"], [["X-A", "1"]])
        assert [file["external_id"] for file in mail["attachments"]] == ["att-1"]

    def test_it_shows_the_conversation_oldest_first(self, desk, other_hotel, reviewer_client):
        conversation = {"conversation_id": desk.message.conversation_id}
        factories.message(desk.hotel, "before", received_at=factories.NOON - timedelta(hours=1), **conversation)
        factories.message(other_hotel, "elsewhere", **conversation)
        mail = reviewer_client.get(f"{LIST}/{desk.message.pk}").json()
        assert [row["external_message_id"] for row in mail["conversation"]] == ["before", "m1@mail.example"]

    def test_a_mail_without_conversation_has_none(self, hotel, reviewer_client):
        factories.message(hotel)
        message = factories.message(hotel)
        assert reviewer_client.get(f"{LIST}/{message.pk}").json()["conversation"] == []

    def test_it_shows_what_came_for_the_mail(self, desk, reviewer_client):
        task = factories.task(desk.order, desk.package)
        intent = factories.transition(desk.package, kind=TransitionKind.UNHANDLED_INTENT, source_event_index=2)
        mail = reviewer_client.get(f"{LIST}/{desk.message.pk}").json()
        assert [row["id"] for row in mail["submissions"]] == [str(desk.package.pk)]
        assert [(row["id"], row["task_id"]) for row in mail["transitions"]] == [
            (str(task.transition_id), str(task.pk)),
            (str(intent.pk), None),
        ]


class TestAttachment(Readable):
    """A file is hostile: it is only ever saved, never shown."""

    def make(self, hotel, **fields):
        message = factories.message(hotel)
        fields.setdefault("file", ContentFile(b"<script>1</script>", name="evil"))
        file = factories.attachment(message, file_name='évil\r\nX: "1".html', media_type="text/html", **fields)
        return f"{LIST}/{message.pk}/attachments/{file.pk}"

    def test_it_is_sent_as_a_download_of_bytes(self, hotel, reviewer_client):
        response = reviewer_client.get(self.make(hotel))
        assert b"".join(response.streaming_content) == b"<script>1</script>"
        assert response["Content-Type"] == "application/octet-stream"
        assert response["X-Content-Type-Options"] == "nosniff"
        assert response["Content-Disposition"] == "attachment; filename*=utf-8''%C3%A9vilX_%20_1_.html"

    def test_a_file_of_which_only_the_name_is_known_is_404(self, hotel, reviewer_client):
        assert reviewer_client.get(self.make(hotel, file="")).status_code == 404

    def test_a_file_that_was_removed_is_404(self, hotel, reviewer_client):
        assert reviewer_client.get(self.make(hotel, file="gone/away")).status_code == 404

    def test_another_hotels_file_does_not_exist(self, other_hotel, reviewer_client):
        assert reviewer_client.get(self.make(other_hotel)).status_code == 404

    def test_a_file_is_found_under_its_own_mail_only(self, desk, reviewer_client):
        file = self.make(desk.hotel).rpartition("/")[2]
        assert reviewer_client.get(f"{LIST}/{desk.message.pk}/attachments/{file}").status_code == 404
