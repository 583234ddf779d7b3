"""Web workers and background workers that are killed one after the other, each a random moment later."""

from __future__ import annotations

import contextlib
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from tests.servers import ROOT, Served, database_url

# Ended children are not waited for, so that their process ids are not given to others.
WORKERS = """
import os, signal, sys
import django; django.setup()
from django.core.management import call_command
begun = []
for line in sys.stdin:
    pid = os.fork()
    if not pid:
        call_command("work", interval=0.02)
        os._exit(0)
    begun.append(pid)
    print(pid, flush=True)
for pid in begun:
    os.kill(pid, signal.SIGKILL)
"""
HIRED, PAUSES = 2, (0.1, 0.5)


class Killer(threading.Thread):
    """Kills every web worker save one, and as many background workers, which are replaced; one after the other. When all
    is over no background worker is left."""

    def __init__(self, served: Served) -> None:
        super().__init__(daemon=True)
        self.doomed = served.workers()[1:]
        self.web = self.background = 0
        self.begun, self.over = threading.Event(), threading.Event()

    def run(self) -> None:
        chance = random.Random(47)
        try:
            with background_workers() as begin:
                hired = [begin() for _ in range(HIRED)]
                self.begun.set()
                for doomed in self.doomed:
                    time.sleep(chance.uniform(*PAUSES))
                    kill(hired.pop(0))
                    hired.append(begin())
                    self.background += 1
                    time.sleep(chance.uniform(*PAUSES))
                    kill(doomed)
                    self.web += 1
        finally:
            self.begun.set()
            self.over.set()


@contextmanager
def background_workers() -> Iterator[Callable[[], int]]:
    """begin() gives the process id of a new background worker, which is at work at once: it is the copy of a process that
    has everything set up. All are gone at the end."""
    environment = {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "config.settings_test"}
    command = [sys.executable, "-c", WORKERS]
    with subprocess.Popen(
        command, cwd=ROOT, env={**os.environ, **environment}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        asked, told = parent.stdin, parent.stdout
        assert asked is not None
        assert told is not None

        def begin() -> int:
            asked.write(b"\n")
            asked.flush()
            return int(told.readline())

        yield begin


def kill(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGKILL)
