"""Packages coming in: as a service, over HTTP, and the same rows by plain psycopg."""

from __future__ import annotations

from collections.abc import Callable

import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.benchmarks import clocks, limits
from tests.benchmarks.desk import Desk
from tests.benchmarks.table import Table
from tests.benchmarks.timing import Timing, Work, take_turns
from tests.servers import INGEST_PATH, Client, Served

SERVICE, HTTP, LIMIT = "service", "HTTP, one client", "limit: the same rows, raw psycopg"
AIMS = {SERVICE: "<= 5, 3.5", HTTP: "<= 8, 5"}


def measure_package(table: Table, desk: Desk, raw: psycopg.Connection, served: Served, *, rounds: int) -> None:
    """Five events, about six kilobytes, every package for a mail of its own with new order keys."""
    statements = {events: _statements(desk, events) for events in (1, 5, 500)}
    with served.client(desk.token(desk.agent)) as client:
        timings = _timings(desk, raw, rounds, client, served)
    size = len(desk.new_package())
    table.section(f"Ingest: one package of 5 events, {size:,} bytes, into {desk.filled:,} tasks")
    counts = ", ".join(f"{count} for {events}" for events, count in statements.items())
    notes = {SERVICE: f"statements with BEGIN and COMMIT: {counts} events", LIMIT: "5 INSERTs, one transaction"}
    table.compare(timings, limit=LIMIT, aims=AIMS, notes=notes)


def measure_sizes(table: Table, desk: Desk, *, rounds: int) -> None:
    """Ten times as many events."""
    works = {
        f"service, {events} events": Work(lambda events=events: desk.new_package(events=events), desk.ingest)
        for events in (20, 200)
    }
    small, large = works
    timings = take_turns(works, rounds=rounds, warm_up=2, batch=2)
    table.section("Ingest: larger packages (x limit: against 20 events)")
    table.compare(timings, limit=small, aims={large: "<= 12, < 1 s"}, notes={})


def measure_growth(table: Table, desk: Desk, raw: psycopg.Connection, grow: Callable[[], None], *, rounds: int) -> None:
    """The same package before and after the tables have grown."""
    before, small = desk.filled, _timings(desk, raw, rounds)
    grow()
    after = _timings(desk, raw, rounds)
    table.section("Ingest into tables that have grown (x limit: each against its own)")
    for size, timings in ((before, small), (desk.filled, after)):
        named = {f"{name}, {size:,} tasks": timing for name, timing in timings.items()}
        table.compare(named, limit=f"{LIMIT}, {size:,} tasks", aims={}, notes={})
    before_work, after_work = small[SERVICE], after[SERVICE]
    table.fact("grown / small, service p50", f"{after_work.p50 / before_work.p50:.2f}", aim="<= 1.5, 1.2")
    table.fact("grown / small, service CPU", f"{after_work.cpu / before_work.cpu:.2f}", aim="<= 1.5, 1.2")


def _timings(
    desk: Desk, raw: psycopg.Connection, rounds: int, client: Client | None = None, served: Served | None = None
) -> dict[str, Timing]:
    works = {SERVICE: Work(desk.new_package, desk.ingest, clocks.of_this_process())}
    if client is not None and served is not None:
        works[HTTP] = Work(desk.new_package, lambda body: _post(client, body), clocks.of_server(served, raw))
    works[LIMIT] = Work(desk.new_rows, lambda rows: limits.write(raw, rows), clocks.of_this_process(raw))
    return take_turns(works, rounds=rounds)


def _post(client: Client, body: bytes) -> None:
    answer = client.post(INGEST_PATH, body)
    assert answer.status == 200, answer.body


def _statements(desk: Desk, events: int) -> int:
    body = desk.new_package(events=events)
    with CaptureQueriesContext(connection) as captured:
        desk.ingest(body)
    return len(captured)
