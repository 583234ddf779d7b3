"""A page of fifty tasks: over HTTP, as a selector, and the same columns by plain psycopg; at two sizes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import psycopg
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.request import Request
from rest_framework.test import APIClient, APIRequestFactory

from config.api.paging import DEFAULT_PAGE_SIZE, Cursor, KeysetPage
from reservations.api.views.tasks import TaskViewSet
from reservations.models import Task
from reservations.selectors.tasks import list_tasks
from tests.benchmarks import clocks
from tests.benchmarks.desk import Desk
from tests.benchmarks.table import Table
from tests.benchmarks.timing import Timing, Work, take_turns
from tests.servers import Client, Served

PATH = "/api/reservation/tasks"
HTTP, SELECTOR, LIMIT = "HTTP", "selector", "limit: the same statement, raw psycopg"


@dataclass(frozen=True, slots=True)
class Page:
    """One page of the list: where it is, the statement that reads its rows, what was measured."""

    title: str
    statements: int
    pages_touched: int
    timings: dict[str, Timing]


def measure_lists(desk: Desk, raw: psycopg.Connection, served: Served, *, rounds: int) -> list[Page]:
    """The first page and one in the middle, at the present size."""
    with served.client(desk.token(desk.reviewer)) as client:
        return [_measure(desk, raw, client, served, title, path, rounds) for title, path in _places(desk)]


def report(table: Table, desk: Desk, small: list[Page], small_size: int, large: list[Page]) -> None:
    for before, after in zip(small, large, strict=True):
        table.section(f"Task list: {after.title}, {DEFAULT_PAGE_SIZE} rows")
        for size, page in ((small_size, before), (desk.filled, after)):
            named = {f"{name}, {size:,} tasks": timing for name, timing in page.timings.items()}
            notes = {
                f"{HTTP}, {size:,} tasks": f"{page.statements} statements",
                f"{LIMIT}, {size:,} tasks": f"{page.pages_touched} pages touched",
            }
            table.compare(named, limit=f"{LIMIT}, {size:,} tasks", aims={}, notes=notes)
        for name in (HTTP, SELECTOR):
            first, last = before.timings[name], after.timings[name]
            table.fact(f"large / small, {name} p50", f"{last.p50 / first.p50:.2f}", aim="<= 1.3, 1.2")
            table.fact(f"large / small, {name} CPU", f"{last.cpu / first.cpu:.2f}", aim="<= 1.3, 1.2")
        touched = after.pages_touched / before.pages_touched
        table.fact("large / small, pages touched", f"{touched:.2f}", aim="<= 1.2, 1.1")
        table.fact("statements over HTTP", str(after.statements), aim="<= 3, 2")


def _places(desk: Desk) -> Iterator[tuple[str, str]]:
    yield "first page", PATH
    middle = Task.objects.order_by("received_at", "id").values("received_at", "id")[desk.filled // 2]
    yield "page in the middle", f"{PATH}?cursor={Cursor(False, middle['received_at'], str(middle['id'])).encode()}"


def _measure(
    desk: Desk, raw: psycopg.Connection, client: Client, served: Served, title: str, path: str, rounds: int
) -> Page:
    statements = _statements(desk, path)
    reading = statements[-1]
    request = Request(APIRequestFactory().get(path))
    works = {
        HTTP: Work(nothing, lambda _: _get(client, path), clocks.of_server(served, raw)),
        SELECTOR: Work(nothing, lambda _: _page(desk, request), clocks.of_this_process()),
        LIMIT: Work(nothing, lambda _: raw.execute(reading.encode()).fetchall(), clocks.of_this_process(raw)),
    }
    timings = take_turns(works, rounds=rounds)
    raw.rollback()
    return Page(title, len(statements), _pages_touched(reading), timings)


def nothing() -> None:
    """A page needs no preparation."""


def _get(client: Client, path: str) -> None:
    answer = client.get(path)
    assert answer.status == 200, answer.body


def _page(desk: Desk, request: Request) -> list[Any]:
    return KeysetPage().paginate_queryset(list_tasks(hotel_ids=[desk.hotel.pk]), request, TaskViewSet)


def _statements(desk: Desk, path: str) -> list[str]:
    """What one request sends to the database; the last statement reads the rows."""
    client = APIClient(HTTP_HOST="localhost", HTTP_AUTHORIZATION=f"Token {desk.token(desk.reviewer)}")
    with CaptureQueriesContext(connection) as captured:
        assert client.get(path).status_code == 200
    return [query["sql"] for query in captured]


def _pages_touched(statement: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {statement}")
        (answer,) = cursor.fetchone()
    plan = (json.loads(answer) if isinstance(answer, str) else answer)[0]["Plan"]
    touched: int = plan["Shared Hit Blocks"] + plan["Shared Read Blocks"]
    return touched
