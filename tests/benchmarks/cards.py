"""Work on a card: opening it, deciding on it, and sealing what the audit has of it."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from config.audit.models import AuditEvent
from config.audit.services import Door, seal
from reservations.models import Task
from reservations.selectors.tasks import find_task
from reservations.services.confirmation import confirm_task
from reservations.services.decisions import Decision
from reservations.services.review import resolve_review
from reservations.services.writes import Writer
from tests import packages
from tests.benchmarks import clocks, limits
from tests.benchmarks.desk import SAMPLE, Desk
from tests.benchmarks.table import Table
from tests.benchmarks.timing import Timing, Work, take_turns
from tests.decisions import CONFIRM, RESOLVE, confirmation, path, resolution, review_package
from tests.servers import Client, Served

HTTP, SELECTOR, READING = "HTTP", "selector", "limit: the same statements, raw psycopg"
SERVICE, ONE_CLIENT, WRITING = "service", "HTTP, one client", "limit: the same rows, raw psycopg"
DETAIL_AIM, DECISION_AIM = "<= 8, 5", "<= 25"


@dataclass(frozen=True, slots=True)
class Card:
    """An undecided card, the package it came with, and the body that decides it."""

    task: Task
    name: str
    body: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Way:
    """One way to decide: how a card for it comes to be, the service, and where it is over HTTP."""

    title: str
    new_card: Callable[[Desk], Card]
    decide: Callable[..., Decision]
    action: str


def confirmable(desk: Desk) -> Card:
    name, _ = desk.new_mail()
    return Card(_card(desk, packages.package(name, events=1)), name, confirmation())


def reviewable(desk: Desk) -> Card:
    name, _ = desk.new_mail()
    task = _card(desk, review_package(name, {"group_code": name}))
    return Card(task, name, resolution(task.order_id))


WAYS = (
    Way("confirm", confirmable, confirm_task, CONFIRM),
    Way("resolve the review of", reviewable, resolve_review, RESOLVE),
)


def measure_decisions(table: Table, desk: Desk, raw: psycopg.Connection, served: Served, *, rounds: int) -> None:
    """Every run decides on a card of its own."""
    with served.client(desk.token(desk.reviewer)) as client:
        for way in WAYS:
            _measure_decision(table, desk, raw, served, client, way, rounds)


def measure_sealing(table: Table) -> None:
    """All events that wait, in batches of the usual size."""
    waiting = AuditEvent.objects.filter(position=None).count()
    start = time.perf_counter()
    sealed = seal()
    seconds = time.perf_counter() - start
    assert sealed == waiting
    table.section("Work on a card: sealing the audit")
    table.fact("events a second", f"{sealed / seconds:,.0f}", note=f"{sealed:,} events")


def measure_detail(desk: Desk, raw: psycopg.Connection, served: Served, *, rounds: int) -> dict[str, Timing]:
    """The first card of the sample, with its siblings and its history."""
    task = Task.objects.get(source_message__external_message_id=packages.message_id(SAMPLE), array_index=0)
    where = path(task.pk, "").rstrip("/")
    with CaptureQueriesContext(connection) as captured:
        find_task(hotel_ids=[desk.hotel.pk], task_id=task.pk)
    reading = [query["sql"].encode() for query in captured]
    with served.client(desk.token(desk.reviewer)) as client:
        works = {
            HTTP: Work(_nothing, lambda _: _get(client, where), clocks.of_server(served, raw)),
            SELECTOR: Work(
                _nothing,
                lambda _: find_task(hotel_ids=[desk.hotel.pk], task_id=task.pk),
                clocks.of_this_process(),
            ),
            READING: Work(
                _nothing,
                lambda _: [raw.execute(statement).fetchall() for statement in reading],
                clocks.of_this_process(raw),
            ),
        }
        timings = take_turns(works, rounds=rounds)
    raw.rollback()
    return timings


def report_detail(
    table: Table, desk: Desk, small: Mapping[str, Timing], small_size: int, large: Mapping[str, Timing]
) -> None:
    table.section("Work on a card: its detail")
    for size, timings in ((small_size, small), (desk.filled, large)):
        named = {f"{name}, {size:,} tasks": timing for name, timing in timings.items()}
        table.compare(named, limit=f"{READING}, {size:,} tasks", aims={}, notes={})
    for name in (HTTP, SELECTOR):
        table.fact(f"large / small, {name} p50", f"{large[name].p50 / small[name].p50:.2f}", aim="<= 1.3, 1.2")
    table.fact("statements over HTTP", str(_detail_statements(desk)), aim=DETAIL_AIM)


def _measure_decision(
    table: Table, desk: Desk, raw: psycopg.Connection, served: Served, client: Client, way: Way, rounds: int
) -> None:
    first = way.new_card(desk)
    with CaptureQueriesContext(connection) as captured:
        _decide(desk, way, first)
    pattern = limits.decision_of(Task.objects.get(pk=first.task.pk), first.name)
    works = {
        SERVICE: Work(lambda: way.new_card(desk), lambda card: _decide(desk, way, card), clocks.of_this_process()),
        ONE_CLIENT: Work(
            lambda: way.new_card(desk), lambda card: _post(client, way, card), clocks.of_server(served, raw)
        ),
        WRITING: Work(
            lambda: _rows(desk, way, pattern), lambda rows: limits.write(raw, rows), clocks.of_this_process(raw)
        ),
    }
    timings = take_turns(works, rounds=rounds)
    table.section(f"Work on a card: {way.title} it, {desk.filled:,} tasks")
    notes = {
        SERVICE: f"{len(captured)} statements with BEGIN and COMMIT",
        ONE_CLIENT: f"{_statements_over_http(desk, way)} statements",
        WRITING: "SELECT FOR UPDATE, UPDATE, 2 INSERTs (2 operations, 3 lines of the audit), one transaction",
    }
    table.compare(timings, limit=WRITING, aims={SERVICE: f"{DECISION_AIM} statements"}, notes=notes)


def _card(desk: Desk, package: bytes) -> Task:
    (line,) = json.loads(desk.ingest(package))["tasks"]
    return Task.objects.get(pk=line["task_id"])


def _decide(desk: Desk, way: Way, card: Card) -> None:
    writer = Writer(desk.reviewer, Door.API, [desk.hotel.pk])
    way.decide(writer=writer, task_id=card.task.pk, body=card.body)


def _rows(desk: Desk, way: Way, pattern: limits.Written) -> list[limits.Insert]:
    card = way.new_card(desk)
    return limits.decision_statements(limits.renamed(pattern, card.name, card.task.pk))


def _post(client: Client, way: Way, card: Card) -> None:
    answer = client.post(path(card.task.pk, way.action), json.dumps(card.body).encode())
    assert answer.status == 200, answer.body


def _get(client: Client, where: str) -> None:
    answer = client.get(where)
    assert answer.status == 200, answer.body


def _statements_over_http(desk: Desk, way: Way) -> int:
    card = way.new_card(desk)
    client = APIClient(HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Token {desk.token(desk.reviewer)}")
    with CaptureQueriesContext(connection) as captured:
        answer = client.post(path(card.task.pk, way.action), card.body, format="json")
    assert answer.status_code == 200, answer.content
    return len(captured)


def _detail_statements(desk: Desk) -> int:
    task = Task.objects.get(source_message__external_message_id=packages.message_id(SAMPLE), array_index=0)
    client = APIClient(HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Token {desk.token(desk.reviewer)}")
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path(task.pk, "").rstrip("/")).status_code == 200
    return len(captured)


def _nothing() -> None:
    """Opening a card needs no preparation."""
