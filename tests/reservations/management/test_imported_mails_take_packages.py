"""Mails of every charset and shape, imported by command, take packages as the P0 mails do (R-43, R-79)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from django.core.management import call_command

from reservations.domain.mail import text_of_html
from reservations.models import SourceMessage, Task

MAILS = Path(__file__).parents[1] / "mails"
PATH = "/api/reservation/superagent/task-results"


def quote_of(mail: SourceMessage) -> str:
    """The longest line of the mail, as an agent would quote it; nothing of a mail that is only a file."""
    return max((mail.body_text or text_of_html(mail.body_html)).splitlines(), key=len, default="").strip()


def package_for(mail: SourceMessage) -> dict:
    return {
        "source_message": {"source_message_id": mail.external_message_id, "source_channel": "Email"},
        "message_events": [
            {
                "event_type": "Trace Reservation Notes",
                "task_subtype": "add_reservation_note",
                "case_keys": {"confirmation_number": "8801305"},
                "extracted_fields": {"note_type": "RESERVATION", "note_text": quote_of(mail)},
                "relevant_message_excerpt": quote_of(mail),
                "manual_review": None,
            }
        ],
    }


@pytest.mark.parametrize("path", sorted(MAILS.glob("*.eml")), ids=lambda path: path.stem)
def test_an_imported_mail_takes_a_package_whose_quote_is_found(path, hotel, agent_client):
    call_command("import_mail", path, hotel=hotel.code, verbosity=0)
    mail = SourceMessage.objects.get()
    answer = agent_client.post(PATH, json.dumps(package_for(mail)), content_type="application/json")
    quote = quote_of(mail)
    task = Task.objects.get()
    assert (answer.status_code, [line["task_id"] for line in answer.json()["tasks"]]) == (200, [str(task.pk)])
    assert [(line["text"], line["found"]) for line in task.evidence] == ([(quote, True)] if quote else [])
    assert task.received_at == mail.received_at
