"""Idempotency-Key among callers at the same moment, through threads and through server processes."""

import http.client
import json
import os
import signal
import threading
from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from django.db import connection, transaction
from django.db.models import F
from rest_framework.test import APIClient

from config import transactions
from config.accounts.models import Tenant
from config.accounts.services import issue_token
from config.audit.services import Door
from config.idempotency.errors import KeyInFlight
from config.idempotency.models import IdempotencyKey
from config.idempotency.services import Answer, Hold, Scope, claim, keep, let_go
from reservations.api.views import ingest as view
from reservations.models import AiTransition, SourceMessage, Submission
from tests import factories, packages
from tests.factories import NOON
from tests.reliability.conftest import Desk
from tests.reliability.crowd import at_once
from tests.servers import INGEST_PATH, serving

on_postgresql = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer at a time")
MINUTE = timedelta(seconds=60)


@pytest.fixture
def desk(committed_db):
    hotel = factories.hotel("HOTEL1", is_default=True)
    return Desk(hotel, factories.user("agent", hotel))


@pytest.fixture
def token(desk):
    return issue_token(username=desk.agent.username, door=Door.COMMAND)


@pytest.fixture
def post(desk, token):
    """post(name, key): in any thread, the answer to a package."""
    packages.mail(desk.hotel, "first")
    packages.mail(desk.hotel, "second")

    def post(name="first", key="k-1"):
        client = APIClient(raise_request_exception=False)
        headers = {"idempotency-key": key, "authorization": f"Token {token}"}
        body = packages.package(name)
        return client.generic("POST", INGEST_PATH, body, content_type="application/json", headers=headers)

    return post


def kinds(answers):
    """How many did the work, got the stored answer, or were told to wait."""
    return Counter((answer.status_code, answer.headers.get("Idempotency-Replayed")) for answer in answers)


def test_sixteen_requests_with_one_key_do_the_work_once(post):
    answers = at_once([post] * 16)
    found = kinds(answers)
    assert found[200, None] == 1
    assert set(found) <= {(200, None), (200, "true"), (409, None)}
    assert {one.content for one in answers if one.status_code == 200} == {post().content}
    assert {one.json()["error_code"] for one in answers if one.status_code == 409} <= {"IDEMPOTENCY_IN_FLIGHT"}
    assert (Submission.objects.count(), AiTransition.objects.count(), IdempotencyKey.objects.count()) == (1, 5, 1)


def test_requests_with_other_bodies_under_one_key_do_one_of_the_works(post):
    answers = at_once([partial(post, name) for name in ("first", "second") * 4])
    assert kinds(answers)[200, None] == 1
    assert {one.status_code for one in answers} <= {200, 409, 422}
    assert Submission.objects.count() == 1


def test_r51_requests_with_keys_of_their_own_are_one_package(post):
    answers = at_once([partial(post, key=f"k-{number}") for number in range(8)])
    assert Counter(one.json()["replayed"] for one in answers) == {False: 1, True: 7}
    assert (Submission.objects.count(), IdempotencyKey.objects.count()) == (1, 8)


# The marker


@pytest.fixture
def scope(desk):
    return Scope(desk.agent.pk, "POST", "/api/x", "k-1")


def attempt(scope, at, name="a"):
    try:
        return claim(scope=scope, request_sha256=name, at=at)
    except KeyInFlight as refusal:
        return refusal


def test_an_abandoned_key_is_taken_over_by_one(scope):
    first = claim(scope=scope, request_sha256="a", at=NOON)
    found = at_once([partial(attempt, scope, NOON + MINUTE, "b")] * 8)
    assert Counter(type(one) for one in found) == {Hold: 1, KeyInFlight: 7}
    with pytest.raises(KeyInFlight):
        keep(hold=first, answer=Answer(200, (), b""))
    assert let_go(hold=first) is False


def test_a_key_that_is_let_go_again_and_again_is_held_by_one_at_a_time(scope):
    held = threading.Lock()

    def work():
        done = 0
        while done < 10:
            found = attempt(scope, NOON)
            if isinstance(found, Hold):
                assert held.acquire(blocking=False)
                held.release()
                done += let_go(hold=found)
        return done

    assert sum(at_once([work] * 4)) == 40
    assert IdempotencyKey.objects.count() == 0


@pytest.mark.parametrize("found", [Answer, Hold], ids=["kept", "let go"])
@on_postgresql
def test_whoever_takes_over_at_the_last_moment_waits_for_the_end_of_the_work(found, scope):
    hold, written, seen = claim(scope=scope, request_sha256="a", at=NOON), threading.Event(), []

    def late():
        written.wait(timeout=10)
        seen.append(attempt(scope, NOON + MINUTE))
        connection.close()

    thread = threading.Thread(target=late)
    thread.start()
    with transaction.atomic():
        if found is Answer:
            keep(hold=hold, answer=Answer(200, (("ETag", '"1.a"'),), b"{}"))
        else:
            let_go(hold=hold)
        written.set()
        thread.join(timeout=0.3)
        assert seen == []
    thread.join()
    assert [type(one) for one in seen] == [found]


# The work


class Crossing:
    """Two packages, each of which changes two rows: in opposite order, and at the same moment the first time."""

    def __init__(self, rows, service):
        self.rows, self.service, self.calls = rows, service, Counter()
        self.barrier, self.lock = threading.Barrier(2), threading.Lock()

    def ingest(self, *, content, **arguments):
        forward = b"first@" in content
        with self.lock:
            self.calls[forward] += 1
            meet = sum(self.calls.values()) <= 2
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL deadlock_timeout = '20ms'")
        for place, pk in enumerate(self.rows if forward else self.rows[::-1]):
            Tenant.objects.filter(pk=pk).update(name=F("name"))
            if meet and place == 0:
                self.barrier.wait(timeout=10)
        return self.service(content=content, **arguments)


@on_postgresql
def test_keyed_packages_that_block_each_other_are_both_done(post, monkeypatch):
    rows = [factories.hotel(code).pk for code in ("LEFT", "RIGHT")]
    crossing = Crossing(rows, view.ingest_package)
    monkeypatch.setattr(view, "ingest_package", crossing.ingest)
    answers = at_once([partial(post, name, key=name) for name in ("first", "second")])
    assert [one.status_code for one in answers] == [200, 200]
    assert sum(crossing.calls.values()) == 3
    assert (Submission.objects.count(), IdempotencyKey.objects.filter(status=200).count()) == (2, 2)


@on_postgresql
def test_work_that_the_database_gives_up_again_and_again_is_503_and_frees_the_key(post, monkeypatch):
    calls = []

    def given_up(**arguments):
        calls.append(arguments)
        with connection.cursor() as cursor:
            cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = '40001'; END $$")

    monkeypatch.setattr(transactions, "FIRST_PAUSE_SECONDS", 0.001)
    with monkeypatch.context() as patched:
        patched.setattr(view, "ingest_package", given_up)
        refused = post()
    assert (refused.status_code, refused.json()["error_code"], len(calls)) == (503, "DATABASE_UNAVAILABLE", 4)
    assert (IdempotencyKey.objects.count(), post().status_code) == (0, 200)


@on_postgresql
def test_a_body_is_read_anew_when_the_work_is_repeated(post, monkeypatch):
    bodies = []

    def once_given_up(*, content, **arguments):
        bodies.append(content)
        if len(bodies) == 1:
            with connection.cursor() as cursor:
                cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'given up' USING ERRCODE = '40001'; END $$")
        return ingest(content=content, **arguments)

    ingest = view.ingest_package
    monkeypatch.setattr(view, "ingest_package", once_given_up)
    assert post().status_code == 200
    assert bodies == [packages.package("first")] * 2


@on_postgresql
def test_a_request_overtaken_while_it_works_leaves_nothing(post, monkeypatch):
    def slow(**arguments):
        def overtake():
            IdempotencyKey.objects.update(started_at=NOON)
            answers.append(post())
            connection.close()

        monkeypatch.setattr(view, "ingest_package", ingest)
        other = threading.Thread(target=overtake)
        other.start()
        other.join(timeout=30)
        return ingest(**arguments)

    answers, ingest = [], view.ingest_package
    monkeypatch.setattr(view, "ingest_package", slow)
    late = post()
    assert (late.status_code, late.json()["error_code"]) == (409, "IDEMPOTENCY_IN_FLIGHT")
    assert (answers[0].status_code, answers[0].json()["replayed"]) == (200, False)
    assert (Submission.objects.count(), post().content) == (1, answers[0].content)


# Server processes


def keyed(served, token, name):
    request = http.client.HTTPConnection("127.0.0.1", served.port, timeout=30)
    headers = {"Authorization": f"Token {token}", "Content-Type": "application/json", "Idempotency-Key": name}
    try:
        request.request("POST", INGEST_PATH, packages.package(name), headers)
        response = request.getresponse()
        return response.status, response.headers.get("Idempotency-Replayed"), response.read()
    finally:
        request.close()


@pytest.mark.reliability
@pytest.mark.slow
def test_messages_delivered_ten_times_under_their_keys_have_one_answer_each(desk, token):
    names = [f"keyed{number}" for number in range(20)]
    for name in names:
        packages.mail(desk.hotel, name)
    with serving(workers=2) as served:
        deliveries = [partial(keyed, served, token, name) for name in names for _ in range(10)]
        answers = [one for start in range(0, 200, 20) for one in at_once(deliveries[start : start + 20])]
        again = {name: keyed(served, token, name) for name in names}
    assert Counter((status, replayed) for status, replayed, _ in answers)[200, None] == 20
    assert {status for status, _, _ in answers} <= {200, 409}
    assert {body for status, _, body in answers if status == 200} == {body for _, _, body in again.values()}
    assert {replayed for _, replayed, _ in again.values()} == {"true"}
    assert (Submission.objects.count(), AiTransition.objects.count()) == (20, 100)


@pytest.mark.reliability
@pytest.mark.slow
@on_postgresql
def test_a_key_whose_server_was_killed_is_free_a_minute_later(desk, token):
    packages.mail(desk.hotel, "killed")
    with serving() as served, transaction.atomic():
        SourceMessage.objects.select_for_update().get()
        client = threading.Thread(target=unanswered, args=(served, token, "killed"))
        client.start()
        wait_for(lambda: IdempotencyKey.objects.filter(status=None).exists())
        for pid in served.workers():
            os.kill(pid, signal.SIGKILL)
        client.join()
    with serving() as served:
        early = keyed(served, token, "killed")
        IdempotencyKey.objects.update(started_at=F("started_at") - MINUTE)
        late, again = keyed(served, token, "killed"), keyed(served, token, "killed")
    assert (early[0], json.loads(early[2])["error_code"]) == (409, "IDEMPOTENCY_IN_FLIGHT")
    assert (late[:2], again) == ((200, None), (200, "true", late[2]))


def unanswered(*asked):
    with pytest.raises((OSError, http.client.HTTPException)):
        keyed(*asked)


def wait_for(condition):
    for _ in range(500):
        if condition():
            return
        threading.Event().wait(0.02)
    raise AssertionError("it did not happen")
