"""The application a server runs: bodies of unknown length, bodies that come slowly or not at all, odd queries."""

import asyncio
import json

import pytest
from django.db import connections

from config import asgi
from config.accounts.services import issue_token
from config.asgi import WEB_THREADS, application
from config.audit.services import Door
from reservations.models import Submission
from tests import factories
from tests.reservations.domain.builders import MESSAGE_ID, event, package
from tests.reservations.services.desk import raw

PATH = "/api/reservation/superagent/task-results"


@pytest.fixture
def post(committed_db, monkeypatch):
    """post(chunks, headers...): status and body of the answer to a request whose body arrives in these chunks."""
    monkeypatch.setitem(connections.settings["default"], "CONN_MAX_AGE", 0)  # the threads keep none open
    hotel = factories.hotel(is_default=True)
    factories.message(hotel, MESSAGE_ID)
    key = issue_token(username=factories.user("agent", hotel).username, door=Door.COMMAND)
    identity = [(b"host", b"testserver"), (b"authorization", f"Token {key}".encode())]

    def answer(chunks, *headers):
        return asyncio.run(call([*identity, (b"content-type", b"application/json"), *headers], chunks))

    return answer


async def call(headers, chunks):
    waiting = [
        {"type": "http.request", "body": chunk, "more_body": place < len(chunks)}
        for place, chunk in enumerate(chunks, 1)
    ]

    async def receive():
        return waiting.pop(0) if waiting else {"type": "http.disconnect"}

    return await ask(scope("POST", PATH, headers), receive)


async def ask(asked, receive):
    sent = []

    async def send(message):
        sent.append(message)

    await application(asked, receive, send)
    return sent[0]["status"], json.loads(b"".join(message.get("body", b"") for message in sent[1:]))


def scope(method, path, headers, query=b""):
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": query,
        "headers": headers,
        "client": ("127.0.0.1", 1),
        "server": ("127.0.0.1", 80),
    }


BODY = raw(package(event()))


@pytest.mark.parametrize("size", [1, 100, 10_000])
def test_a_body_in_chunks_of_unknown_length_is_read_whole(post, size):
    chunks = [BODY[start : start + size] for start in range(0, len(BODY), size)]
    status, answer = post([*chunks, b""], (b"transfer-encoding", b"chunked"))
    assert (status, [line["source_event_index"] for line in answer["tasks"]]) == (200, [1])


def test_a_body_of_known_length_is_read_as_ever(post):
    status, answer = post([BODY[:10], BODY[10:]], (b"content-length", str(len(BODY)).encode()))
    assert (status, answer["replayed"]) == (200, False)


def test_no_body_at_all_is_no_json(post):
    status, answer = post([b""])
    assert (status, answer["error_code"]) == (400, "JSON_INVALID")


def test_r54_chunks_beyond_the_limit_are_413_without_being_kept(post):
    status, answer = post([b" " * 2**20] * 40, (b"transfer-encoding", b"chunked"))
    assert (status, answer["error_code"]) == (413, "PAYLOAD_TOO_LARGE")


def announce(length):
    return (b"content-length", str(length).encode())


@pytest.mark.parametrize("chunks", [[BODY], [BODY[:10], BODY[10:]]])
def test_a_body_shorter_than_announced_is_not_read(post, chunks):
    """What came is a whole package, and still not all that was meant."""
    status, answer = post(chunks, announce(len(BODY) + 1))
    assert (status, answer["error_code"], answer["retryable"]) == (400, "BODY_INCOMPLETE", True)
    assert not Submission.objects.exists()


async def never():
    await asyncio.Event().wait()


async def gone():
    return {"type": "http.disconnect"}


HOST = (b"host", b"testserver")


def test_a_client_that_leaves_early_is_not_read():
    asked = scope("POST", PATH, [HOST, (b"content-type", b"application/json")])
    status, answer = asyncio.run(ask(asked, gone))
    assert (status, answer["error_code"]) == (400, "BODY_INCOMPLETE")


def test_a_body_that_does_not_come_is_given_up(monkeypatch):
    monkeypatch.setattr(asgi, "BODY_SECONDS", 0.01)
    status, answer = asyncio.run(ask(scope("POST", PATH, [HOST, announce(10)]), never))
    assert (status, answer["error_code"], set(answer) >= {"type", "title", "detail", "instance"}) == (
        400,
        "BODY_INCOMPLETE",
        True,
    )


def test_bodies_that_do_not_come_hold_no_thread():
    async def answer_beside_them():
        slow = [
            asyncio.create_task(ask(scope("POST", path, [HOST, announce(10)]), never))
            for path in (PATH, "/admin/login/")
            for _ in range(WEB_THREADS + 1)
        ]
        await asyncio.sleep(0)
        async with asyncio.timeout(10):
            answer = await ask(scope("GET", "/healthz", [HOST]), gone)
        for task in slow:
            task.cancel()
        await asyncio.gather(*slow, return_exceptions=True)
        return answer

    assert asyncio.run(answer_beside_them()) == (200, {"status": "ok"})


@pytest.mark.parametrize("length", [2**20 + 1, 10**10])
def test_r54_a_body_too_large_by_its_own_word_need_not_be_sent(post, length):
    """Beyond what any path takes nothing is waited for; else the path reads the word and not the body."""
    status, answer = post([b" " * min(length, 2**20 + 1)], announce(length))
    assert (status, answer["error_code"]) == (413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize("query", ["a=é", "客人", "a=%ff"])
def test_a_query_with_raw_characters_is_read_as_the_same_query_in_percents(query):
    asked = scope("GET", "/healthz", [HOST], query.encode())
    assert asyncio.run(ask(asked, gone)) == (200, {"status": "ok"})


def test_r54_a_client_that_was_refused_early_may_finish_sending(committed_db):
    """Many read an answer only when all they had is sent."""
    left = [b" " * 2**20] * 3

    async def receive():
        return {"type": "http.request", "body": left.pop(), "more_body": bool(left)}

    assert asyncio.run(ask(scope("POST", PATH, [HOST, announce(10**10)]), receive))[0] == 401
    assert left == []
