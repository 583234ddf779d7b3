"""Processor time of what does the work: this process or the server's workers, and PostgreSQL's processes for them."""

from __future__ import annotations

import time
from collections.abc import Callable

import psycopg
from django.db import connection

from tests.servers import Served, cpu_seconds

Clock = Callable[[], float]


def of_this_process(database: psycopg.Connection | None = None) -> Clock:
    """Of this process and of the database process behind a connection (Django's where none is given)."""
    backend = _backend(database or connection.connection)
    return lambda: time.process_time() + cpu_seconds([backend])


def of_server(served: Served, raw: psycopg.Connection) -> Clock:
    """Of the workers, and of all database processes save the two that this process talks to.

    What an ended process had used counts on, so that the sum never falls.
    """
    ours = {_backend(connection.connection), _backend(raw)}
    used: dict[int, float] = {}

    def clock() -> float:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pid FROM pg_stat_activity WHERE datname = current_database()")
            theirs = {pid for (pid,) in cursor.fetchall()} - ours
        for pid in (*served.workers(), *theirs):
            used[pid] = max(used.get(pid, 0.0), cpu_seconds([pid]))
        return sum(used.values())

    return clock


def _backend(database: psycopg.Connection) -> int:
    return database.info.backend_pid
