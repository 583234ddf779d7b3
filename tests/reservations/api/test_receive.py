"""POST /source-messages: the gateway puts mails into the inbox."""

import base64

import pytest

from config.audit.models import AuditEvent
from reservations.models import Attachment, SourceMessage
from tests import factories
from tests.reservations.api.rules import DESK

INBOX = f"{DESK}/source-messages"
FILE = {
    "external_id": "att-1",
    "file_name": "rooms.csv",
    "media_type": "text/csv",
    "content_base64": base64.b64encode(b"room,guest\n").decode(),
}
MAIL = {
    "external_message_id": " m1@mail.example ",
    "provider": "agentbus",
    "channel": "reservations",
    "subject": "Two rooms",
    "sender": "Ops <ops@Lakeside-Travel.example>",
    "recipients": ["desk@hotel.example"],
    "received_at": "2026-07-20T20:00:00+08:00",
    "body_text": "Please book.\r\n",
    "attachments": [FILE],
}


def post(client, **changes):
    return client.post(INBOX, MAIL | changes, format="json")


def faults(response):
    return [(fault["pointer"], fault["error_code"]) for fault in response.json()["errors"]]


def test_a_mail_is_kept_as_it_came(gateway_client, hotel):
    response = post(gateway_client)
    message = SourceMessage.objects.get()
    assert (response.status_code, response.json()["id"]) == (201, str(message.pk))
    assert (message.external_message_id, message.body_text, message.hotel_id) == (
        " m1@mail.example ",
        "Please book.\r\n",
        hotel.pk,
    )
    assert (message.received_at, message.sender_domain) == (factories.NOON, "lakeside-travel.example")


def test_its_files_are_stored(gateway_client):
    post(gateway_client)
    file = Attachment.objects.get()
    assert (file.external_id, file.size, file.file.read()) == ("att-1", 11, b"room,guest\n")


def test_a_file_may_come_by_name_only(gateway_client):
    post(gateway_client, attachments=[FILE | {"content_base64": None}])
    assert (Attachment.objects.get().size, Attachment.objects.get().file.name) == (None, "")


def test_the_answer_is_the_row_of_the_list(gateway_client, reviewer_client):
    row = post(gateway_client).json()
    assert reviewer_client.get(INBOX).json()["results"] == [row]


def test_the_same_mail_again_changes_nothing(gateway_client):
    first = post(gateway_client)
    again = post(gateway_client)
    assert (again.status_code, again.json()) == (200, first.json())
    assert (SourceMessage.objects.count(), AuditEvent.objects.filter(object_type="source_message").count()) == (1, 1)


def test_the_same_identity_with_other_content_is_a_conflict(gateway_client):
    post(gateway_client)
    response = post(gateway_client, subject="Three rooms")
    assert (response.status_code, response.json()["error_code"]) == (409, "SOURCE_MESSAGE_CONFLICT")
    assert SourceMessage.objects.get().subject == "Two rooms"


def test_what_may_be_left_out_may(gateway_client):
    optional = ("recipients", "body_text", "attachments")
    mail = {name: value for name, value in MAIL.items() if name not in optional}
    assert gateway_client.post(INBOX, mail, format="json").status_code == 201


@pytest.mark.parametrize("role", ["agent", "reviewer", "lead", "auditor", "developer"])
def test_only_the_gateway_posts_mails(role, hotel, client_of):
    """R-67: whoever proposes must not be able to plant the evidence."""
    assert post(client_of(factories.user(role, hotel))).status_code == 403
    assert SourceMessage.objects.count() == 0


def test_an_anonymous_caller_gets_401(client, hotel):
    assert client.post(INBOX, MAIL, content_type="application/json").status_code == 401


def test_a_gateway_of_several_hotels_posts_for_the_default_one(hotel, other_hotel, client_of):
    """R-01"""
    assert post(client_of(factories.user("gateway", hotel, other_hotel))).json()["hotel"] == "HOTEL1"


def test_a_gateway_of_no_hotel_posts_nothing(hotel, client_of):
    response = post(client_of(factories.user("gateway")))
    assert (response.status_code, response.json()["error_code"]) == (403, "TENANT_UNDETERMINED")


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"external_message_id": 7}, "/external_message_id"),
        ({"external_message_id": "  "}, "/external_message_id"),
        ({"provider": "p" * 65}, "/provider"),
        ({"subject": None}, "/subject"),
        ({"subject": ["a"]}, "/subject"),
        ({"received_at": "yesterday"}, "/received_at"),
        ({"received_at": "2026-07-20T12:00:00"}, "/received_at"),
        ({"received_at": "0001-01-01T00:00:00+23:59"}, "/received_at"),
        ({"received_at": 20260720}, "/received_at"),
        ({"recipients": "a@b.example"}, "/recipients"),
        ({"recipients": [{}]}, "/recipients/0"),
        ({"attachments": {}}, "/attachments"),
        ({"attachments": [FILE, FILE | {"content_base64": "=?"}]}, "/attachments/1/content_base64"),
        ({"attachments": [FILE | {"external_id": 1}]}, "/attachments/0/external_id"),
        ({"attachments": [FILE, FILE]}, "/attachments/1/external_id"),
        ({"attachments": [FILE] * 1001}, "/attachments"),
    ],
)
def test_a_wrong_field_is_refused_with_its_place(change, pointer, gateway_client):
    response = post(gateway_client, **change)
    assert (response.status_code, response.json()["error_code"]) == (400, "FIELD_INVALID")
    assert [place for place, _ in faults(response)] == [pointer]
    assert SourceMessage.objects.count() == 0


@pytest.mark.parametrize("name", ["external_message_id", "provider", "channel", "subject", "sender", "received_at"])
def test_a_missing_field_is_named(name, gateway_client):
    mail = {key: value for key, value in MAIL.items() if key != name}
    response = gateway_client.post(INBOX, mail, format="json")
    assert (response.status_code, faults(response)) == (400, [(f"/{name}", "FIELD_INVALID")])


@pytest.mark.parametrize("body", ["[]", '"text"', "null", "{}", ""])
def test_a_body_that_is_no_mail_is_refused(body, gateway_client):
    response = gateway_client.post(INBOX, body, content_type="application/json")
    assert (response.status_code, response.json()["error_code"]) == (400, "FIELD_INVALID")


@pytest.mark.parametrize("body", ["{", '{"subject":"\\u0000"}', '{"a":1,"a":2}', "{}x", "\ufeff{}"])
def test_a_body_that_is_no_json_is_refused(body, gateway_client):
    """R-54"""
    response = gateway_client.post(INBOX, body, content_type="application/json")
    assert (response.status_code, response.json()["error_code"]) == (400, "JSON_INVALID")


def test_a_body_of_another_kind_is_refused(gateway_client):
    response = gateway_client.post(INBOX, "a=b", content_type="application/x-www-form-urlencoded")
    assert (response.status_code, response.json()["error_code"]) == (415, "UNSUPPORTED_MEDIA_TYPE")
    assert response.json()["detail"] == "Send the body as application/json."


def test_a_body_that_is_too_large_is_refused(gateway_client, monkeypatch):
    monkeypatch.setattr("reservations.api.views.inbox.SourceMessageViewSet.max_body_bytes", 100)
    response = post(gateway_client)
    assert (response.status_code, response.json()["error_code"]) == (413, "PAYLOAD_TOO_LARGE")
