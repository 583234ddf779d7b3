"""The database that is measured: one hotel with its agent and its reviewer, and as many old tasks as asked for."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from django.db import connection

from config.accounts.models import User
from config.accounts.roles import AGENT, REVIEWER
from config.accounts.services import issue_token
from config.audit.models import SEAL, AuditEvent
from config.audit.services import Door
from reservations.models import AiTransition, Hotel, Order, SourceMessage, Submission, Task
from reservations.services.ingest import ingest_package
from tests import factories, packages
from tests.benchmarks import limits
from tests.decisions import offer_options

EVENTS_PER_PACKAGE = 5
SAMPLE = "sample00"  # as long as every other name


@dataclass(slots=True)
class Desk:
    """`sample` holds the rows of one package, the pattern of what plain psycopg writes and of the filling."""

    hotel: Hotel
    agent: User
    reviewer: User
    sample: limits.Written
    numbers: itertools.count[int] = field(default_factory=itertools.count)
    filled: int = 0

    def token(self, user: User) -> str:
        return issue_token(username=user.username, door=Door.COMMAND)

    def new_package(self, *, events: int = EVENTS_PER_PACKAGE) -> bytes:
        """A package for a mail of its own, which is there."""
        return packages.package(self.new_mail()[0], events=events)

    def new_rows(self) -> list[limits.Insert]:
        """What `new_package` would write, for a mail of its own."""
        name, message = self.new_mail()
        return limits.statements(limits.renamed(self.sample, name, message.id))

    def new_mail(self) -> tuple[str, SourceMessage]:
        name = f"b{next(self.numbers):07d}"
        return name, packages.mail(self.hotel, name)

    def ingest(self, body: bytes) -> bytes:
        return ingest(self.hotel, self.agent, body)


def ingest(hotel: Hotel, agent: User, body: bytes) -> bytes:
    return ingest_package(
        hotel_id=hotel.pk, caller=agent, content=body, media_type="application/json", door=Door.SYSTEM
    )


def open_desk() -> Desk:
    hotel = factories.hotel("BENCH", is_default=True)
    agent, reviewer = factories.user(AGENT, hotel), factories.user(REVIEWER, hotel)
    offer_options(hotel)
    name = SAMPLE
    message = packages.mail(hotel, name)
    ingest(hotel, agent, packages.package(name))
    return Desk(hotel, agent, reviewer, limits.rows_of(message, name))


def fill(desk: Desk, tasks: int) -> None:
    """Old rows until there are this many tasks: copies of the sample's first task, five to a mail and to an order."""
    first, last = desk.filled + 1, tasks
    per_mail = f"generate_series({(first - 1) // EVENTS_PER_PACKAGE + 1}, {last // EVENTS_PER_PACKAGE}) AS n"
    per_task = f"generate_series({first}, {last}) AS n"
    mail = f"(n - 1) / {EVENTS_PER_PACKAGE} + 1"
    moment = "timestamptz '2020-01-01' + make_interval(mins => {})"
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")  # the copies are consistent: no need to look each up
        copy(
            cursor,
            SourceMessage,
            per_mail,
            {
                "id": old_key(1, "n"),
                "external_message_id": "'old-' || n",
                "received_at": moment.format("n"),
                "body_text": "'Old mail.'",
                "created_at": moment.format("n"),
            },
        )
        copy(
            cursor,
            Order,
            per_mail,
            {
                "id": old_key(2, "n"),
                "group_key": "'old-' || n",
                "group_code": "'OLD-' || n",
                "created_at": moment.format("n"),
            },
        )
        copy(
            cursor,
            Submission,
            per_mail,
            {
                "id": old_key(3, "n"),
                "source_message_id": old_key(1, "n"),
                "created_at": moment.format("n"),
            },
        )
        copy(
            cursor,
            AiTransition,
            per_task,
            {
                "id": old_key(4, "n"),
                "source_message_id": old_key(1, mail),
                "submission_id": old_key(3, mail),
                "array_index": f"(n - 1) % {EVENTS_PER_PACKAGE}",
                "created_at": moment.format(mail),
            },
        )
        copy(
            cursor,
            Task,
            per_task,
            {
                "id": old_key(5, "n"),
                "source_message_id": old_key(1, mail),
                "submission_id": old_key(3, mail),
                "order_id": old_key(2, mail),
                "transition_id": old_key(4, "n"),
                "received_at": moment.format(mail),
                "array_index": f"(n - 1) % {EVENTS_PER_PACKAGE}",
                "source_event_index": f"(n - 1) % {EVENTS_PER_PACKAGE} + 1",
                "created_at": moment.format(mail),
            },
        )
        copy(
            cursor,
            AuditEvent,
            per_task,
            {"id": None, "object_id": f"{old_key(5, 'n')}::text", "at": moment.format(mail), **dict.fromkeys(SEAL)},
        )
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")
    desk.filled = tasks


def old_key(table: int, number: str) -> str:
    """An old key: version 7, of a time before all that is measured, ascending with the number."""
    return f"('01600000-{table:04d}-7000-8000-' || lpad(to_hex({number}), 12, '0'))::uuid"


def copy(cursor: Any, model: type[Any], series: str, values: Mapping[str, str | None], *, like: str = "true") -> None:
    """Copies of the first row of a table that is like this; `values` are SQL for the columns that differ, None leaves one
    out."""
    columns = [field.column for field in model._meta.concrete_fields if values.get(field.column, "") is not None]
    quoted = ", ".join(map(connection.ops.quote_name, columns))
    chosen = ", ".join(values.get(column) or f't."{column}"' for column in columns)
    table = connection.ops.quote_name(model._meta.db_table)
    cursor.execute(
        f"INSERT INTO {table} ({quoted}) SELECT {chosen} "
        f"FROM (SELECT * FROM {table} WHERE {like} ORDER BY id LIMIT 1) AS t, {series} ORDER BY n"
    )
