"""GET /conversations/{id}: the mails of one conversation."""

from datetime import timedelta
from urllib.parse import quote

import pytest

from tests import factories
from tests.reservations.api.rules import DESK, SESSION_STATEMENTS, HotelList

HOSTILE_ID = "a/b c?#%2F\n客@mail.example"


def path(conversation_id):
    return f"{DESK}/conversations/{quote(conversation_id, safe='')}"


class TestConversation(HotelList):
    statements = SESSION_STATEMENTS + 2

    def make(self, hotel):
        factories.message(hotel, conversation_id="c1")
        return path("c1")

    def test_rows_of_another_hotel_are_absent(self, other_hotel, reviewer_client):
        assert reviewer_client.get(self.make(other_hotel)).status_code == 404

    def test_a_user_of_no_hotel_sees_no_rows(self, hotel, client_of):
        assert client_of(factories.user("reviewer")).get(self.make(hotel)).status_code == 404

    def test_mails_come_oldest_first_with_their_submissions(self, desk, agent, reviewer_client):
        conversation_id = desk.message.conversation_id
        early = factories.message(
            desk.hotel, "early", conversation_id=conversation_id, received_at=factories.NOON - timedelta(hours=1)
        )
        first = factories.submission(early, agent)
        second = factories.submission(early, agent, created_at=factories.NOON)
        rows = self.rows(reviewer_client, path(conversation_id))
        assert [(row["external_message_id"], [entry["id"] for entry in row["submissions"]]) for row in rows] == [
            ("early", [str(first.pk), str(second.pk)]),
            ("m1@mail.example", [str(desk.package.pk)]),
        ]

    def test_an_id_may_hold_anything(self, hotel, reviewer_client):
        message = factories.message(hotel, conversation_id=HOSTILE_ID)
        assert [row["id"] for row in self.rows(reviewer_client, path(HOSTILE_ID))] == [str(message.pk)]

    @pytest.mark.parametrize("conversation_id", ["unknown", "a\x00b", " ", "x" * 5000])
    def test_an_unknown_conversation_is_404(self, conversation_id, desk, reviewer_client):
        assert reviewer_client.get(path(conversation_id)).status_code == 404

    def test_mails_without_a_conversation_are_none(self, hotel, reviewer_client):
        factories.message(hotel)
        assert reviewer_client.get(f"{DESK}/conversations/").status_code == 404
