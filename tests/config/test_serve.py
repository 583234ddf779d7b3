"""`manage.py serve`: one command line that starts everything and leaves nothing behind."""

import os
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import time
import urllib.request
from argparse import ArgumentTypeError
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from django.core.management.base import CommandError

from config.management.commands import serve

ROOT = Path(__file__).resolve().parent.parent.parent
STUBBORN = "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(60)"


@pytest.fixture
def busy_port():
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


@pytest.fixture
def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def signals_restored():
    before = {number: signal.getsignal(number) for number in serve.STOPPING}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.parametrize("text", ["0", "65536", "-1", "abc", "8000.5", ""])
def test_what_is_no_port_is_refused(text):
    with pytest.raises(ArgumentTypeError):
        serve.port_number(text)


def test_a_busy_port_is_named_with_another_one(busy_port):
    with pytest.raises(CommandError) as refusal:
        serve.refuse_busy_port("127.0.0.1", busy_port)
    sentence = f"Port {busy_port} on 127.0.0.1 is already in use. Choose another one: make run PORT={busy_port + 1}"
    assert str(refusal.value) == sentence


def test_a_free_port_is_accepted_and_stays_free(free_port):
    serve.refuse_busy_port("127.0.0.1", free_port)
    serve.refuse_busy_port("127.0.0.1", free_port)


def test_a_process_that_ignores_the_request_to_stop_is_killed(monkeypatch, signals_restored):
    monkeypatch.setattr(serve, "GRACE_SECONDS", 0)
    child = subprocess.Popen([sys.executable, "-c", STUBBORN], stdout=subprocess.PIPE)
    child.stdout.readline()
    serve.stop([child])
    assert child.returncode == -signal.SIGKILL


def environment(database):
    return {
        **os.environ,
        "DATABASE_URL": f"sqlite:///{database}",
        "DEMO": "false",
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "HTTPS": "false",
        "SECRET_KEY": "k" * 60,
    }


@pytest.fixture(scope="module")
def migrated(tmp_path_factory):
    """An empty database with all tables: making them takes longer than anything else here."""
    database = tmp_path_factory.mktemp("serve") / "migrated.sqlite3"
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env=environment(database), check=True)
    return database


@pytest.fixture
def folder(tmp_path, migrated):
    shutil.copy(migrated, tmp_path / "db.sqlite3")
    return tmp_path


@contextmanager
def running(port, folder):
    """`manage.py serve` in a process group of its own, once it answers."""
    command = [sys.executable, "manage.py", "serve", "--port", str(port)]
    with (folder / "output").open("wb") as output:
        process = subprocess.Popen(
            command, cwd=ROOT, env=environment(folder / "db.sqlite3"), stdout=output, start_new_session=True
        )
    try:
        wait_for(lambda: "Serving on" in (folder / "output").read_text() or process.poll() is not None, seconds=60)
        assert process.poll() is None, "ended before it served"
        yield process
    finally:
        process.terminate()  # killed, it would leave its children behind
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def wait_for(condition, seconds):
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "not in time"
        time.sleep(0.05)


def processes_of(port):
    """Command lines of running processes that serve this port."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        with suppress(OSError):
            lines.append(file.read_bytes().split(b"\0"))
    return [line for line in lines if b"--port" in line and str(port).encode() in line]


def test_a_worker_and_a_reaper_run_beside_the_web_process():
    commands = [" ".join(command[2:]) for command in serve.background()]
    assert commands == ["work", "reap --every 2"]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_it_answers_until_it_is_told_to_stop_and_leaves_no_process(free_port, folder, number):
    with running(free_port, folder) as process:
        with urllib.request.urlopen(f"http://127.0.0.1:{free_port}/healthz", timeout=10) as answer:
            assert answer.status == 200
        children = all_children_of(process)
        process.send_signal(number)
        assert process.wait(timeout=20) == 0
        wait_for(lambda: processes_of(free_port) == [], seconds=5)
        assert [pid for pid in children if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.slow
def test_ctrl_c_even_pressed_again_and_again_ends_in_order(free_port, folder):
    with running(free_port, folder) as process:
        children = all_children_of(process)
        for _ in range(3):
            os.killpg(process.pid, signal.SIGINT)
        assert process.wait(timeout=20) == 0
        wait_for(lambda: processes_of(free_port) == [], seconds=5)
        assert [pid for pid in children if Path(f"/proc/{pid}").exists()] == []


@pytest.mark.slow
def test_the_worker_empties_the_queue_and_the_reaper_does_its_chores(free_port, folder):
    with sqlite3.connect(folder / "db.sqlite3") as database:
        database.execute(*row_of("django_tasks_database_dbtaskresult", WAITING))
        database.execute(*row_of("audit_auditevent", UNSEALED))
    with running(free_port, folder):
        wait_for(lambda: left_to_do(folder) == (0, 0), seconds=20)


WAITING = {
    "id": "0" * 32,
    "status": "READY",
    "task_path": "reservations.services.execution.attempt_operation",
    "args_kwargs": '{"args": ["01980000-0000-7000-8000-000000000000"], "kwargs": {}}',
    "run_after": "2026-07-20 12:00:00",
    "enqueued_at": "2026-07-20 12:00:00",
    "worker_ids": "[]",
    "priority": 0,
    "queue_name": "default",
    "backend_name": "default",
    "exception_class_path": "",
    "traceback": "",
}
UNSEALED = {
    "door": "system",
    "action": "NOTHING",
    "object_type": "nothing",
    "object_id": "1",
    "reason": "",
    "request_id": "",
    "at": "2026-07-20 12:00:00",
}


def row_of(table, values):
    """An INSERT and its parameters."""
    return f"INSERT INTO {table} ({', '.join(values)}) VALUES ({', '.join('?' * len(values))})", list(values.values())


def left_to_do(folder):
    """Background tasks that did not succeed, and audit events without a seal."""
    with sqlite3.connect(folder / "db.sqlite3") as database:
        return tuple(
            database.execute(f"SELECT count(*) FROM {rows}").fetchone()[0]
            for rows in (
                "django_tasks_database_dbtaskresult WHERE status <> 'SUCCESSFUL'",
                "audit_auditevent WHERE position IS NULL",
            )
        )


@pytest.mark.slow
def test_when_the_web_process_ends_by_itself_the_command_fails(free_port, folder):
    with running(free_port, folder) as process:
        web = next(pid for pid in children_of(process.pid))
        os.kill(web, signal.SIGTERM)
        assert process.wait(timeout=20) == 1


def all_children_of(process):
    """The web process, the worker, the reaper: once all three are there."""
    wait_for(lambda: len(children_of(process.pid)) == 3, seconds=10)
    return children_of(process.pid)


def children_of(pid):
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
