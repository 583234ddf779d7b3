"""Mails into the inbox (R-79; R-01 for their identity)."""

from __future__ import annotations

import hashlib
import threading
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection

from config.audit.models import AuditEvent
from config.audit.services import Door
from config.errors import FieldInvalid
from reservations.domain.errors import SourceMessageConflict
from reservations.domain.mail import ProblemCode
from reservations.models import Attachment, SourceMessage
from reservations.services.mail import ImportStatus, IncomingFile, IncomingMail, import_mail, receive_message
from tests.factories import NOON

MAILS = Path(__file__).parents[1] / "mails"
SLIP = IncomingFile("att-1", "slip.txt", "text/plain", b"CNY 5000")
MAIL = IncomingMail(
    external_message_id="m1@cedar.example",
    conversation_id="m0@cedar.example",
    subject="Deposit",
    sender="Cedar <travel@Cedar.example>",
    recipients=["reservations@willowbay-hotel.example"],
    received_at=NOON,
    body_text="Slip attached.",
    body_html="",
    files=[SLIP],
)


@pytest.fixture
def receive(hotel, gateway):
    def call(mail=MAIL, *, place=hotel, provider="graph", channel="email"):
        return receive_message(
            hotel=place, caller=gateway, door=Door.API, provider=provider, channel=channel, mail=mail, at=NOON
        )

    return call


@pytest.fixture
def take(hotel):
    def call(raw, *, channel="email", **times):
        raw = (MAILS / f"{raw}.eml").read_bytes() if isinstance(raw, str) else raw
        return import_mail(
            hotel=hotel, raw=raw, provider="import", channel=channel, actor=None, door=Door.COMMAND, **times
        )

    return call


def test_a_mail_is_kept_whole(receive, hotel):
    received = receive()
    row = SourceMessage.objects.get()
    assert (received.created, received.message) == (True, row)
    assert (row.hotel_id, row.provider, row.channel) == (hotel.pk, "graph", "email")
    assert (row.external_message_id, row.conversation_id) == ("m1@cedar.example", "m0@cedar.example")
    assert (row.sender, row.sender_domain) == ("Cedar <travel@Cedar.example>", "cedar.example")
    assert (row.subject, row.recipients) == ("Deposit", ["reservations@willowbay-hotel.example"])
    assert (row.received_at, row.created_at, row.body_text, row.body_html) == (NOON, NOON, "Slip attached.", "")


def test_a_file_lies_under_its_hash(receive):
    receive()
    file = Attachment.objects.get()
    digest = hashlib.sha256(b"CNY 5000").hexdigest()
    assert (file.external_id, file.file_name, file.media_type) == ("att-1", "slip.txt", "text/plain")
    assert (file.size, file.sha256, file.file.name) == (8, digest, f"{digest[:2]}/{digest}")
    assert file.file.read() == b"CNY 5000"


def test_the_same_file_of_two_mails_lies_there_once(receive):
    receive()
    receive(replace(MAIL, external_message_id="m2@cedar.example"))
    assert len(set(Attachment.objects.values_list("file", flat=True))) == 1


def test_a_file_that_was_cut_off_while_being_written_is_not_used(receive):
    digest = hashlib.sha256(b"whole content").hexdigest()
    default_storage.save(f"{digest[:2]}/{digest}", ContentFile(b"who"))
    receive(replace(MAIL, files=[replace(SLIP, content=b"whole content")]))
    assert Attachment.objects.get().file.read() == b"whole content"


def test_a_file_of_which_only_the_name_came_has_no_content(receive):
    receive(replace(MAIL, files=[replace(SLIP, file_name="../x/\u202efdp.exe", content=None)]))
    file = Attachment.objects.get()
    assert (file.file_name, file.size, file.sha256, file.file.name) == ("fdp.exe", None, "", "")


def test_receiving_is_audited_once_without_mail_text(receive, hotel, gateway):
    row = receive().message
    receive()
    event = AuditEvent.objects.get(action="SOURCE_MESSAGE_RECEIVE")
    assert (event.tenant_id, event.actor, event.door, event.at) == (hotel.pk, gateway, Door.API, NOON)
    assert (event.object_type, event.object_id) == ("source_message", str(row.pk))
    assert event.after == {
        "provider": "graph",
        "channel": "email",
        "external_message_id": "m1@cedar.example",
        "content_sha256": row.content_sha256,
        "attachments": 1,
    }


def test_the_same_mail_again_is_the_same_row(receive):
    first, again = receive(), receive(replace(MAIL, headers=[["Received", "another way"]]))
    assert (again.message.pk, again.created) == (first.message.pk, False)
    assert (SourceMessage.objects.count(), Attachment.objects.count()) == (1, 1)


@pytest.mark.parametrize(
    "other",
    [
        {"subject": "Other"},
        {"body_text": "Other"},
        {"body_html": "<p>x</p>"},
        {"sender": "x@cedar.example"},
        {"recipients": []},
        {"conversation_id": ""},
        {"received_at": NOON + timedelta(seconds=1)},
        {"files": []},
        {"files": [replace(SLIP, content=b"CNY 9000")]},
        {"files": [replace(SLIP, file_name="other.txt")]},
    ],
    ids=lambda other: next(iter(other)),
)
def test_the_same_identity_with_other_content_is_refused_and_nothing_is_changed(receive, other):
    row = receive().message
    with pytest.raises(SourceMessageConflict):
        receive(replace(MAIL, **other))
    assert list(SourceMessage.objects.values_list("pk", "content_sha256")) == [(row.pk, row.content_sha256)]
    assert AuditEvent.objects.filter(object_type="source_message").count() == 1


def test_the_same_moment_in_another_zone_is_the_same_content(receive):
    receive()
    assert receive(replace(MAIL, received_at=datetime.fromisoformat("2026-07-20T20:00:00+08:00"))).created is False


def test_one_outer_id_may_come_through_several_channels_and_hotels(receive, other_hotel):
    """Records: unique within hotel, provider and channel only."""
    made = [receive(), receive(channel="fax"), receive(provider="imap"), receive(place=other_hotel)]
    assert [one.created for one in made] == [True] * 4


@pytest.mark.parametrize(
    ("mail", "places"),
    [
        (replace(MAIL, external_message_id=" "), ["/external_message_id"]),
        (replace(MAIL, external_message_id="x" * 513), ["/external_message_id"]),
        (replace(MAIL, conversation_id="x" * 513), ["/conversation_id"]),
        (replace(MAIL, files=[SLIP, SLIP]), ["/attachments/1/external_id"]),
        (
            replace(MAIL, files=[replace(SLIP, external_id="", media_type="x" * 256)]),
            ["/attachments/0/external_id", "/attachments/0/media_type"],
        ),
    ],
)
def test_unusable_ids_are_refused_by_place_before_anything_is_written(receive, mail, places):
    with pytest.raises(FieldInvalid) as refusal:
        receive(mail)
    assert [fault.pointer for fault in refusal.value.errors] == places
    assert SourceMessage.objects.count() == 0


def test_the_same_mail_delivered_twice_at_one_instant_is_one_row(committed_db, hotel, gateway):
    made = []

    def deliver():
        try:
            made.append(
                receive_message(
                    hotel=hotel, caller=gateway, door=Door.API, provider="graph", channel="email", mail=MAIL
                ).created
            )
        finally:
            connection.close()

    threads = [threading.Thread(target=deliver) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(made) == [False, False, False, True]
    assert (SourceMessage.objects.count(), Attachment.objects.count()) == (1, 1)


def test_a_mail_of_a_file_is_imported_with_its_files(take):
    imported = take("outlook_inline_image")
    row = SourceMessage.objects.get()
    assert (imported.status, imported.message, imported.problems) == (ImportStatus.NEW, row, ())
    assert row.external_message_id == "AM9PR0101MB2222AAAA@AM9PR0101MB2222.eurprd.alpenblick-reisen.example"
    assert (row.sender_domain, row.received_at) == (
        "alpenblick-reisen.example",
        datetime(2026, 8, 12, 6, 44, 10, tzinfo=UTC),
    )
    assert [header for header in row.headers if header[0] == "Thread-Index"] == [["Thread-Index", "AdwX"]]
    assert list(row.attachments.order_by("external_id").values_list("file_name", "size")) == [
        ("image001.png", 70),
        ("Zimmerliste Südsee AB-9.pdf", 125),
    ]


@pytest.mark.parametrize("name", sorted(path.stem for path in MAILS.glob("*.eml")))
def test_every_sample_is_taken_once_and_known_the_second_time(take, name):
    assert (take(name).status, take(name).status) == (ImportStatus.NEW, ImportStatus.KNOWN)
    assert SourceMessage.objects.count() == 1


def test_text_that_no_mail_should_hold_is_stored_all_the_same(take):
    raw = b"From: a@b.example\nMessage-ID: <x\x00y@b>\nSubject: \xed\xa0\x80\x00\n\na\x00b \xf0\x9f\x9b\x8f"
    imported = take(raw)
    assert (imported.message.external_message_id, imported.message.body_text) == ("xy@b", "ab 🛏")
    assert ProblemCode.CHARACTERS_REMOVED in [problem.code for problem in imported.problems]


def test_a_mail_that_does_not_say_when_takes_the_time_it_is_given_and_keeps_it(take):
    raw = b"From: a@b.example\nMessage-ID: <x@b>\n\nhello"
    assert take(raw, fallback_time=NOON).message.received_at == NOON
    again = take(raw, fallback_time=NOON + timedelta(days=1))
    assert (again.status, again.message.received_at) == (ImportStatus.KNOWN, NOON)


def test_what_is_no_mail_is_told_and_not_raised(take):
    imported = take(b"no mail")
    assert (imported.status, imported.message) == (ImportStatus.UNREADABLE, None)
    assert imported.detail == "This is not a mail: it is empty or has no mail header."


def test_another_mail_under_the_same_id_is_told_and_the_first_kept(take):
    first = take(b"From: a@b.example\nMessage-ID: <x@b>\n\none", fallback_time=NOON).message
    other = take(b"From: a@b.example\nMessage-ID: <x@b>\n\ntwo", fallback_time=NOON)
    assert (other.status, other.message) == (ImportStatus.CONFLICT, first)
    assert SourceMessage.objects.get().body_text == "one"


def test_a_mail_that_came_through_another_channel_is_left_out(take):
    """R-03: with two rows of one id no package for it could be taken."""
    first = take("cut_off").message
    again = take("cut_off", channel="archive")
    assert (again.status, again.message, again.detail) == (
        ImportStatus.ELSEWHERE,
        first,
        "provider import, channel email",
    )
    assert SourceMessage.objects.count() == 1
