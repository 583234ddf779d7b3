"""Many callers at once: threads, each with its own database connection."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

from django.db import connection

T = TypeVar("T")
S = TypeVar("S")


def at_once(works: Sequence[Callable[[], T]]) -> list[T]:
    """Every work in a thread of its own, all begun at the same moment; their results, or the first exception."""
    barrier = threading.Barrier(len(works))

    def run(work: Callable[[], T]) -> T:
        barrier.wait(timeout=30)
        return work()

    return crowd(run, works, size=len(works))


def crowd(work: Callable[[S], T], things: Iterable[S], *, size: int) -> list[T]:
    """The results of work(thing) in the order of things, `size` of them at a time."""

    def run(thing: S) -> T:
        try:
            return work(thing)
        finally:
            connection.close()

    with ThreadPoolExecutor(size) as pool:
        return list(pool.map(run, things))
