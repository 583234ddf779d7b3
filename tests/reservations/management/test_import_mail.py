import shutil
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from reservations.models import SourceMessage

MAILS = Path(__file__).parents[1] / "mails"
MBOX = b"""From a@b.example Mon Jul 20 09:12:00 2026
From: a@b.example
Date: Mon, 20 Jul 2026 09:12:00 +0800
Message-ID: <1@b>

>From now on two rooms.

From - Mon Jul 20 09:13:00 2026
X-Status: only this

From - Mon Jul 20 09:14:00 2026
From: a@b.example
Date: Mon, 20 Jul 2026 09:14:00 +0800
Message-ID: <2@b>

two
"""


@pytest.fixture(autouse=True)
def place(hotel):
    return hotel


def run(*arguments, fails=False):
    output = StringIO()
    if not fails:
        call_command("import_mail", *map(str, arguments), stdout=output)
        return output.getvalue().splitlines()
    with pytest.raises(CommandError) as failure:
        call_command("import_mail", *map(str, arguments), stdout=output)
    return [*output.getvalue().splitlines(), str(failure.value)]


def ids():
    return sorted(SourceMessage.objects.values_list("external_message_id", flat=True))


def test_a_file_is_imported_and_its_problems_are_named(tmp_path):
    assert run(MAILS / "pdf_only.eml") == [
        f"[1/1] {MAILS / 'pdf_only.eml'}: new (ATTACHMENT_UNNAMED, BODY_MISSING)",
        "HOTEL1: 1 new.",
    ]
    row = SourceMessage.objects.get()
    assert (row.provider, row.channel, row.external_message_id) == ("import", "email", "scan-1@willowbay-hotel.example")


def test_importing_again_changes_nothing_and_says_so():
    assert run(MAILS)[-1] == "HOTEL1: 16 new."
    assert run(MAILS)[-1] == "HOTEL1: 16 known."
    assert SourceMessage.objects.count() == 16


def test_hotel_provider_and_channel_are_chosen(other_hotel):
    run(MAILS / "cut_off.eml", "--hotel", "HOTEL2", "--provider", "graph", "--channel", "desk")
    assert list(SourceMessage.objects.values_list("hotel__code", "provider", "channel")) == [
        ("HOTEL2", "graph", "desk")
    ]


def test_an_mbox_is_imported_mail_by_mail_and_what_is_no_mail_is_told(tmp_path):
    box = tmp_path / "Inbox"
    box.write_bytes(MBOX)
    assert run(box, fails=True) == [
        f"[1/1] {box}, mail 2: unreadable (This is not a mail: it is empty or has no mail header.)",
        f"[1/1] {box}: done",
        "HOTEL1: 2 new, 1 unreadable.",
        "1 of 3 could not be taken; the lines above say which.",
    ]
    assert SourceMessage.objects.get(external_message_id="1@b").body_text == "From now on two rooms.\n"


def test_a_folder_gives_every_mail_below_it_and_nothing_else(tmp_path):
    (tmp_path / "a" / "cur").mkdir(parents=True)
    shutil.copy(MAILS / "cut_off.eml", tmp_path / "a" / "UPPER.EML")
    shutil.copy(MAILS / "pdf_only.eml", tmp_path / "a" / "cur" / "1723.M1.host:2,S")
    (tmp_path / "Sent").write_bytes(MBOX.replace(b"X-Status: only this\n", b"To: x@b\nMessage-ID: <3@b>\n"))
    (tmp_path / "notes.txt").write_text("From: me\n\nno mail")
    (tmp_path / "README").write_text("no mail")
    assert run(tmp_path)[-1] == "HOTEL1: 5 new."
    assert ids() == ["1@b", "2@b", "3@b", "cut@lakeside-travel.example", "scan-1@willowbay-hotel.example"]


def test_what_cannot_be_read_is_reported_and_the_rest_goes_on(tmp_path):
    (tmp_path / "a.eml").write_bytes(b"")
    (tmp_path / "b.eml").symlink_to(tmp_path / "nowhere")
    shutil.copy(MAILS / "cut_off.eml", tmp_path / "c.eml")
    assert run(tmp_path, tmp_path / "missing.eml", fails=True) == [
        f"[1/4] {tmp_path}/a.eml: unreadable (This is not a mail: it is empty or has no mail header.)",
        f"[2/4] {tmp_path}/b.eml: unreadable (No such file or directory)",
        f"[3/4] {tmp_path}/c.eml: new (BOUNDARY_UNCLOSED, QUOTED_PRINTABLE_BROKEN, BASE64_BROKEN)",
        f"[4/4] {tmp_path}/missing.eml: unreadable (No such file or directory)",
        "HOTEL1: 1 new, 3 unreadable.",
        "3 of 4 could not be taken; the lines above say which.",
    ]


def test_another_mail_under_a_known_id_fails_and_is_named(tmp_path):
    one, two = tmp_path / "1.eml", tmp_path / "2.eml"
    one.write_bytes(b"From: a@b.example\nMessage-ID: <x@b>\nDate: Mon, 20 Jul 2026 09:12:00 +0800\n\none")
    two.write_bytes(one.read_bytes() + b" more")
    assert run(one, two, fails=True)[-3:] == [
        f"[2/2] {two}: known with other content (This mail is in the inbox already, with other content. Give another mail an id of its own.)",
        "HOTEL1: 1 new, 1 known with other content.",
        "1 of 2 could not be taken; the lines above say which.",
    ]


def test_a_mail_known_through_another_channel_is_left_out_without_failing():
    run(MAILS / "cut_off.eml")
    assert run(MAILS / "cut_off.eml", "--channel", "archive")[-1] == (
        "HOTEL1: 1 known through another provider or channel."
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--hotel", "NOWHERE"], "No hotel NOWHERE."),
        (["--provider", "x" * 65], "The provider takes 1 to 64 characters."),
        (["--channel", " "], "The channel takes 1 to 64 characters."),
    ],
)
def test_wrong_options_are_refused_before_anything_is_read(arguments, message):
    assert run(MAILS, *arguments, fails=True) == [message]
    assert ids() == []


def test_without_a_default_hotel_one_must_be_named(hotel):
    hotel.is_default = False
    hotel.save()
    assert run(MAILS, fails=True) == ["There is no default hotel. Name one with --hotel."]


def test_an_empty_folder_is_no_failure(tmp_path):
    assert run(tmp_path) == ["HOTEL1: no mail found."]
