"""The PostgreSQL of the tests leaves nothing behind, however it ends."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests import pgtmp

SAY_AND_WAIT = "import os, time; print(os.getpid(), os.environ['DATABASE_URL'], flush=True); time.sleep(60)"
ASK = (
    "import os, psycopg; url = os.environ['DATABASE_URL'].replace('postgres://', 'postgresql://');"
    "print(psycopg.connect(url).execute('select 6 * 7').fetchone()[0])"
)


def start(code: str, **environment: str) -> subprocess.Popen[str]:
    """pgtmp.py around one Python process, with no server given from outside."""
    inherited = {name: value for name, value in os.environ.items() if name != "TEST_DATABASE_URL"}
    command = [sys.executable, pgtmp.__file__, sys.executable, "-c", code]
    return subprocess.Popen(command, env={**inherited, **environment}, stdout=subprocess.PIPE, text=True)


def gone(path: Path, seconds: float = 20) -> bool:
    deadline = time.monotonic() + seconds
    while path.exists() and time.monotonic() < deadline:
        time.sleep(0.05)
    return not path.exists()


def running(pid: str) -> bool:
    """A process that has ended and was not yet collected has no command line any more."""
    line = Path(f"/proc/{pid}/cmdline")
    return line.exists() and line.read_bytes() != b""


def test_a_given_server_is_used_as_it_is(monkeypatch):
    monkeypatch.setenv("TEST_DATABASE_URL", "postgres://given/db")
    with pgtmp.postgres() as url:
        assert url == "postgres://given/db"


def test_the_exit_code_of_the_command_is_passed_on():
    process = start("raise SystemExit(7)", TEST_DATABASE_URL="postgres://given/db")
    assert process.wait(timeout=20) == 7


@pytest.mark.slow
@pytest.mark.parametrize("choice", ["auto", "wheel"])
def test_a_server_of_either_origin_answers(choice):
    output, _ = start(ASK, PGTMP=choice).communicate(timeout=60)
    assert output == "42\n"


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGKILL])
def test_the_server_is_removed_when_its_starter_is_ended_by(number):
    process = start(SAY_AND_WAIT)
    command, url = process.stdout.readline().split()
    base = Path(url.partition("host=")[2])
    postmaster = (base / "data" / "postmaster.pid").read_text().splitlines()[0]
    process.send_signal(number)
    process.wait(timeout=20)
    assert gone(base)
    assert running(postmaster) is False
    if number == signal.SIGKILL:  # then nobody could tell the command
        os.kill(int(command), signal.SIGKILL)
