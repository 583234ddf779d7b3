"""What a case stands on: the inbox of the file, an agent and a reviewer of its hotel, what `setup` adds, the tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from functools import cache
from typing import Any

from django.core.management import call_command
from django.db.models import Model
from rest_framework.test import APIClient

from config import jsontext
from config.accounts.models import User
from config.audit.models import AuditEvent
from reservations.models import AiTransition, Hotel, Order, SourceMessage, Submission, Task
from tests import factories
from tests.cases import files
from tests.cases.reservations.format import Case

DEFAULT_HOTEL = "HOTEL1"
PROVIDER = "case"
COUNTED: dict[str, type[Model]] = {
    "tasks": Task,
    "transitions": AiTransition,
    "orders": Order,
    "audit": AuditEvent,
    "submissions": Submission,
}


@dataclass(slots=True)
class World:
    """One hotel at work. `made_before` are the keys of all rows that were there when `setup` was done."""

    hotel: Hotel
    agent: User
    reviewer: User
    agent_client: APIClient
    reviewer_client: APIClient
    orders: list[Order] = field(default_factory=list)
    inserted_task: Task | None = None
    made_before: dict[str, set[Any]] = field(default_factory=dict)

    def settle(self) -> None:
        """From here on rows are counted."""
        self.made_before = {
            name: set(model._default_manager.values_list("pk", flat=True)) for name, model in COUNTED.items()
        }

    def made(self, name: str) -> list[Any]:
        """Rows of one kind made after `setup`."""
        rows = COUNTED[name]._default_manager.exclude(pk__in=self.made_before[name])
        return list(rows.order_by("pk"))

    def snapshot(self) -> Snapshot:
        return Snapshot(
            tasks={row["id"]: row for row in Task.objects.values()},
            orders={row["id"]: row for row in Order.objects.values()},
            transitions=set(AiTransition.objects.values_list("id", flat=True)),
            queues=_queues(),
        )


@dataclass(frozen=True, slots=True)
class Snapshot:
    """The tables at one moment. `queues`: the tasks of each order in the order in which they are executed (R-27)."""

    tasks: Mapping[Any, Mapping[str, Any]]
    orders: Mapping[Any, Mapping[str, Any]]
    transitions: set[Any]
    queues: Mapping[Any, list[Any]]


def build(case: Case, mails: Mapping[str, Mapping[str, Any]], client_of: Callable[[User], APIClient]) -> World:
    """The world of a case, without what `setup` adds."""
    call_command("loaddata", "reference", verbosity=0)
    fill_inbox(mails)
    hotel = factories.hotel(case.get("hotel") or DEFAULT_HOTEL)
    agent, reviewer = factories.user("agent", hotel), factories.user("reviewer", hotel)
    return World(hotel, agent, reviewer, client_of(agent), client_of(reviewer))


def fill_inbox(mails: Mapping[str, Mapping[str, Any]]) -> None:
    for key, mail in mails.items():
        hotel = factories.hotel(mail.get("hotel") or DEFAULT_HOTEL)
        message = factories.message(
            hotel, mail["external_message_id"], provider=PROVIDER, channel=key, **content_of(mail["eml"])
        )
        for attachment in mail["attachments"]:
            named = {"file_name": attachment["file_name"], "media_type": attachment["media_type"]}
            factories.attachment(message, attachment["id"], **named)


@cache
def content_of(eml: str) -> Mapping[str, Any]:
    """The columns of a mail that its text gives, read by the standard library."""
    mail = message_from_bytes(eml.encode("utf-8"), policy=policy.default)
    assert isinstance(mail, EmailMessage)
    sender = str(mail["From"])
    return {
        "subject": str(mail["Subject"]),
        "sender": sender,
        "sender_domain": sender.rpartition("@")[2].rstrip(">").lower(),
        "recipients": [str(mail["To"])],
        "received_at": datetime.strptime(str(mail["Date"]), "%a, %d %b %Y %H:%M:%S %z").astimezone(UTC),
        "body_text": _part(mail, "plain"),
        "body_html": _part(mail, "html"),
    }


def insert_orders(world: World, orders: Iterable[Mapping[str, Any]]) -> None:
    for order in orders:
        columns = dict(order)
        hotel = factories.hotel(columns.pop("hotel", world.hotel.code))
        world.orders.append(factories.order(hotel, **columns))


def insert_task(world: World, columns: Mapping[str, Any], mail_key: str) -> None:
    """A task written straight to the table, on an order and a submission of its own, of the mail of the case."""
    message = SourceMessage.objects.get(provider=PROVIDER, channel=mail_key)
    given = dict(columns)
    if "ai_payload_json" in given:
        given["ai_payload_json"] = jsontext.write(given["ai_payload_json"])
    submission = factories.submission(message, world.agent)
    world.inserted_task = factories.task(factories.order(world.hotel), submission, **given)


def parsed(text: str) -> Any:
    """Stored JSON text, numbers exact."""
    return files.parse(text.encode("utf-8"))


def _part(mail: EmailMessage, kind: str) -> str:
    part = mail.get_body((kind,))
    return part.get_content() if part is not None else ""


def _queues() -> dict[Any, list[Any]]:
    queues: dict[Any, list[Any]] = {order: [] for order in Order.objects.values_list("id", flat=True)}
    tasks = Task.objects.filter(queue_participation=True).order_by("received_at", "submission", "array_index")
    for order, task in tasks.values_list("order", "id"):
        queues[order].append(task)
    return queues
