"""Everything one machine needs to serve: migrations, the demo where it is wanted, and the processes."""

from __future__ import annotations

import errno
import signal
import socket
import subprocess
import sys
import time
from argparse import ArgumentTypeError
from collections.abc import Sequence
from http.client import HTTPConnection, HTTPException
from types import FrameType

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError, CommandParser

GRACE_SECONDS = 10
MOST_PORT = 65535
STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Command(BaseCommand):
    help = "Migrate, load the demo where DEMO=true, and serve until Ctrl-C or SIGTERM."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--host", default="127.0.0.1", help="address to listen on (default: 127.0.0.1)")
        parser.add_argument("--port", type=port_number, default=8000, help="from 1 to 65535 (default: 8000)")

    def handle(self, *args: object, host: str, port: int, **options: object) -> None:
        for number in STOPPING:
            signal.signal(number, interrupt)
        try:
            refuse_busy_port(host, port)
            call_command("migrate", interactive=False, verbosity=0)
            if settings.DEMO:
                call_command("setup_demo", stdout=self.stdout)
            self.serve(host, port)
        except KeyboardInterrupt:
            self.stdout.write("\nStopped.")

    def serve(self, host: str, port: int) -> None:
        children: list[subprocess.Popen[bytes]] = []
        try:
            children.append(start(web(host, port)))
            wait_until_it_answers(host, port, children)
            children.extend(start(command) for command in background())  # later: they do not delay the first answer
            self.stdout.write(self.style.SUCCESS(f"Serving on http://{host}:{port}/   Ctrl-C stops it."))
            self.stdout.flush()  # also where the output is a file or a pipe
            while all(child.poll() is None for child in children):
                time.sleep(0.2)
        finally:
            stop(children)
        raise CommandError("A process ended by itself, so the others were stopped. Its messages are above.")


def port_number(text: str) -> int:
    """Raises ArgumentTypeError for what is no port."""
    if not (text.isascii() and text.isdigit() and 1 <= int(text) <= MOST_PORT):
        raise ArgumentTypeError(f"a port is a number from 1 to {MOST_PORT}, not {text}")
    return int(text)


def web(host: str, port: int) -> list[str]:
    """Command line of the one web process: threads inside it serve side by side."""
    granian = [
        "granian",
        "--interface",
        "asgi",
        "--host",
        host,
        "--port",
        str(port),
        "--no-ws",
        "--log-level",
        "warning",
    ]
    return [sys.executable, "-m", *granian, "--workers-kill-timeout", "5", "config.asgi:application"]


def background() -> list[list[str]]:
    """Command lines of the processes nobody waits for: a worker, and the reaper."""
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
    return [[*manage, "work"], [*manage, "reap", "--every", "2"]]


def start(command: Sequence[str]) -> subprocess.Popen[bytes]:
    """In a session of its own: Ctrl-C in the terminal reaches this process alone, which then stops all in order."""
    return subprocess.Popen(command, start_new_session=True)  # noqa: S603  # our own command line


def refuse_busy_port(host: str, port: int) -> None:
    """Raises CommandError when something else listens there."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as refusal:
            reason = (
                "is already in use" if refusal.errno == errno.EADDRINUSE else f"cannot be used ({refusal.strerror})"
            )
            raise CommandError(
                f"Port {port} on {host} {reason}. Choose another one: make run PORT={port % MOST_PORT + 1}"
            ) from None


def wait_until_it_answers(host: str, port: int, children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Return when a request is answered, whatever the answer, or when a child has ended."""
    while all(child.poll() is None for child in children):
        request = HTTPConnection(host, port, timeout=2)
        try:
            request.request("GET", "/healthz")
            request.getresponse()
            return
        except (OSError, HTTPException):
            time.sleep(0.1)
        finally:
            request.close()


def stop(children: Sequence[subprocess.Popen[bytes]]) -> None:
    """Ask all to stop, wait, and kill what does not. A second Ctrl-C does not cut this short."""
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    for child in children:
        child.terminate()
    deadline = time.monotonic() + GRACE_SECONDS
    for child in children:
        try:
            child.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def interrupt(number: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
