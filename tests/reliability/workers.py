"""Worker processes of our own on the present test database, and a simulated PMS that takes its time."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

from django.utils import timezone

from config.delivery.services import OVERDUE, reap
from config.jsontext import JsonValue
from reservations.models import OperaOperation
from reservations.opera.gateway import Call
from reservations.opera.simulator import Simulator
from tests.background import waiting
from tests.servers import ROOT, database_url

LEASE_SECONDS = 6
LONGEST_SECONDS = 240  # only on a machine that has much else to do
LONGEST_DELAY = 0.08
SETTINGS = {
    "SECRET_KEY": "a-worker-of-the-tests-" * 3,
    "HTTPS": "false",
    "LOG_LEVEL": "ERROR",
    "DJANGO_SETTINGS_MODULE": "config.settings",
    "OPERA_GATEWAY": "tests.reliability.workers.SlowSimulator",
    "OPERA_LEASE_SECONDS": str(LEASE_SECONDS),
}


class SlowSimulator(Simulator):
    """Takes a while before and after each effect, so that workers are killed on both sides of it."""

    def send(self, call: Call) -> JsonValue:
        time.sleep(random.uniform(0, LONGEST_DELAY))
        try:
            return super().send(call)
        finally:
            time.sleep(random.uniform(0, LONGEST_DELAY))


class Workers:
    """Some worker processes; one that is killed is replaced."""

    def __init__(self, size: int) -> None:
        self.kills = 0
        self.processes = [start() for _ in range(size)]

    def kill_one(self) -> None:
        place = random.randrange(len(self.processes))
        os.kill(self.processes[place].pid, signal.SIGKILL)
        self.processes[place].wait()
        self.processes[place] = start()
        self.kills += 1

    def stop(self) -> None:
        for process in self.processes:
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "manage.py", "work", "--interval", "0.05"],
        cwd=ROOT,
        env={**os.environ, **SETTINGS, "DATABASE_URL": database_url()},
    )


@contextlib.contextmanager
def working(size: int) -> Iterator[Workers]:
    workers = Workers(size)
    try:
        yield workers
    finally:
        workers.stop()


def until(finished: Callable[[], bool], *, meanwhile: Callable[[], object] = lambda: None) -> None:
    """Look after overdue work, as the reaper does, and skip the pauses between tries, until the end has come."""
    deadline = time.monotonic() + LONGEST_SECONDS
    while not finished():
        assert time.monotonic() < deadline, "not in time"
        skip_pauses()
        reap(at=timezone.now() + OVERDUE)
        meanwhile()
        time.sleep(0.1)


def skip_pauses() -> None:
    """What waits for its next try is due now; what a worker holds keeps its lease."""
    now = timezone.now()
    OperaOperation.objects.filter(lease_token=None, next_try_at__gt=now).update(next_try_at=now)
    waiting().filter(run_after__gt=now, run_after__year__lt=9999).update(run_after=now)
