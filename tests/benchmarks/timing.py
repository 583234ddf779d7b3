"""Medians of work that is measured in turns, so that a busy machine slows all of it alike."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Work:
    """One kind of work. `prepare` makes what one run needs, outside the measurement; `run` is measured.

    clock  seconds of processor time used so far by the processes that do the work
    """

    prepare: Callable[[], Any]
    run: Callable[[Any], object]
    clock: Callable[[], float] = time.process_time


@dataclass(slots=True)
class Timing:
    """Seconds of every run, and processor seconds of all of them."""

    seconds: list[float] = field(default_factory=list)
    cpu_seconds: float = 0.0

    @property
    def p50(self) -> float:
        return statistics.median(self.seconds)

    @property
    def p95(self) -> float:
        return sorted(self.seconds)[int(len(self.seconds) * 0.95)]

    @property
    def cpu(self) -> float:
        """Processor seconds of one run, on average."""
        return self.cpu_seconds / len(self.seconds)


def take_turns(works: Mapping[str, Work], *, rounds: int, warm_up: int = 5, batch: int = 5) -> dict[str, Timing]:
    """Measure every work `rounds` times, `batch` runs of each in turn, after some that do not count."""
    for work in works.values():
        _measure(work, warm_up, Timing())
    timings = {name: Timing() for name in works}
    for _ in range(0, rounds, batch):
        for name, work in works.items():
            _measure(work, batch, timings[name])
    return timings


def _measure(work: Work, runs: int, timing: Timing) -> None:
    things: Sequence[Any] = [work.prepare() for _ in range(runs)]
    gc.collect()
    before = work.clock()
    for thing in things:
        start = time.perf_counter()
        work.run(thing)
        timing.seconds.append(time.perf_counter() - start)
    timing.cpu_seconds += work.clock() - before
