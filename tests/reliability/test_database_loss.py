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
from tests.decisions import CONFIRM, path
from tests.pgtmp import Server, own_server
from tests.reliability.complete import NOTHING, orders_without_tasks, rows_by_mail, whole
from tests.reliability.decided import DECIDED, UNDECIDED, decisions
from tests.servers import INGEST_PATH, ROOT, serving

pytestmark = [
    pytest.mark.reliability,
    pytest.mark.slow,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="once is enough: the server is its own"),
]

MAILS, CARDS = 2000, 500
AGENTS = 3
SURVIVES_A_CRASH = "-c fsync=off -c full_page_writes=off"  # of the server, not of the machine: commits are waited for
SETUP = f"""
import django; django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from config.accounts.services import issue_token
from reservations.services.ingest import ingest_package
from tests import decisions, factories, packages
hotel = factories.hotel("HOTEL1", is_default=True)
agent, reviewer = factories.user("agent", hotel), factories.user("reviewer", hotel)
for number in range({MAILS}):
    packages.mail(hotel, f"loss{{number}}")
packages.mail(hotel, "cards")
decisions.offer_options(hotel)
content = packages.package("cards", events={CARDS})
ingest_package(hotel_id=hotel.pk, caller=agent, content=content, media_type="application/json", door="command")
print(*(issue_token(username=user.username, door="command") for user in (agent, reviewer)))
"""
MAIL_NAMES = (f"loss{number}" for number in range(MAILS))
UNDECIDED_CARDS = "SELECT id FROM reservations_task WHERE task_status = 'PENDING_CONFIRM' ORDER BY id"


@dataclass(frozen=True)
class Database:
    server: Server
    token: str
    reviewer: str

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
        yield Database(server, *done.stdout.split()[-2:])


class Load(threading.Thread):
    """Sends one thing after the other until told to stop; keeps every answer.

    send  send(client, name): the answer
    """

    def __init__(self, client, names, send):
        super().__init__(daemon=True)
        self.client, self.names, self.send = client, names, send
        self.answers, self.enough = {}, threading.Event()

    def run(self):
        with self.client:
            while not self.enough.is_set():
                name = next(self.names)
                self.answers[name] = self.send(self.client, name)
                if self.answers[name].status != 200:
                    time.sleep(0.1)


def post_package(client, name):
    return client.post(INGEST_PATH, packages.package(name))


def confirm(client, key):
    return client.post(path(key, CONFIRM), b"{}")


def answers_during(work, served, token, names, send):
    """Answers by name, from before, during and after the work."""
    loads = [Load(served.client(token), names, send) for _ in range(AGENTS)]
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
        answers = answers_during(database.restart, served, database.token, MAIL_NAMES, post_package)
        assert {answer.status for answer in answers.values()} == {200, 503}
        assert served.workers() == before
        with served.client(database.token) as client:
            last = client.post(INGEST_PATH, packages.package(next(MAIL_NAMES)))
    assert last.status == 200
    assert_clean(answers)
    stored = database.read(rows_by_mail)
    rows = {name: stored[packages.message_id(name)] for name in answers}
    assert {rows[name] for name, answer in answers.items() if answer.status == 200} == {whole(5)}
    assert set(rows.values()) <= {whole(5), NOTHING}
    assert database.read(orders_without_tasks) == 0


def assert_clean(answers):
    """Every refusal is the one that says to come again."""
    assert {
        (
            answer.headers["Retry-After"],
            answer.headers["Content-Type"],
            answer.json["error_code"],
            answer.json["retryable"],
        )
        for answer in answers.values()
        if answer.status == 503
    } == {("2", "application/problem+json", "DATABASE_UNAVAILABLE", True)}


def test_a_restart_during_decisions_is_answered_by_503_and_leaves_none_half(database):
    keys = [str(key) for (key,) in database.read(lambda cursor: cursor.execute(UNDECIDED_CARDS).fetchall())]
    with serving(database=database.url) as served:
        answers = answers_during(database.restart, served, database.reviewer, iter(keys), confirm)
        assert {answer.status for answer in answers.values()} == {200, 503}
        assert_clean(answers)
        whole_or_not = database.read(decisions)
        with served.client(database.reviewer) as client:
            again = {key: confirm(client, key).status for key, answer in answers.items() if answer.status == 503}
    assert {whole_or_not[key] for key, answer in answers.items() if answer.status == 200} == {DECIDED}
    assert {key: 409 if whole_or_not[key] == DECIDED else 200 for key in again} == again
    after = database.read(decisions)
    assert {after[key] for key in answers} == {DECIDED}
    assert set(after.values()) == {DECIDED, UNDECIDED}


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
        answers = answers_during(cut, served, database.token, MAIL_NAMES, post_package)
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
