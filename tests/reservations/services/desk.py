"""One hotel's desk: post packages as an agent would, and read what was written."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from config import jsontext
from config.accounts.models import User
from config.audit.models import AuditEvent
from config.audit.services import Door
from reservations.models import AiTransition, Hotel, Order, SourceMessage, Submission, Task
from reservations.services.ingest import ingest_package
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, package

JSON, TEXT = "application/json", "text/plain"
WRITTEN = (Submission, AiTransition, Order, Task, AuditEvent)


class Desk:
    def __init__(self, hotel: Hotel, agent: User) -> None:
        self.hotel, self.agent = hotel, agent

    def mail(self, external_id: str = MESSAGE_ID, **fields: Any) -> SourceMessage:
        return factories.message(self.hotel, external_id, **fields)

    def post(self, body: Any, media_type: str = JSON, door: Door = Door.API) -> dict[str, Any]:
        """The answer to a body: bytes and text as they are, anything else as JSON."""
        answer = ingest_package(
            hotel_id=self.hotel.pk, caller=self.agent, content=raw(body), media_type=media_type, door=door
        )
        return jsontext.read(answer)

    def send(self, *events: Any, message_id: str = MESSAGE_ID, **members: Any) -> dict[str, Any]:
        """Post a V3 package of these events."""
        source = {"source_message_id": message_id}
        return self.post(package(*events, **{"source_message": source, **members}))

    def another(self, *events: Any, message_id: str = "m2@lakeside.example", **fields: Any) -> dict[str, Any]:
        """The same for a mail that arrives now."""
        self.mail(message_id, **fields)
        return self.send(*events, message_id=message_id)


def raw(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    return body.encode() if isinstance(body, str) else jsontext.write(body).encode()


def with_keys(**case_keys: Any) -> Any:
    """A valid event with these keys and no others."""
    return event(case_keys=case_keys)


def written() -> tuple[int, ...]:
    """Rows there are: submissions, transitions, orders, tasks, audit events."""
    return tuple(model.objects.count() for model in WRITTEN)


@contextmanager
def nothing_written() -> Iterator[None]:
    before = written()
    yield
    assert written() == before


def order_of(answer: dict[str, Any], index: int) -> Order:
    """The order of the card of this event."""
    (line,) = [line for line in answer["tasks"] if line["source_event_index"] == index]
    return Order.objects.get(id=line["order_id"])


def task_of(answer: dict[str, Any], index: int = 1) -> Task:
    (line,) = [line for line in answer["tasks"] if line["source_event_index"] == index]
    return Task.objects.get(id=line["task_id"])


def warning_codes(answer: dict[str, Any], index: int = 1) -> list[str]:
    """Warnings about the order of a card; those about quotes are left out."""
    codes = [warning["code"] for warning in task_of(answer, index).warnings]
    return [code for code in codes if code != "EVIDENCE_NOT_FOUND"]


def errors_of(answer: dict[str, Any]) -> dict[int, str]:
    return {line["source_event_index"]: line["adapter_error_code"] for line in answer["adapter_contract_errors"]}


def accepted(answer: dict[str, Any]) -> list[int]:
    return [line["source_event_index"] for line in answer["tasks"]]
