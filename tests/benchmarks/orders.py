"""Order packages coming in, and the workbench that shows what came: its first page, its counts, its search."""

from __future__ import annotations

import json

import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext

from reservations.models import CardKind, OrderTask, TaskCard
from tests import packages
from tests.benchmarks import clocks
from tests.benchmarks.desk import EVENTS_PER_PACKAGE, Desk, copy, old_key
from tests.benchmarks.table import Table
from tests.benchmarks.timing import Timing, Work, take_turns
from tests.servers import INGEST_PATH, Client, Served

SERVICE, HTTP, BEFORE = "service", "HTTP, one client", "V3 package of as many events, service"
WORKBENCH = "/api/reservation/workbench-items"
LITERALS = {"catalog_code": "M002V4", "skill_id": "booking-desk-event-v4", "field_contract_version": "20260718-v4"}
EVENT_TYPES = {"Trace Reservation Notes": "TRACE_RESERVATION_NOTES", "New Booking": "NEW_BOOKING", "Payment": "PAYMENT"}


def order_package(name: str, *, events: int = EVENTS_PER_PACKAGE) -> bytes:
    """The events of `packages.package`, those with one key in one order context."""
    document = json.loads(packages.package(name, events=events))
    contexts: dict[str, dict[str, object]] = {}
    for event in document["message_events"]:
        ((key, value),) = event["case_keys"].items()
        order_type = "FIT" if key == "booking_code" else "GROUP"
        contexts.setdefault(value, _context(value, order_type, {key.upper(): value}))
        event |= {"order_ref": value, "event_type": EVENT_TYPES[event["event_type"]]}
    own = {name: document[name] for name in ("source_message", "message_events")}
    return json.dumps({**own, **LITERALS, "order_contexts": list(contexts.values())}, ensure_ascii=False).encode()


def measure_package(table: Table, desk: Desk, raw: psycopg.Connection, served: Served, *, rounds: int) -> None:
    """Five events in three order contexts, for a mail of its own; beside it the V3 package of the same events."""
    statements = {events: _statements(desk, events) for events in (1, 5, 500)}
    with served.client(desk.token(desk.agent)) as client:
        works = {
            SERVICE: Work(lambda: _new(desk), desk.ingest, clocks.of_this_process()),
            HTTP: Work(lambda: _new(desk), lambda body: _post(client, body), clocks.of_server(served, raw)),
            BEFORE: Work(desk.new_package, desk.ingest, clocks.of_this_process()),
        }
        timings = take_turns(works, rounds=rounds)
    table.section(f"Ingest: one order package of 5 events in 3 contexts, {len(_new(desk)):,} bytes")
    counts = ", ".join(f"{count} for {events}" for events, count in statements.items())
    notes = {SERVICE: f"statements with BEGIN and COMMIT: {counts} events"}
    table.compare(timings, limit=BEFORE, aims={}, notes=notes)


def measure_workbench(desk: Desk, raw: psycopg.Connection, served: Served, *, rounds: int) -> dict[str, Timing]:
    """Its first page, its counts and a search, at the present size."""
    paths = {"first page": "", "counts": "/facets", "search": "?search=Autumn", "open": "?kind=order_task"}
    with served.client(desk.token(desk.reviewer)) as client:
        works = {
            title: Work(lambda: None, lambda _, path=path: _get(client, path), clocks.of_server(served, raw))
            for title, path in paths.items()
        }
        return take_turns(works, rounds=rounds)


def report_workbench(table: Table, desk: Desk, small: dict[str, Timing], size: int, large: dict[str, Timing]) -> None:
    table.section(f"Workbench over HTTP, {size:,} and {desk.filled:,} tasks, an order task for every five")
    for title, before in small.items():
        after = large[title]
        named = {f"{title}, {size:,} tasks": before, f"{title}, {desk.filled:,} tasks": after}
        table.compare(named, limit=f"{title}, {size:,} tasks", aims={}, notes={})


def fill_order_tasks(desk: Desk, first: int = 1) -> None:
    """An old order task with its Basic Information for every five old tasks, on their mail and order."""
    if not OrderTask.objects.exists():
        desk.ingest(_new(desk))
    series = f"generate_series({(first - 1) // EVENTS_PER_PACKAGE + 1}, {desk.filled // EVENTS_PER_PACKAGE}) AS n"
    moment = "timestamptz '2020-01-01' + make_interval(mins => n)"
    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
        ids = {"id": old_key(6, "n"), "source_message_id": old_key(1, "n"), "order_id": old_key(2, "n")}
        shared = {"submission_id": old_key(3, "n"), "received_at": moment, "created_at": moment}
        copy(cursor, OrderTask, series, ids | shared)
        basic = {"id": old_key(7, "n"), "order_task_id": old_key(6, "n"), "created_at": moment}
        copy(cursor, TaskCard, series, basic, like=f"kind = '{CardKind.BASIC_INFORMATION}'")
        cursor.execute("SET session_replication_role = origin")
        cursor.execute("ANALYZE")


def _context(order_ref: str, order_type: str, identifiers: dict[str, str]) -> dict[str, object]:
    return {
        "order_ref": order_ref,
        "order_type": order_type,
        "identifiers": identifiers,
        "display_name": "Autumn Leaves",
        "arrival_date": "2026-09-10",
        "departure_date": "2026-09-13",
        "account_code": "AC100",
        "market_code": "LEI",
        "source_code": "EML",
    }


def _new(desk: Desk, events: int = EVENTS_PER_PACKAGE) -> bytes:
    return order_package(desk.new_mail()[0], events=events)


def _post(client: Client, body: bytes) -> None:
    answer = client.post(INGEST_PATH, body)
    assert answer.status == 200, answer.body


def _get(client: Client, path: str) -> None:
    answer = client.get(WORKBENCH + path)
    assert answer.status == 200, answer.body


def _statements(desk: Desk, events: int) -> int:
    body = _new(desk, events)
    with CaptureQueriesContext(connection) as captured:
        desk.ingest(body)
    return len(captured)
