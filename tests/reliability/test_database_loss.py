"""Promise: a database that goes away is answered by 503, loses nothing, and is used again without a restart."""

import os
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import psycopg
import pytest
from django.db import connection

from tests import packages
from tests.pgtmp import Server, own_server
from tests.reliability.complete import NOTHING, orders_without_tasks, rows_by_mail, whole
from tests.servers import INGEST_PATH, ROOT, serving

pytestmark = [
    pytest.mark.reliability,
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="once is enough: the server is its own"),
]

MAILS = 2000
AGENTS = 3
SURVIVES_A_CRASH = "-c fsync=off -c full_page_writes=off"  # of the server, not of the machine: commits are waited for
SETUP = f"""
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from config.accounts.services import issue_token
from tests import factories, packages
hotel = factories.hotel("HOTEL1", is_default=True)
agent = factories.user("agent", hotel)
for number in range({MAILS}):
    packages.mail(hotel, f"loss{{number}}")
print(issue_token(username=agent.username, door="command"))
"""


@dataclass(frozen=True)
class Database:
    server: Server
    token: str

    @property
    def url(self):
        return self.server.url

    def restart(self):
        self.server.stop()
        time.sleep(0.5)
        self.server.start()

    def read(self, question):
        with psycopg.connect(self.url) as opened, opened.cursor() as cursor:
            return question(cursor)


@pytest.fixture(scope="module")
def database():
    """A PostgreSQL that may be stopped: migrated, with mails and with an agent."""
    with own_server(SURVIVES_A_CRASH) as server:
        environment = {"DATABASE_URL": server.url, "DJANGO_SETTINGS_MODULE": "config.settings_test"}
        done = subprocess.run(
            [sys.executable, "-c", SETUP],
            cwd=ROOT,
            env={**os.environ, **environment},
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        yield Database(server, done.stdout.split()[-1])


class Load(threading.Thread):
    """Sends packages one after the other until told to stop; keeps every answer."""

    waiting = iter(range(MAILS))

    def __init__(self, served, token):
        super().__init__(daemon=True)
        self.client, self.answers, self.enough = served.client(token), {}, threading.Event()

    def run(self):
        with self.client:
            while not self.enough.is_set():
                name = f"loss{next(self.waiting)}"
                self.answers[name] = self.client.post(INGEST_PATH, packages.package(name))
                if self.answers[name].status != 200:
                    time.sleep(0.1)


def answers_during(work, served, token):
    """Answers by package, from before, during and after the work."""
    loads = [Load(served, token) for _ in range(AGENTS)]
    for load in loads:
        load.start()
    time.sleep(1)
    work()
    time.sleep(2)
    for load in loads:
        load.enough.set()
        load.join()
    return {name: answer for load in loads for name, answer in load.answers.items()}


def test_a_restart_during_load_is_answered_by_503_and_loses_nothing(database):
    with serving(database=database.url) as served:
        before = served.workers()
        answers = answers_during(database.restart, served, database.token)
        assert {answer.status for answer in answers.values()} == {200, 503}
        assert served.workers() == before
        with served.client(database.token) as client:
            last = client.post(INGEST_PATH, packages.package(f"loss{next(Load.waiting)}"))
    refused = [answer for answer in answers.values() if answer.status == 503]
    assert last.status == 200
    assert {
        (
            answer.headers["Retry-After"],
            answer.headers["Content-Type"],
            answer.json["error_code"],
            answer.json["retryable"],
        )
        for answer in refused
    } == {("2", "application/problem+json", "DATABASE_UNAVAILABLE", True)}
    stored = database.read(rows_by_mail)
    rows = {name: stored[packages.message_id(name)] for name in answers}
    assert {rows[name] for name, answer in answers.items() if answer.status == 200} == {whole(5)}
    assert set(rows.values()) <= {whole(5), NOTHING}
    assert database.read(orders_without_tasks) == 0


def test_connections_cut_during_load_are_answered_by_503_and_replaced(database):
    def cut():
        for _ in range(10):
            database.read(
                lambda cursor: cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
                )
            )
            time.sleep(0.1)

    with serving(database=database.url) as served:
        answers = answers_during(cut, served, database.token)
    assert {answer.status for answer in answers.values()} == {200, 503}
    rows = database.read(rows_by_mail)
    taken = {rows[packages.message_id(name)] for name, answer in answers.items() if answer.status == 200}
    assert taken == {whole(5)}


def test_without_a_database_the_service_says_so_and_stays_alive(database):
    with serving(database=database.url) as served, served.client(database.token) as client:
        database.server.stop()
        try:
            alive, ready = client.get("/healthz"), client.get("/readyz")
            refused = client.post(INGEST_PATH, packages.package("loss0"))
        finally:
            database.server.start()
        again = client.get("/readyz")
    assert (alive.status, ready.status, refused.status, again.status) == (200, 503, 503, 200)
