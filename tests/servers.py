"""A server process of our own, on a free port of 127.0.0.1 and on the present test database; and a plain client.

For what only a real process shows: kills, restarts, speed over HTTP, memory.
"""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from types import TracebackType
from typing import Any
from urllib.parse import urlsplit

from django.db import connection

ROOT = Path(__file__).resolve().parent.parent
START_SECONDS = 60
INGEST_PATH = "/api/reservation/superagent/task-results"


@dataclass(frozen=True, slots=True)
class Served:
    """A running server. `pid` is its main process; the workers are its children."""

    port: int
    pid: int

    def workers(self) -> list[int]:
        """Process ids of the workers that are there now."""
        with contextlib.suppress(FileNotFoundError):
            return [int(pid) for pid in Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()]
        return []

    def client(self, token: str) -> Client:
        return Client(self.port, token)


@dataclass(frozen=True, slots=True)
class Answer:
    status: int
    headers: Message
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Client:
    """One persistent connection with a token; a lost connection is opened again by the next call."""

    def __init__(self, port: int, token: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {"Authorization": f"Token {token}"}

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, fault: BaseException | None, at: TracebackType | None) -> None:
        self._connection.close()

    def get(self, path: str) -> Answer:
        return self._call("GET", path, None)

    def post(self, path: str, body: bytes) -> Answer:
        """Raises OSError or http.client.HTTPException when no whole answer came, as `get` does."""
        return self._call("POST", path, body)

    def _call(self, method: str, path: str, body: bytes | None) -> Answer:
        headers = self._headers | ({"Content-Type": "application/json"} if body is not None else {})
        try:
            self._connection.request(method, path, body, headers)
            response = self._connection.getresponse()
            return Answer(response.status, response.headers, response.read())
        except (OSError, http.client.HTTPException):
            self._connection.close()
            raise


def database_url() -> str:
    """The test database, as another process has to name it."""
    settings = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{settings['NAME']}"
    return urlsplit(os.environ["DATABASE_URL"])._replace(path=f"/{settings['NAME']}").geturl()


@contextlib.contextmanager
def serving(*, workers: int = 1, database: str | None = None, **environment: str) -> Iterator[Served]:
    """A granian as in production, with as many worker processes; it ends when one of them is killed."""
    port = free_port()
    command = [sys.executable, "-m", "granian", "--interface", "asgi", "--host", "127.0.0.1", "--port", str(port)]
    command += ["--no-ws", "--log-level", "critical", "--workers", str(workers), "--workers-kill-timeout", "5"]
    command += ["config.asgi:application"]
    settings = {
        "SECRET_KEY": "a-server-of-the-tests-" * 3,
        "HTTPS": "false",
        "API_CALLS_PER_MINUTE": "10000000",
        "LOG_LEVEL": "ERROR",
        "DJANGO_SETTINGS_MODULE": "config.settings",
    }
    with tempfile.TemporaryFile() as messages:
        child = subprocess.Popen(
            command,
            cwd=ROOT,
            env={**os.environ, **settings, "DATABASE_URL": database or database_url(), **environment},
            stdout=messages,
            stderr=subprocess.STDOUT,
        )
        served = Served(port, child.pid)
        try:
            if not _answers(child, served):
                messages.seek(0)
                raise RuntimeError(f"The server did not come up: {messages.read().decode()[-2000:]}")
            yield served
        finally:
            stop(child, served)


def stop(child: subprocess.Popen[bytes], served: Served) -> None:
    """Ask it to stop; what does not stop in time is killed, its workers first."""
    child.terminate()
    try:
        child.wait(timeout=10)
    except subprocess.TimeoutExpired:
        for pid in (*served.workers(), child.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        child.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def cpu_seconds(pids: Iterable[int]) -> float:
    """Processor time that the present threads of these processes have used so far; 0 where /proc does not tell."""
    files = (path for pid in pids for path in Path(f"/proc/{pid}/task").glob("*/schedstat"))
    nanoseconds = 0
    for path in files:
        with contextlib.suppress(OSError):  # a thread that has ended meanwhile
            nanoseconds += int(path.read_text().split()[0])
    return nanoseconds / 1e9


def resident_bytes(pid: int) -> int:
    """Memory a process holds; 0 where /proc does not tell."""
    with contextlib.suppress(OSError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return 0


def _answers(child: subprocess.Popen[bytes], served: Served) -> bool:
    """Wait for the first answer; False when the server has ended or takes too long."""
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and child.poll() is None:
        with contextlib.suppress(OSError, http.client.HTTPException), served.client("") as client:
            if client.get("/healthz").status == 200:
                return True
        time.sleep(0.05)
    return False
