"""Promise: a package is stored whole or not at all, whatever happens to the process that stores it."""

import http.client
import os
import random
import signal
import threading
import time

import pytest

from config.accounts.services import issue_token
from config.audit.services import Door
from tests import packages
from tests.reliability.complete import NOTHING, orders_without_tasks, rows_by_mail, whole
from tests.reliability.crowd import crowd
from tests.servers import INGEST_PATH, serving

pytestmark = [pytest.mark.reliability, pytest.mark.slow]

KILLS = 5
EVENTS = 20


class DyingServers(threading.Thread):
    """One server after another: each worker is killed a random moment after it began to answer."""

    def __init__(self):
        super().__init__(daemon=True)
        self.kills, self.served, self.done = 0, None, threading.Event()

    def run(self):
        chance = random.Random(9)
        try:
            for _ in range(KILLS):
                with serving() as self.served:
                    time.sleep(chance.uniform(0.3, 0.9))
                    (worker,) = self.served.workers()
                    os.kill(worker, signal.SIGKILL)
                    self.served, self.kills = None, self.kills + 1
        finally:
            self.done.set()


def deliver(served, token, body):
    """The status, or None where no answer came."""
    try:
        with served.client(token) as client:
            return client.post(INGEST_PATH, body).status
    except (OSError, http.client.HTTPException):
        return None


def keep_delivering(servers, token, bodies):
    """Status of every package that was sent: each once, as long as there are servers."""
    waiting, statuses = iter(bodies.items()), {}

    def agent(_):
        for name, body in waiting:
            while (served := servers.served) is None and not servers.done.is_set():
                time.sleep(0.02)
            if served is None:
                return
            statuses[name] = deliver(served, token, body)

    servers.start()
    crowd(agent, range(3), size=3)
    servers.join()
    return statuses


def rows_of(names):
    rows = rows_by_mail()
    return {name: rows[packages.message_id(name)] for name in names}


def test_r50_killed_workers_leave_answered_packages_whole_and_none_half_there(desk):
    bodies = {name: packages.package(name, events=EVENTS) for name in (f"kill{number}" for number in range(600))}
    for name in bodies:
        packages.mail(desk.hotel, name)
    token = issue_token(username=desk.agent.username, door=Door.COMMAND)
    servers = DyingServers()
    statuses = keep_delivering(servers, token, bodies)
    rows = rows_of(statuses)
    assert servers.kills == KILLS
    assert set(statuses.values()) == {200, None}
    assert {rows[name] for name, status in statuses.items() if status == 200} == {whole(EVENTS)}
    assert set(rows.values()) == {whole(EVENTS), NOTHING}
    assert orders_without_tasks() == 0
    lost = [name for name, status in statuses.items() if status is None]
    with serving() as served:
        assert {deliver(served, token, bodies[name]) for name in lost} == {200}
    assert set(rows_of(statuses).values()) == {whole(EVENTS)}
