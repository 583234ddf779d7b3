"""Deadlocks and serialization failures: the database asks to do the work again, so it is done again, a few times."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import TypeVar

from django.db import OperationalError, connection
from django.db.models import Model, QuerySet

T = TypeVar("T")
Row = TypeVar("Row", bound=Model)

ATTEMPTS = 4
FIRST_PAUSE_SECONDS = 0.02
_AGAIN = {"40001", "40P01"}  # serialization_failure, deadlock_detected


def retried(work: Callable[[], T]) -> T:
    """Run a whole transaction; run it again, with growing pauses, when the database gave it up for others.

    work  opens its own transaction and has no effect outside it
    """
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return work()
        except OperationalError as fault:
            if attempt == ATTEMPTS or connection.in_atomic_block or not _wants_again(fault):
                raise
        time.sleep(FIRST_PAUSE_SECONDS * 2**attempt * random.random())  # noqa: S311  # jitter, no secret
    raise AssertionError("unreachable")


def lock_row(rows: QuerySet[Row], *pointers: str) -> Row | None:
    """The one row of a query, locked until the transaction ends, with what its pointers point to; None: there is none.

    PostgreSQL joins a row that changed while its lock was waited for with the neighbours it had before. One that points
    elsewhere now comes with None in their place, or not at all. It is read once more then, under the lock.
    """
    locking = rows.select_for_update(of=("self",)).select_related(*pointers)
    row = locking.first()
    if row is None or any(_lost(row, pointer.partition("__")[0]) for pointer in pointers):
        row = locking.first()
    return row


def _lost(row: Model, pointer: str) -> bool:
    return getattr(row, f"{pointer}_id") is not None and getattr(row, pointer) is None


def _wants_again(fault: OperationalError) -> bool:
    return getattr(fault.__cause__, "sqlstate", None) in _AGAIN
